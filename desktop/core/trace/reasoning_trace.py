"""A reasoning trace: the steps of one question, what can be read off them, and no secrets.

Passwords, keys and tokens are cut where they begin. What a secret is, the knowledge base decides
(`knowledge.security`): a trace keeps nothing that a note would be refused for.
"""

from __future__ import annotations

import importlib.util
import json
import re
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from desktop.sentences import counted, joined
from knowledge.security import secret_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop.core.events import ResearchStage

_EMPTY: tuple[Any, ...] = (None, (), {}, "")
# Each takes so much of what is left. They only order answers: nothing was fitted, because the
# answers of a bench are hardly ever corrected.
_FAILED_STEP = 0.97
_CORRECTED = 0.9
_LEFT = 0.6
_MOST = 3
_LONGEST_LINE = 200
_MOST_EVIDENCE = 3
_MOST_EARLIER = 6


class ReasoningStage(StrEnum):
    """Who wrote the entry.

    PLANNING: the planner and the decider. EXECUTION: a tool. VERIFICATION: the critic,
    looking at an answer. CORRECTION: the critic, saying what to do differently.
    FINALIZATION: the checks at the end.
    """

    PLANNING = "planning"
    EXECUTION = "execution"
    VERIFICATION = "verification"
    CORRECTION = "correction"
    FINALIZATION = "finalization"


class OutcomeStatus(StrEnum):
    """What came of a step. SKIPPED: another step made it needless or impossible."""

    PENDING = "pending"
    SUCCESS = "success"
    PARTIAL = "partial"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class ReasoningEntry:
    """A step; every text is without secrets.

    timestamp: ISO 8601 in UTC, when it began. action: the tool or agent that was called, None
    for a thought alone. parameters: its inputs. attachments: what was found or made, each
    {"type": "page" | "region" | "file", ...}: a page has document_id, document, page (from 0)
    and label, a region also regions (boxes in PDF points, top-left origin), a file its path.
    metrics: milliseconds, tokens_in, tokens_out, score (of the best hit), hits.
    """

    entry_id: str
    interaction_id: str
    timestamp: str
    stage: ReasoningStage
    thought: str
    action: str | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    evidence: tuple[str, ...] = ()
    outcome: OutcomeStatus = OutcomeStatus.PENDING
    error: str | None = None
    commitments: tuple[str, ...] = ()
    attachments: tuple[dict[str, Any], ...] = ()
    corrections: tuple[str, ...] = ()
    metrics: dict[str, float] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, without the fields that are empty."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {key: _plain(value) for key, value in values.items() if value not in _EMPTY}


def _plain(value: Any) -> Any:
    if isinstance(value, StrEnum):
        return value.value
    return list(value) if isinstance(value, tuple) else value


@dataclass(slots=True)
class ReasoningTrace:
    """One question of a session.

    outcome: of the whole question, pending while it runs. confidence: of its answer, 0 to 1,
    None before there is one. fulfilled: the commitments that were kept. turn_id: of the stored
    turn it belongs to, None for none.
    """

    interaction_id: str
    user_request: str
    started_at: str
    entries: list[ReasoningEntry] = field(default_factory=list)
    outcome: OutcomeStatus = OutcomeStatus.PENDING
    confidence: float | None = None
    fulfilled: list[str] = field(default_factory=list)
    turn_id: int | None = None

    @property
    def commitments(self) -> list[str]:
        """What was promised, in order, no repeats."""
        return _once(c for entry in self.entries for c in entry.commitments)

    @property
    def pending_commitments(self) -> list[str]:
        """What was promised and is not yet kept."""
        return [each for each in self.commitments if each not in self.fulfilled]

    @property
    def corrections(self) -> list[str]:
        """What the critic said to do differently."""
        return _once(c for entry in self.entries for c in entry.corrections)

    @property
    def attachments(self) -> list[dict[str, Any]]:
        """Pages, regions and files that were found or made, no repeats."""
        found: list[dict[str, Any]] = []
        for entry in self.entries:
            found += [each for each in entry.attachments if each not in found]
        return found

    def at_stage(self, stage: ReasoningStage) -> list[ReasoningEntry]:
        """Return the entries of one stage."""
        return [entry for entry in self.entries if entry.stage is stage]


def _once(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))


def confidence_of(trace: ReasoningTrace | None, answer: float) -> tuple[float, str]:
    """Return an answer's confidence and what lowered it. answer: what its writer says, 0 to 1."""
    if trace is None:
        return answer, ""
    failed = sum(
        entry.outcome is OutcomeStatus.FAILED for entry in trace.at_stage(ReasoningStage.EXECUTION)
    )
    reviews = trace.at_stage(ReasoningStage.VERIFICATION)
    left = int(reviews[-1].metrics.get("left", 0)) if reviews else 0
    corrected = max(0, int(reviews[-1].metrics.get("findings", 0)) - left) if reviews else 0
    parts = (
        (failed, _FAILED_STEP, counted(failed, "1 failed step", "{n} failed steps")),
        (corrected, _CORRECTED, counted(corrected, "1 correction", "{n} corrections")),
        (left, _LEFT, counted(left, "1 doubt left", "{n} doubts left")),
    )
    reasons = []
    for count, factor, reason in parts:
        if count:
            answer *= factor ** min(count, _MOST)
            reasons.append(reason)
    return round(answer, 4), joined(reasons) if reasons else ""


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
    return (
        line if len(line) <= _LONGEST_LINE else line[: _LONGEST_LINE - 1].rsplit(" ", 1)[0] + " …"
    )


AVAILABLE = importlib.util.find_spec("detect_secrets") is not None
"""Without the patterns of known secrets nothing may be recorded."""

REMOVED = "***"


def redacted(text: str) -> str:
    """Return `text` without its secrets; from a secret to its line's end nothing is kept."""
    if secret_in(text) is None:
        return text
    return "\n".join(map(_cut_line, text.split("\n")))


def redacted_values(values: Any, name: str = "") -> Any:
    """Return plain values (of JSON) with every text in them redacted.

    name: the key they are stored under: {"password": "x"} is a secret only together
    with it.
    """
    if isinstance(values, str):
        if name and secret_in(f"{name}: {values}") and not secret_in(values):
            return REMOVED
        return redacted(values)
    if isinstance(values, dict):
        return {str(key): redacted_values(value, str(key)) for key, value in values.items()}
    if isinstance(values, (list, tuple)):
        return [redacted_values(value, name) for value in values]
    if isinstance(values, (int, float, bool)) or values is None:
        return values
    return redacted(str(values))


def warm_up() -> None:
    """Load the patterns, a third of a second the first time; blocks."""
    secret_in("nothing://secret-in-here-0")


def _cut_line(line: str) -> str:
    """Cut a line before the last word without which there would be no secret in it."""
    if secret_in(line) is None:
        return line
    for word in reversed(list(re.finditer(r"\S+", line))):
        without = line[: word.start()] + REMOVED + line[word.end() :]
        if secret_in(without) is None:
            kept = f"{line[: word.start()]}{REMOVED}"
            return kept if secret_in(kept) is None else REMOVED
    return REMOVED


REASONING_STAGES: dict[ResearchStage, ReasoningStage] = {
    "gather": ReasoningStage.EXECUTION,
    "filter": ReasoningStage.PLANNING,
    "analyst": ReasoningStage.EXECUTION,
    "search": ReasoningStage.EXECUTION,
    "critic": ReasoningStage.VERIFICATION,
    "writer": ReasoningStage.FINALIZATION,
}
"""Under which stage each stage of a research is shown."""
