"""A question as the searchers see it."""

from __future__ import annotations

from dataclasses import dataclass

from desktop.core.retrieval.tokens import query_terms

TermGroup = tuple[str, ...]
"""Alternative index terms for one word of the question; any of them counts as the word."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question and its meaningful words, as term groups.

    wording: what a text model reads of it.
    """

    text: str
    groups: tuple[TermGroup, ...]

    @classmethod
    def parse(cls, text: str) -> Question:
        """Read a question; one without meaningful words has no groups."""
        return cls(text, tuple(query_terms(text)))

    @property
    def wording(self) -> str:
        """What a text model reads: the question as it was asked."""
        return " ".join(self.text.split())
