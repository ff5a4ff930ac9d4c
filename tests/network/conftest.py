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
    """The third access point, which is another program and serves Pearl."""
    return OtherProgram(network)


@pytest.fixture(scope="session")
def template(a, b) -> str:
    """The envelope of a good document for Oasis, of which others are made by hand."""
    return a.envelope(sent(a.live.send(bodies.invoice(customer=b.party())))["document_id"])


@pytest.fixture(scope="session")
def authority(network) -> Authority:
    """The tax authority."""
    return Authority(network["authority"])


@pytest.fixture(scope="session")
def openpeppol(network) -> OpenPeppol:
    """OpenPeppol, as far as it takes statistics."""
    return OpenPeppol(network["openpeppol"])


@pytest.fixture(scope="session")
def locator(network) -> Locator:
    """The SML, as the SMP of the other program speaks to it."""
    return Locator(network["network"]["sml_url"], network["network"]["peer_smp"])


@pytest.fixture(scope="session")
def clock(network) -> Clock:
    """The clock of both access points, which goes ahead only: what needs the time as it is comes before."""
    if network["clock"] is None:
        pytest.skip("!!! the functions' clock cannot be moved: install faketime, and start with --movable-clock !!!")
    return Clock(Path(network["clock"]))


@pytest.fixture(scope="session")
def participants(network) -> dict[str, str]:
    """Those with whom something is the matter."""
    return network["network"]["participants"]


@pytest.fixture(scope="module")
def browser():
    with chromium.started() as browser:
        yield browser


@pytest.fixture(scope="session")
def axe(a):
    # Beside both access points, where the end-to-end tests have it, too.
    return npm.axe(a.run.logs.parents[1] / "npm")


@pytest.fixture(scope="session")
def bad_days(a, other_program, network) -> BadDays:
    """Documents that met a bad day of somebody; what is tried again is so in the last files."""
    return BadDays(a, other_program, network)


@pytest.fixture(scope="session")
def outage(a, b) -> Outage:
    """Two documents that met a bad day, whose second attempt comes a minute later: other tests run meanwhile."""
    return Outage(a, b)
