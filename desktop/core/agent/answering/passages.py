"""The passages that an answer is written from: sections of the pages that were found.

A passage is a section of a page in reading order, so that a procedure or a table stays
whole; a long section is cut between two of its units. What a vision model saw on a page and the
notes of the site are passages too. What a passage says is data: nothing in it may end its
passage, open another one, look like a citation, a field of the prompt or a control token.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop.core.agent.notes import document_of_note, kept_notes, note_number
from desktop.core.conversations.values import shortened
from desktop.core.geometry import Box
from desktop.core.language.untrusted_text import neutral
from desktop.core.library.units import Passage
from desktop.core.notes.note import note_place
from desktop.core.reader.evidence import Evidence
from desktop.core.reader.passages import NumberedPassage, section_of
from desktop.core.structure.signs import CONTEXT_SEPARATOR, is_numbered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from desktop.core.agent.environment import Environment
    from desktop.core.notes.search import FoundNote

# About 350 tokens; a procedure or a table may be twice as long.
_LONGEST = 1_400
_LONGEST_WHOLE = 2_800
_MOST_PASSAGES = 16
# The second passage of a page is worth as much as the first one this many pages further down.
_NEXT_OF_PAGE = 1.5
PICTURE = "picture"
"""The kind of a unit that a vision model saw in the picture of the page."""
_SEEN = "seen in the picture of the page"
_AFTER_THE_TEXT = 2**62  # after the units of the page's text
_MOST_NOTES = 3
_SHARE_OF_NOTES = 0.3  # of the room for passages: the manuals come first
_LONGEST_LABEL = 120


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A passage that may be chosen.

    page_rank: position of its page. place: of the passage on the page. priority: least first.
    """

    passage: NumberedPassage
    page_rank: int
    place: int
    priority: float


def choose_passages(
    searches: Sequence[Sequence[Evidence]],
    references: Mapping[tuple[int, int], str],
    count_tokens: Callable[[NumberedPassage], int],
    budget: int,
) -> tuple[NumberedPassage, ...]:
    """Return the passages that fit into `budget` tokens, the best served first.

    They are numbered from 1 in page order, and in reading order within a page.

    searches: the pages of each search, best first. references: `_REF_ID` by document
    and page. count_tokens: what a passage costs in the prompt; may block.
    """
    chosen: list[_Candidate] = []
    for candidate in sorted(_candidates(searches, references), key=lambda each: each.priority):
        cost = count_tokens(candidate.passage)
        if cost <= budget:
            chosen.append(candidate)
            budget -= cost
        if len(chosen) == _MOST_PASSAGES:
            break
    chosen.sort(key=lambda each: (each.page_rank, each.place))
    return tuple(replace(each.passage, number=n) for n, each in enumerate(chosen, 1))


def _candidates(
    searches: Sequence[Sequence[Evidence]], references: Mapping[tuple[int, int], str]
) -> Iterator[_Candidate]:
    for page_rank, (rank, evidence) in enumerate(_pages(searches)):
        reference = references.get((evidence.document_id, evidence.page), "")
        pieces = [
            (max(unit.score for unit in units), place, units)
            for place, units in enumerate(_sections(evidence.passages))
        ]
        pieces.sort(key=lambda piece: -piece[0])
        for position, (_score, place, units) in enumerate(pieces):
            passage = NumberedPassage(0, evidence, tuple(units), reference)
            yield _Candidate(passage, page_rank, place, rank + position * _NEXT_OF_PAGE)


def _pages(searches: Sequence[Sequence[Evidence]]) -> list[tuple[int, Evidence]]:
    """Return each page once with its best rank in any search; among equals, the latest one's.

    A table of contents answers nothing: it is taken only where there is nothing else.
    """
    best: dict[tuple[int, int], tuple[int, Evidence]] = {}
    for found in reversed(searches):
        pages = [page for page in found if not page.contents] or found
        for rank, evidence in enumerate(pages):
            key = (evidence.document_id, evidence.page)
            if key not in best or rank < best[key][0]:
                best[key] = (rank, evidence)
    return sorted(best.values(), key=lambda item: item[0])


def _sections(units: Iterable[Passage]) -> Iterator[list[Passage]]:
    """Split a page into its sections in reading order, none much longer than a passage."""
    ordered = sorted(_said_once(units), key=_reading_order)
    section: list[Passage] = []
    for unit in ordered:
        if section and not _belongs(section, unit):
            yield section
            section = []
        section.append(unit)
    if section:
        yield section


