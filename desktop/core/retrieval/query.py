"""What a search is asked for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Query:
    """A question for the index.

    document_ids: search only these manuals; empty means all. limit: pages to return.
    """

    text: str
    document_ids: frozenset[int] = frozenset()
    limit: int = 10
