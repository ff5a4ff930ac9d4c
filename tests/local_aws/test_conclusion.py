"""What the runner says when the service is up, and whether it opens the portal."""

import sys
from types import SimpleNamespace

import pytest

from local_aws import __main__ as runner
from local_aws.options import parse

SITE = "http://127.0.0.1:8400"
DEPLOYED = SimpleNamespace(api_url=SITE, smp_url="http://127.0.0.1:8401")
DEMO = {
    "owner": "owner@demo.example",
    "api_keys": {"sandbox": "pk_test_demo", "live": "pk_live_demo"},
    "webhook_endpoint": {"url": "http://127.0.0.1:8402/hook"},
    "taxpayers": [
        {
            "taxpayer_id": "txpay_falcon",
            "grant_id": "tgr_falcon",
            "name": "Falcon Trading LLC",
            "participant_id": "0235:1001234501",
            "email": "accounts@falcon.example",
        },
        {
            "taxpayer_id": "txpay_pearl",
            "grant_id": None,
            "name": "Pearl LLC",
            "participant_id": "0235:1001234503",
            "email": "accounts@pearl.example",
        },
    ],
}


@pytest.fixture
def opened(monkeypatch) -> list[str]:
    """The addresses that were opened in a browser."""
    addresses = []
    monkeypatch.setattr(runner.subprocess, "Popen", lambda command, **_: addresses.append(command[-1]))
    return addresses


@pytest.fixture
def concluded(capsys, monkeypatch, tmp_path):
    def conclude(*arguments: str, terminal: bool = True, troubles: tuple[str, ...] = ()) -> dict[str, str]:
        """The lines that the runner prints, by their first word or words."""
        monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
        options = parse(["--state", str(tmp_path), *arguments])
        runner.conclude(options, DEPLOYED, DEMO, list(troubles))
        lines = [line for line in capsys.readouterr().out.splitlines() if line]
        return {line.partition("  ")[0]: line.partition("  ")[2].strip() for line in lines}

    return conclude


@pytest.mark.usefixtures("opened")
def test_it_says_where_the_portal_and_the_documentation_are_and_who_signs_in(concluded):
    said = concluded()
    assert said["Portal"].split()[0] == f"{SITE}/sandbox"
    assert DEMO["owner"] in said["Portal"]
    assert said["Documentation"] == f"{SITE}/docs"
    assert said["API"] == f"{SITE}/v1/invoices"
    assert said["Account"].split()[0] == f"{SITE}/sandbox/account"
    assert said["Sandbox key"] == "pk_test_demo"
    # Of lines with the same word, `concluded` keeps the last one.
    assert said["Taxpayer"].split() == ["txpay_pearl", "Pearl", "LLC", "0235:1001234503", "no", "grant", "accounts@pearl.example"]
    assert "Everything was as expected." in said


@pytest.mark.usefixtures("opened")
def test_troubles_are_said_first(concluded, tmp_path):
    said = concluded(troubles=("invoices/minimal.json: 500, not 201",))
    assert next(iter(said)) == "1 thing(s) not as expected:"
    assert "Everything was as expected." not in said and f"Logs: {tmp_path / 'logs'}" in said


@pytest.mark.parametrize(
    ("arguments", "terminal", "expected"),
    [
        ((), True, [f"{SITE}/sandbox"]),
        (("--no-samples",), True, [f"{SITE}/sandbox"]),
        (("--no-open",), True, []),
        ((), False, []),
        # A run that ends at once has no portal.
        (("--once",), True, []),
    ],
)
def test_the_portal_opens_on_a_terminal_unless_it_is_told_not_to(concluded, opened, arguments, terminal, expected):
    said = concluded(*arguments, terminal=terminal)
    assert opened == expected
    assert ("Portal" in said) == ("--once" not in arguments)
