"""The template as the runner reads it, and its guarantees."""

import json
import re
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatchcase

import pytest

from local_aws.options import TEMPLATE, parse
from local_aws.template import Template, load


def test_each_http_api_has_its_own_routes():
    template = Template(TEMPLATE)
    assert [route.key for route in template.routes("SmpApi")] == ["ANY /{proxy+}"]
    names = ["Api", "Billing", "Docs", "Hooks", "Inbound", "OAuth", "Pdf", "Portal"]
    functions = {f"{name}Function" for name in names}
    assert {route.function for route in template.routes("HttpApi")} == functions
    [route] = template.routes("SmpApi")
    path = "/iso6523-actorid-upis%3A%3A0235%3A1/services/a%3A%3Ab%23%23c"
    assert route.match("GET", path) == {"proxy": path[1:]}


def test_a_path_that_is_fully_said_comes_before_one_that_takes_the_rest():
    """API Gateway, "Understand how API Gateway selects a route": full match, then greedy variable."""
    routes = Template(TEMPLATE).routes("HttpApi")

    def function(method: str, path: str) -> str:
        return next(route.function for route in routes if route.match(method, path) is not None)

    for base in ("/v1", "/api/v1", "/api"):
        assert function("PATCH", f"{base}/taxpayer") == "OAuthFunction"
        assert function("GET", f"{base}/taxpayer") == "ApiFunction"
        assert function("DELETE", f"{base}/grants/tgr_1") == "OAuthFunction"
        assert function("GET", f"{base}/grants") == "ApiFunction"
        assert function("POST", f"{base}/webhook-endpoints") == "HooksFunction"
        assert function("POST", f"{base}/webhook-endpoints/we_1/test") == "HooksFunction"
        assert function("GET", f"{base}/events") == "HooksFunction"
        assert function("GET", f"{base}/events/evt_1/deliveries/we_1") == "HooksFunction"
    for mode in ("", "/sandbox"):
        assert function("GET", f"{mode}/organization") == "PortalFunction"
        assert function("POST", f"{mode}/organization/keys") == "PortalFunction"
        assert function("POST", f"{mode}/sign-in/confirm") == "OAuthFunction"
        assert function("GET", f"{mode}/documents/doc_1/ubl") == "OAuthFunction"
        assert function("GET", f"{mode}/verify/token") == "OAuthFunction"
        assert function("POST", f"{mode}/organization/grants/disconnect") == "OAuthFunction"
        assert function("POST", f"{mode}/organization/logos/replace") == "OAuthFunction"
    assert function("POST", "/sandbox/organization/grants/test-business") == "OAuthFunction"
    assert function("POST", "/sandbox/organization/new/confirm") == "PortalFunction"
    assert function("GET", "/docs") == function("GET", "/docs/reference/send_invoice") == "DocsFunction"
    assert function("POST", "/as4") == "InboundFunction"


def test_each_function_has_its_environment_before_anything_is_deployed():
    environments = Template(TEMPLATE).environments({"PortalUrl": "https://portal.example"}, lambda name: f"the {name}")
    assert set(environments) == {path.name for path in (TEMPLATE.parent / "functions").iterdir()}
    assert environments["docs"]["TABLE_NAME"] == "the Table"
    assert environments["portal"]["PORTAL_URL"] == "https://portal.example"
    assert environments["mail"]["MAIL_FROM"] == ""
    assert environments["archives"]["FUNCTION_TIMEOUT_SECONDS"] == "29"
    # glibc then gives the memory of each compressor (about 300 kB) back at once.
    assert {environment["MALLOC_MMAP_THRESHOLD_"] for environment in environments.values()} == {str(128 * 1024)}


def test_the_smp_has_a_port_of_its_own():
    assert parse([]).smp_port == 0
    assert parse(["--smp-port", "8401"]).smp_port == 8401


RESOURCES = Template(TEMPLATE).resources()
ROLES = [name for name in RESOURCES if name.endswith("Role")]


def listed(value: object) -> list:
    return value if isinstance(value, list) else [value]


