"""Question to pages: words, passages and meaning find candidates, the reader puts them in order."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Protocol

from desktop.core.library.units import NOT_STORED, Passage, units_of_pages
from desktop.core.page_words import PageWords
from desktop.core.question.languages import SEVERAL, language_among, language_in, languages_on
from desktop.core.question.parts import in_turn, sure_parts
from desktop.core.question.query import BY_LABEL, Question, asked_labels, pages_with_labels
from desktop.core.reader.evidence import Evidence, OfParts
from desktop.core.reader.reader import PageToRead, Reader, Reading
from desktop.core.reader.units import is_contents
from desktop.core.retrieval.in_context import (
    STANDS_ALONE,
    Retrieved,
    may_follow,
    read_in_context,
)
from desktop.core.retrieval.lexical import (
    TermPages,
    TextIndex,
    best_pages,
    best_units,
    term_pages,
    with_longer_codes,
)
from desktop.core.retrieval.routing import (
    UNKNOWN_ROUTE,
    Preference,
    Route,
    Shelf,
    naming_groups,
    newer_for,
    read_shelf,
    routes,
    telling_groups,
    without_older,
)
from desktop.core.retrieval.text_vectors import (
    QuestionVector,
    UnitVectors,
    nearest_units,
    pages_without_vectors,
)
from desktop.core.retrieval.visual_search import PICTURES, PictureScores
from desktop.sentences import template

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    import apsw

    from desktop.core.question.query import Query
    from desktop.core.retrieval.routing import Preferences
    from desktop.core.settings.sections import RetrievalSettings
    from desktop.core.store.database import Database
    from desktop.models.roles import TextEmbedder

PAGE_WORDS, PASSAGE_WORDS = template("page words"), template("passage words")
MEANING = template("meaning")
"""The names of these searchers in `Evidence.found_by`."""

PAGE_WEIGHTS: Final[Mapping[str, float]] = {
    "page_bm25": 1.0,
    "unit_bm25": 1.0,
    "dense": 1.0,
    "pictures": 1.0,
    "cover": 0.5,
    "named": 0.6,
    "off_route": -0.3,
    "other_language": -0.3,
}
"""The first stage: a weighted sum of what found a page, each relative to the best one found.

The weight of pictures is that of the words of pages: it is not measured, see docs/reader.md.
"""

_NAMED_PRIOR, _ALONE_PRIOR, _OFF_ROUTE_PRIOR, _OWN_LANGUAGE_PRIOR = 4.0, 8.0, -3.0, 0.5
_NO_CODE_PRIOR = -8.0
"""Added to the reader's scores: it was taught within one manual and knows of no other.

A word of its name that no other manual has leaves others no say: of 73 such questions of `choose`
that name a manual, and 43 of 898 that do not (theirs among five), it is of the right one in all.
A manual in the language of the question: see docs/reader.md, "Languages".

A manual that lacks a code of the question hardly answers it where another one has it: of 127
questions of `choose` with a code, asked of 18 manuals, the right manual is first for 98 (94 without
this; -4 gives 96).
"""
_NAMED = 0.5  # weight of the words that name a manual, beside the manual that is named most
_FIRST_PAGES = 5
_PAGES_OF_PART, _NEAREST_OF_PART = 6, 2
"""Pages that are looked at for a part of a question, and those nearest in meaning behind them.

Its words may not be the manual's, where that is in another language.
"""
_LEXICAL_PAGES, _LEXICAL_UNITS, _DENSE_UNITS = 80, 400, 150
"""How many the searchers bring into the first stage, as when the reader was measured."""
_PAGES_READ = 16
_LEAST_SHARE = 0.1
"""A manual is in a language that so many pages have, beside those of its main one."""
_SCALED_AMONG = 50  # pages that one searcher found
_PICTURE_PAGES = 20  # comparing four times as many exactly takes some 40 ms


@dataclass(slots=True)
class _Candidate:
    """A page on its way. found: relative scores by the name in PAGE_WEIGHTS.

    least: score that another search gave it.
    """

    page_id: int
    document_id: int
    found: dict[str, float] = field(default_factory=dict)
    found_by: list[str] = field(default_factory=list)
    route: Route = UNKNOWN_ROUTE
    language: str = ""
    score: float = 0.0
    least: float = 0.0
    is_embedded: bool = True

    @property
    def cover(self) -> float:
        """Weighted share of the question's words on the page, 0 to 1."""
        return self.found.get("cover", 0.0)

    def weigh(self) -> None:
        weighed = sum(PAGE_WEIGHTS[name] * value for name, value in self.found.items())
        self.score = max(weighed, self.least)


