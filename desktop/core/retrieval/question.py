"""What a question asks for: its terms, and the kind of value that would answer it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from desktop.core.retrieval.tokens import query_pairs, query_terms, word_terms

TermGroup = tuple[str, ...]
"""Alternative index terms for one word of the question; any of them counts as the word."""

# What a question word asks for, and how such a value looks in a manual.
_VALUES: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(asks, re.I), re.compile(value, re.I))
    for asks, value in (
        (r"volt|spannung|supply|versorgung", r"\d\s?[mk]?v(dc|ac)?\b"),
        (r"current|milliamp|\bamp|strom|draw|consum", r"\d\s?[mµu]?a\b"),
        (r"temperatur", r"°\s?[cf]|\d\s?°"),
        (
            r"how (long|often)|interval|duration|wie (lange|oft)|dauer|tim(e|ing)\b",
            r"\d\s*(ms|s|sec|seconds?|min|minutes?|h|hours?|days?|weeks?|months?|years?"
            r"|m|mm|cm|sekunden?|minuten?|stunden?|tage|monate?|jahre?)\b",
        ),
        (r"resist|widerstand|pull-?up", r"\d\s?([km]?(ohm|ω)|[kmr]\b)"),
        (r"frequen", r"\d\s?[kmg]?hz"),
        (r"power|leistung|watt", r"\d\s?[km]?w\b"),
        (r"torque|drehmoment|tighten", r"\d\s?n\s?m\b"),
        (r"pressure|druck", r"\d\s?(m?bar|psi|[km]?pa)\b"),
        (r"weigh|gewicht|heavy", r"\d\s?(kg|g|lbs?)\b"),
        (
            r"dimension|size|tall|large|wide|height|length|cross-section|abmess|gr(ö|oe)(ss|ß)"
            r"|hoch|breit|querschnitt",
            r"\d\s?(mm|cm|m|inch|mil|\"|'')",
        ),
    )
)
_QUANTITY = re.compile(
    r"how (many|much|long|often|large|tall|high|far|big|heavy|wide)"
    r"|what (is the |are the )?(max|min|typ|def|standard|rated|nominal|value|voltage|current)"
    r"|what (is the |are the )?number|wie (viele?|lange?|oft|hoch|gro)"
    r"|which (\w+ )?number|menu number|tolerance|dimensions|format|auf welche[rs]?",
    re.IGNORECASE,
)
_PROCEDURE = re.compile(
    r"how (do|can|should|to|must)\b|how (is|are)\b.{0,80}\w(ed|one)\b"
    r"|what (must|should|has to) (be|i)|steps?\b|procedure"
    r"|(which|what) order|sequence|walk me|wie .{0,60}\bich\b|wie wird|vorgehen|schritt"
    r"|reihenfolge",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"\bwhere\b|which (menu|section|chapter|page|sheet|table|figure)|\bwo\b|in welche[mr]",
    re.IGNORECASE,
)
_PARTS = re.compile(r"\?\s*\S|\b(and|und|sowie|as well as)\b", re.IGNORECASE)
_COMPARES = re.compile(
    r"\b(compare|compared|versus|vs|both|differ|difference|respectively|vergleich\w*|beide\w*"
    r"|unterschied\w*)\b",
    re.IGNORECASE,
)
# "Compare what the manuals say about ..." is said to the reader, not of the equipment.
_ORDER_TO_COMPARE = re.compile(
    r"^\W*(?:please\s+)?(?:compare|vergleiche?n?)\b|\b(?:say|says|tell|tells)\s+about\b"
    r"|\bsagen?\s+(?:über|zu[mr]?)\b",
    re.IGNORECASE,
)
_ASKS_FORBIDDEN = re.compile(
    r"\b(?:must|may|should|shall|can|could)(?:n[o']t|\s+(?:\w+\s+){0,5}?(?:not|never))\b"
    r"|\bnot\s+(?:be\s+)?(?:allowed|permitted)|\bforbidden\b|\bprohibited\b|\bnever\b|\bverboten\b"
    r"|\b(?:darf|dürfen|soll|sollen)\b.*\b(?:nicht|nie|keine?[nrms]?)\b|\bnicht erlaubt\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Question:
    """A question as the searchers see it.

    groups: its meaningful words. pairs: words that follow each other directly. values:
    patterns of the values it asks for, empty if none. wants_number: whether a quantity is
    asked for. several: whether it asks for more than one thing. procedure: whether it asks
    how something is done. place: whether it asks where something stands. compares: whether
    it asks about two products at once. wording: what a text model reads, the text with what
    the manuals call its words.
    """

    text: str
    groups: tuple[TermGroup, ...]
    pairs: tuple[tuple[TermGroup, TermGroup], ...]
    values: tuple[re.Pattern[str], ...]
    wants_number: bool
    several: bool
    procedure: bool
    place: bool
    compares: bool
    wording: str

    @classmethod
    def parse(cls, text: str) -> Question:
        """Read a question; one without meaningful words has no groups."""
        plain = _ORDER_TO_COMPARE.sub(" ", text) if _COMPARES.search(text) else text
        return cls(
            text,
            tuple(query_terms(plain)),
            tuple(query_pairs(plain)),
            tuple(value for asks, value in _VALUES if asks.search(text)),
            bool(_QUANTITY.search(text)),
            bool(_PARTS.search(text)),
            bool(_PROCEDURE.search(text)),
            bool(_PLACE.search(text)),
            bool(_COMPARES.search(text)),
            text,
        )

    def widest(self, group: TermGroup) -> TermGroup:
        """Return what counts as a word of the question, here that of `group`."""
        return next((own for own in self.groups if group[0] in own), group)

    @property
    def asks_forbidden(self) -> bool:
        """Whether it asks what must not be done."""
        return bool(_ASKS_FORBIDDEN.search(self.text))

    def contradiction(self, text: str) -> float:
        """Return the share of the question's word pairs that `text` says differently.

        "internal battery" is said differently by a text that speaks of an external battery
        and of nothing internal.
        """
        words = word_terms(text)
        said = {term for terms in words for term in terms}
        asked = {term for group in self.groups for term in group}
        different = sum(
            not said.intersection(qualifier)
            and any(
                set(terms).intersection(noun) and before and not asked.intersection(before)
                for before, terms in pairwise(words)
            )
            for qualifier, noun in self.pairs
        )
        return different / len(self.pairs) if self.pairs else 0.0

    def value_share(self, text: str) -> float:
        """Return the share of asked-for kinds of value that `text` shows (0 to 1)."""
        if not self.values:
            return 0.0
        return sum(bool(value.search(text)) for value in self.values) / len(self.values)
