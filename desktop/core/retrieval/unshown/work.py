"""Work that is asked about, and that no statement of the page tells of the thing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop.core.retrieval.asked_values import kind_words, tells_time
from desktop.core.retrieval.tokens import index_term_set
from desktop.core.retrieval.unshown.statements import (
    AMONG,
    LEAST_SHARE,
    in_full,
    share_said,
    statements,
    terms_of,
    thing_of,
)
from desktop.core.structure.units import CONTEXT_SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from desktop.core.retrieval.evidence import Evidence
    from desktop.core.retrieval.question import Question, TermGroup
    from desktop.core.retrieval.quote_ranking import RankedQuote

_INTERVAL = re.compile(
    r"how (?:often|frequently)|interval|after (how many|which|what)|when must"
    r"|when (do|does) .* (have|need) to|how many (years|months|hours)|wie oft|nach wie viel"
    r"|wann muss",
    re.IGNORECASE,
)
# "How do I update the firmware of ...": the verb, and what it is done to.
_HOW_TO = re.compile(
    r"\b(?:how (?:do|can|should|must|could)\s+(?:i|we|you|one)\s+(?P<work>[a-z-]+)"
    r"|wie\s+(?P<werk>[^\W\d_]+)\s+(?:ich|man|wir))\s+(?P<thing>.+)",
    re.IGNORECASE,
)
_THING_ENDS = re.compile(
    r"\s+(?:of|on|in|from|with|over|to|into|for|at|before|after|using|via|and|when|if|des|der|am|im"
    r"|vom|von|mit|zu|zum|über|für|und|wenn)\b|[?,;.]",
    re.IGNORECASE,
)
# Words for the same work, English and German.
_WORKS = tuple(
    terms_of(words)
    for words in (
        "replace renew change exchange swap new ersetzen erneuern tauschen wechseln austauschen",
        "check inspect test examine verify prüfen kontrollieren",
        "clean wash reinigen säubern",
        "lubricate grease oil schmieren fetten",
        "tighten retighten anziehen nachziehen",
        "calibrate adjust align kalibrieren justieren",
        "service maintain warten",
    )
)
# How these are done is told in the word itself; how often is rarely asked of them.
_WAYS = (
    *_WORKS,
    *(
        terms_of(words)
        for words in (
            "update upgrade flash aktualisiere aktualisieren aktualisiert",
            "connect wire plug attach anschließen verbinden verbinde einstecken",
            "reset restart zurücksetzen setze",
            "install mount fit fix montieren montiere einbauen baue",
            "remove dismantle disconnect ausbauen entfernen entferne abnehmen",
            "export copy save download exportieren exportiere speichern speichere kopieren",
            "vent bleed entlüften entlüfte",
        )
    ),
)
# "| I |", "| R 2 years", "| x": what is done stands in a legend.
_LETTER_FOR_WORK = re.compile(r"\|\s*(?:[A-Z]|[xX✓✔•●])(?=\s|$)")


def lacks_work(question: Question, page: Evidence, ranked: Sequence[RankedQuote]) -> bool:
    """Whether it asks how often work is done, and no statement names work, thing and time."""
    if not _INTERVAL.search(question.text):
        return False
    asked = {term for group in question.groups for term in group}
    for work in _WORKS:
        if not work & asked:
            continue
        spoken = {group for group in question.groups if work.intersection(group)}
        groups = thing_of(question, page, spoken | set(kind_words(question.text)))
        if not any(_does(work, groups, item) for item in statements(ranked)):
            return True
    return False


def lacks_way(question: Question, ranked: Sequence[RankedQuote]) -> bool:
    """Whether it asks how work is done to a thing, and neither a statement nor a heading has both.

    A step of a section names the work alone where its heading names the thing.
    """
    match = _HOW_TO.search(question.text)
    if match is None:
        return False
    asked = terms_of(match["work"] or match["werk"])
    works = [work for work in _WAYS if work & asked]
    thing = terms_of(_THING_ENDS.split(match["thing"])[0])
    if not works or not thing:
        return False
    work = frozenset().union(*works)
    return not any(_tells_way(work, thing, item) for item in ranked[:AMONG])


def _does(
    work: Collection[str], groups: Sequence[tuple[TermGroup, float]], item: RankedQuote
) -> bool:
    """Whether a statement names work, thing and time.

    The row of a schedule may name no work: letters stand for it ("Brake fluid | I | R 2 years").
    """
    text = own = item.quote.text
    if index_term_set(own).intersection(work):
        text = in_full(item)
    elif item.quote.kind != "row" or not _LETTER_FOR_WORK.search(own):
        return False
    return tells_time(in_full(item)) and share_said(groups, text) >= LEAST_SHARE


def _tells_way(work: Collection[str], thing: Collection[str], item: RankedQuote) -> bool:
    """Whether a statement or one of its headings names both, or the two name one each.

    Of a work that only the statement names it must be a step.
    """
    text, *headings = (
        index_term_set(part)
        for part in (item.quote.text, *item.quote.context.split(CONTEXT_SEPARATOR))
    )
    if any(part.intersection(work) and part.intersection(thing) for part in (text, *headings)):
        return True
    if text.intersection(thing) and any(heading.intersection(work) for heading in headings):
        return True
    is_step = item.quote.kind == "item"
    return (
        is_step and bool(text.intersection(work)) and any(h.intersection(thing) for h in headings)
    )