class Pictures(Protocol):
    """Finds pages by how they look; blocking, any thread."""

    def page_scores(self, query: Query, limit: int) -> PictureScores:
        """Score the pages that look most like the answer, where that takes no loading."""


class Searcher:
    """Searches one library; may be used from any thread."""

    def __init__(
        self,
        database: Database,
        embedder: TextEmbedder | None,
        settings: RetrievalSettings,
        preferences: Preferences | None = None,
        vectors: UnitVectors | None = None,
        pictures: Pictures | None = None,
    ) -> None:
        """Keep the parts; preferences tells manuals of one product apart, if there is one.

        vectors: those of this library, if another searcher holds them as well.
        pictures: finds pages by how they look, besides the others.

        when_unread: told, best first, which pages a question found that are not laid out, as
            (document, page); to be set by whoever can have them laid out.
        """
        self._database = database
        self._embedder = embedder
        self._settings = settings
        self._preferences = preferences
        self._vectors = vectors or UnitVectors()
        self._index = TextIndex()
        self._pictures = pictures
        self.reader = Reader(embedder)
        self.when_unread: Callable[[Sequence[tuple[int, int]]], None] = lambda _pages: None

    def search(self, query: Query) -> list[Evidence]:
        """Return the pages that best answer the query, best first, read by the reader.

        An empty list means that nothing in the manuals is like the question. Every part
        of a question in parts is searched for, and no limit leaves out what is found
        for one.
        """
        of_parts = self._of_parts(query)
        read = self._read(query, self.retrieve(query, of_parts))
        places = {(page.document_id, page.page) for page in of_parts}
        rest = read[query.limit :]
        kept = read[: query.limit] + [p for p in rest if (p.document_id, p.page) in places]
        return _with_parts(kept, self._parts_read(query, read))

    def _of_parts(self, query: Query) -> list[Evidence]:
        """Return the pages that are most like each part of a question, unread."""
        parts = sure_parts(query.text)
        # what is asked first stands alone in both: it is searched for once
        texts = dict.fromkeys([*parts, *(within for _, within in in_turn(parts))])
        found = (self.retrieve(replace(query, text=text)).pages for text in texts)
        return [page.evidence for pages in found for page in _of_part(pages)]

    def together(self, query: Query, found: Sequence[Evidence]) -> list[Evidence]:
        """Return the pages of several searches of one question as answers to it, best first.

        query: the question, in the words of the person who asks. found: what was found
        with other words, or by other means; all of it is read, besides what the
        question itself finds.
        """
        known = next((page.of_parts for page in found if page.of_parts), ())
        same = tuple(part for part, _ in known) == sure_parts(query.text)
        read = self._read(query, self.retrieve(query, found))
        return _with_parts(read, known if same else self._parts_read(query, read))

    def _read(self, query: Query, retrieved: Retrieved) -> list[Evidence]:
        query.check()
        reading, read_with = self.reader.read(retrieved.question, retrieved.pages), ""
        may_follow_it = query.before and may_follow(retrieved.question, query.before)
        if may_follow_it and reading.chance < STANDS_ALONE:
            together = self.retrieve(replace(query, text=f"{query.before} {query.text}", before=""))
            beyond = _PAGES_READ
            both = read_in_context(self.reader, retrieved, together, beyond=beyond)
            if both is not None:
                (retrieved, reading), read_with = both, query.before
        pages = [replace(page.evidence, read_with=read_with) for page in retrieved.pages]
        read = with_reading(pages, reading)
        read.sort(key=lambda page: (BY_LABEL not in page.found_by, -page.score))
        named = _with_each_named([*read, *retrieved.behind])
        return retrieved.preference.kept_together(named)

    def _parts_read(self, query: Query, whole: Sequence[Evidence]) -> OfParts:
        """Return each part of a question in parts with its pages, read as if it were asked alone.

        It follows up what is asked before it, and is about the manuals that the question names
        unless it names others. whole: the pages as they were read for all of the question.
        """
        found = []
        before = query.before
        named = frozenset(page.document_id for page in whole if page.named)
        for part in sure_parts(query.text):
            asked = replace(query, text=part, before=before)
            retrieved = self.retrieve(asked)
            if named and not any(page.evidence.named for page in retrieved.pages):
                asked = replace(asked, document_ids=named)
                retrieved = self.retrieve(asked)
            found.append((part, tuple(self._read(asked, retrieved)[: query.limit])))
            before = part
        return tuple(found)

    def retrieve(self, query: Query, also: Sequence[Evidence] = ()) -> Retrieved:
        """Return the pages for the reader; blocking. also: found already, and to be read too."""
        as_asked = Question.parse(query.text)
        asked: QuestionVector | None = None
        seen, preference = PictureScores({}), Preference()
        if self._embedder is not None:
            (vector,) = self._embedder.embed_queries([as_asked.wording])
            asked = QuestionVector(self._embedder.model_id, vector)
        query.check()
        if self._pictures is not None:
            seen = self._pictures.page_scores(query, _PICTURE_PAGES)
        if self._preferences is not None:
            preference = Preference(self._preferences.preferred(query.text))

        def read(connection: apsw.Connection) -> Retrieved:
            documents = sorted(query.document_ids)
            question = with_longer_codes(connection, as_asked, documents)
            shelf = read_shelf(connection, self._index)
            occurrences = term_pages(connection, question.groups, self._index)
            near: dict[int, float] = {}
            if asked is not None:
                near = nearest_units(connection, asked, documents, _DENSE_UNITS, self._vectors)
            found = self._candidates(
                connection, question, occurrences, near, seen.scores, documents, shelf
            )
            others = _found_otherwise(connection, also, found)
            _tell_languages(connection, question, found)
            self._weigh(connection, preference, question, found, occurrences, shelf)
            question = replace(question, names=naming_groups(question, occurrences, shelf))
            if seen.scores:
                _weigh_unseen(connection, found)
            ranked = self._ranked(connection, query, list(found.values()))
            unnamed = _unnamed(question, occurrences, documents)
            to_read = ranked[:_PAGES_READ]
            to_read += [c for c in ranked[len(to_read) :] if c.page_id in others]
            behind = [c for c in ranked[: query.limit] if c not in to_read]
            evidence = _evidence(connection, [*to_read, *behind], question, unnamed, seen.left_out)
            pages = _to_read(connection, to_read, evidence, near, others)
            left = (evidence[c.page_id] for c in behind if c.page_id in evidence)
            return Retrieved(question, tuple(pages), tuple(left), preference)

        retrieved = self._database.read(read)
        found = (page.evidence for page in retrieved.pages)
        unread = [
            (page.document_id, page.page)
            for page in found
            if all(passage.unit_id == NOT_STORED for passage in page.passages)
        ]
        if unread:
            self.when_unread(unread)
        return retrieved

    def _candidates(
        self,
        connection: apsw.Connection,
        question: Question,
        occurrences: Sequence[TermPages],
        near: Mapping[int, float],
        seen: Mapping[int, float],
        documents: Sequence[int],
        shelf: Shelf,
    ) -> dict[int, _Candidate]:
        """Return the pages that one of the searchers finds, by page id."""
        found: dict[int, _Candidate] = {}

        def add(page_id: int, searcher: str, name: str = "", score: float = 0.0) -> None:
            document = shelf.document_of(page_id)
            if document is None:  # it was never read, or is deleted meanwhile
                return
            candidate = found.setdefault(page_id, _Candidate(page_id, document))
            if searcher not in candidate.found_by:
                candidate.found_by.append(searcher)
            if name:
                candidate.found[name] = max(candidate.found.get(name, 0.0), score)

        for page_id in pages_with_labels(connection, asked_labels(question.text), documents):
            add(page_id, BY_LABEL)
        if question.groups:
            pages = best_pages(connection, question.groups, documents, _LEXICAL_PAGES, self._index)
            for page_id, score in _relative(pages).items():
                add(page_id, PAGE_WORDS, "page_bm25", score)
            telling = telling_groups(question, occurrences, shelf)
            units = best_units(
                connection, telling, documents, _LEXICAL_UNITS, shelf.title_terms, self._index
            )
            for page_id, score in _relative(_best_of_page(connection, units)).items():
                add(page_id, PASSAGE_WORDS, "unit_bm25", score)
        for page_id, score in _relative(_best_of_page(connection, near)).items():
            add(page_id, MEANING, "dense", score)
        for page_id, score in _relative(seen).items():
            add(page_id, PICTURES, "pictures", score)
        return found

    def _weigh(
        self,
        connection: apsw.Connection,
        preference: Preference,
        question: Question,
        found: Mapping[int, _Candidate],
        occurrences: Sequence[TermPages],
        shelf: Shelf,
    ) -> None:
        documents = {candidate.document_id for candidate in found.values()}
        routed = routes(question, occurrences, shelf, documents)
        said = [places.among(list(found)) for places in occurrences]
        unread = pages_without_vectors(connection, found) if self._embedder is not None else set()
        for place, candidate in enumerate(found.values()):
            route = candidate.route = routed[candidate.document_id]
            covered = sum(
                weight for weight, on in zip(route.weights, said, strict=True) if on[place]
            )
            candidate.found["cover"] = covered / (sum(route.weights) or 1.0)
            candidate.found["named"] = route.named
            candidate.found["off_route"] = preference.off_route(candidate.document_id)
            if candidate.page_id in unread:  # it may be as near as it has the question's words
                candidate.found["dense"] = candidate.cover
                candidate.is_embedded = False
            candidate.weigh()

    def _ranked(
        self, connection: apsw.Connection, query: Query, found: list[_Candidate]
    ) -> list[_Candidate]:
        found.sort(key=lambda c: (BY_LABEL not in c.found_by, -c.score, c.page_id))
        if self._settings.newest_revision:
            ids = {candidate.document_id for candidate in found}
            if len(ids) > 1:  # what a newer revision of the same manual says as well is left out
                newer = newer_for(connection, ids, query.text)
                stay = without_older(newer, [(c.document_id, c.cover) for c in found])
                found = [c for c, stays in zip(found, stay, strict=True) if stays]
        return found


