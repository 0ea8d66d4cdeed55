"""Writes the diagnostic bundle: a zip of small text files that a person can read before sending.

Of documents, questions, answers and notes it holds numbers alone: no text, no titles, no names
of files.
"""

from __future__ import annotations

import importlib.metadata
import json
import platform
import zipfile
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import desktop
from desktop.core.diagnostics.checkup import check_everything
from desktop.core.diagnostics.log_tail import log_tail
from desktop.core.diagnostics.scrubbing import scrubbed
from desktop.core.diagnostics.settings import shareable_settings
from desktop.core.diagnostics.statistics import library_statistics
from desktop.core.licences import our_parts

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core.diagnostics.checkup import Finding
    from desktop.core.settings.storage import LoadedSettings

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
    """Write the bundle of a library, which may be open, damaged or not there at all.

    Raises: OSError, if `target` cannot be written.
    """
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
