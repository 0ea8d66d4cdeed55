from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pymupdf
import pytest

from desktop.core.jobs import CancelToken
from desktop.core.library.ingestion import Ingestion
from desktop.core.library.library import Library
from desktop.core.library.values import (
    DocumentChanged,
    DuplicateFound,
    FileRefused,
    PageFailed,
    PassProgress,
    WantedRead,
)
from desktop.core.parsing.process import ParserProcess
from desktop.core.settings.sections import IngestionSettings, ParserSettings
from desktop.core.store.database import Database
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.parser import scanned, with_margin, write_manual

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop.core.structure.values import PageLayout
    from tests.core.library.conftest import Bench


def test_a_dropped_manual_becomes_ready_with_all_passes_done(bench: Bench, tmp_path: Path):
    path = write_manual(tmp_path / "pump.pdf", ["Fuse F1 5 A", "Relay K2"], title="Pump P-200")

    events = bench.run(path)

    document = bench.only_document()
    assert (document.state, document.title, document.page_count) == ("ready", "Pump P-200", 2)
    assert document.done == (2, 2, 2)
    assert bench.pages_with_term("f1") == [0]
    assert bench.rows("SELECT count(*) FROM unit_vectors") == [(2,)]
    assert isinstance(events[-1], DocumentChanged)
    assert events[-1].document.state == "ready"
    assert bench.database.check() == []
    assert not bench.ingestion.has_work()


def test_every_page_gets_its_language_one_with_too_few_words_from_its_neighbours(
    bench: Bench, tmp_path: Path
):
    german = "Vor der Wartung ist die Anlage vom Netz zu trennen und gegen Einschalten zu sichern."
    dutch = "Schakel het apparaat uit en wacht tot alle delen zijn afgekoeld voor het onderhoud."
    path = write_manual(tmp_path / "pump.pdf", ["P-1", german, "F1 5 A", german, "F2 5 A", dutch])

    bench.run(path)

    languages = [each for (each,) in bench.rows("SELECT language FROM pages ORDER BY page")]
    assert languages == ["", "de", "de", "de", "", "nl"]
    assert bench.library.language(bench.only_document().id) == "de"


def test_every_new_manual_is_searchable_before_any_layout_is_read(bench: Bench, tmp_path: Path):
    paths = [write_manual(tmp_path / f"{n}.pdf", [f"manual {n}"]) for n in range(3)]

    bench.run(*paths)

    kinds = [call for call, _ in bench.parser.calls]
    assert kinds.index("layout") > max(i for i, kind in enumerate(kinds) if kind == "text")


def test_pages_that_a_question_found_are_laid_out_first_and_it_is_told_when_they_are(
    bench: Bench, tmp_path: Path
):
    old = write_manual(tmp_path / "old.pdf", [f"old {n}" for n in range(6)])
    new = write_manual(tmp_path / "new.pdf", [f"new {n}" for n in range(6)])
    order: list[str | int] = []

    def ask_while_new_is_laid_out(call: str, page: int) -> None:
        if call == "layout":
            order.append(page)
            if len(order) == 2:
                ids = {each.name: each.id for each in bench.library.documents()}
                bench.ingestion.want([(ids["old.pdf"], 4), (ids["old.pdf"], 2)])

    bench.parser.before_each(ask_while_new_is_laid_out)
    bench.ingestion.enqueue([old])
    bench.ingestion.enqueue([new])
    for event in bench.ingestion.run(CancelToken()):
        if isinstance(event, WantedRead):
            order.append("told")
            assert event.document_id == next(
                each.id for each in bench.library.documents() if each.name == "old.pdf"
            )

    assert order[:4] == [0, 1, 4, 2]  # the page that was begun is not thrown away
    assert order.count("told") == 1
    assert order.index("told") > 3
    # out of their turn they lack what the page before goes on with: in it they are read again
    read = [*range(6), *range(6), 2, 4]
    assert sorted(each for each in order if each != "told") == sorted(read)
    assert [each.done[1] for each in bench.library.documents()] == [6, 6]
    assert [each.state for each in bench.library.documents()] == ["ready", "ready"]


