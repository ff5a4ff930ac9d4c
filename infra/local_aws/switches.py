"""The parameters that the local runner sets differently from a deployment, and the tests that use the values of a deployment."""

import re
from dataclasses import dataclass

from local_aws.options import LOCAL_PARAMETERS, ROOT

PRODUCTION = "shared/src/service/tests/production.rs"
REGISTERING = "shared/src/service/tests/registering.rs"
ADDRESSES = "shared/src/config/addresses.rs"
NETWORK = "shared/src/config/network.rs"
REQUESTS = "shared/src/config/requests.rs"
DEPLOYMENT = "tests/local_aws/test_deployment.py"
TEMPLATE = "tests/local_aws/test_template.py"
AN_ADDRESS = "an address on loopback"


@dataclass(frozen=True)
class Switch:
    """The value of a run in words, and the tests with the deployed value, by file and name."""

    here: str
    tests: tuple[tuple[str, str], ...]


REGISTERS = ((NETWORK, "the_registers_of_a_published_network_are_known_and_the_rest_is_configured"),)
REGISTERED = ((REGISTERING, "a_taxpayer_is_registered_with_the_settings_of_production"),)
CREATED = ((DEPLOYMENT, "test_what_can_work_is_created"),)
MAIL = (
    (TEMPLATE, "test_mail_is_sent_as_the_identity_and_from_the_address_alone"),
    ("shared/src/pages/tests/sign_in.rs", "somebody_signs_in_by_the_link_in_a_mail_and_out_again"),
)
WORKERS = ((TEMPLATE, "test_the_queues_have_the_concurrency_of_the_parameters"),)
THROTTLE = (
    ("tests/local_aws/test_http_api.py", "test_more_requests_than_are_admitted_are_429"),
    ("tests/local_aws/test_http_api.py", "test_a_flood_of_one_class_of_requests_leaves_the_others_alone"),
)


def on_one_machine(name: str, *tests: tuple[str, str]) -> Switch:
    """A parameter that every run sets."""
    return Switch(f"`{LOCAL_PARAMETERS[name]}`", tests)


SWITCHES = {
    "Egress": on_one_machine(
        "Egress",
        (PRODUCTION, "a_document_is_sent_with_the_settings_of_production"),
        (PRODUCTION, "a_queued_document_is_sent_with_the_settings_of_production"),
        (PRODUCTION, "a_document_of_others_is_received_with_the_settings_of_production"),
        (PRODUCTION, "a_webhook_is_delivered_with_the_settings_of_production"),
        ("shared/src/egress/tests/ssrf/mod.rs", "no_name_leads_to_an_address_that_is_not_public"),
    ),
    "PortalUrl": Switch(
        AN_ADDRESS,
        (
            (ADDRESSES, "the_portal_is_an_origin_over_tls_or_on_this_machine"),
            ("shared/src/pages/tests/edge.rs", "a_browser_is_known_by_one_cookie_that_stays"),
        ),
    ),
    "BaseUrl": Switch(AN_ADDRESS, CREATED),
    "MailFrom": on_one_machine("MailFrom", *MAIL),
    "MailIdentity": on_one_machine("MailIdentity", *MAIL),
    "BillingUrl": Switch(AN_ADDRESS, ((PRODUCTION, "subscriptions_are_compared_with_the_settings_of_production"),)),
    "SandboxDailySends": on_one_machine(
        "SandboxDailySends",
        ("shared/src/service/tests/quotas.rs", "a_send_beyond_the_quota_is_refused_until_the_next_day_and_leaves_its_key_free"),
    ),
    "NationalPortalUrl": Switch(
        f"{AN_ADDRESS}, with `--network`", ((PRODUCTION, "a_business_is_looked_up_with_the_settings_of_production"),)
    ),
    "Network": Switch(
        "`local`, with `--network`",
        (
            ("shared/src/peppol/smp/tests/foreign.rs", "an_answer_of_a_production_smp_is_proven_and_read"),
            (PRODUCTION, "a_revoked_certificate_is_refused_with_the_settings_of_production"),
            (PRODUCTION, "without_the_lists_of_the_authorities_nothing_is_sent_with_the_settings_of_production"),
        ),
    ),
    "SmlZone": Switch("a zone of its own, with `--network`", REGISTERS),
    "DnsServer": Switch("a name server of its own, with `--network`", CREATED),
    "SmlUrl": Switch(f"{AN_ADDRESS}, with `--network`", REGISTERS + REGISTERED),
    "DirectoryUrl": Switch(f"{AN_ADDRESS}, with `--network`", REGISTERS + REGISTERED),
    "SmpUrl": Switch(AN_ADDRESS, REGISTERED),
    "SmpId": Switch("an id of its own, with `--network`", REGISTERED),
    "As4Url": Switch(AN_ADDRESS, CREATED),
    "TaxAuthority": Switch("one of its own, with `--network`", CREATED),
    "StatisticsReceiver": Switch("one of its own, with `--network`", CREATED),
    "LiveStageConcurrency": on_one_machine("LiveStageConcurrency", *WORKERS),
    "SandboxStageConcurrency": on_one_machine("SandboxStageConcurrency", *WORKERS),
    "LiveDeliveryConcurrency": on_one_machine("LiveDeliveryConcurrency", *WORKERS),
    "SandboxDeliveryConcurrency": on_one_machine("SandboxDeliveryConcurrency", *WORKERS),
    "ReservationLeaseSeconds": Switch("`31`, in tests", ((REQUESTS, "a_lease_that_ends_before_the_function_does_is_refused"),)),
    "As4ThrottleRate": Switch("`10000`, in tests", THROTTLE),
    "PageThrottleRate": Switch("`10000`, in tests", THROTTLE),
    "ThrottleRate": Switch("`10000`, in tests", THROTTLE),
    "ThrottleBurst": Switch("`10000`, in tests", THROTTLE),
    "RequestsPerMinute": Switch(
        "`60000`, in tests",
        (("shared/src/api/tests/limits.rs", "an_organization_has_so_many_requests_a_minute_by_keys_and_tokens_together"),),
    ),
    "QueuedDelivery": Switch(
        "`disabled`, in tests",
        ((PRODUCTION, "a_queued_document_is_sent_with_the_settings_of_production"),),
    ),
}


def set_otherwise(template: dict, given: dict[str, str]) -> set[str]:
    """The parameters whose value in a run differs from the template's default."""
    return {name for name, value in given.items() if str(template["Parameters"][name].get("Default", "")) != value}


def table(template: dict) -> str:
    """A row for each switch. Raises `LookupError` for a test that does not exist and for a parameter without a test."""
    lines = ["| parameter | default | here | tests of what is deployed |", "|---|---|---|---|"]
    for name, switch in SWITCHES.items():
        default = template["Parameters"][name].get("Default", "")
        said = f"`{default}`" if default != "" else "none"
        if not switch.tests:
            raise LookupError(f"{name} has no test")
        tests = " · ".join(linked(file, test) for file, test in switch.tests)
        lines.append(f"| `{name}` | {said} | {switch.here} | {tests} |")
    return "\n".join(lines) + "\n"


def linked(file: str, test: str) -> str:
    """The name of a test in words, with a link to its file."""
    if not re.search(rf"\b(fn|def) {test}\(", (ROOT / file).read_text()):
        raise LookupError(f"{file} has no test {test}")
    return f"[{test.removeprefix('test_').replace('_', ' ')}](../{file})"
