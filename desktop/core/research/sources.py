"""Pages and notes as sources of research: found, handed on as Items, and let in by their mode."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from desktop.core.claims.comparison import ITEM_SIGN
from desktop.core.errors import LibraryError
from desktop.core.library.sources import date_in
from desktop.core.library.units import Passage
from desktop.core.library.values import ISO_DATE
from desktop.core.notes.note import NoteFilter
from desktop.core.question.parts import possible_cuts
from desktop.core.question.query import Query
from desktop.core.question.tokens import index_term_set, query_terms
from desktop.core.reader.evidence import Evidence
from desktop.core.reader.passages import NumberedPassage
from desktop.core.research.errors import NoValidSourcesError
from desktop.core.research.proposal import claim_of as claim_in
from desktop.core.settings import UNVERIFIED_TIER
from desktop.core.settings.sections import ModeConfigs, SourceTier
from desktop.core.structure.sentences import sentence_spans, sentences_of
from desktop.sentences import joined, said
from knowledge.errors import KnowledgeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from desktop.core.agent.tool import Search, Shelf
    from desktop.core.events import NoteSource
    from desktop.core.library.places import Place
    from desktop.core.notes.desk import NoteDesk
    from desktop.core.notes.search import NoteSearch
    from desktop.core.settings.sections import ReasoningSettings

UNKNOWN_TYPE = "unknown"
METADATA = "_reasoning_metadata"
MODES = ("strict", "discovery", "monitor")
_FIRST_DOUBTFUL = 3
_WARNING = "Not from the maker, check it: "
_ISO = f"^(?:{ISO_DATE})?$"
_RANGES = {
    "date_from": r"\b(?:since|from|seit|ab)\s+(.{4,24})",
    "date_to": r"\b(?:until|up to|before|bis|vor)\s+(.{4,24})",
}
_REVISION = (
    r"\b(?:in|of|from|only|aus|nur)\s+(?:the\s+)?"
    r"((?:revision|rev\.?|edition|issue|version|ausgabe)\s+(?:[a-z]\d*(?:\.\d+)*|\d+(?:\.\d+)*))\b"
)


class SourceTierFilter:
    """Drops and marks items by the tier of their source.

    An item is a dictionary with "site" (or "source"), the name of its source, and
    "description", its words; what else it holds is kept as it is.
    """

    def __init__(
        self,
        source_tiers: Mapping[str, SourceTier | Mapping[str, Any]],
        mode_configs: ModeConfigs | None = None,
    ) -> None:
        """Keep tier and type by name, in any case. Raises: pydantic.ValidationError."""
        self._tiers = {
            _key(name): each if isinstance(each, SourceTier) else SourceTier.model_validate(each)
            for name, each in source_tiers.items()
        }
        self._modes = mode_configs or ModeConfigs()

    def get_tier(self, source: str) -> int:
        """Return the tier of a source, 1 (best) to 5; 5 for an unknown one."""
        known = self._tiers.get(_key(source))
        return known.tier if known is not None else UNVERIFIED_TIER

    def get_type(self, source: str) -> str:
        """Return what kind of source it is, "unknown" for one that is not known."""
        known = self._tiers.get(_key(source))
        return known.type if known is not None else UNKNOWN_TYPE

    def filter_and_enrich(
        self, items: Sequence[Mapping[str, Any]], mode: str
    ) -> list[dict[str, Any]]:
        """Return the items that `mode` lets in, marked, in their order; none is changed in place.

        Each gets `_reasoning_metadata` ({tier, type, original_source}), and its
        description begins with "[Tier 4 | site note] ".

        strict: unknown sources and those of a tier worse than 2 are dropped.
        discovery: all are kept, those of tier 3 to 5 with a warning. monitor: all are
        kept.

        Raises: NoValidSourcesError, if none is left. ValueError, for a mode that does
        not exist.
        """
        if mode not in MODES:
            raise ValueError(f"there is no mode {mode!r}")
        kept = [self._enriched(item, mode) for item in items if self._lets_in(item, mode)]
        if not kept:
            raise NoValidSourcesError(mode, len(items))
        return kept

    def _lets_in(self, item: Mapping[str, Any], mode: str) -> bool:
        source = _source(item)
        match mode:
            case "strict":
                known = _key(source) in self._tiers
                return known and self.get_tier(source) <= self._modes.strict.max_tier
            case "discovery":
                return self.get_tier(source) <= self._modes.discovery.max_tier
            case _:
                return True

    def _enriched(self, item: Mapping[str, Any], mode: str) -> dict[str, Any]:
        source = _source(item)
        tier, kind = self.get_tier(source), self.get_type(source)
        warning = _WARNING if mode == "discovery" and tier >= _FIRST_DOUBTFUL else ""
        return {
            **item,
            "description": f"[Tier {tier} | {kind}] {warning}{item.get('description') or ''}",
            METADATA: {"tier": tier, "type": kind, "original_source": source},
        }


def tier_of_item(item: Mapping[str, Any]) -> int:
    """Return the tier that `filter_and_enrich` wrote into an item."""
    return int(item.get(METADATA, {}).get("tier", UNVERIFIED_TIER))


def _source(item: Mapping[str, Any]) -> str:
    return str(item.get("source") or item.get("site") or "").strip()


def _key(name: str) -> str:
    return " ".join(name.split()).casefold()


class TemporalContext(BaseModel):
    """revision: only sources of it, as it is written ("Edition 3"). Dates: ISO, a year, month or
    day, both ends included. include_undated: sources without a date count as in the range.
    """  # noqa: D205

    model_config = ConfigDict(extra="forbid", frozen=True)

    revision: str = Field(default="", max_length=80)
    date_from: str = Field(default="", pattern=_ISO)
    date_to: str = Field(default="", pattern=_ISO)
    include_undated: bool = False

    def __bool__(self) -> bool:
        """Whether it leaves anything out."""
        return bool(self.revision or self.date_from or self.date_to)

    def holds(self, revision: str, date: str) -> bool:
        """Whether a source of this revision and date is meant."""
        if self.revision and _same(revision) != _same(self.revision):
            return False
        if not (self.date_from or self.date_to):
            return True
        if not date:
            return self.include_undated
        # "2024" holds "2024-05", at either end
        after = not self.date_from or date[: len(self.date_from)] >= self.date_from[: len(date)]
        before = not self.date_to or date[: len(self.date_to)] <= self.date_to[: len(date)]
        return after and before

    @property
    def told(self) -> str:
        """It as a sentence: "Edition 3, since 2024, until 2025"; "" if everything is meant."""
        parts: list[str] = [self.revision] if self.revision else []
        if self.date_from:
            parts.append(said("since {date}", date=self.date_from))
        if self.date_to:
            parts.append(said("until {date}", date=self.date_to))
        return joined(parts) if parts else ""


def temporal_context_of(question: str) -> TemporalContext:
    """Return the revision and dates that a question limits itself to, empty if it does not."""
    found: dict[str, str] = {}
    for name, pattern in _RANGES.items():
        match = re.search(pattern, question, re.IGNORECASE)
        date = (date_in(match[1]) or _year_in(match[1])) if match else ""
        if date:
            found[name] = date
    revision = re.search(_REVISION, question, re.IGNORECASE)
    return TemporalContext(revision=revision[1] if revision else "", **found)  # type: ignore[arg-type]


def within(
    items: Sequence[Mapping[str, Any]], temporal: TemporalContext
) -> tuple[list[dict[str, Any]], int]:
    """Return the items from that time, by `revision` and `date`, and how many were left out."""
    kept = []
    for item in items:
        told = item.get("schema_object") or {}
        if temporal.holds(str(told.get("revision", "")), str(told.get("date", ""))):
            kept.append(dict(item))
    return kept, len(items) - len(kept)


def _year_in(text: str) -> str:
    match = re.match(r"(?:19|20)\d\d\b", text.strip())
    return match[0] if match else ""


def _same(revision: str) -> str:
    words = re.sub(r"[^\w.]+", " ", revision.casefold()).split()
    return " ".join("revision" if word.rstrip(".") == "rev" else word for word in words)


logger = logging.getLogger(__name__)

Confidence = Literal["High", "Medium", "Low"]
SITE = "Deep Research Module"
SITE_URL = "groundwork://research"
NO_DOCUMENT = -1
"""The document id of what is no page of a manual: a note."""
_LONGEST = 1_800
_NEVER_QUOTED = ("window",)
NOT_STATED = frozenset({"heading", "label", "caption", "window"})
"""Kinds of units that state nothing by themselves."""
_BEST = 1
_UNITS_PER_STATEMENT = 6


class ResearchReport(BaseModel):
    """What an Item of research tells about itself besides its text."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    type: Literal["ResearchReport"] = Field(default="ResearchReport", alias="@type")
    mode: Literal["strict", "discovery", "monitor"]
    iterations: int = Field(ge=0)
    sources_used: list[str] = Field(default_factory=list)
    confidence: Confidence
    total_sources_analyzed: int = Field(ge=0)