def test_pages_of_a_manual_that_is_read_hold_nothing_up(bench: Bench, tmp_path: Path):
    bench.run(write_manual(tmp_path / "read.pdf", ["read"]))
    read = bench.only_document().id
    bench.parser.before_each(lambda *_: bench.ingestion.want([(read, 0)]))
    events = bench.run(write_manual(tmp_path / "new.pdf", [f"new {n}" for n in range(3)]))
    assert [each.state for each in bench.library.documents()] == ["ready", "ready"]
    assert not any(isinstance(each, WantedRead) for each in events)


def test_what_was_dropped_last_is_finished_before_older_work(bench: Bench, tmp_path: Path):
    old = write_manual(tmp_path / "old.pdf", [f"old {n}" for n in range(6)])
    new = write_manual(tmp_path / "new.pdf", ["new"])
    finished: list[str] = []

    def drop_while_old_is_laid_out(call: str, page: int) -> None:
        if call == "layout" and page == 2 and len(bench.library.documents()) == 1:
            bench.ingestion.enqueue([new])

    bench.parser.before_each(drop_while_old_is_laid_out)
    for event in bench.run(old):
        if isinstance(event, DocumentChanged) and event.document.state == "ready":
            finished.append(event.document.name)

    assert finished == ["new.pdf", "old.pdf"]
    layouts = [page for call, page in bench.parser.calls if call == "layout"]
    assert sorted(layouts) == [0, 0, 1, 2, 3, 4, 5], "no page is laid out twice"


def test_a_folder_is_taken_in_with_its_subfolders(bench: Bench, tmp_path: Path):
    write_manual(tmp_path / "site" / "a.pdf", ["a"])
    write_manual(tmp_path / "site" / "boiler" / "B.PDF", ["b"])
    write_manual(tmp_path / "site" / ".trash" / "c.pdf", ["c"])
    (tmp_path / "site" / "notes.txt").write_text("not a manual")

    events = bench.run(tmp_path / "site")

    assert [d.name for d in bench.library.documents()] == ["a.pdf", "B.PDF"]
    assert not [e for e in events if isinstance(e, FileRefused)]


def test_the_copies_of_a_library_below_the_folder_are_not_taken_in(bench: Bench, tmp_path: Path):
    write_manual(tmp_path / "site" / "a.pdf", ["a"])
    write_manual(tmp_path / "site" / "library" / "originals" / "1f2e.pdf", ["its copy"])
    (tmp_path / "site" / "library" / "library.db").touch()
    write_manual(tmp_path / "site" / "originals" / "b.pdf", ["b"])

    bench.run(tmp_path / "site")

    assert [d.name for d in bench.library.documents()] == ["a.pdf", "b.pdf"]


def test_what_is_no_document_is_refused_with_what_is_accepted(bench: Bench, tmp_path: Path):
    text = tmp_path / "notes.dwg"
    text.write_text("hello")
    empty = tmp_path / "empty"
    empty.mkdir()

    events = bench.run(text, tmp_path / "missing.pdf", empty)

    reasons = {e.path.name: e.reason for e in events if isinstance(e, FileRefused)}
    assert set(reasons) == {"notes.dwg", "missing.pdf", "empty"}
    assert "Word (.docx)" in reasons["notes.dwg"]
    assert "does not exist" in reasons["missing.pdf"]
    assert bench.library.documents() == []


def test_the_same_file_under_another_name_is_recognised(bench: Bench, tmp_path: Path):
    first = write_manual(tmp_path / "a.pdf", ["same"])
    second = write_manual(tmp_path / "b.pdf", ["same"])

    events = bench.run(first, second)

    (duplicate,) = [e for e in events if isinstance(e, DuplicateFound)]
    assert duplicate.path == second
    assert duplicate.document.name == "a.pdf"
    assert bench.only_document().state == "ready"


