"""Of when the sources may be: a revision by its name, or a range of dates."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field

from desktop.core.library.revision_rules import date_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_ISO = r"^(?:(?:19|20)\d\d(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?)?$"
_YEAR = re.compile(r"\b((?:19|20)\d\d)\b")
_RANGES = (
    (re.compile(r"\b(?:since|from|seit|ab)\s+(.{4,24})", re.I), "date_from"),
    (re.compile(r"\b(?:until|up to|before|bis|vor)\s+(.{4,24})", re.I), "date_to"),
)
_REVISION = re.compile(
    r"\b(?:in|of|from|only|aus|nur)\s+(?:the\s+)?"
    r"((?:revision|rev\.?|edition|issue|version|ausgabe)\s+(?:[a-z]\d*(?:\.\d+)*|\d+(?:\.\d+)*))\b",
    re.I,
)


class TemporalContext(BaseModel):
    """revision: only sources of it, as it is written ("Edition 3"). Dates: ISO, a year, month or
    day, both ends included. include_undated: sources without a date count as in the range.
    """  # noqa: D205

    model_config = ConfigDict(extra="forbid", frozen=True)

    revision: str = Field(default="", max_length=80)
    date_from: str = Field(default="", pattern=_ISO)
    date_to: str = Field(default="", pattern=_ISO)
    include_undated: bool = False

    def __bool__(self) -> bool:
        """Whether it leaves anything out."""
        return bool(self.revision or self.date_from or self.date_to)

    def holds(self, revision: str, date: str) -> bool:
        """Whether a source of this revision and date is meant."""
        if self.revision and _same(revision) != _same(self.revision):
            return False
        if not (self.date_from or self.date_to):
            return True
        if not date:
            return self.include_undated
        # "2024" holds "2024-05", at either end
        after = not self.date_from or date[: len(self.date_from)] >= self.date_from[: len(date)]
        before = not self.date_to or date[: len(self.date_to)] <= self.date_to[: len(date)]
        return after and before

    def __str__(self) -> str:
        """Return "Edition 3, since 2024, until 2025"."""
        return ", ".join(
            part
            for part in (
                self.revision,
                f"since {self.date_from}" if self.date_from else "",
                f"until {self.date_to}" if self.date_to else "",
            )
            if part
        )


def temporal_context_of(question: str) -> TemporalContext:
    """Return the revision and dates that a question limits itself to, empty if it does not."""
    found: dict[str, str] = {}
    for pattern, name in _RANGES:
        match = pattern.search(question)
        date = (date_in(match[1]) or _year_in(match[1])) if match else ""
        if date:
            found[name] = date
    revision = _REVISION.search(question)
    return TemporalContext(revision=revision[1] if revision else "", **found)  # type: ignore[arg-type]


def within(
    items: Sequence[Mapping[str, Any]], temporal: TemporalContext
) -> tuple[list[dict[str, Any]], int]:
    """Return the items of that time, and how many were left out.

    An item tells its revision and date as `revision` and `date` of its `schema_object`.
    """
    kept = []
    for item in items:
        told = item.get("schema_object") or {}
        if temporal.holds(str(told.get("revision", "")), str(told.get("date", ""))):
            kept.append(dict(item))
    return kept, len(items) - len(kept)


def _year_in(text: str) -> str:
    match = _YEAR.match(text.strip())
    return match[1] if match else ""


def _same(revision: str) -> str:
    words = re.sub(r"[^\w.]+", " ", revision.casefold()).split()
    return " ".join("revision" if word.rstrip(".") == "rev" else word for word in words)
