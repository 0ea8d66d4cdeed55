"""Long work with notes: one piece at a time, and what is shown at its end may start the next."""

from __future__ import annotations

import pytest

from desktop.core.jobs import Cancelled
from desktop.ui.notes.drawer import BusyStrip
from desktop.ui.notes.writing import NoteJobs


@pytest.fixture
def jobs(qtbot):
    strip = BusyStrip()
    qtbot.addWidget(strip)
    jobs = NoteJobs(strip)
    yield jobs
    jobs.close()


def test_a_job_may_be_started_by_what_the_one_before_it_shows(jobs, qtbot):
    told: list[object] = []

    def first_is_shown(result: object) -> None:
        told.append(result)
        jobs.run("Saving", lambda _: "second", told.append, told.append)

    jobs.run("Reading", lambda _: "first", first_is_shown, told.append)
    qtbot.waitUntil(lambda: told == ["first", "second"])


def test_each_end_is_told_once_and_of_its_own_job(jobs, qtbot):
    told: list[object] = []

    def fails(_: object) -> None:
        raise OSError("the disk is full")

    def stops(_: object) -> None:
        raise Cancelled

    for work in (fails, stops, lambda _: None):
        jobs.run(
            "Saving",
            work,
            lambda result: told.append(("done", result)),
            lambda failure: told.append(("failed", str(failure))),
            lambda: told.append(("cancelled",)),
        )
        qtbot.waitUntil(lambda: not jobs.running)
    assert told == [("failed", "the disk is full"), ("cancelled",), ("done", None)]
