"""A plugin of pytest by which tests/run says in its summary what was left out for want of something: the tests that are skipped
for a reason between "!!!". Any other reason says that a test is not for the deployment under test, and nothing is lost.

Environment: TESTS_SKIPPED, the file to which is added a line for each reason of a file of tests."""

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
