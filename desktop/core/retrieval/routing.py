"""Which manuals a question is for: the one it names, the one for its task, the newer revision."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from desktop.core.library.documents import some_documents
from desktop.core.library.editions import asks_for, newer_revisions
from desktop.core.question.tokens import index_terms
from desktop.core.reader.evidence import known_as

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import apsw
    import numpy as np
    from numpy.typing import NDArray

    from desktop.core.question.query import Question, TermGroup
    from desktop.core.reader.evidence import Evidence
    from desktop.core.retrieval.lexical import TermPages, TextIndex
    from desktop.core.store.postings import Lengths


# A word of a manual's name, or on this share of its pages, is part of its identity if it stands
# hardly elsewhere. Of 898 questions of `choose` that name no manual, asked of theirs and four
# others, it named one for 148, the right one in 0.87; with 0.15 and 0.1 for 235, right in 0.70.
# Of 78 that name theirs all were told alike, and the right one in all of them.
_OWN_SHARE = 0.6
_ELSEWHERE_SHARE = 0.02
# Inside the manual it names, an identity word tells one page from another this much.
_IDENTITY_WEIGHT = 0.3
# A word of a title on this share of all pages finds no passage: BM25 gives it a weight of 0.
_EVERYWHERE = 0.5


@dataclass(frozen=True, eq=False)
class Shelf:
    """The manuals of the library as routing sees them.

    page_counts: document id -> indexed pages. names: document id -> terms of its title
    and file name. page_documents: by page id, its document, 0 where there is no such page.
    """

    page_counts: Mapping[int, int]
    names: Mapping[int, frozenset[str]]
    page_documents: NDArray[np.uint32]

    def document_of(self, page_id: int) -> int | None:
        """Return the document of a page, None for a page that is not there."""
        found = page_id < len(self.page_documents) and int(self.page_documents[page_id])
        return found or None

    @cached_property
    def pages(self) -> int:
        """How many pages all manuals have."""
        return sum(self.page_counts.values())

    @cached_property
    def title_terms(self) -> frozenset[str]:
        """The terms of all titles and file names."""
        return frozenset(self.named)

    @cached_property
    def named(self) -> Mapping[str, Sequence[int]]:
        """The documents that a term of their title or file name names, by that term."""
        found: dict[str, list[int]] = {}
        for document, terms in self.names.items():
            for term in terms:
                found.setdefault(term, []).append(document)
        return found


@dataclass(frozen=True, slots=True)
class Route:
    """How a question relates to one manual.

    named: weight of the question's words that name this manual, 0 to 1 relative to the
    best manual. weights: one per term group: how well the word tells pages of it apart. absent: the
    groups that none of its pages has. alone: a word of the question is of its name, and no other
    manual has it.
    """

    named: float
    weights: tuple[float, ...]
    absent: frozenset[TermGroup] = frozenset()
    alone: bool = False


UNKNOWN_ROUTE = Route(0.0, ())
"""Before a question was compared with the manual."""


def read_shelf(connection: apsw.Connection, index: TextIndex) -> Shelf:
    """Read what routing needs of every document."""
    lengths = index.lengths(connection, "page")
    rows: Any = connection.execute("SELECT id, title, name, language FROM documents").fetchall()
    return _shelf(tuple(rows), lengths)


@lru_cache(maxsize=4)  # most questions find the same manuals as the one before
def _shelf(rows: tuple[tuple[int, str, str, str], ...], lengths: Lengths) -> Shelf:
    names = {
        document: frozenset(index_terms(known_as(title, name), language).split())
        for document, title, name, language in rows
    }
    return Shelf(lengths.per_document, names, lengths.documents)


def routes(
    question: Question, occurrences: Sequence[TermPages], shelf: Shelf, documents: Collection[int]
) -> dict[int, Route]:
    """Return the routes to some manuals that have pages.

    occurrences: the pages of each term group of the question, in the same order.
    """
    total = max(1, shelf.pages)
    rarity = [_rarity(len(o.pages), total) for o in occurrences]
    identity: dict[int, float] = {}
    telling: list[set[int]] = []
    alone: set[int] = set()
    for group, found, rare in zip(question.groups, occurrences, rarity, strict=True):
        in_name = {document for term in group for document in shelf.named.get(term, ())}
        telling.append(in_name.intersection(shelf.page_counts))
        counts = shelf.page_counts
        on_most = {d for d, here in found.per_document.items() if here / counts[d] > _OWN_SHARE}
        for document in telling[-1] | on_most:
            elsewhere = _share_elsewhere(found, document, total - counts[document])
            if elsewhere < _ELSEWHERE_SHARE:
                identity[document] = identity.get(document, 0.0) + rare
                telling[-1].add(document)
            if document in in_name and not elsewhere:
                alone.add(document)
    best = max(identity.values(), default=0.0) or 1.0
    by_group = list(zip(question.groups, occurrences, strict=True))
    found_routes = {}
    for document in documents:
        pages = shelf.page_counts[document]
        row = []
        for found, rare, named in zip(occurrences, rarity, telling, strict=True):
            weight = 0.5 * rare + 0.5 * _rarity(found.per_document.get(document, 0), pages)
            row.append(weight * _IDENTITY_WEIGHT if document in named else weight)
        absent = frozenset(g for g, o in by_group if document not in o.per_document)
        share = identity.get(document, 0.0) / best
        found_routes[document] = Route(share, tuple(row), absent, document in alone)
    return found_routes


def _share_elsewhere(found: TermPages, document: int, others: int) -> float:
    """Return on which share of the pages of all other manuals a word stands. others: these."""
    return (len(found.pages) - found.per_document.get(document, 0)) / max(1, others)


def naming_groups(
    question: Question, occurrences: Sequence[TermPages], shelf: Shelf
) -> frozenset[TermGroup]:
    """Return the groups that name a manual among others, none if the question says nothing else.

    Of one manual alone the words of its title are its subject: "motor" in that of two motors.

    A manual is not said to be itself on each of its pages: read with such a name, what answers
    looks less like it. 86 questions of `choose`, asked "... on the Growatt?" of 18 manuals, have
    their page first in 0.67 without the name and in 0.63 with it, and 0.09 are refused, not 0.19
    (of 24 that nothing answers 0.38 and 0.46); 72 that name their manual themselves 0.69 and 0.67.
    """
    total, counts = shelf.pages, shelf.page_counts
    found: set[TermGroup] = set()
    if len(counts) < 2:
        return frozenset()
    for group, places in zip(question.groups, occurrences, strict=True):
        named = {document for term in group for document in shelf.named.get(term, ())}
        for document in named.intersection(counts):
            others = total - counts[document]
            if _share_elsewhere(places, document, others) < _ELSEWHERE_SHARE:
                found.add(group)
    return frozenset(found) if len(found) < len(question.groups) else frozenset()


def telling_groups(
    question: Question, occurrences: Sequence[TermPages], shelf: Shelf
) -> list[TermGroup]:
    """Return the term groups that tell passages apart; all of them if none does.

    Left out is the name of a product that is printed on every other page: reading every
    passage that says it took half the time of a search, and the manual is known by it
    anyway.
    """
    most, titles = _EVERYWHERE * shelf.pages, shelf.title_terms
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

    def kept_together(self, ranked: list[Evidence]) -> list[Evidence]:
        """Return pages with every manual that is asked for alike among the first ones.

        Only if the first page is of one of them: else the question is about something else.
        """
        for opinion in self.opinions:
            alike = [document for document, weight in opinion.items() if weight == 1.0]
            if len(alike) > 1 and ranked and ranked[0].document_id in alike:
                ranked = _with_best_of(alike, ranked)
        return ranked


def _with_best_of(documents: Sequence[int], ranked: list[Evidence]) -> list[Evidence]:
    """Move the best page of each document that the first pages lack to their end."""
    shown = {page.document_id for page in ranked[:FIRST_PAGES]}
    least = _LEAST_COVER * ranked[0].cover
    best: dict[int, Evidence] = {}
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
    documents = some_documents(connection, document_ids)
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