def allowed(role: str) -> Iterator[tuple[str, object]]:
    """Each action that a role allows, with each of its resources."""
    attached = {each["Ref"] for each in RESOURCES[role]["Properties"]["ManagedPolicyArns"]}
    for name, policy in RESOURCES.items():
        properties = policy.get("Properties", {})
        if policy["Type"] != "AWS::IAM::ManagedPolicy" or not (name in attached or {"Ref": role} in properties.get("Roles", [])):
            continue
        for statement in properties["PolicyDocument"]["Statement"]:
            # A conditional statement.
            statement = statement.get("Fn::If", [None, statement])[1]
            if statement["Effect"] == "Allow":
                yield from ((action, resource) for action in listed(statement["Action"]) for resource in listed(statement["Resource"]))


def sources(function: dict) -> set[str]:
    """The queues that a function consumes."""
    events = function["Properties"].get("Events", {}).values()
    return {event["Properties"]["Queue"]["Fn::GetAtt"][0] for event in events if event["Type"] == "SQS"}


def test_a_function_that_sends_to_its_own_queue_is_allowed_to_and_no_other_one_is():
    """Lambda drops messages after about 16 rounds ("Recursive loop detection"), unless the function allows recursion."""
    loops = set()
    for name, function in RESOURCES.items():
        if function["Type"] != "AWS::Serverless::Function":
            continue
        role = function["Properties"]["Role"]["Fn::GetAtt"][0]
        sends = {resource["Fn::GetAtt"][0] for action, resource in allowed(role) if action == "sqs:SendMessage"}
        is_loop = bool(sends & sources(function))
        assert function["Properties"].get("RecursiveLoop") == ("Allow" if is_loop else None), name
        loops |= {name} if is_loop else set()
    assert loops == {"WebhookFunction", "ReportFunction"}


def alarms(metric: str) -> list[dict]:
    """The alarms of a metric."""
    found = [each["Properties"] for each in RESOURCES.values() if each["Type"] == "AWS::CloudWatch::Alarm"]
    return [alarm for alarm in found if alarm["MetricName"] == metric]


def test_faults_of_every_function_are_counted_and_raise_an_alarm():
    counted: dict[str, set[str]] = {}
    for each in RESOURCES.values():
        if each["Type"] == "AWS::Logs::MetricFilter" and each["Properties"]["MetricTransformations"][0]["MetricName"] == "Faults":
            counted.setdefault(each["Properties"]["LogGroupName"]["Ref"], set()).add(each["Properties"]["FilterPattern"])
    functions = [name for name, each in RESOURCES.items() if each["Type"] == "AWS::Serverless::Function"]
    patterns = {'{ $.level = "ERROR" }', '?"Runtime exited" ?"Task timed out" ?"Status: error" ?"Status: timeout"'}
    assert counted == {name.removesuffix("Function") + "Logs": patterns for name in functions}
    [alarm] = alarms("Faults")
    assert "AlarmTopicArn" in json.dumps(alarm["AlarmActions"])


def test_the_work_of_every_schedule_has_an_alarm_for_its_failure():
    watched = {dimension["Value"]["Ref"] for alarm in alarms("Errors") for dimension in alarm["Dimensions"]}
    scheduled = {
        name
        for name, each in RESOURCES.items()
        if any(event["Type"] == "Schedule" for event in each["Properties"].get("Events", {}).values())
    }
    assert watched == scheduled


def test_every_queue_has_an_alarm_for_its_dead_letters():
    """A message that Lambda drops as part of a loop becomes one, too."""
    visible = alarms("ApproximateNumberOfMessagesVisible")
    watched = {dimension["Value"]["Fn::GetAtt"][0] for alarm in visible for dimension in alarm["Dimensions"]}
    for queue in set().union(*map(sources, RESOURCES.values())):
        redrive = RESOURCES[queue]["Properties"]["RedrivePolicy"]
        assert redrive["deadLetterTargetArn"]["Fn::GetAtt"][0] in watched, queue