class Item(BaseModel):
    """A result: title, text and where it belongs. score: 0 to 100. description: Markdown."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    type: Literal["Item"] = Field(default="Item", alias="@type")
    url: str = Field(min_length=1)
    name: str = Field(min_length=1)
    site: str = Field(min_length=1)
    site_url: str = Field(min_length=1, alias="siteUrl")
    score: int = Field(ge=0, le=100)
    description: str
    schema_object: ResearchReport | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return it with the keys of the schema; without `schema_object` if it has none."""
        return self.model_dump(by_alias=True, exclude_none=True)


@dataclass(frozen=True, slots=True)
class ResearchSource:
    """evidence: a page and its passages; of a note its sentences, without boxes.

    revision, date: of the document or note, "" if unknown. note: if it is one.
    elsewhere: the Item that it was made from, if it is from neither the library nor its
    notes.
    """

    evidence: Evidence
    tier: int
    source_type: str
    revision: str = ""
    date: str = ""
    note: NoteSource | None = None
    elsewhere: Mapping[str, Any] | None = None

    @property
    def url(self) -> str:
        """What tells it apart from every other source."""
        if self.elsewhere is not None:
            return str(self.elsewhere["url"])
        if self.note is not None:
            return f"groundwork://note/{self.note.piece_id}"
        return f"groundwork://document/{self.evidence.document_id}/page/{self.evidence.page + 1}"

    @property
    def site(self) -> str:
        """The source that it comes from, as the table of tiers names it."""
        if self.elsewhere is not None:
            return str(self.elsewhere.get("site") or self.evidence.document)
        if self.note is not None:
            return f"note {self.note.piece_id}"
        return f"{self.evidence.document} #{self.evidence.document_id}"

    @property
    def name(self) -> str:
        """How a person is told where it is."""
        if self.elsewhere is not None:
            return self.evidence.document
        if self.note is not None:
            by = f" by {self.note.role}" if self.note.role else ""
            about = f" about {self.note.scope}" if self.note.scope else ""
            return f"site note{by}{about}"
        label = self.evidence.label or str(self.evidence.page + 1)
        return f"{self.evidence.title or self.evidence.document}, page {label}"

    def passage(self, number: int) -> NumberedPassage:
        """Return all that it says as a passage that a draft may cite by `number`."""
        units = sorted(
            (u for u in self.evidence.passages if u.kind not in _NEVER_QUOTED and u.text.strip()),
            key=lambda unit: unit.unit_id,
        )
        return NumberedPassage(number, self.evidence, tuple(units))

    def item(self) -> dict[str, Any]:
        """Return it as the Item that filters and agents read."""
        item = Item(
            url=self.url,
            name=self.name,
            site=self.site,
            siteUrl=self.url.rsplit("/page/", 1)[0],
            score=max(0, min(100, round(self.evidence.score * 100))),
            description=_best_text(self.evidence),
        ).as_dict()
        item["schema_object"] = {
            "document_id": self.evidence.document_id,
            "document": self.evidence.document,
            "page": self.evidence.page,
            "label": self.evidence.label,
            "revision": self.revision,
            "date": self.date,
        }
        return item


