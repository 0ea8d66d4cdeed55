"""Question to ranked pages: lexical and dense candidates, page features, re-ranking."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop.core.retrieval.asked_codes import unnamed_codes
from desktop.core.retrieval.asked_pages import BY_LABEL, asked_labels, pages_with_labels
from desktop.core.retrieval.both_sides import with_both_sides
from desktop.core.retrieval.candidate import Candidate
from desktop.core.retrieval.dense import QuestionVector, nearest_units, pages_without_vectors
from desktop.core.retrieval.evidence_of_pages import evidence_of
from desktop.core.retrieval.features import (
    PageFeatures,
    add_unit_features,
    cover_units,
    value_told,
)
from desktop.core.retrieval.glossary import Glossary, field_glossary, product_glossary
from desktop.core.retrieval.lexical import (
    TermPages,
    best_pages,
    best_units,
    term_pages,
    units_saying,
)
from desktop.core.retrieval.preference import Preference
from desktop.core.retrieval.question import Question
from desktop.core.retrieval.ranking import FIRST_STAGE, PAGE_WEIGHTS, WITH_MODEL, WORDS_ALONE
from desktop.core.retrieval.rerank import OpenPage, best_quotes, open_pages
from desktop.core.retrieval.revisions import newer_for, without_older
from desktop.core.retrieval.routing import Route, Shelf, read_shelf, routes, telling_groups
from desktop.core.retrieval.similarity_scale import SimilarityScale, measure_scale
from desktop.core.retrieval.unit_vectors import UnitVectors
from desktop.core.retrieval.units import units_of_pages
from desktop.core.retrieval.widening import Readable, widened

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

    from desktop.core.retrieval.evidence import Evidence
    from desktop.core.retrieval.preference import Preferences
    from desktop.core.retrieval.query import Query
    from desktop.core.retrieval.question import TermGroup
    from desktop.core.settings.sections import RetrievalSettings
    from desktop.core.store.database import Database
    from desktop.models.roles import TextEmbedder


@dataclass(frozen=True, slots=True)
class _Found:
    """What one read of the library gives. opened: the first pages, by page id."""

    question: Question
    candidates: list[Candidate]
    opened: dict[int, OpenPage]


class Searcher:
    """Searches one library; may be used from any thread."""

    def __init__(
        self,
        database: Database,
        embedder: TextEmbedder | None,
        settings: RetrievalSettings,
        preferences: Preferences | None = None,
        vectors: UnitVectors | None = None,
    ) -> None:
        """Keep the parts; preferences tells manuals of one product apart, if there is one.

        vectors: those of this library, where another searcher holds them as well.
        """
        self._database = database
        self._embedder = embedder
        self._settings = settings
        self._preferences = preferences
        self._vectors = vectors or UnitVectors()
        self._scale: SimilarityScale | None = None  # measured with the first question

    def search(self, query: Query) -> list[Evidence]:
        """Return the pages that best answer the query, best first.

        An empty list means that no word of the question occurs in the manuals.
        """
        question, ranked = self._rank(query)

        def read(connection: apsw.Connection) -> list[Evidence]:
            unnamed = unnamed_codes(connection, query.text)
            pages = evidence_of(connection, ranked[: query.limit]).values()
            return [replace(page, unnamed=unnamed, asked=question) for page in pages]

        return self._database.read(read)

    def _rank(self, query: Query) -> tuple[Question, list[Candidate]]:
        """Return the question as it was searched, and the candidates, best first."""
        preference = self._preference(query)
        glossaries = self._glossaries(query)

        def read(connection: apsw.Connection) -> _Found:
            question = Question.parse(query.text)
            documents = query.documents(connection)
            if documents == ():
                return _Found(question, [], {})
            shelf = read_shelf(connection)
            occurrences = term_pages(connection, question.groups)
            routed = routes(question, occurrences, shelf)
            manuals = Readable.of(shelf.languages, routed, documents or ())
            wide = widened(connection, question, manuals, glossaries)
            if wide is not question:
                question, occurrences = wide, term_pages(connection, wide.groups)
                routed = routes(question, occurrences, shelf)
            asked = self._vector(question.wording)
            telling = telling_groups(question, occurrences, shelf)
            candidates = self._candidates(
                connection, question, telling, asked, documents or (), shelf
            )
            _first_stage(candidates, occurrences, routed, preference)
            candidates = _named_first(candidates)
            kept = candidates[: self._settings.pages_read]
            _second_stage(connection, kept, question, telling, occurrences, routed)
            opened = open_pages(connection, kept[: self._settings.rerank_pages])
            return _Found(question, kept, opened)

        found = self._database.read(read)
        candidates = self._reranked(found.question, found.candidates, found.opened)
        candidates = self._newest(query.text, candidates)
        together = preference.kept_together(candidates)
        return found.question, _named_first(with_both_sides(found.question, together))

    def _candidates(
        self,
        connection: apsw.Connection,
        question: Question,
        telling: Sequence[TermGroup],
        asked: QuestionVector | None,
        documents: Sequence[int],
        shelf: Shelf,
    ) -> list[Candidate]:
        found: dict[int, Candidate] = {}

        def candidate(page_id: int, searcher: str) -> Candidate:
            if page_id not in found:
                document = shelf.page_documents[page_id]
                found[page_id] = Candidate(page_id, document, PageFeatures(), [])
            if searcher not in found[page_id].found_by:
                found[page_id].found_by.append(searcher)
            return found[page_id]

        settings = self._settings
        for page_id in pages_with_labels(connection, asked_labels(question.text), documents):
            candidate(page_id, BY_LABEL)
        if question.groups:
            pages = best_pages(connection, question.groups, documents, settings.lexical_pages)
            best = max(pages.values(), default=1.0)
            for page_id, score in pages.items():
                candidate(page_id, "page words").features.page_bm25 = score / best
            units = best_units(
                connection, telling, documents, settings.lexical_units, shelf.title_terms
            )
            best = max(units.values(), default=1.0)
            for page_id, score in _best_per_page(connection, units).items():
                candidate(page_id, "passage words").features.unit_bm25 = score / best
        if asked is not None:
            near = nearest_units(connection, asked, documents, settings.dense_units, self._vectors)
            for page_id, score in _best_per_page(connection, near).items():
                candidate(page_id, "meaning").features.dense = asked.scale.of(score)
            nearest = asked.scale.of(max(near.values(), default=0.0))
            for page_id in pages_without_vectors(connection, found):
                found[page_id].could_be_near = nearest
        return list(found.values())

    def _newest(self, question: str, candidates: list[Candidate]) -> list[Candidate]:
        """Leave out what a newer revision of the same manual says as well."""
        ids = {candidate.document_id for candidate in candidates}
        if not self._settings.newest_revision or len(ids) < 2:
            return candidates
        newer = self._database.read(lambda c: newer_for(c, ids, question))
        covers = [(candidate.document_id, candidate.cover) for candidate in candidates]
        stay = without_older(newer, covers)
        return [candidate for candidate, stays in zip(candidates, stay, strict=True) if stays]

    def _glossaries(self, query: Query) -> tuple[Glossary, ...]:
        """Return what may be said otherwise, of the products first."""
        if self._preferences is None:
            return (field_glossary(),)
        return product_glossary(self._preferences.glossary(query.text)), field_glossary()

    def _preference(self, query: Query) -> Preference:
        if self._preferences is None:
            return Preference()
        return Preference(self._preferences.preferred(query.text))

    def _vector(self, text: str) -> QuestionVector | None:
        if self._embedder is None:
            return None
        if self._scale is None:
            self._scale = measure_scale(self._embedder)
        (vector,) = self._embedder.embed_queries([text])
        return QuestionVector(self._embedder.model_id, vector, self._scale)

    def _reranked(
        self, question: Question, candidates: Sequence[Candidate], opened: dict[int, OpenPage]
    ) -> list[Candidate]:
        """Return the candidates, the opened ones first, as their best quotes order them."""
        first = [candidate for candidate in candidates if candidate.page_id in opened]
        pages = [opened[candidate.page_id] for candidate in first]
        quotes = best_quotes(question, pages, self._embedder, self._settings.rerank_quotes)
        weights = WITH_MODEL if self._embedder is not None else WORDS_ALONE
        for candidate, quote in zip(first, quotes, strict=True):
            candidate.features.value_told = value_told(question, candidate.route, candidate.units)
            candidate.features.quote = quote
            candidate.score = candidate.features.weighted(weights)
        first.sort(key=lambda c: -c.score)
        return first + [c for c in candidates if c.page_id not in opened]


def _best_per_page(connection: apsw.Connection, units: dict[int, float]) -> dict[int, float]:
    """Return page id -> best score of its units."""
    marks = ",".join("?" * len(units))
    rows = connection.execute(f"SELECT id, page_id FROM units WHERE id IN ({marks})", tuple(units))
    best: dict[int, float] = {}
    for unit_id, page_id in rows:
        best[page_id] = max(best.get(page_id, 0.0), units[unit_id])
    return best


def _named_first(candidates: list[Candidate]) -> list[Candidate]:
    """Put the pages that the question names by their labels first, else leave the order."""
    return sorted(candidates, key=lambda candidate: BY_LABEL not in candidate.found_by)


def _first_stage(
    candidates: list[Candidate],
    occurrences: Sequence[TermPages],
    routed: dict[int, Route],
    preference: Preference,
) -> None:
    for candidate in candidates:
        route = routed[candidate.document_id]
        covered = sum(
            weight
            for weight, places in zip(route.weights, occurrences, strict=True)
            if candidate.page_id in places.pages
        )
        candidate.features.page_cover = covered / (sum(route.weights) or 1.0)
        # Else a page that is embedded already would go before the one that answers.
        candidate.features.dense += candidate.could_be_near * candidate.features.page_cover
        candidate.features.named = route.named
        candidate.features.off_route = preference.off_route(candidate.document_id)
        candidate.features.foreign = route.foreign
        candidate.route = route
        candidate.score = candidate.features.weighted(FIRST_STAGE)
    candidates.sort(key=lambda c: (-c.score, c.page_id))


def _second_stage(
    connection: apsw.Connection,
    candidates: list[Candidate],
    question: Question,
    telling: Sequence[TermGroup],
    occurrences: Sequence[TermPages],
    routed: dict[int, Route],
) -> None:
    units = units_of_pages(connection, [c.page_id for c in candidates])
    saying = units_saying(connection, telling) if telling else frozenset()
    for candidate in candidates:
        route = routed[candidate.document_id]
        on_page = [candidate.page_id in places.pages for places in occurrences]
        own = units[candidate.page_id]
        candidate.units = cover_units(question, route, on_page, own, saying)
        add_unit_features(candidate.features, question, route, candidate.units)
        candidate.score = candidate.features.weighted(PAGE_WEIGHTS)
    candidates.sort(key=lambda c: (-c.score, c.page_id))
