"""Draws the conversations in the window to PNG files, for people to look at.

Run: python -m tests.ui.conversations.take_pictures FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from desktop.core.events import CompleteEvent, Event, TokenEvent
from tests.ui import scripts
from tests.ui.fake_workspace import fake_workspace
from tests.ui.take_pictures import SHELF, picture, settle

if TYPE_CHECKING:
    from desktop.ui.window.main_window import MainWindow

ASKED = (
    ("How do I change the setpoint of the discharge pressure?", scripts.answered()),
    ("Which code opens Menu 63 and what does this menu do according to both manuals?", None),
    ("E17 appears at the first start and no pump starts", scripts.not_found()),
    ("Wie wird eine Störung quittiert?", None),
)


def filled(root: Path):
    workspace = fake_workspace(root, *SHELF)
    store = workspace.conversations
    short: list[Event] = [TokenEvent("Yes."), CompleteEvent("answered", 4.0, 2)]
    for question, events in ASKED:
        store.add_turn(store.create(), question, events or short)
    last = store.create()
    store.add_turn(last, "How long does the battery test last?", scripts.answered())
    store.add_turn(last, "and for the external one?", scripts.answered("It lasts 3 days."))
    store.add_turn(last, "how often?", [TokenEvent("Every ho")])
    return workspace


def reopened(window: MainWindow, root: Path):
    workspace = filled(root)
    window.open_workspace(workspace)
    settle(0.4)
    return workspace


def top(window: MainWindow, root: Path):
    workspace = reopened(window, root)
    window.chat.list.verticalScrollBar().setValue(0)
    return workspace


def listed(window: MainWindow, root: Path):
    workspace = reopened(window, root)
    window.chat.header.list_button.click()
    settle(0.3)
    return workspace


def deleted(window: MainWindow, root: Path):
    workspace = listed(window, root)
    window.chat.drawer.rows.wanted.emit("delete", 5)
    settle(0.3)
    return workspace


def long(window: MainWindow, root: Path):
    workspace = fake_workspace(root, *SHELF)
    store = workspace.conversations
    last = store.create()
    for number in range(14):
        store.add_turn(last, f"Question {number}: how long does the test last?", scripts.answered())
    window.open_workspace(workspace)
    settle(0.5)
    window.chat.list.verticalScrollBar().setValue(0)
    return workspace


def searched(window: MainWindow, root: Path):
    workspace = listed(window, root)
    window.chat.drawer.field.setText("boiler")
    settle(0.5)
    return workspace


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    QApplication(sys.argv)
    for setup in (reopened, top, listed, deleted, searched, long):
        picture(folder, f"conversations-{setup.__name__}", setup)


if __name__ == "__main__":
    main()
