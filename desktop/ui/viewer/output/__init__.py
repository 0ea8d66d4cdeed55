"""Pages on paper and as pictures."""
