"""Building packs: what is built, skipped, set aside, and what a kill leaves."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from functools import partial

import apsw
import pytest

from desktop.core.errors import ManualPackRefused, NotALibrary, UnreadablePdf
from desktop.core.jobs import Cancelled, CancelToken
from desktop.core.library.ingestion import Ingestion
from desktop.core.library.library import Library
from desktop.core.manual_packs.building import (
    PackTools,
    Quarantined,
    build_pack,
    build_shard,
    prune,
    read_quarantine,
)
from desktop.core.manual_packs.manifest import PackFolder, ShardEntry
from desktop.core.manual_packs.shard import CARRIED
from desktop.core.parsing.process import ParserProcess
from desktop.core.settings.sections import ParserSettings, Settings
from desktop.core.store.database import Database
from desktop.models.errors import ModelError
from tests.core.manual_packs.conftest import Company
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.manuals import SCAN, TERMINALS, excerpt
from tests.fakes.page_embedder import FakePageEmbedder

PASSING = {"documents": ("added_at", "priority", "used_at")}
"""What differs from one library to the next; everything else is compared byte for byte."""


def _shards(pack):
    return {path.name: path.read_bytes() for path in (pack.root / "shards").iterdir()}


def _rows(connection, table, without=()):
    names = [
        name for (name,) in connection.execute(f"SELECT name FROM pragma_table_info('{table}')")
    ]
    shown = ", ".join(name for name in names if name not in without)
    return connection.execute(f"SELECT {shown} FROM {table} ORDER BY 1, 2").fetchall()


@pytest.mark.slow
def test_a_shard_holds_what_the_application_itself_reads_of_the_same_file(tmp_path):
    sample = excerpt(tmp_path / "sample.pdf", 0, 1, TERMINALS, SCAN)
    settings = Settings(parser=ParserSettings(page_seconds=600, document_seconds=600))
    pages = FakePageEmbedder()
    with closing(ParserProcess(settings.parser)) as parser:
        tools = PackTools(parser, FakeEmbedder(), pages, settings)
        entry = build_shard(sample, PackFolder(tmp_path / "pack"), tools, CancelToken())
        with Database.open(tmp_path / "library") as database:
            library = Library(database, tmp_path / "library")
            ingestion = Ingestion(
                database,
                library,
                parser,
                FakeEmbedder(),
                settings.ingestion,
                page_embedder=lambda: pages,
            )
            ingestion.enqueue([sample])
            list(ingestion.run(CancelToken()))
            shard = apsw.Connection(str(PackFolder(tmp_path / "pack").shard(entry.key)))
            for table in CARRIED:
                without = PASSING.get(table, ())
                read = database.read(partial(_rows, table=table, without=without))
                assert _rows(shard, table, without) == read, table
                assert read, table
            vectors = "SELECT unit_id, vector FROM unit_vectors ORDER BY 1"
            assert shard.execute(vectors).fetchall() == database.read(
                lambda c: c.execute(vectors).fetchall()
            )
            shard.close()


def test_the_same_file_gives_the_same_bytes(company, tmp_path):
    company.build()
    company.build(pack=PackFolder(tmp_path / "again"))
    assert _shards(company.pack) == _shards(PackFolder(tmp_path / "again"))
    assert len(_shards(company.pack)) == 4


def test_a_shard_is_no_library(company, tmp_path):
    company.build()
    entry = company.manifest().shards[0]
    (tmp_path / "library").mkdir()
    company.pack.shard(entry.key).rename(tmp_path / "library" / "library.db")
    with pytest.raises(NotALibrary):
        Database.open(tmp_path / "library")


def test_whole_shards_are_skipped_and_damaged_ones_built_again(company):
    assert [event.built for event in company.build()] == [True, True]
    calls = len(company.parser.calls)
    assert [event.built for event in company.build()] == [False, False]
    assert len(company.parser.calls) == calls
    before = _shards(company.pack)
    damaged = company.pack.shard(company.manifest().shards[0].key)
    damaged.write_bytes(damaged.read_bytes()[:-100])
    company.build()
    assert _shards(company.pack) == before


def test_a_release_counts_up_only_when_something_changed(company):
    first = company.release()
    assert (first.release, first.manuals, first.pages, first.name) == (1, 2, 5, "Plant")
    company.build()
    assert company.manifest() == first
    assert company.pack.signature.exists()
    company.write("valve.pdf", ["The valve."])
    company.build()
    assert (company.manifest().release, company.manifest().id) == (2, first.id)
    assert not company.pack.signature.exists()  # it was of the other release
    company.build(expires_at=datetime(2030, 1, 1, tzinfo=UTC))
    assert company.manifest().release == 3


def test_the_same_file_twice_is_one_manual_and_editions_are_linked(company):
    (company.manuals / "copy").mkdir()
    shutil.copy(company.manuals / "pump.pdf", company.manuals / "copy" / "pump.pdf")
    for name, edition in (("a.pdf", "Edition 2, 2024-01"), ("b.pdf", "Edition 3, 2026-03")):
        title = f"HX-200 Operator manual, {edition}"
        company.write(name, [f"HX-200 Operator manual\n{edition}"], title=title)
    company.build()
    manifest = company.manifest()
    assert manifest.manuals == 4
    by_hash = {entry.manual: entry.name for entry in manifest.shards}
    links = {by_hash[old]: by_hash[new] for old, new in manifest.editions.items()}
    assert links == {"a.pdf": "b.pdf"}


def test_files_that_cannot_be_read_are_set_aside_with_the_reason(company):
    (company.manuals / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    (company.manuals / "text.pdf").write_bytes(b"no pdf")
    company.write("locked.pdf", ["Secret."], password="sesame")
    company.build()
    listed = json.loads(company.pack.quarantine.read_text())["files"]
    reasons = {each["path"].rsplit("/", 1)[-1]: each["reason"] for each in listed}
    assert reasons == {
        "broken.pdf": "The file is damaged.",
        "locked.pdf": "Protected by a password.",
        "text.pdf": "This is not a PDF.",
    }
    assert company.manifest().manuals == 2
    assert not company.pack.work.exists()


def test_a_reason_names_the_file_and_not_its_passing_copy(company, monkeypatch):
    def fail(path, password=None):
        raise UnreadablePdf(f"Failed to open file '{path}'")

    monkeypatch.setattr(company.parser, "open", fail)
    company.build()
    reasons = {each.reason for each in read_quarantine(company.pack)}
    assert reasons == {"Failed to open file 'pump.pdf'.", "Failed to open file 'mixer.pdf'."}


def test_what_was_set_aside_is_left_alone_until_that_is_asked_for(company):
    company.parser.die_at("open", 0)
    assert all(isinstance(each.result, Quarantined) for each in company.build())
    company.parser.heal()
    calls = len(company.parser.calls)
    assert [each.built for each in company.build()] == [False, False]
    assert len(company.parser.calls) == calls
    company.build(retry=True)
    assert read_quarantine(company.pack) == ()
    assert company.manifest().manuals == 2


def test_pages_that_could_not_be_read_are_tried_again_when_that_is_asked_for(company):
    company.parser.die_at("layout", 1)
    company.build()
    assert [entry.failed_pages for entry in company.manifest().shards] == [1, 1]
    company.parser.heal()
    company.build()
    assert [entry.failed_pages for entry in company.manifest().shards] == [1, 1]
    company.build(retry=True)
    assert [entry.failed_pages for entry in company.manifest().shards] == [0, 0]
    assert company.manifest().release == 2


def test_a_model_that_gives_up_stops_the_build_and_is_no_fault_of_the_file(company):
    company.embedder.failure = ModelError("The text model has no memory.")
    with pytest.raises(ManualPackRefused, match=r"text model has no memory.*continues from here"):
        company.build()
    assert read_quarantine(company.pack) == ()
    company.embedder.failure = None
    texts = [call for call in company.parser.calls if call[0] == "text"]
    company.build()
    assert [call for call in company.parser.calls if call[0] == "text"][: len(texts)] == texts
    assert company.manifest().manuals == 2


def test_folders_without_manuals_do_not_empty_a_pack(company, tmp_path):
    first = company.release()
    (tmp_path / "unplugged").mkdir()
    with pytest.raises(ManualPackRefused, match="stays as it is"):
        company.build(sources=[tmp_path / "unplugged"])
    assert company.manifest() == first


def test_a_build_that_is_cancelled_goes_on_in_the_middle_of_a_manual(company):
    cancel = CancelToken()

    def stop(call, page):
        if (call, page) == ("layout", 1):
            cancel.cancel()

    company.parser.before_each(stop)
    with pytest.raises(Cancelled):
        company.build(cancel=cancel)
    company.parser.before_each(lambda *_: None)
    company.parser.calls.clear()
    company.build()
    assert [page for call, page in company.parser.calls if call == "text"].count(0) == 1
    assert company.manifest().manuals == 2


def test_manuals_may_be_read_elsewhere_and_what_lies_there_stays(company, tmp_path):
    scratch = tmp_path / "scratch"
    (scratch / "precious").mkdir(parents=True)
    company.build(pack=PackFolder(tmp_path / "here"))
    company.build(pack=PackFolder(tmp_path / "there", scratch))
    assert _shards(PackFolder(tmp_path / "there")) == _shards(PackFolder(tmp_path / "here"))
    assert [path.name for path in scratch.iterdir()] == ["precious"]
    assert not (tmp_path / "there" / "work").exists()


def test_two_builds_do_not_write_one_pack_at_once(company):
    running = build_pack(
        [company.manuals], company.pack, company.tools, CancelToken(), name="", expires_at=None
    )
    next(running)
    with pytest.raises(ManualPackRefused, match="Another build is writing"):
        company.build()
    assert len(list(running)) == 1
    company.build()


def test_files_of_manuals_that_left_are_deleted_when_that_is_asked_for(company):
    company.build()
    (company.manuals / "pump.pdf").unlink()
    company.build()
    assert len(_shards(company.pack)) == 4  # an unplugged disk costs no week of reading
    assert prune(company.pack) == 3
    assert len(_shards(company.pack)) == 2
    assert [event.built for event in company.build()] == [False]


def _build_and_die(company, where):
    code = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from desktop.core.jobs import CancelToken\n"
        "from desktop.core.manual_packs import building\n"
        "from desktop.core.settings.sections import Settings\n"
        "from tests.fakes.embedder import FakeEmbedder\n"
        "from tests.fakes.parser import FakeParser\n"
        "where, root = sys.argv[1], Path(sys.argv[2])\n"
        "die = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "parser = FakeParser()\n"
        "if where == 'reading':\n"
        "    parser.before_each(lambda call, page: (call, page) == ('layout', 1) and die())\n"
        "else:\n"
        "    setattr(building, where, die)\n"
        "tools = building.PackTools(parser, FakeEmbedder(), None, Settings())\n"
        "list(building.build_pack([root / 'manuals'], building.PackFolder(root / 'pack'), tools,\n"
        "     CancelToken(), name='Plant', expires_at=None))\n"
    )
    done = subprocess.run([sys.executable, "-c", code, where, str(company.root)], check=False)
    assert done.returncode == -signal.SIGKILL


@pytest.mark.slow
@pytest.mark.parametrize(
    "where", ["reading", "make_shard", "hash_of", "put_in_place", "write_whole"]
)
def test_a_kill_anywhere_loses_nothing_and_leaves_nothing_half(company, tmp_path, where):
    company.build(pack=PackFolder(tmp_path / "undisturbed"))
    _build_and_die(company, where)
    for entry in (company.pack.root / "shards").glob("*.json"):
        assert company.pack.shard(entry.stem).exists()
    company.build()
    assert _shards(company.pack) == _shards(PackFolder(tmp_path / "undisturbed"))
    assert read_quarantine(company.pack) == ()
    assert company.manifest().manuals == 2


@pytest.mark.slow
def test_a_file_that_ends_the_process_twice_is_set_aside(company):
    _build_and_die(company, "reading")
    _build_and_die(company, "reading")
    company.parser.before_each(lambda *_: None)
    company.build()
    (failed,) = read_quarantine(company.pack)
    assert "stopped 2 times while reading this file" in failed.reason
    assert company.manifest().manuals == 1


def test_the_company_can_be_made_of_the_same_parts_elsewhere(tmp_path):
    """A worker of a cluster gets a file, a folder and its tools, and nothing else."""
    company = Company(tmp_path / "company")
    path = company.write("pump.pdf", ["Close the valve."], title="Pump")
    entry = build_shard(path, company.pack, company.tools, CancelToken())
    assert isinstance(entry, ShardEntry)
    assert (entry.title, entry.pages) == ("Pump", 1)
    assert build_shard(path, company.pack, company.tools, CancelToken()) == entry
    events = list(
        build_pack([path], company.pack, company.tools, CancelToken(), name="", expires_at=None)
    )
    assert [event.built for event in events] == [False]
