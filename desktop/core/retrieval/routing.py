"""Which manuals a question names: product names and words that only one manual is full of."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop.core.retrieval.evidence import known_as
from desktop.core.retrieval.tokens import asked_language, index_terms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import apsw

    from desktop.core.retrieval.lexical import TermPages
    from desktop.core.retrieval.question import Question, TermGroup

# A word on this share of a manual's pages, and hardly elsewhere, is part of its identity.
_OWN_SHARE = 0.35
_ELSEWHERE_SHARE = 0.1
_TITLE_ELSEWHERE_SHARE = 0.15
# Inside the manual it names, an identity word tells one page from another this much.
_IDENTITY_WEIGHT = 0.3
# A word of a title on this share of all pages finds no passage: BM25 gives it a weight of 0.
_EVERYWHERE = 0.5


@dataclass(frozen=True, slots=True)
class Shelf:
    """The manuals of the library as routing sees them.

    page_counts: document id -> indexed pages. names: document id -> terms of its title
    and file name. page_documents: page id -> document id. languages: document id -> "en", "de".
    """

    page_counts: Mapping[int, int]
    names: Mapping[int, frozenset[str]]
    page_documents: Mapping[int, int]
    languages: Mapping[int, str] = field(default_factory=dict)

    @property
    def title_terms(self) -> frozenset[str]:
        """The terms of all titles and file names."""
        return frozenset().union(*self.names.values())


@dataclass(frozen=True, slots=True)
class Route:
    """How a question relates to one manual.

    named: weight of the question's words that name this manual, 0 to 1 relative to the
    best manual. weights: one a term group: how well the word tells pages of it apart.
    foreign: 1 if it is asked in the language of other manuals and does not name this one.
    """

    named: float
    weights: tuple[float, ...]
    foreign: float = 0.0


UNKNOWN_ROUTE = Route(0.0, ())
"""Before a question was compared with the manual."""


def read_shelf(connection: apsw.Connection) -> Shelf:
    """Read what routing needs of every document."""
    pages: dict[int, int] = dict(connection.execute("SELECT id, document_id FROM pages"))
    names: dict[int, frozenset[str]] = {}
    languages: dict[int, str] = {}
    for document, title, name, language in connection.execute(
        "SELECT id, title, name, language FROM documents"
    ):
        names[document] = frozenset(index_terms(known_as(title, name), language).split())
        languages[document] = language
    return Shelf(Counter(pages.values()), names, pages, languages)


def routes(question: Question, occurrences: Sequence[TermPages], shelf: Shelf) -> dict[int, Route]:
    """Return the route to every manual that has pages.

    occurrences: the pages of each term group of the question, in the same order.
    """
    document_of = shelf.page_documents.__getitem__
    per_group = [Counter(map(document_of, o.pages)) for o in occurrences]
    total = max(1, len(shelf.page_documents))
    rarity = [_rarity(len(o.pages), total) for o in occurrences]
    named: dict[int, float] = {}
    weights: dict[int, tuple[float, ...]] = {}
    for document, pages in shelf.page_counts.items():
        identity = 0.0
        row = []
        for group, counts, rare in zip(question.groups, per_group, rarity, strict=True):
            here = counts[document]
            elsewhere = (counts.total() - here) / max(1, total - pages)
            in_name = any(term in shelf.names[document] for term in group)
            own = here / pages > _OWN_SHARE and elsewhere < _ELSEWHERE_SHARE
            if own or (in_name and elsewhere < _TITLE_ELSEWHERE_SHARE):
                identity += rare
            weight = 0.5 * rare + 0.5 * _rarity(here, pages)
            row.append(weight * _IDENTITY_WEIGHT if own or in_name else weight)
        named[document] = identity
        weights[document] = tuple(row)
    best = max(named.values(), default=0.0) or 1.0
    foreign = _foreign(question.text, shelf)
    return {
        document: Route(
            named[document] / best,
            weights[document],
            float(document in foreign and not named[document]),
        )
        for document in named
    }


def telling_groups(
    question: Question, occurrences: Sequence[TermPages], shelf: Shelf
) -> list[TermGroup]:
    """Return the term groups that tell passages apart; all of them if none does.

    Left out is the name of a product that is printed on every other page: to read every passage
    that says it took half of the time of a search, and the manual is known by it anyway.
    """
    most, titles = _EVERYWHERE * len(shelf.page_documents), shelf.title_terms
    telling = [
        group
        for group, found in zip(question.groups, occurrences, strict=True)
        if len(found.pages) <= most or titles.isdisjoint(group)
    ]
    return telling or list(question.groups)


def _foreign(question: str, shelf: Shelf) -> frozenset[int]:
    """Return the manuals in another language than the question, if there are some in its own."""
    language = asked_language(question)
    if language not in shelf.languages.values():
        return frozenset()
    return frozenset(document for document, own in shelf.languages.items() if own != language)


def _rarity(count: int, total: int) -> float:
    """Return BM25's inverse document frequency."""
    return math.log(1 + (total - count + 0.5) / (count + 0.5))