def with_reading(pages: Sequence[Evidence], reading: Reading) -> list[Evidence]:
    """Return pages with what the reader made of them, their passages best first."""
    best = max((units[0].score for units in reading.pages if units), default=0.0)
    found = []
    for page, units in zip(pages, reading.pages, strict=True):
        passages = []
        for passage in page.passages:  # as good as the best unit within it
            within = (u.score for u in units if u.unit.text in passage.text)  # best first
            score = math.exp(next(within, -math.inf) - best)
            passages.append(replace(passage, score=score))
        passages.sort(key=lambda passage: (bool(passage.text), -passage.score))
        score = reading.chance * math.exp(units[0].score - best) if units else 0.0
        found.append(
            replace(
                page,
                passages=tuple(passages),
                units=units,
                chance=reading.chance,
                there=reading.there,
                why_best=reading.why_best,
                why_there=reading.why_there,
                score=score,
            )
        )
    return found


def _weigh_unseen(connection: apsw.Connection, found: Mapping[int, _Candidate]) -> None:
    """Weigh pages whose pictures are not read yet as if they matched as well as their words."""
    marks = ",".join("?" * len(found))
    rows = connection.execute(
        f"SELECT id FROM pages WHERE id IN ({marks})"
        " AND id NOT IN (SELECT page_id FROM page_codes)",
        tuple(found),
    )
    for (page_id,) in rows:
        found[page_id].found["pictures"] = found[page_id].cover
        found[page_id].weigh()


