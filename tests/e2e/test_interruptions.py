"""Ingestion of real manuals that is killed, and questions that do not wait for it."""

from __future__ import annotations

import hashlib
import shutil
import signal
import subprocess
import threading
import time
from typing import TYPE_CHECKING

from desktop.core.errors import LibraryError
from desktop.core.events import CompleteEvent
from desktop.core.jobs import CancelToken
from desktop.core.library.library import Library
from desktop.core.library.values import PASSES, PassName
from desktop.core.paths import sample_manuals
from desktop.core.store.database import Database
from tests.e2e.real_library import (
    ROOT,
    ask,
    citations,
    environment,
    groundwork,
    groundwork_command,
    opened,
    outcome,
    questions,
)

if TYPE_CHECKING:
    from pathlib import Path

START_SECONDS = 400.0
MANUAL = next(path for path in sample_manuals() if "operator" in path.name)
COUNTED = ("pages", "units", "postings", "unit_vectors", "blocks")


def test_ingestion_that_is_killed_in_every_pass_goes_on_and_loses_nothing(
    tmp_path, home, sample_library
):
    folder, undisturbed = tmp_path / "library", tmp_path / "undisturbed"
    kills: tuple[tuple[PassName, int], ...] = (("text", 5), ("layout", 5), ("vectors", 12))
    for name, pages in kills:
        seen = _kill_when(folder, home, name, pages)
        with Database.open(folder) as database:
            assert database.check() == []
            for document in Library(database, folder).documents():
                assert all(
                    now >= before
                    for now, before in zip(document.done, seen[document.sha256], strict=True)
                ), "what was reported as done is lost"
        _original_is_whole(folder)

    ended = groundwork(home, "ingest", "--library", folder)
    assert ended.returncode == 0, ended.stderr
    with Database.open(folder) as database:
        documents = Library(database, folder).documents()
    assert [(each.state, each.done) for each in documents] == [("ready", (19, 19, 19))]
    with opened(shutil.copytree(sample_library, undisturbed)) as workspace:
        for each in workspace.library.documents():
            if each.sha256 != documents[0].sha256:
                workspace.library.delete(each.id)
    assert _counts(folder) == _counts(undisturbed)
    assert "Nothing is unfinished" in groundwork(home, "ingest", "--library", folder).stderr


def test_a_question_is_answered_while_manuals_are_being_read(tmp_path):
    question = questions()["hx-08"]
    laid_out, answered = threading.Event(), threading.Event()

    def read_on() -> None:
        for _ in workspace.ingestion.run(cancel):
            read = [d.done[1] for d in workspace.library.documents()]
            if all(pages > 14 for pages in read):
                laid_out.set()
            if all(pages > 16 for pages in read):  # it must not end before the question does
                answered.wait()

    with opened(tmp_path / "library") as workspace:
        manuals = [path for path in sample_manuals() if path.name == question["document"]]
        workspace.ingestion.enqueue(manuals)
        cancel = CancelToken()
        reading = threading.Thread(target=read_on, name="reading")
        reading.start()
        try:
            assert laid_out.wait(START_SECONDS)
            events = ask(workspace, question["question"])
            assert reading.is_alive(), "the question came too late to show anything"
            assert workspace.ingestion.has_work()
        finally:
            cancel.cancel()
            answered.set()
            reading.join()
    assert outcome(events) == "partial"  # it says that the manual is still being read
    last = events[-1]
    assert isinstance(last, CompleteEvent)
    assert any("being read" in sentence for sentence in last.missing)
    assert {each.source.page for each in citations(events)} & set(question["pages"])


def _kill_when(
    folder: Path, home: Path, name: PassName, pages: int
) -> dict[str, tuple[int, int, int]]:
    """Kill `groundwork ingest` once it did so many pages of a pass; returns what was done."""
    process = subprocess.Popen(
        groundwork_command("ingest", MANUAL, "--library", folder),
        cwd=ROOT,
        env=environment(home),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + START_SECONDS
    seen: dict[str, tuple[int, int, int]] = {}
    while time.monotonic() < deadline and process.poll() is None:
        seen = _done(folder) or seen
        if any(done[PASSES.index(name)] >= pages for done in seen.values()):
            break
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL, "it ended before it could be killed"
    return seen


def _done(folder: Path) -> dict[str, tuple[int, int, int]]:
    """What another process would be told now; nothing while the library is being made."""
    try:
        with Database.open(folder, read_only=True) as database:
            return {d.sha256: d.done for d in Library(database, folder).documents()}
    except LibraryError:
        return {}


def _original_is_whole(folder: Path) -> None:
    for path in (folder / "originals").glob("*.pdf"):
        assert path.read_bytes() == MANUAL.read_bytes()
        assert path.stem == hashlib.sha256(MANUAL.read_bytes()).hexdigest()


def _counts(folder: Path) -> dict[str, int]:
    with Database.open(folder, read_only=True) as database:
        assert database.check() == []
        return database.read(
            lambda c: {table: c.execute(f"SELECT count(*) FROM {table}").get for table in COUNTED}
        )
