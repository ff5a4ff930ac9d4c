"""A pytest plugin. tests/run lists in its summary the tests that were skipped because something is missing: their reason is between
"!!!". Any other reason means that a test is not for the deployment under test.

Environment: TESTS_SKIPPED, a file; the plugin adds a line for each reason of a test file."""

import os
from collections import Counter
from pathlib import Path

SKIPPED = Counter()


def pytest_runtest_logreport(report):
    if report.skipped:
        # The reason comes behind the place of the skip.
        reason = " ".join(report.longrepr[2].removeprefix("Skipped: ").split())
        if reason.startswith("!!!"):
            SKIPPED[report.nodeid.split("::")[0], reason.strip("! ")] += 1


def pytest_sessionfinish():
    lines = (f"{count} of {file} ({reason})\n" for (file, reason), count in SKIPPED.items())
    with Path(os.environ["TESTS_SKIPPED"]).open("a") as file:
        file.write("".join(lines))
