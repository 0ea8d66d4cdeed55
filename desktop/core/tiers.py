"""How far a document is to be trusted: a number, the lower the better."""

BEST_TIER, UNVERIFIED_TIER = 1, 5
"""1 maker's manual or standard, 2 bulletin or company procedure, 3 training material,
4 site note, 5 unverified."""
