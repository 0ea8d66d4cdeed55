"""Long work as plain generators that can be cancelled between steps."""

from __future__ import annotations

import threading


class Cancelled(Exception):  # noqa: N818 - an outcome, not an error
    """Raised by `CancelToken.check` when somebody asked the job to stop."""


class CancelToken:
    """A flag that one thread sets and a job reads between its steps."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        """Ask the job to stop at its next step."""
        self._event.set()

    @property
    def cancelled(self) -> bool:
        """Whether the job was asked to stop."""
        return self._event.is_set()

    def check(self) -> None:
        """Raise `Cancelled` if the job was asked to stop."""
        if self._event.is_set():
            raise Cancelled
