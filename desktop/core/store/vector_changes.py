"""How often the text vectors of a library were changed, for whoever keeps a copy in memory.

Ids do not tell: those of units are given again when the last ones were deleted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import apsw

_KEY = "unit_vectors_changed"


def vector_changes(connection: apsw.Connection) -> int:
    """Return a number that is another one after every change of `unit_vectors`."""
    row: Any = connection.execute("SELECT value FROM meta WHERE key = ?", (_KEY,)).fetchone()
    return int(row[0]) if row else 0


def note_vector_change(connection: apsw.Connection) -> None:
    """Count a change; to be called in the transaction that adds or removes vectors."""
    connection.execute(
        "INSERT INTO meta(key, value) VALUES(?, '1')"
        " ON CONFLICT(key) DO UPDATE SET value = CAST(value AS INTEGER) + 1",
        (_KEY,),
    )
