"""Notes about places in manuals."""
