"""Parameters that CloudFormation accepts and refuses, and the resources that stay after a stack is deleted, on the runner's emulator."""

import asyncio
import sys
import time

import pytest
from botocore.exceptions import ClientError

from local_aws import emulator, stack
from local_aws.console import Trouble
from local_aws.options import LOCAL_PARAMETERS, TEMPLATE
from local_aws.template import Template, load

# Replaces the table, which this test does not need.
TABLES = f"""#!{sys.executable}
import http.server, sys
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), http.server.BaseHTTPRequestHandler).serve_forever()
"""
PORTAL = {"PortalUrl": "https://portal.example.com", "BaseUrl": "https://api.example.com/v1"}
MAIL = {"MailFrom": "no-reply@example.com", "MailIdentity": "example.com"}
NETWORK = {"Network": "test", "As4Url": "https://api.example.com/as4", "SmpUrl": "https://smp.example.com", "SmpId": "PAE000901"}
OF_OUR_OWN = NETWORK | {"Network": "local", "SmlZone": "participant.sml.local", "SmlUrl": "http://127.0.0.1:9/sml"}
TAX_PORTAL = PORTAL | MAIL | NETWORK | {"NationalPortalUrl": "https://tax.example.ae/api"}
KEY = "arn:aws:kms:me-central-1:123456789012:key/0a1b2c3d-0000-4000-8000-123456789012"


@pytest.fixture(scope="module")
def aws(tmp_path_factory):
    folder = tmp_path_factory.mktemp("aws")
    tables = folder / "tables"
    tables.write_text(TABLES)
    tables.chmod(0o755)
    with asyncio.Runner() as runner:
        made = runner.run(emulator.start(folder, folder, tables))
        yield made
        runner.run(made.stop())


def create(aws: emulator.Emulator, given: dict[str, str]) -> dict:
    return stack.form(aws, Template(TEMPLATE), given, "http://127.0.0.1:9/event-source")


def delete(aws: emulator.Emulator) -> None:
    formation = aws.client("cloudformation")
    formation.delete_stack(StackName=stack.STACK)
    for _ in range(200):
        try:
            formation.describe_stacks(StackName=stack.STACK)
        except ClientError:
            return
        time.sleep(0.05)
    raise AssertionError("the stack is not deleted")


def without(given: dict[str, str], name: str) -> dict[str, str]:
    return {each: value for each, value in given.items() if each != name}


REFUSED = [
    (without(PORTAL, "BaseUrl"), "PortalUrl needs BaseUrl"),
    (PORTAL | without(MAIL, "MailIdentity"), "MailFrom needs MailIdentity"),
    (PORTAL | without(MAIL, "MailFrom"), "MailIdentity needs MailFrom"),
    (MAIL, "MailFrom needs PortalUrl"),
    (without(NETWORK, "As4Url"), "Network needs As4Url"),
    (without(NETWORK, "SmpUrl"), "Network needs SmpUrl"),
    (without(NETWORK, "SmpId"), "Network needs SmpId"),
    (NETWORK | {"Network": "production", "Egress": "any"}, "need Egress=public"),
    (without(OF_OUR_OWN, "SmlZone"), "Network=local needs SmlZone"),
    (without(OF_OUR_OWN, "SmlUrl"), "Network=local needs SmlUrl"),
    (NETWORK | {"NationalPortalUrl": TAX_PORTAL["NationalPortalUrl"]}, "NationalPortalUrl needs PortalUrl"),
    (TAX_PORTAL | {"Network": "none"}, "NationalPortalUrl needs a Network"),
    (TAX_PORTAL | {"MailFrom": "", "MailIdentity": ""}, "NationalPortalUrl needs MailFrom"),
    ({"SmlZone": "participant.sml.local"}, "SmlZone needs a Network"),
    ({"SmlUrl": "https://sml.example.com"}, "SmlUrl needs a Network"),
    ({"DirectoryUrl": "https://directory.example.com"}, "DirectoryUrl needs a Network"),
    ({"TaxAuthority": "000306"}, "TaxAuthority needs a Network"),
    ({"StatisticsReceiver": "9925:be0848934496"}, "StatisticsReceiver needs a Network"),
    ({"SmpUrl": "smp.example.com"}, "SmpUrl"),
    ({"DnsServer": "dns.example.com"}, "DnsServer"),
    ({"KmsKeyArns": f"{KEY},alias/peppol"}, "KmsKeyArns"),
    # The value becomes a part of a policy's resource.
    (PORTAL | MAIL | {"MailIdentity": "*"}, "MailIdentity"),
]