def test_a_damaged_pdf_gets_a_row_that_says_why(bench: Bench, tmp_path: Path):
    damaged = tmp_path / "damaged.pdf"
    damaged.write_bytes(b"%PDF-1.4 garbage")
    other = tmp_path / "word.pdf"
    other.write_bytes(b"PK\x03\x04")
    empty = tmp_path / "zero.pdf"
    empty.write_bytes(b"")

    bench.run(damaged, other, empty)

    states = {d.name: (d.state, d.reason) for d in bench.library.documents()}
    assert states == {
        "damaged.pdf": ("failed", "The file is damaged."),
        "word.pdf": ("failed", "This is not a PDF."),
        "zero.pdf": ("failed", "This is not a PDF."),
    }
    assert not bench.ingestion.has_work()


def test_an_encrypted_pdf_waits_for_its_password(bench: Bench, tmp_path: Path):
    bench.run(write_manual(tmp_path / "secret.pdf", ["Code 4711"], password="open sesame"))
    document = bench.only_document()
    assert document.state == "needs_password"

    bench.ingestion.unlock(document.id, "wrong")
    bench.run()
    assert bench.only_document().state == "needs_password"
    assert bench.only_document().reason == "Wrong password."

    bench.ingestion.unlock(document.id, "open sesame")
    bench.run()
    assert bench.only_document().state == "ready"
    assert bench.library.password(document.id) == "open sesame"
    assert {key for (key,) in bench.rows("SELECT key FROM meta")} <= {
        "unit_vectors_changed",
        "unit_vectors_removed",
        "text_index_changed",
    }
    stored = (bench.folder / "library.db").read_bytes()
    stored += (bench.folder / "library.db-wal").read_bytes()
    assert b"open sesame" not in stored, "a password is never written down by us"


def test_a_page_that_fails_does_not_stop_the_others(bench: Bench, tmp_path: Path):
    bench.parser.fail_page(1, "The page is damaged.")

    events = bench.run(write_manual(tmp_path / "m.pdf", ["one", "two", "three"]))

    failed = [(e.page, e.pass_name, e.reason) for e in events if isinstance(e, PageFailed)]
    assert failed == [(1, "text", "The page is damaged.")]
    document = bench.only_document()
    assert (document.state, document.done, document.failed_pages) == ("ready", (2, 2, 2), 1)
    page = bench.library.pages(document.id)[1]
    assert page.passes == ("failed", "failed", "pending")
    assert page.reason == "The page is damaged."
    assert page.width > 0, "the viewer can still show an empty sheet for it"

    bench.parser.heal()
    bench.ingestion.retry(document.id)
    bench.run()
    assert bench.only_document().done == (3, 3, 3)
    assert bench.only_document().failed_pages == 0
    assert bench.pages_with_term("two") == [1]


def test_a_page_that_stops_the_parser_is_skipped(bench: Bench, tmp_path: Path):
    bench.parser.die_at("text", 1)
    bench.parser.die_at("layout", 2)

    bench.run(write_manual(tmp_path / "m.pdf", ["one", "two", "three", "four"]))

    document = bench.only_document()
    assert (document.state, document.done, document.failed_pages) == ("ready", (3, 2, 2), 2)


def test_a_file_whose_every_page_stops_the_parser_is_given_up_soon(bench: Bench, tmp_path: Path):
    for page in range(50):
        bench.parser.die_at("text", page)

    bench.run(write_manual(tmp_path / "bomb.pdf", ["x"] * 50))

    assert [call for call, _ in bench.parser.calls].count("text") == 3
    assert bench.only_document().failed_pages == 50
    assert bench.only_document().state == "ready"


def test_words_read_by_ocr_replace_the_empty_page(bench: Bench, tmp_path: Path):
    bench.run(write_manual(tmp_path / "scan.pdf", ["text", scanned("Klemme X4 führt 24 V")]))

    document = bench.only_document()
    assert bench.library.page_words(document.id, 1).from_ocr
    assert bench.pages_with_term("x4") == [1]
    assert [p.ocr for p in bench.library.pages(document.id)] == [False, True]


