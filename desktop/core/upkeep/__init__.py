"""Keeping a library whole: backups, checks, repair, and one file that carries it."""
