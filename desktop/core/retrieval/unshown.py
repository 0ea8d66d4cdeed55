"""What an answer would have to show, and no statement of the page does.

Manuals give weights, torques, part numbers and intervals for many things; who asks for one
they do not give is easily answered with its neighbour's. So a statement answers only if it
shows a value of the kind that is asked for, or the work that is asked about, together with
something of the thing in question.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop.core.retrieval.asked_values import (
    kind_words,
    sharp_kinds,
    tells_time,
    without_own_codes,
)
from desktop.core.retrieval.tokens import index_term_set, query_terms
from desktop.core.structure.units import CONTEXT_SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from desktop.core.retrieval.evidence import Evidence
    from desktop.core.retrieval.question import Question, TermGroup
    from desktop.core.retrieval.quote_ranking import RankedQuote

# So many of the best statements are looked at.
_AMONG = 8
# Of the words for the thing, weighed by their rarity, a statement must have this share.
_LEAST_SHARE = 0.2
_NO_STATEMENTS = frozenset({"label", "heading"})
_INTERVAL = re.compile(
    r"how often|interval|after (how many|which|what)|when must|when (do|does) .* (have|need) to"
    r"|how many (years|months|hours)|wie oft|nach wie viel|wann muss",
    re.IGNORECASE,
)

# "charging current", "rotation test": the first word tells the second from its like.
_QUALIFIED = re.compile(
    r"\b([a-z][a-z-]{2,}) (?:current|voltage|pressure|speed|temperature|torque|time|code|test|power"
    r"|resistance|frequency|load|capacity|number|life|cycles?|rate|level|class|rating|value|range"
    r"|volume|weight|length|interval)\b",
    re.IGNORECASE,
)
_ASKS_WHICH = re.compile(r"\b(what|which|how (long|many|much|high|large))\b", re.IGNORECASE)


def _terms(words: str) -> frozenset[str]:
    return frozenset(term for group in query_terms(words) for term in group)


# Words for the same work, English and German.
_WORKS = tuple(
    _terms(words)
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
# They say nothing of the thing that is asked about.
_GENERAL = _terms(
    "max maximum minimum largest highest permitted allowed need needed required standard number"
    " value type take does have used use rating point best order apply applies"
)


def lacks_value(question: Question, page: Evidence, ranked: Sequence[RankedQuote]) -> bool:
    """Whether a kind of value is named outright that no statement about the thing shows."""
    kinds = sharp_kinds(question.text)
    if not kinds:
        return False
    groups = _thing(question, page, set(kind_words(question.text)))
    said = [
        _told(item, question)
        for item in _statements(ranked)
        if _share(groups, f"{item.quote.text} {item.quote.context}") >= _LEAST_SHARE
    ]
    return any(not any(kind.search(text) for text in said) for kind in kinds)


def lacks_work(question: Question, page: Evidence, ranked: Sequence[RankedQuote]) -> bool:
    """Whether it asks how often work is done, and no statement names work, thing and time."""
    if not _INTERVAL.search(question.text):
        return False
    asked = {term for group in question.groups for term in group}
    for work in _WORKS:
        if not work & asked:
            continue
        spoken = {group for group in question.groups if work.intersection(group)}
        groups = _thing(question, page, spoken | set(kind_words(question.text)))
        if not any(_does(work, groups, item) for item in _statements(ranked)):
            return True
    return False


def lacks_qualifier(question: Question, page: Evidence, ranked: Sequence[RankedQuote]) -> bool:
    """Whether no statement says which one of its like is asked for: "charging" current."""
    left_out = set(kind_words(question.text))
    title = index_term_set(page.title)
    said = [index_term_set(f"{i.quote.text} {i.quote.context}") for i in _statements(ranked)]
    for sentence in re.split(r"[.?!;]\s", question.text):
        if not _ASKS_WHICH.search(sentence):
            continue
        for match in _QUALIFIED.finditer(sentence):
            for group in query_terms(match.group(1)):
                known = group in left_out or _GENERAL & set(group) or title.intersection(group)
                if not known and not any(terms.intersection(group) for terms in said):
                    return True
    return False


def _told(item: RankedQuote, question: Question) -> str:
    """Return what a statement tells; of a row of figures also the units above their columns."""
    text = without_own_codes(item.quote.text, question.text)
    if item.quote.kind != "row" or not any(character.isdigit() for character in text):
        return text
    above = " ".join(item.quote.context.split(CONTEXT_SEPARATOR)[-2:])
    return " ".join([text, *(f"| 0 {word}" for word in re.findall(r"[^\W\d_]+|[°%]C?", above))])


def _does(
    work: Collection[str], groups: Sequence[tuple[TermGroup, float]], item: RankedQuote
) -> bool:
    text = f"{item.quote.text} {item.quote.context}"
    names = bool(index_term_set(item.quote.text).intersection(work))
    return names and tells_time(text) and _share(groups, text) >= _LEAST_SHARE


def _statements(ranked: Sequence[RankedQuote]) -> Iterator[RankedQuote]:
    """Yield the best quotes that state something: a drawing's words lie together by chance."""
    stating = [item for item in ranked if item.quote.kind not in _NO_STATEMENTS]
    yield from stating[:_AMONG]


def _thing(
    question: Question, page: Evidence, others: Collection[TermGroup]
) -> list[tuple[TermGroup, float]]:
    """Return the words for the thing that is asked about, with what each is worth."""
    title = index_term_set(f"{page.title} {page.document.rsplit('.', 1)[0].replace('_', ' ')}")
    weights = page.term_weights or (1.0,) * len(question.groups)
    return [
        (group, weight)
        for group, weight in zip(question.groups, weights, strict=True)
        if group not in others and not title.intersection(group) and not _GENERAL & set(group)
    ]


def _share(groups: Sequence[tuple[TermGroup, float]], text: str) -> float:
    """Return the weighed share of the words that a text says; 1 without words."""
    total = sum(weight for _, weight in groups)
    terms = index_term_set(text)
    said = sum(weight for group, weight in groups if terms.intersection(group))
    return said / total if total else 1.0
