"""Runs the commands of the documents that need a network, unchanged."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from kit.documents import Terminal, block
from kit.run import REPOSITORY
from kit.waiting import wait_for
from local_aws.network.reporting import entries

DOCUMENT = "infra/README.md"


@pytest.fixture
def terminal(a, tmp_path) -> Terminal:
    return Terminal(a.run, Path(os.environ.get("ACCESS_POINT_RUN", REPOSITORY / ".local" / "network" / "run.json")), tmp_path)


def test_the_tax_portal_is_closed_and_opened_again(terminal):
    assert '"up"' in terminal.type(block(DOCUMENT, "PORTAL=")).splitlines()[-1]


def test_the_authority_shows_its_ledger_and_takes_other_rules(authority, terminal):
    before = authority.rules()
    instance = next(iter(entries(authority.ledger())))
    said = terminal.type(block(DOCUMENT, "AUTHORITY=").replace("INSTANCE", instance))
    assert "StandardBusinessDocument" in said
    assert authority.rules() == before


def test_openpeppol_shows_the_reports_that_it_has(a, openpeppol, terminal):
    report, *_ = openpeppol.reports(f"{datetime.now(UTC):%Y-%m}", a)
    said = terminal.type(block(DOCUMENT, "OPENPEPPOL=").replace("INSTANCE", report["instance_id"]))
    assert "StandardBusinessDocument" in said


def test_the_operator_creates_suspends_and_resumes_a_live_taxpayer(a, terminal):
    environment = a.run.described["environment"]
    script = block("infra/OPERATE.md", "cat > falcon.json").replace("--details falcon.json", "--details falcon.json --json")
    planned, created = map(json.loads, terminal.type(script, **environment).replace("}\n{", "}\0{").split("\0"))
    assert planned["dry_run"] is True
    assert created["participant_id"] == planned["participant_id"] == "0235:1001234509"
    taxpayer = created["taxpayer_id"]

    def status(*command: str) -> str:
        return json.loads(a.operate("taxpayer", *command, taxpayer, "--json"))["status"]

    wait_for("the registration in the network", lambda: status("show") == "active")
    status("suspend", "--dry-run")
    assert status("show") == "active"
    status("suspend")
    assert status("show") == "suspended"
    status("resume")
    assert status("show") == "active"
