"""Takes out of a line what tells of a person: their folders, passwords and keys."""

from __future__ import annotations

import re
from pathlib import Path

from desktop.core.trace.redaction import redacted

_FILE = re.compile(r"[^\s/\\'\"]*[^\s/\\'\".]\.(?:pdf|docx?|json|zip|png)\b", re.IGNORECASE)
"""The last part of a path; a name with spaces loses its last word, the folder goes below."""
_QUOTED_PATH = re.compile(r"(['\"])(?:~|<library>|/|[A-Za-z]:\\)[^'\"]*\1")


def scrubbed(line: str, library: Path) -> str:
    """Return a line without names of files, without the person's folders and without secrets."""
    line = line.replace(str(library), "<library>").replace(str(Path.home()), "~")
    line = _QUOTED_PATH.sub("<path>", line)
    return redacted(_FILE.sub("<file>", line))
