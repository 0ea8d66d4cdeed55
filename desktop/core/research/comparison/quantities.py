"""Values in a text, in units that can be compared: 3 bar is 300 kPa, "weekly" is 7 days."""

from __future__ import annotations

import re
from dataclasses import dataclass

from desktop.core.retrieval.stopwords import STOPWORDS

_TOLERANCE = 0.006
"""Relative: 3.1 bar and 45 psi are the same, 3.1 and 3.2 bar are not."""

_HOUR, _DAY, _MONTH, _YEAR = 3_600.0, 86_400.0, 2_629_800.0, 31_557_600.0
_SCALES: dict[str, dict[str, float]] = {
        "pressure": {"bar": 1e5, "mbar": 100, "pa": 1, "hpa": 100, "kpa": 1e3, "mpa": 1e6,
                     "psi": 6894.76},
        "voltage": {"v": 1, "mv": 1e-3, "kv": 1e3, "volt": 1, "volts": 1, "vdc": 1, "vac": 1},
        "current": {"a": 1, "ma": 1e-3, "µa": 1e-6, "ua": 1e-6, "amp": 1, "amps": 1,
                    "ampere": 1, "amperes": 1},
        "charge": {"ah": 1, "mah": 1e-3},
        "power": {"w": 1, "kw": 1e3, "mw": 1e6, "watt": 1, "watts": 1, "hp": 745.7},
        "energy": {"kwh": 1, "wh": 1e-3},
        "frequency": {"hz": 1, "khz": 1e3, "mhz": 1e6, "ghz": 1e9},
        "resistance": {"ohm": 1, "ohms": 1, "ω": 1, "kohm": 1e3, "kω": 1e3, "mω": 1e6},
        "length": {"mm": 1e-3, "cm": 1e-2, "m": 1, "km": 1e3, "in": 0.0254, "inch": 0.0254,
                   "inches": 0.0254, "metres": 1, "meters": 1, "millimetres": 1e-3,
                   "millimeters": 1e-3},
        "area": {"mm2": 1e-6, "mm²": 1e-6, "cm²": 1e-4, "m²": 1, "m2": 1},
        "mass": {"kg": 1, "g": 1e-3, "t": 1e3, "lb": 0.4536, "lbs": 0.4536},
        "torque": {"nm": 1, "ncm": 1e-2},
        "volume": {"l": 1, "ml": 1e-3, "litre": 1, "litres": 1, "liter": 1, "liters": 1,
                   "m³": 1e3, "m3": 1e3},
        "flow": {"m³/h": 1, "m3/h": 1, "l/min": 0.06, "l/s": 3.6, "l/h": 1e-3},
        "speed": {"rpm": 1, "1/min": 1, "min-1": 1},
        "share": {"%": 1, "percent": 1, "prozent": 1},
        "temperature": {"°c": 1, "degc": 1, "celsius": 1},
        "fahrenheit": {"°f": 1},
        "angle": {"°": 1},
        "sound": {"db": 1},
        "time": {"ms": 1e-3, "s": 1, "sec": 1, "second": 1, "seconds": 1, "sekunde": 1,
                 "sekunden": 1, "min": 60, "mins": 60, "minute": 60, "minutes": 60,
                 "minuten": 60, "h": _HOUR, "hr": _HOUR, "hrs": _HOUR, "hour": _HOUR,
                 "hours": _HOUR, "stunde": _HOUR, "stunden": _HOUR, "day": _DAY, "days": _DAY,
                 "tag": _DAY, "tage": _DAY, "tagen": _DAY, "week": 7 * _DAY, "weeks": 7 * _DAY,
                 "woche": 7 * _DAY, "wochen": 7 * _DAY, "month": _MONTH, "months": _MONTH,
                 "monat": _MONTH, "monate": _MONTH, "monaten": _MONTH, "year": _YEAR,
                 "years": _YEAR, "jahr": _YEAR, "jahre": _YEAR, "jahren": _YEAR},
}  # fmt: skip
_UNITS = {
    name: (dimension, factor)
    for dimension, scales in _SCALES.items()
    for name, factor in scales.items()
}
_OFTEN = {
    "hourly": _HOUR, "daily": _DAY, "weekly": 7 * _DAY, "fortnightly": 14 * _DAY,
    "monthly": _MONTH, "quarterly": 3 * _MONTH, "yearly": _YEAR, "annually": _YEAR,
    "annual": _YEAR, "täglich": _DAY, "wöchentlich": 7 * _DAY, "monatlich": _MONTH,
    "vierteljährlich": 3 * _MONTH, "jährlich": _YEAR,
}  # fmt: skip
_WORDS = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
}
_NUMBER = r"[-−–]?\d+(?:[ \u202f]\d{3})*(?:[.,]\d+)?"
_UNIT = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))
_VALUE = re.compile(
    rf"(?<![\w.,:/])(?P<low>{_NUMBER})"
    rf"(?:\s*(?:to|bis|and|-|–|…|\.\.\.)\s*(?P<high>{_NUMBER}))?"
    rf"[\s-]*(?P<unit>{_UNIT})(?![\w²³/])",
    re.IGNORECASE,
)
_FREQUENCY = re.compile(
    rf"\b(?:(?P<often>{'|'.join(_OFTEN)})|(?:once|einmal)?\s*(?:every|each|per|a|jede[nrs]?|alle|pro)"
    r"\s+(?P<other>other\s+)?(?P<period>hour|day|week|month|year|quarter|stunde|tag|woche|monat|jahr))\b",
    re.IGNORECASE,
)
_COUNT = re.compile(r"(?<![\w.,:/-])(?P<number>\d{1,3})\s+(?P<noun>[^\W\d_]{3,})(?![\w.]*\d)")
_SPELLED = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b(?!-)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value or range in the dimension's base unit. text: as it stands there."""

    dimension: str
    low: float
    high: float
    text: str

    def same_as(self, other: Quantity) -> bool:
        """Whether both say the same value or range."""
        return (
            self.dimension == other.dimension
            and _close(self.low, other.low)
            and _close(self.high, other.high)
        )

    def within(self, other: Quantity) -> bool:
        """Whether it is one value in another's range, or one of its ends."""
        one_value = self.low == self.high
        if self.dimension != other.dimension or other.low == other.high or not one_value:
            return False
        return other.low <= self.low and self.high <= other.high


