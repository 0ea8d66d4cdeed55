"""The tables of a knowledge file, in numbered steps."""

from __future__ import annotations

APPLICATION_ID = 0x47574B4E
"""Marks a database as a knowledge file ("GWKN")."""

# `terms` are words already stemmed and marks of the document's namespace, filters and tags (see
# retrieval/terms.py), so FTS5 takes them as they are. A document's id is the row id of its
# entries in `document_terms` and `document_codes`; the latter, a vec0 table, is made when the
# length of the vectors is known.
TABLES_1 = """
CREATE TABLE key_values(
    namespace TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY(namespace, key)
) WITHOUT ROWID;

-- a small number for each namespace: what vec0 can filter by
CREATE TABLE scopes(id INTEGER PRIMARY KEY, namespace TEXT NOT NULL UNIQUE);
CREATE TABLE documents(
    id INTEGER PRIMARY KEY,
    document_id TEXT NOT NULL UNIQUE,
    scope INTEGER NOT NULL REFERENCES scopes(id),
    content TEXT NOT NULL,
    search_text TEXT,
    terms TEXT NOT NULL,
    filters TEXT NOT NULL,
    tags TEXT NOT NULL,
    metadata TEXT NOT NULL
);
CREATE INDEX documents_by_scope ON documents(scope);
CREATE VIRTUAL TABLE document_terms USING fts5(
    terms, content='', contentless_delete=1, detail=none,
    tokenize="unicode61 remove_diacritics 0 tokenchars '_'"
);
CREATE VIRTUAL TABLE document_frequencies USING fts5vocab('document_terms', 'row');

-- at most one row: whose vectors these are, and the rotation their sign bits were taken after
CREATE TABLE vector_model(
    model_id TEXT NOT NULL, dimension INTEGER NOT NULL, rotation BLOB NOT NULL
);
CREATE TABLE document_vectors(document INTEGER PRIMARY KEY, vector BLOB NOT NULL);

CREATE TABLE nodes(
    namespace TEXT NOT NULL, node_id TEXT NOT NULL, node_type TEXT NOT NULL,
    label TEXT NOT NULL, properties TEXT NOT NULL, PRIMARY KEY(namespace, node_id)
) WITHOUT ROWID;
CREATE TABLE edges(
    namespace TEXT NOT NULL, source_id TEXT NOT NULL, edge_type TEXT NOT NULL,
    target_id TEXT NOT NULL, piece_id TEXT NOT NULL, properties TEXT NOT NULL,
    PRIMARY KEY(namespace, source_id, edge_type, target_id, piece_id)
) WITHOUT ROWID;
CREATE INDEX edges_by_target ON edges(namespace, target_id);
"""

MIGRATIONS = (TABLES_1,)
"""Step n (from 1) takes a file of version n - 1 to version n. Only ever append."""
