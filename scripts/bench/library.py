"""Measure the library panel and the palette at 2,000 manuals and 100,000 headings.

Needs no display. From a letter typed into the filter to the list painted anew (100 ms), and from a
letter typed into the palette to its results (a frame of 16 ms for what the window's own thread
does; the search itself runs beside it). "Processor" is what the work itself costs, whatever else
the machine does.
"""

from __future__ import annotations

import gc
import json
import os
import random
import statistics
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.core.evaluation.figures import Figure

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    import apsw

    from desktop.core.library.library import Library
    from desktop.core.library.values import DocumentRecord

BASELINE = "a bare QListView that filters the same titles, and a plain walk over them"
MANUALS, HEADINGS_EACH, PAGES_EACH = 2_000, 50, 100
TYPED = ("pump", "pump x12", "hall 3", "rev b", "site 4", "#valve")
ASKED = ("b", "ba", "battery", "battery test", "4-1", "4-11", "pump 4-11", "boiler sensor", "1")
ROUNDS = 5
_WORDS = (
    *("pump", "boiler", "valve", "display", "controller", "inverter", "gateway", "drive"),
    *("sensor", "battery", "terminal", "torque", "test", "replacing", "setting", "alarm"),
    *("cover", "fuse", "relay", "wiring", "check", "cleaning", "pressure", "level"),
)


def add_options(_parser: argparse.ArgumentParser) -> None:
    """There is nothing to choose."""


def measure(_options: argparse.Namespace) -> tuple[list[Figure], list[str]]:
    """Measure with an application object of its own."""
    from PySide6.QtWidgets import QApplication

    application = QApplication.instance() or QApplication(sys.argv[:1])
    figures = figures_of_lists()
    del application
    return figures, []


def figures_of_lists() -> list[Figure]:
    """Return the figures; needs an application object."""
    from desktop.core.library.library import Library
    from desktop.core.store.database import Database

    with (
        tempfile.TemporaryDirectory(prefix="groundwork-shelf-") as folder,
        Database.open(Path(folder)) as database,
    ):
        database.write(_fill)
        library = Library(database, Path(folder))
        manuals = library.documents()
        return _filter(manuals) + _palette(library, manuals)


@dataclass
class _Clock:
    """Times what is done again and again: by the clock, and by what the processor worked."""

    wall: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    @contextmanager
    def running(self) -> Iterator[None]:
        began, worked = time.perf_counter(), time.process_time()
        yield
        self.wall.append((time.perf_counter() - began) * 1000)
        self.processor.append((time.process_time() - worked) * 1000)

    def figures(
        self, name: str, bare: _Clock | None = None, limit: float | None = None
    ) -> list[Figure]:
        """Return what it timed. limit: of the 95th percentile, in milliseconds."""

        def figure(what: str, value: float, beside: float | None, limit: float | None) -> Figure:
            name_of_it = f"{name}, {what}"
            return Figure(name=name_of_it, value=value, unit="ms", baseline=beside, limit=limit)

        middle, late, worst = statistics.median, statistics.quantiles, max
        beside = bare.wall if bare else []
        return [
            figure("median", middle(self.wall), middle(beside) if beside else None, None),
            figure(
                "95th percentile",
                late(self.wall, n=20)[-1],
                late(beside, n=20)[-1] if beside else None,
                limit,
            ),
            figure("slowest", worst(self.wall), worst(beside) if beside else None, None),
            figure("processor, median", middle(self.processor), None, None),
            figure("processor, slowest", worst(self.processor), None, None),
        ]


def _filter(manuals: list[DocumentRecord]) -> list[Figure]:
    """Type into the filter letter by letter, and take it all away again."""
    from PySide6.QtWidgets import QApplication

    from desktop.ui.library.model import LibraryModel
    from desktop.ui.library.panel import LibraryPanel

    model = LibraryModel()
    panel = LibraryPanel(model)
    panel.resize(280, 860)
    panel.show()
    model.replace_all(manuals)
    panel.show_library()
    QApplication.processEvents()
    gc.collect()
    gc.freeze()  # as the program does when its text model is loaded
    clock = _Clock()
    for _ in range(ROUNDS):
        for typed in TYPED:
            for length in (*range(1, len(typed) + 1), 0):
                with clock.running():
                    panel.filter_field.setText(typed[:length])
                    QApplication.processEvents()
                    panel.rows.viewport().repaint()
    panel.close()
    return clock.figures("filter", _bare_filter(manuals), limit=100.0)


