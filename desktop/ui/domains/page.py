"""The window of what is known of equipment: the list, one entry, and why one cannot be read."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from desktop.core.library.domains import BrokenDomain, KnownDomain, KnownDomains
from desktop.core.settings.sections import LONGEST_REMARK, AgentSettings
from desktop.ui import wording
from desktop.ui.design.controls import fill, in_column, label, push_button
from desktop.ui.design.dialogs import SideWindow
from desktop.ui.design.forms import Field, PageFrame
from desktop.ui.design.tokens import Space
from desktop.ui.domains.editor import DomainEditor, Draft, read_draft
from desktop.ui.language import told, tr
from desktop.ui.library.lists import KeyedList
from desktop.ui.library.model import RowView

if TYPE_CHECKING:
    from knowledge.domain import Domain


ABOUT = "about"
"""The key of the entry about the person and the place; a domain's is "domain:<name>"."""
NEW = "new"
ICONS = {"proposed": "sparkles", "own": "pen-line", "built_in": "book-open"}


def domain_key(name: str) -> str:
    return f"domain:{name}"


def file_key(name: str) -> str:
    return f"file:{name}"


class EntryList(KeyedList):
    """chosen(key): a person went to an entry."""

    def __init__(self) -> None:
        super().__init__(tr("What Groundwork knows"))

    def show_known(self, known: KnownDomains, edited: Collection[str], *, new: bool) -> None:
        """Show every entry; the keyboard stays where it is. edited: keys with unsaved changes."""
        unsaved = self.tr("Not saved yet")
        about = self.tr("About you and this place")
        entries = [
            (ABOUT, RowView(about, self.tr("Included with every question"), "", "user-round"))
        ]
        if new:
            entries.append((NEW, RowView(self.tr("New product"), unsaved, "", "plus")))
        for broken in known.broken:
            row = RowView(broken.path.name, self.tr("Cannot be used"), "bad", "octagon-alert")
            entries.append((file_key(broken.path.name), row))
        for each in known.domains:
            if each.origin == "built_in" and not each.covered:
                continue  # of a product that nobody here has
            tone = "attention" if each in known.to_check else ""
            state = self._state(each, to_check=bool(tone))
            row = RowView(each.domain.title, state, tone, ICONS[each.origin])
            entries.append((domain_key(each.domain.name), row))
        marked = [
            (key, replace(view, detail=unsaved) if key in edited else view) for key, view in entries
        ]
        self.show_rows(marked)

    def _state(self, known: KnownDomain, *, to_check: bool) -> str:
        """Return the second line of a domain in the list."""
        match known.origin:
            case "proposed":
                state = self.tr("Please check") if to_check else ""
            case "own":
                state = self.tr("Yours")
            case "built_in":
                state = self.tr("Built in")
        manuals = (
            wording.manuals(len(known.covered)) if known.covered else self.tr("no manual here")
        )
        return f"{state} · {manuals}" if state else manuals


class AboutPage(QWidget):
    """save_wanted(user_profile, context): both are short enough."""

    save_wanted = Signal(str, str)
    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.you = Field(
            self.tr("About you"),
            self.tr("For example your trade, what you know well, how you like your answers."),
            lines=4,
        )
        self.place = Field(
            self.tr("About this place"),
            self.tr(
                "For example what is special about where you work: outdoors, explosive atmosphere."
            ),
            lines=4,
        )
        self.save = push_button(self.tr("Save"), self._save, kind="primary")
        fields = QWidget()
        column = in_column(fields, (0, Space.S, 0, 0), spacing=Space.L)
        for field in (self.you, self.place):
            column.addWidget(field)
            field.edited.connect(self._edited)
        frame = PageFrame(fields, right=(self.save,))
        frame.show_title(
            self.tr("About you and this place"),
            self.tr(
                "A language model is told this with every question. It stays on this computer. "
                "Choose the site and the asset you work at in the library."
            ),
        )
        in_column(self).addWidget(frame)
        self._kept = ("", "")
        self._edited()

    @property
    def changed(self) -> bool:
        """Whether something is not saved."""
        return (self.you.text.strip(), self.place.text.strip()) != self._kept

    def show_settings(self, settings: AgentSettings) -> None:
        """Show what is kept; texts that were changed here stay."""
        if not self.changed:
            self.you.set_text(settings.user_profile)
            self.place.set_text(settings.context)
        self._kept = (settings.user_profile.strip(), settings.context.strip())
        self._edited()

    def _edited(self) -> None:
        too_long = self.tr("This is longer than {most} characters.").format(
            most=wording.number(LONGEST_REMARK)
        )
        fits = True
        for field in (self.you, self.place):
            over = len(field.text.strip()) > LONGEST_REMARK
            field.show_fault(too_long if over else "")
            fits = fits and not over
        self.save.setEnabled(self.changed and fits)
        self.edited.emit()

    def _save(self) -> None:
        self.save_wanted.emit(self.you.text.strip(), self.place.text.strip())


