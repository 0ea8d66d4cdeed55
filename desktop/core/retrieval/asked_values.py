"""Kinds of value a question may ask for, and how each looks in a manual.

Wider than `Question.values`, which help to rank: here a kind counts only where its absence
says that a text does not answer ("how heavy" without any kilograms).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from desktop.core.retrieval.tokens import query_terms

if TYPE_CHECKING:
    from desktop.core.retrieval.question import TermGroup

# Not the 16 of uint16, nor those of section 10.46.2.1.
_NUMBER = r"(?<![\w.])\d+(?:[.,]\d+)?(?!\.?\d)"
_COUNT = _NUMBER + r"|\b(one|two|three|four|five|six|seven|eight|nine|ten|twelve|no|both|single)\b"
_TIME = (
    r"\d\s*(ms|s|sec|seconds?|min|minutes?|h|hours?|days?|weeks?|months?|years?|m|mm|cm|sekunden?"
    r"|minuten?|stunden?|tage|monate?|jahre?)\b|hourly|daily|weekly|monthly|yearly|annual|every"
    r"|\b(one|two|three|four|five|six|ten) (second|minute|hour|day|week|month|year)|once|always"
)
_NUMBER_SAID = re.compile(_NUMBER)
_TIME_SAID = re.compile(_TIME, re.IGNORECASE)
_LENGTH = r"\d\s?(mm2?|mm²|cm|(?-i:m)|km|inch|mil|\"|'')(?!\w)|\d×|x \d|\d x"
_COUNTED = r"how (many|much)|wie viele?|\bnumber of\b"
_KINDS = tuple(
    (re.compile(asks, re.IGNORECASE), re.compile(value, re.IGNORECASE))
    for asks, value in (
        (r"\bvolt|spannung|\bsupply\b|versorgung", r"\d\s?[mk]?v(dc|ac)?\b"),
        (r"\bcurrents?\b|milliamp|\bamp|strom\b|\bfuse rating", r"\d\s?[mµuk]?a\b"),
        (r"temperatur|how (hot|warm|cold)|wie (heiß|warm|kalt)", r"°\s?[cf]?|\d\s?c\b|degrees"),
        (
            r"how (long|often|frequently)|interval|duration|wie (lange|oft)|dauer\b|\btime\b|delay"
            r"|time-?outs?\b|life\b|how many (years|days|hours|minutes|seconds|months)|when must"
            r"|how old",
            _TIME,
        ),
        (r"resist(?!ant)|widerstand|pull-?up", r"\d\s?([kmg]?(ohm|ω)|[kmr]\b)"),
        (r"frequen(?!t|zumr)|\bhz\b", r"\d\s?[kmg]?hz"),
        (r"\bpower consumption|leistung\b|\bwatt", r"\d\s?[km]?w\b"),
        (r"torque|drehmoment|tighten", r"\d\s?n\s?m\b"),
        (r"pressure|druck|\bpre-charge", r"\d\s?(m?bar|psi|[km]?pa)\b"),
        (r"\bweigh|gewicht|heavy|schwer\b|\bmass\b|how many (kg|gram)", r"\d\s?(kg|g|lbs?|t)\b"),
        (
            r"dimension|\btall\b|\bwide\b|height|\blength\b|cross-section|abmess|hoch\b|breit\b"
            r"|querschnitt|diameter|thick|radius|how far|altitude|bend",
            _LENGTH,
        ),
        (r"\bcosts?\b|price|kostet|preis", r"[€$£]|\b(eur|usd|euros?|dollars?)\b"),
        (r"\bvolume\b|litres?|liters?|volumen", r"\d\s?(l|ml|litres?|liters?|m³|m3|mm3)\b"),
        (r"humidity|feuchte", r"humid|feucht"),
        (r"percent|efficiency|wirkungsgrad", r"\d\s?%|percent|efficien"),
        (
            r"(part|article|order) number|teilenummer|bestellnummer",
            r"\b\d\d-\d{3,}|\b\d{5,}\b|\b(?=[\w-]*\d)(?=[\w-]*[a-z])[a-z0-9][\w-]{5,}",
        ),
        (r"telephone|phone number|telefon", r"\+?\d[\d /-]{6,}\d"),
        (r"\bip address|ip-adresse", r"\d+\.\d+\.\d+\.\d+"),
        (
            r"\bcolou?rs?\b|farbe",
            r"\b(red|green|blue|black|white|yellow|orange|brown|gr[ae]y|violet|rot|grün|blau"
            r"|schwarz|weiß|gelb)\b",
        ),
        (r"\bingress|\bip rating|protection class|schutzart", r"\bip\s?\d\d"),
        (r"noise|sound|\bloud\b|laut\b", r"\d\s?db"),
        (r"\brpm\b|speed of|drehzahl", r"\d\s?(rpm|1/min|%)"),
        (
            r"\bbaud|\bbit ?rate|\bdata rate|übertragungsrate",
            r"\d\s?([kmg]?(baud|bd|bps|bit))\b|baud\D{0,30}\d{3}|\b(1200|2400|4800|9600|14400|19200"
            r"|28800|38400|57600|115200)\b",
        ),
        (r"capacitance|capacitor value|kapazität.{1,30}kondensator", r"\d\s?[mµunp]?f\b"),
        (_COUNTED, _COUNT),
        (r"(which|what) (menu|alarm code|pin)|menü|register|event id|pin number", r"\d"),
        (
            r"\b(parameter|menu|register) (number|code)s?\b|parameternummer",
            r"\b[a-z]{0,2}\d{1,4}[.-]\d|\b[a-z]\d{2,}\b|(parameter|menu|register)\W{0,3}\d|^\W*\d",
        ),
        (r"\bdate\b|next (service|inspection)", r"\d{4}|\d\d?\.\d\d?\."),
    )
)
_MEASURES = tuple((asks, value) for asks, value in _KINDS if asks.pattern != _COUNTED)
# Kinds that a question names outright: a statement without such a value is no answer to it.
# The others ("current", "time", "supply") are also words of everyday language.
_SHARP = re.compile(
    r"\bweigh|gewicht|heavy|schwer\b|\bmass\b|\bcosts?\b|price|kostet|preis|torque|drehmoment"
    r"|tighten|\bvolume\b|volumen|humidity|feuchte|telephone|phone number|telefon"
    r"|\bip address|ip-adresse|\bingress|\bip rating|protection class|schutzart|noise|\bloud\b"
    r"|resist|widerstand|percent|efficiency|wirkungsgrad|temperatur|frequen(?!t|zumr)|\brpm\b|drehzahl"
    r"|power consumption|(part|article|order) number|teilenummer|bestellnummer|\bcolou?rs?\b|farbe"
    r"|\bbaud|bit ?rate|data rate|übertragungsrate|capacit|kondensator|parameter (number|code)"
    r"|parameternummer",
    re.IGNORECASE,
)
# "Maximum cable length", "rated current": said of no more than a value.
_LIMIT = (
    r"\b(?:max(?:imum|imal\w*)?|min(?:imum|imal\w*|dest\w*)?|highest|lowest|largest|smallest|longest"
    r"|shortest|rated|nominal|permissible|permitted|allowed|zulässige\w*|höchste\w*|größte\w*"
    r"|kleinste\w*)\.?\s+(?:[\w-]+\s+){0,2}?[\w-]*?"
)
# "in kA", "how many litres": the value must have that unit, or one of its kin.
_UNITS = tuple(
    (
        re.compile(rf"\b(?:in|many|wie viele) (?:{named})\b", re.IGNORECASE),
        re.compile(rf"\d\s?{unit}(?!\w)", re.IGNORECASE),
    )
    for named, unit in (
        (r"(?-i:[mk]?A)|(?:milli)?amp(?:ere)?s?", r"[mµk]?a"),  # not "in a cabinet"
        (r"litres?|liters?|ml|liter", r"(?:l|ml|litres?|liters?|m³|m3)"),
        (r"db", r"db"),
        (r"percent|prozent", r"(?:%|percent|prozent)"),
        (r"k?w|(?:kilo)?watts?", r"[km]?w"),
        (r"(?:mega|kilo|giga)bytes?|[mkg]b", r"[kmg]i?b(?:ytes?)?"),
        (r"(?:kilo)?grams?|kg|gramm|kilogramm", r"(?:k?g|lbs?)"),
        (r"hz|hertz", r"[kmg]?hz"),
        (r"bar", r"m?bar"),
        (r"nm", r"nm"),
        (r"(?:milli|kilo)?volts?|[mk]?v", r"[mk]?v(?:dc|ac)?"),
    )
)
_FOCUS = re.compile(
    r"\b(?:which|what|how many|how much|welche[nrsm]?|wie viele?)\s+"
    r"(?:kinds? of |types? of |sorts? of |is the |are the |the |other )?"
    r"([a-zäöüß][\w-]*(?:\s+[a-zäöüß][\w-]*)?)",
    re.IGNORECASE,
)


# "Where is the pressure shown?" asks for a place and for nothing else, "Why ..." for a reason.
_NO_VALUE = re.compile(
    r"^\W*(?:where|wo|why|warum|wieso|weshalb)\b(?!.*\b(?:which|what|how|welche\w*|wie)\b)"
    r"[^?]*\?\s*$",
    re.IGNORECASE,
)
# "How do I tighten ...", "What happens at a high temperature?", "May I ...": no value is asked for,
# unless a "how high" or "which" comes later; "How often must I press to see ...": none but a time.
_DOING = re.compile(
    r"^\W*(?:how (?:do|can|could|should|must|to|does|is|are|often|frequently)|what (?:happens"
    r"|should|can|must|do|to do|causes?)|can|could|may|must|should|is|are|does|do"
    r"|wie (?:kann|muss|soll|wird|werden?|oft|[a-zäöü]+e ich)"
    r"|was (?:passiert|tun|mache|kann|muss|soll)|kann|darf|muss|soll|ist|sind)\b"
    r"(?!.*\b(?:which|what|welche\w*|how (?:much|many|high|heavy|large|long|often|far|fast|hot)"
    r"|wie (?:viele?|hoch|schwer|groß|lange?|oft|weit|heiß))\b)",
    re.IGNORECASE,
)

_ASKS = re.compile(
    r"\?|\b(?:what|which|how|whats|tell|give|name|state|welche\w*|was|wie|nenne\w*)\b",
    re.IGNORECASE,
)
# "tightening torque of the front wheel axle": so many words name something, more tell something.
_LONGEST_NAME = 7


@lru_cache(maxsize=64)  # asked of every page and sentence
def asked_kinds(question: str) -> tuple[re.Pattern[str], ...]:
    """Return a pattern for each kind of value that a question asks for."""
    if _NO_VALUE.search(question):
        return ()
    return tuple(value for asks, value in _KINDS if asks.search(question))


def sharp_kinds(question: str) -> tuple[re.Pattern[str], ...]:
    """Return a pattern for each kind of value that a question names outright, or by its unit."""
    if _NO_VALUE.search(question) or _DOING.search(question) or _only_tells(question):
        return ()
    kinds = [value for asks, value in _KINDS if _named_outright(asks, question)]
    return (*kinds, *(value for asks, value in _UNITS if asks.search(question)))


def names_value(question: str) -> bool:
    """Whether a kind of value is named that is no word of everyday language, or a unit."""
    return bool(_SHARP.search(question)) or any(asks.search(question) for asks, _ in _UNITS)


def _only_tells(question: str) -> bool:
    """Whether it asks nothing in words: "Prices were raised today but nobody pays more"."""
    return len(question.split()) > _LONGEST_NAME and not _ASKS.search(question)


def asked_measure(question: str) -> bool:
    """Whether it asks for a quantity with a unit, not for a number of things."""
    return any(asks.search(question) for asks, _ in (*_MEASURES, *_UNITS))


def kind_words(question: str) -> tuple[TermGroup, ...]:
    """Return the term groups of the words that name a kind of value: "heavy", "how long"."""
    return tuple(
        group
        for asks, _ in (*_KINDS, *_UNITS)
        for match in asks.finditer(question)
        for group in query_terms(match.group())
    )


def without_own_codes(text: str, question: str) -> str:
    """Return a text without the numbers and codes that the question itself brings.

    "HV3" is no part number for who asks for that of HV3.
    """
    for code in _own_codes(question):
        text = code.sub(" ", text)
    return text


@lru_cache(maxsize=64)
def _own_codes(question: str) -> tuple[re.Pattern[str], ...]:
    """Return a pattern for each word with a digit of a question, the longest first."""
    own = {word.strip("?.,;:()\"'") for word in question.split()}
    codes = sorted((w for w in own if any(c.isdigit() for c in w)), key=len, reverse=True)
    return tuple(re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE) for word in codes)


def shows_number(text: str) -> bool:
    """Whether a number stands in the text that is no part of a name or a section's number."""
    return bool(_NUMBER_SAID.search(text))


def tells_time(text: str) -> bool:
    """Whether a duration or an interval stands in the text."""
    return bool(_TIME_SAID.search(text))


def _named_outright(asks: re.Pattern[str], question: str) -> bool:
    if any(_SHARP.search(match.group()) for match in asks.finditer(question)):
        return True
    return asks.pattern != _COUNTED and bool(_limited(asks).search(question))


@cache
def _limited(asks: re.Pattern[str]) -> re.Pattern[str]:
    """Return a pattern for a kind of value of which the largest or smallest is asked for."""
    return re.compile(f"{_LIMIT}(?:{asks.pattern})", re.IGNORECASE)


def missing_share(kinds: tuple[re.Pattern[str], ...], text: str) -> float:
    """Return the share of `kinds` that `text` does not show, 0 to 1; 0 without kinds."""
    return sum(not kind.search(text) for kind in kinds) / len(kinds) if kinds else 0.0


def focus_groups(question: str) -> tuple[TermGroup, ...]:
    """Return the term groups of what is asked for: "torque" of "which torque do the ..."."""
    return tuple(
        group for match in _FOCUS.finditer(question) for group in query_terms(match.group(1))
    )
