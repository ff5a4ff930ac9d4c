"""The table's stream as an event source.

The emulator's own reader ignores partial failures, bisecting and the limit of retries; this one honours them (AWS
Lambda developer guide, "Process DynamoDB records with Lambda" and "Control which events Lambda sends").
"""

import asyncio
import json
import time
import uuid
from collections.abc import Callable
from typing import Any

from aiohttp import ClientSession
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from local_aws.console import fail
from local_aws.emulator import CREDENTIALS, REGION
from local_aws.functions import Function, Result

IDLE_SECONDS = 0.1
# The maximum of a page (Amazon DynamoDB Streams API reference, GetRecords).
PAGE_RECORDS = 1000
BACKOFF_SECONDS = (0.2, 0.5, 1, 2, 5)

Record = dict[str, Any]


def matches(pattern: dict, record: Any) -> bool:
    """Whether a record matches a filter pattern; only the operators of the template are implemented."""
    if not isinstance(record, dict):
        return False
    for name, wanted in pattern.items():
        if isinstance(wanted, dict):
            if not matches(wanted, record.get(name)):
                return False
        elif not any(_fits(rule, record, name) for rule in wanted):
            return False
    return True


def _fits(rule: Any, record: dict, name: str) -> bool:
    if not isinstance(rule, dict):
        return record.get(name) == rule
    if set(rule) == {"exists"}:
        return (name in record) == rule["exists"]
    if set(rule) == {"prefix"}:
        return str(record.get(name, "")).startswith(rule["prefix"])
    if set(rule) == {"anything-but"}:
        return name in record and record[name] not in rule["anything-but"]
    raise ValueError(f"the local runner does not know the filter operator {rule}")


class Stream:
    """Reads one stream for one function, in order, from its start."""

    def __init__(self, mapping: dict, function: Function, client: Callable[[str], Any], endpoint: str):
        self._mapping, self._function, self._endpoint = mapping, function, endpoint
        self._streams, self._sqs = client("dynamodbstreams"), client("sqs")
        filters = mapping.get("FilterCriteria", {}).get("Filters", [])
        self._patterns = [json.loads(each["Pattern"]) for each in filters]
        self._arn = mapping["EventSourceArn"]

    async def run(self) -> None:
        """Runs until it is cancelled."""
        shard = (await asyncio.to_thread(self._streams.describe_stream, StreamArn=self._arn))["StreamDescription"]["Shards"][0]["ShardId"]
        begin = {"StreamArn": self._arn, "ShardId": shard, "ShardIteratorType": "TRIM_HORIZON"}
        iterator = (await asyncio.to_thread(self._streams.get_shard_iterator, **begin))["ShardIterator"]
        async with ClientSession(self._endpoint) as session:
            while True:
                page = await self._page(session, iterator)
                iterator = page["NextShardIterator"]
                wanted = [each | {"eventSourceARN": self._arn} for each in page["Records"] if self._wants(each)]
                size = self._mapping["BatchSize"]
                for begun in range(0, len(wanted), size):
                    await self._process(wanted[begun : begun + size], shard)
                if not page["Records"]:
                    await asyncio.sleep(IDLE_SECONDS)

    async def _page(self, session: ClientSession, iterator: str) -> dict:
        """Passes the service's answer to Lambda unchanged: the SDK would decode each record, only to encode it again."""
        headers = {"X-Amz-Target": "DynamoDBStreams_20120810.GetRecords", "Content-Type": "application/x-amz-json-1.0"}
        asked = json.dumps({"ShardIterator": iterator, "Limit": PAGE_RECORDS})
        request = AWSRequest("POST", f"{self._endpoint}/", data=asked, headers=headers)
        SigV4Auth(Credentials(CREDENTIALS["AWS_ACCESS_KEY_ID"], CREDENTIALS["AWS_SECRET_ACCESS_KEY"]), "dynamodb", REGION).add_auth(request)
        async with session.post("/", data=asked, headers=dict(request.headers), raise_for_status=True) as answer:
            return json.loads(await answer.read())

    def _wants(self, record: Record) -> bool:
        return not self._patterns or any(matches(pattern, record) for pattern in self._patterns)

    async def _process(self, records: list[Record], shard: str) -> None:
        """Invokes the function with a batch until it succeeds or its retries are used up."""
        batches = [(records, 0)]
        while batches:
            batch, attempt = batches.pop()
            result = await self._function.invoke(json.dumps({"Records": batch}).encode())
            rest = self._unfinished(batch, result)
            if not rest:
                continue
            if attempt >= self._mapping.get("MaximumRetryAttempts", -1) >= 0:
                await self._give_up(rest, shard, attempt + 1)
            elif self._mapping.get("BisectBatchOnFunctionError") and len(rest) == len(batch) > 1:
                middle = len(rest) // 2
                batches += [(rest[middle:], attempt), (rest[:middle], attempt)]
            else:
                await asyncio.sleep(BACKOFF_SECONDS[min(attempt, len(BACKOFF_SECONDS) - 1)])
                batches.append((rest, attempt + 1 if len(rest) == len(batch) else 0))

    def _unfinished(self, batch: list[Record], result: Result) -> list[Record]:
        """The records from the first failed one onwards."""
        if result.error:
            return batch
        if "ReportBatchItemFailures" not in self._mapping.get("FunctionResponseTypes", []):
            return []
        try:
            failures = (json.loads(result.payload) or {}).get("batchItemFailures") or []
            failed = {each["itemIdentifier"] for each in failures}
        except (ValueError, TypeError, KeyError, AttributeError):
            return batch
        sequence = [each["dynamodb"]["SequenceNumber"] for each in batch]
        if failed - set(sequence):
            return batch  # an unknown identifier fails the whole batch
        return batch[min(map(sequence.index, failed)) :] if failed else []

    async def _give_up(self, records: list[Record], shard: str, attempts: int) -> None:
        """Sends the position of the records in the stream to the on-failure destination, and continues."""
        fail(f"{self._function.spec.name}: gave up {len(records)} stream record(s) after {attempts} attempts")
        destination = self._mapping.get("DestinationConfig", {}).get("OnFailure", {}).get("Destination")
        if not destination:
            return
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        message = {
            "requestContext": {
                "requestId": str(uuid.uuid4()),
                "functionArn": self._function.spec.arn,
                "condition": "RetryAttemptsExhausted",
                "approximateInvokeCount": attempts,
            },
            "responseContext": {"statusCode": 200, "executedVersion": "$LATEST", "functionError": "Unhandled"},
            "version": "1.0",
            "timestamp": now,
            "DDBStreamBatchInfo": {
                "shardId": shard,
                "startSequenceNumber": records[0]["dynamodb"]["SequenceNumber"],
                "endSequenceNumber": records[-1]["dynamodb"]["SequenceNumber"],
                "approximateArrivalOfFirstRecord": now,
                "approximateArrivalOfLastRecord": now,
                "batchSize": len(records),
                "streamArn": self._arn,
            },
        }
        name = destination.rpartition(":")[2]
        url = (await asyncio.to_thread(self._sqs.get_queue_url, QueueName=name))["QueueUrl"]
        await asyncio.to_thread(self._sqs.send_message, QueueUrl=url, MessageBody=json.dumps(message))
