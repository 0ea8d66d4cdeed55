"""What a process that ends in the middle of ingestion leaves behind."""

from __future__ import annotations

import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from desktop.core.store.database import Database
from desktop.core.store.postings import read_lengths
from tests.core.library.conftest import Bench
from tests.fakes.parser import write_manual

if TYPE_CHECKING:
    import apsw

pytestmark = pytest.mark.slow

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

    # vectors are made beside the layout
    for pass_name, at_least in (("text", 1), ("layout", 1), ("layout", 200)):
        _ingest_and_kill(folder, manual, pass_name, at_least, reported)
        with Database.open(folder) as database:
            assert database.check() == []
            (document,) = Bench(folder, database).library.documents()
            assert document.done[0] >= reported["text"]
            assert document.done[1] >= reported["layout"]
            assert document.done[2] >= reported["vectors"]

    with Database.open(folder) as database:
        bench = Bench(folder, database)
        before = bench.only_document().done
        assert 0 < before[2] < 300, "the last kill came too late to show anything"
        bench.run()
        document = bench.only_document()
        assert (document.state, document.done) == ("ready", (300, 300, 300))
        layouts = [call for call in bench.parser.calls if call[0] == "layout"]
        assert len(layouts) <= 301 - before[1], "what was missing, and the page it goes on from"
        assert bench.rows("SELECT count(*) FROM unit_vectors") == [(300,)]
        assert bench.database.read(lambda c: read_lengths(c, "page")).count == 300
        assert database.check() == []


def _ingest_and_kill(
    folder: Path, manual: Path, pass_name: str, at_least: int, reported: dict[str, int]
) -> None:
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
            if name == pass_name and at_least <= int(done) < 300:
                process.send_signal(signal.SIGKILL)
                break
        for line in process.stdout:  # what it still got to say before it died
            name, done = line.split()
            reported[name] = int(done)
    assert process.returncode == -signal.SIGKILL


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
