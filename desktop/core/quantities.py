"""Values as quantities: found in text, compared as numbers with units, through pint.

"5.00 VDC" is 5 V, "1,5 mm²" is 1.5 mm2, and in "Current per output [mA] | 300" the 300
has the unit of its column. The names of each unit are listed in `resources/units.txt`,
besides pint's own table.
"""

from __future__ import annotations

import logging
import math
import re
import unicodedata
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from desktop.core.question.tokens import STOPWORDS
from desktop.core.raised_digits import as_typed
from desktop.resources import resource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pint

_SAME_UNIT, _OTHER_UNIT = 1e-9, 2e-3
"""How far two values may be apart, as a share: a converted one has been rounded."""

_SIGNS = str.maketrans({"−": "-", "–": "-", "—": "-", "\u2011": "-", "″": '"', "”": '"', "“": '"'})
_NUMBER = re.compile(
    r"(?<![\w:^])(?<!\d[.,])(?<!\^-)(?<![^\W\d_]-)(?P<sign>(?<![\w)\]])(?<!\d )-)?"
    r"(?P<digits>\d{1,3}(?:[ ']\d{3})+(?![\d.,])|\d+(?:[.,]\d+)*|(?<![.,])[.,]\d+)"
    r"(?:\^(?P<power>[-+]?\d{1,2})(?!\d))?"
)
_LETTERS = r"(?:[^\W\d_]|[°Ωμ])+"
_UNIT = rf"(?:[%‰\"]|°\s?[CF]\b|{_LETTERS}[23]?(?:[/·⋅∙*.]{_LETTERS}[23]?)*(?:\^?-1)?)"
_WHOLE_UNIT = re.compile(_UNIT)
_UNIT_AFTER = re.compile(rf"\s?-?\s?({_UNIT})(?!\w)")
_COLUMN_UNIT = re.compile(rf"[\[(]\s*({_UNIT})\s*[\])]|(?<![\w.,])({_UNIT})\s*[|:;=]")
_BETWEEN = re.compile(r"\s*(?:[-~/x×±]|\.{2,3}|…|[^\W\d_]{1,3})\s*[-+]?\s*")
"""What stands between the numbers of a range: "10 to 20 mA", "10 … 20 mA"."""
_DASH_OF_RANGE = re.compile(rf"(?<![\w.,:])(-?\d[\d.,]*\s?({_UNIT}))-(?=\d[\d.,]*\s?\2(?!\w))")
"""A dash that is no sign and of no code: "12V-24V"."""
_DEGREE = re.compile(r"(?<=\d)(\s?)o(?=\s?[CF]\b)")
"""A raised letter that stands for the degree sign: "5 ºC"."""
_EITHER_SIGN = re.compile(r"\+\s?/?\s?-(?=\s?[\d.,])")
_TO_TERMINAL = re.compile(r"[^\W_]:\d+-$")
"""What stands before the last of several terminals: "X2:23-24"."""
_CODE = re.compile(r"(?<![\w.:/-])(?=[\w./:-]*\d)\w(?:[\w./:-]*\w)?")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a text, with the unit it has there.

    readings: what the number may be: "1,500" is 1500 or 1.5. unit: pint's name, ""
    without one.
    start, end: its characters in the plain text, see `plain`.
    """

    readings: tuple[float, ...]
    unit: str
    start: int
    end: int

    def same(self, other: Quantity) -> bool:
        """Whether both may be the same amount; a bare number never equals one with a unit."""
        if self.unit == other.unit:
            return _meet(self.readings, other.readings, _SAME_UNIT)
        if not (self.unit and other.unit):
            return False
        mine, theirs = _in_base(self), _in_base(other)
        return mine[1] == theirs[1] and _meet(mine[0], theirs[0], _OTHER_UNIT)


def plain(text: str) -> str:
    """Return the text in a uniform notation: "mm²" as "mm2", "10⁶" as "10^6", one minus."""
    marked = as_typed(text).replace("\u00b4", "'").replace("\u02da", "°")
    one = unicodedata.normalize("NFKC", marked).translate(_SIGNS)
    return _EITHER_SIGN.sub("±", _DEGREE.sub(r"\1°", one))


def quantities_in(text: str) -> list[Quantity]:
    """Return the numbers in a text, in order. Codes ("F07", "X1:3-4") do not count."""
    found: list[Quantity] = []
    start = 0
    for line in plain(text).splitlines(keepends=True):
        line = _DASH_OF_RANGE.sub(r"\1~", line)
        found += _with_range_units(line, list(_of_line(line)), start)
        start += len(line)
    return found


def amounts_told(text: str) -> list[list[Quantity]]:
    """Return the quantities in a text, with those of one range or product together.

    "30 – 33 lbs" is one amount, and so is "161 mm × 101 mm".
    """
    known, told = plain(text), list[list[Quantity]]()
    for each in quantities_in(text):
        before = told[-1][-1] if told else None
        if before is not None and _goes_on(known, before, each):
            told[-1].append(each)
        else:
            told.append([each])
    return told


def _goes_on(text: str, before: Quantity, here: Quantity) -> bool:
    """Whether a quantity belongs to one range or product with the one before it."""
    between = _BETWEEN.fullmatch(text, before.end, here.start)
    return bool(here.unit) and before.unit == here.unit and between is not None


def stands_in(value: str, text: str) -> bool:
    """Whether a bare value ("300 mA", "F07", "counter-clockwise") appears in a text.

    As it is written, in any case and spacing; or else each of its quantities as an
    amount and each of its codes; or else, if it is a list, each of its items.
    """
    wanted, there = plain(value), plain(text)
    if not wanted.strip() or is_written(wanted, there):
        return bool(wanted.strip())
    quantities = quantities_in(value)
    if any(each.unit for each in quantities) or not any(sign.isalpha() for sign in wanted):
        found = quantities_in(text)
        return (
            bool(quantities)
            and all(stands_among(each, found) for each in quantities)
            and all(is_written(code, there) for code in codes_in(value, quantities))
        )
    items = [item for item in re.split(r"[,;]\s", wanted) if item.strip()]
    return len(items) > 1 and all(is_written(item, there) for item in items)


def as_the_source_says(value: str, source: str) -> str:
    """Return a value as its source states it, "" if the source does not.

    That is the value itself; or its numbers alone, if their units are given elsewhere,
    in a distant heading. Something in other words, or another language, cannot be
    compared.
    """
    if stands_in(value, source):
        return value
    quantities = quantities_in(value)
    text = plain(value)
    if not any(each.unit for each in quantities):
        return ""
    numbers = [_NUMBER.search(text, each.start) for each in quantities]
    bare = ", ".join(number.group() for number in numbers if number is not None)
    enough = sum(sign.isdigit() for sign in bare) > 1  # a single digit stands anywhere
    codes = codes_in(value, quantities)
    return bare if enough and not codes and stands_in(bare, source) else ""


def is_written(value: str, text: str) -> bool:
    """Whether the characters of a value follow each other in a text, in any case and spacing.

    Both are `plain`. Not in the middle of a longer word or number.
    """
    # Digits that follow each other must do so in the text: "1 1/16" does not say "11/16".
    signs = [re.escape(sign) for sign in re.findall(r"\d+|\S", value.casefold())]
    number = r"(?<!\d[.,])(?<![-\d])" if signs and signs[0][0].isdigit() else ""
    pattern = rf"(?<!\w){number}" + r"\s*".join(signs) + r"(?![\w]|[.,]\d)"
    return bool(signs) and re.search(pattern, text.casefold()) is not None


def codes_in(text: str, quantities: Iterable[Quantity]) -> list[str]:
    """Return the parts of the text with a digit that are no such quantity: "F07", "X1:3"."""
    signs = list(plain(text))
    for each in quantities:
        signs[each.start : each.end] = " " * (each.end - each.start)
    return _CODE.findall("".join(signs))


def stands_among(wanted: Quantity, found: Iterable[Quantity]) -> bool:
    """Whether one of the quantities is the same; for a number without a unit, in any unit."""
    if wanted.unit:
        return any(wanted.same(each) for each in found)
    return any(_meet(wanted.readings, each.readings, _SAME_UNIT) for each in found)


def order_of(one: Quantity, other: Quantity) -> str:
    """Return how two amounts compare: "=", "<", ">", "" if they measure different things."""
    if one.same(other):
        return "="
    if bool(one.unit) != bool(other.unit):
        return ""
    mine, theirs = (one.readings, ""), (other.readings, "")
    if one.unit:
        mine, theirs = _in_base(one), _in_base(other)
    if mine[1] != theirs[1]:
        return ""
    return "<" if mine[0][0] < theirs[0][0] else ">"


def _of_line(line: str) -> Iterator[Quantity]:
    """Yield the quantities of a line; a bare number takes the unit of its column or label."""
    columns = [
        (match.end(), unit)
        for match in _COLUMN_UNIT.finditer(line)
        if (unit := unit_name(match[1] or match[2], exact=True))
    ]
    for number in _NUMBER.finditer(line):
        if _TO_TERMINAL.search(line[: number.start("digits")]):
            continue
        readings = _readings(number["digits"])
        if number["power"] and readings == (10.0,):  # else the mark of a footnote
            readings = (10.0 ** int(number["power"]),)
        if not readings:
            continue
        end, unit = _own_unit(line, number.end())
        if not unit and line[number.end() : number.end() + 1].isalpha():
            continue  # "2N3904"
        if not unit:
            unit = next((name for at, name in reversed(columns) if at <= number.start()), "")
        sign = -1.0 if number["sign"] else 1.0
        yield Quantity(tuple(sign * each for each in readings), unit, number.start(), end)


def _own_unit(line: str, at: int) -> tuple[int, str]:
    """Return where the unit right after a number ends, and its name; "" if there is none."""
    match = _UNIT_AFTER.match(line, at)
    if match is None:
        return at, ""
    written = match[1]
    while written:
        unit = unit_name(written)
        if unit:
            return match.start(1) + len(written), unit
        shorter = re.split(r"[/·⋅∙*.](?=[^/·⋅∙*.]*$)", written)
        written = shorter[0] if len(shorter) > 1 else ""
    return at, ""


def _with_range_units(line: str, found: list[Quantity], start: int) -> list[Quantity]:
    """Give the first number of a range the unit of the second; positions count from `start`."""
    ranged = list(found)
    for index in range(len(found) - 2, -1, -1):
        here, following = ranged[index], ranged[index + 1]
        if here.unit and following.unit:
            here = _without_word(line, here, following)
        between = line[here.end : following.start]
        if following.unit and not here.unit and _BETWEEN.fullmatch(between):
            ranged[index] = replace(here, unit=following.unit)
    return [replace(each, start=start + each.start, end=start + each.end) for each in ranged]


def _without_word(line: str, here: Quantity, following: Quantity) -> Quantity:
    """Return a quantity without its unit, if that is a word before another kind of amount.

    In "10 a 20 mA" nothing takes 10 years.
    """
    number = _NUMBER.match(line, here.start)
    if number is None or line[number.end() : here.end].strip() not in STOPWORDS:
        return here
    if _in_base(here)[1] == _in_base(following)[1]:
        return here
    return replace(here, unit="", end=number.end())


def _readings(digits: str) -> tuple[float, ...]:
    if " " in digits or "'" in digits:
        groups = re.split("[ ']", digits)
        return (float("".join(groups)), float(groups[-1]))  # or the cells of a row
    separators = re.findall("[.,]", digits)
    if not separators:
        return (float(digits),)
    whole, _, decimals = digits.rpartition(separators[-1])
    decimal = float(f"{re.sub('[.,]', '', whole) or '0'}.{decimals}")
    if len(set(separators)) == 2:
        return (decimal,)
    in_thousands = re.fullmatch(r"[1-9]\d{0,2}(?:[.,]\d{3})+", digits)
    thousands = (re.sub("[.,]", "", digits),) if in_thousands else ()
    if len(separators) > 1:
        return tuple(map(float, thousands))  # else a version, "1.2.3"
    return (decimal, *map(float, thousands))


def _meet(some: tuple[float, ...], others: tuple[float, ...], share: float) -> bool:
    return any(math.isclose(a, b, rel_tol=share, abs_tol=1e-15) for a in some for b in others)


def _in_base(quantity: Quantity) -> tuple[tuple[float, ...], str]:
    """Return the readings in base units, and what is measured."""
    registry = _registry()
    converted = [
        registry.Quantity(each, quantity.unit).to_base_units() for each in quantity.readings
    ]
    return tuple(float(each.magnitude) for each in converted), str(converted[0].dimensionality)


@lru_cache(maxsize=10_000)
def unit_name(written: str, *, exact: bool = False) -> str:
    """Return pint's name for a unit as a manual writes it, "" if it is not a unit.

    exact: capitals must match, as between "mW" and "MW"; else a match is only tried
    first.
    """
    if not _WHOLE_UNIT.fullmatch(written):
        return ""
    text = written.replace(" ", "")
    if text in ('"', "%", "‰"):
        return {'"': "inch", "%": "percent", "‰": "permille"}[text]
    text = re.sub(r"\^?-1$", "**-1", re.sub(r"[·⋅∙.]", "*", text))
    registry = _registry()
    text = re.sub(r"(?<=[^\W\d_])([23])(?=$|[/*])", r"**\1", text)
    for name in (text,) if exact else dict.fromkeys((text, text.casefold(), text.capitalize())):
        with suppress(*_no_unit()):
            unit = str(registry.parse_units(name))
            registry.Quantity(1.0, unit).to_base_units()
            return unit
    return ""


def _no_unit() -> tuple[type[Exception], ...]:
    """Return the exceptions pint raises for letters that name no unit it can compare."""
    from pint import PintError

    return (PintError, ArithmeticError, AssertionError, AttributeError, TypeError, ValueError)


@cache
def _registry() -> pint.UnitRegistry[float]:
    import pint

    logging.getLogger("pint").setLevel(logging.ERROR)  # it warns of every name that we redefine
    registry: pint.UnitRegistry[float] = pint.UnitRegistry(cache_folder=None)
    registry.load_definitions(resource("units.txt"))
    return registry
