"""The manuals that are open, and the way between them."""
