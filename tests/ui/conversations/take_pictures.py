"""The list of conversations, of a library with several."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.events import CompleteEvent, Event, TokenEvent
from tests.ui import scripts
from tests.ui.fake_workspace import fake_workspace
from tests.ui.take_pictures import SHELF, settle

if TYPE_CHECKING:
    from pathlib import Path

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


def listed(window: MainWindow, root: Path):
    workspace = filled(root)
    window.open_workspace(workspace)
    settle(0.4)
    window.chat.header.list_button.click()
    settle(0.3)
    return workspace
