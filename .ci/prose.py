"""Measures the sentences of the README files and of /docs, and prints the longest. Fails if a sentence has more than LONGEST words, or
if the average is above MEAN. Commands, headings and tables of Markdown are not measured."""

import html
import json
import re
import subprocess
import sys
from collections.abc import Iterator
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


def unmarked(page: str) -> str:
    """The text of an HTML template; each block element becomes a paragraph."""
    text = re.sub(r"{%.*?%}", " ", page, flags=re.DOTALL)
    text = re.sub(r"<code>.*?</code>|{{.*?}}", "code", text, flags=re.DOTALL)
    text = re.sub(r"</?(p|li|ul|ol|h\d|d[dlt]|t[dhr]|div|option|label|button|section|table|caption|summary)\b[^>]*>", "\n\n", text)
    return html.unescape(re.sub(r"<[^>]*>", "", text))


def descriptions(node: object) -> Iterator[str]:
    """All descriptions and summaries of an OpenAPI document."""
    if isinstance(node, dict):
        for name, value in node.items():
            if name in ("description", "summary") and isinstance(value, str):
                yield value
            else:
                yield from descriptions(value)
    elif isinstance(node, list):
        for value in node:
            yield from descriptions(value)


def words(sentence: str) -> int:
    return len([word for word in sentence.split() if re.search(r"\w", word)])


def listed(*patterns: str) -> list[str]:
    """Paths of the repository's files that match."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns]
    found = subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True, text=True)
    return sorted(name for name in found.stdout.split() if (REPOSITORY / name).exists())


def texts() -> Iterator[tuple[str, str]]:
    """File names and Markdown texts."""
    for name in listed("*.md"):
        yield name, (REPOSITORY / name).read_text()
    for name in listed("shared/templates/docs/*.html"):
        yield name, unmarked((REPOSITORY / name).read_text())
    document = "shared/openapi.json"
    for text in set(descriptions(json.loads((REPOSITORY / document).read_text()))):
        yield document, text


def main() -> int:
    measured = [(words(sentence), name, sentence) for name, text in texts() for sentence in sentences(text)]
    measured.sort(key=lambda one: one[0], reverse=True)
    mean = sum(count for count, _, _ in measured) / len(measured)
    print(f"{len(measured)} sentences, {mean:.1f} words on average; the longest:")
    for count, name, sentence in measured[:SHOWN]:
        print(f"  {count} words, {name}: {sentence[:160]}")
    too_long = [one for one in measured if one[0] > LONGEST]
    for count, name, sentence in too_long:
        print(f"{name}: {count} words, at most {LONGEST} are allowed: {sentence}", file=sys.stderr)
    if mean > MEAN:
        print(f"{mean:.1f} words on average, at most {MEAN} are allowed", file=sys.stderr)
    return 1 if too_long or mean > MEAN else 0


if __name__ == "__main__":
    sys.exit(main())
