"""Measures the sentences of the README files and the guides, and prints the longest. Fails above LONGEST words, or above
MEAN words on average. Commands, tables and headings are no sentences."""

import re
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
LONGEST = 40
MEAN = 25
SHOWN = 5

# The dot of an abbreviation ends no sentence.
ABBREVIATIONS = ("e.g.", "i.e.", "etc.", "No.", "vs.")


def sentences(markdown: str) -> list[str]:
    """The sentences of paragraphs and list entries."""
    text = re.sub(r"^(```|~~~).*?^\1\s*$", "\n", markdown, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"<!--.*?-->", "\n", text, flags=re.DOTALL)
    text = re.sub(r"^\s*(#.*|\|.*)$", "\n", text, flags=re.MULTILINE)
    text = re.sub(r"^\s*([-*]|\d+\.)\s+", "\n\n", text, flags=re.MULTILINE)
    text = re.sub(r"`[^`]*`", "code", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    for abbreviation in ABBREVIATIONS:
        text = text.replace(abbreviation, abbreviation.replace(".", ""))
    found = []
    for block in re.split(r"\n\s*\n", text):
        found += [sentence for sentence in re.split(r"(?<=[.!?:])\s+", " ".join(block.split())) if sentence]
    return found


def words(sentence: str) -> int:
    return len([word for word in sentence.split() if re.search(r"\w", word)])


def files() -> list[Path]:
    """The documents that people read, as the repository holds them."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    listed = subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True, text=True)
    return [REPOSITORY / name for name in sorted(listed.stdout.split())]


def main() -> int:
    measured = [(words(sentence), file, sentence) for file in files() for sentence in sentences(file.read_text())]
    measured.sort(key=lambda one: one[0], reverse=True)
    mean = sum(count for count, _, _ in measured) / len(measured)
    print(f"{len(measured)} sentences, {mean:.1f} words on average; the longest:")
    for count, file, sentence in measured[:SHOWN]:
        print(f"  {count} words, {file.relative_to(REPOSITORY)}: {sentence[:160]}")
    too_long = [one for one in measured if one[0] > LONGEST]
    for count, file, sentence in too_long:
        print(f"{file.relative_to(REPOSITORY)}: {count} words, at most {LONGEST} are allowed: {sentence}", file=sys.stderr)
    if mean > MEAN:
        print(f"{mean:.1f} words on average, at most {MEAN} are allowed", file=sys.stderr)
    return 1 if too_long or mean > MEAN else 0


if __name__ == "__main__":
    sys.exit(main())