@dataclass
class SourceBook:
    """Every source of a research by url, and what each statement found. tiers: for the filter."""

    _by_url: dict[str, ResearchSource] = field(default_factory=dict)
    _found_for: dict[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)

    def keep_found(self, statement: str, sources: Iterable[ResearchSource]) -> list[ResearchSource]:
        """Keep and return the sources a search found that have the units best like a statement."""
        sources = list(sources)
        found = [
            (passage.score, source.url, passage.unit_id)
            for source in sources
            for passage in source.evidence.passages
            if passage.kind not in NOT_STATED and not source.evidence.contents
        ]
        found.sort(key=lambda each: -each[0])
        best = tuple((url, unit) for _, url, unit in found[:_UNITS_PER_STATEMENT])
        self._found_for[statement] = best
        return [source for source in sources if source.url in dict(best)]

    def found_for(self, statement: str) -> tuple[tuple[str, int], ...]:
        """Return url and unit of what a search for a statement found, likeliest first."""
        return self._found_for.get(statement, ())

    def add(self, sources: Iterable[ResearchSource]) -> list[ResearchSource]:
        """Keep sources and return those that are new, in their order."""
        new = []
        for source in sources:
            if source.url not in self._by_url:
                self._by_url[source.url] = source
                new.append(source)
        return new

    def add_item(self, item: Mapping[str, Any], tier: int, kind: str) -> None:
        """Keep an Item from elsewhere, so that what it says can be compared and cited."""
        number = len(self._by_url)
        name = " ".join(str(item.get("name") or item.get("site") or item["url"]).split())
        passages = tuple(
            Passage(place, "paragraph", sentence, "", (), (), 0.5)
            for place, sentence in enumerate(sentences_of(str(item.get("description") or "")), 1)
        )
        evidence = Evidence(NO_DOCUMENT, name, name, number, "", 0.5, ("elsewhere",), passages)
        self.add([ResearchSource(evidence, tier, kind, elsewhere=dict(item))])

    def of(self, item: Mapping[str, Any]) -> ResearchSource | None:
        """Return the source that an Item was made from, None for one from elsewhere."""
        return self._by_url.get(str(item.get("url", "")))

    def all(self) -> list[ResearchSource]:
        """Return every source in the order of adding."""
        return list(self._by_url.values())

    @property
    def tiers(self) -> dict[str, SourceTier]:
        """Tier and type by the name of the source."""
        return {
            source.site: SourceTier(tier=source.tier, type=source.source_type)
            for source in self._by_url.values()
            if source.elsewhere is None
        }

    def __len__(self) -> int:
        return len(self._by_url)


