"""What in a sentence can be checked to the letter: numbers, units, terminals, part codes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.agent.answering.column_units import values_of_line, values_of_row
from desktop.core.retrieval.stopwords import STOPWORDS
from desktop.core.retrieval.tokens import UNIT_PATTERN, UNITS, index_term_set, query_terms

if TYPE_CHECKING:
    from collections.abc import Iterable

ITEM_SIGN = re.compile(r"^\s*(?:[-•*–]\s+|\(?\d{1,2}[.)]\s+|step\s+\d{1,2}\s*[.:)]\s*)+", re.I)
"""What opens a list item: it says nothing about the equipment."""

# "... the PIN. 2. The screen ..."
_INNER_ITEM = re.compile(r"(?<=[.;:!?])\s+\(?\d{1,2}[.)]\s+(?=[^\W\d_])")
_WORD = re.compile(r"[^\W_]+(?:[-_./+'’,][^\W_]+)*[+]?")
# a minus, not the lower half of "+/-"
_SIGNED = re.compile(r"(?<![\w.,)])(?<!\+/)[-−–](?=\d)")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_BELOW_ZERO = re.compile(rf"(?:[-−–]|minus)\s?({_NUMBER.pattern})")
_RANGE = re.compile(r"(\d+(?:[.,]\d+)?)-(\d+(?:[.,]\d+)?)")
# terminals: "X1:3"; "B-", "COM+"; and what a single letter names: "terminal L"
_STRIP = re.compile(r"(?<!\w)[A-Z]+\d*:\d{1,3}(?!\w)")
_STRIP_RANGE = re.compile(
    r"(?<!\w)([A-Z]+\d*):(\d{1,3})\s*(?:to|bis|-|–|…|\.\.\.)\s*(?:\1:)?(\d{1,3})(?!\w)"
)
_POLE = re.compile(r"(?<!\w)[A-Z]{1,4}\d{0,2}[-−–+](?!\w)")
_LETTER = re.compile(
    r"\b(?:terminal|pin|contact|phase|conductor|connector|port|plug|socket|jumper|relay|input"
    r"|output|position|klemme|kontakt)s?\s+([A-Z])\b(?![-+])"
)
_CAPITALS = re.compile(r"[A-ZÄÖÜ]{2,}[+]?")
# ".25 V"
_NO_ZERO = re.compile(r"(?<![\w.,])\.(?=\d)")
_THOUSANDS = re.compile(r"(?<![\d.,])(\d{1,3}(?:,\d{3})+)(?![\d,])")
# "5.00 VDC" is 5 V, "2.50 V" 2.5 V. Three zeros may be thousands, and "1.10" a release.
_NEEDLESS_ZEROS = re.compile(
    rf"(?<![\w.,])(\d+)(?:[.,]0{{1,2}}|([.,]\d?[1-9])0{{1,2}})(?=\s?°?(?:{UNIT_PATTERN})(?!\w))",
    re.IGNORECASE,
)
# "19 200 baud": one number where no other can begin
_SPACED_THOUSANDS = re.compile(r"(?<![\w.,:/])\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?![\d.,])")
# "0+70C" of a text layer that lost its spaces
_GLUED_SIGN = re.compile(r"(?<=\d)\+(?=\d+\s?°?C\b)")
# 5.6K and 120R are ohms where ohms are meant
_OHMS = re.compile(r"(\d[\d_]*)(k)?ohms?")
_RESISTOR = re.compile(r"(\d[\d_]*)(k|r)")
_NO_LETTER_BETWEEN = re.compile(r"[\s°-]{0,2}")
# "3 in wide", but not "set to 1 in the menu"
_AFTER_INCHES = re.compile(r"\s*(?:$|[^\w\s]|(?:x|by|wide|long|high|deep|thick|diameter)\b)")
_DIRECT_OR_NOT = re.compile(r"\d\s?[mk]?V(?:DC|AC)$", re.IGNORECASE)
_INCH_SIGN = re.compile(r"(?<=\d)\s?(?:''|[″”\"])(?!\w)")
_BEFORE_WORD = re.compile(r"\b(\d+)-([A-Za-z]{3,})\b")
# "10 to 20 mA" says 10 mA as well, and "12-24V" 12 V and 24 V
_RANGE_WITH_UNIT = re.compile(
    rf"(\d+(?:[.,]\d+)?)\s*(?:to|bis|and|or|[-−–/…]|\.\.\.)\s*([-−–+]?\s?\d+(?:[.,]\d+)?)"
    rf"(\s*°?\s?(?:{UNIT_PATTERN})(?!\w))",
    re.IGNORECASE,
)
_NUMBER_WORDS = dict(
    zip(
        "two three four five six seven eight nine ten eleven twelve".split(),
        map(str, range(2, 13)),
        strict=True,
    )
)
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(_NUMBER_WORDS)})\b", re.IGNORECASE)
# The same unit in the words of a manual and of whoever tells it again.
_UNIT_WORDS = tuple(
    (re.compile(rf"(?<=\d)\s*-?\s*(?:{words})\b", re.IGNORECASE), f" {unit}")
    for words, unit in (
        (r"seconds?|secs?|sekunden?", "s"),
        (r"minutes?|mins?|minuten?", "min"),
        (r"hours?|hrs?|stunden?", "h"),
        (r"milliamp(?:ere)?s?", "mA"),
        (r"amp(?:ere)?s?", "A"),
        (r"milli ?volts?", "mV"),
        (r"volts?", "V"),
        (r"watts?", "W"),
        (r"ohms?", "ohm"),
        (r"percent|per cent|prozent", "%"),
        (r"degrees? (?:celsius|c)|° c", "°C"),
        (r"newton[- ]?met(?:er|re)s?", "Nm"),
        (r"millimet(?:er|re)s?", "mm"),
        (r"inch(?:es)?", "in"),
        (r"kilograms?", "kg"),
    )
)


@dataclass(frozen=True)
class Fact:
    """A value or a name that a sentence gives.

    text: as it stands there. groups: of each, one index term must be found. parts: or of each
    of these, if it is a range. capitals: a word that must be found. negative: a number that
    must be found below zero. terminal: what must be found sign for sign. current: "dc" or "ac", if
    its unit says so.
    """

    text: str
    groups: tuple[tuple[str, ...], ...] = ()
    parts: tuple[tuple[str, ...], ...] = ()
    capitals: str = ""
    negative: str = ""
    terminal: str = ""
    current: str = ""

    @property
    def is_value(self) -> bool:
        """Whether it is a number, a value or a code, not a word in capitals."""
        return not self.capitals


class Ground:
    """The words that facts are looked for in."""

    def __init__(self, texts: Iterable[str]) -> None:
        joined = "\n".join(texts)
        told = _with_column_units(joined)
        alike = _without_needless_zeros(_RANGE_WITH_UNIT.sub(r"\1\3 / \2\3", _alike(told)))
        self.terms = index_term_set(joined) | index_term_set(alike)
        if _SPACED_THOUSANDS.search(told):
            self.terms |= index_term_set(_SPACED_THOUSANDS.sub(_closed_up, told))
        self._folded = joined.casefold()
        self._signs = _one_minus(joined)
        self._negatives = frozenset(_BELOW_ZERO.findall(f"{joined}\n{alike}"))

    @classmethod
    def of_quote(cls, text: str, context: str = "") -> Ground:
        """Return the ground of a quote with its headings; a row's values have their units."""
        return cls((text, context, *values_of_row(text, context)))

    def __or__(self, other: Ground) -> Ground:
        both = Ground(())
        both.terms = self.terms | other.terms
        both._folded = f"{self._folded}\n{other._folded}"
        both._signs = f"{self._signs}\n{other._signs}"
        both._negatives = self._negatives | other._negatives
        return both

    def supports(self, fact: Fact) -> bool:
        """Whether the fact stands here, to the letter."""
        if fact.terminal:
            return self._has_terminal(fact.terminal)
        if fact.capitals:
            return fact.capitals in self._folded
        if fact.negative and fact.negative not in self._negatives:
            return False
        if fact.current and fact.current not in self._folded:
            return False
        return self._has(fact.groups) or (bool(fact.parts) and self._has(fact.parts))

    def _has_terminal(self, terminal: str) -> bool:
        if re.search(rf"(?<!\w){re.escape(terminal)}(?!\w)", self._signs):
            return True
        strip, _, number = terminal.partition(":")
        return number.isdigit() and any(
            strip == of and int(first) <= int(number) <= int(last)
            for of, first, last in _STRIP_RANGE.findall(self._signs)
        )

    def _has(self, groups: Iterable[tuple[str, ...]]) -> bool:
        return all(any(term in self.terms for term in group) for group in groups)