@pytest.mark.parametrize(("given", "why"), REFUSED, ids=[why for _, why in REFUSED])
def test_what_cannot_work_is_refused_before_anything_is_created(aws, given, why):
    with pytest.raises(Trouble, match="template.yaml was refused") as refused:
        create(aws, given)
    assert why in str(refused.value)
    with pytest.raises(ClientError):
        aws.client("cloudformation").describe_stacks(StackName=stack.STACK)


def test_each_assertion_of_the_rules_has_a_case_above():
    rules = load(TEMPLATE)["Rules"].values()
    said = {each["AssertDescription"] for rule in rules for each in rule["Assertions"]}
    assert len(said) == sum(len(rule["Assertions"]) for rule in rules)
    for description in said:
        assert any(why in description for _, why in REFUSED), description


ON_LOOPBACK = {"PortalUrl": "http://127.0.0.1:8400", "BaseUrl": "http://127.0.0.1:8400/v1"}
TAKEN = {
    "the defaults": {},
    "everything in production": TAX_PORTAL
    | {"Network": "production", "KmsKeyArns": f"{KEY},{KEY}", "TaxAuthority": "000306", "StatisticsReceiver": "9925:be0848934496"}
    | {"SmlZone": "participant.sml.example.eu", "DnsServer": "10.0.0.2:53", "DirectoryUrl": "https://directory.example.eu"},
    "a network of our own": OF_OUR_OWN | {"DnsServer": "[::1]:53"},
    "the runner's own": LOCAL_PARAMETERS | ON_LOOPBACK | {"SmpUrl": "http://127.0.0.1:8401", "As4Url": "http://127.0.0.1:8400/as4"},
}


@pytest.mark.parametrize("given", TAKEN.values(), ids=TAKEN.keys())
def test_what_can_work_is_created(aws, given):
    assert create(aws, given)["StackStatus"] == "CREATE_COMPLETE"
    delete(aws)


def logs(aws: emulator.Emulator) -> set[str]:
    pages = aws.client("logs").get_paginator("describe_log_groups").paginate()
    return {each["logGroupName"] for page in pages for each in page["logGroups"]}


def test_a_stack_is_created_again_under_its_name_and_the_logs_of_the_one_before_stay(aws):
    before = logs(aws)
    create(aws, {})
    first = logs(aws) - before
    delete(aws)
    assert first <= logs(aws), "logs went with their stack"
    create(aws, {})
    second = logs(aws) - before - first
    delete(aws)
    assert len(first) == len(second) == len(Template(TEMPLATE).functions()) + 2


def test_a_deployment_writes_over_no_secret_that_an_operator_put(aws):
    outputs = {each["OutputKey"]: each["OutputValue"] for each in create(aws, {})["Outputs"]}
    arns = [value for name, value in outputs.items() if name.endswith("SecretArn")]
    secrets, formation = aws.client("secretsmanager"), aws.client("cloudformation")
    filled = [arn for arn in arns if not secrets.get_secret_value(SecretId=arn)["SecretString"]]
    assert len(filled) == 4, "a secret that an operator fills begins without a value"
    for arn in filled:
        secrets.put_secret_value(SecretId=arn, SecretString='{"put": "by the operator"}')
    changed = Template(TEMPLATE).prepared({"Bucket": "local-artifacts", "Key": "function.zip"}, "http://127.0.0.1:9/changed")
    # A later release may do this.
    changed = changed.replace("Seals the cursors of lists", "Seals cursors")
    aws.client("s3").put_object(Bucket="local-artifacts", Key="changed.json", Body=changed.encode())
    capabilities = ["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"]
    url = f"{aws.endpoint}/local-artifacts/changed.json"
    formation.update_stack(StackName=stack.STACK, TemplateURL=url, Capabilities=capabilities)
    for _ in range(200):
        status = formation.describe_stacks(StackName=stack.STACK)["Stacks"][0]["StackStatus"]
        if not status.endswith("IN_PROGRESS"):
            break
        time.sleep(0.05)
    assert status == "UPDATE_COMPLETE"
    for arn in filled:
        assert secrets.get_secret_value(SecretId=arn)["SecretString"] == '{"put": "by the operator"}'
    delete(aws)
