"""The answerer of the Lite profile: it quotes, it never writes.

Every statement is a sentence or a table row as it stands in a manual, with the boxes
of exactly these words.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.agent.answer import Answer, SafetyBlock, Statement
from desktop.core.events import PageRegion
from desktop.core.geometry import Box
from desktop.core.page_words import PageWords
from desktop.core.retrieval.grounding import Quote, quotes_of
from desktop.core.retrieval.question import Question
from desktop.core.retrieval.tokens import index_terms

if TYPE_CHECKING:
    import apsw

    from desktop.core.retrieval.evidence import Evidence
    from desktop.core.settings.sections import AgentSettings
    from desktop.core.store.database import Database

_CONTEXT_SHARE = 0.4
_VALUE_BONUS = 0.25
_NUMBER_BONUS = 0.1
_BARE_HEADING = 0.15
# A second quote must add this much of what the first left unsaid, and be nearly as good.
_ADDS = 0.15
_NEARLY = 0.55
_MOST_LINES = 3
_MOST_WARNINGS = 3


@dataclass(frozen=True, slots=True)
class _Scored:
    quote: Quote
    evidence: Evidence
    covered: tuple[bool, ...]
    score: float


class ExtractiveAnswerer:
    """Answers by quoting the library's pages."""

    def __init__(self, database: Database, settings: AgentSettings) -> None:
        self._database = database
        self._settings = settings

    def answer(self, question: str, evidence: Sequence[Evidence]) -> Answer:
        """Quote what answers `question`, or say that nothing in `evidence` does."""
        parsed = Question.parse(question)
        nearest = tuple(evidence[: self._settings.nearest_pages])
        if not evidence or evidence[0].confidence < self._settings.least_confidence:
            reason = "no page says enough about what is asked" if evidence else "nothing was found"
            confidence = 1 - evidence[0].confidence if evidence else 1.0
            return Answer(False, (), (), nearest, confidence, reason)
        chosen = self._choose(parsed, evidence)
        if not chosen:
            return Answer(False, (), (), nearest, 1.0, "nothing on the pages can be quoted")
        statements = tuple(_statement(item, parsed) for item in chosen)
        safety = self._database.read(lambda connection: _safety(connection, chosen))
        confidence = evidence[0].confidence
        return Answer(True, statements, safety, (), confidence, _reason(evidence[0]))

    def _choose(self, question: Question, evidence: Sequence[Evidence]) -> list[_Scored]:
        first = self._best(question, evidence[0])
        if not first:
            return []
        chosen = [first[0]]
        chosen += _additions(question, first)
        if question.compares or _names_several(evidence):
            document = evidence[0].document_id
            other = next((e for e in evidence[1:] if e.document_id != document), None)
            if other is not None and other.confidence >= self._settings.least_confidence:
                chosen += self._best(question, other)[:1]
        return chosen

    def _best(self, question: Question, evidence: Evidence) -> list[_Scored]:
        words = self._database.read(lambda connection: _words(connection, evidence))
        scored = [
            _score(question, evidence, quote, passage.score)
            for passage in evidence.passages
            for quote in quotes_of(passage, words)
        ]
        scored = [item for item in scored if item.quote.boxes]
        scored.sort(key=lambda item: -item.score)
        return scored


def _score(question: Question, evidence: Evidence, quote: Quote, passage_score: float) -> _Scored:
    inside = set(index_terms(quote.text).split()) | set(index_terms(quote.text, "de").split())
    around = set(index_terms(quote.context).split()) | set(index_terms(quote.context, "de").split())
    weights = evidence.term_weights or (1.0,) * len(question.groups)
    covered = tuple(any(term in inside for term in group) for group in question.groups)
    near = tuple(any(term in around for term in group) for group in question.groups)
    total = sum(weights) or 1.0
    cover = sum(
        weight * (1.0 if here else _CONTEXT_SHARE if close else 0.0)
        for weight, here, close in zip(weights, covered, near, strict=True)
    )
    score = cover / total + 0.5 * passage_score
    score += _VALUE_BONUS * question.value_share(quote.text)
    has_digit = any(character.isdigit() for character in quote.text)
    score += _NUMBER_BONUS * (question.wants_number and has_digit)
    score -= _BARE_HEADING * (quote.kind in ("heading", "label") and not has_digit)
    return _Scored(quote, evidence, covered, score)


