"""Settings: declared once in sections, stored as JSON, migrated by number."""

from __future__ import annotations

BEST_TIER, UNVERIFIED_TIER = 1, 5
"""How far a source is to be trusted: 1 maker's manual or standard, 2 bulletin or company procedure,
3 training material, 4 site note, 5 unverified."""
UNKNOWN_TYPE = "unverified"  # of a source that nothing tells the type of
