"""Changes of the file's encoding and form; some make it invalid XML."""

import re

from edits import edit
from pools import CBC

LEAF = r"<cbc:(\w+)([^<>/]*)>([^<]*)</cbc:\1>"

# Functions from text to text, with a position between 0 and 1.
FORMS = {
    "one line": lambda text, at: text.replace("\n", ""),
    "leading comment": lambda text, at: f"<!-- one\n two -->\n<?pi x?>{text}",
    "trailing": lambda text, at: f"{text}\n<!-- end -->\n ",
    "references": lambda text, at: re.sub(r">([^<>&]{1,40})<", refer, text, count=int(1 + 40 * at)),
    "single quotes": lambda text, at: re.sub(r"=\"([^\"'<]*)\"", r"='\1'", text),
    "line end in an attribute": lambda text, at: re.sub(r'(schemeID|currencyID|unitCode|listID)="', '\\1="\n', text, count=1),
    "spaces in tags": lambda text, at: re.sub(r"</([\w:]+)>", r"</\1\n >", text, count=int(1 + 40 * at)),
    "long empty elements": lambda text, at: re.sub(r"<([\w:]+)/>", r"<\1></\1>", text),
    "own prefix": lambda text, at: at_one(LEAF, rf'<BinaryObject:\1 xmlns:BinaryObject="{CBC}"\2>\3</BinaryObject:\1>', text, at),
    "no prefix": lambda text, at: at_one(LEAF, rf'<\1 xmlns="{CBC}"\2>\3</\1>', text, at),
    "other prefix": lambda text, at: re.sub(r"(</?|xmlns:)cbc([:=])", r"\1b\2", text),
    "telling prefix": lambda text, at: re.sub(r"(</?|xmlns:)cac([:=])", r"\1BinaryObject\2", text),
    "foreign prefix": lambda text, at: re.sub(r"(</?|xmlns:)cbc([:=])", "\\1\u062a-x.1\\2", text),
}
LINE_ENDS = {"crlf": "\r\n", "cr": "\r"}
ENCODINGS = {"utf-16": "utf-16", "utf-16-le": "utf-16-le", "utf-16-be": "utf-16-be", "utf-8-sig": "utf-8-sig"}
MARKS = {"utf-16-le": "\ufeff", "utf-16-be": "\ufeff"}  # Python writes the marks of the other encodings itself

# Functions from bytes to bytes, with the position.
BREAKAGES = {
    "cut": lambda data, at: data[:at],
    "byte": lambda data, at: data[:at] + b"\xff\xfe\xfd" + data[at:],
    "end tag": lambda data, at: re.sub(rb"</", b"</x", data, count=1),
    "control": lambda data, at: re.sub(rb">", b">\x01", data[10:], count=1),
    "entity": lambda data, at: re.sub(rb"</", b"&nbsp;</", data, count=1),
    "double attribute": lambda data, at: re.sub(rb"<([\w:]+) ", rb'<\1 a="1" a="2" ', data, count=1),
    "prefix": lambda data, at: re.sub(rb"<cbc:ID", b"<none:ID", re.sub(rb"</cbc:ID", b"</none:ID", data)),
    "two roots": lambda data, at: data + b"<x/>",
    "empty": lambda data, at: b"",
    "ampersand": lambda data, at: re.sub(rb"</", b"& </", data, count=1),
    "tag": lambda data, at: data[:at] + b"<" + data[at:],
    "lost byte": lambda data, at: data[:at] + data[at + 1 :],
    "quote": lambda data, at: data[:at] + b'"' + data[at:],
}


def refer(text):
    """The text as character references."""
    return f">{''.join(f'&#{ord(c)};' if n % 2 else f'&#x{ord(c):X};' for n, c in enumerate(text[1]))}<"


def at_one(pattern, replacement, text, at):
    """Replaces one of the places that match."""
    found = list(re.finditer(pattern, text))
    if not found:
        return text
    chosen = found[int(at * len(found))]
    return text[: chosen.start()] + chosen.expand(replacement) + text[chosen.end() :]


def write(text, forms, breakage, at):
    """Writes a document in this form."""
    for form in forms:
        text = FORMS[form](text, at) if form in FORMS else text
    encoding = next((ENCODINGS[form] for form in reversed(forms) if form in ENCODINGS), "utf-8")
    if "no declaration" not in forms:
        text = f'<?xml version="1.0" encoding="{"UTF-16" if encoding.startswith("utf-16") else "UTF-8"}"?>\n{text}'
    for form in forms:
        text = text.replace("\n", LINE_ENDS.get(form, "\n"))
    data = (MARKS.get(encoding, "") + text).encode(encoding)
    return BREAKAGES[breakage](data, int(at * len(data))) if breakage else data


@edit(4)
def written(document, random, pools):
    change = random.choice((*FORMS, *LINE_ENDS, *ENCODINGS, "no declaration"))
    document.forms.append(change)
    document.chance = random.random()
    return f"written with {change}"


@edit(1)
def broken(document, random, pools):
    """Mostly invalid XML."""
    if random.random() < 0.5:
        return None
    document.breakage = random.choice(list(BREAKAGES))
    document.chance = random.random()
    return f"broken: {document.breakage}"
