"""How deep research works: how long its agents may think, and what each mode lets in."""

from __future__ import annotations

from pydantic import Field

from desktop.core.settings.sections import Section
from desktop.core.tiers import BEST_TIER, UNVERIFIED_TIER


class StrictMode(Section):
    """Only what can be relied on."""

    max_tier: int = Field(
        default=2,
        ge=BEST_TIER,
        le=UNVERIFIED_TIER,
        title="Worst tier let in",
        description="Sources of a worse tier, and unknown ones, are left out.",
    )


class DiscoveryMode(Section):
    """Everything, with a warning at what is less sure."""

    max_tier: int = Field(
        default=5,
        ge=BEST_TIER,
        le=UNVERIFIED_TIER,
        title="Worst tier let in",
        description="5 lets everything in.",
    )


class MonitorMode(Section):
    """What the site believes against what the maker says."""

    compare_tiers: tuple[int, int] = Field(
        default=(1, 5),
        title="Tiers compared",
        description="The best tier, and the worst of those that it is compared with; notes and "
        "documents of tier 4 belong to them.",
    )


class ModeConfigs(Section):
    """What each mode lets in."""

    strict: StrictMode = Field(default_factory=StrictMode, title="Strict")
    discovery: DiscoveryMode = Field(default_factory=DiscoveryMode, title="Discovery")
    monitor: MonitorMode = Field(default_factory=MonitorMode, title="Monitor")


class ReasoningSettings(Section):
    """Deep research: an analyst, a critic and a writer work on one question."""

    enabled: bool = Field(
        default=True,
        title="Deep research",
        description="When off, such questions are answered by an ordinary search.",
    )
    max_iterations: int = Field(
        default=3,
        ge=1,
        le=10,
        title="Rounds",
        description="How often the analyst may work the critic's objections in.",
    )
    analyst_timeout: float = Field(
        default=60.0, gt=0, title="Analyst, seconds", description="For one draft."
    )
    critic_timeout: float = Field(
        default=30.0, gt=0, title="Critic, seconds", description="For one review."
    )
    writer_timeout: float = Field(
        default=45.0, gt=0, title="Writer, seconds", description="For the report."
    )
    time_limit_seconds: float = Field(
        default=420.0,
        gt=0,
        title="Time for all",
        description="After that the report is made of what there is.",
    )
    pages_per_search: int = Field(
        default=8, ge=1, le=50, title="Pages per search", description="That each search adds."
    )
    max_sources: int = Field(
        default=24,
        ge=2,
        le=200,
        title="Most sources",
        description="Pages and notes that are read for one question.",
    )
    site_notes: int = Field(
        default=100,
        ge=1,
        le=2_000,
        title="Site statements compared",
        description="Notes that one comparison with the manuals looks at.",
    )
    mode_configs: ModeConfigs = Field(
        default_factory=ModeConfigs, title="Modes", description="Which tiers each mode lets in."
    )
