"""Which sources a research lets in: by the tier of each in its mode, and by revision and date."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field

from desktop.core.library.sources import date_in
from desktop.core.research.errors import NoValidSourcesError
from desktop.core.settings.sections import ModeConfigs, SourceTier
from desktop.core.tiers import UNVERIFIED_TIER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

UNKNOWN_TYPE = "unknown"
METADATA = "_reasoning_metadata"
MODES = ("strict", "discovery", "monitor")
_FIRST_DOUBTFUL = 3
_WARNING = "Not from the maker, check it: "
_ISO = r"^(?:(?:19|20)\d\d(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?)?$"
_RANGES = {
    "date_from": r"\b(?:since|from|seit|ab)\s+(.{4,24})",
    "date_to": r"\b(?:until|up to|before|bis|vor)\s+(.{4,24})",
}
_REVISION = re.compile(
    r"\b(?:in|of|from|only|aus|nur)\s+(?:the\s+)?"
    r"((?:revision|rev\.?|edition|issue|version|ausgabe)\s+(?:[a-z]\d*(?:\.\d+)*|\d+(?:\.\d+)*))\b",
    re.I,
)


class SourceTierFilter:
    """Drops and marks items by the tier of their source.

    An item is a dictionary with "site" (or "source"), the name of its source, and
    "description", its words; what else it holds is kept as it is.
    """

    def __init__(
        self,
        source_tiers: Mapping[str, SourceTier | Mapping[str, Any]],
        mode_configs: ModeConfigs | None = None,
    ) -> None:
        """Keep the table, tier and type by name; names count in any case.

        Raises: pydantic.ValidationError, for an entry that is none.
        """
        self._tiers = {
            _key(name): each if isinstance(each, SourceTier) else SourceTier.model_validate(each)
            for name, each in source_tiers.items()
        }
        self._modes = mode_configs or ModeConfigs()

    def get_tier(self, source: str) -> int:
        """Return the tier of a source, 1 (best) to 5; 5 for one that nobody knows."""
        known = self._tiers.get(_key(source))
        return known.tier if known is not None else UNVERIFIED_TIER

    def get_type(self, source: str) -> str:
        """Return what kind of source it is, "unknown" for one that nobody knows."""
        known = self._tiers.get(_key(source))
        return known.type if known is not None else UNKNOWN_TYPE

    def filter_and_enrich(
        self, items: Sequence[Mapping[str, Any]], mode: str
    ) -> list[dict[str, Any]]:
        """Return the items that `mode` lets in, marked, in their order; none is changed in place.

        Each gets `_reasoning_metadata` ({tier, type, original_source}), and its description
        begins with "[Tier 4 | site note] ".

        strict: unknown sources and those of a tier worse than 2 are dropped. discovery: all are
        kept, those of tier 3 to 5 with a warning. monitor: all are kept.

        Raises: NoValidSourcesError, if none is left. ValueError, for a mode that is none.
        """
        if mode not in MODES:
            raise ValueError(f"there is no mode {mode!r}")
        kept = [self._enriched(item, mode) for item in items if self._lets_in(item, mode)]
        if not kept:
            raise NoValidSourcesError(mode, len(items))
        return kept

    def _lets_in(self, item: Mapping[str, Any], mode: str) -> bool:
        source = _source(item)
        match mode:
            case "strict":
                known = _key(source) in self._tiers
                return known and self.get_tier(source) <= self._modes.strict.max_tier
            case "discovery":
                return self.get_tier(source) <= self._modes.discovery.max_tier
            case _:
                return True

    def _enriched(self, item: Mapping[str, Any], mode: str) -> dict[str, Any]:
        source = _source(item)
        tier, kind = self.get_tier(source), self.get_type(source)
        warning = _WARNING if mode == "discovery" and tier >= _FIRST_DOUBTFUL else ""
        return {
            **item,
            "description": f"[Tier {tier} | {kind}] {warning}{item.get('description') or ''}",
            METADATA: {"tier": tier, "type": kind, "original_source": source},
        }


def tier_of_item(item: Mapping[str, Any]) -> int:
    """Return the tier that `filter_and_enrich` wrote into an item."""
    return int(item.get(METADATA, {}).get("tier", UNVERIFIED_TIER))


def _source(item: Mapping[str, Any]) -> str:
    return str(item.get("source") or item.get("site") or "").strip()


def _key(name: str) -> str:
    return " ".join(name.split()).casefold()


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
    for name, pattern in _RANGES.items():
        match = re.search(pattern, question, re.IGNORECASE)
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
    match = re.match(r"(?:19|20)\d\d\b", text.strip())
    return match[0] if match else ""


def _same(revision: str) -> str:
    words = re.sub(r"[^\w.]+", " ", revision.casefold()).split()
    return " ".join("revision" if word.rstrip(".") == "rev" else word for word in words)
