"""What is compared of a manual: its sentences, rows, headings, captions and figures, in order.

Where a page ends, how lines break, which number is printed on a page, what day it is and how the
lines of the contents lead to pages is the layout of a revision, not what it says.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal

from desktop.core.library.documents import require_document
from desktop.core.library.editions import without_dates
from desktop.core.library.units import stored_boxes
from desktop.core.page_words import PageWords
from desktop.core.quantities import plain
from desktop.core.structure.sentences import sentence_spans, words_in
from desktop.core.structure.signs import CELL_SEPARATOR, without_bullet
from desktop.core.structure.units import column_headings
from desktop.core.whole_words import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import apsw

    from desktop.core.geometry import Box

ItemKind = Literal["warning", "step", "row", "heading", "caption", "figure", "text"]

_UNITS = """SELECT u.kind, u.text, u.context, u.boxes, u.page, u.block, p.label, p.ocr,
    coalesce(b.kind, ''), coalesce(b.section, '[]'), coalesce(b.warning, '')
    FROM units AS u JOIN pages AS p ON p.id = u.page_id
    LEFT JOIN blocks AS b ON b.page_id = u.page_id AND b.position = u.block
    WHERE u.document_id = ? AND u.kind <> 'window' ORDER BY u.page, u.id"""
_PAGES = """SELECT p.page, coalesce(s.state, ''),
    CASE WHEN s.state = 'done' THEN x'' ELSE w.words END
    FROM pages AS p LEFT JOIN page_words AS w ON w.page_id = p.id
    LEFT JOIN page_passes AS s ON s.page_id = p.id AND s.pass = 'layout'
    WHERE p.document_id = ?"""
_STEP = re.compile(r"^\W{0,2}(?:\d{1,2}|[A-Za-z])[.)]\s+(?=\S)")
_NUMBERING = re.compile(r"^(?:\w+\s)?\s*(?=[\w.-]*\d)([A-Z]{0,2}[\d]{0,3}(?:[.-]\d{1,3})*)[.:]?\s+")
"""What counts headings and captions: "4.3 ", "Table 4-2 ", "Annex 3 "."""
_PAGE_AFTER = re.compile(
    r"[\s.·…|_]+(?:[A-Za-z]{1,2}[-–.]?)?(?:\d{1,4}(?:[-–.]\d{1,4})?|[ivxlc]+)$"
)
_IMPRINT_PAGES, _LONGEST_IMPRINT = 3, 12
"""On which pages, and in how many words, a manual says which revision it is."""
_FEWEST_ENTRIES = 4
"""A block with this many lines that lead to headings is a table of contents."""


@dataclass(frozen=True)
class Item:
    """A sentence, row, heading, caption or figure of a manual.

    section: headings above it, outermost first. level: of a warning, else "".
    columns: the headings of a row's table, "" without. number: its numbering ("4.3",
    "3."), no part of what it says. piece: equal for everything in one block, list item
    or row. ocr: its page was read by OCR.
    """

    kind: ItemKind
    text: str
    section: tuple[str, ...]
    page: int
    label: str
    ocr: bool
    box_data: bytes
    piece: tuple[int, int, int]
    level: str = ""
    columns: str = ""
    number: str = ""

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Where its unit stands: points of the page as displayed, top-left origin."""
        return stored_boxes(self.box_data)

    @cached_property
    def said(self) -> str:
        """Its text without dates, and in an imprint without what names the revision."""
        short = len(self.text.split()) <= _LONGEST_IMPRINT
        return without_dates(self.text, revisions=short and self.page < _IMPRINT_PAGES)

    @cached_property
    def key(self) -> str:
        """What it says, equal however it is set: no case, spaces, dates or signs between words."""
        said = self.said
        if self.kind == "figure":  # its labels are read in the order in which they stand
            said = " ".join(sorted(said.split()))
        return key_of(said)

    @cached_property
    def path(self) -> tuple[str, ...]:
        """The headings that it stands under, without their numbers."""
        return tuple(key_of(without_number(title)) for title in self.section)

    @cached_property
    def section_key(self) -> str:
        """The heading that it stands under, without its number."""
        return self.path[-1] if self.section else ""

    @cached_property
    def first_cell(self) -> str:
        """What a row is about, as its first cell says it."""
        return key_of(self.text.partition(CELL_SEPARATOR)[0])

    @cached_property
    def words(self) -> Counter[str]:
        """Its words, without case, and how often each stands there."""
        return Counter(words_in(plain(self.text).casefold()))


def key_of(text: str) -> str:
    """Return a text without what typesetting and case change in it."""
    one = re.sub(r"(?<=[^\W\d_])[-\u2010]\s*(?=[^\W\d_])", "", plain(text))
    # a point or comma inside a number counts
    one = re.sub(r"(?<=\d)[.,](?=\d)", "\u2024", one)
    return re.sub(r"[\s|•●▪■◦‣➢\u00ad\"'.,;:!?()\[\]…·]+", "", one.casefold())


