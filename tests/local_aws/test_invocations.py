"""The log of invocations."""

import asyncio
import json

from local_aws.clock import Clock
from local_aws.functions import Environment, FunctionSpec, Result
from local_aws.lambda_service import LambdaService

SPEC = FunctionSpec(name="made", binary="deliver", arn="arn:made", timeout=3, memory=128, environment={}, concurrency=1)


def test_each_invocation_is_logged_with_its_records_and_its_seconds(tmp_path, monkeypatch):
    async def answers_after_a_while(environment):
        call = await environment.next(lambda: True)
        await asyncio.sleep(0.2)
        environment.answer(call.request_id, Result(b"{}"))

    async def invoke():
        monkeypatch.setattr(Environment, "run", answers_after_a_while)
        service = LambdaService(Clock(None), tmp_path / "invocations.log")
        function = service.add(SPEC, tmp_path / "bootstrap", tmp_path / "log")
        record = {"body": json.dumps({"eventSourceARN": "not one of ours"}), "eventSourceARN": "arn:queue"}
        await function.invoke(json.dumps({"Records": [record, record]}).encode())
        await service.close()

    asyncio.run(invoke())
    (line,) = (tmp_path / "invocations.log").read_text().splitlines()
    entry = json.loads(line)
    assert (entry["function"], entry["records"], entry["error"]) == ("deliver", 2, None)
    assert 0.2 <= entry["seconds"] < 2
