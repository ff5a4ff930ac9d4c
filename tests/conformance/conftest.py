"""Where the conformance tests find the product, the reference and their own files.

Environment:
  ACCESS_POINT_REFERENCE  folder with the official artefacts, their judge and the table of terms
                          (`artefacts/`, `conformance/oracle.py`, `reference/pint-ae.md`); without
                          it everything here is skipped, and says so at the end
  ACCESS_POINT_BIN        the command line, default target/debug/access-point
  ACCESS_POINT_GENERATE   the document generator, default target/debug/generate
  CONFORMANCE_COUNT       how many documents to generate, default 2000
  CONFORMANCE_SEED        seed of the generator, default 1
  CONFORMANCE_REPORTS     all: every kind of report of each generated document, not one by turns
"""
import os
import pathlib

import pytest

import product

UNSET = "ACCESS_POINT_REFERENCE is not set: the official artefacts are not part of this repository"
LINES = pytest.StashKey[list]()


@pytest.fixture(scope="session")
def reference():
    """The folder with the official artefacts."""
    folder = os.environ.get("ACCESS_POINT_REFERENCE")
    if not folder:
        pytest.skip(UNSET)
    folder = pathlib.Path(folder).resolve()
    assert (folder / "conformance" / "oracle.py").is_file(), f"no conformance/oracle.py in {folder}"
    return folder


@pytest.fixture(scope="session")
def officials(reference):
    """The official examples by the name of our body, such as `invoices/margin-scheme`."""
    found = {product.body_name(path): path for path in (reference / "artefacts" / "pint-ae").glob("*/examples/*/*.xml")}
    assert len(found) == 32
    return found


@pytest.fixture(scope="session")
def figures(request):
    """Collects lines for the summary at the end."""
    return request.config.stash.setdefault(LINES, []).append


def pytest_terminal_summary(terminalreporter, config):
    lines = config.stash.get(LINES, [])
    if not os.environ.get("ACCESS_POINT_REFERENCE"):
        terminalreporter.section("CONFORMANCE SKIPPED", sep="!", bold=True, yellow=True)
        terminalreporter.write_line(UNSET)
    elif lines:
        terminalreporter.section("conformance figures", sep="=")
        for line in lines:
            terminalreporter.write_line(line)
