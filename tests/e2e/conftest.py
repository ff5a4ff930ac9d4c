"""Fixtures of the end-to-end tests. The service must be up: infra/local writes .local/run.json."""

import pytest

from kit import chromium, client, npm
from kit import run as running
from kit.items import Items
from kit.logs import FunctionLogs
from kit.receiver import ReceiverLog
from kit.tenants import Tenants


def pytest_collection_modifyitems(config, items):
    """Deselects tests that the deployment under test does not support."""
    try:
        service = running.load()
    except SystemExit as missing:
        raise pytest.UsageError(str(missing)) from None
    disabled = service.parameter("QueuedDelivery", "enabled") == "disabled"
    for item in items:
        marked = item.get_closest_marker("queued_delivery_disabled") is not None
        if marked != disabled:
            needed = "disabled" if marked else "enabled"
            item.add_marker(pytest.mark.skip(reason=f"needs a deployment with QueuedDelivery={needed}"))


@pytest.fixture(scope="session")
def run():
    return running.load()


@pytest.fixture(scope="session")
def falcon(run):
    """The demo organization acting for the demo taxpayer Falcon."""
    return client.Client(run.api_url, run.sandbox_key, run.taxpayer("Falcon").taxpayer_id)


@pytest.fixture(scope="session")
def oasis(falcon, run):
    return falcon.but(taxpayer_id=run.taxpayer("Oasis").taxpayer_id)


@pytest.fixture(scope="session")
def pearl(falcon, run):
    """The demo organization acting for a taxpayer without a grant."""
    return falcon.but(taxpayer_id=run.taxpayer("Pearl").taxpayer_id)


@pytest.fixture(scope="session")
def items(run):
    return Items(run)


@pytest.fixture(scope="session")
def tenants(run, items, falcon):
    return Tenants(run, items, falcon)


@pytest.fixture(scope="session")
def webhooks(run):
    """The deliveries at the runner's receiver for the demo organization's endpoint."""
    return ReceiverLog(run.receiver_log, run.endpoint_secret)


@pytest.fixture(scope="session")
def function_logs(run):
    return FunctionLogs(run)


@pytest.fixture(scope="module")
def browser():
    with chromium.started() as browser:
        yield browser


@pytest.fixture(scope="session")
def axe(run):
    return npm.axe(run.logs.parent / "npm")
