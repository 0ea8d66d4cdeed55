"""Backups that the program makes by itself, and the disk on which a library lies."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from desktop.core.errors import BackupUnusable, DiskFull
from desktop.core.paths import LibraryFolder, file_system, network_warning
from desktop.core.settings.sections import BackupSettings
from desktop.core.store.backups import MANIFEST, backups_of, prune_backups
from desktop.core.store.database import Database
from desktop.core.upkeep.backups import (
    LibraryCare,
    backup_is_due,
    check_backup,
    newest_usable,
    restore,
)

DAY = timedelta(hours=24)
SECONDS = 20.0


def _wait_for_backup(folder: Path) -> None:
    deadline = time.monotonic() + SECONDS
    while not backups_of(folder) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert backups_of(folder)


def test_a_library_that_stays_open_is_backed_up_once_a_day(library: Path):
    with Database.open(library) as database:
        care = LibraryCare(database, BackupSettings(), first_look_seconds=0)
        _wait_for_backup(library)
        care.close()
        care.look()
    assert [backup.reason for backup in backups_of(library)] == ["daily"]
    check_backup(backups_of(library)[0].folder)


def test_an_empty_library_is_not_backed_up(tmp_path: Path):
    with Database.open(tmp_path / "new") as database:
        care = LibraryCare(database, BackupSettings())
        care.close()
        care.look()
    assert backups_of(tmp_path / "new") == []


def test_old_backups_go_and_those_made_by_hand_stay(library: Path):
    with Database.open(library) as database:
        for reason in ("by-hand", "daily", "daily", "before-update", "daily"):
            database.keep_backup(reason)
    prune_backups(library, kept=2)
    kept = [(backup.number, backup.reason) for backup in backups_of(library)]
    assert kept == [(5, "daily"), (4, "before-update"), (3, "daily"), (1, "by-hand")]


@pytest.mark.parametrize(
    ("age", "due"),
    [(timedelta(hours=1), False), (timedelta(hours=25), True), (timedelta(days=-400), True)],
)
def test_a_clock_that_jumps_neither_stops_backups_nor_makes_old_ones_look_new(
    library: Path, age: timedelta, due: bool
):
    with Database.open(library) as database:
        first = database.keep_backup("daily")
        manifest = json.loads((first.folder / MANIFEST).read_text())
        manifest["made_at"] = (datetime.now(UTC) - age).isoformat()
        (first.folder / MANIFEST).write_text(json.dumps(manifest))
        assert backup_is_due(library, DAY, datetime.now(UTC)) is due
        second = database.keep_backup("daily")
    assert backups_of(library)[0].name == second.name


def test_a_full_disk_leaves_no_half_backup(library: Path, monkeypatch):
    monkeypatch.setattr(
        "desktop.core.store.backups.shutil.disk_usage",
        lambda _: type("Usage", (), {"free": 1000})(),
    )
    with Database.open(library) as database, pytest.raises(DiskFull) as caught:
        database.keep_backup("daily")
    assert caught.value.needed_bytes > 0
    assert list(LibraryFolder(library).backups.iterdir()) == []


def test_a_backup_that_was_changed_is_not_restored_and_an_older_one_is_found(library: Path):
    with Database.open(library) as database:
        good = database.keep_backup("daily")
        bad = database.keep_backup("daily")
    with (bad.folder / "library.db").open("r+b") as file:
        file.seek(50_000)
        file.write(b"noise")
    before = LibraryFolder(library).database.read_bytes()
    with pytest.raises(BackupUnusable):
        restore(library, bad.folder)
    assert LibraryFolder(library).database.read_bytes() == before
    found = newest_usable(library)
    assert found is not None
    assert found.name == good.name


def test_notes_are_backed_up_and_restored_with_the_library(library: Path):
    from desktop.core.notes.desk import connect_notes
    from knowledge.services.sqlite import KnowledgeDatabase

    path = LibraryFolder(library).knowledge
    KnowledgeDatabase(lambda: connect_notes(path)).close()
    with Database.open(library) as database:
        backup = database.keep_backup("by-hand")
    path.write_bytes(b"damaged")
    aside = restore(library, backup.folder)
    assert path.read_bytes().startswith(b"SQLite format 3")
    assert (aside / "knowledge.db").read_bytes() == b"damaged"


MOUNTS = {
    "/": "ext4",
    "/mnt/plant share": "cifs",
    "/mnt/plant share/local": "ext4",
    "/home/a": "fuse.sshfs",
    "/Volumes/share": "smbfs",
}


@pytest.mark.parametrize(
    ("folder", "kind", "warned"),
    [
        ("/srv/library", "ext4", False),
        ("/mnt/plant share/library", "cifs", True),
        ("/mnt/plant share/local/library", "ext4", False),
        ("/mnt/plant shareholders/library", "ext4", False),
        ("/home/a/library", "fuse.sshfs", True),
        ("/Volumes/share/library", "smbfs", True),
    ],
)
def test_a_network_share_is_told_by_its_file_system(
    folder: str, kind: str, warned: bool, monkeypatch
):
    mounted = [SimpleNamespace(mountpoint=place, fstype=each) for place, each in MOUNTS.items()]
    monkeypatch.setattr("psutil.disk_partitions", lambda all: mounted)
    assert file_system(Path(folder)) == kind
    assert (f"({kind})" in network_warning(Path(folder))) is warned


def test_this_machine_tells_the_file_system_of_a_folder(tmp_path: Path):
    assert file_system(tmp_path) != ""
