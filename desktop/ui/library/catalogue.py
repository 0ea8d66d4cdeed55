"""What a person says about manuals, applied: tags, trust, revision, and where they belong."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from desktop.core.library.places import EVERYWHERE, Place
from desktop.core.library.values import DocumentRecord, SourceEdit, manuals_at
from desktop.ui import wording
from desktop.ui.bridge import WindowPart
from desktop.ui.design.controls import fill, label
from desktop.ui.design.dialogs import Dialog
from desktop.ui.design.forms import NameField
from desktop.ui.design.tokens import Space, Type
from desktop.ui.library.rows import ORDERS, Order
from desktop.ui.window.layout import LayoutMemory

if TYPE_CHECKING:
    from desktop.core.workspace import Workspace
    from desktop.ui.chat.composer import Composer
    from desktop.ui.library.model import LibraryModel
    from desktop.ui.library.panel import LibraryPanel
    from desktop.ui.library.properties import Edits, Facts
    from desktop.ui.viewer.centre import Centre


UNDO_MS = 10_000


class CatalogueController(WindowPart):
    """Connects the list's tags, trust, revisions and properties with an open workspace."""

    def __init__(
        self, panel: LibraryPanel, model: LibraryModel, centre: Centre, parent: QObject
    ) -> None:
        super().__init__(parent, panel.notices.say_failure)
        self._panel, self._model, self._centre = panel, model, centre
        self._used = -1
        self._memory: LayoutMemory | None = None
        panel.rows.several_wanted.connect(self._do_with_several)
        panel.rows.wanted.connect(self._do)
        panel.order_chosen.connect(self._remember_order)
        centre.manual_in_view.connect(self._mark_used)

    def open_workspace(self, workspace: Workspace) -> None:
        """Show the manuals in the order that was chosen last."""
        self._workspace = workspace
        self._memory = LayoutMemory(workspace.library.folder.root)
        kept = self._memory.library_order
        order: Order = next((each for each in ORDERS if each == kept), "name")
        self._panel.choose(replace(self._panel.rows.rows.choice, order=order))

    def _mark_used(self, document_id: int) -> None:
        """Record that a manual is being viewed; not again at each of its pages."""
        if document_id == self._used or self.workspace.conversations.read_only:
            return
        self._used = document_id
        library = self.workspace.library

        def mark() -> DocumentRecord:
            library.mark_used(document_id)
            return library.document(document_id)

        self._errands.run(mark, self._model.put)

    def edit_selected(self) -> None:
        """Ask what the selected manuals are."""
        self.edit(self._panel.rows.selected_ids())

    def edit(self, ids: Sequence[int]) -> None:
        """Ask what some manuals are."""
        # The dialogs are not above: nobody waits for them at the start.
        from desktop.ui.library.properties import SourceDialog

        manuals = self._model.chosen(ids)
        if not manuals:
            return
        dialog = SourceDialog(self._panel, manuals, self._model.tags(), self._model.kinds())
        dialog.answered.connect(self._change)
        dialog.rules_wanted.connect(lambda: self._leave_to_rules([each.id for each in manuals]))
        dialog.open()

    def show_properties(self, document_id: int | None = None) -> None:
        """Show everything that is known of a manual, the chosen one unless one is named."""
        chosen = self._panel.rows.selected_id() if document_id is None else document_id
        record = None if chosen is None else self._model.record(chosen)
        if record is None:
            return
        from desktop.ui.library.properties import Facts

        library, newer, id_ = self.workspace.library, self._model.newer_than(record.id), record.id

        def read() -> Facts:
            path = library.original_path(id_)
            size = path.stat().st_size if path.exists() else 0
            pages = tuple(library.pages(id_))
            fresh = library.document(id_)
            return Facts(fresh, newer, pages, path, size, library.language(id_))

        self._errands.run(read, self._show)

    def _show(self, facts: Facts) -> None:
        from desktop.ui.library.properties import PropertiesDialog

        id_ = facts.record.id
        dialog = PropertiesDialog(self._panel, facts)
        dialog.page_wanted.connect(lambda page: self._open(id_, page))
        dialog.edit_wanted.connect(lambda: self.edit([id_]))
        for signal, action in ((dialog.anew_wanted, "anew"), (dialog.folder_wanted, "reveal")):
            signal.connect(lambda action=action: self._panel.rows.wanted.emit(action, id_))
        dialog.open()

    def _open(self, document_id: int, page: int) -> None:
        self._centre.show()
        self._centre.open_document(document_id, page)

    def _do(self, action: str, document_id: int) -> None:
        if action == "properties":
            self.show_properties(document_id)

    def _do_with_several(self, action: str, ids: list[int]) -> None:
        if action == "source":
            self.edit(ids)

    def _change(self, edits: Edits) -> None:
        before = {each.id: _as_it_is(each, edits[each.id]) for each in self._model.chosen(edits)}
        self._write(edits)
        self._panel.notices.say(
            self._changed(before),
            action=self.tr("Undo"),
            on_action=lambda: self._write(before),
            milliseconds=UNDO_MS,
        )

    def _changed(self, ids: Collection[int]) -> str:
        if len(ids) > 1:
            return self.tr("Changed {manuals}.").format(manuals=wording.manuals(len(ids)))
        record = self._model.chosen(ids)[0]
        return self.tr("Changed “{title}”.").format(title=record.title.strip() or record.name)

    def _write(self, edits: Edits) -> None:
        library = self.workspace.library

        def write() -> list[DocumentRecord]:
            for edit in set(edits.values()):
                library.set_source([id_ for id_, each in edits.items() if each == edit], edit)
            return library.documents()

        self._errands.run(write, self._model.replace_all)

    def _leave_to_rules(self, ids: list[int]) -> None:
        library, rules = self.workspace.library, self.workspace.settings.source_tiers

        def read() -> list[DocumentRecord]:
            library.read_sources(rules, again=ids)
            return library.documents()

        self._errands.run(read, self._model.replace_all)

    def _remember_order(self, order: str) -> None:
        if self._memory is not None:
            self._memory.library_order = order