def facts_of(sentence: str) -> list[Fact]:
    """Return what can be checked in a sentence, in order, no repeats."""
    text = _INNER_ITEM.sub(" ", ITEM_SIGN.sub("", sentence))
    found: dict[str, Fact] = {
        named: Fact(named, terminal=_one_minus(named))
        for named in (*_STRIP.findall(text), *_POLE.findall(text), *_LETTER.findall(text))
    }
    words = list(_WORD.finditer(_STRIP.sub(lambda match: " " * len(match.group()), text)))
    unit_from = -1
    for index, word in enumerate(words):
        following = words[index + 1] if index + 1 < len(words) else None
        if word.start() == unit_from:
            continue  # told with its number
        fact = _fact(text, word, following)
        if fact is None:
            continue
        found.setdefault(fact.text, fact)
        has_unit = following is not None and fact.text.endswith(following.group())
        unit_from = following.start() if has_unit and following is not None else -1
    return list(found.values())


def _fact(text: str, word: re.Match[str], following: re.Match[str] | None) -> Fact | None:
    said = word.group()
    if said.casefold() in _NUMBER_WORDS or any(character.isdigit() for character in said):
        end = word.end()
        if following is not None and _is_unit(text, end, following):
            end = following.end()
        whole = text[word.start() : end]
        signed = _SIGNED.search(text, max(0, word.start() - 1), word.end())
        sign = text[word.start() - 1] if signed and signed.end() == word.start() else ""
        groups = _groups(whole)
        parts = _RANGE.fullmatch(said)
        return Fact(
            sign + whole,
            groups,
            _groups(f"{parts.group(1)} to {parts.group(2)}{whole[len(said) :]}") if parts else (),
            negative="".join(_NUMBER.findall(_alike(whole))[:1]) if sign else "",
            current=whole[-2:].casefold() if _DIRECT_OR_NOT.search(whole) else "",
        )
    if _CAPITALS.fullmatch(said) and said.casefold() not in STOPWORDS:
        return Fact(said, capitals=said.casefold())
    return None


