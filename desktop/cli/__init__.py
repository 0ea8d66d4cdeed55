"""The command line. Each command has a file; heavy things are imported when one runs."""

from desktop.cli.application import main

__all__ = ["main"]