def _found_otherwise(
    connection: apsw.Connection, also: Sequence[Evidence], found: dict[int, _Candidate]
) -> dict[int, Evidence]:
    """Add pages that were found already to the candidates; return them by page id."""
    others: dict[int, Evidence] = {}
    for page in also:
        rows = connection.execute(
            "SELECT id FROM pages WHERE document_id = ? AND page = ?", (page.document_id, page.page)
        )
        for (page_id,) in rows:
            candidate = found.setdefault(page_id, _Candidate(page_id, page.document_id))
            candidate.found_by += [by for by in page.found_by if by not in candidate.found_by]
            candidate.least = max(candidate.least, page.first)
            kept = others.get(page_id)
            if kept is None or not _region(kept):
                others[page_id] = page
    return others


def _region(page: Evidence) -> tuple[Passage, ...]:
    """Return the part of its picture that a page was found by, as its first passage; or none."""
    return tuple(passage for passage in page.passages[:1] if not passage.text)


def _with_parts(pages: list[Evidence], of_parts: OfParts) -> list[Evidence]:
    """Return the pages of a question, of which the first has those of its parts."""
    return [replace(page, of_parts=() if at else of_parts) for at, page in enumerate(pages)]


def _of_part(pages: Sequence[PageToRead]) -> list[PageToRead]:
    """Return the pages that a part of a question is to be read on."""
    behind = [page for page in pages[_PAGES_OF_PART:] if page.windows]
    behind.sort(key=lambda page: -max(page.windows.values()))
    return [*pages[:_PAGES_OF_PART], *behind[:_NEAREST_OF_PART]]


