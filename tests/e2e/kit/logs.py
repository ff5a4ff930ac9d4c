"""The functions' logs of the local runner: one file for each function."""

from kit.run import Run


class FunctionLogs:
    """All logs of the running service."""

    def __init__(self, run: Run):
        self.folder = run.logs

    def text(self) -> str:
        return "\n".join(path.read_text(errors="replace") for path in sorted(self.folder.iterdir()) if path.is_file())

    def has_requests_of(self, function: str) -> bool:
        """Whether the function has logged anything: otherwise an empty search proves nothing."""
        return any(path.stat().st_size for path in self.folder.glob(f"{function}*"))
