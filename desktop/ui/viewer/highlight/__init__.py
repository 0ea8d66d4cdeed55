"""The numbered regions of an answer."""
