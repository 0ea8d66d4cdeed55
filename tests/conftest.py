"""What holds for every test: no display, folders of its own, and no thread left behind."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import shutil
import threading
import time
from functools import partialmethod
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import HealthCheck
from hypothesis import settings as property_settings
from pytestqt.qtbot import QtBot

from desktop.core.paths import sample_manuals
from tests.e2e.real_library import ingest, opened

# how long an example takes says how busy the machine is
property_settings.register_profile(
    "groundwork",
    deadline=None,
    max_examples=int(os.environ.get("GROUNDWORK_EXAMPLES", "50")),  # a night can take thousands
    suppress_health_check=[HealthCheck.too_slow],
)
property_settings.load_profile("groundwork")


@pytest.fixture(scope="session")
def qapp_cls():
    """Have pytest-qt make the application that a start makes."""
    from desktop.ui.window.start import Application

    return Application


_PATIENT_MS = 60_000
_SECONDS_TO_END = 30.0
"""A thread that ends does so at once; a busy machine may be late to run it."""
# progress bars and LanceDB keep a thread for the whole process
_NOT_OURS = ("tqdm", "TMonitor", "LanceDBBackgroundEventLoop")


_WAITS = ("waitUntil", "waitSignal", "waitSignals", "waitExposed", "waitActive")


class PatientQtBot(QtBot):
    """Waits for signals and states as long as a busy machine may take; five seconds were few."""


for _name in _WAITS:
    setattr(PatientQtBot, _name, partialmethod(getattr(QtBot, _name), timeout=_PATIENT_MS))


@pytest.fixture
def qtbot(qapp, request):
    """Return the bot of pytest-qt, with more patience."""
    return PatientQtBot(request)


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    """Keep a test away from the settings and the library of whoever runs it."""
    monkeypatch.setenv("GROUNDWORK_HOME", str(tmp_path / "groundwork-home"))


@pytest.fixture(scope="session")
def sample_library(tmp_path_factory):
    """A library with both sample manuals, only to be read; whoever changes it takes a copy.

    Reading them takes twenty seconds of a processor: once for all processes of a run.
    """
    own = tmp_path_factory.getbasetemp()
    of_all = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    of_all = Path(os.environ.get("GROUNDWORK_TEST_RUN", of_all))
    made = of_all / "samples"
    with FileLock(of_all / "samples.lock"):
        if not made.is_dir():
            making = own / "samples-being-made"
            with opened(making) as workspace:
                ingest(workspace, sample_manuals())
            shutil.move(making, made)
    return shutil.copytree(made, tmp_path_factory.mktemp("samples") / "library")


@pytest.fixture(autouse=True)
def no_thread_left(request):
    """Fail a test whose threads are still there after it and its fixtures have ended."""
    before = set(threading.enumerate())
    yield
    deadline = time.monotonic() + _SECONDS_TO_END
    while (left := _left_over(before)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not left, f"{request.node.name} left threads: {[thread.name for thread in left]}"


def _left_over(before):
    return [
        thread
        for thread in threading.enumerate()
        if thread not in before
        and thread.is_alive()
        and not thread.name.startswith(_NOT_OURS)
        and not isinstance(thread, threading._DummyThread)
    ]
