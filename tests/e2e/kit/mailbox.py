"""The mails that the runner stored."""

from . import issued
from .waiting import wait_for

GIVEN: set[str] = set()


def newest_link(run, address: str, mode: str = "/sandbox", page: str = "/sign-in/confirm") -> str:
    """The path of the link in the newest mail to an address that requested no link before."""
    path = f"{mode}{page}?token="
    mails = run.logs.parent / "mails.jsonl"

    def found() -> str | None:
        lines = mails.read_text().splitlines() if mails.exists() else []
        for line in reversed(lines):
            if address in line and path in line:
                token = issued.noted(line.split(path)[1][:43])
                return None if token in GIVEN else token
        return None

    token = wait_for("the mail with the link", found)
    GIVEN.add(token)
    return path + token