class BrokenPage(QWidget):
    """file_wanted(broken): open it with the system's editor. again_wanted(): read it again."""

    file_wanted = Signal(object)
    again_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._broken: BrokenDomain | None = None
        self.reason = label("", wrap=True, selectable=True)
        self.reason.setMinimumWidth(1)  # an endless path must not make the page wider
        self.open_file = push_button(self.tr("Open file"), kind="primary")
        self.open_file.clicked.connect(lambda: self.file_wanted.emit(self._broken))
        self.again = push_button(self.tr("Read again"), self.again_wanted, name="rotate-cw")
        self._frame = PageFrame(self.reason, right=(self.again, self.open_file))
        in_column(self).addWidget(self._frame)

    def show_broken(self, broken: BrokenDomain) -> None:
        self._broken = broken
        self._frame.show_title(
            broken.path.name, self.tr("Groundwork does not use this file."), "bad"
        )
        reason = told(broken.reason)
        self.reason.setText(f"{reason[:1].upper()}{reason[1:]}\n\n{broken.path}")


SIZE, LEAST = QSize(1180, 780), QSize(820, 480)
LEFT_MOST = 420
LEFT_LETTERS = 44
"""Width of the left column in letters, so that it grows with a person's own font size."""


class DomainsPage(SideWindow):
    """Changes that are not saved stay until the end.

    again_wanted(): the files may have changed. What else a person wants is said by `about`,
    `editor` and `broken`.
    """

    again_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, self.tr("What Groundwork knows"), SIZE, LEAST)
        self._known = KnownDomains()
        self._drafts: dict[str, Draft] = {}
        self._shown: KnownDomain | BrokenDomain | None = None
        self._key = ""
        self._next = ""
        self.entries = EntryList()
        self.about = AboutPage()
        self.editor = DomainEditor()
        self.broken = BrokenPage()
        self.new_button = push_button(self.tr("New…"), self.begin_new, name="plus")
        self._stack = QStackedWidget()
        for page in (self.about, self.editor, self.broken):
            self._stack.addWidget(page)
        width = LEFT_LETTERS * self.fontMetrics().averageCharWidth()
        self.entries.setFixedWidth(min(width, LEFT_MOST))
        right = in_column()
        fill(right, self.notices, (self._stack, 1))
        self.put_beside(self.entries, right, self.new_button)
        self.entries.chosen.connect(self._go)
        self.editor.edited.connect(self._edited)
        self.broken.again_wanted.connect(self.again_wanted)

    def show_known(self, known: KnownDomains) -> None:
        """Show what there is now; what is being edited stays as it is."""
        self._known = known
        self._list()
        if self._next in self.entries.all_keys():
            self.entries.go_to(self._next)
            self._next = ""
        if self.entries.key != self._key or self._entry(self._key) != self._shown:
            self._go(self.entries.key or ABOUT)

    def go_to(self, key: str) -> None:
        """Show an entry; for "" the first one to be checked."""
        to_check = [domain_key(each.domain.name) for each in self._known.to_check]
        wanted = key or next(iter(to_check), ABOUT)
        if wanted in self.entries.all_keys():
            self.entries.go_to(wanted, choose=True)

    def begin_new(self) -> None:
        """Begin a new product, or go on with the one that was begun."""
        if NEW not in self._drafts:
            self.editor.show_new(self._known.undescribed, self._known.manuals)
            self._drafts[NEW] = self.editor.form.draft
        self._list()
        self._go(NEW)

    def was_saved(self, known: KnownDomain | None, name: str) -> None:
        """A domain was saved; it is shown once the files have been read again."""
        key = domain_key(known.domain.name) if known is not None else NEW
        self._drafts.pop(key, None)
        self._key, self._next = "", domain_key(name)
        self._list()

    def forget(self, known: KnownDomain | None) -> None:
        """A domain was deleted, or a new one abandoned."""
        self._drafts.pop(domain_key(known.domain.name) if known is not None else NEW, None)
        self._list()
        self._go(self.entries.key or ABOUT)

    def savable(self) -> Iterator[tuple[Domain, KnownDomain | None]]:
        """Yield what is not saved and has no fault."""
        for key, draft in self._drafts.items():
            known = self._domain(key)
            base = known.domain if known is not None else None
            read = read_draft(draft, base.name if base is not None else "new", base)
            if not isinstance(read, dict):
                yield read, known

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowActivate:
            self.again_wanted.emit()  # a file may have been edited elsewhere
        return super().event(event)

    def _list(self) -> None:
        self.entries.show_known(self._known, self._drafts.keys(), new=NEW in self._drafts)

    def _go(self, key: str) -> None:
        self._key, self._shown = key, self._entry(key)
        self.entries.go_to(key)
        known, draft = self._domain(key), self._drafts.get(key)
        broken = next((b for b in self._known.broken if file_key(b.path.name) == key), None)
        if known is not None:
            self.editor.show_known(known, self._known.manuals, draft)
        elif key == NEW:
            self.editor.show_new(self._known.undescribed, self._known.manuals, draft)
        elif broken is not None:
            self.broken.show_broken(broken)
        shows_editor = known is not None or key == NEW
        chosen = self.editor if shows_editor else self.broken if broken else self.about
        self._stack.setCurrentWidget(chosen)

    def _entry(self, key: str) -> KnownDomain | BrokenDomain | None:
        broken = (each for each in self._known.broken if file_key(each.path.name) == key)
        return self._domain(key) or next(broken, None)

    def _domain(self, key: str) -> KnownDomain | None:
        named = (e for e in self._known.domains if domain_key(e.domain.name) == key)
        return next(named, None)

    def _edited(self) -> None:
        was_known = self._key in self._drafts
        if self.editor.changed or self._key == NEW:
            self._drafts[self._key] = self.editor.form.draft
        else:
            self._drafts.pop(self._key, None)
        if was_known != (self._key in self._drafts):
            self._list()
