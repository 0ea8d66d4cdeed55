"""What every agent was told and replied, on disk while the research runs.

    research/<query_id>/iteration_1_analyst.json
                        iteration_1_critic.json
                        session_summary.json
                        partial_report.md

Each file appears whole or not at all and is on the disk when a method returns, so that a run
that is killed leaves everything up to its last finished step.
"""

from __future__ import annotations

import json
import logging
import os
import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import psutil

from desktop.core.library.editions import slug
from desktop.core.paths import write_whole
from desktop.core.trace.reasoning_trace import redacted, redacted_values

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

logger = logging.getLogger(__name__)

SUMMARY, PARTIAL = "session_summary.json", "partial_report.md"
RUNNING = "running"
INTERRUPTED = "interrupted"


def new_query_id(query: str) -> str:
    """Return an id that sorts by time and can be read: "20261122-081500-what-torque-1a2b"."""
    about = slug(query)[:40].strip("-") or "answer"
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{about}-{secrets.token_hex(2)}"


class IterationLogger:
    """Writes the files of one question. Secrets are taken out."""

    def __init__(self, query_id: str, folder: Path) -> None:
        """Make the folder `<folder>/<query_id>`. Raises: ValueError, for no plain name; OSError."""
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,120}", query_id) or ".." in query_id:
            raise ValueError(f"{query_id!r} is no name of a folder")
        self.query_id = query_id
        self.folder = folder / query_id
        self.folder.mkdir(parents=True, exist_ok=True)
        self._begun = _now()

    def log_agent_output(
        self,
        iteration: int,
        agent_name: str,
        input_prompt: object,
        output_response: object,
        metadata: Mapping[str, Any] | None = None,
    ) -> Path:
        """Write what an agent was told and what it replied; returns the file.

        An agent that works twice in an iteration gets a second file, "..._analyst_2.json".

        Raises: OSError.
        """
        path = self._free(f"iteration_{iteration}_{agent_name}")
        self._write(
            path,
            {
                "query_id": self.query_id,
                "iteration": iteration,
                "agent": agent_name,
                "at": _now(),
                "input": input_prompt,
                "output": output_response,
                "metadata": dict(metadata or {}),
            },
        )
        return path

    def log_summary(
        self,
        total_iterations: int,
        final_status: str,
        mode: str,
        metadata: Mapping[str, Any] | None = None,
    ) -> Path:
        """Write how the research stands or ended; returns the file. Raises: OSError."""
        path = self.folder / SUMMARY
        self._write(
            path,
            {
                "query_id": self.query_id,
                "begun": self._begun,
                "updated": _now(),
                "process": os.getpid(),
                "total_iterations": total_iterations,
                "final_status": final_status,
                "mode": mode,
                "metadata": dict(metadata or {}),
            },
        )
        return path

    def keep_partial(self, report: str) -> None:
        """Write what could be reported if the research ended now. Raises: OSError."""
        write_whole(self.folder / PARTIAL, redacted(report).encode(errors="replace"))

    def _free(self, stem: str) -> Path:
        path = self.folder / f"{stem}.json"
        number = 2
        while path.exists():
            path = self.folder / f"{stem}_{number}.json"
            number += 1
        return path

    def _write(self, path: Path, values: dict[str, Any]) -> None:
        text = json.dumps(redacted_values(values), ensure_ascii=False, indent=2) + "\n"
        write_whole(path, text.encode(errors="replace"))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


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
        process = int(summary.get("process", 0))
        alive = process == os.getpid() or (process > 0 and psutil.pid_exists(process))
        if status == RUNNING and not alive:
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
