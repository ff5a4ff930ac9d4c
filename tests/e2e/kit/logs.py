"""The functions' logs, as the local runner keeps them: a file a function."""

from kit.run import Run


class FunctionLogs:
    """All that the running service has logged."""

    def __init__(self, run: Run):
        self.folder = run.logs

    def text(self) -> str:
        return "\n".join(path.read_text(errors="replace") for path in sorted(self.folder.iterdir()) if path.is_file())

    def has_requests_of(self, function: str) -> bool:
        """Whether the function has logged anything: without that, an empty search shows nothing."""
        return any(path.stat().st_size for path in self.folder.glob(f"{function}*"))
