"""The tables of a library file, the numbered steps to them from an empty one, who may take them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import apsw

from desktop.core.errors import LibraryDamaged, LibraryTooNew, NotALibrary
from desktop.core.store import postings, unit_vectors
from desktop.core.store.backups import make_backup
from desktop.core.store.connection import PAGE_SIZE, make_durable
from desktop.sentences import said

if TYPE_CHECKING:
    from pathlib import Path


APPLICATION_ID: Final = 0x47525744
"""Stands in the file's header ("GRWD"): tells a library from any other database."""

TERMS_TOKENIZER: Final = "unicode61 remove_diacritics 0 tokenchars ''_''"
"""Splits at white space only: the terms that are indexed hold letters, digits and "_"."""

PARSED_TABLES: Final = (
    *("outline", "pages", "page_passes", "page_words", "blocks", "units"),
    *("vector_models", "page_vector_models", "page_codes", "page_patches"),
)
"""What is read off the manuals, and could be read again."""

VECTOR_DIMENSION: Final = 384
PAGE_VECTOR_DIMENSION: Final = 128

TABLES_1: Final = f"""
CREATE TABLE meta(
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE documents(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    sha256 TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    title TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    page_count INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    added_at TEXT NOT NULL,
    language TEXT NOT NULL DEFAULT '',
    metadata TEXT NOT NULL DEFAULT '{{}}',
    labels TEXT NOT NULL DEFAULT '[]',
    priority INTEGER NOT NULL DEFAULT 0,
    crashes INTEGER NOT NULL DEFAULT 0,
    crashed_at TEXT NOT NULL DEFAULT '',
    text_done INTEGER NOT NULL DEFAULT 0,
    layout_done INTEGER NOT NULL DEFAULT 0,
    vectors_done INTEGER NOT NULL DEFAULT 0,
    failed_pages INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE parsing_now(
    document_id INTEGER PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE,
    place TEXT NOT NULL
);

CREATE TABLE outline(
    document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    level INTEGER NOT NULL,
    title TEXT NOT NULL,
    page INTEGER NOT NULL,
    PRIMARY KEY(document_id, position)
) WITHOUT ROWID;

CREATE TABLE pages(
    id INTEGER PRIMARY KEY,
    document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    page INTEGER NOT NULL,
    label TEXT NOT NULL,
    label_known INTEGER NOT NULL DEFAULT 0,
    width REAL NOT NULL,
    height REAL NOT NULL,
    ocr INTEGER NOT NULL DEFAULT 0,
    slow_to_draw INTEGER NOT NULL DEFAULT 0,
    UNIQUE(document_id, page)
);

CREATE TABLE page_passes(
    page_id INTEGER NOT NULL REFERENCES pages(id) ON DELETE CASCADE,
    pass TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    PRIMARY KEY(page_id, pass)
) WITHOUT ROWID;

CREATE TABLE page_words(
    page_id INTEGER PRIMARY KEY REFERENCES pages(id) ON DELETE CASCADE,
    words BLOB NOT NULL
);

CREATE TABLE blocks(
    id INTEGER PRIMARY KEY,
    page_id INTEGER NOT NULL REFERENCES pages(id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    x0 REAL NOT NULL,
    y0 REAL NOT NULL,
    x1 REAL NOT NULL,
    y1 REAL NOT NULL,
    section TEXT NOT NULL,
    level INTEGER NOT NULL,
    warning TEXT NOT NULL,
    UNIQUE(page_id, position)
);

CREATE TABLE units(
    id INTEGER PRIMARY KEY,
    document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    page_id INTEGER NOT NULL REFERENCES pages(id) ON DELETE CASCADE,
    page INTEGER NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    context TEXT NOT NULL,
    boxes BLOB NOT NULL,
    header_boxes BLOB NOT NULL,
    block INTEGER NOT NULL,
    embed INTEGER NOT NULL
);
CREATE INDEX units_by_page ON units(page_id);
CREATE INDEX units_by_document ON units(document_id);

CREATE VIRTUAL TABLE pages_fts USING fts5(
    terms, content='', contentless_delete=1, tokenize='{TERMS_TOKENIZER}'
);
CREATE VIRTUAL TABLE units_fts USING fts5(
    terms, context, content='', contentless_delete=1, tokenize='{TERMS_TOKENIZER}'
);

CREATE TABLE vector_models(
    model_id TEXT PRIMARY KEY,
    dimension INTEGER NOT NULL
) WITHOUT ROWID;
"""

