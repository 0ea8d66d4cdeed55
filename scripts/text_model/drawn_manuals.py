"""Draw the invented manuals as PDFs with the questions they answer, to be asked as any other.

    python -m scripts.text_model.drawn_manuals FOLDER [--held-out 10] [--without 5]
    groundwork --library LIBRARY ingest FOLDER/*.pdf
    groundwork --library LIBRARY bench FOLDER/questions.json

Only the manuals that `scripts/train_text_model.py` left out are drawn: the text model has not
seen them. One passage in so many is not drawn, and its questions become such as the manuals do
not answer, asked in their own words. Most name no product, and many are put as a person puts
them who does not know the manual's words.
"""

from __future__ import annotations

import argparse
import html
import itertools
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pymupdf

from desktop.core.retrieval.asked_values import asked_kinds
from desktop.core.structure.tables import CELL_SEPARATOR
from desktop.core.structure.units import CONTEXT_SEPARATOR
from scripts.text_model.written_manuals import held_out_of, read_manuals

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scripts.text_model.written_manuals import Manual, Passage

_STYLE = """
body { font-family: sans-serif; font-size: 10pt } p { margin: 3pt 0 }
td { padding: 2pt 8pt; border: 0.5pt solid black }
h1 { font-size: 20pt } h2 { font-size: 15pt } h3 { font-size: 12pt } h4 { font-size: 11pt }
"""
_MARGINS = (56, 56, -56, -56)
_DEEPEST = 4
_HEADING_ROOM = 120.0
_Line = tuple[list[float], str]


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw and write; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--held-out", type=int, default=10, help="as the model was taught with")
    parser.add_argument("--without", type=int, default=5, help="one passage in so many; 0: none")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    questions: list[dict[str, Any]] = []
    for manual in held_out_of(read_manuals(), options.held_out):
        questions += draw(manual, options.folder, options.without)
    text = json.dumps(questions, ensure_ascii=False, indent=1)
    (options.folder / "questions.json").write_text(text, "utf-8")
    print(f"{len(questions)} questions in {options.folder}")
    return 0


def draw(manual: Manual, folder: Path, without: int) -> Iterator[dict[str, Any]]:
    """Write one manual as a PDF and yield its questions, as `evaluation.gold` reads them."""
    path = folder / f"{manual[0].manual}.pdf"
    left_out = set(manual[without - 1 :: without]) if without else set()
    kept = [passage for passage in manual if passage not in left_out]
    places = _write(kept, path)
    with pymupdf.open(path) as document:
        for passage, (page, box) in zip(kept, places, strict=True):
            lines = list(_lines(document[page], box))
            for question in _asked(passage):
                boxes = _telling(question["question"], lines)
                regions = [{"page": page, "bbox": line} for line in boxes]
                yield {**question, "document": path.name, "pages": [page], "regions": regions}
    for passage in manual:
        if passage in left_out:
            yield from ({**question, "document": None} for question in _asked(passage))


def _telling(question: str, lines: Sequence[_Line]) -> list[list[float]]:
    """Return the boxes of the lines that can be the answer.

    Who asks for a value is answered by the lines that show one of its kind, if some do.
    """
    kinds = asked_kinds(question)
    telling = [box for box, text in lines if any(kind.search(text) for kind in kinds)]
    return telling or [box for box, _ in lines]


def _asked(passage: Passage) -> Iterator[dict[str, Any]]:
    """Yield the questions of a passage, as yet without where the answer stands."""
    other = "de" if passage.lang == "en" else "en"
    for kind, lang, asked in (("own", passage.lang, passage.q), ("other", other, passage.x)):
        for question in asked:
            name = f"{passage.manual}: {question}"
            yield {"id": name, "kind": kind, "lang": lang, "question": question}


def _write(passages: Sequence[Passage], path: Path) -> list[tuple[int, pymupdf.Rect]]:
    """Return where each passage stands: its page, its box in points from the top left.

    Each is laid out by itself: MuPDF loses rows of a table that goes on over the page.
    """
    places = []
    title, *_ = passages[0].context.split(CONTEXT_SEPARATOR)
    last: list[str] = []
    sheet = _Sheet(path)
    sheet.place(f"<h1>{html.escape(title)}</h1>", _HEADING_ROOM)
    for passage in passages:
        headings = passage.context.split(CONTEXT_SEPARATOR)[1:]
        for depth, heading in enumerate(headings):
            if last[: depth + 1] != headings[: depth + 1]:
                level = min(depth + 2, _DEEPEST)
                sheet.place(f"<h{level}>{html.escape(heading)}</h{level}>", _HEADING_ROOM)
        last = headings
        places.append(sheet.place("".join(_blocks(passage.text))))
    sheet.close()
    return places


class _Sheet:
    """The page that is written on, and how far down it is full."""

    def __init__(self, path: Path) -> None:
        self._writer = pymupdf.DocumentWriter(str(path))
        self._page = -1
        self._turn()

    def place(self, markup: str, room: float = 0.0) -> tuple[int, pymupdf.Rect]:
        """Write below what stands, on a new page if it does not fit with `room` below it."""
        story = pymupdf.Story(markup, _STYLE)
        more, filled = story.place(self._free)
        if more or filled[3] + room > self._free.y1:
            self._turn()
            story.reset()
            more, filled = story.place(self._free)
        if more:
            raise ValueError("A passage is longer than a page.")
        story.draw(self._device)
        self._free.y0 = filled[3]
        return self._page, pymupdf.Rect(filled)

    def close(self) -> None:
        """Write the file."""
        self._writer.end_page()
        self._writer.close()

    def _turn(self) -> None:
        if self._page >= 0:
            self._writer.end_page()
        paper = pymupdf.paper_rect("a4")
        self._device = self._writer.begin_page(paper)
        self._free = paper + _MARGINS
        self._page += 1


def _blocks(text: str) -> Iterator[str]:
    """Yield tables and paragraphs; the first row of a table is its heading."""
    for table, lines in itertools.groupby(text.splitlines(), lambda line: CELL_SEPARATOR in line):
        if not table:
            yield from (f"<p>{html.escape(line)}</p>" for line in lines)
            continue
        rows = [[html.escape(cell) for cell in line.split(CELL_SEPARATOR)] for line in lines]
        rows[0] = [f"<b>{cell}</b>" for cell in rows[0]]
        drawn = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
        yield f"<table>{''.join(f'<tr>{row}</tr>' for row in drawn)}</table>"


def _lines(page: pymupdf.Page, box: pymupdf.Rect) -> Iterator[_Line]:
    """Yield box and words of the lines of text, and of the table rows, within a passage's box."""
    within = [w for w in page.get_text("words") if box.y0 < (w[1] + w[3]) / 2 < box.y1]
    for _, line in itertools.groupby(sorted(within, key=_height), _height):
        words = list(line)
        left, top, right, bottom = zip(*(word[:4] for word in words), strict=True)
        edges = (min(left), min(top), max(right), max(bottom))
        yield [round(edge, 1) for edge in edges], " ".join(word[4] for word in words)


def _height(word: tuple[float, ...]) -> int:
    return round(word[3])


if __name__ == "__main__":
    raise SystemExit(main())
