"""Stopping, killing, deleting and filling the disk in the middle of ingestion."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from desktop.core.errors import DiskFull
from desktop.core.jobs import Cancelled, CancelToken
from desktop.core.library.values import DocumentChanged, DuplicateFound, PassProgress
from desktop.core.store.database import Database
from tests.core.library.conftest import Bench
from tests.fakes.parser import write_manual

if TYPE_CHECKING:
    import apsw

INGEST = """
import sys, time
from pathlib import Path
from desktop.core.jobs import CancelToken
from desktop.core.library.ingestion import Ingestion
from desktop.core.library.library import Library
from desktop.core.library.values import PassProgress
from desktop.core.settings.sections import IngestionSettings
from desktop.core.store.database import Database
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.parser import FakeParser

folder, manual = Path(sys.argv[1]), Path(sys.argv[2])
parser = FakeParser()
parser.before_each(lambda call, page: time.sleep(0.002))
embedder = FakeEmbedder()
embedder.before_each = lambda: time.sleep(0.004)
with Database.open(folder) as database:
    settings = IngestionSettings(commit_milliseconds=20)
    ingestion = Ingestion(database, Library(database, folder), parser, embedder, settings)
    ingestion.enqueue([manual])
    for event in ingestion.run(CancelToken()):
        if isinstance(event, PassProgress):
            print(event.pass_name, event.done, flush=True)
