"""Works on a library until it is killed, and says what it may be held to.

    python -m tests.faults.victim KIND FOLDER SEED

A line "ready" comes first; each line after it names something that was reported as done.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.core.conversations.store import Conversations
from desktop.core.events import CompleteEvent, TokenEvent
from desktop.core.jobs import CancelToken
from desktop.core.library.ingestion import Ingestion
from desktop.core.library.library import Library
from desktop.core.library.values import PassProgress
from desktop.core.notes.desk import open_notes
from desktop.core.paths import LibraryFolder
from desktop.core.settings.sections import IngestionSettings
from desktop.core.store.backups import backups_of
from desktop.core.store.connection import connect_writer
from desktop.core.store.database import Database
from desktop.core.store.schema import MIGRATIONS, migrate
from desktop.core.upkeep.backups import restore
from desktop.core.upkeep.repair import repair
from desktop.models.catalogue import Catalogue
from desktop.models.packs.model_folder import ModelFolder
from desktop.models.packs.operations import import_pack
from desktop.models.packs.pack_events import PackDone
from knowledge.loader import KnowledgeDataLoader
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.parser import FakeParser

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PIECES_A_FILE = 40


def make_ingestion(database: Database, folder: Path, seconds: float = 0.0) -> Ingestion:
    """Ingestion with a scripted parser; seconds: that each of its steps takes."""
    parser, embedder = FakeParser(), FakeEmbedder()
    if seconds:
        parser.before_each(lambda call, page: time.sleep(seconds))
        embedder.before_each = lambda: time.sleep(seconds)
    settings = IngestionSettings(commit_milliseconds=20, free_space_mib=0)
    return Ingestion(database, Library(database, folder), parser, embedder, settings)


def ingest(folder: Path) -> Iterator[str]:
    with Database.open(folder) as database:
        ingestion = make_ingestion(database, folder, 0.002)
        ingestion.enqueue(sorted((folder.parent / "manuals").glob("*.pdf")))
        for event in ingestion.run(CancelToken()):
            if isinstance(event, PassProgress):
                yield f"{event.document_id} {event.pass_name} {event.done}"
    yield "over"


def ask(folder: Path) -> Iterator[str]:
    events = [TokenEvent(f"word {n} ") for n in range(40)] + [CompleteEvent("answered", 1.0, 2)]
    with Database.open(folder) as database:
        conversations = Conversations(database)
        conversation = conversations.create("Pump")
        number = 0
        while True:
            conversations.add_turn(conversation, f"question {number}", events)
            yield str(number)
            number += 1


def notes(folder: Path) -> Iterator[str]:
    with Database.open(folder), open_notes(LibraryFolder(folder).knowledge, None) as base:
        loader, number = KnowledgeDataLoader(base), 0
        while True:
            pieces = [
                {
                    "piece_id": f"p{number}-{n}",
                    "knowledge_type": "fact",
                    "content": f"valve {number} {n}",
                }
                for n in range(PIECES_A_FILE)
            ]
            assert loader.load({"pieces": pieces}).pieces == PIECES_A_FILE
            yield str(number)
            number += 1


def model(folder: Path) -> Iterator[str]:
    models, catalogue, number = ModelFolder(folder / "models"), Catalogue.load(), 0
    while True:
        name = f"model-{number}"
        for event in import_pack(folder.parent / "stick", models, catalogue, model_id=name):
            if isinstance(event, PackDone):
                yield name
        number += 1


NEW_TABLES = tuple(f"step_{n}" for n in range(3))
STEPS = (*MIGRATIONS, *(f"CREATE TABLE {table} AS SELECT * FROM meta" for table in NEW_TABLES))
"""To a schema that is to come, which has a table more for each of `NEW_TABLES`."""


def migration(folder: Path) -> Iterator[str]:
    path = LibraryFolder(folder).database
    migrate(connect_writer(path), path, STEPS)
    yield "migrated"
    time.sleep(1)


def backup(folder: Path) -> Iterator[str]:
    with Database.open(folder) as database:
        while True:
            database.write(lambda c: c.execute("INSERT INTO meta VALUES(hex(randomblob(9)), '')"))
            yield database.keep_backup("by-hand").name


def restoring(folder: Path) -> Iterator[str]:
    newest = backups_of(folder)[0]
    while True:
        restore(folder, newest.folder)
        yield "restored"
        repair(folder)
        yield "repaired"


KINDS: dict[str, Callable[[Path], Iterator[str]]] = {
    each.__name__: each for each in (ingest, ask, notes, model, migration, backup, restoring)
}


def main() -> None:
    kind, folder = sys.argv[1], Path(sys.argv[2])
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for said in KINDS[kind](folder):
        sys.stdout.write(f"{said}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
