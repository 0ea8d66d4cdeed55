"""Values whose unit stands elsewhere: in their column's heading, the caption or a unit column.

A table says "Current (mA)" once and 460 below it; whoever tells of it says 460 mA.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop.core.retrieval.tokens import UNIT_PATTERN
from desktop.core.structure.tables import CELL_SEPARATOR
from desktop.core.structure.units import CONTEXT_SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_UNIT = rf"(°?\s?(?:{UNIT_PATTERN}))"
# "Current (mA)", "Torque [Nm]", "Consumption (mA@5V)", "Mass in kg", "Length, mm"
_IN_BRACKETS = re.compile(rf"[(\[]\s*(?:in\s+)?{_UNIT}(?:\s*@[^)\]]*)?\s*[)\]]", re.IGNORECASE)
_AFTER_WORD = re.compile(rf"(?:\bin\s+|,\s*|/\s?){_UNIT}\s*$", re.IGNORECASE)
# Without a bracket only what is no word and no name of a column.
_BARE_UNIT = re.compile(
    r"\s(mA|µA|mV|kV|VDC|VAC|Nm|mm|cm|mm²|kg|kW|Hz|kHz|MHz|GHz|m?bar|k?Pa|psi|rpm|k?Ω|k?[Oo]hm|°C)\s*$"
)
_UNIT_COLUMN = re.compile(r"(?:units?|einheit(?:en)?)\s*$", re.IGNORECASE)
_VALUE_COLUMN = re.compile(
    r"\b(?:values?|min\w*|max\w*|typ\w*|nom\w*|rat(?:ed|ing)|range|limits?|default|setting|delivered"
    r"|werte?|bereich|grenze?)\b",
    re.IGNORECASE,
)
_NUMBERS = re.compile(
    r"\W*\d[\d.,]*(?:\s*(?:to|bis|and|und|or|max\.?|min\.?|typ\.?|\W)\s*\d[\d.,]*)*\W*",
    re.IGNORECASE,
)
_HEADED = re.compile(r"([^:;]+): ([^;]+)")


def values_of_row(text: str, context: str) -> list[str]:
    """Return "460 mA" for each cell of a row whose unit stands above it or beside it.

    text: cells joined by `CELL_SEPARATOR`. context: headings of the section, caption, header.
    """
    if CELL_SEPARATOR not in text or not any(character.isdigit() for character in text):
        return []
    above = context.split(CONTEXT_SEPARATOR)
    headings, cells = above[-1].split(CELL_SEPARATOR), text.split(CELL_SEPARATOR)
    if len(headings) != len(cells):
        return []
    return list(_values(list(zip(headings, cells, strict=True)), above[-2] if above[1:] else ""))


def values_of_line(line: str) -> list[str]:
    """Return the same for a row written as "Mode: Booting; Current (mA): 460"."""
    pairs = [(heading, cell) for heading, cell in _HEADED.findall(line)]
    if not pairs:
        return []
    heading, last = pairs[-1]
    tail = caption_unit(last)
    pairs[-1] = (heading, last.removesuffix(tail).strip() if tail else last)
    return list(_values(pairs, tail))


def caption_unit(caption: str) -> str:
    """Return the bracket with a unit that ends a caption, "(mA@5V)", or ""."""
    found = list(_IN_BRACKETS.finditer(caption))
    return found[-1].group() if found and found[-1].end() == len(caption.rstrip()) else ""


def unit_of(heading: str) -> str:
    """Return the unit that a column's heading gives, "" if it gives none."""
    for pattern in (_IN_BRACKETS, _AFTER_WORD, _BARE_UNIT):
        match = pattern.search(heading)
        if match:
            return match.group(1).strip()
    return ""


def _values(pairs: Sequence[tuple[str, str]], caption: str) -> Iterator[str]:
    units = [unit_of(heading) for heading, _ in pairs]
    beside = next((cell for heading, cell in pairs if _UNIT_COLUMN.match(heading.strip())), "")
    beside = beside if re.fullmatch(_UNIT, beside.strip(), re.IGNORECASE) else ""
    all_over = "" if any(units) or beside else unit_of(caption_unit(caption))
    for (heading, cell), own in zip(pairs, units, strict=True):
        unit = own or all_over or (beside if _VALUE_COLUMN.search(heading) else "")
        if unit and _NUMBERS.fullmatch(cell):
            yield f"{cell.strip()} {unit}"
