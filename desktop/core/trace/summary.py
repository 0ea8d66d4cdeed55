"""A trace in a few lines, for a prompt: what was done, and what to do otherwise."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.trace.entry import ReasoningEntry
    from desktop.core.trace.reasoning_trace import ReasoningTrace

_LONGEST = 200
_MOST_EVIDENCE = 3
_MOST_EARLIER = 6


def summary_of(
    trace: ReasoningTrace,
    earlier: Sequence[ReasoningTrace],
    max_entries: int,
    *,
    corrections_only: bool,
) -> str:
    """Return the last entries of a trace and the corrections of earlier ones; "" if none."""
    parts: list[str] = []
    if not corrections_only and trace.entries and max_entries > 0:
        shown = trace.entries[-max_entries:]
        parts += ["Reasoning so far:", *map(_line, shown)]
        if trace.pending_commitments:
            parts.append(f"Still to be delivered: {', '.join(trace.pending_commitments)}")
    if corrections_only and trace.corrections:
        parts += ["Corrections:", *(f"- {_cut(each)}" for each in trace.corrections)]
    before = [
        (each.user_request, correction) for each in earlier for correction in each.corrections
    ]
    before = list(dict.fromkeys(before))[-_MOST_EARLIER:]
    if before:
        parts.append("Corrections of earlier questions of this session:")
        parts += [f"- {_cut(correction)} (asked: {_cut(asked)})" for asked, correction in before]
    return "\n".join(parts)


def _line(entry: ReasoningEntry) -> str:
    call = ""
    if entry.action:
        inputs = json.dumps(entry.parameters, ensure_ascii=False, default=str)
        call = f" {entry.action}{_cut(inputs) if entry.parameters else ''}"
    line = f"- {entry.stage}{call} ({entry.outcome}): {_cut(entry.thought)}"
    if entry.evidence:
        line += f" Found: {_cut('; '.join(entry.evidence[:_MOST_EVIDENCE]))}"
    if entry.error:
        line += f" Error: {_cut(entry.error)}"
    if entry.corrections:
        line += f" Do instead: {_cut('; '.join(entry.corrections))}"
    return line


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1].rsplit(" ", 1)[0] + " …"
