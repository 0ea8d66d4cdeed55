from __future__ import annotations

import socket
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from desktop import tripwire
from desktop.core.paths import HOME_VARIABLE
from desktop.core.single_instance import Instance
from desktop.ui.library.status_line import ConnectionCount
from desktop.ui.window.main_window import MainWindow
from desktop.ui.window.start import Arrivals
from tests.ui.fake_workspace import FakeViewer, fake_workspace, manual


@pytest.fixture
def claim(tmp_path, monkeypatch):
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    claim = Instance.claim(tmp_path / "library")
    assert claim is not None
    yield claim
    claim.close()


@pytest.fixture
def arrivals(qapp, claim):
    arrivals = Arrivals(qapp, claim.listener)
    yield arrivals
    arrivals.close()


def test_files_of_a_second_start_arrive_in_the_running_window(qtbot, arrivals, tmp_path):
    ended = []
    second = threading.Thread(
        target=lambda: ended.append(Instance.claim(tmp_path / "library", [tmp_path / "a.pdf"]))
    )
    with qtbot.waitSignal(arrivals.arrived) as arrived:
        second.start()
    second.join()
    assert arrived.args == [[tmp_path / "a.pdf"]]
    assert ended == [None]


def test_a_visitor_that_says_nonsense_is_sent_away(qtbot, arrivals, claim):
    heard: list[object] = []
    arrivals.arrived.connect(heard.append)
    with socket.socket(socket.AF_UNIX) as visitor:
        visitor.connect(claim.listener.getsockname())
        visitor.sendall(b"GET / HTTP/1.1\r\n\n")
        visitor.setblocking(False)

        def is_closed():
            try:
                return visitor.recv(10) == b""
            except BlockingIOError:
                return False

        qtbot.waitUntil(is_closed)
    assert heard == []


def test_a_pdf_opened_in_finder_arrives(qtbot, qapp, arrivals, tmp_path):
    path = tmp_path / "pump.pdf"
    with qtbot.waitSignal(arrivals.arrived) as arrived:
        QApplication.sendEvent(qapp, QFileOpenEvent(QUrl.fromLocalFile(path)))
    assert arrived.args == [[path]]


def test_files_that_arrive_before_the_library_is_open_are_added_when_it_is(qtbot, tmp_path):
    window = MainWindow(viewer_factory=FakeViewer)
    qtbot.addWidget(window)
    window.take_in([Path("early.pdf")])
    workspace = fake_workspace(tmp_path, manual(1, "Pump"))
    window.open_workspace(workspace)
    qtbot.waitUntil(lambda: Path("early.pdf") in workspace.ingestion.enqueued)
    window.take_in([Path("late.pdf")])
    qtbot.waitUntil(lambda: Path("late.pdf") in workspace.ingestion.enqueued)
    window.close()


def test_the_status_bar_says_how_many_connections_were_made(qtbot, monkeypatch):
    made = 0
    shown = ConnectionCount(lambda: made)
    qtbot.addWidget(shown)
    assert shown.accessibleName() == "Connections made: 0"
    assert shown.text.text() == ""
    made = 1
    monkeypatch.setattr(tripwire, "attempts", lambda: (tripwire.Attempt("connect", "<b>h</b>:1"),))
    shown.look()
    assert shown.text.text() == "Connections made: 1"
    assert shown.text.property("tone") == "attention"
    assert "send to &lt;b&gt;h" in shown.toolTip()
