"""Disks that are full, write-protected, pulled out, or not there: said by name, nothing lost."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import apsw
import pytest

from desktop.core.conversations.store import Conversations
from desktop.core.errors import DiskFull, DiskLost, LibraryNotWritable
from desktop.core.jobs import CancelToken
from desktop.core.problems import explain
from desktop.core.store.backups import backups_of
from desktop.core.store.database import Database
from desktop.core.upkeep.carrier import export_library
from tests.fakes.parser import write_manual
from tests.faults.kills import ROOT
from tests.faults.victim import make_ingestion

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MEBIBYTE = 1 << 20


@contextmanager
def _small_disk(place: Path, mebibytes: int) -> Iterator[Path]:
    """A disk of its own; only root on Linux can make one."""
    place.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m", "tmpfs", str(place)],
        capture_output=True,
        check=False,
    )
    if made.returncode:
        pytest.skip("this user cannot mount a small disk")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_disk_that_fills_up_during_ingestion_ends_it_by_name_and_it_goes_on_later(tmp_path):
    texts = [f"page {n} " + f"torque {n} " * 400 for n in range(80)]
    manual = write_manual(tmp_path / "m.pdf", texts)
    with _small_disk(tmp_path / "disk", 4) as disk:
        ballast = disk / "ballast"
        with Database.open(disk / "library") as database:
            ingestion = make_ingestion(database, disk / "library")
            ballast.write_bytes(bytes(disk_free(disk) - MEBIBYTE))
            ingestion.enqueue([manual])
            with pytest.raises(DiskFull):
                list(ingestion.run(CancelToken()))
            done = database.read(lambda c: c.execute("SELECT sum(text_done) FROM documents").get)
        ballast.unlink()
        subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
        with Database.open(disk / "library") as database:
            assert database.check() == []
            ingestion = make_ingestion(database, disk / "library")
            ingestion.enqueue([manual])
            list(ingestion.run(CancelToken()))
            rows = database.read(
                lambda c: c.execute("SELECT state, text_done FROM documents").fetchall()
            )
    assert rows == [("ready", 80)]
    assert (done or 0) < 80, "the disk was not full"


def disk_free(disk: Path) -> int:
    status = os.statvfs(disk)
    return status.f_bavail * status.f_frsize


def test_a_full_disk_refuses_a_backup_and_an_export_and_leaves_neither(tmp_path):
    with _small_disk(tmp_path / "disk", 6) as disk, Database.open(disk / "library") as database:
        conversations = Conversations(database)
        conversation = conversations.create("Pump")
        conversations.add_turn(conversation, "question " * 50_000, [])
        with pytest.raises(DiskFull):
            database.keep_backup("daily")
        with pytest.raises(DiskFull):
            export_library(disk / "library", disk / "a.groundwork", CancelToken())
        assert backups_of(disk / "library") == []
        assert sorted(p.name for p in disk.iterdir()) == ["library"]
        assert len(conversations.turns(conversation)) == 1


LIMITED = """
import resource, signal, sys
from pathlib import Path
from desktop.core.conversations.store import Conversations
from desktop.core.problems import explain
from desktop.core.store.database import Database
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with Database.open(Path(sys.argv[1])) as database:
    conversations = Conversations(database)
    conversation = conversations.create("Pump")
    resource.setrlimit(resource.RLIMIT_FSIZE, (5 << 20, 5 << 20))
    number = 0
    try:
        while number < 200:
            conversations.add_turn(conversation, f"question {number} " * 20_000, [])
            number += 1
            print(number, flush=True)
    except Exception as error:
        print(type(error).__name__, explain(error).title)
"""


def test_a_file_system_that_takes_no_longer_files_ends_work_by_name(tmp_path):
    """As FAT32 and quotas do."""
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(tmp_path / "library")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    *stored, ending = done.stdout.splitlines()
    assert ending.startswith(("DiskFull", "DiskLost")), done.stdout + done.stderr
    with Database.open(tmp_path / "library") as database:
        assert database.check() == []
        (conversation,) = Conversations(database).list()
        assert len(Conversations(database).turns(conversation.id)) >= len(stored) > 0


class _PulledOut(apsw.VFS):
    """The file system of a disk that a person pulls out: `gone` makes every access fail."""

    def __init__(self) -> None:
        self.gone = False
        self.base = apsw.vfs_names()[0]
        super().__init__("pulled-out", self.base, makedefault=True)

    def xOpen(self, name, flags):  # noqa: N802 - apsw's name
        if self.gone:
            raise apsw.CantOpenError("gone")
        return _PulledOutFile(self, name, flags)


class _PulledOutFile(apsw.VFSFile):
    def __init__(self, disk: _PulledOut, name, flags) -> None:
        self._disk = disk
        super().__init__(disk.base, name, flags)

    def _touch(self) -> None:
        if self._disk.gone:
            raise apsw.IOError("Input/output error")

    def xRead(self, amount, offset):  # noqa: N802
        self._touch()
        return super().xRead(amount, offset)

    def xWrite(self, data, offset):  # noqa: N802
        self._touch()
        return super().xWrite(data, offset)

    def xSync(self, flags):  # noqa: N802
        self._touch()
        return super().xSync(flags)


@pytest.fixture
def pulled_out() -> Iterator[_PulledOut]:
    disk = _PulledOut()
    yield disk
    disk.unregister()


def test_a_disk_that_is_pulled_out_is_named_and_all_is_there_when_it_is_back(tmp_path, pulled_out):
    folder = tmp_path / "library"
    database = Database.open(folder)
    conversations = Conversations(database)
    conversation = conversations.create("Pump")
    for number in range(8):
        conversations.add_turn(conversation, f"question {number}", [])
    pulled_out.gone = True
    for number in range(3):
        with pytest.raises((DiskLost, LibraryNotWritable)) as caught:
            conversations.add_turn(conversation, f"lost {number}", [])
        assert explain(caught.value).retry
    pulled_out.gone = False
    database.close()
    with Database.open(folder) as again:
        assert again.check() == []
        assert len(Conversations(again).turns(conversation)) == 8


def test_a_folder_that_went_away_is_named(tmp_path):
    folder = tmp_path / "library"
    Database.open(folder).close()
    folder.rename(tmp_path / "elsewhere")
    (tmp_path / "library").write_text("a file where the folder was")
    with pytest.raises(LibraryNotWritable):
        Database.open(folder)


def test_a_write_protected_folder_refuses_a_backup_by_name(tmp_path):
    with _small_disk(tmp_path / "disk", 8) as disk:
        with Database.open(disk / "library") as database:
            Conversations(database).create("Pump")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        with pytest.raises(LibraryNotWritable):
            Database.open(disk / "library")
        with Database.open(disk / "library", read_only=True) as database:
            assert [each.title for each in Conversations(database).list()] == ["Pump"]
            with pytest.raises(OSError, match="Read-only") as caught:
                database.keep_backup("by-hand")
        assert explain(caught.value).advice


def test_a_clock_that_jumps_back_ten_years_changes_no_order(tmp_path, monkeypatch):
    times = iter(["2026-05-01T10:00:00+00:00", "2016-01-01T00:00:00+00:00"] * 20)
    monkeypatch.setattr("desktop.core.conversations.store._now", lambda: next(times))
    with Database.open(tmp_path / "library") as database:
        conversations = Conversations(database)
        conversation = conversations.create("Pump")
        for number in range(4):
            conversations.add_turn(conversation, f"question {number}", [])
        prompts = [turn.prompt for turn in conversations.turns(conversation)]
    assert prompts == [f"question {number}" for number in range(4)]