BUCKET = "${Bucket.Arn}/*"
READS = {("s3:GetObject", BUCKET)}
STORES = READS | {("s3:PutObject", BUCKET)}
UNFINISHED = {("s3:DeleteObject", "${Bucket.Arn}/*/txpay_*/doc_*/*.json")}
COPIES = {("s3:PutObject", "${Bucket.Arn}/*.content"), ("s3:PutObject", "${Bucket.Arn}/*.html")}
LOGO = "${Bucket.Arn}/logos/*/txpay_*/*.png"
LOGOS = {("s3:DeleteObject", LOGO), ("s3:PutObject", LOGO)}
REVOCATION = {("s3:GetObject", "${Bucket.Arn}/revocation/*"), ("s3:PutObject", "${Bucket.Arn}/revocation/*")}
LISTS = {("s3:ListBucket", "Bucket.Arn")}
LOCKS = {("s3:PutObjectRetention", "${Bucket.Arn}/live/*")}
# Each role's rights on the bucket. Without ListBucket, a missing object is answered with 403.
RIGHTS = {
    "Api": STORES | UNFINISHED | LISTS | LOCKS,
    "OAuth": READS | COPIES | LISTS | LOGOS,
    "Portal": READS
    | COPIES
    | LISTS
    | {("s3:PutObject", "${Bucket.Arn}/live/imports/*"), ("s3:PutObject", "${Bucket.Arn}/sandbox/imports/*")},
    "Pdf": READS | LISTS | {("s3:PutObject", "${Bucket.Arn}/*.pdf"), ("s3:PutObject", "${Bucket.Arn}/*/doc_*/*.zip")},
    "Reconcile": {("s3:AbortMultipartUpload", "${Bucket.Arn}/live/usage/*"), ("s3:PutObject", "${Bucket.Arn}/live/usage/*")},
    "Convert": STORES | LISTS | LOCKS,
    "Dispatch": STORES | LISTS | LOCKS,
    "Inbound": STORES | LISTS | LOCKS,
    "Judge": STORES | LISTS | LOCKS,
    "Answer": STORES | LISTS | LOCKS,
    "Report": REVOCATION | LISTS | LOCKS | {("s3:GetObject", "${Bucket.Arn}/live/*"), ("s3:PutObject", "${Bucket.Arn}/live/*")},
    "Upkeep": REVOCATION | LISTS,
    "Imports": STORES | UNFINISHED | LISTS,
    "Archives": READS | LISTS | LOCKS | {
        ("s3:PutObject", "${Bucket.Arn}/live/archives/*"),
        ("s3:PutObject", "${Bucket.Arn}/sandbox/archives/*"),
        ("s3:PutObject", "${Bucket.Arn}/live/txpay_*/doc_*/items.jsonl.gz"),
    },
}


def named(resource: dict | str) -> str:
    """The resource of a statement in its written form."""
    if isinstance(resource, dict):
        [resource] = resource.values()
    return ".".join(resource) if isinstance(resource, list) else resource


@pytest.mark.parametrize("role", ROLES)
def test_each_role_has_the_rights_to_the_bucket_that_are_listed_and_no_others(role):
    found = {(action, named(resource)) for action, resource in allowed(role) if not action.startswith(("dynamodb:", "sqs:", "ses:"))}
    found = {(action, resource) for action, resource in found if not action.startswith(("secretsmanager:", "kms:"))}
    assert found == RIGHTS.get(role.removesuffix("Role"), set())


@pytest.mark.parametrize("kind", ["xml", "sbdh", "receipt", "as4", "tdd", "report", "content", "html", "pdf"])
def test_nothing_that_a_finished_document_needs_can_be_deleted(kind):
    """IAM's `*` matches any text."""
    for action, resource in {right for rights in RIGHTS.values() for right in rights}:
        if action.startswith("s3:Delete"):
            key = f"live/txpay_019f1c2e8a7b7cc1a1b2c3d4e5f60718/doc_019f1c2e8a7b7cc1a1b2c3d4e5f60718/{'0a' * 32}.{kind}"
            assert not fnmatchcase(f"${{Bucket.Arn}}/{key}", resource)
            assert resource == LOGO or fnmatchcase(f"${{Bucket.Arn}}/{key.removesuffix(kind)}json", resource)


def test_mail_is_sent_as_the_identity_and_from_the_address_alone():
    identity = "arn:${AWS::Partition}:ses:${AWS::Region}:${AWS::AccountId}:identity/${MailIdentity}"
    policies = json.dumps([each for each in RESOURCES.values() if each["Type"] == "AWS::IAM::ManagedPolicy"])
    rights = {(role, action, named(resource)) for role in ROLES for action, resource in allowed(role) if action.startswith("ses:")}
    assert rights == {("MailRole", "ses:SendEmail", identity)}
    assert policies.count('{"StringEquals": {"ses:FromAddress": {"Ref": "MailFrom"}}}') == 1


