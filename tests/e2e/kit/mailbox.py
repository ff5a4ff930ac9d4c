"""The mails that the runner kept."""

from . import issued
from .waiting import wait_for


def newest_link(run, address: str) -> str:
    """The path of the link in the newest mail to an address of Sandbox."""
    mails = run.logs.parent / "mails.jsonl"

    def found() -> str | None:
        lines = mails.read_text().splitlines() if mails.exists() else []
        for line in reversed(lines):
            if address in line and "/sandbox/sign-in/confirm?token=" in line:
                token = line.split("/sandbox/sign-in/confirm?token=")[1][:43]
                return "/sandbox/sign-in/confirm?token=" + issued.noted(token)
        return None

    return wait_for("the mail with the link", found)
