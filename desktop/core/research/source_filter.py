"""Which sources a mode lets in, and the words that tell everybody how sure each one is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.core.research.errors import NoValidSourcesError
from desktop.core.settings.reasoning import ModeConfigs
from desktop.core.settings.sources import SourceTier
from desktop.core.tiers import UNVERIFIED_TIER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

UNKNOWN_TYPE = "unknown"
METADATA = "_reasoning_metadata"
MODES = ("strict", "discovery", "monitor")
_FIRST_DOUBTFUL = 3
_WARNING = "Not from the maker, check it: "


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