def note_source(note: NoteSource, text: str, score: float = 0.5) -> ResearchSource:
    """Return a note of the site; each of its sentences can be cited."""
    passages = tuple(
        Passage(number, "paragraph", sentence, note.scope, (), (), score)
        for number, sentence in enumerate(sentences_of(text), 1)
    )
    evidence = Evidence(
        NO_DOCUMENT, note.title, note.title, 0, note.written, score, ("notes",), passages
    )
    kind = "site note" if note.tier < 5 else "unverified note"
    return ResearchSource(evidence, note.tier, kind, "", note.written[:10], note)


def _best_text(evidence: Evidence) -> str:
    """Return its best units within a page's share of a prompt, in reading order."""
    room = _LONGEST
    kept: list[Passage] = []
    for unit in evidence.passages:
        if unit.kind in _NEVER_QUOTED or not unit.text.strip():
            continue
        if len(unit.text) > room and kept:
            break
        kept.append(unit)
        room -= len(unit.text)
    kept.sort(key=lambda unit: unit.unit_id)
    return "\n".join(NumberedPassage(0, evidence, tuple(kept)).lines)


@dataclass(eq=False)
class LibraryFinder:
    """Finds pages and notes; blocking, callable from any thread.

    document_ids: only these manuals; empty means all. by_words: for the many
    statements of a document that is compared.
    """

    searcher: Search
    by_words: Search
    shelf: Shelf
    notes: NoteDesk
    note_search: NoteSearch
    place: Callable[[], Place]
    document_ids: frozenset[int] = frozenset()

    def find(self, query: str, limit: int) -> list[ResearchSource]:
        """Return what a query finds, best first, notes last. Raises: LibraryError, ModelError."""
        found = self._sources(self.searcher.search(Query(query, self.document_ids, limit)))
        try:
            notes = self.note_search(query, self.place())
        except (KnowledgeError, LibraryError) as error:
            logger.warning("notes cannot be read: %s", type(error).__name__)
            return found
        return found + [note_source(each.source, each.note.text, each.score) for each in notes]

    def makers_pages(self, statement: str, limit: int, by_words: bool) -> list[ResearchSource]:
        """Return what the maker says about the same thing as a site's statement, best first.

        by_words: without the text model, which takes a second per statement and finds
        it in other words and another language.

        Raises: LibraryError, ModelError.
        """
        searcher = self.by_words if by_words else self.searcher
        best = {each.id for each in self.shelf.documents() if each.tier == _BEST}
        if self.document_ids:
            best &= self.document_ids
        query = Query(statement, frozenset(best), limit)
        return self._sources(searcher.search(query)) if best else []

    def together(self, query: str, found: Sequence[Evidence]) -> list[Evidence]:
        """Return found pages as answers to a query, in order. Raises: LibraryError, ModelError."""
        if not found:
            return []
        wanted = {(page.document_id, page.page) for page in found}
        read = self.searcher.together(Query(query, self.document_ids, len(found)), found)
        return [page for page in read if (page.document_id, page.page) in wanted]

    def site_sources(self, question: str, limit: int) -> list[ResearchSource]:
        """Return the notes of the place that is asked from, and pages that are no maker's.

        Those with more of the question's words come first.

        Raises: KnowledgeError, LibraryError, ModelError.
        """
        notes = self.notes.list(NoteFilter(place=self.place()), limit)
        found = [note_source(self.note_search.source(note), note.text) for note in notes]
        doubtful = frozenset(
            each.id
            for each in self.shelf.documents()
            if each.tier >= _DOUBTFUL
            and each.searchable
            and (not self.document_ids or each.id in self.document_ids)
        )
        if doubtful:
            found += self._sources(self.searcher.search(Query(question, doubtful, limit)))
        asked = query_terms(claim_in(question))

        def shared(source: ResearchSource) -> int:
            scope = source.note.scope if source.note is not None else ""
            texts = (scope, *(unit.text for unit in source.evidence.passages))
            terms = index_term_set("\n".join(texts))
            return sum(not terms.isdisjoint(group) for group in asked)

        return sorted(found, key=shared, reverse=True)[:limit]

    def _sources(self, found: Sequence[Evidence]) -> list[ResearchSource]:
        documents = {each.id: each for each in self.shelf.documents()}
        sources = []
        for page in found:
            if (of := documents.get(page.document_id)) is None:  # it has left the library since
                sources.append(ResearchSource(page, UNVERIFIED_TIER, "unverified"))
            else:
                told = (of.tier, of.source_type, of.revision, of.revision_date)
                sources.append(ResearchSource(page, *told))
        return sources


