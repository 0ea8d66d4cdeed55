"""What earlier research left on the disk, also that which was killed."""

from __future__ import annotations

import json
import logging
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import psutil

from desktop.core.research.iteration_log import PARTIAL, RUNNING, SUMMARY

if TYPE_CHECKING:
    from pathlib import Path

logger = logging.getLogger(__name__)

INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class PastRun:
    """status: as it ended; "interrupted" if it never could say so. report: Markdown, "" without.

    iterations: how many were begun. steps: the files that tell what each agent did, in order.
    """

    query_id: str
    query: str
    mode: str
    status: str
    iterations: int
    begun: str
    report: str
    steps: tuple[Path, ...]


def past_runs(folder: Path) -> list[PastRun]:
    """Return what can be read of every run, the latest first."""
    if not folder.is_dir():
        return []
    found = (read_run(each) for each in folder.iterdir() if (each / SUMMARY).is_file())
    return sorted((run for run in found if run), key=lambda run: run.begun, reverse=True)


def read_run(folder: Path) -> PastRun | None:
    """Return what a run left, None if nothing of it can be read."""
    try:
        summary: dict[str, Any] = json.loads((folder / SUMMARY).read_text(encoding="utf-8"))
        status = str(summary["final_status"])
        if status == RUNNING and not _lives(int(summary.get("process", 0))):
            status = INTERRUPTED
        partial = folder / PARTIAL
        return PastRun(
            query_id=str(summary["query_id"]),
            query=str(summary.get("metadata", {}).get("query", "")),
            mode=str(summary["mode"]),
            status=status,
            iterations=int(summary["total_iterations"]),
            begun=str(summary.get("begun", "")),
            report=partial.read_text(encoding="utf-8") if partial.is_file() else "",
            steps=tuple(sorted(folder.glob("iteration_*.json"), key=lambda p: p.stat().st_mtime)),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        logger.warning("research %s cannot be read: %s", folder.name, type(error).__name__)
        return None


def _lives(process: int) -> bool:
    return process == os.getpid() or (process > 0 and psutil.pid_exists(process))
