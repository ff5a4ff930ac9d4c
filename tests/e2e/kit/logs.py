"""The functions' logs."""

from kit.items import aws
from kit.run import Run


class FunctionLogs:
    """All that the functions have logged, through CloudWatch Logs and the runner's own files."""

    def __init__(self, run: Run):
        self.run = run
        self.client = aws(run, "logs")

    def text(self) -> str:
        return "\n".join(self._files() + self._groups())

    def has_requests_of(self, function: str) -> bool:
        return bool(self.text())

    def _files(self) -> list[str]:
        return [path.read_text(errors="replace") for path in self.run.state.glob("**/*.log") if path.is_file()]

    def _groups(self) -> list[str]:
        found = []
        for group in self.client.describe_log_groups()["logGroups"]:
            pages = self.client.get_paginator("filter_log_events").paginate(logGroupName=group["logGroupName"])
            found += [event["message"] for page in pages for event in page["events"]]
        return found
