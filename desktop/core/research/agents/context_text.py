"""The filtered sources as agents read them: numbered from 1, none able to pretend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.core.language.untrusted_text import neutral

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_CHARACTERS_PER_TOKEN = 3.2  # rather too few: technical texts have many short pieces
_LONGEST_NAME = 120


def format_context(context: Sequence[Mapping[str, Any]], max_tokens: int = 6_000) -> str:
    """Return the sources between tags, as many as fit; a last line says how many do not."""
    room = int(max_tokens * _CHARACTERS_PER_TOKEN)
    blocks: list[str] = []
    for number, item in enumerate(context, 1):
        body = neutral(str(item.get("description", "")))
        block = f"<passage {number}: {name_of(item)}>\n{body}\n</passage {number}>"
        if len(block) > room:
            left = len(context) - number + 1
            blocks.append(f"({left} more source{'s' if left > 1 else ''} not shown)")
            break
        room -= len(block)
        blocks.append(block)
    return "\n\n".join(blocks)


def source_names(context: Sequence[Mapping[str, Any]]) -> str:
    """Return number, tier and name of each source, a line each."""
    return "\n".join(
        f"[{number}] {_tier(item)}{name_of(item)}" for number, item in enumerate(context, 1)
    )


def name_of(item: Mapping[str, Any]) -> str:
    """Return the name of a source on one line, without anything a prompt could mistake."""
    line = " ".join(neutral(str(item.get("name", ""))).split())
    return line.replace("<", "‹").replace(">", "›")[:_LONGEST_NAME]


def _tier(item: Mapping[str, Any]) -> str:
    told = item.get("_reasoning_metadata")
    return f"tier {told['tier']}, {told['type']}: " if told else ""
