"""A scripted parser: its "PDFs" are files of JSON, its failures are told to it by the test.

write_manual(tmp_path / "pump.pdf", ["Disconnect the battery.", scanned("Fuse F1 5 A")])
parser = FakeParser()
parser.fail_page(1, "The page is damaged.")
"""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from desktop.core.errors import NotAPdf, NotAPicture, ParserLimit, PdfNeedsPassword, UnreadablePdf
from desktop.core.page_words import PageWords
from desktop.core.structure.values import (
    Block,
    DocumentInfo,
    OutlineEntry,
    PageHighlight,
    PageImage,
    PageLayout,
    PageLink,
    PageText,
    PhotoText,
    Unit,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from desktop.core.structure.values import BoxTuple

WIDTH, HEIGHT = 612.0, 792.0
_HEADER = b"%PDF-1.7 scripted\n"
_CHARACTER, _LINE, _MARGIN = 6.0, 14.0, 72.0

Page = str | dict[str, str]


def scanned(text: str) -> Page:
    """Return a page whose text only OCR sees."""
    return {"ocr": text}


def with_margin(text: str, label: str) -> Page:
    """Return a page with a number printed in its margin."""
    return {"text": text, "margin": label}


def write_manual(
    path: Path,
    pages: Sequence[Page],
    *,
    title: str = "",
    labels: Sequence[str] = (),
    outline: Sequence[tuple[int, str, int]] = (),
    password: str | None = None,
) -> Path:
    """Write a file that FakeParser reads; lines of a page's text are separate blocks."""
    script = {
        "pages": list(pages),
        "title": title,
        "labels": list(labels) or [""] * len(pages),
        "outline": [list(entry) for entry in outline],
        "password": password,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_HEADER + json.dumps(script).encode())
    return path


def words_of(text: str, *, from_ocr: bool = False) -> PageWords:
    """Return the words of a text as FakeParser places them: 6 pt a character, 14 pt a line."""
    texts: list[str] = []
    boxes: list[BoxTuple] = []
    lines: list[int] = []
    for number, line in enumerate(text.splitlines()):
        column = 0
        for word in line.split():
            left, top = _MARGIN + column * _CHARACTER, _MARGIN + number * _LINE
            texts.append(word)
            boxes.append((left, top, left + len(word) * _CHARACTER, top + 12.0))
            lines.append(number)
            column += len(word) + 1
    return PageWords(
        tuple(texts),
        np.asarray(boxes, np.float32).reshape(-1, 4),
        np.asarray(lines, np.int32),
        from_ocr,
    )


class FakeParser:
    """Satisfies Parser; remembers its calls and does what it was told to."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, int]] = []
        self.closed = False
        self._failures: dict[int, str] = {}
        self._limits: dict[tuple[str, int], str] = {}
        self._before: Callable[[str, int], None] | None = None
        self._gate = threading.Event()
        self._gate.set()

    def fail_page(self, page: int, reason: str) -> None:
        """Let a page come back with an error."""
        self._failures[page] = reason

    def heal(self) -> None:
        """Forget every failure."""
        self._failures.clear()
        self._limits.clear()

    def die_at(self, call: str, page: int, reason: str = "The page took too long.") -> None:
        """Raise ParserLimit at a page of "text" or "layout"."""
        self._limits[call, page] = reason

    def before_each(self, action: Callable[[str, int], None]) -> None:
        """Call `action("open" | "text" | "layout", page)` before each answer."""
        self._before = action

    def hold(self) -> None:
        """Let every call wait for `go`."""
        self._gate.clear()

    def go(self) -> None:
        """Let waiting calls go on."""
        self._gate.set()

    def open(self, path: Path, password: str | None = None) -> DocumentInfo:
        self._called("open", 0)
        script = self._script(path, password)
        return DocumentInfo(
            page_count=len(script["pages"]),
            title=script["title"],
            outline=tuple(OutlineEntry(*entry) for entry in script["outline"]),
            labels=tuple(script["labels"]),
            metadata={},
        )

    def read_text(
        self, path: Path, first: int, last: int, password: str | None = None
    ) -> Iterator[PageText]:
        script = self._script(path, password)
        for page in range(first, last):
            self._called("text", page)
            if page in self._failures:
                yield PageText(page, WIDTH, HEIGHT, b"", self._failures[page])
            else:
                words = words_of(_part(script["pages"][page], "text"))
                yield PageText(page, WIDTH, HEIGHT, words.to_bytes())

    def read_layout(
        self,
        path: Path,
        page: int,
        password: str | None = None,
        before: Callable[[], bytes] = bytes,
    ) -> PageLayout:
        script = self._script(path, password)
        self._called("layout", page)
        if page in self._failures:
            return PageLayout(page, (), (), b"", False, "", False, self._failures[page])
        content = script["pages"][page]
        recognized = _part(content, "ocr")
        words = words_of(recognized or _part(content, "text"), from_ocr=bool(recognized))
        blocks, units = _structure(words, script["title"])
        return PageLayout(
            page=page,
            blocks=blocks,
            units=units,
            words=words.to_bytes() if recognized else b"",
            ocr=bool(recognized),
            margin_label=_part(content, "margin"),
            slow_to_draw=False,
        )

    def read_links(
        self, path: Path, page: int, password: str | None = None
    ) -> tuple[PageLink, ...]:
        self._script(path, password)
        return ()

    def write_highlights(
        self,
        path: Path,
        copy: Path,
        highlights: Sequence[PageHighlight],
        password: str | None = None,
    ) -> None:
        self._script(path, password)
        copy.write_bytes(path.read_bytes())

    def convert(self, source: Path, target: Path, suffix: str, name: str) -> None:
        """The pages of the "PDF" are those of the text, split at form feeds."""
        self._called("convert", 0)
        write_manual(target, source.read_text("utf-8").split("\f"))

    def draw(
        self,
        path: Path,
        page: int,
        scale: float,
        clip: BoxTuple | None = None,
        password: str | None = None,
    ) -> PageImage:
        self._script(path, password)
        x0, y0, x1, y1 = clip or (0.0, 0.0, WIDTH, HEIGHT)
        width, height = max(0, round((x1 - x0) * scale)), max(0, round((y1 - y0) * scale))
        return PageImage(width, height, b"\xff" * (width * height * 3))

    def read_photo(self, data: bytes) -> PhotoText:
        raise NotAPicture("not a scripted photo")

    def close(self) -> None:
        self.closed = True
        self._gate.set()

    def _called(self, call: str, page: int) -> None:
        self._gate.wait()
        self.calls.append((call, page))
        if self._before is not None:
            self._before(call, page)
        if (call, page) in self._limits:
            raise ParserLimit(self._limits[call, page], "time")

    def _script(self, path: Path, password: str | None) -> dict[str, Any]:
        data = path.read_bytes()
        if not data.startswith(b"%PDF-"):
            raise NotAPdf("This is not a PDF.")
        if not data.startswith(_HEADER):
            raise UnreadablePdf("The file is damaged.")
        script: dict[str, Any] = json.loads(data.removeprefix(_HEADER))
        if script["password"] not in (None, password):
            raise PdfNeedsPassword("The file is encrypted.")
        if not script["pages"]:
            raise UnreadablePdf("The file has no pages.")
        return script


def _part(content: Page, part: str) -> str:
    if isinstance(content, str):
        return content if part == "text" else ""
    return content.get(part, "")


def _structure(words: PageWords, title: str) -> tuple[tuple[Block, ...], tuple[Unit, ...]]:
    """One text block and one unit per line."""
    blocks: list[Block] = []
    units: list[Unit] = []
    for position, line in enumerate(sorted(set(words.lines.tolist()))):
        found = np.flatnonzero(words.lines == line)
        text = " ".join(words.texts[index] for index in found)
        (box,) = words.line_boxes(int(found[0]), int(found[-1]))
        blocks.append(Block(position, "text", text, box.as_tuple()))
        units.append(Unit("paragraph", text, title, (box.as_tuple(),), (), position, True))
    return tuple(blocks), tuple(units)
