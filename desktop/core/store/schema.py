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

PARSED_TABLES: Final = (
    *("outline", "pages", "page_passes", "page_words", "blocks", "units"),
    *("vector_models", "page_vector_models", "page_codes", "page_patches"),
)
"""What is read off the manuals, and could be read again."""

FIRST_SCHEMA: Final = 15
"""The version of `TABLES`; versions below it were those of trial versions."""

PACK_TABLES: Final = ("packs", "pack_manuals", "pack_overlays")

_DOCUMENTS: Final = """
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
    metadata TEXT NOT NULL DEFAULT '{}',
    labels TEXT NOT NULL DEFAULT '[]',
    priority INTEGER NOT NULL DEFAULT 0,
    crashes INTEGER NOT NULL DEFAULT 0,
    crashed_at TEXT NOT NULL DEFAULT '',
    text_done INTEGER NOT NULL DEFAULT 0,
    layout_done INTEGER NOT NULL DEFAULT 0,
    vectors_done INTEGER NOT NULL DEFAULT 0,
    failed_pages INTEGER NOT NULL DEFAULT 0,
    site TEXT NOT NULL DEFAULT '',
    asset TEXT NOT NULL DEFAULT '',
    pictures_done INTEGER NOT NULL DEFAULT 0,
    tier INTEGER NOT NULL DEFAULT 1,
    source_type TEXT NOT NULL DEFAULT 'manual',
    tags TEXT NOT NULL DEFAULT '[]',
    revision TEXT NOT NULL DEFAULT '',
    revision_date TEXT NOT NULL DEFAULT '',
    source_set TEXT NOT NULL DEFAULT '',
    source_read INTEGER NOT NULL DEFAULT 0,
    used_at TEXT NOT NULL DEFAULT '',
    pack TEXT NOT NULL DEFAULT '',
    replaces TEXT NOT NULL DEFAULT ''
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
"""
"""`site`, `asset`: where the equipment of a manual stands, and which of it the manual describes.
`tags`: a JSON list. `revision_date`: ISO, a year, month or day. `source_set`: the columns that a
person set, which rules leave alone. `source_read`: whether rules have looked at the document.
`used_at`: when it was last looked at. `pack`: the pack it belongs to, "" for people's own.
`replaces`: the hash of the file that stood before it at the same place of a watched folder."""

_PAGES: Final = """
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
CREATE INDEX pages_by_label ON pages(label COLLATE NOCASE);

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

CREATE VIRTUAL TABLE headings_fts USING fts5(
    title, content='', contentless_delete=1, prefix='1 2 3',
    tokenize='unicode61 remove_diacritics 2'
);
CREATE TRIGGER headings_come AFTER INSERT ON blocks WHEN new.kind = 'heading' BEGIN
    INSERT INTO headings_fts(rowid, title) VALUES(new.id, new.text);
END;
CREATE TRIGGER headings_go AFTER DELETE ON blocks WHEN old.kind = 'heading' BEGIN
    DELETE FROM headings_fts WHERE rowid = old.id;
END;

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
"""
"""What was read off the manuals. The window jumps to headings by the beginnings of their words;
triggers keep these right, also where a foreign key removes their blocks."""

_VECTORS: Final = """
CREATE TABLE vector_models(
    model_id TEXT PRIMARY KEY,
    dimension INTEGER NOT NULL
) WITHOUT ROWID;

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
    vectors BLOB NOT NULL,
    turned INTEGER NOT NULL DEFAULT 0
);
"""
"""What pages look like. `coarse`, `fine`: one bit[n] vector after the other, `vectors`: int8[n];
`scales`: float32, one per int8 vector, and behind them what rounding left of each vector, two bits
a coordinate. `turned`: 2; what trial versions made otherwise is not read. Two tables, because all
codes are read when a library is first searched and the vectors of a few pages later. An id of
`page_codes` is never used again, so that it tells what a reader has seen."""

_CONVERSATIONS: Final = """
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
"""Conversations name manuals by id without a foreign key: a conversation outlives the manuals that
it cites. The trigrams find any part of a word, and codes, in every language. Traces: why it said
so. `fulfilled`: a JSON list of the commitments that were kept. `entry`: JSON without the fields
that are empty."""

_MARKS: Final = """
CREATE TABLE bookmarks(
    document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    page INTEGER NOT NULL,
    name TEXT NOT NULL,
    made_at TEXT NOT NULL,
    PRIMARY KEY(document_id, page)
) WITHOUT ROWID;

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
"""The pages that people marked to find them again, and words that they highlighted, by the contents
of the manual's file: reading it again makes a new entry of the same file. An id of `annotations` is
never given twice, so one that was removed can come back."""

_PACKS: Final = """
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
"""
"""Packs of manuals that are attached. `manifest`: the SHA-256 of its bytes. `chosen`: a JSON list
of patterns, [] for all. `wanted`: how many manuals that are. `shard`: the SHA-256 of what a manual
was taken from, `title`: as it came. `pack_overlays`: what people said of manuals whose pack is
detached, JSON."""

_INDEXES: Final = f"{postings.TABLES}{unit_vectors.TABLE}"
TABLES: Final = f"{_DOCUMENTS}{_PAGES}{_INDEXES}{_VECTORS}{_CONVERSATIONS}{_MARKS}{_PACKS}"

Migration = str | Callable[[apsw.Connection], None]
"""Statements, or what runs them."""

MIGRATIONS: Final[tuple[Migration, ...]] = (
    # of each page, by its words; "" for one with too few, or read by an older version
    "ALTER TABLE pages ADD COLUMN language TEXT NOT NULL DEFAULT ''",
)
"""Step n (from 1) takes a file of version `FIRST_SCHEMA` + n - 1 one further. Only ever append."""

SCHEMA: Final = FIRST_SCHEMA + len(MIGRATIONS)


def check_identity(connection: apsw.Connection, path: Path, known: int = SCHEMA) -> int:
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
    if any(originals.glob("*.pdf")):
        raise LibraryDamaged(
            said("{path} is empty, but {originals} holds manuals", path=path, originals=originals)
        )
    return 0


def migrate(
    connection: apsw.Connection, path: Path, migrations: Sequence[Migration] = MIGRATIONS
) -> None:
    """Bring the open file to the newest schema; each step is one transaction.

    A file that already holds something is copied into the library's backups first.

    Raises: as `check_identity` and `make_backup`. LibraryDamaged, for a file of a trial
        version, which a repair reads.
    """
    newest = FIRST_SCHEMA + len(migrations)
    version = check_identity(connection, path, newest)
    if 0 < version < FIRST_SCHEMA:
        raise LibraryDamaged(said("{path} was written by a trial version", path=path))
    if version == 0:
        connection.pragma("page_size", PAGE_SIZE)
    make_durable(connection)
    if 0 < version < newest:
        make_backup(path.parent, connection, "before-update")
    steps = (TABLES, *migrations)
    for number in range(max(version + 1, FIRST_SCHEMA), newest + 1):
        step = steps[number - FIRST_SCHEMA]
        with connection:
            if isinstance(step, str):
                connection.execute(step)
            else:
                step(connection)
            connection.pragma("application_id", APPLICATION_ID)
            connection.pragma("user_version", number)