def test_the_queues_have_the_concurrency_of_the_parameters():
    found = {}
    for function in RESOURCES.values():
        for event in function["Properties"].get("Events", {}).values() if function["Type"] == "AWS::Serverless::Function" else ():
            if event["Type"] == "SQS" and "MaximumConcurrency" in json.dumps(event):
                queue = event["Properties"]["Queue"]["Fn::GetAtt"][0]
                limit = event["Properties"]["ScalingConfig"]["MaximumConcurrency"]
                found |= {queue: limit["Ref"]} if isinstance(limit, dict) else {}
    parameters = Template(TEMPLATE).parameters()
    for queue, parameter in found.items():
        mode, kind = ("Sandbox" if "Sandbox" in queue else "Live"), ("Delivery" if parameter.endswith("DeliveryConcurrency") else "Stage")
        assert parameter == f"{mode}{kind}Concurrency", queue
        # Lambda allows 2 to 1,000 ("Configuring maximum concurrency for Amazon SQS event sources").
        assert 2 <= parameters[parameter]["Default"] <= 1000
    assert set(found.values()) == {name for name in parameters if re.search("(Stage|Delivery)Concurrency$", name)}


def test_everything_that_is_measured_has_a_metric():
    filters = {name.removesuffix("Metric") for name, each in RESOURCES.items() if each["Type"] == "AWS::Logs::MetricFilter"}
    assert set(Template(TEMPLATE).mapping("Measures")) <= filters


def test_the_bill_of_an_idle_month_counts_what_the_template_makes():
    bill = (TEMPLATE.parent / "shared/src/cli/cost/bill.rs").read_text()
    types = [each["Type"] for each in RESOURCES.values()]
    functions = [each for each in RESOURCES.values() if each["Type"] == "AWS::Serverless::Function"]
    counted = {
        "EVENT_SOURCES": sum(len(sources(function)) for function in functions),
        "SECRETS": types.count("AWS::SecretsManager::Secret"),
        "ALARMS": types.count("AWS::CloudWatch::Alarm"),
    }
    assert counted == {name: int(re.search(rf"^const {name}: u64 = (\d+);", bill, re.M)[1]) for name in counted}


def test_provisioned_capacity_of_table_and_index_is_scaled_between_its_limits():
    scaled = {name: each for name, each in RESOURCES.items() if each["Type"].startswith("AWS::ApplicationAutoScaling::")}
    assert {each["Condition"] for each in scaled.values()} == {"HasProvisionedTable"}
    (index,) = RESOURCES["Table"]["Properties"]["GlobalSecondaryIndexes"]
    places = {"Table": ("table", "table/${Table}"), "Index": ("index", f"table/${{Table}}/index/{index['IndexName']}")}
    model = (TEMPLATE.parent / "tests/scale/model/src").joinpath
    target = float(re.search(r"SCALE_TARGET: .*, ([0-9.]+), ", model("aws.rs").read_text())[1])
    for place, (dimension, resource) in places.items():
        for kind in ("Read", "Write"):
            limits = scaled.pop(f"{place}{kind}Capacity")["Properties"]
            assert limits["ScalableDimension"] == f"dynamodb:{dimension}:{kind}CapacityUnits"
            assert limits["ResourceId"] == {"Fn::Sub": resource}
            assert (limits["MinCapacity"], limits["MaxCapacity"]) == ({"Ref": f"TableMin{kind}s"}, {"Ref": f"TableMax{kind}s"})
            policy = scaled.pop(f"{place}{kind}Scaling")["Properties"]
            assert policy["ScalingTargetId"] == {"Ref": f"{place}{kind}Capacity"}
            tracking = policy["TargetTrackingScalingPolicyConfiguration"]
            assert tracking["PredefinedMetricSpecification"] == {"PredefinedMetricType": f"DynamoDB{kind}CapacityUtilization"}
            assert tracking["TargetValue"] == round(100 * target)
    assert not scaled
    least = float(re.search(r"LEAST_WRITES: f64 = ([0-9.]+);", model("main.rs").read_text())[1])
    assert float(Template(TEMPLATE).parameters()["TableMinWrites"]["Default"]) == least


