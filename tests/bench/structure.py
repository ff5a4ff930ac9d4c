"""The size and the structure of the code, beside the goals."""

import re
import subprocess
from pathlib import Path

from kit import run

LONGEST_FILE = 500
# Tables that a program wrote, and tables of codes.
DATA = ("shared/src/schema/tables/", "shared/src/xml/names/", "shared/src/codes/")


def is_test(path: str) -> bool:
    return bool(re.search(r"/tests?/|/testing/|(^|/|_)tests?\.rs$", path))


def measure() -> list[str]:
    """Prints the figures and returns the names of those that miss their goal."""
    listed = subprocess.run(["git", "ls-files", "shared/src/*.rs"], cwd=run.REPOSITORY, capture_output=True, text=True, check=True)
    files = {path: lines(run.REPOSITORY / path) for path in listed.stdout.split()}
    inside = {path: tests_inside(run.REPOSITORY / path) for path in files if not is_test(path)}
    tests = sum(count for path, count in files.items() if is_test(path)) + sum(inside.values())
    long = [path for path in inside if files[path] > LONGEST_FILE and not path.startswith(DATA)]
    rows = [
        ("production lines in shared/src", sum(files.values()) - tests, 99_000),
        ("test lines in shared/src", tests, 52_000),
        (f"files above {LONGEST_FILE} lines, without data and tests", len(long), 0),
        ("lines of template.yaml", lines(run.REPOSITORY / "template.yaml"), 1_700),
        ("lines of README.md", lines(run.REPOSITORY / "README.md"), 180),
    ]
    print("\nThe code:\n\n| what | now | at most |\n|---|---|---|")
    for name, now, most in rows:
        print(f"| {name} | {now:,} | {most:,} |")
    return [name for name, now, most in rows if now > most]


def lines(path: Path) -> int:
    return path.read_text().count("\n")


def tests_inside(path: Path) -> int:
    """The lines of the tests at the end of a file."""
    _, begin, inside = path.read_text().partition("#[cfg(test)]\nmod tests {")
    return (begin + inside).count("\n")
