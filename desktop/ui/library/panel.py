"""The library at the left: the manuals, a filter, notices, and what to do when it is empty."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QToolButton, QWidget

from desktop.core.paths import sample_manuals
from desktop.ui import wording
from desktop.ui.design.controls import (
    PressButton,
    fill,
    flat_button,
    in_column,
    in_row,
    label,
    make_flat,
    painted_as,
    panel_header,
    plain_tooltip,
    push_button,
    search_field,
    set_property,
)
from desktop.ui.design.icons import IconPicture
from desktop.ui.design.notices import NoticeStrip
from desktop.ui.design.popups import menu_of
from desktop.ui.design.tokens import Size, Space, Type
from desktop.ui.library.manual_list import LibraryList
from desktop.ui.library.rows import EVERYTHING, Choice, Order

if TYPE_CHECKING:
    from desktop.ui.library.model import LibraryModel

PICTURE = 40
FILTER_FROM = 6
"""From this many manuals on, the filter field is worth its place."""


class LibraryPanel(QWidget):
    """Draws a `LibraryModel`; what a person asks for leaves through signals.

    order_chosen(order): a person wants manuals in another order.
    """

    order_chosen = Signal(str)

    add_wanted = Signal()
    samples_wanted = Signal()
    notes_wanted = Signal()
    palette_wanted = Signal()
    answers_wanted = Signal()
    folded = Signal(bool)
    """The library is a rail now, or a panel again."""

    def __init__(self, model: LibraryModel) -> None:
        super().__init__()
        painted_as(self, "panel")
        self._model = model
        self.rows = LibraryList(model)
        self.notices = NoticeStrip()
        self.choice_button = ChoiceButton(model)
        self.choice_button.chosen.connect(self.choose)
        field = search_field(self.tr("Filter manuals"))
        field.textChanged.connect(self._filter_changed)
        self._filter_row = QWidget()
        row = in_row(self._filter_row, (Space.S, Space.S, Space.S, Space.XS), spacing=Space.XS)
        fill(row, (field, 1), self.choice_button)
        self.filter_field = field
        self._no_match = label("", tone="muted", wrap=True)
        self._no_match.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack = QStackedWidget()
        self._empty = self._empty_state()
        self._nothing = self._no_match_state()
        for page in (QWidget(), self._empty, self.rows, self._nothing):
            self._stack.addWidget(page)

        self.add_button = flat_button("file-plus", self.tr("Add manuals…"), self.add_wanted)
        self.notes_button = push_button(self.tr("Notes"), kind="column", name="sticky-note")
        self.notes_button.clicked.connect(self.notes_wanted)
        self.notes_button.hide()
        self._whole = QWidget()
        self._rail = self._make_rail()
        fill(in_column(self), self._whole, self._rail)
        column = in_column(self._whole)
        anything = flat_button("text-search", self.tr("Go to anything…"), self.palette_wanted)
        fold = flat_button("panel-left-close", self.tr("Collapse the library"))
        fold.clicked.connect(lambda: self.fold(True))
        column.addWidget(panel_header(self.tr("Library"), anything, self.add_button, fold))
        column.addWidget(self._filter_row)
        column.addWidget(self._stack, 1)
        fill(column, self.notices, self.notes_button)
        model.listed.connect(self._choose_page)
        self._filter_row.setVisible(False)

    @property
    def is_folded(self) -> bool:
        """Whether the library is a rail."""
        return self._whole.isHidden()

    @property
    def rail_width(self) -> int:
        """Pixels of the rail."""
        return Size.TARGET + 2 * Space.S

    def fold(self, folded: bool) -> None:
        """Make the library a rail of its buttons, or a panel again."""
        if folded == self.is_folded:
            return
        focused = self.focusWidget()
        had_keyboard = focused is not None and focused.hasFocus()
        self._whole.setHidden(folded)
        self._rail.setVisible(folded)
        self.folded.emit(folded)
        if had_keyboard:
            (self._unfold if folded else self.rows).setFocus(Qt.FocusReason.OtherFocusReason)

    def _make_rail(self) -> QWidget:
        """Return what is left of the library where there is no room for it."""
        rail = QWidget()
        column = in_column(rail, (Space.S, Space.S - 2, Space.S, Space.S), spacing=Space.XS)
        self._unfold = flat_button("library", self.tr("Show the library"), lambda: self.fold(False))
        add = flat_button("file-plus", self.tr("Add manuals…"), self.add_wanted)
        anything = flat_button("text-search", self.tr("Go to anything…"), self.palette_wanted)
        answers = flat_button("message-square-text", self.tr("Answers"), self.answers_wanted)
        fill(column, self._unfold, add, anything, answers)
        column.addStretch(1)
        column.addWidget(flat_button("sticky-note", self.tr("Notes"), self.notes_wanted))
        rail.hide()
        # what happened is told in the panel: a person must see it, and may undo it there
        self.notices.said.connect(lambda: self.fold(False))
        return rail

    def show_library(self) -> None:
        """Leave the skeleton: the library is open."""
        self._choose_page(opened=True)

    def show_note_count(self, count: int) -> None:
        """Say how many notes there are."""
        text = self.tr("Notes ({n})").format(n=wording.number(count))
        self.notes_button.setText(f" {text}")
        self.notes_button.setAccessibleName(text)
        self.notes_button.show()

    def focus_filter(self) -> None:
        """Bring up the filter field, however many manuals there are."""
        self.fold(False)
        self._filter_row.setVisible(True)
        self.filter_field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filter_field.selectAll()

    def choose(self, choice: Choice) -> None:
        """Show what matches; the typed text stays."""
        if choice.order != self.rows.rows.choice.order:
            self.order_chosen.emit(choice.order)
        self.rows.rows.choose(replace(choice, text=self.filter_field.text()))
        self.choice_button.show_choice(choice)
        self._choose_page()

    def _filter_changed(self, text: str) -> None:
        self.rows.rows.choose(replace(self.rows.rows.choice, text=text))
        self._choose_page()

    def _show_all(self) -> None:
        self.filter_field.clear()
        self.choose(replace(EVERYTHING, order=self.rows.rows.choice.order))

    def _choose_page(self, *, opened: bool = False) -> None:
        if not opened and self._stack.currentIndex() == 0:
            return
        count = len(self._model.records())
        if count >= FILTER_FROM or self.rows.rows.choice.narrows:
            self._filter_row.setVisible(True)
        if count == 0:
            self._filter_row.setVisible(False)
            self._stack.setCurrentWidget(self._empty)
        elif self.rows.shown() == 0:
            wanted = self.filter_field.text().strip()
            says = self.tr("No manual is called “{text}”.").format(text=wanted)
            if self.rows.rows.choice.ticked:
                says = self.tr("No manual matches the search and filters.")
            self._no_match.setText(says)
            self._stack.setCurrentWidget(self._nothing)
        else:
            self._stack.setCurrentWidget(self.rows)

    def _no_match_state(self) -> QWidget:
        page = QWidget()
        column = in_column(
            page, (Space.INSET, Space.INSET, Space.INSET, Space.INSET), spacing=Space.M
        )
        fill(column, None, self._no_match, push_button(self.tr("Show all manuals"), self._show_all))
        column.addStretch(2)
        return page

    def offer_ways_in(self, offered: bool) -> None:
        """Offer in an empty library what brings manuals, unless another page does so."""
        self._ways_in.setVisible(offered)

    def _empty_state(self) -> QWidget:
        page = QWidget()
        column = in_column(
            page, (Space.INSET, Space.INSET, Space.INSET, Space.INSET), spacing=Space.M
        )
        column.addStretch(1)
        self.drop_zone = DropZone()
        self.drop_zone.clicked.connect(self.add_wanted)
        column.addWidget(self.drop_zone)
        samples = push_button(self.tr("Open the sample manuals"), self.samples_wanted)
        self._ways_in = QWidget()
        ways = in_column(self._ways_in, spacing=Space.M)
        fill(ways, push_button(self.tr("Add manuals…"), self.add_wanted, kind="primary"), samples)
        column.addWidget(self._ways_in)
        if not sample_manuals():
            samples.hide()
        column.addStretch(2)
        return page


class DropZone(PressButton):
    """Where manuals are dropped in an empty library; a click chooses files instead."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "drop")
        self.setAutoDefault(False)
        title = label(self.tr("Drop manuals here"), factor=Type.SECTION, bold=True, wrap=True)
        text = label(
            self.tr(
                "PDF, Word, PowerPoint, Excel, EPUB, web pages, text, pictures of pages, or whole "
                "folders. Click to choose. They stay on this computer."
            ),
            tone="muted",
            wrap=True,
        )
        self.setAccessibleName(title.text())
        self.setAccessibleDescription(text.text())
        column = in_column(self, (Space.L, Space.XL, Space.L, Space.XL), spacing=Space.S)
        picture = IconPicture("download", PICTURE)
        column.addWidget(picture, 0, Qt.AlignmentFlag.AlignHCenter)
        for widget in (title, text):
            widget.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(widget)
        for part in (picture, title, text):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def sizeHint(self) -> QSize:
        layout = self.layout()
        return layout.sizeHint() if layout is not None else super().sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_tall()
        layout = self.layout()
        if layout is not None:
            # Qt has shared out the height that was there before
            layout.invalidate()
            layout.setGeometry(self.rect())

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:  # other words, or larger ones
            self._make_tall()
        return handled

    def _make_tall(self) -> None:
        """Be as tall as the words need at this width."""
        layout = self.layout()
        if layout is not None:
            self.setMinimumHeight(layout.heightForWidth(self.width()))


