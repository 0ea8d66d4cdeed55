"""The drawer of the notes in its states, over a library with four notes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from desktop.core.events import (
    CitationEvent,
    CompleteEvent,
    ConfidenceEvent,
    Event,
    NoteCitationEvent,
    NoteSource,
)
from desktop.core.library.places import Place
from desktop.core.notes.note import Note
from desktop.sentences import said
from knowledge.graph import GraphEdge, GraphNode
from knowledge.loader import LoadProblem
from knowledge.pieces import KnowledgeType, PageLink
from tests.ui import scripts
from tests.ui.fake_workspace import fake_workspace, manual
from tests.ui.take_pictures import settle

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop.ui.window.main_window import MainWindow

P200 = Place("SITE 12", "Pump P-200")
SHELF = (
    manual(1, "P-200 operator manual", pages=128, site="SITE 12", asset="Pump P-200"),
    manual(2, "P-200 installer manual", pages=152, site="SITE 12", asset="Pump P-200"),
    manual(3, "Boiler B7 service", pages=210, site="SITE 12", asset="Boiler B7"),
)
LINK = PageLink(
    SHELF[0].sha256,
    60,
    "The battery test lasts 24 hours. It repeats every hour.",
    ((72, 200, 420, 214), (72, 216, 310, 230)),
)
SEAL = Note(
    "The shaft seal lasts 3 months here, not 6: the sand in the water grinds it. Order two.",
    kind=KnowledgeType.FACT,
    tags=("seal", "sand", "spare parts"),
    place=P200,
    role="shift lead",
    written="2026-03-12",
)
BATTERY = Note(
    "In winter the battery test needs 30 hours on this pump, because the cabinet is unheated. "
    "Do not stop it after 24 hours even if the display says that it is complete.",
    kind=KnowledgeType.INSTRUCTION,
    info_type="instructions",
    tags=("battery", "winter"),
    place=P200,
    role="maintenance electrician",
    written="2026-02-02",
    pages=(LINK,),
)
ALARM = Note(
    "On 4 May the P-200 tripped at 3.1 bar although the setpoint is 4.0: water in the sensor plug.",
    kind=KnowledgeType.EPISODIC,
    tags=("alarm", "sensor"),
    place=P200,
    role="shift lead",
    written="2025-05-04",
    tier=5,
)
GATE = Note(
    "The gate to SITE 12 is locked after 18:00; the key is with the guard.",
    place=Place("SITE 12"),
    role="guard",
    written="2026-01-20",
)
TEXT = (
    "On the P-200 always close valve V-12 before opening the strainer.\n\n"
    "Step 1: stop the pump. Step 2: close V-12. Step 3: open the strainer and rinse it."
)


def fill(workspace: Any) -> None:
    """Keep notes and relations, as somebody who uses them has."""
    desk = workspace.notes
    for note in (SEAL, BATTERY, ALARM, GATE):
        desk.add(note)
    base = desk.base()
    nodes = {
        "part:seal": "Shaft seal",
        "part:strainer": "Strainer",
        "valve:v-12": "Valve V-12",
        "sensor:p1": "Pressure sensor P1",
        "supplier:hydro": "HydroParts GmbH & Co. KG, Rotterdam branch",
    }
    for node_id, name in nodes.items():
        base.add_node(GraphNode(node_id, node_id.partition(":")[0], name))
    pump = "asset:site-12/pump-p-200"
    for source, kind, target in (
        (pump, "HAS_PART", "part:seal"),
        (pump, "HAS_PART", "part:strainer"),
        (pump, "MEASURED_BY", "sensor:p1"),
        ("part:strainer", "BEHIND", "valve:v-12"),
        ("part:seal", "ORDERED_FROM", "supplier:hydro"),
    ):
        base.add_edge(GraphEdge(source, target, kind))


def answered_with_notes() -> list[Event]:
    """Return an answer that a page and a note support."""
    page = replace(scripts.BATTERY, document="operator-manual.pdf")
    note = NoteSource(
        "p",
        BATTERY.title,
        BATTERY.role,
        "2026-02-02",
        said("asset {name}", name="Pump P-200"),
        4,
        page,
    )
    bare = NoteSource(
        "q", ALARM.title, ALARM.role, "2025-05-04", said("asset {name}", name="Pump P-200"), 5
    )
    return [
        *scripts.search_steps(),
        *scripts.words("The battery test lasts 24 hours and repeats hourly. [1]"),
        CitationEvent(1, page, "The battery test lasts 24 hours. It repeats every hour."),
        *scripts.words("\nOn this pump it needs 30 hours in winter. [2]"),
        NoteCitationEvent(2, note, BATTERY.text),
        *scripts.words("\nThe sensor plug has let water in before. [3]"),
        NoteCitationEvent(3, bare, ALARM.text),
        ConfidenceEvent(0.86, "Both sentences carry every word of the question."),
        CompleteEvent("answered", 96.0, 2),
    ]


def opened(window: MainWindow, root: Path, *, notes: bool = True) -> Any:
    workspace = fake_workspace(root, *SHELF)
    if notes:
        fill(workspace)
    window.open_workspace(workspace)
    settle(0.3)
    return workspace


def drawer_of(window: MainWindow) -> Any:
    assert window.notes.drawer is not None
    return window.notes.drawer


def first(window: MainWindow, root: Path) -> None:
    opened(window, root, notes=False)
    window.notes.toggle()


def listed(window: MainWindow, root: Path) -> None:
    opened(window, root)
    window.notes.toggle()
    settle(0.2)


def read(window: MainWindow, root: Path) -> None:
    workspace = opened(window, root)
    window.notes.toggle()
    battery = next(each for each in workspace.notes.list() if each.pages)
    window.notes.go_to(battery.piece_id)
    settle(0.3)


def read_below(window: MainWindow, root: Path) -> None:
    read(window, root)
    bar = drawer_of(window).note.frame.area.verticalScrollBar()
    bar.setValue(bar.maximum())


def compose(window: MainWindow, root: Path) -> None:
    opened(window, root)
    window.notes.toggle()
    drawer = drawer_of(window)
    drawer.new_button.click()
    drawer.compose.text.set_text(TEXT)
    drawer.compose.pages.add(LINK, "P-200 operator manual, page 5-4")
    settle(0.2)


def refused(window: MainWindow, root: Path) -> None:
    compose(window, root)
    drawer = drawer_of(window)
    drawer.compose.text.set_text("The panel's password: Zw4rt&Rood!7")
    drawer.compose.sort.click()
    settle(0.4)


def review(window: MainWindow, root: Path) -> None:
    compose(window, root)
    drawer_of(window).compose.sort.click()
    settle(0.5)


def review_below(window: MainWindow, root: Path) -> None:
    review(window, root)
    drawer = drawer_of(window)
    drawer.review.relations.set_text("Pump P-200 > has part > Strainer\nStrainer > behind > V-12")
    settle(0.2)
    bar = drawer.review.frame.area.verticalScrollBar()
    bar.setValue(bar.maximum())


def busy(window: MainWindow, root: Path) -> None:
    compose(window, root)
    drawer = drawer_of(window)
    drawer.compose.set_model(True)
    drawer.compose.set_busy(True)
    drawer.busy.begin("Reading your note")


def report(window: MainWindow, root: Path) -> None:
    opened(window, root)
    window.notes.toggle()
    settle(0.2)
    drawer = drawer_of(window)
    problems = [
        LoadProblem("pieces[3]", "knowledge_type is wrong: it must be one of fact, note."),
        LoadProblem("pieces[7]", "The content seems to contain an API key (line 1). Remove it."),
        LoadProblem("graph.edges[0]", "Node 'valve:v-99' is not there."),
    ]
    drawer.report.show_report("site-12-notes.json", 41, problems)
    drawer.show_page(drawer.report)


def cited(window: MainWindow, root: Path) -> None:
    workspace = opened(window, root)
    workspace.answer = answered_with_notes()
    window.chat.ask("How long does the battery test last?")
    settle(0.4)
    bar = window.chat.list.verticalScrollBar()
    bar.setValue(bar.maximum())


STATES: dict[str, Callable[[MainWindow, Path], None]] = {
    "notes-first": first,
    "notes-list": listed,
    "notes-read": read,
    "notes-graph": read_below,
    "notes-compose": compose,
    "notes-refused": refused,
    "notes-review": review,
    "notes-review-below": review_below,
    "notes-busy": busy,
    "notes-report": report,
    "notes-cited": cited,
}
