"""Writes tests/bench/FIGURES.md: a section for each part, with the output of its command."""

import datetime
import platform
import re
import subprocess
import sys
from pathlib import Path

FILE = Path(__file__).resolve().parent / "FIGURES.md"


def processor() -> str:
    """The name of the processor, if the machine reports it."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def replaced(text: str, part: str, section: str) -> str:
    """The file's text with this section in place of the part's old one, or at the end."""
    heading = f"## {part}\n"
    found = re.search(rf"^{re.escape(heading)}.*?(?=^## )", text, re.DOTALL | re.MULTILINE)
    begin, end = found.span() if found else (text.index("## Other commands"),) * 2
    return text[:begin] + heading + "\n" + section + "\n" + text[end:]


def write(part: str, arguments: list[str]) -> int:
    """Runs a part as its own process, prints its output, and writes it to the file; returns the part's exit status."""
    command = [sys.executable, str(Path(__file__).resolve().parent / "bench.py"), part, *arguments]
    printed = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            print(line, end="", flush=True)
            printed.append(line)
    day = datetime.datetime.now(datetime.UTC).date()
    said = f"`tests/bench/run {' '.join([part, *arguments])}` on {day}, {processor()}:\n\n```\n{''.join(printed).strip()}\n```\n"
    if process.returncode:
        said += f"\nExit status {process.returncode}: a goal was missed, or the part failed.\n"
    FILE.write_text(replaced(FILE.read_text(), part, said))
    return process.returncode