MOST_TAGS = 40
"""A menu of more tags than this is no menu; the rest is found by typing "#"."""


class ChoiceButton(QToolButton):
    """chosen(choice): a person ticked something."""

    chosen = Signal(object)

    def __init__(self, model: LibraryModel) -> None:
        super().__init__()
        make_flat(self, "list-filter", self.tr("Sort and filter"))
        self._model = model
        self._choice = EVERYTHING
        self._menu = menu_of(self)
        self._menu.aboutToShow.connect(self._fill)

    def show_choice(self, choice: Choice) -> None:
        """Tell how much is ticked."""
        self._choice = choice
        text = self.tr("Sort and filter")
        if choice.ticked:
            text = self.tr("Sort and filter: {n} ticked").format(n=choice.ticked)
        self.setAccessibleName(text)
        self.setToolTip(plain_tooltip(text))
        set_property(self, "chosen", bool(choice.ticked))

    def _fill(self) -> None:
        self._menu.clear()
        self._menu.addSection(self.tr("Sort by"))
        group = QActionGroup(self._menu)
        texts: dict[Order, str] = {
            "name": self.tr("Name"),
            "added": self.tr("Added last"),
            "pages": self.tr("Most pages"),
            "used": self.tr("Used last"),
        }
        for order, text in texts.items():
            chosen = replace(self._choice, order=order)
            group.addAction(self._tick(text, self._choice.order == order, chosen))
        self._add_tiers()
        self._add_tags()
        self._menu.addSeparator()
        newest = replace(self._choice, newest=not self._choice.newest)
        self._tick(self.tr("Leave out older revisions"), self._choice.newest, newest)
        if self._choice.ticked:
            everything = replace(EVERYTHING, text=self._choice.text, order=self._choice.order)
            entry = self._menu.addAction(self.tr("Show all manuals"))
            entry.triggered.connect(lambda: self.chosen.emit(everything))

    def _add_tiers(self) -> None:
        there = {each.tier for each in self._model.records()}
        if len(there | self._choice.tiers) < 2:
            return
        self._menu.addSection(self.tr("Trust"))
        for tier in sorted(there | self._choice.tiers):
            toggled = replace(self._choice, tiers=self._choice.tiers ^ {tier})
            self._tick(wording.tier_title(tier), tier in self._choice.tiers, toggled)

    def _add_tags(self) -> None:
        tags = self._model.tags()[:MOST_TAGS]
        if not tags:
            return
        self._menu.addSection(self.tr("Tags"))
        for tag in tags:
            key = tag.casefold()
            toggled = replace(self._choice, tags=self._choice.tags ^ {key})
            self._tick(tag.replace("&", "&&"), key in self._choice.tags, toggled)

    def _tick(self, text: str, ticked: bool, choice: Choice) -> QAction:
        entry = self._menu.addAction(text)
        entry.setCheckable(True)
        entry.setChecked(ticked)
        entry.triggered.connect(lambda: self.chosen.emit(choice))
        return entry
