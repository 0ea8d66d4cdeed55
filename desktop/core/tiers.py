"""The tiers of a source: how far a manual, a bulletin or a note is to be trusted."""

BEST_TIER, UNVERIFIED_TIER = 1, 5
"""1 maker's manual or standard, 2 bulletin or company procedure, 3 training material,
4 site note, 5 unverified."""
