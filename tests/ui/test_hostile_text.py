"""Markup from manuals, notes, models and file names: shown letter by letter, never followed."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QAction, QTextDocument
from PySide6.QtWidgets import QLabel, QTextBrowser, QTextEdit, QWidget

import desktop.ui
from desktop.core.events import (
    CitationEvent,
    CompleteEvent,
    DecisionEvent,
    ErrorEvent,
    NearestPageEvent,
    NoteCitationEvent,
    NoteSource,
    PageRegion,
    StatusEvent,
    TokenEvent,
)
from desktop.ui.chat.answer_text import SafeBrowser
from tests.ui import scripts
from tests.ui.fake_workspace import fake_workspace, manual

HOSTILE = (
    '<b>bold</b><img src="file:///etc/passwd"><img src="http://attack.invalid/p.png">'
    '<a href="http://attack.invalid/">here</a><a href="file:///etc/passwd">there</a>'
    "<script>alert(1)</script><style>*{display:none}</style><table><tr><td>x &amp; y"
)
SHOWN = "<b>bold</b>"
BOX = scripts.BATTERY.regions[0]


def _answer():
    page = PageRegion(1, HOSTILE, 3, HOSTILE[:20], (BOX,))
    note = NoteSource("p1", HOSTILE, HOSTILE, "2026-01-01", HOSTILE)
    return [
        DecisionEvent("fast_vector_search", HOSTILE, {"query": HOSTILE}, 1, 0.4),
        StatusEvent(HOSTILE),
        TokenEvent(f"First {HOSTILE} [1]"),
        TokenEvent(f" Then {HOSTILE} [2]"),
        CitationEvent(1, page, HOSTILE),
        NoteCitationEvent(2, note, HOSTILE),
        CompleteEvent("answered", 5.0, 2),
    ]


def _refusal():
    page = PageRegion(1, HOSTILE, 3, "4", (BOX,))
    return [
        TokenEvent(HOSTILE),
        NearestPageEvent(page, HOSTILE),
        ErrorEvent(HOSTILE, suggestion=HOSTILE),
        CompleteEvent("not_found", 5.0, 2),
    ]


@pytest.fixture
def hostile_window(window, qtbot, tmp_path, viewer):
    """A window in which every text from outside is hostile."""
    names: dict[str, Any] = {
        "name": f"{HOSTILE.replace('/', '-')}.pdf",
        "reason": HOSTILE,
        "site": HOSTILE[:40],
    }
    workspace = fake_workspace(
        tmp_path,
        manual(1, HOSTILE, **names),
        manual(2, HOSTILE, "failed", 0, **names),
        manual(3, HOSTILE, "needs_password", 0, **names),
    )
    workspace.notice = HOSTILE
    window.open_workspace(workspace)
    qtbot.waitUntil(lambda: viewer() is not None)
    for events in (_answer(), _refusal()):
        workspace.answer = events
        window.chat.ask(HOSTILE)
        turn = window.chat.turns[-1]
        qtbot.waitUntil(lambda turn=turn: not turn.running)
    window.library_panel.notices.say(HOSTILE)
    window.library_panel.rows.select(1)
    return window


def test_every_label_shows_its_text_letter_by_letter(hostile_window):
    for label in hostile_window.findChildren(QLabel):
        if SHOWN in label.text():
            assert label.textFormat() == Qt.TextFormat.PlainText, label.text()[:60]
        else:
            plain = label.textFormat() == Qt.TextFormat.PlainText
            assert plain or "<" not in label.text(), label.text()[:60]
        assert not label.openExternalLinks()


def test_every_tooltip_is_escaped(hostile_window):
    widgets = [hostile_window, *hostile_window.findChildren(QWidget)]
    actions = hostile_window.findChildren(QAction)
    tips = [each.toolTip() for each in (*widgets, *actions)]
    assert any("&lt;b&gt;bold" in tip for tip in tips), "no tooltip shows a text from outside"
    for tip in tips:
        assert not [tag for tag in ("<img", "<a ", "<script") if tag in tip.lower()], tip[:80]


def test_every_browser_loads_and_opens_nothing(hostile_window):
    browsers = hostile_window.findChildren(QTextBrowser)
    assert browsers
    for browser in browsers:
        assert isinstance(browser, SafeBrowser)
        assert not browser.openLinks()
        assert not browser.openExternalLinks()
        for kind in QTextDocument.ResourceType:
            assert browser.loadResource(kind, QUrl("file:///etc/passwd")) is None
    shown = " ".join(browser.toPlainText() for browser in browsers)
    assert SHOWN in shown
    assert '<img src="file:///etc/passwd">' in shown
    assert "<script>alert(1)</script>" in shown
    html = " ".join(browser.toHtml() for browser in browsers)
    assert "<img" not in html
    assert 'href="http' not in html
    assert 'href="file' not in html


def test_a_click_on_a_link_of_a_document_leads_nowhere(hostile_window, qtbot):
    for browser in hostile_window.findChildren(SafeBrowser):
        clicked: list[int] = []
        browser.citation_clicked.connect(clicked.append)
        for url in ("http://attack.invalid/", "file:///etc/passwd", "cite:x", "javascript:1"):
            browser.anchorClicked.emit(QUrl(url))
        assert clicked == []
        assert browser.source().isEmpty()


def test_no_editor_takes_markup_in(hostile_window):
    for editor in hostile_window.findChildren(QTextEdit):
        if not isinstance(editor, QTextBrowser):
            assert not editor.acceptRichText()


def test_a_manual_whose_title_is_markup_keeps_it_as_a_title(hostile_window):
    workspace = hostile_window._workspace
    record = workspace.library.document(1)
    workspace.library.manuals[1] = replace(record, title=f"{HOSTILE} again")
    assert SHOWN in workspace.library.document(1).title


HTML_CALLS = {"setHtml", "insertHtml", "setMarkdown", "openUrl", "setOpenExternalLinks"}
KNOWN = {
    ("chat/answer_view.py", "setHtml"),
    ("chat/answer_text.py", "setOpenExternalLinks"),
    ("files.py", "openUrl"),
}
"""Who may: what they show is built by `answer_html`, what they open is a file of our own."""


def test_no_other_widget_can_show_markup_or_open_anything():
    root = Path(desktop.ui.__file__).parent
    found = set()
    for path in root.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                name = node.func.attr
                if name in HTML_CALLS:
                    found.add((path.relative_to(root).as_posix(), name))
    assert found == KNOWN


def test_every_label_is_made_by_the_one_function_that_makes_it_plain():
    """Or sets its text format beside it."""
    root = Path(desktop.ui.__file__).parent
    for path in root.rglob("*.py"):
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if node.func.id == "QLabel":
                assert not node.args or isinstance(node.args[0], ast.Name), path.name
                assert "PlainText" in text or "setPixmap" in text, path.name


SETTERS = {"setToolTip", "setTabToolTip", "setWhatsThis"}


def test_every_tooltip_is_our_own_sentence_or_made_plain():
    """Of whatever is put together, even of our own words: the next name in it would be markup."""
    root = Path(desktop.ui.__file__).parent
    found: list[str] = []
    for path in root.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            if node.func.attr in SETTERS and not _is_plain(node.args[-1]):
                found.append(f"{path.relative_to(root)}:{node.lineno} {ast.unparse(node)}")
    assert sorted(each.split()[0].rpartition(":")[0] for each in found) == [
        "viewer/actions.py",  # a command's text and its keys
        "viewer/actions.py",
    ]


def _is_plain(node: ast.expr) -> bool:
    match node:
        case ast.Constant():
            return True
        case ast.IfExp():
            return _is_plain(node.body) and _is_plain(node.orelse)
        case ast.Call(func=ast.Name(id="plain_tooltip")):
            return True
        case ast.Call(func=ast.Attribute(attr="tr")):
            return True
    return False
