"""Runs the commands of infra/README.md for a network unchanged."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from kit.documents import Terminal, block
from kit.run import REPOSITORY
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
