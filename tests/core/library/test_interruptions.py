"""Stopping, deleting and filling the disk in the middle of ingestion."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

from desktop.core.errors import DiskFull
from desktop.core.jobs import Cancelled, CancelToken
from desktop.core.library.values import DocumentChanged, DuplicateFound, PassProgress
from tests.fakes.parser import write_manual

if TYPE_CHECKING:
    from pathlib import Path

    from tests.core.library.conftest import Bench

    pass

pytestmark = pytest.mark.slow


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
    pages = [page for call, page in bench.parser.calls if call == "layout"]
    assert sorted(pages) == [0, 1, 2, 3, 3, 4, 5, 6, 7], "page 4 goes on with the end of page 3"


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
    assert bench.pages_with_term("x") == []
    assert bench.pages_with_term("y") == [0]
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
    for table in ("units", "unit_vectors", "indexed_texts", "page_words", "blocks"):
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
