"""Finds every answer's words on the drawn pages and writes questions.json."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pymupdf

from . import questions_facts, questions_tasks, questions_unanswerable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .manual import Manual
    from .question import Book, Question, Spot

QUESTIONS_FILE = Path(__file__).resolve().parent.parent / "questions.json"
Box = tuple[float, float, float, float]


class SpotError(ValueError):
    """The words of a spot are not, or not exactly once, on its page."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word where a reader sees it, in points from the top-left corner."""

    box: Box
    text: str


def page_words(manual: Manual, page: int) -> list[Word]:
    """Return the words of a page as displayed; those of a scan as they were before it."""
    if page in manual.scanned_words:
        return [Word((x0, y0, x1, y1), text) for x0, y0, x1, y1, text in manual.scanned_words[page]]
    shown = manual.document[page]
    words = []
    for x0, y0, x1, y1, text, *_ in shown.get_text("words"):
        seen = pymupdf.Rect(x0, y0, x1, y1) * shown.rotation_matrix
        words.append(Word((seen.x0, seen.y0, seen.x1, seen.y1), text))
    return words


def _union(words: list[Word]) -> Box:
    return (
        min(word.box[0] for word in words),
        min(word.box[1] for word in words),
        max(word.box[2] for word in words),
        max(word.box[3] for word in words),
    )


def _find(words: list[Word], spot: Spot) -> list[Word]:
    """Return the one run of words that reads like the spot's text."""
    wanted = spot.text.split()
    texts = [word.text for word in words]
    starts = [i for i in range(len(texts)) if texts[i : i + len(wanted)] == wanted]
    if len(starts) != 1:
        raise SpotError(f"{spot.book} {spot.label}: {len(starts)} times {spot.text!r}")
    return words[starts[0] : starts[0] + len(wanted)]


def _row_around(manual: Manual, page: int, words: list[Word], box: Box) -> Box | None:
    """Return the words of the drawn table row that holds the middle of the box."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    for row in manual.rows:
        x0, y0, x1, y1 = row.box
        if row.page == page and x0 <= x <= x1 and y0 <= y <= y1:
            inside = [
                word
                for word in words
                if y0 <= (word.box[1] + word.box[3]) / 2 <= y1 and x0 <= word.box[0] <= x1
            ]
            return _union(inside)
    return None


def _rounded(box: Box) -> list[float]:
    return [round(value, 1) for value in box]


def _page_of(manual: Manual, spot: Spot) -> int:
    return next(sheet.index for sheet in manual.sheets if sheet.label == spot.label)


def _regions(manual: Manual, spot: Spot) -> list[dict[str, object]]:
    page = _page_of(manual, spot)
    words = page_words(manual, page)
    box = _union(_find(words, spot))
    region: dict[str, object] = {
        "page": page,
        "bbox": _rounded(box),
        "text": spot.text,
        "document": manual.identity.file_name,
    }
    row = _row_around(manual, page, words, box)
    if row is not None:
        region["row_bbox"] = _rounded(row)
    if page in manual.scanned_words:
        region["image_only"] = True
    if not spot.figure:
        return [region]
    frame = {
        "page": page,
        "bbox": _rounded(manual.figures[spot.figure].box),
        "text": None,
        "figure": True,
        "document": manual.identity.file_name,
    }
    return [region, frame]


def _record(
    identifier: str, question: Question, manuals: Mapping[Book, Manual]
) -> dict[str, object]:
    regions = [r for spot in question.spots for r in _regions(manuals[spot.book], spot)]
    places = list(dict.fromkeys((str(r["document"]), int(str(r["page"]))) for r in regions))
    document = places[0][0] if places else None
    return {
        "id": identifier,
        "set": "samples",
        "kind": question.kind,
        "lang": question.lang,
        "question": question.question,
        "answer": question.answer,
        "document": document,
        "pages": [page for name, page in places if name == document],
        "evidence": [{"document": name, "page": page} for name, page in places],
        "regions": regions,
        "notes": question.notes,
    }


def write_questions(manuals: Mapping[Book, Manual], path: Path = QUESTIONS_FILE) -> int:
    """Write all questions with their boxes and return how many there are.

    Raises: SpotError, if an answer's words are not exactly once on the page it names.
    """
    answerable = questions_facts.QUESTIONS + questions_tasks.QUESTIONS
    records = [_record(f"hx-{n:02d}", q, manuals) for n, q in enumerate(answerable, 1)]
    records += [
        _record(f"hx-u{n:02d}", q, manuals)
        for n, q in enumerate(questions_unanswerable.QUESTIONS, 1)
    ]
    path.write_text(json.dumps(records, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return len(records)
