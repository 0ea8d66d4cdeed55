"""What a search returns: pages with the regions that matched and who found them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop.core.events import PageRegion
from desktop.core.question.query import Question

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.geometry import Box
    from desktop.core.library.units import Passage
    from desktop.core.question.query import TermGroup
    from desktop.core.reader.quotes import Quote


@dataclass(frozen=True, slots=True)
class ReadUnit:
    """A unit with its score; higher is better, comparable within one question only."""

    unit: Quote
    score: float


OfParts = tuple[tuple[str, tuple["Evidence", ...]], ...]
"""Each part of a question with the pages that were found and read for it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One page that was found, best passage first.

    page: zero-based. label: printed page number. score: fused, higher is better, only
    comparable within one search. found_by: names of the searchers that found the page.
    cover: weighted share of the question's words on the page. contents: it is a table
    of contents.
    named: the question names its manual. prior: what is known of its manual apart from its text,
    added to the scores of its units.
    units: the parts that can be quoted, as the reader orders them, empty if it was not
    read; chance: how likely the best unit of the whole search answers; there: how
    likely any of the pages answers;
    why_best, why_there: what spoke most for and against that unit, and for and against
    there being an answer. term_weights: what each term group of the question is worth
    inside this manual, in the order of the groups of `asked`; empty if not known.
    absent: the groups that none of its pages has.
    unnamed: codes of the question that no manual of the library names. asked: the
    question as it was searched, in the words of the manuals. first: score of the first
    stage, by which the pages of several searches are merged. left_out: what the search
    did without, and why, "" for nothing. read_with: the question before that one, where
    it was read after that as well. language: of the page, "" if it is not known.
    other_language: its manual has pages in the language of the question, and it is in another.
    of_parts: of the first page of a question that surely has several parts: each part with the
    pages that were found and read for it.
    """

    document_id: int
    document: str
    title: str
    page: int
    label: str
    score: float
    found_by: tuple[str, ...]
    passages: tuple[Passage, ...]
    cover: float = 0.0
    contents: bool = False
    named: bool = False
    prior: float = 0.0
    units: tuple[ReadUnit, ...] = ()
    chance: float = 0.0
    there: float = 0.0
    why_best: tuple[str, ...] = ()
    why_there: tuple[str, ...] = ()
    term_weights: tuple[float, ...] = ()
    absent: frozenset[TermGroup] = frozenset()
    unnamed: tuple[str, ...] = ()
    asked: Question | None = None
    first: float = 0.0
    left_out: str = ""
    read_with: str = ""
    language: str = ""
    other_language: bool = False
    of_parts: OfParts = ()

    @property
    def known_as(self) -> str:
        """What the manual is called, see `known_as`."""
        return known_as(self.title, self.document)

    @property
    def lacking(self) -> float:
        """Share of the question's words that no page of its manual has; rare ones count more."""
        if self.asked is None or not self.term_weights:
            return 0.0
        weights = dict(zip(self.asked.groups, self.term_weights, strict=True))
        lacking = sum(weight for group, weight in weights.items() if group in self.absent)
        return lacking / (sum(weights.values()) or 1.0)

    def region(self, boxes: tuple[Box, ...] | None = None) -> PageRegion:
        """Return the page with boxes on it; None: those of its best passage."""
        if boxes is None:
            boxes = self.passages[0].boxes if self.passages else ()
        return PageRegion(self.document_id, self.document, self.page, self.label, boxes)

    def to_object(self) -> dict[str, Any]:
        """Return plain values for a tool's `Result`."""
        best = self.passages[0] if self.passages else None
        said = next((passage.text for passage in self.passages if passage.text), "")
        return {
            "document_id": self.document_id,
            "document": self.document,
            "page": self.page,
            "label": self.label,
            "score": round(self.score, 4),
            "found_by": list(self.found_by),
            "content": said,
            "section": best.context if best else "",
            "regions": [box.as_tuple() for box in best.boxes] if best else [],
        }


def known_as(title: str, document: str) -> str:
    """Return what people may call a manual: its title and the words of its file name."""
    return f"{title} {document.rsplit('.', 1)[0].replace('_', ' ')}"


def question_asked(text: str, evidence: Sequence[Evidence]) -> Question:
    """Return a question as it was searched; one that was asked otherwise is read anew."""
    asked = evidence[0].asked if evidence else None
    return asked if asked is not None and asked.text == text else Question.parse(text)
