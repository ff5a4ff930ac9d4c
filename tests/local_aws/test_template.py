"""The template as the runner reads it."""

from local_aws.options import TEMPLATE, parse
from local_aws.template import Template


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
        assert function("GET", f"{mode}/documents/doc_1/ubl") == "OAuthFunction"
    assert function("GET", "/docs") == function("GET", "/docs/reference/send_invoice") == "DocsFunction"
    assert function("POST", "/as4") == "InboundFunction"


def test_each_function_has_its_environment_before_anything_is_deployed():
    environments = Template(TEMPLATE).environments({"PortalUrl": "https://portal.example"}, lambda name: f"the {name}")
    assert set(environments) == {path.name for path in (TEMPLATE.parent / "functions").iterdir()}
    assert environments["docs"]["TABLE_NAME"] == "the Table"
    assert environments["portal"]["PORTAL_URL"] == "https://portal.example"
    assert environments["mail"]["MAIL_FROM"] == ""
    assert environments["archives"]["FUNCTION_TIMEOUT_SECONDS"] == "29"


def test_the_smp_has_a_port_of_its_own():
    assert parse([]).smp_port == 0
    assert parse(["--smp-port", "8401"]).smp_port == 8401