TABLES_2: Final = """
CREATE TABLE conversations(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    document_ids TEXT NOT NULL DEFAULT '[]'
);
CREATE INDEX conversations_by_time ON conversations(updated_at);

CREATE TABLE turns(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id INTEGER NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    prompt TEXT NOT NULL,
    answer TEXT NOT NULL DEFAULT '',
    outcome TEXT NOT NULL DEFAULT '',
    asked_at TEXT NOT NULL,
    events TEXT NOT NULL DEFAULT '',
    UNIQUE(conversation_id, position)
);
CREATE INDEX unfinished_turns ON turns(id) WHERE outcome = '';

CREATE VIRTUAL TABLE turns_fts USING fts5(
    prompt, answer, content='', contentless_delete=1, tokenize='trigram'
);
"""
"""Conversations. They name manuals by id without a foreign key: a conversation outlives the
manuals that it cites. The trigrams find any part of a word, and codes, in every language."""


TABLES_3: Final = """
ALTER TABLE documents ADD COLUMN site TEXT NOT NULL DEFAULT '';
ALTER TABLE documents ADD COLUMN asset TEXT NOT NULL DEFAULT '';
"""
"""Where the equipment of a manual stands, and which of it the manual describes."""


TABLES_4: Final = """
ALTER TABLE documents ADD COLUMN pictures_done INTEGER NOT NULL DEFAULT 0;

CREATE TABLE page_vector_models(
    model_id TEXT PRIMARY KEY,
    dimension INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE page_codes(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    page_id INTEGER NOT NULL UNIQUE REFERENCES pages(id) ON DELETE CASCADE,
    document_id INTEGER NOT NULL,
    coarse BLOB NOT NULL,
    fine BLOB NOT NULL
);

CREATE TABLE page_patches(
    page_id INTEGER PRIMARY KEY REFERENCES pages(id) ON DELETE CASCADE,
    first_patch INTEGER NOT NULL,
    grid_rows INTEGER NOT NULL,
    grid_columns INTEGER NOT NULL,
    scales BLOB NOT NULL,
    vectors BLOB NOT NULL
);
"""
"""What pages look like. `coarse`, `fine`: one bit[n] vector after the other, `vectors`: int8[n],
as sqlite-vec stores them; `scales`: float32, one per int8 vector. Two tables, because all codes
are read when a library is first searched and the vectors of a few pages later. An id of
`page_codes` is never used again, so that it tells what a reader has seen."""


TABLES_5: Final = """
ALTER TABLE documents ADD COLUMN tier INTEGER NOT NULL DEFAULT 1;
ALTER TABLE documents ADD COLUMN source_type TEXT NOT NULL DEFAULT 'manual';
ALTER TABLE documents ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
ALTER TABLE documents ADD COLUMN revision TEXT NOT NULL DEFAULT '';
ALTER TABLE documents ADD COLUMN revision_date TEXT NOT NULL DEFAULT '';
ALTER TABLE documents ADD COLUMN source_set TEXT NOT NULL DEFAULT '';
ALTER TABLE documents ADD COLUMN source_read INTEGER NOT NULL DEFAULT 0;
"""
"""How far a document is to be trusted, tags and revision. `tags`: a JSON list. `revision_date`:
ISO, a year, month or day. `source_set`: the columns that a person set, which rules leave alone.
`source_read`: whether rules have looked at the document."""


