"""Kinds of value a question may ask for, and how each looks in a manual.

Wider than `Question.values`, which help to rank: here a kind counts only where its absence
says that a text does not answer ("how heavy" without any kilograms).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop.core.retrieval.tokens import query_terms

if TYPE_CHECKING:
    from desktop.core.retrieval.question import TermGroup

_COUNT = r"\d|\b(one|two|three|four|five|six|seven|eight|nine|ten|twelve|no|both|single)\b"
_TIME = (
    r"\d\s*(ms|s|sec|seconds?|min|minutes?|h|hours?|days?|weeks?|months?|years?|m|mm|cm|sekunden?"
    r"|minuten?|stunden?|tage|monate?|jahre?)\b|hourly|daily|weekly|monthly|yearly|annual|every"
    r"|\b(one|two|three|four|five|six|ten) (second|minute|hour|day|week|month|year)|once|always"
)
_LENGTH = r"\d\s?(mm2?|mm²|cm|m|km|inch|mil|\"|'')(?!\w)|\d×|x \d|\d x"
_KINDS = tuple(
    (re.compile(asks, re.IGNORECASE), re.compile(value, re.IGNORECASE))
    for asks, value in (
        (r"\bvolt|spannung|\bsupply\b|versorgung", r"\d\s?[mk]?v(dc|ac)?\b"),
        (r"\bcurrents?\b|milliamp|\bamp|strom\b|\bfuse rating", r"\d\s?[mµuk]?a\b"),
        (r"temperatur|how (hot|warm|cold)|wie (heiß|warm|kalt)", r"°\s?[cf]?|\d\s?c\b|degrees"),
        (
            r"how (long|often)|interval|duration|wie (lange|oft)|dauer\b|\btime\b|delay|life\b"
            r"|how many (years|days|hours|minutes|seconds|months)|when must|how old",
            _TIME,
        ),
        (r"resist|widerstand|pull-?up", r"\d\s?([kmg]?(ohm|ω)|[kmr]\b)"),
        (r"frequen|\bhz\b", r"\d\s?[kmg]?hz"),
        (r"\bpower consumption|leistung\b|\bwatt", r"\d\s?[km]?w\b"),
        (r"torque|drehmoment|tighten", r"\d\s?n\s?m\b"),
        (r"pressure|druck|\bpre-charge", r"\d\s?(m?bar|psi|[km]?pa)\b"),
        (r"weigh|gewicht|heavy|schwer\b|\bmass\b|how many (kg|gram)", r"\d\s?(kg|g|lbs?|t)\b"),
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
            r"\d\d-\d{3,}|[a-z]{2,}[a-z0-9]*[-_]?[a-z0-9]*\d|\b\d{4,}\b",
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
        (r"how (many|much)|wie viele?|\bnumber of\b", _COUNT),
        (r"(which|what) (menu|alarm code|pin)|menü|register|event id|pin number", r"\d"),
        (r"\bdate\b|next (service|inspection)", r"\d{4}|\d\d?\.\d\d?\."),
    )
)
_FOCUS = re.compile(
    r"\b(?:which|what|how many|how much|welche[nrsm]?|wie viele?)\s+"
    r"(?:kinds? of |types? of |sorts? of |is the |are the |the |other )?"
    r"([a-zäöüß][\w-]*(?:\s+[a-zäöüß][\w-]*)?)",
    re.IGNORECASE,
)


def asked_kinds(question: str) -> tuple[re.Pattern[str], ...]:
    """Return a pattern for each kind of value that a question asks for."""
    return tuple(value for asks, value in _KINDS if asks.search(question))


def missing_share(kinds: tuple[re.Pattern[str], ...], text: str) -> float:
    """Return the share of `kinds` that `text` does not show, 0 to 1; 0 without kinds."""
    return sum(not kind.search(text) for kind in kinds) / len(kinds) if kinds else 0.0


def focus_groups(question: str) -> tuple[TermGroup, ...]:
    """Return the term groups of what is asked for: "torque" of "which torque do the ..."."""
    return tuple(
        group for match in _FOCUS.finditer(question) for group in query_terms(match.group(1))
    )