def _as_it_is(record: DocumentRecord, edit: SourceEdit) -> SourceEdit:
    """Return the edit that undoes another, leaving out what that one does not change."""
    return SourceEdit(
        tier=record.tier if edit.tier is not None else None,
        source_type=record.source_type if edit.source_type is not None else None,
        tags=record.tags if edit.tags is not None else None,
        revision=record.revision if edit.revision is not None else None,
        revision_date=record.revision_date if edit.revision_date is not None else None,
    )


WIDTH = 460


def ask_for_place(
    parent: QWidget,
    manuals: Sequence[DocumentRecord],
    known: Collection[Place],
    on_answer: Callable[[Place], object],
) -> None:
    """Show the dialog for some manuals; `on_answer` gets the place, which may be no place.

    known: the places to choose from.
    """
    dialog = _PlaceDialog(parent, manuals, known)
    dialog.accepted.connect(lambda: on_answer(dialog.place))
    dialog.open()


class _PlaceDialog(Dialog):
    def __init__(
        self, parent: QWidget, manuals: Sequence[DocumentRecord], known: Collection[Place]
    ) -> None:
        super().__init__(parent, self.tr("Site and asset"), spacing=Space.S)
        self.setMinimumWidth(WIDTH)
        self._known = known
        places = {each.place for each in manuals}
        now = places.pop() if len(places) == 1 else EVERYWHERE
        self.site = NameField(self.tr("Site"), self.tr("For example SITE 12"))
        self.asset = NameField(self.tr("Asset"), self.tr("For example Pump P-200"))
        self.site.offer({each.site for each in known})
        self.site.line.setText(now.site)
        self._offer_assets()
        self.asset.line.setText(now.asset)
        self.site.line.textChanged.connect(self._offer_assets)
        about = _about(self, manuals)
        column = self.column
        column.addWidget(label(about, factor=Type.LEAD, bold=True, wrap=True))
        for field in (self.site, self.asset):
            caption = label(field.line.accessibleName())
            caption.setBuddy(field.line)
            fill(column, Space.XS, caption, field)
        hint = self.tr("Leave both empty for a manual that belongs to no site.")
        fill(column, label(hint, factor=Type.SMALL, tone="muted", wrap=True), Space.M)
        self.add_buttons(self.tr("OK"))
        self.site.setFocus()

    @property
    def place(self) -> Place:
        """The place as it stands in the fields."""
        return Place.named(self.site.name, self.asset.name)

    def _offer_assets(self) -> None:
        site = self.site.name.strip().casefold()
        self.asset.offer({each.asset for each in self._known if each.site.casefold() == site})


