"""Benches: one name each, its baseline in the same run, one format of results."""