def without_number(heading: str) -> str:
    """Return a heading or caption without its number."""
    return _NUMBERING.sub("", heading, count=1) or heading


def number_of(heading: str) -> str:
    """Return the number of a heading or caption: "4.3", "4-2"; "" where there is none."""
    match = _NUMBERING.match(heading)
    return match[1] if match else ""


def items_of(connection: apsw.Connection, document_id: int) -> list[Item]:
    """Return what a manual says, in its order. Raises: DocumentNotFound."""
    require_document(connection, document_id)
    found: list[Item] = []
    for row in connection.execute(_UNITS, (document_id,)):
        found += _items(len(found), *row)
    return _without_repetitions(_without_contents(found))


@dataclass(frozen=True)
class UnreadPages:
    """Pages whose layout is not known (yet), or that could not be read.

    text: the words that are known of them, as `key_of` returns them. blank: those whose
    words are not known either, from 0.
    """

    count: int = 0
    text: str = ""
    blank: frozenset[int] = frozenset()

    def may_say(self, item: Item, first: int, last: int) -> bool:
        """Whether an item may be on one of them; it belongs on the pages first to last."""
        return self.count > 0 and (
            item.key in self.text or any(first <= page <= last for page in self.blank)
        )


def unread_pages(connection: apsw.Connection, document_id: int) -> UnreadPages:
    """Return the pages of a manual whose layout was not read."""
    total = connection.execute("SELECT page_count FROM documents WHERE id = ?", (document_id,)).get
    pages = set(range(total))
    texts: dict[int, str] = {}
    for page, state, words in connection.execute(_PAGES, (document_id,)):
        if state == "done":
            pages.discard(page)
        elif words:
            texts[page] = key_of(text_of(PageWords.from_bytes(words).texts))
    return UnreadPages(
        len(pages),
        "\n".join(texts.values()),
        frozenset(page for page in pages if not texts.get(page)),
    )


def _items(
    position: int,
    kind: str,
    text: str,
    context: str,
    boxes: bytes,
    page: int,
    block: int,
    label: str,
    ocr: int,
    block_kind: str,
    section: str,
    level: str,
) -> Iterator[Item]:
    path = tuple(json.loads(section))
    item = partial(Item, section=path, page=page, label=label, ocr=bool(ocr), box_data=boxes)
    if block_kind == "figure":
        if kind == "label" and text:  # its rows repeat the words of the figure
            yield item("figure", text, piece=(page, block, 0))
        return
    if kind == "row":
        headings = column_headings(context) if CELL_SEPARATOR in context else ()
        columns = CELL_SEPARATOR.join(headings)
        yield item("row", text, columns=columns, piece=(page, block, position))
        return
    if kind in ("heading", "caption"):
        named: ItemKind = "heading" if kind == "heading" else "caption"
        number = number_of(text)
        yield item(named, without_number(text), number=number, piece=(page, block, 0))
        return
    part = 0
    words = text.split()
    for first, last in sentence_spans(words):
        sentence = " ".join(words[first:last])
        step = _STEP.match(sentence)
        number = step.group().strip() if step else ""
        said = without_bullet(sentence[step.end() :] if step else sentence).strip()
        if not key_of(said):
            continue
        if number:
            part = position + first + 1
        of_steps = kind == "item" and _STEP.match(text) is not None
        told: ItemKind = "warning" if level else "step" if of_steps else "text"
        piece = (page, block, 0 if level else part)
        yield item(told, said, level=level, number=number, piece=piece)


def _without_contents(items: Sequence[Item]) -> list[Item]:
    """Leave out tables of contents: lines that only repeat a heading and name its page."""
    headings = {each.key for each in items if each.kind == "heading"}
    headings |= {key_of(without_number(title)) for each in items for title in each.section}
    leading: Counter[tuple[int, int]] = Counter()
    lines: Counter[tuple[int, int]] = Counter()
    entries: set[int] = set()
    for index, each in enumerate(items):
        block = each.piece[:2]
        lines[block] += 1
        if each.kind != "heading" and _leads_to(each.text, headings):
            leading[block] += 1
            entries.add(index)
    contents = {
        block
        for block, count in leading.items()
        if count >= _FEWEST_ENTRIES and 2 * count >= lines[block]
    }
    return [
        each
        for index, each in enumerate(items)
        if index not in entries and each.piece[:2] not in contents
    ]


def _leads_to(text: str, headings: set[str]) -> bool:
    line, found = _PAGE_AFTER.subn("", text)
    return bool(found) and key_of(without_number(line)) in headings


def _without_repetitions(items: Iterable[Item]) -> list[Item]:
    """Leave out captions that a table repeats where it goes on over the page."""
    kept: list[Item] = []
    seen: set[str] = set()
    for each in items:
        if each.kind in ("caption", "heading", "text"):
            bare, cut = re.subn(r"\s*\([^()]*\)\W*$", "", each.text)
            if cut and key_of(without_number(bare)) in seen:
                continue
        if each.kind == "caption":
            seen.add(each.key)
        kept.append(each)
    return kept
