"""The table that says how far documents are to be trusted, by words in their names."""

from __future__ import annotations

from pydantic import Field

from desktop.core.settings.sections import Section
from desktop.core.tiers import BEST_TIER, UNVERIFIED_TIER


class SourceTier(Section):
    """How far a source is to be trusted, and what kind it is."""

    tier: int = Field(
        ge=BEST_TIER,
        le=UNVERIFIED_TIER,
        title="Tier",
        description="1 maker's manual or standard, 2 bulletin or company procedure, 3 training "
        "material, 4 site note, 5 unverified.",
    )
    type: str = Field(min_length=1, max_length=40, title="Type", description="Such as 'bulletin'.")


def _tiers(tier: int, kind: str, *patterns: str) -> dict[str, SourceTier]:
    return {pattern: SourceTier(tier=tier, type=kind) for pattern in patterns}


# The more telling words come first: a "training manual" is training, a "bulletin on the
# operator manual" a bulletin.
DEFAULT_TABLE: dict[str, SourceTier] = {
    **_tiers(
        4,
        "site note",
        *("site note*", "field note*", "logbook", "shift log", "handover note*", "site report"),
        *("visit report", "betriebstagebuch"),
    ),
    **_tiers(
        3,
        "training",
        *("training manual", "training course", "training material*", "training handbook"),
        *("training guide", "training module", "course notes", "course material*", "course book"),
        *("lesson *", "slides", "presentation", "workbook", "webinar", "schulung*", "training"),
    ),
    **_tiers(
        2,
        "bulletin",
        *("service bulletin*", "technical bulletin*", "safety bulletin*", "bulletin", "recall"),
        *("service letter*", "service information", "field safety notice", "product notice"),
        *("technical note", "errata", "erratum", "servicemitteilung"),
    ),
    **_tiers(
        2,
        "procedure",
        *("standard operating procedure*", "sop", "company procedure*", "work instruction*"),
        *("method statement", "site procedure*", "permit to work", "betriebsanweisung"),
        "arbeitsanweisung",
    ),
    **_tiers(
        1,
        "standard",
        *("international standard", "european standard", "british standard", "iso *", "iec *"),
        *("en 1*", "en 5*", "en 6*", "din en *", "nfpa *", "ansi *"),
    ),
    **_tiers(
        1,
        "manual",
        *("*manual*", "*handbook*", "*handbuch*", "*anleitung*", "user* guide", "setup guide"),
        *("installation guide", "* guide", "reference", "datasheet", "data sheet", "datenblatt"),
        *("schematic*", "wiring diagram*", "schaltplan", "parts list", "parts catalog*"),
        *("instructions", "manuel*", "notice d *", "manuale*", "specification*"),
    ),
}
"""A document that none of these fits is unverified."""


class SourceTierSettings(Section):
    """How far documents are to be trusted, when nobody says it of one by hand."""

    table: dict[str, SourceTier] = Field(
        default_factory=lambda: dict(DEFAULT_TABLE),
        title="Kinds of documents",
        description="Words that stand in a document's title, file name or on its first page, and "
        "what they make of it; '*' stands for any letters. The first that fits counts. The name of "
        "a document counts before all others.",
    )
