"""Which manuals a question is for: the one it names, the one for its task, the newer revision."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from desktop.core.library.documents import one_document
from desktop.core.library.editions import asks_for, newer_revisions
from desktop.core.question.tokens import index_terms
from desktop.core.reader.evidence import known_as

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import apsw

    from desktop.core.question.query import Question, TermGroup
    from desktop.core.retrieval.lexical import TermPages


# A word on this share of a manual's pages, and hardly elsewhere, is part of its identity.
_OWN_SHARE = 0.6
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
    and file name. page_documents: page id -> document id.
    """

    page_counts: Mapping[int, int]
    names: Mapping[int, frozenset[str]]
    page_documents: Mapping[int, int]

    @property
    def title_terms(self) -> frozenset[str]:
        """The terms of all titles and file names."""
        return frozenset().union(*self.names.values())


@dataclass(frozen=True, slots=True)
class Route:
    """How a question relates to one manual.

    named: weight of the question's words that name this manual, 0 to 1 relative to the
    best manual. weights: one a term group: how well the word tells pages of it apart.
    """

    named: float
    weights: tuple[float, ...]


UNKNOWN_ROUTE = Route(0.0, ())
"""Before a question was compared with the manual."""


def read_shelf(connection: apsw.Connection) -> Shelf:
    """Read what routing needs of every document."""
    pages: dict[int, int] = dict(connection.execute("SELECT id, document_id FROM pages"))
    names: dict[int, frozenset[str]] = {}
    for document, title, name, language in connection.execute(
        "SELECT id, title, name, language FROM documents"
    ):
        names[document] = frozenset(index_terms(known_as(title, name), language).split())
    return Shelf(Counter(pages.values()), names, pages)


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
    return {document: Route(named[document] / best, weights[document]) for document in named}


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


def _rarity(count: int, total: int) -> float:
    """Return BM25's inverse document frequency."""
    return math.log(1 + (total - count + 0.5) / (count + 0.5))


FIRST_PAGES = 3
"""Among so many pages stands every manual of one product that is asked for alike."""

# A page that says much less of what was asked than the first one does not help.
_LEAST_COVER = 0.5


class Preferences(Protocol):
    """Knows which manuals belong together and what each is for; blocking, any thread."""

    def preferred(self, question: str) -> Sequence[Mapping[int, float]]:
        """Return an opinion per product: document id -> 0 to 1.

        1: nothing speaks for another manual instead. Several with 1 are to be looked at
        together. A product without an opinion is left out.
        """


class Ranked(Protocol):
    """A page in a ranking: its manual, and the share of the question's words on it."""

    @property
    def document_id(self) -> int:
        """The page's manual."""

    @property
    def cover(self) -> float:
        """Weighted share of the question's words on the page, 0 to 1."""


Page = TypeVar("Page", bound=Ranked)


@dataclass(frozen=True, slots=True)
class Preference:
    """The opinions about one question."""

    opinions: Sequence[Mapping[int, float]] = ()

    def off_route(self, document_id: int) -> float:
        """Return how much speaks for another manual of the same product, 0 to 1.

        It compares manuals of one product only: a manual that no domain covers, and the
        one that is asked for, both have 0.
        """
        return max((1 - each.get(document_id, 1.0) for each in self.opinions), default=0.0)

    def kept_together(self, ranked: list[Page]) -> list[Page]:
        """Return pages with every manual that is asked for alike among the first ones.

        Only if the first page is of one of them: else the question is about something else.
        """
        for opinion in self.opinions:
            alike = [document for document, weight in opinion.items() if weight == 1.0]
            if len(alike) > 1 and ranked and ranked[0].document_id in alike:
                ranked = _with_best_of(alike, ranked)
        return ranked


def _with_best_of(documents: Sequence[int], ranked: list[Page]) -> list[Page]:
    """Move the best page of each document that the first pages lack to their end."""
    shown = {page.document_id for page in ranked[:FIRST_PAGES]}
    least = _LEAST_COVER * ranked[0].cover
    best: dict[int, Page] = {}
    for page in ranked[FIRST_PAGES:]:
        if page.document_id in documents and page.cover >= least:
            best.setdefault(page.document_id, page)
    moved = [page for document, page in best.items() if document not in shown]
    kept = [page for page in ranked if not any(page is other for other in moved)]
    place = max(1, FIRST_PAGES - len(moved))
    return [*kept[:place], *moved, *kept[place:]]


_LEAST_SHARE = 0.8
"""A page says as much as another one if it has this share of its words of the question."""


def newer_for(
    connection: apsw.Connection, document_ids: Collection[int], question: str
) -> dict[int, int]:
    """Return older document id -> the newer one, of those found for a question.

    An older revision that the question asks for is not among them.
    """
    documents = {each: one_document(connection, each) for each in document_ids}
    newer = newer_revisions(documents.values())
    return {old: new for old, new in newer.items() if not asks_for(question, documents[old])}


def without_older(newer: Mapping[int, int], found: Sequence[tuple[int, float]]) -> list[bool]:
    """Return which pages of a ranking stay.

    newer: as `newer_for` returns. found: document and cover (how much of the question a page
    says, 0 to 1) of each page.
    """
    best: dict[int, float] = {}
    for document_id, cover in found:
        best[document_id] = max(best.get(document_id, 0.0), cover)
    return [
        newer.get(document_id) not in best or best[newer[document_id]] < _LEAST_SHARE * cover
        for document_id, cover in found
    ]