def _bare_filter(manuals: list[DocumentRecord]) -> _Clock:
    """Type the same into Qt's own filter over the titles alone."""
    from PySide6.QtCore import QSortFilterProxyModel, QStringListModel, Qt
    from PySide6.QtWidgets import QApplication, QListView

    titles = QStringListModel([f"{each.title} {each.name}" for each in manuals])
    proxy = QSortFilterProxyModel()
    proxy.setSourceModel(titles)
    proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    view = QListView()
    view.setModel(proxy)
    view.resize(280, 860)
    view.show()
    QApplication.processEvents()
    clock = _Clock()
    for typed in TYPED:
        for length in (*range(1, len(typed) + 1), 0):
            with clock.running():
                proxy.setFilterFixedString(typed[:length])
                QApplication.processEvents()
                view.viewport().repaint()
    view.close()
    return clock


def _palette(library: Library, manuals: list[DocumentRecord]) -> list[Figure]:
    """Search as the palette does, and show what was found as the window does."""
    from PySide6.QtWidgets import QApplication, QMainWindow

    from desktop.ui.palette.search import PaletteSearch
    from desktop.ui.palette.view import PalettePanel

    window = QMainWindow()
    window.resize(1440, 900)
    window.show()
    panel = PalettePanel(window)
    panel.open()
    opening, searching, showing, walking = _Clock(), _Clock(), _Clock(), _Clock()
    for _ in range(ROUNDS):
        search = PaletteSearch(manuals, (), library, lambda _limit: [])
        with opening.running():
            search.find("")
        for text in ASKED:
            with searching.running():
                found = search.find(text)
            with walking.running():
                [each for each in manuals if text in each.title.casefold()]
            with showing.running():
                panel.show_found(found)
                QApplication.processEvents()
                panel.list.viewport().repaint()
    window.close()
    opened = Figure(name="palette, opening", value=statistics.median(opening.wall), unit="ms")
    return [
        opened,
        *searching.figures("palette search", walking),
        *showing.figures("palette drawn", limit=16.0),
    ]


def _fill(connection: apsw.Connection) -> None:
    """Make manuals with pages and headings; the same ones each time."""
    chance = random.Random(7)
    connection.executemany(
        "INSERT INTO documents(id, sha256, name, title, bytes, page_count, state, added_at,"
        " text_done, layout_done, vectors_done, site, asset, tags, revision)"
        " VALUES(?, ?, ?, ?, 1000000, 100, 'ready', '2026-01-01', 100, 100, 100, ?, ?, ?, ?)",
        [_manual(number, chance) for number in range(1, MANUALS + 1)],
    )
    connection.executemany(
        "INSERT INTO pages(id, document_id, page, label, width, height) VALUES(?, ?, ?, ?, 9, 9)",
        [
            (number * PAGES_EACH + page, number, page, f"{1 + page // 12}-{1 + page % 12}")
            for number in range(1, MANUALS + 1)
            for page in range(PAGES_EACH)
        ],
    )
    connection.executemany(
        "INSERT INTO blocks(page_id, position, kind, text, x0, y0, x1, y1, section, level,"
        " warning) VALUES(?, 0, 'heading', ?, 0, 0, 9, 9, '[]', 1, '')",
        [
            (number * PAGES_EACH + 2 * heading, " ".join(chance.sample(_WORDS, 3)))
            for number in range(1, MANUALS + 1)
            for heading in range(HEADINGS_EACH)
        ],
    )


def _manual(number: int, chance: random.Random) -> apsw.SQLiteValues:
    first, second = chance.sample(_WORDS, 2)
    tags = json.dumps([first, f"hall {number % 7}"])
    title = f"{first.title()} {second} X{number // 3} manual"
    place = (f"SITE {number % 40}", f"{first} P-{number % 200}")
    revision = f"Rev {'ABC'[number % 3]}"
    return (number, f"{number:064d}", f"{number}.pdf", title, *place, tags, revision)
