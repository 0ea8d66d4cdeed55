"""What one sentence or row says: of what, which values, which of some kinds, yes or no."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from desktop.core.research.comparison.quantities import quantities_of, without_quantities
from desktop.core.retrieval.tokens import UNITS, index_term_set, query_terms
from desktop.core.structure.tables import CELL_SEPARATOR

if TYPE_CHECKING:
    from desktop.core.research.comparison.quantities import Quantity

# Of each kind a thing is one; naming another one contradicts.
_KINDS = tuple(
    tuple(frozenset(re.split(r"[ ,]+", member)) for member in kind.split(" | "))
    for kind in (
        "red,rot,rote | green,grün,grüne | yellow,gelb,gelbe | blue,blau,blaue | black,schwarz"
        " | white,weiß,weiss | brown,braun | orange | grey,gray,grau",
        "clockwise | counterclockwise,anticlockwise,counter-clockwise,anti-clockwise",
        "left,links,left-hand | right,rechts,right-hand",
        "open,opened,opens,offen,öffnen | closed,close,closes,shut,geschlossen,schließen",
        "before,vor | after,nach",
        "above,oberhalb | below,unterhalb",
        "minimum,least,mindestens | maximum,most,höchstens",
        "suction | discharge",
        "internal | external",
        "ac | dc",
    )
)
_QUALIFIERS = frozenset({"internal", "external", "suction", "discharge", "ac", "dc"})
"""These say which thing is meant: another one is another subject, and no contradiction."""
_WORD = re.compile(r"[^\W_]+(?:[-’'][^\W_]+)*")
_CODE = re.compile(r"\b(?=[\w-]*\d)(?=[\w-]*[^\W\d_])[^\W_]+(?:-[^\W_]+)*(?::\d+)?\b")
_UNIT_AFTER = re.compile(r"^\d+(?:[.,]\d+)?[^\W\d_]{1,3}[²³]?$")
_NEXT = 3
_CONDITION = re.compile(
    r"\b(?:after|if|when|once|until|unless|during|nach|wenn|falls|sobald)\b[^,.;:]*$", re.IGNORECASE
)
_REASON = re.compile(
    r"[:;]\s|\s[-–—]\s|\b(?:because|since|otherwise|weil|denn|sonst)\b", re.IGNORECASE
)
_NUMBER_CODE = re.compile(r"\b\d{2,}-\d{2,}\b")
_OBSERVED = re.compile(
    r"\b(?:measured|observed|noticed|saw|seen|reported|repaired|heard|needed|took|lasted|went|got"
    r"|had|gave|became|yesterday|today|last (?:week|month|year|night|winter|summer|time)"
    r"|this (?:morning|week)|gemessen|beobachtet|gestern|heute)\b|\b(?:was|were|has been|wurden?)\b"
    r"|\b(?:we|i|they|he|she)\s+\w+ed\b",
    re.IGNORECASE,
)


class Statement:
    """text: its words. context: what gives them meaning: headings, a table's header.

    number: of the source in the context of the research. told: how a person reads it, a row
    with its column headings.
    """

    def __init__(self, text: str, context: str = "", number: int = 0, told: str = "") -> None:
        self.text = " ".join(text.split())
        self.context = context
        self.number = number
        self.told = told or self.text

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """Its values."""
        return quantities_of(self.text)

    @cached_property
    def codes(self) -> frozenset[str]:
        """Names of parts and places, "X4:1", "S-130", "72-2011", in small letters."""
        found = {code for code in _CODE.findall(self.text) if not _UNIT_AFTER.match(code)}
        found.update(_NUMBER_CODE.findall(self.text))
        return frozenset(code.casefold() for code in found)

    @cached_property
    def claim(self) -> str:
        """Its words without the reason that it gives for its value: no manual has that."""
        for sign in _REASON.finditer(self.text):
            claim, reason = self.text[: sign.start()], self.text[sign.end() :]
            if quantities_of(claim) and not quantities_of(reason):
                return claim
        return self.text

    @cached_property
    def subject(self) -> tuple[tuple[str, ...], ...]:
        """The term groups of what it claims something of: values, units and kinds left out."""
        return tuple(
            group
            for group in query_terms(without_quantities(self.claim))
            if not UNITS.intersection(group)
            and not any(term.isdigit() for term in group)
            and not _is_kind(group)
        )

    @cached_property
    def terms(self) -> frozenset[str]:
        """Everything that it can be found by, its context's words among them."""
        return index_term_set(f"{self.text}\n{self.context}")

    @cached_property
    def own_terms(self) -> frozenset[str]:
        """The terms of its own words."""
        return index_term_set(self.text)

    @cached_property
    def kinds(self) -> dict[int, frozenset[int]]:
        """Which members of which kinds it names, in its words and not in its context."""
        words = {word.casefold() for word in _WORD.findall(self.text)}
        found: dict[int, frozenset[int]] = {}
        for position, kind in enumerate(_KINDS):
            named = frozenset(i for i, member in enumerate(kind) if member & words)
            if named:
                found[position] = named
        return found

    def around(self, value: Quantity) -> frozenset[str]:
        """Return the terms of the words next to a value: what it is the value of.

        In a row of a table all of it belongs together.
        """
        place = self.text.find(value.text)
        if CELL_SEPARATOR in self.text or place < 0:
            return self.terms
        before = _telling(self.text[:place])[-_NEXT:]
        after = _telling(self.text[place + len(value.text) :])[:_NEXT]
        return frozenset(term for terms in (*before, *after) for term in terms)

    def is_condition(self, value: Quantity) -> bool:
        """Whether a value says when something holds: "after a change of more than 1 bar"."""
        return bool(_CONDITION.search(self.text[: max(0, self.text.find(value.text))]))

    @property
    def observed(self) -> bool:
        """Whether it tells what somebody once saw or did, and no rule."""
        return bool(_OBSERVED.search(self.text))


def tells_apart(kind: int) -> bool:
    """Whether the members of a kind are different things and not different claims."""
    return any(member & _QUALIFIERS for member in _KINDS[kind])


def _telling(text: str) -> list[frozenset[str]]:
    """Return the terms of each word that is no stop word, value or unit, in order."""
    groups = (query_terms(word) for word in _WORD.findall(without_quantities(text)))
    return [
        frozenset(term for group in found for term in group)
        for found in groups
        if found and not any(UNITS.intersection(group) for group in found)
    ]


@lru_cache(maxsize=1)
def _kind_terms() -> frozenset[str]:
    words = (word for kind in _KINDS for member in kind for word in member)
    return frozenset(
        term
        for word in words
        if word not in _QUALIFIERS
        for group in query_terms(word)
        for term in group
    )


def _is_kind(group: tuple[str, ...]) -> bool:
    return any(term in _kind_terms() for term in group)
