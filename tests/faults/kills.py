"""Kills a process at a random moment and compares what is left with what it had reported."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import desktop
from desktop.core.conversations.store import Conversations
from desktop.core.errors import LibraryDamaged
from desktop.core.jobs import CancelToken
from desktop.core.library.library import Library
from desktop.core.notes.desk import open_notes
from desktop.core.paths import LibraryFolder
from desktop.core.store.backups import backups_of
from desktop.core.store.check import find_problems
from desktop.core.store.connection import connect_writer
from desktop.core.store.database import Database
from desktop.core.store.schema import FIRST_SCHEMA, migrate
from desktop.core.upkeep.backups import check_backup
from desktop.core.upkeep.repair import mend, misfits
from desktop.models.catalogue import Catalogue
from desktop.models.packs.model_folder import ModelFolder
from desktop.models.packs.operations import import_pack, verify
from desktop.models.packs.pack_events import PackVerified
from tests.fakes.model_files import model_files, shard, write_model
from tests.fakes.parser import write_manual
from tests.faults.victim import KINDS, NEW_TABLES, PIECES_A_FILE, STEPS, make_ingestion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(desktop.__file__).resolve().parents[1]
MANUALS, PAGES, TURNS = 2, 60, 20
PASSES = ("text", "layout", "vectors")
HUNG_SECONDS = 180.0
REPORTS = (3, 8)
"""Every other time, so much is awaited before the moment of the kill: a busy machine is slow."""

LONGEST_SECONDS = {"ingest": 1.2, "migration": 0.15}
"""How long a process of a kind lives at most, after its start or after what was awaited."""


@dataclass(frozen=True, slots=True)
class Kill:
    """One attempt. reported: how many things were said to be done before it."""

    kind: str
    seconds: float
    reported: int


def kill_once(kind: str, place: Path, chance: random.Random, awaited: int = 0) -> Kill:
    """Start a process of a kind in an empty folder, kill it, and check what it leaves.

    awaited: how many things it has reported before the random time begins.

    Raises: AssertionError, if anything that it reported is lost or what is left is not sound.
    """
    place.mkdir(parents=True)
    folder = place / "library"
    _prepare(kind, folder)
    seconds = chance.uniform(0, LONGEST_SECONDS.get(kind, 0.6))
    reported = _run_and_kill(kind, folder, seconds, awaited)
    CHECKS[kind](folder, reported)
    shutil.rmtree(place)
    return Kill(kind, seconds, len(reported))


def kills(count: int, place: Path, seed: int) -> Iterator[Kill]:
    """Kill so many processes, one kind after the other, every other round in full work."""
    chance = random.Random(seed)
    for number in range(count):
        kind = list(KINDS)[number % len(KINDS)]
        at_work = number // len(KINDS) % 2 and kind != "migration"  # which reports its end alone
        awaited = chance.randint(*REPORTS) if at_work else 0
        yield kill_once(kind, place / f"{number}-{kind}", chance, awaited)


def _run_and_kill(kind: str, folder: Path, seconds: float, awaited: int) -> list[str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.victim", kind, str(folder)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    guard = threading.Timer(HUNG_SECONDS, process.kill)
    guard.start()
    try:
        ready = process.stdout.readline()
        said = "".join(process.stdout.readline() for _ in range(awaited))
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        lines = (said + process.stdout.read()).splitlines()
        complaint = process.stderr.read()
        process.wait()
    finally:
        guard.cancel()
        process.stdout.close()
        process.stderr.close()
    assert ready == "ready\n", complaint
    assert not complaint, complaint
    return lines


def _prepare(kind: str, folder: Path) -> None:
    if kind == "ingest":
        for number in range(MANUALS):
            texts = [f"manual {number} page {page} torque" for page in range(PAGES)]
            write_manual(folder.parent / "manuals" / f"m{number}.pdf", texts)
    if kind == "model":
        large = {"model-00001-of-00002.safetensors": shard("a", 2_000_000)}
        write_model(folder.parent / "stick", model_files() | large)
    if kind == "migration":
        _make_old(folder)
    if kind == "restoring":
        _fill(folder)
        with Database.open(folder) as database:
            database.keep_backup("by-hand")
    if kind == "backup":
        _fill(folder)


def _fill(folder: Path) -> None:
    with Database.open(folder) as database:
        conversations = Conversations(database)
        conversation = conversations.create("Pump")
        for number in range(TURNS):
            conversations.add_turn(conversation, f"question {number}", [])


def _make_old(folder: Path) -> None:
    rows = [(f"key {number}", "x" * 5_000) for number in range(400)]
    with Database.open(folder) as database:
        database.write(lambda c: c.executemany("INSERT INTO meta VALUES(?, ?)", rows).fetchall())


def _check_ingest(folder: Path, reported: list[str]) -> None:
    highest: Counter[tuple[int, str]] = Counter()
    for line in reported:
        if line != "over":
            id_, name, count = line.split()
            highest[int(id_), name] = max(highest[int(id_), name], int(count))
    with Database.open(folder) as database:
        library = Library(database, folder)
        assert database.check(deep=True) == []
        for (document, name), done in highest.items():
            assert library.document(document).done[PASSES.index(name)] >= done
        assert not any(misfits(path) for path in LibraryFolder(folder).originals.glob("*.pdf"))
        ingestion = make_ingestion(database, folder)
        ingestion.enqueue(sorted((folder.parent / "manuals").glob("*.pdf")))
        list(ingestion.run(CancelToken()))
        assert [d.done for d in library.documents()] == [(PAGES,) * 3] * MANUALS
        assert {d.state for d in library.documents()} == {"ready"}
        assert database.check(deep=True) == []


def _check_ask(folder: Path, reported: list[str]) -> None:
    with Database.open(folder) as database:
        assert database.check() == []
        conversations = Conversations(database)
        kept = [t for c in conversations.list() for t in conversations.turns(c.id)]
    prompts = [turn.prompt for turn in kept]
    assert prompts[: len(reported)] == [f"question {number}" for number in reported]
    assert all(turn.answer for turn in kept[: len(reported)])


def _check_notes(folder: Path, reported: list[str]) -> None:
    with Database.open(folder) as database:
        assert database.check() == []
    with open_notes(LibraryFolder(folder).knowledge, None) as base:
        for number in range(len(reported) + 1):
            found = [base.piece_store.get(f"p{number}-{n}") for n in range(PIECES_A_FILE)]
            there = sum(piece is not None for piece in found)
            assert there in (0, PIECES_A_FILE), "half of a file was loaded"
            assert there or number == len(reported), "a file that was loaded is lost"


def _check_model(folder: Path, reported: list[str]) -> None:
    models = ModelFolder(folder / "models")
    models.sweep()
    assert models.problems() == {}
    installed = {each.id for each in models.installed()}
    assert installed >= set(reported)
    for name in installed:
        (end,) = [e for e in verify(name, models) if isinstance(e, PackVerified)]
        assert not end.damage, end
    assert not [p for p in models.root.glob(".*") if p.name != ".lock"]
    list(import_pack(folder.parent / "stick", models, Catalogue.load(), model_id="afterwards"))
    assert models.find("afterwards") is not None


def _check_migration(folder: Path, reported: list[str]) -> None:
    path = LibraryFolder(folder).database
    connection = connect_writer(path)
    migrate(connection, path, STEPS)
    newest = FIRST_SCHEMA + len(STEPS)
    assert connection.pragma("user_version") == newest
    assert find_problems(connection) == []
    for table in ("meta", *NEW_TABLES):
        assert connection.execute(f"SELECT count(*) FROM {table}").get == 400
    connection.close()
    for kept in backups_of(folder):
        check_backup(kept.folder, newest)  # one of a half-migrated library is newer than today's


def _check_backup(folder: Path, reported: list[str]) -> None:
    with Database.open(folder) as database:
        assert database.check() == []
        database.keep_backup("by-hand")
    kept = {backup.name: backup for backup in backups_of(folder)}
    assert kept.keys() >= set(reported)
    for backup in kept.values():
        check_backup(backup.folder)
    assert {p.name for p in LibraryFolder(folder).backups.iterdir()} == kept.keys()


def _check_restoring(folder: Path, reported: list[str]) -> None:
    """Between two files nothing is in place: that is told, and the backup still there."""
    with suppress(LibraryDamaged):
        Database.open(folder).close()
    mend(folder, "restore")
    with Database.open(folder) as database:
        (conversation,) = Conversations(database).list()
        assert len(Conversations(database).turns(conversation.id)) == TURNS


CHECKS: dict[str, Callable[[Path, list[str]], None]] = {
    "ingest": _check_ingest,
    "ask": _check_ask,
    "notes": _check_notes,
    "model": _check_model,
    "migration": _check_migration,
    "backup": _check_backup,
    "restoring": _check_restoring,
}
