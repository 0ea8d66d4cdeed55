"""A command that was understood and cannot be done here."""

from __future__ import annotations

from typer.exceptions import TyperException


class Refused(TyperException):
    """Ends the command with 1; the message is a sentence with what to do."""

    exit_code = 1

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self._message = message

    def format_message(self) -> str:
        """Return what to print."""
        return self._message
