"""How much a library holds, in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.core.errors import LibraryError
from desktop.core.paths import LibraryFolder
from desktop.core.store.database import Database

if TYPE_CHECKING:
    from pathlib import Path

    import apsw


def library_statistics(library: Path) -> dict[str, Any]:
    """Return rows by table, manuals by state, and sizes in bytes; what could not be read says so.

    The library may be open in a window.
    """
    folder = LibraryFolder(library)
    if not folder.database.exists():
        return {"state": "there is no library yet"}
    sizes = {"files": _sizes(library), "originals": _of_folder(folder.originals)}
    try:
        with Database.open(library, read_only=True) as database:
            return {"state": "readable", **database.read(_counted), **sizes}
    except (LibraryError, OSError) as error:
        return {"state": type(error).__name__, **sizes}


def _counted(connection: apsw.Connection) -> dict[str, Any]:
    tables = [
        str(name)
        for schema, name, kind, *_ in connection.execute("PRAGMA table_list")
        if schema == "main" and kind == "table" and not str(name).startswith("sqlite_")
    ]
    rows = {name: _one(connection, f'SELECT count(*) FROM "{name}"') for name in sorted(tables)}
    states = connection.execute("SELECT state, count(*) FROM documents GROUP BY state")
    return {
        "schema": _one(connection, "PRAGMA user_version"),
        "rows": rows,
        "manuals": {str(state): int(str(number)) for state, number in states},
        "pages": _one(connection, "SELECT coalesce(sum(page_count), 0) FROM documents"),
    }


def _one(connection: apsw.Connection, query: str) -> int:
    row = connection.execute(query).fetchone()
    return int(str(row[0])) if row is not None else 0


def _sizes(library: Path) -> dict[str, int]:
    """Sizes of the library's own files, whose names are ours."""
    return {path.name: path.stat().st_size for path in sorted(library.glob("*.db*"))}


def _of_folder(folder: Path) -> dict[str, int]:
    files = [path for path in folder.glob("**/*") if path.is_file()]
    return {"files": len(files), "bytes": sum(path.stat().st_size for path in files)}