"""


def test_kill_9_loses_nothing_that_was_reported(tmp_path: Path):
    folder = tmp_path / "library"
    manual = write_manual(tmp_path / "m.pdf", [f"page {n}" for n in range(300)])
    reported = {"text": 0, "layout": 0, "vectors": 0}

    for pass_name in ("text", "layout", "vectors"):
        _ingest_and_kill(folder, manual, pass_name, reported)
        with Database.open(folder) as database:
            assert database.check() == []
            (document,) = Bench(folder, database).library.documents()
            assert document.done[0] >= reported["text"]
            assert document.done[1] >= reported["layout"]
            assert document.done[2] >= reported["vectors"]

    with Database.open(folder) as database:
        bench = Bench(folder, database)
        before = bench.only_document().done
        assert before[2] < 300, "the last kill came too late to show anything"
        bench.run()
        document = bench.only_document()
        assert (document.state, document.done) == ("ready", (300, 300, 300))
        layouts = [call for call in bench.parser.calls if call[0] == "layout"]
        assert len(layouts) == 300 - before[1], "only what was missing is read again"
        assert bench.rows("SELECT count(*) FROM unit_vectors") == [(300,)]
        assert bench.rows("SELECT count(*) FROM pages_fts") == [(300,)]
        assert database.check() == []


def _ingest_and_kill(folder: Path, manual: Path, pass_name: str, reported: dict[str, int]) -> None:
    """Run ingestion in a process and kill it soon after `pass_name` reported pages."""
    with subprocess.Popen(
        [sys.executable, "-c", INGEST, str(folder), str(manual)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            name, done = line.split()
            reported[name] = int(done)
            if name == pass_name and 0 < int(done) < 300:
                process.send_signal(signal.SIGKILL)
                break
        for line in process.stdout:  # what it still got to say before it died
            name, done = line.split()
            reported[name] = int(done)
    assert process.returncode == -signal.SIGKILL


def test_a_cancelled_run_goes_on_where_it_stopped(bench: Bench, tmp_path: Path):
    cancel = CancelToken()
    bench.parser.before_each(
        lambda call, page: cancel.cancel() if (call, page) == ("layout", 3) else None
    )
    bench.run(write_manual(tmp_path / "m.pdf", ["x"] * 8), cancel=cancel)
    document = bench.only_document()
    assert document.state == "indexing"
    assert document.done[:2] == (8, 4), "the page that was being read is kept"

    bench.restart()
    assert bench.ingestion.has_work()
    bench.run()
    assert bench.only_document().done == (8, 8, 8)
    assert len([c for c in bench.parser.calls if c[0] == "layout"]) == 8


def test_a_cancelled_document_keeps_what_is_done_and_retry_goes_on(bench: Bench, tmp_path: Path):
    other = write_manual(tmp_path / "other.pdf", ["y"])
    manual = write_manual(tmp_path / "m.pdf", ["x"] * 8)

    def cancel_it(call: str, page: int) -> None:
        if (call, page) == ("layout", 3):
            bench.ingestion.cancel_document(bench.library.documents()[0].id)

    bench.parser.before_each(cancel_it)
    bench.run(manual, other)
    first, second = bench.library.documents()
    assert (first.state, first.done[:2]) == ("cancelled", (8, 4))
    assert second.state == "ready", "others are not held up by it"
    assert first.searchable
    assert not bench.ingestion.has_work()

    bench.parser.before_each(lambda call, page: None)
    bench.ingestion.retry(first.id)
    bench.run()
    assert bench.library.document(first.id).state == "ready"
    assert bench.library.document(first.id).done == (8, 8, 8)


def test_dropping_a_cancelled_manual_again_goes_on_with_it(bench: Bench, tmp_path: Path):
    manual = write_manual(tmp_path / "m.pdf", ["x"] * 4)
    bench.parser.before_each(
        lambda call, page: (
            bench.ingestion.cancel_document(bench.only_document().id)
            if (call, page) == ("layout", 1)
            else None
        )
    )
    bench.run(manual)
    assert bench.only_document().state == "cancelled"
    bench.parser.before_each(lambda call, page: None)
    events = bench.run(manual)
    assert [e for e in events if isinstance(e, DuplicateFound)]
    assert bench.only_document().state == "ready"


@pytest.mark.parametrize("moment", [("open", 0), ("text", 2), ("layout", 2)])
def test_a_document_can_be_deleted_while_it_is_read(
    bench: Bench, tmp_path: Path, moment: tuple[str, int]
):
    bench.parser.before_each(
        lambda call, page: (
            bench.library.delete(bench.library.documents()[0].id)
            if (call, page) == moment and len(bench.library.documents()) == 2
            else None
        )
    )
    bench.run(
        write_manual(tmp_path / "gone.pdf", ["x"] * 5), write_manual(tmp_path / "kept.pdf", ["y"])
    )
    document = bench.only_document()
    assert (document.name, document.state) == ("kept.pdf", "ready")
    assert len(list((bench.folder / "originals").iterdir())) == 1
    assert bench.rows("SELECT count(*) FROM pages_fts") == [(1,)]
    assert bench.database.check() == []


def test_a_document_can_be_deleted_while_its_vectors_are_made(bench: Bench, tmp_path: Path):
    assert bench.embedder is not None

    def delete_it() -> None:
        for document in bench.library.documents():
            bench.library.delete(document.id)

    bench.embedder.before_each = delete_it
    bench.run(write_manual(tmp_path / "gone.pdf", ["x"] * 5))
    assert bench.library.documents() == []
    assert bench.rows("SELECT count(*) FROM unit_vectors") == [(0,)]
    assert bench.database.check() == []


def test_deleting_a_ready_manual_leaves_no_trace_of_it(bench: Bench, tmp_path: Path):
    bench.run(
        write_manual(tmp_path / "a.pdf", ["Fuse F1"]),
        write_manual(tmp_path / "b.pdf", ["Fuse F2"]),
    )
    first, second = bench.library.documents()
    bench.library.delete(first.id)
    assert [d.id for d in bench.library.documents()] == [second.id]
    assert bench.pages_with_term("f1") == []
    assert bench.pages_with_term("f2") == [0]
    for table in ("units", "unit_vectors", "units_fts", "page_words", "blocks"):
        assert bench.rows(f"SELECT count(*) FROM {table}") == [(1,)], table
    assert bench.database.check() == []
    bench.run(tmp_path / "a.pdf")
    assert len(bench.library.documents()) == 2, "it can be added again"


def test_a_library_that_was_searched_is_sound_after_a_large_manual_is_deleted(
    bench: Bench, tmp_path: Path
):
    text = "\n".join(f"connector J{n} carries 24 V to relay K{n}" for n in range(20))
    bench.run(
        write_manual(tmp_path / "a.pdf", [text] * 100),
        write_manual(tmp_path / "b.pdf", [f"{text} b"] * 100),
    )
    assert len(bench.pages_with_term("j3")) == 200
    bench.library.delete(bench.library.documents()[0].id)
    assert bench.database.check() == []
    assert len(bench.pages_with_term("j3")) == 100


def test_a_file_that_ended_the_process_twice_at_one_page_is_left_alone(
    bench: Bench, tmp_path: Path
):
    class ProcessEnds(BaseException):
        pass

    def die(call: str, page: int) -> None:
        if (call, page) == ("layout", 1):
            raise ProcessEnds

    manual = write_manual(tmp_path / "poison.pdf", ["one", "two", "three"])
    bench.parser.before_each(die)
    bench.ingestion.enqueue([manual])
    deaths = 0
    while _dies(bench, ProcessEnds):
        deaths += 1
        bench.restart()

    assert deaths == 2
    document = bench.only_document()
    assert document.state == "failed"
    assert "layout of page" in document.reason
    assert document.searchable, "its text was read before"
    bench.run()
    assert bench.parser.calls.count(("layout", 1)) == 2, "it is not tried again by itself"

    bench.parser.before_each(lambda call, page: None)
    bench.ingestion.retry(document.id)
    bench.run()
    assert bench.only_document().state == "ready"


def _dies(bench: Bench, death: type[BaseException]) -> bool:
    """Run until `death` or the end; keep the note that a dead process cannot remove."""
    notes: list[tuple] = []
    write = bench.database.write

    def watched(fn):
        notes[:] = bench.rows("SELECT document_id, place FROM parsing_now") or notes
        return write(fn)

    bench.database.write = watched  # type: ignore[method-assign]
    try:
        bench.run()
    except death:
        put_back = "INSERT OR REPLACE INTO parsing_now VALUES(?, ?)"
        write(lambda c: c.executemany(put_back, notes).fetchall())
        return True
    finally:
        bench.database.write = write  # type: ignore[method-assign]
    return False


def _leave_note(connection: apsw.Connection, note: tuple[int, str]) -> None:
    connection.execute("INSERT INTO parsing_now VALUES(?, ?)", note)


def test_power_cuts_at_different_pages_do_not_speak_against_a_file(bench: Bench, tmp_path: Path):
    bench.run(write_manual(tmp_path / "long.pdf", ["x"] * 4))
    document = bench.only_document()
    for page in range(5):
        note = (document.id, f"layout of page {page}")
        bench.database.write(partial(_leave_note, note=note))
        bench.ingestion.retry(document.id)
        bench.restart()
        bench.run()
        assert bench.only_document().state == "ready"


def test_a_full_disk_ends_the_run_and_the_next_one_goes_on(bench: Bench, tmp_path: Path):
    manual = write_manual(tmp_path / "m.pdf", [f"word{n} " * 2000 for n in range(60)])

    def fill(call: str, page: int) -> None:
        if (call, page) == ("text", 0):
            pages = bench.database.read(lambda c: c.pragma("page_count"))
            bench.database.write(lambda c: c.pragma("max_page_count", pages + 4))

    bench.parser.before_each(fill)
    with pytest.raises(DiskFull):
        bench.run(manual)
    bench.parser.before_each(lambda call, page: None)
    bench.database.write(lambda c: c.pragma("max_page_count", 1 << 30))

    bench.run()
    assert bench.only_document().done == (60, 60, 60)
    assert bench.database.check() == []


def test_closing_the_parser_ends_the_run_quietly(bench: Bench, tmp_path: Path):
    def closed(call: str, page: int) -> None:
        if (call, page) == ("layout", 1):
            raise Cancelled

    bench.parser.before_each(closed)
    bench.run(write_manual(tmp_path / "m.pdf", ["x"] * 4))
    assert bench.only_document().state == "indexing"


def test_files_dropped_while_a_run_goes_on_are_taken_in_by_it(bench: Bench, tmp_path: Path):
    bench.parser.hold()
    events: list[object] = []
    bench.ingestion.enqueue([write_manual(tmp_path / "a.pdf", ["x"] * 30)])
    thread = threading.Thread(target=lambda: events.extend(bench.ingestion.run(CancelToken())))
    thread.start()
    bench.ingestion.enqueue([write_manual(tmp_path / "b.pdf", ["y"])])
    with pytest.raises(RuntimeError, match="running already"):
        _wait_until_running(bench)
    bench.parser.go()
    thread.join()
    assert [d.state for d in bench.library.documents()] == ["ready", "ready"]
    assert not bench.ingestion.has_work()


def _wait_until_running(bench: Bench) -> None:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        if bench.parser.calls or bench.library.documents():
            next(bench.ingestion.run(CancelToken()), None)
        time.sleep(0.01)


def test_what_an_event_reports_is_already_stored(bench: Bench, tmp_path: Path):
    bench.ingestion.enqueue([write_manual(tmp_path / "m.pdf", ["x"] * 200)])
    for event in bench.ingestion.run(CancelToken()):
        if isinstance(event, PassProgress) and event.pass_name == "text":
            assert bench.only_document().done[0] >= event.done
        if isinstance(event, DocumentChanged):
            assert bench.library.document(event.document.id).page_count >= 0
