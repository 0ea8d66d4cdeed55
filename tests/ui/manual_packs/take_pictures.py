"""The packs of manuals: as pictures for people, and as states that every check looks at.

python -m tests.ui.manual_packs.take_pictures FOLDER
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from desktop.core.manual_packs.attached import AttachedPack, PackProgress
from desktop.ui.design.theme import apply_theme
from desktop.ui.window.main_window import MainWindow
from tests.ui.fake_workspace import FakeViewer, fake_workspace, manual
from tests.ui.take_pictures import settle

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


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


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    app = QApplication(sys.argv[:1])
    for scheme in (Qt.ColorScheme.Light, Qt.ColorScheme.Dark):
        apply_theme(app, scheme)
        window = MainWindow(viewer_factory=FakeViewer)
        window.resize(1440, 900)
        window.show()
        with tempfile.TemporaryDirectory() as root:
            listed(window, Path(root))
            settle()
            pictures: dict[str, QWidget | None] = {"packs": window.packs.dialog, "window": window}
            for name, widget in pictures.items():
                assert widget is not None
                widget.grab().save(str(folder / f"{name}-{scheme.name.lower()}.png"))
            window.close()
        window.deleteLater()
        settle(0.05)


if __name__ == "__main__":
    main()
