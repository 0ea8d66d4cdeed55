"""A manual whose every name is markup, through the real window: letters on the screen, no more.

Its title, outline, page labels, file name and the note about it come through the real reader
and the real library; then every window that shows some of them is opened and looked at.
"""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pymupdf
import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QLabel,
    QMenu,
    QMessageBox,
    QTabBar,
    QTextBrowser,
    QTextEdit,
    QWidget,
)

from desktop.app import open_workspace
from desktop.core.notes.note import Note
from desktop.core.paths import sample_manuals
from desktop.core.settings.sections import Settings
from desktop.ui.chat.answer_text import SafeBrowser
from desktop.ui.design.controls import plain_tooltip
from desktop.ui.library.properties import Facts, PropertiesDialog
from tests.e2e.real_library import ingest
from tests.ui.every_window import STATION, survey_with_the_samples
from tests.ui.reach import Survey

if TYPE_CHECKING:
    from pathlib import Path

MARKUP = '<b>bold</b><img src="file:///etc/passwd"><a href="http://attack.invalid/">here</a>'
SIGN = "<b>bold"
TAGS = ("<img", 'href="http', 'href="file')
PAGES = range(7, 10)  # the one with the table of torques among them
MOST_ROWS = 60
TAG = re.compile(r"</?[a-zA-Z]")  # by which Qt tells that a text is markup
BEGIN, END = plain_tooltip("|").split("|")


@dataclass
class Gaze(Survey):
    """What was wrong in the windows that were looked at, and where markup was on the screen."""

    wrong: set[str] = field(default_factory=set)
    seen_in: set[str] = field(default_factory=set)

    def look(self, where: str = "") -> Survey:
        for widget in QApplication.allWidgets():
            for complaint in self._complaints(widget):
                self.wrong.add(f"{where}: {type(widget).__name__}: {complaint}")
        return self

    def _complaints(self, widget: QWidget) -> list[str]:
        tips = [widget.toolTip(), widget.whatsThis()]
        found: list[str] = []
        match widget:
            case QLabel():
                self._note(widget, widget.text())
                if widget.textFormat() != Qt.TextFormat.PlainText and _is_rich(widget.text()):
                    found.append(f"shows {widget.text()[:80]!r} as markup")
            case QMenu() if widget.toolTipsVisible():
                tips += [action.toolTip() for action in widget.actions()]
            case QTabBar():
                self._note(widget, *(widget.tabText(each) for each in range(widget.count())))
                tips += [widget.tabToolTip(each) for each in range(widget.count())]
            case QAbstractItemView() if widget.model() is not None:
                texts, more = _texts_and_tips(widget.model())
                self._note(widget, *texts)
                tips += more
            case QTextBrowser():
                self._note(widget, widget.toPlainText())
                html = widget.toHtml()
                found += [f"holds {tag}" for tag in TAGS if tag in html]
                if not isinstance(widget, SafeBrowser):
                    found.append("is a browser that can load files")
            case QTextEdit() if widget.acceptRichText():
                found.append("takes markup in")
            case QMessageBox() if widget.textFormat() != Qt.TextFormat.PlainText:
                found.append("may take its text for markup")
        return found + [f"tooltip {tip[:80]!r}" for tip in tips if _is_rich(tip)]

    def _note(self, widget: QWidget, *texts: str) -> None:
        if any(SIGN in text for text in texts):
            self.seen_in.add(type(widget).__name__)


def _is_rich(text: str) -> bool:
    """Whether Qt would take a text for markup that is not ours."""
    if text.startswith(BEGIN) and text.endswith(END):
        return "<" in text[len(BEGIN) : -len(END)]
    return bool(TAG.search(text))


def _texts_and_tips(model: QAbstractItemModel) -> tuple[list[str], list[str]]:
    texts: list[str] = []
    tips: list[str] = []
    waiting = [QModelIndex()]
    while waiting and len(texts) < MOST_ROWS:
        parent = waiting.pop()
        for row in range(min(model.rowCount(parent), MOST_ROWS)):
            index = model.index(row, 0, parent)
            waiting.append(index)
            texts.append(str(index.data(Qt.ItemDataRole.DisplayRole) or ""))
            tips.append(str(index.data(Qt.ItemDataRole.ToolTipRole) or ""))
    return texts, tips


@pytest.fixture(scope="module")
def hostile_library(tmp_path_factory) -> Path:
    place = tmp_path_factory.mktemp("hostile")
    path = place / f"{MARKUP.replace('/', '_')}.pdf"
    manual = next(each for each in sample_manuals() if "installation" in each.name)
    with pymupdf.open(manual) as whole, pymupdf.open() as hostile:
        hostile.insert_pdf(whole, from_page=PAGES[0], to_page=PAGES[-1])
        hostile.set_metadata(dict.fromkeys(("title", "author", "subject"), MARKUP))
        hostile.set_toc([[1, MARKUP, 1], [2, f"Again {MARKUP}", 3]])
        hostile.set_page_labels([{"startpage": 0, "prefix": MARKUP, "style": "D"}])
        hostile.save(path)
    with closing(open_workspace(place / "library", settings=Settings())) as workspace:
        ingest(workspace, [path])
        (document,) = workspace.library.documents()
        assert document.state == "ready"
        assert SIGN in document.title
        assert SIGN in document.name
        workspace.notes.add(
            Note(f"X2:1 to X2:6 take 0.7 Nm here. {MARKUP}", place=STATION, role=MARKUP[:40])
        )
        workspace.conversations.create(MARKUP)
    library: Path = place / "library"
    return library


@pytest.mark.slow
def test_no_window_takes_a_name_from_a_file_for_markup(qtbot, hostile_library):
    gaze = Gaze()
    survey_with_the_samples(gaze, hostile_library)
    assert gaze.wrong == set()
    assert gaze.seen_in >= {
        *("LibraryList", "DocumentTabs", "ThumbnailList", "QTreeWidget", "NoteList"),
        *("ConversationRows", "Label"),
    }


def test_the_properties_of_a_hostile_manual_are_letters(window, hostile_library):
    gaze = Gaze()
    with closing(open_workspace(hostile_library, read_only=True, settings=Settings())) as workspace:
        (record,) = workspace.library.documents()
        pages = tuple(workspace.library.pages(record.id))
        facts = Facts(record, None, pages, hostile_library, 5_000, "en")
        dialog = PropertiesDialog(window, facts)
        dialog.open()
        gaze.look("properties")
        dialog.close()
    assert gaze.wrong == set()
    assert gaze.seen_in
