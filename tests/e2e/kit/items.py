"""The stored data of the service: the items of its table and the objects of its bucket.

The keys are those of shared/src/store/keys.
"""

import gzip
import hashlib
import json
import uuid
import zlib
from datetime import UTC, datetime, timedelta

import boto3
from boto3.dynamodb.conditions import Attr, Key
from botocore.config import Config

from kit.client import Client, sent
from kit.run import REPOSITORY, Run

# What packed attributes are deflated with.
DICTIONARY = (REPOSITORY / "shared/src/store/dynamo/dictionary.txt").read_bytes()


def aws(run: Run, service: str, kind: str = "client"):
    """A client of the local AWS; it accepts any credentials."""
    return getattr(boto3, kind)(
        service,
        endpoint_url=run.described.get("endpoints", {}).get(service, run.aws_endpoint),
        region_name="us-east-1",
        aws_access_key_id="local",
        aws_secret_access_key="local",
        config=Config(max_pool_connections=20, retries={"max_attempts": 5}),
    )


def timestamp(seconds_from_now: float = 0) -> str:
    """RFC 3339 in UTC with milliseconds, the format of all times in the table."""
    moment = datetime.now(UTC) + timedelta(seconds=seconds_from_now)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def idempotency_partition(taxpayer_id: str, key: str) -> str:
    return f"SANDBOX#TAXPAYER#{taxpayer_id}#IDEMPOTENCY#{hashlib.sha256(key.encode()).hexdigest()}"


def text_of(item: dict) -> str:
    """An item as one text, for searches."""
    return json.dumps(item, default=_as_text, ensure_ascii=False)


def _as_text(value) -> str:
    return value.decode(errors="replace") if hasattr(value, "decode") else str(value)


def unpacked(item: dict) -> dict:
    """An item with its packed attributes as attributes of their own (shared/src/store/dynamo/packed.rs)."""
    for name, dictionary in (("packed1", DICTIONARY), ("packed", b"")):
        if name in item:
            packed = zlib.decompressobj(-zlib.MAX_WBITS, dictionary).decompress(bytes(item.pop(name)))
            return json.loads(packed) | item
    return item


