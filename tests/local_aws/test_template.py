"""The template as the runner reads it."""

from local_aws.options import TEMPLATE, parse
from local_aws.template import Template


def test_each_http_api_has_its_own_routes():
    template = Template(TEMPLATE)
    assert [route.key for route in template.routes("SmpApi")] == ["ANY /{proxy+}"]
    assert {route.function for route in template.routes("HttpApi")} == {"ApiFunction", "InboundFunction", "OAuthFunction"}
    [route] = template.routes("SmpApi")
    path = "/iso6523-actorid-upis%3A%3A0235%3A1/services/a%3A%3Ab%23%23c"
    assert route.match("GET", path) == {"proxy": path[1:]}


def test_the_smp_has_a_port_of_its_own():
    assert parse([]).smp_port == 0
    assert parse(["--smp-port", "8401"]).smp_port == 8401