TABLES_6: Final = """
CREATE TABLE traces(
    id INTEGER PRIMARY KEY,
    interaction_id TEXT NOT NULL UNIQUE,
    conversation_id INTEGER NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    turn_id INTEGER REFERENCES turns(id) ON DELETE CASCADE,
    user_request TEXT NOT NULL,
    started_at TEXT NOT NULL,
    outcome TEXT NOT NULL DEFAULT 'pending',
    confidence REAL,
    fulfilled TEXT NOT NULL DEFAULT '[]'
);
CREATE INDEX traces_by_conversation ON traces(conversation_id);
CREATE INDEX traces_by_turn ON traces(turn_id);

CREATE TABLE trace_entries(
    trace_id INTEGER NOT NULL REFERENCES traces(id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY(trace_id, position)
) WITHOUT ROWID;
"""
"""Why it said so: the reasoning trace of each question of a conversation. `fulfilled`: a JSON
list of the commitments that were kept. `entry`: JSON without the fields that are empty."""


TABLES_7: Final = """
ALTER TABLE documents ADD COLUMN used_at TEXT NOT NULL DEFAULT '';

CREATE VIRTUAL TABLE headings_fts USING fts5(
    title, content='', contentless_delete=1, prefix='1 2 3',
    tokenize='unicode61 remove_diacritics 2'
);
INSERT INTO headings_fts(rowid, title) SELECT id, text FROM blocks WHERE kind = 'heading';

CREATE TRIGGER headings_come AFTER INSERT ON blocks WHEN new.kind = 'heading' BEGIN
    INSERT INTO headings_fts(rowid, title) VALUES(new.id, new.text);
END;
CREATE TRIGGER headings_go AFTER DELETE ON blocks WHEN old.kind = 'heading' BEGIN
    DELETE FROM headings_fts WHERE rowid = old.id;
END;

CREATE INDEX pages_by_label ON pages(label COLLATE NOCASE);
"""
"""What the window jumps to: headings by the beginnings of their words, and pages by the number
printed on them. `used_at`: when a manual was last looked at. Triggers keep the headings right,
also where a foreign key removes their blocks."""


TABLES_8: Final = """
ALTER TABLE page_patches ADD COLUMN turned INTEGER NOT NULL DEFAULT 0;
"""
"""How a page's vectors became int8: 0 as they were, 1 rotated before; 2 as well, and behind the
scales stands what rounding left of each vector, two bits a coordinate."""


TABLES_9: Final = """
CREATE TABLE bookmarks(
    document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    page INTEGER NOT NULL,
    name TEXT NOT NULL,
    made_at TEXT NOT NULL,
    PRIMARY KEY(document_id, page)
) WITHOUT ROWID;
"""
"""The pages that people marked to find them again."""


TABLES_11: Final = """
CREATE TABLE annotations(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    sha256 TEXT NOT NULL,
    page INTEGER NOT NULL,
    boxes TEXT NOT NULL,
    pen TEXT NOT NULL,
    quote TEXT NOT NULL,
    comment TEXT NOT NULL,
    made_at TEXT NOT NULL
);
CREATE INDEX annotations_by_manual ON annotations(sha256);
"""
"""Words that people highlighted, by the contents of the manual's file: reading it again makes a new
entry of the same file. An id is never given twice, so one that was removed can come back."""


FIRST_PACKS: Final = 12
PACK_TABLES: Final = ("packs", "pack_manuals", "pack_overlays")
TABLES_12: Final = """
CREATE TABLE packs(
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    release INTEGER NOT NULL,
    manifest TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    signed_by TEXT NOT NULL,
    folder TEXT NOT NULL,
    in_place INTEGER NOT NULL,
    chosen TEXT NOT NULL,
    wanted INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE pack_manuals(
    pack TEXT NOT NULL REFERENCES packs(id) ON DELETE CASCADE,
    sha256 TEXT NOT NULL,
    shard TEXT NOT NULL,
    title TEXT NOT NULL,
    PRIMARY KEY(pack, sha256)
) WITHOUT ROWID;
CREATE INDEX pack_manuals_by_file ON pack_manuals(sha256);

CREATE TABLE pack_overlays(
    sha256 TEXT PRIMARY KEY,
    kept TEXT NOT NULL
) WITHOUT ROWID;

ALTER TABLE documents ADD COLUMN pack TEXT NOT NULL DEFAULT '';
"""
"""Packs of manuals that are attached. `manifest`: the SHA-256 of its bytes. `chosen`: a JSON list
of patterns, [] for all. `wanted`: how many manuals that are. `shard`: the SHA-256 of what a manual
was taken from, `title`: as it came. `pack_overlays`: what people said of manuals whose pack is
detached, JSON. `documents.pack`: the pack a manual belongs to, "" for people's own."""

