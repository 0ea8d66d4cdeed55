"""The list of changes between two manuals at the right of the window, grouped, with counts."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from desktop.core.reports.changes import group_name, headline, manual_name, unread_said, verb_name
from desktop.core.reports.contents import printable
from desktop.core.revisions.changes import GROUPS, Change, Comparison
from desktop.ui import wording
from desktop.ui.design.controls import (
    ENTER,
    LEFT,
    Keys,
    fill,
    flat_button,
    label,
    panel_header,
    push_button,
    thin_bar,
)
from desktop.ui.design.dialogs import Drawer
from desktop.ui.design.tokens import Space, Type
from desktop.ui.language import told, tr
from desktop.ui.library.lists import KeyedList
from desktop.ui.library.model import RowView

LEAST_WIDTH = 320
LONGEST = 220
"""Letters of a passage in a row; the page beside it has the rest."""
_ICONS = {
    "warning": "triangle-alert",
    "value": "move-horizontal",
    "step": "clipboard-list",
    "table": "table-of-contents",
    "text": "file-text",
    "moved": "arrow-right",
}


class ChangesPanel(Drawer):
    """Shows a comparison.

    change_wanted(change): show where it stands. stop_wanted().
    """

    change_wanted = Signal(object)
    stop_wanted = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window, LEAST_WIDTH)
        self.report_button = flat_button("file-down", self.tr("Save these changes as a report…"))
        self.close_button = flat_button("x", self.tr("Close the changes"), self.close_wanted)
        self._pair = label("", wrap=True, bold=True)
        self._state = label("", factor=Type.SMALL, tone="muted", wrap=True)
        for each in (self._pair, self._state):
            each.setMinimumWidth(1)
            each.setContentsMargins(Space.INSET, Space.XS, Space.INSET, 0)
        self._bar = thin_bar()
        self._bar.setRange(0, 0)
        self.stop_button = push_button(self.tr("Stop"), self.stop_wanted)
        self.list = KeyedList(self.tr("Changes"))
        """Changes by their position, and a heading ("group:step") for each group."""
        Keys(self.list, {(*ENTER, Qt.Key.Key_Space): lambda: self._chosen(self.list.key)})
        self._comparison: Comparison | None = None
        self._folded: set[str] = set()
        header = panel_header(self.tr("What changed"), self.report_button, self.close_button)
        fill(self.whole, header, self.notices, self._pair, self._state, Space.S, self._bar)
        fill(self.whole, (self.stop_button, LEFT), (self.list, 1))
        self.setFocusProxy(self.list)
        self.list.chosen.connect(self._chosen)
        # a row that has the keyboard already is chosen again by a click
        self.list.clicked.connect(lambda _: self._chosen(self.list.key))

    @property
    def state(self) -> str:
        """What is said about the comparison."""
        return self._state.text()

    def show_working(self, old: str, new: str) -> None:
        """Say that two manuals are being compared."""
        self._comparison = None
        self._pair.setText(f"{old}\n→ {new}")
        self._state.setText(self.tr("Comparing…"))
        self.list.show_rows([])
        self._set_working(True)

    def show_stopped(self) -> None:
        """Say that nobody waits for it any more."""
        self._state.setText(self.tr("Stopped. Nothing was compared."))
        self._set_working(False)

    def show_changes(self, comparison: Comparison) -> None:
        """List what changed."""
        self._comparison = comparison
        self._folded.clear()
        self._pair.setText(f"{manual_name(comparison.old)}\n→ {manual_name(comparison.new)}")
        count = len(comparison.changes)
        said = self.tr("{n} changes").format(n=wording.number(count))
        if count < 2:
            nothing = self.tr("Only the layout has changed.")
            said = self.tr("One change") if count else nothing
        if comparison.unread:
            said = f"{said}. {told(unread_said(comparison))}"
        self._state.setText(said)
        self._set_working(False)
        self._show_rows()

    def step(self, by: int) -> None:
        """Go to the next change, or with -1 to the one before."""
        keys = [key for key in self.list.all_keys() if not key.startswith("group:")]
        if not keys:
            return
        at = keys.index(self.list.key) + by if self.list.key in keys else 0
        self.list.go_to(keys[min(max(at, 0), len(keys) - 1)], choose=True)

    def _chosen(self, key: str) -> None:
        if self._comparison is None or not key:
            return
        group = key.removeprefix("group:")
        if group == key:
            self.change_wanted.emit(self._comparison.changes[int(key)])
            return
        self._folded ^= {group}
        self._show_rows()

    def _show_rows(self) -> None:
        assert self._comparison is not None
        rows: list[tuple[str, RowView]] = []
        changes = self._comparison.changes
        for group in GROUPS:
            count = len(self._comparison.of_group(group))
            if not count:
                continue
            folded = group in self._folded
            title = f"{told(group_name(group))} ({wording.number(count)})"
            mark = "chevron-right" if folded else "chevron-down"
            rows.append((f"group:{group}", RowView(title, "", "", mark, None, "")))
            if not folded:
                rows += [
                    (str(position), row_of(change))
                    for position, change in enumerate(changes)
                    if change.group == group
                ]
        self.list.show_rows(rows)

    def _set_working(self, working: bool) -> None:
        self._bar.setVisible(working)
        self.stop_button.setVisible(working)
        self.report_button.setEnabled(self._comparison is not None)


def row_of(change: Change) -> RowView:
    """Return a change as it is drawn in the list."""
    title = headline(change)
    title = title if len(title) <= LONGEST else f"{title[:LONGEST].rsplit(' ', 1)[0]} …"
    parts = [change.level, told(verb_name(change)), _pages(change)]
    if not change.sure:
        parts.append(tr("less sure: read by OCR"))
    detail = " · ".join(filter(None, parts))
    side = change.new or change.old
    if change.values and side is not None:
        said = printable(side.text, one_line=True)
        detail = f"{detail}\n{said[:LONGEST]}"
    elif change.old is not None and change.new is not None and change.verb == "changed":
        before = printable(change.old.text, one_line=True)
        detail = f"{detail}\n{tr('Before: {text}').format(text=before[:LONGEST])}"
    tone = "bad" if change.level in ("DANGER", "WARNING") else ""
    return RowView(title, detail, tone, _ICONS[change.group], None, "")


def _pages(change: Change) -> str:
    labels = [side.region.label for side in change.sides]
    if len(labels) == 2:
        return tr("page {old} → {new}").format(old=labels[0], new=labels[1])
    return tr("page {label}").format(label=labels[0])
