"""Knowledge into the values of a prompt: what an agent's `knowledge_provider` may be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

KnowledgeSource = Callable[[str], Mapping[str, str]] | Mapping[str, str] | None
"""An agent's `knowledge_provider`: none, asked with each question, or always the same."""


class FeedConflictResolution(StrEnum):
    """What happens to a value that knowledge has one for, too."""

    FEED_ONLY = "feed_only"
    """Knowledge replaces the value."""

    ATTRIBUTE_ONLY = "attribute_only"
    """The value stays, knowledge is left out."""

    MERGE = "merge"
    """Both, the value first, with a newline between."""


def resolve_knowledge(source: KnowledgeSource, user_input: str) -> dict[str, str]:
    """Return what an agent knows for an input."""
    if source is None:
        return {}
    return dict(source(user_input) if callable(source) else source)


def merge_into_feed(
    feed: Mapping[str, str],
    knowledge: Mapping[str, str],
    resolution: FeedConflictResolution = FeedConflictResolution.FEED_ONLY,
) -> dict[str, str]:
    """Return the values of a prompt with knowledge among them; a value without text is none."""
    merged = dict(feed)
    for name, text in knowledge.items():
        there = merged.get(name, "")
        if not there.strip() or resolution is FeedConflictResolution.FEED_ONLY:
            merged[name] = text
        elif resolution is FeedConflictResolution.MERGE:
            merged[name] = f"{there}\n{text}"
    return merged