TABLES_13: Final = """
ALTER TABLE documents ADD COLUMN replaces TEXT NOT NULL DEFAULT '';
"""
"""The hash of the file that stood before this one at the same place of a watched folder."""


def unit_vectors_table() -> str:
    """Return the statement that created the table of unit vectors up to schema 14."""
    return (
        "CREATE VIRTUAL TABLE unit_vectors USING vec0("
        "unit_id INTEGER PRIMARY KEY, document_id INTEGER, "
        f"vector FLOAT[{VECTOR_DIMENSION:d}] distance_metric=cosine)"
    )


Migration = str | Callable[[apsw.Connection], None]
"""Statements, or what runs them."""


def _create_tables(connection: apsw.Connection) -> None:
    connection.execute(TABLES_1)
    connection.execute(unit_vectors_table())


def _add_page_vectors(connection: apsw.Connection) -> None:
    connection.execute(TABLES_4)
    connection.execute(
        "CREATE VIRTUAL TABLE page_vectors USING vec0("
        "page_id INTEGER PRIMARY KEY, document_id INTEGER, "
        f"vector FLOAT[{PAGE_VECTOR_DIMENSION:d}] distance_metric=cosine)"
    )


def _index_by_manual(connection: apsw.Connection) -> None:
    """Keep the text index in rows of a term and a manual, in place of full-text tables.

    BM25 over a million units took SQLite seconds, and it told nothing of manuals.
    """
    connection.execute(postings.TABLES)
    postings.take_over(connection)


MIGRATIONS: Final[tuple[Migration, ...]] = (
    _create_tables,
    TABLES_2,
    TABLES_3,
    _add_page_vectors,
    TABLES_5,
    TABLES_6,
    TABLES_7,
    TABLES_8,
    TABLES_9,
    "DROP TABLE page_vectors",  # of mean vectors, which no search asked for
    TABLES_11,
    TABLES_12,
    TABLES_13,
    _index_by_manual,
    unit_vectors.take_over,  # in half precision, a row each
)
"""Step n (from 1) takes a file of version n - 1 to version n. Only ever append."""


def check_identity(connection: apsw.Connection, path: Path, known: int = len(MIGRATIONS)) -> int:
    """Return the schema version of the open file, 0 for an empty one.

    Raises: NotALibrary, for a database of another program. LibraryTooNew. LibraryDamaged,
        for an empty file beside originals: its documents were in it once.
    """
    application = connection.pragma("application_id")
    version = connection.pragma("user_version")
    if application == APPLICATION_ID:
        if version > known:
            raise LibraryTooNew(version, known)
        return int(version)
    tables = connection.execute("SELECT count(*) FROM sqlite_master").get
    if application or version or tables:
        raise NotALibrary(said("{path} is another program's database", path=path))
    originals = path.parent / "originals"
    if originals.is_dir() and any(originals.glob("*.pdf")):
        raise LibraryDamaged(
            said("{path} is empty, but {originals} holds manuals", path=path, originals=originals)
        )
    return 0


def migrate(
    connection: apsw.Connection, path: Path, migrations: Sequence[Migration] = MIGRATIONS
) -> None:
    """Bring the open file to the newest schema; each step is one transaction.

    A file that already holds something is copied into the library's backups first.

    Raises: as `check_identity` and `make_backup`.
    """
    version = check_identity(connection, path, len(migrations))
    if version == 0:
        connection.pragma("page_size", PAGE_SIZE)
    make_durable(connection)
    if 0 < version < len(migrations):
        make_backup(path.parent, connection, "before-update")
    for number, step in enumerate(migrations[version:], version + 1):
        with connection:
            if isinstance(step, str):
                connection.execute(step)
            else:
                step(connection)
            connection.pragma("application_id", APPLICATION_ID)
            connection.pragma("user_version", number)