def _tell_languages(
    connection: apsw.Connection, question: Question, found: Mapping[int, _Candidate]
) -> None:
    """Mark pages of manuals in several languages that are not in the one of the question.

    A page in two languages is in both. A manual in English with a cover in Spanish is in English.
    """
    marks = ",".join("?" * len(found))
    rows = connection.execute(
        "SELECT p.id, p.language, w.words FROM pages p LEFT JOIN page_words w"
        f" ON w.page_id = p.id AND p.language = ? WHERE p.id IN ({marks}) AND p.language != ''",
        (SEVERAL, *found),
    )
    languages: dict[int, frozenset[str]] = {}
    of_document: dict[int, list[_Candidate]] = defaultdict(list)
    for page_id, language, words in rows:
        page = found[page_id]
        if language == SEVERAL:
            languages[page_id] = languages_on(PageWords.from_bytes(words).text if words else "")
        else:
            page.language, languages[page_id] = language, frozenset({language})
        of_document[page.document_id].append(page)
    for document, pages in of_document.items():
        among = frozenset[str]().union(*(languages[page.page_id] for page in pages))
        if len(among) > 1:
            among -= _strays(connection, document)
        asked = language_among(question.text, among) if len(among) > 1 else ""
        for page in pages:
            if asked and languages[page.page_id] and asked not in languages[page.page_id]:
                page.found["other_language"] = 1.0


def _strays(connection: apsw.Connection, document_id: int) -> frozenset[str]:
    """Return the languages of so few pages of a manual that it is not in them."""
    rows: Any = connection.execute(
        "SELECT language, COUNT(*) FROM pages WHERE document_id = ? AND language != ''"
        " GROUP BY language",
        (document_id,),
    )
    pages = dict(rows.fetchall())
    if SEVERAL in pages:  # they may be in any of them
        return frozenset()
    most = max(pages.values(), default=0)
    least = min(2, most / 2)
    return frozenset(
        language for language, n in pages.items() if n < least or n < _LEAST_SHARE * most
    )


def _with_each_named(pages: list[Evidence]) -> list[Evidence]:
    """Bring the best page of every manual that the question names among the first ones."""
    best: dict[int, Evidence] = {}
    for page in pages:
        if page.named:
            best.setdefault(page.document_id, page)
    behind = [page for page in best.values() if page not in pages[:_FIRST_PAGES]]
    if not behind or len(best) > _FIRST_PAGES:
        return pages
    rest = [page for page in pages if page not in behind]
    place = _FIRST_PAGES - len(behind)
    return [*rest[:place], *behind, *rest[place:]]


def _relative(scores: Mapping[int, float]) -> dict[int, float]:
    """Return scores scaled from 0 for the last of the first pages to 1 for the best."""
    ordered = sorted(scores.values(), reverse=True)[:_SCALED_AMONG]
    if not ordered:
        return {}
    best, least = ordered[0], ordered[-1] if len(ordered) > 1 else 0.0
    return {page: max(0.0, (s - least) / (best - least or 1.0)) for page, s in scores.items()}