def test_a_first_deployment_that_rolls_back_leaves_nothing_that_is_in_the_way_of_the_next_one():
    kept = {name: each for name, each in RESOURCES.items() if "DeletionPolicy" in each}
    assert {each["Type"] for each in kept.values()} == {
        "AWS::Logs::LogGroup",
        "AWS::SecretsManager::Secret",
        "AWS::S3::Bucket",
        "AWS::DynamoDB::Table",
    }
    for name, each in kept.items():
        # A rollback cannot delete a table with deletion protection.
        is_protected = each["Properties"].get("DeletionProtectionEnabled", False)
        assert each["DeletionPolicy"] == ("Retain" if is_protected else "RetainExceptOnCreate"), name
        assert each["UpdateReplacePolicy"] == "Retain", name
        chosen = {member for member in each["Properties"] if member.endswith("Name")}
        assert chosen <= {"LogGroupName"}, f"{name} has a name that a second stack would want, too"
        assert not chosen or "AWS::StackId" in json.dumps(each["Properties"]["LogGroupName"]), name


def test_no_deployment_makes_a_new_version_of_a_secret():
    """A change of SecretString or GenerateSecretString would (AWS CloudFormation, reference of AWS::SecretsManager::Secret)."""
    secrets = {name: each["Properties"] for name, each in RESOURCES.items() if each["Type"] == "AWS::SecretsManager::Secret"}
    generated = {name: each.get("GenerateSecretString") for name, each in secrets.items() if set(each) - {"Description"}}
    assert generated == {
        "CursorKey": {"PasswordLength": 64, "ExcludePunctuation": True},
        "SealingKey": {"PasswordLength": 64, "ExcludePunctuation": True, "ExcludeCharacters": "{"},
        "VerificationKey": {"PasswordLength": 64, "ExcludePunctuation": True},
    }
    assert len(secrets) == 7


def partitions() -> set[str]:
    """The partition key of each kind of item as a pattern, from the functions that build them. Variable parts are `*`, and so is a mode
    in an argument."""
    files = sorted((TEMPLATE.parent / "shared/src/store/keys").glob("*.rs"))
    code = "\n".join(file.read_text().split("#[cfg(test)]")[0] for file in files)
    constants = dict(re.findall(r'const (\w+): &str = "(\w+)";', code))
    # Two keys have no variable part.
    found = set(re.findall(r'Key::new\("(LIVE#\w+)"', code))
    for function in re.split(r"\n(?= *(?:pub(?:\([^)]*\))? )?fn )", code):
        mode = "LIVE" if "Mode::Live" in function else "SANDBOX" if "Mode::Sandbox" in function else "*"
        owned = [(at.start(), at[1].upper()) for at in re.finditer(r"\b(taxpayer|organization)\((?:mode|Mode)", function)]
        for made in re.finditer(r'format!\(\s*"\{(?:owner|pk)?\}#([^"]*)"', function):
            # The owner is an argument, or in an earlier variable.
            after, before = ([kind for at, kind in owned if (at > made.start()) == later] for later in (True, False))
            own = re.sub(r"\{(\w*)[^}]*\}", lambda variable: constants.get(variable[1], "*"), made[1])
            own = re.sub(r"\*[#:*]*\*", "*", own)
            found.add("#".join([mode, *(f"{kind}#*" for kind in (after or before)[:1]), own]))
    return found


# Patterns of less or more than one kind, with the reason.
OTHERS = {
    "Pace": "the turns of reports, and their shards where the rate is large",
    "Endpoints": "the endpoints, and the shards of their version, which every change of an endpoint writes",
    "Awaited": "the shards, and the one partition in which functions of the version before write during a deployment",
    "Everything": "the function report reads Live alone",
    "WholeOrganization": "what stands of an organization, whatever it is",
    "WholeTaxpayer": "a taxpayer of Sandbox may be made up, with whatever stands of it",
    "Taxpayer": "the record alone, of 32 digits, and nothing that stands below it",
    "Organization": "the record alone, of 32 digits, and nothing that stands below it",
    "DirectoryRegistration": "one of the registers, which a taxpayer is listed in by its own wish",
}