_DOUBTFUL = 4
_PAGES_PER_STATEMENT = 12
"""That a search reads anyway; only those are kept that have one of its best units."""
_MOST_STATEMENTS_PER_NOTE = 20


def first_sources(
    finder: LibraryFinder, question: str, settings: ReasoningSettings
) -> list[ResearchSource]:
    """Return what a question and its parts find, best first. Raises: LibraryError, ModelError."""
    wanted = claim_in(question)
    asked = (wanted, *(part for cut in possible_cuts(wanted)[:1] for part in cut.parts))
    found = [finder.find(each, settings.pages_per_search) for each in asked]
    once = {source.url: source for each in zip_longest(*found) for source in each if source}
    return list(once.values())


def sources_to_compare(
    finder: LibraryFinder, book: SourceBook, question: str, most: int, stopped: Callable[[], bool]
) -> list[ResearchSource]:
    """Return what the site says, and after it what the maker says about the same. Blocks.

    book: learns what was found for which statement. most: sources of the site.

    Raises: LibraryError, KnowledgeError, ModelError.
    """
    site = finder.site_sources(question, most)
    pages: dict[str, ResearchSource] = {}
    for source in site:
        by_words = source.note is None
        for _, statement in list(statements_of(source))[:_MOST_STATEMENTS_PER_NOTE]:
            if stopped():
                return [*site, *pages.values()]
            found = finder.makers_pages(statement, _PAGES_PER_STATEMENT, by_words)
            for page in book.keep_found(statement, found):
                pages.setdefault(page.url, page)
    return [*site, *pages.values()]


def statements_of(source: ResearchSource) -> Iterator[tuple[Passage, str]]:
    """Yield what a source states: its sentences and rows, each with the unit it belongs to."""
    if source.evidence.contents:
        return
    for unit in source.evidence.passages:
        if unit.kind in NOT_STATED:
            continue
        texts = [unit.text]
        if unit.kind != "row":
            words = unit.text.split()
            texts = [" ".join(words[first:last]) for first, last in sentence_spans(words)]
        for text in texts:
            yield unit, ITEM_SIGN.sub("", " ".join(text.split()))
