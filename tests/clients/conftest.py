"""Fixtures of the tests of generated clients. The service must be up: infra/local writes .local/run.json."""

import pytest
from later import Later

from kit import client
from kit import run as running


@pytest.fixture(scope="session")
def run():
    return running.load()


@pytest.fixture(scope="session")
def falcon(run):
    return client.Client(run.api_url, run.sandbox_key, run.taxpayer("Falcon").taxpayer_id)


@pytest.fixture(params=["now", "later"])
def api_url(request, run):
    """The current service, and the service with additional fields."""
    if request.param == "now":
        yield run.api_url
    else:
        with Later(run.api_url) as later:
            yield later.url