@pytest.mark.parametrize(
    ("margins", "labels"),
    [
        # a thumb index: the number of the chapter
        (["5", "5", "5", "7", "8", "8"], ["1", "2", "3", "4", "5", "6"]),
        # a scale in a drawing on two of the pages
        (["11", "12", "50", "50", "15", "16"], ["11", "12", "3", "4", "15", "16"]),
        # the values of a table on one page, and a chapter of one page
        (["11", "12", "50", "14", "5-1", "6-1"], ["11", "12", "3", "14", "5-1", "6-1"]),
        # chapters that are counted from 1
        (["1", "2", "3", "1", "2", "3"], ["1", "2", "3", "1", "2", "3"]),
    ],
)
def test_a_number_in_the_margin_with_which_no_page_goes_on_is_no_page_number(
    bench, tmp_path, margins, labels
):
    bench.run(write_manual(tmp_path / "a.pdf", [with_margin("x", each) for each in margins]))
    (manual,) = bench.library.documents()
    assert [page.label for page in bench.library.pages(manual.id)] == labels


def test_numbers_printed_in_the_margin_become_labels_when_the_pdf_only_counts(
    bench: Bench, tmp_path: Path
):
    pages = ["cover", with_margin("x", "1"), with_margin("y", "2")]
    counting = write_manual(tmp_path / "a.pdf", pages, labels=["1", "2", "3"])
    labelled = write_manual(tmp_path / "b.pdf", pages, labels=["i", "4-1", "4-2"])

    bench.run(counting, labelled)

    first, second = bench.library.documents()
    assert [p.label for p in bench.library.pages(first.id)] == ["1", "1", "2"]
    assert bench.library.page_of_label(first.id, "1") == 1, "the printed 1, not the cover"
    assert [p.label for p in bench.library.pages(second.id)] == ["i", "4-1", "4-2"]
    assert bench.library.page_of_label(second.id, "I") == 0
    assert bench.library.page_of_label(second.id, "9-9") is None


def test_without_an_embedder_a_manual_is_ready_and_gets_its_vectors_later(
    bench: Bench, tmp_path: Path
):
    bench.embedder = None
    bench.restart()
    bench.run(write_manual(tmp_path / "m.pdf", ["one", "two"]))
    assert bench.only_document().state == "ready"
    assert bench.only_document().done == (2, 2, 0)
    assert "by words only" in bench.only_document().reason
    assert not bench.ingestion.has_work()

    bench.embedder = FakeEmbedder()
    bench.restart()
    assert bench.ingestion.has_work()
    bench.run()
    assert bench.only_document().done == (2, 2, 2)
    assert bench.only_document().state == "ready"
    assert bench.only_document().reason == ""


def test_an_embedder_that_is_not_installed_leaves_a_manual_ready(bench: Bench, tmp_path: Path):
    from desktop.models.errors import ModelNotInstalled

    assert bench.embedder is not None
    bench.embedder.failure = ModelNotInstalled("no model")

    bench.run(write_manual(tmp_path / "m.pdf", ["one"]))

    assert bench.only_document().state == "ready"
    assert bench.only_document().done == (1, 1, 0)
    assert bench.only_document().reason == "Found by words only: no model."
    assert not bench.ingestion.has_work()


def test_vectors_of_another_model_are_made_anew(bench: Bench, tmp_path: Path):
    bench.run(write_manual(tmp_path / "m.pdf", ["one", "two"]))

    bench.embedder = FakeEmbedder("other@2", dimension=128)
    bench.restart()
    assert bench.ingestion.has_work()  # or the window would wait for the next file
    bench.run()

    assert len(bench.embedder.embedded) == 2
    assert bench.rows("SELECT model_id, dimension FROM vector_models") == [("other@2", 128)]
    assert bench.rows("SELECT count(*) FROM unit_vectors") == [(2,)]
    assert bench.only_document().state == "ready"
    assert not bench.ingestion.has_work()
    bench.restart()
    assert not bench.ingestion.has_work()


