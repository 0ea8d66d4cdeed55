"""Two reports of a bench beside each other: measures that moved, questions that changed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop.core.evaluation.columns import ROWS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


class OldReportError(ValueError):
    """The file is no report of a bench; the message says why."""


@dataclass(frozen=True, slots=True)
class MeasureChange:
    """A figure then and now; None where it was not measured."""

    name: str
    old: float | None
    new: float | None

    @property
    def difference(self) -> float | None:
        """Now less then."""
        return None if self.old is None or self.new is None else self.new - self.old


@dataclass(frozen=True, slots=True)
class QuestionChange:
    """A question that went another way than before. better, worse: what changed, in words."""

    id: str
    question: str
    better: tuple[str, ...]
    worse: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """added, gone: ids of questions that only one of the reports has."""

    measures: tuple[MeasureChange, ...]
    questions: tuple[QuestionChange, ...]
    added: tuple[str, ...]
    gone: tuple[str, ...]


def read_report(path: Path) -> list[dict[str, Any]]:
    """Return the columns of a report that `--json` printed.

    Raises: OldReportError, OSError.
    """
    try:
        found = json.loads(path.read_bytes())
    except ValueError as error:
        raise OldReportError(f"{path.name} is not JSON: {error}") from error
    columns = found.get("columns", [found]) if isinstance(found, dict) else []
    if not columns or not all(isinstance(c, dict) and "overall" in c for c in columns):
        raise OldReportError(f"{path.name} is not what `groundwork bench --json` writes")
    return list(columns)


def same_column(old: list[dict[str, Any]], new: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the old column with the decider and profile of a new one; the only one otherwise."""
    wanted = (new.get("decider"), new.get("profile"))
    for column in old:
        if (column.get("decider"), column.get("profile")) == wanted:
            return column
    return old[0] if len(old) == 1 else None


def compare(old: Mapping[str, Any], new: Mapping[str, Any]) -> Comparison:
    """Compare two columns. Questions are told apart by their ids."""
    before, now = _questions(old), _questions(new)
    changes = (_changed(before[id_], row) for id_, row in now.items() if id_ in before)
    return Comparison(
        tuple(_measures(old["overall"], new["overall"])),
        tuple(change for change in changes if change.better or change.worse),
        tuple(id_ for id_ in now if id_ not in before),
        tuple(id_ for id_ in before if id_ not in now),
    )


def _measures(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[MeasureChange]:
    for name in ROWS:
        then, now = old.get(name), new.get(name)
        if then is not None or now is not None:
            yield MeasureChange(name, then, now)


def _questions(report: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in report.get("questions", ())}


def _changed(old: Mapping[str, Any], new: Mapping[str, Any]) -> QuestionChange:
    better: list[str] = []
    worse: list[str] = []
    for name, then, now, text in _aspects(old, new):
        if then is not None and now is not None and then != now:
            (better if now > then else worse).append(f"{name} {text}")
    return QuestionChange(new["id"], new["question"], tuple(better), tuple(worse))


def _aspects(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any, str]]:
    """Yield name, value then, value now (more is better) and what is said of the change."""
    if new["gold"]:
        then, now = _place(old), _place(new)
        yield "page", -then, -now, f"{_ordinal(then)}, now {_ordinal(now)}"
    right = bool(new["gold"])
    then, now = old["answered"] == right, new["answered"] == right
    yield "answer", then, now, "answered" if new["answered"] else "refused"
    warned = (old.get("warned"), new.get("warned"))
    yield "warnings", *warned, "met" if new.get("warned") else "missed"
    for name, title in (("region_recall", "region"), ("fact_recall", "facts")):
        shares = (old.get(name), new.get(name))
        told = " to ".join("-" if each is None else f"{each:.0%}" for each in shares)
        yield title, *shares, told


_NOT_FOUND = 1_000


def _place(row: Mapping[str, Any]) -> int:
    return _NOT_FOUND if row["position"] is None else int(row["position"])


def _ordinal(place: int) -> str:
    return "not found" if place == _NOT_FOUND else f"at {place + 1}"
