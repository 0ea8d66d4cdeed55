"""The places manuals belong to: chosen in a dialog, shown in the library, asked about."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from desktop.core.library.places import EVERYWHERE, Place
from desktop.core.library.values import DocumentRecord, manuals_at
from desktop.ui import wording
from desktop.ui.bridge import WindowPart
from desktop.ui.design.controls import fill, label
from desktop.ui.design.dialogs import Dialog
from desktop.ui.design.forms import NameField
from desktop.ui.design.tokens import Space, Type

if TYPE_CHECKING:
    from desktop.core.workspace import Workspace
    from desktop.ui.chat.composer import Composer
    from desktop.ui.library.model import LibraryModel
    from desktop.ui.library.panel import LibraryPanel


WIDTH = 460
UNDO_MS = 10_000


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
        rows = panel.rows
        rows.several_wanted.connect(self._do_with_several)
        rows.place_wanted.connect(self._do_at)
        rows.moved.connect(self.move)
        rows.folded.connect(self._remember_folded)
        self._scope.changed.connect(self._scope_changed)

    def open_workspace(self, workspace: Workspace) -> None:
        """Show places as they were left; the manuals are shown already."""
        super().open_workspace(workspace)
        self._panel.rows.rows.set_collapsed(self.memory.folded_places)
        self._scope.work_at(self.memory.active_place)

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
            self.memory.active_place = place

    def _remember_folded(self) -> None:
        self.memory.folded_places = self._panel.rows.rows.collapsed
