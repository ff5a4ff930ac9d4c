"""Creates the resources of template.yaml, and reads the result."""

import io
import time
import zipfile
from dataclasses import dataclass

from botocore.exceptions import ClientError

from local_aws.console import Trouble
from local_aws.emulator import CREDENTIALS, Emulator
from local_aws.functions import FunctionSpec
from local_aws.template import HAND_OVER, Template

STACK = "access-point"
_ARTIFACTS = "local-artifacts"
_CREATE_SECONDS = 60
# The emulator's error messages quote their input, even the whole template.
_MESSAGE_CHARACTERS = 500

# One process for each concurrent event: enough for real races without too many processes on a small machine.
_CONCURRENCY = {"api": 16}
_CONCURRENCY_ELSEWHERE = 4


@dataclass(frozen=True)
class Stack:
    """The created resources by their names in the template."""

    functions: dict[str, FunctionSpec]
    streams: list[dict]
    resources: dict[str, str]
    outputs: dict[str, str]

    def environment(self) -> dict[str, str]:
        """The variables of all functions together, for the command line."""
        return {name: value for spec in self.functions.values() for name, value in spec.environment.items()}


def create(emulator: Emulator, template: Template, parameters: dict[str, str], hand_over_url: str) -> Stack:
    created = form(emulator, template, parameters, hand_over_url)
    described = emulator.client("cloudformation").describe_stack_resources(StackName=STACK)["StackResources"]
    resources = {each["LogicalResourceId"]: each["PhysicalResourceId"] for each in described}
    stream_arn = _move_table(emulator, resources["Table"])
    return Stack(
        functions=_functions(emulator, template, resources),
        streams=_take_over_streams(emulator, stream_arn),
        resources=resources,
        outputs={each["OutputKey"]: each["OutputValue"] for each in created.get("Outputs", [])},
    )


def form(emulator: Emulator, template: Template, parameters: dict[str, str], hand_over_url: str) -> dict:
    """Creates the stack through CloudFormation, which checks parameters by patterns and by Rules, as AWS does."""
    known = template.parameters()
    if unknown := sorted(set(parameters) - set(known)):
        raise Trouble(f"template.yaml has no parameter {', '.join(unknown)}; it has {', '.join(sorted(known))}")
    prepared = template.prepared(_code(emulator), hand_over_url)
    formation = emulator.client("cloudformation")
    try:
        formation.create_stack(
            StackName=STACK,
            TemplateURL=_stored(emulator, prepared),
            Capabilities=["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
            Parameters=[{"ParameterKey": name, "ParameterValue": value} for name, value in parameters.items()],
        )
    except ClientError as error:
        raise Trouble(f"template.yaml was refused: {error.response['Error']['Message'][:_MESSAGE_CHARACTERS]}") from None
    return _wait(formation)


def _code(emulator: Emulator) -> dict[str, str]:
    """A bucket with a package that never runs: the runner starts the binaries itself."""
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w") as archive:
        archive.writestr("bootstrap", "#!/bin/false\n")
    storage = emulator.client("s3")
    storage.create_bucket(Bucket=_ARTIFACTS)
    storage.put_object(Bucket=_ARTIFACTS, Key="function.zip", Body=package.getvalue())
    return {"Bucket": _ARTIFACTS, "Key": "function.zip"}


def _stored(emulator: Emulator, template: str) -> str:
    """Uploads the template: more than 51,200 bytes do not fit in a request (AWS CloudFormation quotas)."""
    emulator.client("s3").put_object(Bucket=_ARTIFACTS, Key="template.json", Body=template.encode())
    return f"{emulator.endpoint}/{_ARTIFACTS}/template.json"


def _wait(formation) -> dict:
    deadline = time.monotonic() + _CREATE_SECONDS
    while True:
        stack = formation.describe_stacks(StackName=STACK)["Stacks"][0]
        if stack["StackStatus"] == "CREATE_COMPLETE":
            return stack
        if not stack["StackStatus"].endswith("IN_PROGRESS") or time.monotonic() > deadline:
            events = formation.describe_stack_events(StackName=STACK)["StackEvents"]
            causes = [f"{e['LogicalResourceId']}: {e.get('ResourceStatusReason', '')}" for e in events if "FAILED" in e["ResourceStatus"]]
            raise Trouble("template.yaml could not be created: " + ("; ".join(causes) or stack["StackStatus"]))
        time.sleep(0.05)


def _move_table(emulator: Emulator, name: str) -> str:
    """Creates the table of CloudFormation in dynoxide; returns the ARN of its stream."""
    described, tables = emulator.client("dynamodb", described=True), emulator.client("dynamodb")
    table = described.describe_table(TableName=name)["Table"]
    indexes = [{key: index[key] for key in ("IndexName", "KeySchema", "Projection")} for index in table.get("GlobalSecondaryIndexes", [])]
    made = tables.create_table(
        TableName=name,
        BillingMode=table["BillingModeSummary"]["BillingMode"],
        KeySchema=table["KeySchema"],
        AttributeDefinitions=table["AttributeDefinitions"],
        GlobalSecondaryIndexes=indexes,
        StreamSpecification=table["StreamSpecification"],
    )
    life = described.describe_time_to_live(TableName=name)["TimeToLiveDescription"]
    if life["TimeToLiveStatus"] == "ENABLED":
        specification = {"Enabled": True, "AttributeName": life["AttributeName"]}
        tables.update_time_to_live(TableName=name, TimeToLiveSpecification=specification)
    emulator.order_stream()
    return made["TableDescription"]["LatestStreamArn"]


def _functions(emulator: Emulator, template: Template, resources: dict[str, str]) -> dict[str, FunctionSpec]:
    client = emulator.client("lambda")
    queued = _queued_concurrency(client)
    found = {}
    for logical, binary in template.functions().items():
        made = client.get_function_configuration(FunctionName=resources[logical])
        variables = {name: str(value) for name, value in made["Environment"]["Variables"].items() if name != HAND_OVER}
        found[logical] = FunctionSpec(
            name=made["FunctionName"],
            binary=binary,
            arn=made["FunctionArn"],
            timeout=int(made["Timeout"]),
            memory=int(made["MemorySize"]),
            environment={**CREDENTIALS, **emulator.endpoints(), **variables},
            concurrency=queued.get(made["FunctionArn"]) or _CONCURRENCY.get(binary, _CONCURRENCY_ELSEWHERE),
        )
    return found


def _queued_concurrency(client) -> dict[str, int]:
    """The sum of the concurrency limits of each function's queues, so that no queue waits for another."""
    found: dict[str, int] = {}
    for mapping in client.list_event_source_mappings()["EventSourceMappings"]:
        if ":sqs:" in mapping["EventSourceArn"]:
            arn, most = mapping["FunctionArn"], int(mapping["ScalingConfig"]["MaximumConcurrency"])
            # The emulator stores a parameter's number as text, which its own poller cannot compare.
            client.update_event_source_mapping(UUID=mapping["UUID"], ScalingConfig={"MaximumConcurrency": most})
            found[arn] = found.get(arn, 0) + most
    return found


def _take_over_streams(emulator: Emulator, stream_arn: str) -> list[dict]:
    """Turns the emulator's stream readers off, and returns their settings for the runner's own."""
    client = emulator.client("lambda")
    taken = []
    for mapping in client.list_event_source_mappings()["EventSourceMappings"]:
        if ":dynamodb:" in mapping["EventSourceArn"]:
            client.update_event_source_mapping(UUID=mapping["UUID"], Enabled=False)
            taken.append(mapping | {"EventSourceArn": stream_arn})
    return taken
