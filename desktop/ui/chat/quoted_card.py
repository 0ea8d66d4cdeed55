"""A quote as a card: the value that answers, the rows, the steps, and their picture on the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QWidget

from desktop.core.answering.quoted_lines import in_common, section_told
from desktop.core.events import CitationEvent, PageRegion, QuotedForm
from desktop.core.structure.signs import without_bullet
from desktop.ui.chat.citations import CropButton, PageChip
from desktop.ui.design.controls import TOP, PressButton, fill, in_column, in_row, label
from desktop.ui.design.theme import scaled_font
from desktop.ui.design.tokens import Space, Type
from desktop.ui.language import tr
from desktop.ui.wording import unbroken, unbroken_value

if TYPE_CHECKING:
    from desktop.ui.chat.answer_text import Quoted
    from desktop.ui.viewer.page_pictures import PagePictures


ROOM = 310
"""Width up to which the cells stand beside each other; a wider row is told cell below cell.

A card has so much inside in an answer column of 400 pixels.
"""
WIDE_ROOM = 480
"""The same for a card in a report."""


class QuotedTable(QWidget):
    """forms: rows with the same headings."""

    def __init__(self, forms: Sequence[QuotedForm], room: int = ROOM) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(Space.S)
        self._grid.setVerticalSpacing(0)
        if _width(forms) > room:
            self._fill_downwards(forms)
        else:
            self._fill_across(forms)
        self.setAccessibleName("\n".join(form.told for form in forms))

    def _fill_across(self, forms: Sequence[QuotedForm]) -> None:
        for column, heading in enumerate(forms[0].headings):
            self._grid.addWidget(_heading(heading), 0, column)
        for row, (above, form) in enumerate(zip((None, *forms), forms, strict=False), start=1):
            shared = in_common(above, form)
            for column, cell in list(enumerate(form.cells))[shared:]:
                self._grid.addWidget(_cell(cell, asked=column == form.asked), row, column)
        self._grid.setColumnStretch(len(forms[0].cells), 1)

    def _fill_downwards(self, forms: Sequence[QuotedForm]) -> None:
        row = 0
        for above, form in zip((None, *forms), forms, strict=False):
            shared = in_common(above, form)
            for column, cell in list(enumerate(form.cells))[shared:]:
                if not any(map(str.isalnum, cell)):
                    continue
                heading = form.headings[column] if form.headings else ""
                row = self._add_below(row, heading, cell, _lines_below(form, column))
            self._grid.setRowMinimumHeight(row, Space.S)
            row += 1
        self._grid.setColumnStretch(1, 1)

    def _add_below(self, row: int, heading: str, text: str, cell: QWidget) -> int:
        """Put a cell beside its heading, below it where either is long; return the next row."""
        named = _heading(heading, wrap=True)
        beside = _advance(heading, Type.SMALL) <= ROOM / 3 and _advance(text, Type.BODY) <= ROOM
        if heading and beside:
            self._grid.addWidget(named, row, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(cell, row, 1)
            return row + 1
        if heading:
            self._grid.addWidget(named, row, 0, 1, 2)
            row += 1
        self._grid.addWidget(cell, row, 0, 1, 2)
        return row + 1


LONGEST_BOLD = 60
"""Letters of a cell or line that answers and may be bold; what is longer is only tinted."""


def _lines_below(form: QuotedForm, column: int) -> QWidget:
    """Return a cell of a row laid out downwards, line by line; one line may be the answer."""
    text, asked = form.cells[column], column == form.asked
    line = form.asked_line if asked else -1
    cell = QWidget()
    lines = in_column(cell)
    for at, part in enumerate(text.split("\n") if line >= 0 else [text]):
        told = asked and line in (-1, at)
        shown = label(part, bold=told and len(part) <= LONGEST_BOLD, wrap=True, selectable=True)
        shown.setProperty("role", "asked" if told else "cell")
        shown.setProperty("long", len(part) > LONGEST_BOLD)
        lines.addWidget(shown)
    return cell


def _heading(text: str, *, wrap: bool = False) -> QLabel:
    shown = label(text, factor=Type.SMALL, tone="muted", wrap=wrap)
    shown.setProperty("role", "cell")
    return shown


def _cell(text: str, *, asked: bool) -> QLabel:
    shown = label(text, bold=asked, selectable=True)
    shown.setProperty("role", "asked" if asked else "cell")
    shown.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
    shown.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    return shown


def _advance(text: str, factor: float) -> int:
    """Return how wide the widest line of a text is, in pixels; bold, as a value may be."""
    metrics = QFontMetrics(scaled_font(factor, bold=factor == Type.BODY))
    return max(metrics.horizontalAdvance(line) for line in text.split("\n"))


def _width(forms: Sequence[QuotedForm]) -> int:
    """Return the width of the rows with their cells side by side."""
    columns = range(len(forms[0].cells))
    headings = forms[0].headings or [""] * len(columns)
    return sum(
        max(
            _advance(headings[column], Type.SMALL),
            *(_advance(form.cells[column], Type.BODY) for form in forms),
        )
        + 2 * Space.S
        + Space.XS
        for column in columns
    )


LONGEST_FACT = 28
"""Letters of a value that may lead; a longer one is read in its table."""


class QuotedCard(QFrame):
    """opened(number): show this citation on its page. hovered(number): pointed at, 0 none."""

    opened = Signal(int)
    hovered = Signal(int)

    def __init__(
        self,
        quoted: Quoted,
        title_of: Callable[[PageRegion], str],
        pictures: PagePictures | None,
        *,
        leads: bool,
        doubted: bool = False,
        wide: bool = False,
    ) -> None:
        """leads: it is the first thing that is said; its value may be large.

        doubted: it may not be the answer; none of its words are set apart.
        wide: it has the room of a report.
        """
        super().__init__()
        self._room = WIDE_ROOM if wide else ROOM
        self._size = Type.BODY if doubted else Type.LEAD
        self.quoted = quoted
        self.chips: dict[int, PageChip] = {}
        self.fact: QLabel | None = None
        self._title_of = title_of
        self.setProperty("role", "quoted")
        self._column = in_column(self, (Space.L, Space.M, Space.L, Space.M), spacing=Space.S)
        forms = [replace(form, asked=-1) for form in quoted.forms] if doubted else quoted.forms
        if quoted.kind == "row":
            self._add_rows(forms, leads=leads)
        elif quoted.is_list:
            self._add_list(quoted.citations, leads=leads and not doubted)
        else:
            self._add_sentence(forms[0], leads=leads)
        self.crop = CropButton(_place(quoted.citations), self._title(), pictures, wide=wide)
        self.crop.clicked.connect(lambda: self.opened.emit(quoted.citations[0].number))
        self._column.addWidget(self.crop)

    def light(self, number: int) -> None:
        """Highlight the chips of a citation pointed at on the page; 0: of none."""
        for each, chip in self.chips.items():
            chip.light(each == number)

    def _add_sentence(self, form: QuotedForm, *, leads: bool) -> None:
        if leads and form.value and len(form.value) <= LONGEST_FACT:
            self._add_fact(form.value)
            if section := section_told(form.section):
                self._column.addWidget(label(section, factor=Type.SMALL, tone="muted", wrap=True))
            fill(self._column, *_paragraph(form, Type.BODY))
            return
        first, *others = _paragraph(form, Type.BODY if form.answers else self._size)
        self._add_beside_chip(first)
        fill(self._column, *others)

    def _add_fact(self, value: str) -> None:
        self.fact = label(
            unbroken_value(value), factor=Type.FACT, bold=True, selectable=True, wrap=True
        )
        self._add_beside_chip(self.fact)

    def _add_beside_chip(self, text: QLabel) -> None:
        row = in_row(spacing=Space.M)
        fill(row, (text, 1), (self._chip(), TOP))
        self._column.addLayout(row)

    def _add_rows(self, forms: Sequence[QuotedForm], *, leads: bool) -> None:
        form = forms[0]
        value = form.cells[form.asked] if form.asked >= 0 else ""
        if not (leads and value and len(value) <= LONGEST_FACT):
            fill(
                self._column, self._head(section_told(form.section)), QuotedTable(forms, self._room)
            )
            return
        self._add_fact(value)
        self._column.addWidget(label(_named(form), tone="muted", wrap=True, selectable=True))
        if len(forms) > 1 or len([each for each in form.cells if each.strip()]) > 2:
            if section := section_told(form.section):
                above = label(section, factor=Type.SMALL, tone="muted", wrap=True)
                above.setContentsMargins(0, Space.XS, 0, 0)
                self._column.addWidget(above)
            self._column.addWidget(QuotedTable(forms, self._room))

    def _add_list(self, citations: Sequence[CitationEvent], *, leads: bool) -> None:
        forms = [each.form for each in citations if each.form is not None]
        section = section_told(forms[0].section)
        facts = [form.value for form in forms if leads and 0 < len(form.value) <= LONGEST_FACT]
        if facts:
            self._add_fact(facts[0])
            section = ""
        elif section:
            self._column.addLayout(self._head(section))
        around = any(form.answers for form in forms)
        size = Type.BODY if around or facts else self._size
        for at, (citation, (sign, words)) in enumerate(zip(citations, _signed(forms), strict=True)):
            line = QHBoxLayout()
            line.addWidget(self._listed(citation, sign, words, size), 1)
            if not section and not facts and not at:
                line.addWidget(self._chip(), 0, Qt.AlignmentFlag.AlignTop)
            self._column.addLayout(line)

    def _listed(self, citation: CitationEvent, sign: str, words: str, size: float) -> QWidget:
        form = citation.form
        is_section = sign == BULLET and _SECTION_NUMBER.match(words)
        if form is not None and (form.kind == "text" or is_section):
            paragraph = QWidget()
            fill(in_column(paragraph), *_paragraph(form, size))
            return paragraph
        step = ListedStep(sign, words, size, answers=form is not None and bool(form.answers))
        step.sign.clicked.connect(lambda: self.opened.emit(citation.number))
        return step

    def _head(self, text: str) -> QHBoxLayout:
        row = in_row(spacing=Space.M)
        row.addWidget(label(text, factor=Type.SMALL, bold=True, tone="muted", wrap=True), 1)
        row.addWidget(self._chip())
        return row

    def _chip(self) -> PageChip:
        citation = self.quoted.citations[0]
        chip = PageChip(citation.source, self._title())
        chip.clicked.connect(lambda: self.opened.emit(citation.number))
        chip.hovered.connect(lambda over: self.hovered.emit(citation.number if over else 0))
        self.chips[citation.number] = chip
        return chip

    def _title(self) -> str:
        return self._title_of(self.quoted.citations[0].source)


class CitedPicture(QFrame):
    """What written text cites, as it is on its page: opened(number) shows it there.

    hovered(number): its chip is pointed at, 0 none.
    """

    opened = Signal(int)
    hovered = Signal(int)

    def __init__(
        self, citations: Sequence[CitationEvent], title: str, pictures: PagePictures | None
    ) -> None:
        """citations: of one page, the first of them is opened."""
        super().__init__()
        self.setProperty("role", "quoted")
        self.numbers = [each.number for each in citations]
        place, number = _place(citations), self.numbers[0]
        self.chip = PageChip(place, title)
        self.chip.clicked.connect(lambda: self.opened.emit(number))
        self.chip.hovered.connect(lambda over: self.hovered.emit(number if over else 0))
        self.crop = CropButton(place, title, pictures)
        self.crop.clicked.connect(lambda: self.opened.emit(number))
        row = in_row(spacing=Space.M)
        fill(row, (label(title, factor=Type.SMALL, tone="muted", wrap=True), 1), self.chip)
        fill(in_column(self, (Space.L, Space.M, Space.L, Space.M), Space.S), row, self.crop)

    def light(self, number: int) -> None:
        """Highlight the chip of a citation pointed at on the page; 0: of none."""
        self.chip.light(number in self.numbers)


BULLET = "•"


class ListedStep(QWidget):
    """A step or item after its number, letter or bullet; it opens its place on the page."""

    def __init__(self, sign: str, text: str, size: float, *, answers: bool = False) -> None:
        super().__init__()
        self.sign = PressButton()
        self.sign.setText(sign)
        self.sign.setProperty("kind", "step")
        self.sign.setProperty("bullet", sign == BULLET)
        name = tr("Show step {n} on its page") if sign != BULLET else tr("Show it on its page")
        self.sign.setAccessibleName(name.format(n=sign))
        self.sign.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row = in_row(self, spacing=Space.M)
        row.addWidget(self.sign, 0, Qt.AlignmentFlag.AlignTop)
        words = _answering(text) if answers else _words(text, size)
        words.setContentsMargins(0, Space.HAIR, 0, 0)
        row.addWidget(words, 1)


def _paragraph(form: QuotedForm, size: float) -> list[QLabel]:
    """Return the words of a quote; what answers among others is set apart from them."""
    told = without_bullet(form.told)
    before, answers, after = told.partition(form.answers) if form.answers else (told, "", "")
    shown = [_words(text.strip(), size) for text in (before, after) if text.strip()]
    if answers:
        shown.insert(1 if before.strip() else 0, _answering(answers))
    return shown


def _words(text: str, size: float) -> QLabel:
    return label(unbroken(text), factor=size, wrap=True, selectable=True, leading=Type.LEADING)


def _answering(text: str) -> QLabel:
    short = len(text) <= LONGEST_BOLD
    shown = label(unbroken(text), bold=short, wrap=True, selectable=True, leading=Type.LEADING)
    shown.setProperty("role", "asked")
    shown.setProperty("long", not short)
    return shown


def _place(citations: Sequence[CitationEvent]) -> PageRegion:
    """Return the page with the boxes of all the citations."""
    first = citations[0].source
    boxes = tuple(box for each in citations for box in each.source.regions)
    return PageRegion(first.document_id, first.document, first.page, first.label, boxes)


def _named(form: QuotedForm) -> str:
    """Return what a value is: the heading of its column and the name of its row."""
    heading = form.headings[form.asked] if form.headings else ""
    name = form.cells[0] if form.asked else ""
    return " · ".join(part for part in (heading, name) if part.strip())


_SECTION_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,3})+ (?=[^\W\d_]{4})")
_SIGN = re.compile(r"\(?(\d{1,3}|[A-Za-z](?=[.)]))([.)]*) +(?=\S)")


def _signed(forms: Sequence[QuotedForm]) -> list[tuple[str, str]]:
    """Return the number or letter that the manual gives each step or item, and its words.

    One without gets a bullet; a bare number in an item that does not count the items is a
    word ("24 V"). Where the first steps are separated from their numbers on the page,
    these are counted back from the first step that has its own.
    """
    found: list[str] = []
    said: list[str] = []
    for at, form in enumerate(forms):
        text = form.told
        match = _SIGN.match(text)
        last = next((sign for sign in reversed(found) if sign.isdecimal()), "")
        following = str(int(last) + 1) if last else ""
        counts = (str(at + 1), following, _number_before(forms[at + 1 :]))
        lone = len(forms) == 1 and form.kind == "step"
        has_one = match is not None and (lone or match.group(2) or match.group(1) in counts)
        found.append(match.group(1) if match and has_one else BULLET)
        said.append(text[match.end() :] if match and has_one else without_bullet(text))
    first = next((at for at, sign in enumerate(found) if sign.isdecimal()), 0)
    if first and found[first] == str(first + 1) and set(found[:first]) == {BULLET}:
        found[:first] = [str(at + 1) for at in range(first)]
    return list(zip(found, said, strict=True))


def _number_before(following: Sequence[QuotedForm]) -> str:
    """Return the number of the step above these, by that of the first of them; "" if none."""
    match = _SIGN.match(following[0].told) if following else None
    return str(int(match.group(1)) - 1) if match and match.group(1).isdecimal() else ""
