"""The end of the log for the bundle: what happened and where, never what was said in an error."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop.core.diagnostics.scrubbing import scrubbed
from desktop.core.paths import LibraryFolder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

LOG_NAME = "groundwork.log"
TAIL_BYTES = 256_000
LEFT_OUT = "(left out)"

_ENTRY = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d+ [A-Z]+ (?:desktop|knowledge)[\w.]* ")
_FRAME = re.compile(r'\s+File "(?P<path>[^"]*)", line (?P<line>\d+), in (?P<name>\S+)')
_PACKAGES = re.compile(r".*?(?:site-packages|lib-dynload|lib/python\d\.\d+)/|.*/(?=desktop/)")
_RAISED = re.compile(r"(?P<name>[A-Za-z_][\w.]*)(?::|$)")


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
    return "\n".join(_shareable(lines, library)) + "\n"


def _shareable(lines: Iterable[str], library: Path) -> Iterator[str]:
    """Keep entries; of a traceback its places and its type, as a message may quote a manual."""
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
    raised = _RAISED.match(line)
    return raised["name"] if raised is not None and _is_exception(raised["name"]) else ""


def _is_exception(name: str) -> bool:
    last = name.rpartition(".")[2]
    return last.endswith(("Error", "Exception", "Interrupt", "Exit")) or "." in name
