"""Nothing is sent anywhere, and nothing is written where it does not belong.

The whole commands run without a network, and every system call of theirs is seen, those of
native libraries and of the parser's process included.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from tests.e2e.real_library import groundwork_command
from tests.e2e.traced import Trace, isolation, run_traced
from tests.fakes.manuals import SCAN, TERMINALS, excerpt

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = [
    pytest.mark.network,
    pytest.mark.slow,
    pytest.mark.skipif(not isolation(), reason="needs strace and the right to unshare the network"),
]

QUESTION = "What is the tightening torque of the terminals X1:1 to X1:4?"

OPEN_AND_QUIT = """
import sys, time
from pathlib import Path
from PySide6.QtCore import QTimer
from desktop.app import run_window
from desktop.ui.window.main_window import MainWindow
from desktop.ui.window.start import Application

application = Application(["groundwork"])
deadline = time.monotonic() + 400

def look():
    for window in application.topLevelWidgets():
        status = getattr(window, "status", None)  # none while there is only a frame
        if isinstance(window, MainWindow) and status and "1 manual" in status.ready.text():
            print("the library is shown")
            return window.close()
    if time.monotonic() > deadline:
        return application.exit(3)
    QTimer.singleShot(100, look)

QTimer.singleShot(0, look)
sys.exit(run_window(Path(sys.argv[1])))
"""

REHEARSE = """
import sys
from pathlib import Path
from desktop.app import smoke_test
from desktop.cli import main

smoke_test.sample_manuals = lambda: [Path(sys.argv[1])]
sys.exit(main(["smoke-test"]))
"""


@pytest.fixture
def traced(home: Path, tmp_path: Path) -> Callable[..., Trace]:
    """Runs a command and shows that it kept to its folders and to this machine."""
    temp = tmp_path / "temp"

    def run(command: list[str], *may_write: Path) -> Trace:
        trace = run_traced(home, temp, command)
        assert trace.returncode == 0, trace.errors
        assert trace.internet == ()
        assert trace.written, "the trace shows nothing"
        assert not trace.written_outside(
            tmp_path / "library", home / "groundwork", temp, *may_write
        )
        return trace

    return run


def test_the_trace_sees_an_attempt_to_reach_the_internet(home, tmp_path):
    attempt = "import socket; socket.socket(socket.AF_INET).connect_ex(('192.0.2.1', 80))"
    trace = run_traced(home, tmp_path / "temp", [sys.executable, "-c", attempt])
    assert len(trace.internet) == 1


def test_the_trace_sees_a_file_written_elsewhere(home, tmp_path):
    write = f"open({str(home / 'stray')!r}, 'w').close()"
    trace = run_traced(home, tmp_path / "temp", [sys.executable, "-c", write])
    assert trace.written_outside(tmp_path / "temp") == {home / "stray"}


def test_a_new_user_ingests_asks_and_sees_the_doctor_on_this_machine_and_in_one_folder(
    home, tmp_path
):
    """No device id, no cache: the home folder as it was, but for Groundwork's own folder."""
    own, pages, temp = home / ".local" / "share" / "Groundwork", tmp_path / "pages", tmp_path / "t"

    def run(*arguments: object) -> Trace:
        trace = run_traced(home, temp, groundwork_command(*arguments), own_folder=False)
        assert trace.returncode == 0, trace.errors
        assert trace.internet == ()
        assert trace.written, "the trace shows nothing"
        assert trace.written_outside(own, temp, pages) <= set(own.parents)
        return trace

    manual = excerpt(tmp_path / "short.pdf", TERMINALS, SCAN)  # what recognises words, too
    assert "short.pdf: ready, 2 pages" in run("ingest", manual).errors
    assert "1.8 Nm" in run("ask", QUESTION, "--pages", pages).output
    assert "1 manual (1 ready)" in run("doctor").output
    assert (own / "library" / "library.db").exists()
    files = {path for path in home.rglob("*") if path.is_file()}
    assert {path for path in files if not path.is_relative_to(own)} == set()


def test_the_window_opens_and_closes_on_this_machine_and_in_its_folders(
    traced, short_library, home
):
    # fonts are listed by the system's own library, in the system's own cache
    window = traced(
        [sys.executable, "-c", OPEN_AND_QUIT, str(short_library)], home / ".cache" / "fontconfig"
    )
    assert "the library is shown" in window.output


def test_taking_in_asking_and_the_cited_page_in_the_window_stay_on_this_machine(
    traced, home, tmp_path
):
    # the same as the frozen program is tested with; its library lies in the temporary folder
    manual = excerpt(tmp_path / "installation.pdf", TERMINALS)
    played = traced([sys.executable, "-c", REHEARSE, str(manual)], home / ".cache" / "fontconfig")
    report = json.loads(played.output)
    assert "1.8 Nm" in report["answer"]
    assert report["milliseconds"]["cited page shown"] > 0
    assert report["connections"] == 0
    assert any("parser_worker" in worker for worker in report["workers"])


def test_researching_stays_on_this_machine_and_in_its_folders(traced, short_library):
    traced(groundwork_command("research", QUESTION, "--library", short_library))
