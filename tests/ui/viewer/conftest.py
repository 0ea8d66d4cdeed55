from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pymupdf
import pytest

from desktop.ui.design.theme import apply_theme
from desktop.ui.viewer.panel import ViewerPanel
from tests.ui.viewer.fakes import FakeAnnotations, FakeLibrary, FakeOutlines, FakeParser, FakeShelf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot


@pytest.fixture
def manual(tmp_path: Path) -> Path:
    """Twelve pages; page n has "Page n" and a sentence; labels 1-1 to 1-4, then 2-1 to 2-8."""
    with pymupdf.open() as pdf:
        for number in range(12):
            page = pdf.new_page(width=595, height=842)
            page.insert_text((72, 100), f"Page {number}", fontsize=24)
            page.insert_text((72, 160), "Disconnect the battery before service", fontsize=12)
            page.insert_text((72, 180), "Torque of screw S-130 is 24 Nm", fontsize=12)
        pdf.set_page_labels(
            [
                {"startpage": 0, "prefix": "1-", "style": "D", "firstpagenum": 1},
                {"startpage": 4, "prefix": "2-", "style": "D", "firstpagenum": 1},
            ]
        )
        pdf.set_metadata({"title": "Pump P-200"})
        pdf.save(tmp_path / "manual.pdf")
    return tmp_path / "manual.pdf"


@pytest.fixture
def second_manual(tmp_path: Path) -> Path:
    with pymupdf.open() as pdf:
        for number in range(3):
            pdf.new_page(width=842, height=595).insert_text((72, 100), f"Boiler {number}")
        pdf.save(tmp_path / "second.pdf")
    return tmp_path / "second.pdf"


@pytest.fixture
def parser() -> Iterator[FakeParser]:
    parser = FakeParser()
    yield parser
    parser.close()


@pytest.fixture
def shelf() -> FakeShelf:
    return FakeShelf()


@pytest.fixture
def own_marks() -> FakeAnnotations:
    return FakeAnnotations()


@pytest.fixture
def outlines() -> FakeOutlines:
    return FakeOutlines()


@pytest.fixture
def make_panel(
    qtbot: QtBot,
    qapp: QApplication,
    parser: Any,
    shelf: Any,
    outlines: Any,
    own_marks: Any,
) -> Iterator[Callable[..., ViewerPanel]]:
    """Make a shown panel, dressed as in the window; afterwards none of its threads may be left."""
    apply_theme(qapp)
    before = set(threading.enumerate())
    panels: list[ViewerPanel] = []

    def make(library: Any, heat: Any = None) -> ViewerPanel:
        panel = ViewerPanel(library, parser, heat, outlines, shelf, own_marks)
        panels.append(panel)
        qtbot.addWidget(panel)
        panel.resize(900, 800)
        panel.show()
        qtbot.waitExposed(panel)
        return panel

    yield make
    for panel in panels:
        panel.shutdown()
    left = [thread.name for thread in set(threading.enumerate()) - before]
    assert left == []


@pytest.fixture
def panel(make_panel: Callable[..., ViewerPanel], manual: Path, second_manual: Path) -> ViewerPanel:
    return make_panel(FakeLibrary(manual, second_manual))


@pytest.fixture
def show(make_panel: Callable[..., ViewerPanel], qtbot: QtBot) -> Callable[..., ViewerPanel]:
    """Make a panel with document 1 open at a page, everything drawn and the words read."""

    def open_first(library: FakeLibrary, heat: Any = None, page: int | None = None) -> ViewerPanel:
        panel = make_panel(library, heat)
        panel.open_document(1, page)
        qtbot.waitUntil(lambda: panel.current_location() == (1, page or 0))
        qtbot.waitUntil(lambda: panel.pending_drawings() == 0)
        qtbot.waitUntil(lambda: panel._words.get(1, page or 0) is not None)
        return panel

    return open_first


@pytest.fixture
def opened(show: Callable[..., ViewerPanel], manual: Path, second_manual: Path) -> ViewerPanel:
    """A panel with the first of both manuals open."""
    return show(FakeLibrary(manual, second_manual))