def test_each_pattern_of_keys_is_that_of_a_kind_of_items_and_stands_once():
    template = load(TEMPLATE)
    keys = template["Mappings"]["Keys"]
    made = partitions()
    assert len(made) > 60
    for mode, patterns in keys.items():
        for name, pattern in patterns.items():
            begins = {"Any": "*", "Live": "LIVE", "Sandbox": "SANDBOX"}[mode]
            assert pattern.startswith(f"{begins}#"), name
            # A pattern may have one of the modes of its kind.
            assert name in OTHERS or {pattern, f"*{pattern.removeprefix(begins)}"} & made, f"{pattern} is of no kind in store/keys"
    assert set(OTHERS) <= {name for patterns in keys.values() for name in patterns}
    stand = [pattern for patterns in keys.values() for pattern in patterns.values()]
    assert len(stand) == len(set(stand))
    text = json.dumps(template["Resources"])
    for mode, patterns in keys.items():
        for name, pattern in patterns.items():
            assert json.dumps({"Fn::FindInMap": ["Keys", mode, name]}) in text, f"no policy has {pattern}"
    for statement in statements_with_keys(template["Resources"]):
        for each in statement["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]:
            assert list(each) == ["Fn::FindInMap"], f"{each} stands in a policy"


def statements_with_keys(node: object) -> Iterator[dict]:
    if isinstance(node, dict) and "dynamodb:LeadingKeys" in json.dumps(node.get("Condition", "")):
        yield node
    elif isinstance(node, (dict, list)):
        for each in node.values() if isinstance(node, dict) else node:
            yield from statements_with_keys(each)


def test_every_parameter_says_what_it_may_be():
    for name, parameter in Template(TEMPLATE).parameters().items():
        limits = {"AllowedValues", "MinValue"} if parameter["Type"] == "Number" else {"AllowedValues", "AllowedPattern"}
        assert limits & set(parameter), name


def test_sam_caches_no_build():
    """SAM's cache hashes the whole checkout for each function, and every build changes the checkout."""
    settings = tomllib.loads((TEMPLATE.parent / "samconfig.toml").read_text())
    assert settings["default"]["build"]["parameters"]["cached"] is False


SHARES = Template(TEMPLATE).mapping("Concurrency")
PARAMETERS = Template(TEMPLATE).parameters()
NO_VALUE = {"Ref": "AWS::NoValue"}


def test_the_shares_of_the_accounts_concurrency_leave_a_tenth_to_the_other_functions():
    assert set(SHARES) == set(PARAMETERS["AccountConcurrency"]["AllowedValues"]) - {"none"}
    for account, shares in SHARES.items():
        assert sum(shares.values()) <= int(account) * 9 // 10, account
        for function, share in shares.items():
            reserved = RESOURCES[f"{function}Function"]["Properties"]["ReservedConcurrentExecutions"]
            assert reserved == {
                "Fn::If": ["HasConcurrency", {"Fn::FindInMap": ["Concurrency", {"Ref": "AccountConcurrency"}, function]}, NO_VALUE]
            }, share


def test_a_queue_never_starts_more_executions_than_its_function_has():
    for shares in SHARES.values():
        assert shares["Report"] >= PARAMETERS["LiveStageConcurrency"]["Default"]


def test_integrators_other_access_points_and_pages_have_throttles_of_their_own():
    own, others = Template(TEMPLATE).throttles("HttpApi", {"As4ThrottleRate": "7", "PageThrottleRate": "3"})
    assert own == {"ANY /v1/{proxy+}": (200, 400), "ANY /api/{proxy+}": (200, 400), "POST /as4": (7, 7)}
    assert others == (3, 3)
    routes = {route.key for route in Template(TEMPLATE).routes("HttpApi")}
    assert set(own) <= routes
    assert Template(TEMPLATE).throttles("SmpApi", {})[0] == {}


def test_throttled_reads_and_writes_of_the_table_raise_alarms():
    throttled = {
        alarm["Properties"]["MetricName"]: alarm["Properties"]["Dimensions"]
        for alarm in RESOURCES.values()
        if alarm["Type"] == "AWS::CloudWatch::Alarm" and alarm["Properties"]["Namespace"] == "AWS/DynamoDB"
    }
    of_table = [{"Name": "TableName", "Value": {"Ref": "Table"}}]
    assert throttled == {"ReadThrottleEvents": of_table, "WriteThrottleEvents": of_table}