class Items:
    """The table and the bucket of the running service."""

    def __init__(self, run: Run):
        self.table = aws(run, "dynamodb", "resource").Table(run.table)
        self.s3 = aws(run, "s3")
        self.bucket = run.bucket
        self._time_to_live = aws(run, "dynamodb").describe_time_to_live(TableName=run.table)

    # Reading

    def query(self, partition: str, begins_with: str = "") -> list[dict]:
        condition = Key("pk").eq(partition)
        if begins_with:
            condition &= Key("sk").begins_with(begins_with)
        return self._all(self.table.query, KeyConditionExpression=condition)

    def scan(self) -> list[dict]:
        return self._all(self.table.scan)

    def matching(self, condition) -> list[dict]:
        return self._all(self.table.scan, FilterExpression=condition)

    def _all(self, read, **request) -> list[dict]:
        found = []
        while True:
            page = read(ConsistentRead=True, **request)
            found += [unpacked(item) for item in page["Items"]]
            if "LastEvaluatedKey" not in page:
                return found
            request["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def of_taxpayer(self, taxpayer_id: str, kind: str = "", mode: str = "sandbox") -> list[dict]:
        """The items of a taxpayer, over many partitions; of one kind, or all."""
        owner = f"{mode.upper()}#TAXPAYER#{taxpayer_id}"
        found = self._all(self.table.scan, FilterExpression=Attr("pk").begins_with(owner))
        return [item for item in found if item["sk"].startswith(kind)]

    def documents(self, taxpayer_id: str) -> list[dict]:
        return self.of_taxpayer(taxpayer_id, "DOCUMENT")

    def documents_numbered(self, number: str) -> list[str]:
        """The ids of all documents with this number, of any tenant."""
        return [item["document_id"] for item in self.scan() if item["sk"] == "DOCUMENT" and item.get("number") == number]

    def of_document(self, taxpayer_id: str, document_id: str) -> list[dict]:
        return [item for item in self.of_taxpayer(taxpayer_id) if document_id in text_of(item) and item["sk"] != "EVENT"]

    def events(self, taxpayer_id: str, document_id: str) -> list[dict]:
        return [item for item in self.of_taxpayer(taxpayer_id, "EVENT") if document_id in text_of(item)]

    def events_about(self, taxpayer_id: str, number: str) -> list[str]:
        """The ids of the events about documents with this number."""
        return [item["event_id"] for item in self.of_taxpayer(taxpayer_id, "EVENT") if number in text_of(item)]

    def count_events(self, taxpayer_id: str) -> int:
        return len(self.of_taxpayer(taxpayer_id, "EVENT"))

    def is_relayed(self, taxpayer_id: str, event_id: str) -> bool:
        (event,) = self.query(f"SANDBOX#TAXPAYER#{taxpayer_id}#EVENT#{event_id}", "EVENT")
        return "relay" not in event

    def deliveries(self, organization_id: str, event_id: str) -> list[dict]:
        owner = f"SANDBOX#ORGANIZATION#{organization_id}#DELIVERY#"
        condition = Attr("pk").begins_with(owner) & Attr("pk").contains(event_id) & Attr("sk").eq("DELIVERY")
        return self._all(self.table.scan, FilterExpression=condition)

    def delivery_state(self, organization_id: str, event_id: str) -> str | None:
        """The status of an event's only delivery; None before the event is relayed."""
        found = self.deliveries(organization_id, event_id)
        return found[0]["status"] if found else None

    def endpoint_states(self, organization_id: str) -> list[str]:
        return [item["status"] for item in self.query(f"SANDBOX#ORGANIZATION#{organization_id}#ENDPOINTS", "ENDPOINT#")]

    def all_events(self, taxpayer_id: str) -> list[dict]:
        return self.of_taxpayer(taxpayer_id, "EVENT")

    def anywhere(self, taxpayer_id: str, marker: str) -> bool:
        """Whether a text occurs in a taxpayer's items or objects."""
        if any(marker in text_of(item) for item in self.of_taxpayer(taxpayer_id)):
            return True
        return any(marker.encode() in self.contents(key) for key in self.objects(taxpayer_id))

    def objects(self, taxpayer_id: str, document_id: str = "") -> list[str]:
        prefix = f"sandbox/{taxpayer_id}/{document_id}"
        pages = self.s3.get_paginator("list_objects_v2").paginate(Bucket=self.bucket, Prefix=prefix)
        return [entry["Key"] for page in pages for entry in page.get("Contents", [])]

    def object(self, key: str) -> bytes:
        return self.s3.get_object(Bucket=self.bucket, Key=key)["Body"].read()

    def contents(self, key: str) -> bytes:
        """The bytes of an object; of payloads that are stored together, those of all."""
        whole = self.object(key)
        return gzip.decompress(whole) if key.endswith(".tar.gz") else whole

    def payload(self, stored: dict) -> bytes:
        """The bytes of a payload as a record names it: an object, a part of a compressed tar, or a deflated part of an object."""
        whole = self.object(stored["key"])
        if "part" not in stored:
            return whole
        offset, size = map(int, stored["part"].split("+"))
        if stored["key"].endswith(".tar.gz"):
            return gzip.decompress(whole)[offset : offset + size]
        return zlib.decompress(whole[offset : offset + size], -zlib.MAX_WBITS)

    def time_to_live_attribute(self) -> str | None:
        return self._time_to_live["TimeToLiveDescription"].get("AttributeName")

    # Idempotency

    def idempotency(self, taxpayer_id: str, key: str) -> dict:
        (item,) = self.query(idempotency_partition(taxpayer_id, key))
        return item

    def fingerprint_of(self, client: Client, body: dict, operation: str = "invoice"):
        """The stored fingerprint of this payload, which is found by sending it once."""
        key = f"fingerprint-{uuid.uuid4()}"
        sent(client.send(body, operation, key=key))
        return self.idempotency(client.taxpayer_id, key)["fingerprint"]

    def reserve(self, taxpayer_id: str, key: str, fingerprint, lease_seconds: float, queued: bool = False) -> str:
        """Writes the reservation of a running or dead attempt; returns the document's id."""
        document_id = f"doc_{uuid.uuid4().hex}"
        self.table.put_item(
            Item={
                "pk": idempotency_partition(taxpayer_id, key),
                "sk": "IDEMPOTENCY",
                "state": "in_progress",
                "fingerprint": fingerprint,
                "document_id": document_id,
                "message_id": str(uuid.uuid4()),
                "uuid": str(uuid.uuid4()),
                "created_at": timestamp(lease_seconds - 60),
                "queued": queued,
                "owner": str(uuid.uuid4()),
                "lease_until": timestamp(lease_seconds),
            }
        )
        return document_id

    def age(self, item: dict, years: int) -> None:
        """Makes an item this many years older: every time in it."""

        def older(value):
            if isinstance(value, str) and len(value) >= 20 and value[4] == value[7] == "-" and value[10] == "T":
                return f"{int(value[:4]) - years}{value[4:]}"
            return value

        self.table.put_item(Item={name: older(value) for name, value in item.items()})
