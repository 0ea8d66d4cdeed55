"""Rows of a query as they are meant: apsw says of every column that it may be anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw


def all_rows(
    connection: apsw.Connection, query: str, values: Sequence[Any] = ()
) -> list[tuple[Any, ...]]:
    """Return every row of a query."""
    return connection.execute(query, values).fetchall()


def first_column(connection: apsw.Connection, query: str, values: Sequence[Any] = ()) -> list[Any]:
    """Return the first column of every row of a query."""
    return [row[0] for row in connection.execute(query, values)]
