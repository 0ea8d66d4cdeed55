"""The text index: which pages and units of manuals have a term, how often; their lengths.

A row of `postings` is one term of one manual, so that a term's rows stand side by side,
a search among some manuals reads only theirs, and a manual is removed with its rows.
Ids are stored in a row as the gaps between them, in bytes of seven bits (LEB128), the
first one from 0; counts are a byte each. Reading decodes whole terms at once, without a
call for each page or unit.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from desktop.core.store.connection import count_change

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    import apsw
    from numpy.typing import NDArray

TABLES: Final = """
CREATE TABLE postings(
    term TEXT NOT NULL,
    document_id INTEGER NOT NULL,
    pages BLOB NOT NULL DEFAULT x'',
    page_counts BLOB NOT NULL DEFAULT x'',
    units BLOB NOT NULL DEFAULT x'',
    unit_counts BLOB NOT NULL DEFAULT x'',
    PRIMARY KEY(term, document_id)
) WITHOUT ROWID;

CREATE TABLE indexed_texts(
    document_id INTEGER PRIMARY KEY,
    terms BLOB NOT NULL DEFAULT x'',
    pages BLOB NOT NULL DEFAULT x'',
    page_lengths BLOB NOT NULL DEFAULT x'',
    units BLOB NOT NULL DEFAULT x'',
    unit_lengths BLOB NOT NULL DEFAULT x''
);
"""
"""`page_counts`: how often a page has the term, at most 255. `unit_counts`: how often a unit's own
words have it, at most 31, times eight, and its context, at most 7. `indexed_texts`: all pages and
units of a manual that are indexed, and how many terms each has: uint32, in the order of their ids;
`terms`: all terms of the manual, by which its rows are found when it goes: zlib streams."""

OWN_MOST: Final = 31
CONTEXT_MOST: Final = 7
_CONTEXT_BITS: Final = 3
_COUNT_MOST: Final = 255
_KEY: Final = "text_index_changed"

Kind = Literal["page", "unit"]
KINDS: Final[tuple[Kind, ...]] = ("page", "unit")
Counts = dict[str, list[tuple[int, int]]]
"""Term -> (id, count byte) in the order of the ids."""


def index_changes(connection: apsw.Connection) -> int:
    """Return a number that changes with every change of the text index."""
    return int(connection.execute("SELECT value FROM meta WHERE key = ?", (_KEY,)).get or 0)


def index_pages(
    connection: apsw.Connection, document_id: int, pages: Iterable[tuple[int, str]]
) -> None:
    """Index pages of a manual, or index them anew: (id, terms separated by spaces)."""
    found: Counts = defaultdict(list)
    lengths = {}
    for page_id, terms in sorted(pages):
        counts = Counter(terms.split())
        lengths[page_id] = counts.total()
        for term, count in counts.items():
            found[term].append((page_id, min(count, _COUNT_MOST)))
    forget(connection, document_id, "page", lengths)
    _put(connection, document_id, "page", found, lengths)


def index_units(
    connection: apsw.Connection, document_id: int, units: Iterable[tuple[int, str, str]]
) -> None:
    """Index units of a manual that are not indexed yet: (id, own terms, terms of the context)."""
    found: Counts = defaultdict(list)
    lengths = {}
    for unit_id, terms, context in sorted(units):
        own, around = Counter(terms.split()), Counter(context.split())
        lengths[unit_id] = own.total() + around.total()
        for term in {**own, **around}:
            found[term].append((unit_id, unit_count(own[term], around[term])))
    _put(connection, document_id, "unit", found, lengths)


def unit_count(own: int, context: int) -> int:
    """Return the byte that says how often a unit has a term."""
    return min(own, OWN_MOST) << _CONTEXT_BITS | min(context, CONTEXT_MOST)


def forget(
    connection: apsw.Connection, document_id: int, kind: Kind, gone: Collection[int]
) -> None:
    """Take pages or units of a manual out of the index; those that are not in it do not matter."""
    ids, lengths = _lengths(connection, document_id, kind)
    leaves = np.isin(ids, np.fromiter(gone, np.int64, len(gone)))
    if not leaves.any():
        return
    _keep_lengths(connection, document_id, kind, ids[~leaves], lengths[~leaves])
    if lengths[leaves].any():
        changed = []
        terms = _terms(connection, document_id)
        for term, packed, counts in _rows(connection, document_id, kind, terms):
            texts = np.cumsum(unpack(packed))
            stay = ~np.isin(texts, ids[leaves])
            if not stay.all():
                kept = np.frombuffer(counts, np.uint8)[stay].tobytes()
                changed.append((pack(texts[stay].tolist()), kept, term, document_id))
        connection.executemany(
            f"UPDATE postings SET {kind}s = ?, {kind}_counts = ? WHERE term = ?"
            " AND document_id = ?",
            changed,
        )
    count_change(connection, _KEY)


def forget_manual(connection: apsw.Connection, document_id: int) -> None:
    """Take a manual out of the index."""
    connection.executemany(
        "DELETE FROM postings WHERE term = ? AND document_id = ?",
        ((term, document_id) for term in sorted(_terms(connection, document_id))),
    )
    connection.execute("DELETE FROM indexed_texts WHERE document_id = ?", (document_id,))
    count_change(connection, _KEY)


def _put(
    connection: apsw.Connection,
    document_id: int,
    kind: Kind,
    found: Counts,
    lengths: dict[int, int],
) -> None:
    """Add postings of pages or units that are not in the index."""
    if not lengths:
        return
    rows = _rows(connection, document_id, kind, found)
    known = {term: (packed, counts) for term, packed, counts in rows}
    connection.executemany(
        f"INSERT INTO postings(term, document_id, {kind}s, {kind}_counts) VALUES(?, ?, ?, ?)"
        f" ON CONFLICT DO UPDATE SET {kind}s = excluded.{kind}s,"
        f" {kind}_counts = excluded.{kind}_counts",
        (
            (term, document_id, *_extended(known.get(term, (b"", b"")), found[term]))
            for term in sorted(found)
        ),
    )
    ids, old = _lengths(connection, document_id, kind)
    ids = np.concatenate([ids, np.fromiter(lengths, np.int64, len(lengths))])
    sizes = np.concatenate([old, np.fromiter(lengths.values(), np.int64, len(lengths))])
    order = np.argsort(ids, kind="stable")
    _keep_lengths(connection, document_id, kind, ids[order], sizes[order])
    _add_terms(connection, document_id, found.keys() - known.keys())
    count_change(connection, _KEY)


def _rows(
    connection: apsw.Connection, document_id: int, kind: Kind, terms: Collection[str]
) -> list[tuple[str, bytes, bytes]]:
    found: Any = connection.execute(
        f"SELECT term, {kind}s, {kind}_counts FROM json_each(?) CROSS JOIN postings"
        " ON term = value AND document_id = ?",
        (json.dumps(sorted(terms)), document_id),
    ).fetchall()
    return list(found)


def _extended(known: tuple[bytes, bytes], more: Sequence[tuple[int, int]]) -> tuple[bytes, bytes]:
    """Return a row's ids and counts with more of them, in the order of the ids."""
    packed, counts = known
    last = _sum(packed)
    if more[0][0] > last:
        ids = [each[0] for each in more]
        return packed + pack(ids, last), counts + bytes(each[1] for each in more)
    pairs = sorted([*zip(np.cumsum(unpack(packed)).tolist(), counts, strict=True), *more])
    return pack([id_ for id_, _ in pairs]), bytes(count for _, count in pairs)