def test_a_library_that_is_up_to_date_does_not_load_the_text_model(bench: Bench, tmp_path: Path):
    class LoadedForItsDimension(FakeEmbedder):
        @property
        def dimension(self) -> int:
            raise AssertionError("the model was loaded")

    bench.run(write_manual(tmp_path / "m.pdf", ["one", "two"]))

    bench.embedder = LoadedForItsDimension()
    bench.restart()
    assert not bench.ingestion.has_work()
    assert bench.run() == []


def test_vectors_of_another_revision_with_the_same_size_are_made_anew(bench: Bench, tmp_path: Path):
    bench.run(write_manual(tmp_path / "m.pdf", ["one", "two"]))

    bench.embedder = FakeEmbedder("fake-embedder@2")
    bench.restart()
    bench.run()

    assert len(bench.embedder.embedded) == 2


def test_the_change_to_another_text_model_goes_on_after_an_interruption(
    bench: Bench, tmp_path: Path
):
    bench.settings.commit_pages = 1
    bench.run(write_manual(tmp_path / "m.pdf", ["one", "two", "three"]))
    cancel = CancelToken()
    bench.embedder = interrupted = FakeEmbedder("other@2", dimension=128)
    interrupted.before_each = lambda: cancel.cancel() if len(interrupted.embedded) == 2 else None
    bench.restart()
    bench.run(cancel=cancel)
    done_before = bench.only_document().done[2]
    assert 0 < done_before < 3

    bench.embedder = FakeEmbedder("other@2", dimension=128)
    bench.restart()
    assert bench.ingestion.has_work()
    bench.run()

    assert len(bench.embedder.embedded) == 3 - done_before
    assert bench.only_document().done == (3, 3, 3)
    assert bench.rows("SELECT count(*) FROM unit_vectors") == [(3,)]


def test_a_library_whose_text_model_was_removed_keeps_its_vectors(bench: Bench, tmp_path: Path):
    bench.run(write_manual(tmp_path / "m.pdf", ["one"]))

    bench.embedder = None
    bench.restart()

    assert not bench.ingestion.has_work()
    assert bench.rows("SELECT count(*) FROM unit_vectors") == [(1,)]


def test_vectors_are_made_in_steps_a_question_can_wait_for(bench: Bench, tmp_path: Path):
    lines = "\n".join(f"line {n}" for n in range(11))
    bench.run(write_manual(tmp_path / "m.pdf", [lines]))

    assert bench.embedder is not None
    assert bench.embedder.largest_batch <= 4
    assert bench.rows("SELECT count(*) FROM unit_vectors") == [(11,)]


def test_progress_is_reported_up_to_the_last_page(bench: Bench, tmp_path: Path):
    events = bench.run(write_manual(tmp_path / "m.pdf", ["word"] * 120))

    last = {e.pass_name: (e.done, e.total) for e in events if isinstance(e, PassProgress)}
    assert last == {"text": (120, 120), "layout": (120, 120), "vectors": (120, 120)}


def test_a_full_disk_refuses_the_file_and_says_how_much_is_missing(bench: Bench, tmp_path: Path):
    bench.settings.free_space_mib = 1 << 30

    events = bench.run(write_manual(tmp_path / "m.pdf", ["one"]))

    (refused,) = [e for e in events if isinstance(e, FileRefused)]
    assert "Not enough disk space" in refused.reason
    assert list((bench.folder / "originals").iterdir()) == []


def side_by_side(bench: Bench, at_once: Callable[[], int]) -> Ingestion:
    return Ingestion(
        bench.database, bench.library, bench.parser, None, bench.settings, at_once=at_once
    )


def test_pages_are_laid_out_side_by_side_and_stored_in_their_order(bench: Bench, tmp_path: Path):
    together, third = threading.Barrier(3, timeout=30), threading.Event()

    def meet(call: str, page: int) -> None:
        if call == "layout" and page < 3:
            together.wait()  # breaks unless three pages are read at the same time
            third.set() if page == 2 else third.wait(30)

    bench.parser.before_each(meet)
    ingestion = side_by_side(bench, lambda: 3)
    ingestion.enqueue([write_manual(tmp_path / "m.pdf", [f"page {n}" for n in range(40)])])
    list(ingestion.run(CancelToken()))
    assert bench.only_document().done[:2] == (40, 40)
    sql = "SELECT p.page FROM units AS u JOIN pages AS p ON p.id = u.page_id ORDER BY u.id"
    assert [page for (page,) in bench.rows(sql)] == list(range(40))


