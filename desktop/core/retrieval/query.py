"""What a search is asked for, and which manuals it may look into."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import apsw


@dataclass(frozen=True, slots=True)
class Query:
    """A question for the index.

    before: the question that was asked before it, which it may be a follow-up of.
    document_ids: search only these manuals. tiers: only manuals of these, 1 (a maker's manual)
    to 5 (unverified). tags: only manuals that have one of them, in any case. Empty means all.
    limit: pages to return.
    """

    text: str
    document_ids: frozenset[int] = frozenset()
    limit: int = 10
    tiers: frozenset[int] = frozenset()
    tags: frozenset[str] = frozenset()
    before: str = ""

    def documents(self, connection: apsw.Connection) -> tuple[int, ...] | None:
        """Return the manuals to search, in order of their ids; () if none fits, None for all."""
        if not (self.tiers or self.tags):
            return tuple(sorted(self.document_ids)) or None
        wanted = {tag.casefold() for tag in self.tags}
        return tuple(
            document_id
            for document_id, tier, tags in connection.execute(
                "SELECT id, tier, tags FROM documents ORDER BY id"
            )
            if (not self.document_ids or document_id in self.document_ids)
            and (not self.tiers or tier in self.tiers)
            and (not wanted or wanted.intersection(_folded(str(tags))))
        )


def _folded(tags: str) -> set[str]:
    return {str(tag).casefold() for tag in json.loads(tags)}
