"""Fixtures of the tests of generated clients. The service must be up: infra/local writes .local/run.json."""

import os
import re
from pathlib import Path

import pytest
from later import Later

from kit import client
from kit import run as running

SKIPPED = {}


@pytest.fixture(scope="session")
def run():
    return running.load()


@pytest.fixture(scope="session")
def falcon(run):
    return client.Client(run.api_url, run.sandbox_key, run.taxpayer("Falcon").taxpayer_id)


@pytest.fixture(params=["now", "later"])
def api_url(request, run):
    """The service as it is, and as it may become."""
    if request.param == "now":
        yield run.api_url
    else:
        with Later(run.api_url) as later:
            yield later.url


def pytest_runtest_logreport(report):
    if report.skipped:
        # A client's name is what its tests are parametrized with; the reason comes behind the place of the skip.
        SKIPPED[re.search(r"\[(\w+)", report.nodeid)[1]] = report.longrepr[2].removeprefix("Skipped: ").strip("! ")


def pytest_sessionfinish():
    """tests/run says in its summary what was left out."""
    if told := os.environ.get("CLIENTS_SKIPPED"):
        Path(told).write_text("".join(f"{name} ({reason})\n" for name, reason in SKIPPED.items()))
