"""Which sources each mode lets in, and how they are marked."""

from __future__ import annotations

import copy

import pytest

from desktop.core.research.errors import NoValidSourcesError
from desktop.core.research.sources import SourceTierFilter
from desktop.core.settings.sections import ModeConfigs, StrictMode

TIERS = {
    "Operator manual": {"tier": 1, "type": "manual"},
    "Service bulletin 12": {"tier": 2, "type": "bulletin"},
    "Training course": {"tier": 3, "type": "training"},
    "Site notes": {"tier": 4, "type": "site note"},
    "Forum print": {"tier": 5, "type": "unverified"},
}


def item(site: str, description: str = "The fuse is 5 A.") -> dict:
    return {"@type": "Item", "url": f"x://{site}", "site": site, "description": description}


ITEMS = [item(site) for site in (*TIERS, "Nobody's paper")]


@pytest.fixture
def sieve() -> SourceTierFilter:
    return SourceTierFilter(TIERS)


def sites(items: list[dict]) -> list[str]:
    return [each["site"] for each in items]


def test_filter_strict_mode_tier_filtering(sieve):
    assert sites(sieve.filter_and_enrich(ITEMS, "strict")) == [
        "Operator manual",
        "Service bulletin 12",
    ]


def test_filter_strict_mode_unknown_sources(sieve):
    kept = sieve.filter_and_enrich([item("Operator manual"), item("Nobody's paper")], "strict")
    assert sites(kept) == ["Operator manual"]
    lenient = SourceTierFilter(TIERS, ModeConfigs(strict=StrictMode(max_tier=5)))
    assert "Nobody's paper" not in sites(lenient.filter_and_enrich(ITEMS, "strict"))


def test_filter_discovery_mode_keeps_all(sieve):
    kept = sieve.filter_and_enrich(ITEMS, "discovery")
    assert sites(kept) == sites(ITEMS)
    warned = ["check it" in each["description"] for each in kept]
    assert warned == [False, False, True, True, True, True]


def test_filter_monitor_mode_keeps_all(sieve):
    kept = sieve.filter_and_enrich(ITEMS, "monitor")
    assert sites(kept) == sites(ITEMS)
    assert not any("check it" in each["description"] for each in kept)


def test_enrichment_adds_tier_prefix(sieve):
    (kept,) = sieve.filter_and_enrich([item("Service bulletin 12")], "strict")
    assert kept["description"] == "[Tier 2 | bulletin] The fuse is 5 A."


def test_enrichment_adds_metadata(sieve):
    kept = sieve.filter_and_enrich([item("Site notes"), item("Nobody's paper")], "monitor")
    assert kept[0]["_reasoning_metadata"] == {
        "tier": 4,
        "type": "site note",
        "original_source": "Site notes",
    }
    assert kept[1]["_reasoning_metadata"]["tier"] == 5
    assert kept[1]["_reasoning_metadata"]["type"] == "unknown"


def test_no_valid_sources_error_raised(sieve):
    with pytest.raises(NoValidSourcesError, match="strict") as caught:
        sieve.filter_and_enrich([item("Forum print"), item("Nobody's paper")], "strict")
    assert (caught.value.mode, caught.value.dropped) == ("strict", 2)
    with pytest.raises(NoValidSourcesError, match="Nothing readable was found"):
        sieve.filter_and_enrich([], "discovery")


def test_a_source_is_known_in_any_case_and_by_either_key(sieve):
    assert sieve.get_tier("  operator MANUAL ") == 1
    assert sieve.get_tier("who?") == 5
    by_source = [{"source": "Training course", "description": None}]
    (kept,) = sieve.filter_and_enrich(by_source, "monitor")
    assert kept["description"] == "[Tier 3 | training] "


def test_items_are_not_changed_in_place_and_keep_their_order(sieve):
    before = copy.deepcopy(ITEMS)
    sieve.filter_and_enrich(ITEMS, "discovery")
    assert before == ITEMS


def test_a_mode_that_there_is_not_is_refused(sieve):
    with pytest.raises(ValueError, match="no mode"):
        sieve.filter_and_enrich(ITEMS, "lenient")
