"""The facts of a support request: no text of documents, questions or settings."""

from __future__ import annotations

import importlib.metadata
import json
import platform
import re
import zipfile
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import desktop
from desktop.core.diagnostics.checkup import check_everything
from desktop.core.diagnostics.licences import our_parts
from desktop.core.errors import LibraryError
from desktop.core.paths import LibraryFolder
from desktop.core.settings.describing import describe
from desktop.core.store.database import Database
from desktop.core.trace.reasoning_trace import redacted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import apsw

    from desktop.core.diagnostics.checkup import Finding
    from desktop.core.settings.sections import Settings
    from desktop.core.settings.storage import LoadedSettings

_FILE = re.compile(r"[^\s/\\'\"]*[^\s/\\'\".]\.(?:pdf|docx?|json|zip|png)\b", re.IGNORECASE)
"""The last part of a path; a name with spaces loses its last word, the folder goes below."""


def scrubbed(line: str, library: Path) -> str:
    """Return a line without names of files, without the person's folders and without secrets."""
    line = line.replace(str(library), "<library>").replace(str(Path.home()), "~")
    line = re.sub(r"(['\"])(?:~|<library>|/|[A-Za-z]:\\)[^'\"]*\1", "<path>", line)
    return redacted(_FILE.sub("<file>", line))


LOG_NAME = "groundwork.log"
TAIL_BYTES = 256_000
LEFT_OUT = "(left out)"

_ENTRY = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d+ [A-Z]+ (?:desktop|knowledge)[\w.]* ")
_FRAME = re.compile(r'\s+File "(?P<path>[^"]*)", line (?P<line>\d+), in (?P<name>\S+)')
_PACKAGES = re.compile(r".*?(?:site-packages|lib-dynload|lib/python\d\.\d+)/|.*/(?=desktop/)")


def log_tail(library: Path) -> str:
    """Return the last lines of a library's log; a sentence where there is none."""
    path = LibraryFolder(library).logs / LOG_NAME
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - TAIL_BYTES))
            text = file.read().decode("utf-8", errors="replace")
    except OSError as error:
        return f"There is no log: {type(error).__name__}\n"
    lines = text.splitlines()
    if size > TAIL_BYTES:
        lines = lines[1:]  # begins somewhere within a line
    return "\n".join(_shareable_lines(lines, library)) + "\n"


def _shareable_lines(lines: Iterable[str], library: Path) -> Iterator[str]:
    """Keep entries; of a traceback only its places and type, as a message may quote a manual."""
    left_out = False
    for line in lines:
        kept = _kept(line, library)
        if kept or not left_out:
            yield kept or LEFT_OUT
        left_out = not kept


def _kept(line: str, library: Path) -> str:
    if _ENTRY.match(line):
        return scrubbed(line, library)
    frame = _FRAME.match(line)
    if frame is not None:
        place = _PACKAGES.sub("", frame["path"])
        return f"  {place}:{frame['line']} in {frame['name']}"
    raised = re.match(r"(?P<name>[A-Za-z_][\w.]*)(?::|$)", line)
    return raised["name"] if raised is not None and _is_exception(raised["name"]) else ""


def _is_exception(name: str) -> bool:
    last = name.rpartition(".")[2]
    return last.endswith(("Error", "Exception", "Interrupt", "Exit")) or "." in name


SAME, CHANGED = "as it comes", "changed"


def shareable_settings(settings: Settings) -> dict[str, Any]:
    """Return the values by dotted path; for texts, only whether and how much was written."""
    shared: dict[str, Any] = {}
    for section in describe(type(settings)):
        for field in section.fields:
            value: Any = settings
            for name in field.path:
                value = getattr(value, name)
            match field.kind:
                case "text":
                    value = f"({len(value)} characters)"
                case "json":
                    value = SAME if value == field.default else CHANGED
                case _:
                    pass
            shared[".".join(field.path)] = value
    return shared


def library_statistics(library: Path) -> dict[str, Any]:
    """Return rows by table, manuals by state, and sizes in bytes; what could not be read says so.

    The library may be open in a window.
    """
    folder = LibraryFolder(library)
    if not folder.database.exists():
        return {"state": "there is no library yet"}
    own = {path.name: path.stat().st_size for path in sorted(library.glob("*.db*"))}
    sizes = {"files": own, "originals": _of_folder(folder.originals)}
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
    rows = {n: connection.execute(f'SELECT count(*) FROM "{n}"').get for n in sorted(tables)}
    states = connection.execute("SELECT state, count(*) FROM documents GROUP BY state")
    return {
        "schema": connection.pragma("user_version"),
        "rows": rows,
        "manuals": {str(state): int(str(number)) for state, number in states},
        "pages": connection.execute("SELECT coalesce(sum(page_count), 0) FROM documents").get,
    }


def _of_folder(folder: Path) -> dict[str, int]:
    files = [path for path in folder.glob("**/*") if path.is_file()]
    return {"files": len(files), "bytes": sum(path.stat().st_size for path in files)}


ABOUT = """\
What Groundwork put together for whoever is to help.

versions.json   this program, its parts, this computer's system
findings.json   what `groundwork doctor` found
settings.json   the settings; what was written in words is left out
library.json    how many rows the library holds, and how large its files are
log.txt         the end of the log: times, counts, names of errors

There is no text of manuals, questions, answers or notes in it, and no names of files.
You can read all of it before you send it.
"""
_NAMES_MANUALS = "library"
"""The finding whose text names manuals; the statistics stand in for it."""


def bundle_name() -> str:
    """Return a name for the file, with the day."""
    return f"groundwork-diagnostics-{datetime.now():%Y-%m-%d}.zip"


def write_bundle(target: Path, library: Path, loaded: LoadedSettings) -> None:
    """Write the bundle of a library, be it open, damaged or missing. Raises: OSError."""
    findings = [_shareable(each, library) for each in check_everything(library, loaded)]
    texts = {
        "README.txt": ABOUT,
        "versions.json": _as_json(_versions()),
        "findings.json": _as_json(findings),
        "settings.json": _as_json(shareable_settings(loaded.settings)),
        "library.json": _as_json(library_statistics(library)),
        "log.txt": log_tail(library),
    }
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, text in texts.items():
            bundle.writestr(name, text)


def _shareable(finding: Finding, library: Path) -> dict[str, Any]:
    values = asdict(finding)
    if finding.subject == _NAMES_MANUALS:
        values["found"] = "see library.json"
    return {name: scrubbed(text, library) for name, text in values.items()}


def _versions() -> dict[str, Any]:
    return {
        "groundwork": desktop.__version__,
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "system": platform.platform(),
        "machine": platform.machine(),
        "parts": _parts(),
    }


def _parts() -> dict[str, str]:
    try:
        return {part.name: part.version for part in our_parts()}
    except (OSError, ValueError, importlib.metadata.PackageNotFoundError) as error:
        return {"unknown": type(error).__name__}


def _as_json(values: Any) -> str:
    return json.dumps(values, indent=2, ensure_ascii=False) + "\n"
