"""Fixtures of the tests on a network: infra/local --network must be up, which writes .local/network/run.json."""

from pathlib import Path

import pytest
from bad_days import BadDays
from sides import Authority, Clock, Locator, OpenPeppol, OtherProgram, Outage, Side

from kit import bodies, chromium, npm
from kit import run as running
from kit.client import sent

DEFAULT = running.REPOSITORY / ".local" / "network" / "run.json"


def pytest_sessionstart(session):
    try:
        running.described(DEFAULT)
    except SystemExit as missing:
        raise pytest.UsageError(str(missing)) from None


@pytest.fixture(scope="session")
def network() -> dict:
    return running.described(DEFAULT)


@pytest.fixture(scope="session")
def a(network) -> Side:
    """The access point of Falcon."""
    return Side(network["access_points"]["a"])


@pytest.fixture(scope="session")
def b(network) -> Side:
    """The access point of Oasis."""
    return Side(network["access_points"]["b"])


@pytest.fixture(scope="session")
def other_program(network) -> OtherProgram:
    """The third access point, a separate program that serves Pearl."""
    return OtherProgram(network)


@pytest.fixture(scope="session")
def template(a, b) -> str:
    """The envelope of a valid document for Oasis, from which other messages are built."""
    return a.envelope(sent(a.live.send(bodies.invoice(customer=b.party())))["document_id"])


@pytest.fixture(scope="session")
def authority(network) -> Authority:
    """The tax authority."""
    return Authority(network["authority"])


@pytest.fixture(scope="session")
def openpeppol(network) -> OpenPeppol:
    """The simulated OpenPeppol, which receives statistics."""
    return OpenPeppol(network["openpeppol"])


@pytest.fixture(scope="session")
def locator(network) -> Locator:
    """The SML, from the view of the other program's SMP."""
    return Locator(network["network"]["sml_url"], network["network"]["peer_smp"])


@pytest.fixture(scope="session")
def clock(network) -> Clock:
    """The clock of both access points, which only moves ahead: tests that need the real time run before."""
    if network["clock"] is None:
        pytest.skip("!!! the functions' clock cannot be moved: install faketime, and start with --movable-clock !!!")
    return Clock(Path(network["clock"]))


@pytest.fixture(scope="session")
def participants(network) -> dict[str, str]:
    """The defective participants."""
    return network["network"]["participants"]


@pytest.fixture(scope="module")
def browser():
    with chromium.started() as browser:
        yield browser


@pytest.fixture(scope="session")
def axe(a):
    # Beside both access points, in the place of the end-to-end tests.
    return npm.axe(a.run.logs.parents[1] / "npm")


@pytest.fixture(scope="session")
def bad_days(a, other_program, network) -> BadDays:
    """Documents that were sent on bad days; the last files check their retries."""
    return BadDays(a, other_program, network)


@pytest.fixture(scope="session")
def outage(a, b) -> Outage:
    """Two documents that were sent on a bad day. Their second attempt follows a minute later, while other tests run."""
    return Outage(a, b)
