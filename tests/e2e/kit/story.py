"""The pictures of the story that README.md tells. They are written anew where WRITE_STORY is set, with 256 colours, so that they are
small; otherwise nobody looks whether a page still looks like them."""

import os
import struct
import zlib
from collections import Counter
from functools import cache

from .chromium import PICTURES
from .run import REPOSITORY

FOLDER = REPOSITORY / "tests" / "e2e" / "story"
MOST_BYTES = 60_000


def keep(name: str) -> None:
    """Keeps a picture that was left for people, where they are to be written anew."""
    if os.environ.get("WRITE_STORY"):
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"{name}.png").write_bytes(with_few_colours((PICTURES / f"{name}.png").read_bytes()))


def with_few_colours(png: bytes) -> bytes:
    """The same picture in its 256 most frequent colours: any other is the nearest of them."""
    width, rows = decoded(png)
    frequent = [colour for colour, _ in Counter(colour for row in rows for colour in row).most_common(256)]

    @cache
    def index(colour: bytes) -> int:
        distances = [sum((one - other) ** 2 for one, other in zip(colour, known, strict=True)) for known in frequent]
        return distances.index(min(distances))

    pixels = b"".join(b"\0" + bytes(map(index, row)) for row in rows)
    header = struct.pack(">IIBBBBB", width, len(rows), 8, 3, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"PLTE", b"".join(frequent)), (b"IDAT", zlib.compress(pixels, 9)), (b"IEND", b"")]
    written = [struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks]
    return b"\x89PNG\r\n\x1a\n" + b"".join(written)


def decoded(png: bytes) -> tuple[int, list[list[bytes]]]:
    """The width of a picture as Chromium takes it, of 8 bits a colour and not interlaced, and the colours of its rows (PNG 1.2)."""
    at, packed = 8, b""
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        data = png[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colours = struct.unpack(">IIBB", data[:10])
            # With or without transparency.
            size = {(8, 2): 3, (8, 6): 4}[depth, colours]
        elif kind == b"IDAT":
            packed += data
        at += 12 + length
    filtered, stride = zlib.decompress(packed), width * size
    above, rows = bytearray(stride), []
    for start in range(0, height * (stride + 1), stride + 1):
        how, row = filtered[start], bytearray(filtered[start + 1 : start + 1 + stride])
        for place in range(stride):
            left, corner = (row[place - size], above[place - size]) if place >= size else (0, 0)
            row[place] = (row[place] + predicted(how, left, above[place], corner)) & 0xFF
        rows.append([bytes(row[place : place + 3]) for place in range(0, stride, size)])
        above = row
    return width, rows


def predicted(how: int, left: int, up: int, corner: int) -> int:
    """What a filter expects of a byte, by those around it (PNG 1.2, section 6)."""
    if how < 4:
        return (0, left, up, (left + up) // 2)[how]
    guess = left + up - corner
    return min((left, up, corner), key=lambda near: abs(guess - near))