def quantities_of(text: str) -> tuple[Quantity, ...]:
    """Return the values with a unit, the intervals in words, and the counts of things."""
    plain = _SPELLED.sub(lambda match: _WORDS[match.group().casefold()], text)
    found: list[Quantity] = []
    taken: list[tuple[int, int]] = []
    for match in _VALUE.finditer(plain):
        dimension, factor = _UNITS[match["unit"].casefold()]
        low = _number(match["low"])
        high = _number(match["high"]) if match["high"] else low
        low, high = sorted((low * factor, high * factor))
        found.append(Quantity(dimension, low, high, match.group().strip()))
        taken.append(match.span())
    for match in _FREQUENCY.finditer(plain):
        if not _overlaps(match.span(), taken):
            seconds = _seconds(match)
            found.append(Quantity("time", seconds, seconds, match.group().strip()))
            taken.append(match.span())
    for match in _COUNT.finditer(plain):
        if match["noun"].casefold() not in STOPWORDS and not _overlaps(match.span(), taken):
            number = float(match["number"])
            noun = match["noun"].casefold().rstrip("s")
            found.append(Quantity(f"count of {noun}", number, number, match.group().strip()))
    return tuple(found)


def without_quantities(text: str) -> str:
    """Return the text with its values and intervals taken out: what they are said of is left."""
    plain = _SPELLED.sub(lambda match: _WORDS[match.group().casefold()], text)
    return _FREQUENCY.sub(" ", _VALUE.sub(" ", plain))


def _seconds(match: re.Match[str]) -> float:
    if match["often"]:
        return _OFTEN[match["often"].casefold()]
    period = match["period"].casefold()
    seconds = 3 * _MONTH if period == "quarter" else _UNITS[period][1]
    return seconds * (2 if match["other"] else 1)


def _number(text: str) -> float:
    plain = re.sub(r"[ \u202f]", "", text).replace("−", "-").replace("–", "-")
    if "," in plain and "." in plain:
        plain = plain.replace(",", "")
    return float(plain.replace(",", "."))


def _overlaps(span: tuple[int, int], taken: list[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in taken)


def _close(one: float, other: float) -> bool:
    return abs(one - other) <= _TOLERANCE * max(abs(one), abs(other))
