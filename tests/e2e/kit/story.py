"""The pictures in README.md. WRITE_STORY=1 writes them, with 256 colours so that they stay small. No test compares them with the pages."""

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
    """Stores a screenshot, if WRITE_STORY is set."""
    if os.environ.get("WRITE_STORY"):
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"{name}.png").write_bytes(with_few_colours((PICTURES / f"{name}.png").read_bytes()))


def with_few_colours(png: bytes) -> bytes:
    """The picture with its 256 most frequent colours; other colours become the nearest of them."""
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
    """The width and the pixel rows of Chromium's pictures: 8 bits for each colour, not interlaced (PNG 1.2)."""
    at, packed = 8, b""
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        data = png[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colours = struct.unpack(">IIBB", data[:10])
            # Without or with transparency.
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
    """The prediction of a filter for a byte from its neighbours (PNG 1.2, section 6)."""
    if how < 4:
        return (0, left, up, (left + up) // 2)[how]
    guess = left + up - corner
    return min((left, up, corner), key=lambda near: abs(guess - near))