def _best_of_page(connection: apsw.Connection, units: Mapping[int, float]) -> dict[int, float]:
    """Return page id -> best score of its units."""
    marks = ",".join("?" * len(units))
    rows = connection.execute(f"SELECT id, page_id FROM units WHERE id IN ({marks})", tuple(units))
    best: dict[int, float] = {}
    for unit_id, page_id in rows:
        best[page_id] = max(best.get(page_id, units[unit_id]), units[unit_id])
    return best


def _unnamed(
    question: Question, occurrences: Sequence[TermPages], documents: Collection[int]
) -> tuple[str, ...]:
    """Return the codes that no page of the searched manuals has, as the question writes them."""
    missing = {
        group
        for group, found in zip(question.groups, occurrences, strict=True)
        if not any(not documents or each in documents for each in found.per_document)
    }
    return question.codes_in(missing)


def _evidence(
    connection: apsw.Connection,
    ranked: Sequence[_Candidate],
    question: Question,
    unnamed: tuple[str, ...],
    left_out: str,
) -> dict[int, Evidence]:
    """Read where the pages stand and what is on them; a deleted page is left out."""
    marks = ",".join("?" * len(ranked))
    rows = connection.execute(
        "SELECT p.id, d.id, d.name, d.title, p.page, p.label, d.language FROM pages p"
        f" JOIN documents d ON d.id = p.document_id WHERE p.id IN ({marks})",
        tuple(c.page_id for c in ranked),
    )
    places = {page_id: place for page_id, *place in rows}
    units = units_of_pages(connection, [c.page_id for c in ranked])
    asked, missing = language_in(question.text), set(unnamed)
    found = {}
    for candidate in ranked:
        if candidate.page_id not in places:
            continue
        document_id, document, title, page, label, language = places[candidate.page_id]
        own = units[candidate.page_id]
        found[candidate.page_id] = Evidence(
            document_id,
            document,
            title,
            page,
            label,
            candidate.score,
            tuple(candidate.found_by),
            tuple(Passage.of(unit) for unit in own if unit.kind != "window"),
            cover=candidate.cover,
            contents=is_contents([u.text for u in own if u.kind != "window"]),
            named=candidate.route.named >= _NAMED,
            prior=_NAMED_PRIOR * candidate.route.named
            + _ALONE_PRIOR * candidate.route.alone
            + _NO_CODE_PRIOR * (not missing.issuperset(question.codes_in(candidate.route.absent)))
            + _OFF_ROUTE_PRIOR * candidate.found.get("off_route", 0.0)
            + _OWN_LANGUAGE_PRIOR * bool(asked and asked == (candidate.language or language)),
            term_weights=candidate.route.weights,
            absent=candidate.route.absent,
            unnamed=unnamed,
            asked=question,
            first=candidate.score,
            left_out=left_out,
            language=candidate.language,
            other_language="other_language" in candidate.found,
        )
    return found


def _to_read(
    connection: apsw.Connection,
    ranked: Sequence[_Candidate],
    evidence: Mapping[int, Evidence],
    near: Mapping[int, float],
    others: Mapping[int, Evidence],
) -> list[PageToRead]:
    """Return pages with what the reader is told: their words, and the windows near the question."""
    marks = ",".join("?" * len(ranked))
    rows = connection.execute(
        f"SELECT page_id, words FROM page_words WHERE page_id IN ({marks})",
        tuple(c.page_id for c in ranked),
    )
    words = {page_id: PageWords.from_bytes(data) for page_id, data in rows}
    marks = ",".join("?" * len(near))
    rows = connection.execute(
        f"SELECT id, page_id, text FROM units WHERE id IN ({marks})", tuple(near)
    )
    windows: dict[int, dict[str, float]] = defaultdict(dict)
    for unit_id, page_id, text in rows:
        windows[page_id][text] = near[unit_id]

    to_read = []
    for each in ranked:
        if each.page_id not in evidence or each.page_id not in words:
            continue
        page = evidence[each.page_id]
        region = _region(others[each.page_id]) if each.page_id in others else ()
        known = windows.get(each.page_id, {})
        if near and not known and each.is_embedded:  # it would have been found if it were nearer
            known = {"": min(near.values())}
        with_region = replace(page, passages=(*region, *page.passages))
        to_read.append(PageToRead(with_region, words[each.page_id], each.score, known))
    return to_read
