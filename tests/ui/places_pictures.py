"""The library with sites and assets in its states."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.core.library.places import EVERYWHERE, Place
from desktop.core.library.values import PassProgress
from tests.ui.fake_workspace import fake_workspace, manual
from tests.ui.take_pictures import settle

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.ui.window.main_window import MainWindow

PUMP = Place("SITE 12", "Pump P-200")


def placed(id_, title, place=EVERYWHERE, state="ready", pages=40, **more):
    record = manual(id_, title, state, pages, **more)
    return replace(record, site=place.site, asset=place.asset)


SHELF = (
    placed(1, "Installer manual", PUMP, pages=152),
    placed(2, "Operator manual", PUMP, pages=128),
    placed(3, "Burner control unit, commissioning and service", Place("SITE 12", "Boiler B7")),
    placed(4, "Site rules", Place("SITE 12"), pages=12),
    placed(5, "ThorGuard Technical Manual", Place("SITE 7", "Intruder alarm"), pages=88),
    placed(6, "techman", Place("SITE 7", "Intruder alarm"), "indexing", 1293, done=(812, 0, 0)),
    placed(7, "RS-485 handbook", pages=46),
)


def plain(window: MainWindow, root: Path):
    workspace = fake_workspace(root, *SHELF)
    workspace.ingestion.hold.clear()
    workspace.ingestion.unfinished = True
    workspace.ingestion.script = [PassProgress(6, "text", 812, 1293, 412.0, 42.0)]
    window.open_workspace(workspace)
    settle(0.2)
    return workspace


def working(window: MainWindow, root: Path):
    workspace = plain(window, root)
    window.chat.composer.scope.work_at(PUMP)
    rows = window.library_panel.rows
    rows.rows.fold(Place("SITE 12", "Boiler B7"), True)
    window.places.move([7], Place("SITE 12"))
    settle(0.2)
    rows.setCurrentIndex(rows.rows.index(rows.rows.row_of(1) - 1))
    return workspace


def choosing(window: MainWindow, root: Path):
    workspace = working(window, root)
    window.library_panel.rows.select(1)
    window.places.choose_for_selected()
    return workspace


STATES = {"places": plain, "places-here": working, "places-dialog": choosing}