def _about(parent: QWidget, manuals: Sequence[DocumentRecord]) -> str:
    if len(manuals) != 1:
        return parent.tr("Where do these {manuals} belong?").format(
            manuals=wording.manuals(len(manuals))
        )
    title = manuals[0].title.strip() or manuals[0].name
    return parent.tr("Where does “{title}” belong?").format(title=title)


class PlaceController(WindowPart):
    """Connects the list's places and the scope of questions with an open workspace."""

    def __init__(
        self, composer: Composer, panel: LibraryPanel, model: LibraryModel, parent: QObject
    ) -> None:
        super().__init__(parent, panel.notices.say_failure)
        self._scope, self._panel, self._model = composer.scope, panel, model
        self._memory: LayoutMemory | None = None
        rows = panel.rows
        rows.several_wanted.connect(self._do_with_several)
        rows.place_wanted.connect(self._do_at)
        rows.moved.connect(self.move)
        rows.folded.connect(self._remember_folded)
        self._scope.changed.connect(self._scope_changed)

    def open_workspace(self, workspace: Workspace) -> None:
        """Show places as they were left; the manuals are shown already."""
        self._workspace = workspace
        self._memory = LayoutMemory(workspace.library.folder.root)
        self._panel.rows.rows.set_collapsed(self._memory.folded_places)
        self._scope.work_at(self._memory.active_place)

    def refresh_scope(self) -> None:
        """Tell the scope which manuals can be asked by now."""
        self._scope.set_manuals(
            each for each in self._model.records() if each.searchable or each.being_read
        )

    def choose_for_selected(self) -> None:
        """Ask where the selected manuals belong."""
        self._ask(self._model.chosen(self._panel.rows.selected_ids()))

    def move(self, ids: Sequence[int], place: Place) -> None:
        """Put manuals at a place; it can be undone for a while."""
        moving = [each for each in self._model.chosen(ids) if each.place != place]
        if moving:
            self._move({each.id: place for each in moving})
            self._tell(moving, place)

    def _do_with_several(self, action: str, ids: list[int]) -> None:
        if action == "only":
            self._scope.select(ids)
        elif action == "place":
            self._ask(self._model.chosen(ids))

    def _do_at(self, action: str, place: Place) -> None:
        match action:
            case "here":
                self._scope.work_at(place)
            case "everywhere":
                self._scope.select(())
            case "place" if place:
                self._ask(manuals_at(place, self._model.records()))
            case _:
                self._ask([each for each in self._model.records() if not each.place])

    def _ask(self, manuals: Sequence[DocumentRecord]) -> None:
        if not manuals:
            return
        known = {each.place for each in self._model.records()}
        # a site whose name is changed keeps its assets
        one_site = len({each.site for each in manuals}) == 1
        assets = {each.asset for each in manuals}

        def answered(place: Place) -> None:
            if one_site and len(assets) > 1 and not place.asset:
                self._move({each.id: Place(place.site, each.asset) for each in manuals})
                self._tell(manuals, place)
            else:
                self.move([each.id for each in manuals], place)

        ask_for_place(self._panel, manuals, known, answered)

    def _move(self, places: dict[int, Place]) -> None:
        library = self.workspace.library

        def write() -> list[DocumentRecord]:
            for place in set(places.values()):
                ids = [id_ for id_, wanted in places.items() if wanted == place]
                library.set_place(ids, place.site, place.asset)
            return library.documents()

        self._errands.run(write, self._show)

    def _show(self, records: list[DocumentRecord]) -> None:
        self._model.replace_all(records)
        self.refresh_scope()

    def _tell(self, moved: Sequence[DocumentRecord], place: Place) -> None:
        before = {each.id: each.place for each in moved}
        one = moved[0].title.strip() or moved[0].name
        what = wording.quoted(one) if len(moved) == 1 else wording.manuals(len(moved))
        said = self.tr("{what}: now at {place}.") if place else self.tr("{what}: now at no site.")
        self._panel.notices.say(
            said.format(what=what, place=place),
            action=self.tr("Undo"),
            on_action=lambda: self._move(before),
            milliseconds=UNDO_MS,
        )

    def _scope_changed(self) -> None:
        place = self._scope.place
        self._panel.rows.rows.set_active(place)
        if self._workspace is not None:
            self._workspace.place.choose(place)
        if self._memory is not None:
            self._memory.active_place = place

    def _remember_folded(self) -> None:
        if self._memory is not None:
            self._memory.folded_places = self._panel.rows.rows.collapsed