def _groups(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the term groups of a value that contain a digit; a unit counts with its number."""
    groups = query_terms(_alike(text))
    return tuple(
        tuple(dict.fromkeys(other for term in group for other in (term, *_as_resistor(term))))
        for group in groups
        if any(c.isdigit() for term in group for c in term)
    )


def _as_resistor(term: str) -> list[str]:
    """Return the same resistance in its other spelling: 5_6kohm for 5_6k, 120r for 120ohm."""
    match = _OHMS.fullmatch(term)
    if match:
        return [f"{match.group(1)}{match.group(2) or 'r'}"]
    match = _RESISTOR.fullmatch(term)
    if match:
        return [f"{match.group(1)}{match.group(2).replace('r', '')}ohm"]
    return []


def _is_unit(text: str, end: int, following: re.Match[str]) -> bool:
    """Whether the word after a number that ends at `end` is its unit."""
    word = following.group()
    if not _NO_LETTER_BETWEEN.fullmatch(text[end : following.start()].replace("\n", "/")):
        return False
    if word.casefold() == "in":
        return bool(_AFTER_INCHES.match(text, following.end()))
    return word.casefold() in UNITS or any(
        pattern.fullmatch(f"1 {word}", 1) for pattern, _ in _UNIT_WORDS
    )


def _one_minus(text: str) -> str:
    return text.replace("−", "-").replace("–", "-")


def _closed_up(match: re.Match[str]) -> str:
    return "".join(match.group().split())


def _with_column_units(text: str) -> str:
    """Return a text with the values of its lines "Current (mA): 460; ..." in full."""
    if ": " not in text:
        return text
    return "\n".join(
        "\n".join([line, *values_of_line(line)]) if ": " in line else line
        for line in text.split("\n")
    )


def _alike(text: str) -> str:
    """Write values in one way: digits, unit signs, no separators of thousands."""
    text = _INCH_SIGN.sub(" in", _GLUED_SIGN.sub(" +", _NO_ZERO.sub("0.", text)))
    text = _THOUSANDS.sub(lambda match: match.group().replace(",", ""), text)
    text = _NUMBER_WORD.sub(lambda match: _NUMBER_WORDS[match.group().casefold()], text)
    for pattern, unit in _UNIT_WORDS:
        text = pattern.sub(unit, text)
    return _without_needless_zeros(_BEFORE_WORD.sub(r"\1 \2", text))


def _without_needless_zeros(text: str) -> str:
    return _NEEDLESS_ZEROS.sub(lambda match: match[1] + (match[2] or ""), text)
