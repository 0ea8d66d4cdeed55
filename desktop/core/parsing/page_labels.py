"""Printed page numbers out of a PDF's page label rules ("iv", "4-11")."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
    (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
# A string of a PDF in hexadecimal digits: PyMuPDF hands it over as it stands in the file.
_HEXADECIMAL = re.compile(r"<((?:[0-9A-Fa-f]{2})*)>")
# Above this a damaged rule would spell labels of thousands of letters.
_LARGEST_SPELLED = 3999


def page_labels(rules: Sequence[Mapping[str, object]], page_count: int) -> tuple[str, ...]:
    """Return one label per page, "" before the first rule.

    rules: dictionaries as PyMuPDF's `get_page_labels` returns them, with the keys
        startpage (zero-based), prefix, style ("D", "R", "r", "A", "a" or "") and
        firstpagenum.
    """
    labels = [""] * page_count
    ordered = sorted(rules, key=lambda rule: _integer(rule.get("startpage"), 0))
    starts = [*(_integer(rule.get("startpage"), 0) for rule in ordered), page_count]
    for rule, (start, end) in zip(ordered, pairwise(starts), strict=True):
        prefix = _readable(str(rule.get("prefix") or ""))
        style = str(rule.get("style") or "")
        number = _integer(rule.get("firstpagenum"), 1)
        for page in range(max(0, start), min(end, page_count)):
            labels[page] = prefix + _spelled(number + page - start, style)
    return tuple(labels)


def _readable(prefix: str) -> str:
    match = _HEXADECIMAL.fullmatch(prefix)
    if match is None:
        return prefix
    data = bytes.fromhex(match.group(1))
    wide = data.startswith(b"\xfe\xff")
    return data[2:].decode("utf-16-be", "ignore") if wide else data.decode("latin-1")


def _integer(value: object, default: int) -> int:
    return value if isinstance(value, int) else default


def _spelled(number: int, style: str) -> str:
    if style in ("R", "r", "A", "a") and 1 <= number <= _LARGEST_SPELLED:
        letters = _roman(number) if style in "Rr" else _alphabetic(number)
        return letters.upper() if style in "RA" else letters
    return str(number) if style else ""


def _roman(number: int) -> str:
    parts = []
    for value, letters in _ROMAN:
        parts.append(letters * (number // value))
        number %= value
    return "".join(parts)


def _alphabetic(number: int) -> str:
    """A to z, then aa, bb and so on, as the PDF standard counts."""
    repeats, letter = divmod(number - 1, 26)
    return chr(ord("a") + letter) * (repeats + 1)