def _additions(question: Question, scored: Sequence[_Scored]) -> list[_Scored]:
    """Return one more quote of the page if it says what the best one leaves unsaid."""
    best = scored[0]
    weights = best.evidence.term_weights or (1.0,) * len(question.groups)
    total = sum(weights) or 1.0
    for item in scored[1:]:
        if item.score < _NEARLY * best.score:
            break
        new = sum(
            weight
            for weight, here, before in zip(weights, item.covered, best.covered, strict=True)
            if here and not before
        )
        if new / total >= _ADDS and item.quote.kind not in ("heading", "label"):
            return [item]
    return []


def _names_several(evidence: Sequence[Evidence]) -> bool:
    """Whether the first pages come from two manuals that are about equally sure."""
    other = next((e for e in evidence[1:4] if e.document_id != evidence[0].document_id), None)
    return other is not None and other.score > 0.97 * evidence[0].score


def _statement(item: _Scored, question: Question) -> Statement:
    quote, evidence = item.quote, item.evidence
    boxes = _tight(quote, question)
    source = PageRegion(
        evidence.document_id, evidence.document, evidence.page, evidence.label, boxes
    )
    return Statement(quote.text, source, quote.text)


def _tight(quote: Quote, question: Question) -> tuple[Box, ...]:
    """Return the boxes to highlight: of a long sentence, the lines that say what is asked."""
    if len(quote.boxes) <= _MOST_LINES or quote.kind == "row":
        return quote.boxes
    values = []
    for line in quote.lines:
        terms = set(index_terms(line).split()) | set(index_terms(line, "de").split())
        hits = sum(any(term in terms for term in group) for group in question.groups)
        values.append(hits + question.value_share(line))
    starts = range(len(values) - _MOST_LINES + 1)
    start = max(starts, key=lambda i: sum(values[i : i + _MOST_LINES]))
    return quote.boxes[start : start + _MOST_LINES]


def _words(connection: apsw.Connection, evidence: Evidence) -> PageWords:
    row = connection.execute(
        "SELECT w.words FROM page_words w JOIN pages p ON p.id = w.page_id"
        " WHERE p.document_id = ? AND p.page = ?",
        (evidence.document_id, evidence.page),
    ).fetchone()
    return PageWords.from_bytes(row[0]) if row else PageWords.empty()


def _safety(connection: apsw.Connection, chosen: Sequence[_Scored]) -> tuple[SafetyBlock, ...]:
    """Return the warnings that stand in the sections the answer quotes."""
    found: dict[tuple[int, int, str], SafetyBlock] = {}
    for item in chosen:
        for block in _warnings_of(connection, item):
            quoted = {statement.quote.text for statement in chosen}
            if block.text not in quoted:
                found.setdefault((block.source.document_id, block.source.page, block.text), block)
    return tuple(found.values())[:_MOST_WARNINGS]


def _warnings_of(connection: apsw.Connection, item: _Scored) -> Iterator[SafetyBlock]:
    evidence = item.evidence
    rows = connection.execute(
        "SELECT b.kind, b.text, b.x0, b.y0, b.x1, b.y1, b.section, b.warning FROM blocks b"
        " JOIN pages p ON p.id = b.page_id WHERE p.document_id = ? AND p.page = ?"
        " ORDER BY b.position",
        (evidence.document_id, evidence.page),
    ).fetchall()
    section = _section_at(rows, item.quote.boxes[0])
    for kind, text, x0, y0, x1, y1, path, level in rows:
        if kind == "warning" and _governs(json.loads(path), section):
            source = PageRegion(
                evidence.document_id,
                evidence.document,
                evidence.page,
                evidence.label,
                (Box(x0, y0, x1, y1),),
            )
            yield SafetyBlock(level, text, source)


def _section_at(rows: Sequence[tuple[object, ...]], box: Box) -> list[str]:
    """Return the section path of the block that holds a box, [] if none does."""
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    for _, _, x0, y0, x1, y1, path, _ in rows:
        if float(x0) - 1 <= x <= float(x1) + 1 and float(y0) - 1 <= y <= float(y1) + 1:  # type: ignore[arg-type]
            return list(json.loads(str(path)))
    return []


def _governs(warning: Sequence[str], section: Sequence[str]) -> bool:
    """Whether a warning's section is the quoted one or one around it."""
    return list(section[: len(warning)]) == list(warning)


def _reason(evidence: Evidence) -> str:
    return f"found by {', '.join(evidence.found_by)}"