def _terms(connection: apsw.Connection, document_id: int) -> set[str]:
    """Return all terms of a manual; some may have gone meanwhile."""
    left: Any = connection.execute(
        "SELECT terms FROM indexed_texts WHERE document_id = ?", (document_id,)
    ).get
    found: set[str] = set()
    while left:
        one = zlib.decompressobj()
        found.update(one.decompress(left).decode().split())
        left = one.unused_data
    return found


def _add_terms(connection: apsw.Connection, document_id: int, terms: Collection[str]) -> None:
    if terms:
        connection.execute(
            "UPDATE indexed_texts SET terms = CAST(terms || ? AS BLOB) WHERE document_id = ?",
            (zlib.compress(" ".join(sorted(terms)).encode()), document_id),
        )


def _lengths(
    connection: apsw.Connection, document_id: int, kind: Kind
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the ids of all pages or units of a manual that are indexed, and their lengths."""
    row: Any = connection.execute(
        f"SELECT {kind}s, {kind}_lengths FROM indexed_texts WHERE document_id = ?", (document_id,)
    ).fetchone() or (b"", b"")
    ids, lengths = (np.frombuffer(each, "<u4").astype(np.int64) for each in row)
    return ids, lengths


def _keep_lengths(
    connection: apsw.Connection,
    document_id: int,
    kind: Kind,
    ids: NDArray[np.int64],
    lengths: NDArray[np.int64],
) -> None:
    connection.execute(
        f"INSERT INTO indexed_texts(document_id, {kind}s, {kind}_lengths) VALUES(?, ?, ?)"
        f" ON CONFLICT DO UPDATE SET {kind}s = excluded.{kind}s,"
        f" {kind}_lengths = excluded.{kind}_lengths",
        (document_id, ids.astype("<u4").tobytes(), lengths.astype("<u4").tobytes()),
    )


def pack(ids: Iterable[int], before: int = 0) -> bytes:
    """Write ascending ids as gaps, seven bits a byte, the lowest first."""
    out = bytearray()
    for id_ in ids:
        gap = id_ - before
        before = id_
        while gap > 127:
            out.append(gap & 127 | 128)
            gap >>= 7
        out.append(gap)
    return bytes(out)


def _sum(packed: bytes) -> int:
    """Return the sum of all gaps, the last id of a row; most rows are short."""
    if len(packed) > _SHORT:
        return int(unpack(packed).sum())
    found = shift = 0
    for byte in packed:
        found += (byte & 127) << shift
        shift = shift + 7 if byte > 127 else 0
    return found


_SHORT: Final = 64


def unpack(packed: bytes) -> NDArray[np.int64]:
    """Read the gaps that `pack` wrote, for any number of rows one after another."""
    data = np.frombuffer(packed, np.uint8)
    ends = np.flatnonzero(data < 128)
    values = data[ends].astype(np.int64)
    if len(ends) == len(data):
        return values
    sizes = np.empty_like(ends)
    sizes[:1] = ends[:1] + 1
    np.subtract(ends[1:], ends[:-1], out=sizes[1:])
    back = 1
    longer = np.flatnonzero(sizes > 1)
    while len(longer):
        values[longer] = values[longer] << 7 | (data[ends[longer] - back] & 127)
        back += 1
        longer = longer[sizes[longer] > back]
    return values


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """Where a term occurs, in some manuals or all.

    documents, sizes: the manuals, and how many pages or units of each have it, shape
    (m,).
    ids: those pages or units, manual after manual, ascending in each, shape (n,).
    counts: the count byte of each, shape (n,).
    """

    documents: NDArray[np.int64]
    sizes: NDArray[np.int64]
    ids: NDArray[np.int64]
    counts: NDArray[np.uint8]

    @property
    def own(self) -> NDArray[np.uint8]:
        """Of units: how often their own words have it."""
        return self.counts >> np.uint8(_CONTEXT_BITS)

    @property
    def context(self) -> NDArray[np.uint8]:
        """Of units: how often their context has it."""
        return self.counts & np.uint8(CONTEXT_MOST)

    def of_documents(self, documents: Collection[int]) -> Postings:
        """Return the part that is in some manuals."""
        kept = np.isin(self.documents, list(documents))
        every = np.repeat(kept, self.sizes)
        return Postings(self.documents[kept], self.sizes[kept], self.ids[every], self.counts[every])

    @classmethod
    def of_rows(cls, rows: Sequence[tuple[int, bytes, bytes]]) -> Postings:
        """Decode rows of (document id, packed ids, counts)."""
        documents = np.array([row[0] for row in rows], np.int64)
        sizes = np.array([len(row[2]) for row in rows], np.int64)
        sums = np.cumsum(unpack(b"".join([row[1] for row in rows])))
        starts = np.cumsum(sizes) - sizes
        # what all rows before it add up to is no part of a row's ids
        above = sums[starts - 1] if len(rows) else starts
        above[:1] = 0
        counts = np.frombuffer(b"".join([row[2] for row in rows]), np.uint8)
        return cls(documents, sizes, sums - np.repeat(above, sizes), counts)


def pages_and_units(connection: apsw.Connection, term: str) -> tuple[Postings, Postings]:
    """Return the pages and the units of all manuals that have a term."""
    rows: Any = connection.execute(
        "SELECT document_id, pages, page_counts, units, unit_counts FROM postings WHERE term = ?",
        (term,),
    ).fetchall()
    return (
        Postings.of_rows([row[:3] for row in rows if row[1]]),
        Postings.of_rows([(row[0], row[3], row[4]) for row in rows if row[3]]),
    )


def _units_begun(connection: apsw.Connection, start: str) -> Postings:
    """Return the units with terms that begin with `start`; of very many rows only the first."""
    rows: Any = connection.execute(
        "SELECT document_id, units, unit_counts FROM postings WHERE term >= ? AND term < ?"
        " AND units <> x'' LIMIT ?",
        (start, start + "\U0010ffff", _MOST_BEGUN),
    ).fetchall()
    return Postings.of_rows(rows)


_MOST_BEGUN: Final = 50_000
"""Rows of terms with one beginning: to read so many takes less than a key press."""


def units_with_all(
    connection: apsw.Connection, groups: Sequence[Sequence[str]], beginning: str = ""
) -> list[int]:
    """Return the ids of the units that have a term of every group, ascending.

    beginning: a term that begins like this counts for the last group as well.
    """
    found: NDArray[np.int64] | None = None
    for place, group in enumerate(groups):
        parts = [pages_and_units(connection, term)[1] for term in group]
        if beginning and place == len(groups) - 1:
            parts.append(_units_begun(connection, beginning))
        ids = np.unique(np.concatenate([part.ids for part in parts]))
        found = ids if found is None else found[np.isin(found, ids, assume_unique=True)]
    return [] if found is None else found.tolist()


@dataclass(frozen=True, slots=True, eq=False)
class Lengths:
    """The lengths of all indexed texts of one kind.

    of: by id, uint32, 0 where there is none. documents: the manual of each id, 0 where there is
    none. count, total: of texts, and of their terms. per_document: document id -> texts.
    """

    of: NDArray[np.uint32]
    documents: NDArray[np.uint32]
    count: int
    total: int
    per_document: dict[int, int]


def read_lengths(connection: apsw.Connection, kind: Kind) -> Lengths:
    """Read the lengths of all texts of a kind."""
    rows: Any = connection.execute(
        f"SELECT document_id, {kind}s, {kind}_lengths FROM indexed_texts ORDER BY document_id"
    ).fetchall()
    ids = np.frombuffer(b"".join([row[1] for row in rows]), "<u4")
    sizes = np.frombuffer(b"".join([row[2] for row in rows]), "<u4")
    per_document = {row[0]: len(row[1]) // 4 for row in rows if row[1]}
    end = int(ids.max()) + 1 if len(ids) else 0
    of, documents = np.zeros(end, np.uint32), np.zeros(end, np.uint32)
    of[ids] = sizes
    documents[ids] = np.repeat(
        np.fromiter(per_document, np.uint32, len(per_document)),
        np.fromiter(per_document.values(), np.int64, len(per_document)),
    )
    return Lengths(of, documents, len(ids), int(sizes.sum()), per_document)


_AT_ONCE: Final = 20_000


def problems(connection: apsw.Connection) -> Iterator[str]:
    """Yield what is wrong inside the index: rows of unknown manuals, ids or lengths that differ."""
    for kind in KINDS:
        known = read_lengths(connection, kind)
        seen = np.zeros(len(known.of), np.int64)
        cursor: Any = connection.execute(
            f"SELECT document_id, {kind}s, {kind}_counts FROM postings WHERE {kind}s <> x''"
        )
        while rows := list(islice(cursor, _AT_ONCE)):
            try:
                found = Postings.of_rows(rows)
                owners = known.documents[found.ids]
            except (IndexError, ValueError):  # more or fewer ids than counts, or unknown ones
                yield f"the text index of {kind}s is damaged"
                return
            if (owners != np.repeat(found.documents, found.sizes)).any():
                yield f"the text index says of other manuals' {kind}s what they have"
                return
            held = found.counts if kind == "page" else found.own + found.context
            seen += np.bincount(found.ids, held, len(seen)).astype(np.int64)
        if (seen > known.of).any() or ((seen == 0) & (known.of > 0)).any():
            yield f"the text index counts other words of {kind}s than they have"
