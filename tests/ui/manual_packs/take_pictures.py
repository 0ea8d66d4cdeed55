"""The packs of manuals, for people and for every check to look at."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

from desktop.core.manual_packs.attached import AttachedPack, PackProgress
from tests.ui.fake_workspace import fake_workspace, manual
from tests.ui.take_pictures import settle

if TYPE_CHECKING:
    from desktop.ui.window.main_window import MainWindow


def pack(name: str, **values: object) -> AttachedPack:
    usual = {
        "id": name,
        "name": name,
        "release": 3,
        "created_at": "2026-03-01T00:00:00+00:00",
        "expires_at": "",
        "signed_by": "company (fbe0203338ae9f2c)",
        "folder": Path("/media/stick/plant"),
        "in_place": False,
        "chosen": (),
        "wanted": 120,
        "manuals": 120,
        "pages": 4321,
        "bytes": 300_000_000,
    }
    return AttachedPack(**{**usual, **values})  # type: ignore[arg-type]  # of fitting types


PACKS = [
    pack("Pumps and valves"),
    pack("Hall 3", expires_at="2026-01-31T23:59:59+00:00", manuals=97, chosen=("hall 3", "mixer")),
]


def listed(window: MainWindow, root: Path) -> None:
    shelf = (manual(1, "Operator manual", pack="Hall 3"), manual(2, "Our own manual"))
    workspace = fake_workspace(root, *shelf)
    workspace.packs = SimpleNamespace(all=lambda: PACKS)
    window.open_workspace(workspace)
    window.packs.show_dialog()
    settle(0.3)
    dialog = window.packs.dialog
    assert dialog is not None
    dialog.show_progress(PackProgress(45, 120, "P-200 Operator manual"))
    dialog.notices.say("Hall 3, release 3: 97 taken in. 23 refused.")


STATES = {"packs": listed}
