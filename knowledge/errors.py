"""What can go wrong with what the agent knows.

KnowledgeError
    DomainFileError     a file of a domain cannot be used; the message says why
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class KnowledgeError(Exception):
    """Base of everything this package raises on purpose."""


class DomainFileError(KnowledgeError):
    """A file of a domain cannot be used. str() is a sentence for the person who wrote it."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path.name} is not used: {reason}")
        self.path = path
        self.reason = reason