def test_every_page_goes_on_with_the_end_of_the_one_before(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    went_on: dict[int, bytes] = {}
    read_layout = bench.parser.read_layout

    def read(
        path: Path, page: int, password: str | None, before: Callable[[], bytes]
    ) -> PageLayout:
        layout = read_layout(path, page, password)
        if page == 4:
            ingestion.want([(bench.only_document().id, 20)])
        went_on[page] = before()
        return replace(layout, end=f"{page}".encode())

    monkeypatch.setattr(bench.parser, "read_layout", read)
    ingestion = side_by_side(bench, lambda: 3)
    ingestion.enqueue([write_manual(tmp_path / "m.pdf", [f"page {n}" for n in range(30)])])
    list(ingestion.run(CancelToken()))
    assert went_on == {0: b""} | {page: f"{page - 1}".encode() for page in range(1, 30)}
    assert bench.only_document().done[1] == 30


def test_a_manual_that_two_processes_read_is_the_one_that_a_single_process_reads(tmp_path: Path):
    path = tmp_path / "wiring.pdf"
    with pymupdf.open() as document:
        for number in range(8):
            page = document.new_page()
            if not number:
                page.insert_text((60, 90), "3 Wiring of the station", fontsize=18)
            for line in range(3):
                page.insert_text((60, 130 + 40 * line), f"Relay K{number}{line} is wired here.")
        document.set_metadata({"title": "Pump station P40"})
        document.save(path)
    alone, together = read_by(1, path, tmp_path / "1"), read_by(2, path, tmp_path / "2")
    assert together == alone
    contexts = {context for _, text, context in alone if text.startswith("Relay")}
    assert len(contexts) == 1
    assert contexts.pop().endswith("Wiring of the station")


def read_by(processes: int, path: Path, folder: Path) -> list[tuple[Any, ...]]:
    """Return page, text and context of all units, in their order."""
    parser = ParserProcess(ParserSettings(ocr=False, layout_model=False))
    sql = "SELECT page, text, context FROM units ORDER BY id"
    with Database.open(folder) as database:
        library = Library(database, folder)
        ingestion = Ingestion(
            database, library, parser, None, IngestionSettings(), at_once=lambda: processes
        )
        ingestion.enqueue([path])
        list(ingestion.run(CancelToken()))
        parser.close()
        return database.read(lambda c: c.execute(sql).fetchall())


def test_while_a_question_is_answered_one_page_at_a_time_is_laid_out(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    reading, most, lock = [0], [0], threading.Lock()
    read_layout = bench.parser.read_layout

    def counted(
        path: Path, page: int, password: str | None, before: Callable[[], bytes]
    ) -> PageLayout:
        with lock:
            reading[0] += 1
            most[0] = max(most[0], reading[0])
        try:
            return read_layout(path, page, password, before)
        finally:
            with lock:
                reading[0] -= 1

    monkeypatch.setattr(bench.parser, "read_layout", counted)
    ingestion = side_by_side(bench, lambda: 1)
    ingestion.enqueue([write_manual(tmp_path / "m.pdf", [f"page {n}" for n in range(30)])])
    list(ingestion.run(CancelToken()))
    assert most == [1]


def test_pages_that_were_begun_when_it_is_cancelled_are_kept(bench: Bench, tmp_path: Path):
    cancel, begun = CancelToken(), threading.Barrier(3, timeout=30)

    def stop(call: str, page: int) -> None:
        if call == "layout" and page < 3:
            begun.wait()
            cancel.cancel()

    bench.parser.before_each(stop)
    ingestion = side_by_side(bench, lambda: 3)
    ingestion.enqueue([write_manual(tmp_path / "m.pdf", [f"page {n}" for n in range(40)])])
    list(ingestion.run(cancel))
    assert bench.only_document().done[1] == 3
