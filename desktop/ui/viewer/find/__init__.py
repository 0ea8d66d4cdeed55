"""Finding words in the manual in view."""