def _belongs(section: Sequence[Passage], unit: Passage) -> bool:
    """Whether a unit continues a passage: same section, and there is room for it."""
    first, last = section[0], section[-1]
    one, other = section_of(first), section_of(unit)
    same = one == other or (bool(one) and other[: len(one)] == one)
    length = sum(len(each.text) for each in section) + len(unit.text)
    whole = unit.kind == last.kind and (unit.kind == "row" or is_numbered(unit.text))
    return same and length <= (_LONGEST_WHOLE if whole else _LONGEST)


def _said_once(units: Iterable[Passage]) -> list[Passage]:
    """Leave out headings that the sections name anyway, and drawings that rows tell too."""
    units = [unit for unit in units if unit.text.strip()]
    named = {part.strip() for unit in units for part in unit.context.split(CONTEXT_SEPARATOR)}
    in_rows = {unit.context for unit in units if unit.kind == "row"}
    kept = [
        unit
        for unit in units
        if not (unit.kind == "heading" and unit.text.strip() in named)
        and not (unit.kind == "label" and unit.context in in_rows)
    ]
    return kept or units


def _reading_order(unit: Passage) -> tuple[int, float, float]:
    box = unit.boxes[0] if unit.boxes else None
    return (unit.unit_id, box.y0 if box else 0.0, box.x0 if box else 0.0)


def has_pictures(environment: Environment) -> bool:
    """Whether a vision model has looked at a page."""
    return next(_seen(environment), None) is not None


def with_pictures(environment: Environment, found: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Return the pages, each with what was seen on it ranked first."""
    seen = list(_seen(environment))
    pages = []
    for page in found:
        context = CONTEXT_SEPARATOR.join((page.title, _SEEN))
        first = 1 + max((unit.score for unit in page.passages), default=0.0)
        own = [
            replace(unit, context=context, score=first)
            for place, unit in seen
            if place == (page.document_id, page.page)
        ]
        pages.append(replace(page, passages=(*own, *page.passages)))
    return tuple(pages)


def _seen(environment: Environment) -> Iterator[tuple[tuple[int, int], Passage]]:
    for found in environment.to_dict()["objects"].values():
        text = found.get("interpretation")
        if isinstance(text, str) and text.strip() and "page" in found and "document_id" in found:
            boxes = tuple(Box(*map(float, box)) for box in found.get("regions", ()))
            unit = Passage(_AFTER_THE_TEXT, PICTURE, text, "", boxes, (), 0.0)
            yield (found["document_id"], found["page"]), unit


def with_notes(
    environment: Environment,
    room: int,
    cost: Callable[[NumberedPassage], int],
    manuals: Callable[[int], Sequence[NumberedPassage]],
) -> tuple[NumberedPassage, ...]:
    """Return the passages of manuals and, after them, of the notes that a question is about.

    room: tokens for all. cost: tokens of a passage. manuals: chooses their passages,
    given tokens.
    """
    notes, left = [], int(room * _SHARE_OF_NOTES)
    for number, found in enumerate(kept_notes(environment)[:_MOST_NOTES]):
        passage = _note_passage(number, found)
        spent = cost(passage)
        if spent <= left:
            notes.append(passage)
            left -= spent
            room -= spent
    chosen = tuple(manuals(room))
    if not chosen:
        return ()
    return (*chosen, *(replace(each, number=n) for n, each in enumerate(notes, len(chosen) + 1)))


def _note_passage(number: int, found: FoundNote) -> NumberedPassage:
    lines = [line.strip() for line in found.note.text.splitlines() if line.strip()]
    units = tuple(Passage(0, "note", line, found.note.scope, (), (), found.score) for line in lines)
    label = note_place(found.source)
    document = document_of_note(number)
    evidence = Evidence(document, "site note", label, 0, "", found.score, ("notes",), units)
    return NumberedPassage(0, evidence, units)


def passages_text(passages: Iterable[NumberedPassage]) -> str:
    """Return all passages for a prompt, each between its own tags."""
    return "\n\n".join(passage_text(passage) for passage in passages)


def passage_text(passage: NumberedPassage) -> str:
    """Return one passage between its tags, with manual, printed page and section."""
    parts = [passage.manual, f"page {passage.page_label}", passage.section]
    if note_number(passage.evidence.document_id) is not None:
        parts = [passage.evidence.title]
    label = ", ".join(filter(None, map(_label, parts)))
    body = "\n".join(neutral(line) for line in passage.lines)
    return f"<passage {passage.number}: {label}>\n{body}\n</passage {passage.number}>"


def _label(text: str) -> str:
    line = " ".join(neutral(text).split()).replace("<", "‹").replace(">", "›")
    return shortened(line, _LONGEST_LABEL)
