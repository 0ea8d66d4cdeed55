"""Finding conversations by what was asked and answered in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

    from desktop.core.conversations.values import ConversationRecord

TRIGRAM = 3
"""Shorter words are not in the index of trigrams: they are looked for in the texts."""


def conversations_with(
    connection: apsw.Connection, records: Sequence[ConversationRecord], search: str
) -> list[ConversationRecord]:
    """Return the records in which each word of `search` stands somewhere, in their order."""
    found = list(records)
    for word in search.split():
        ids = _with_turns_that_say(connection, word)
        title_part = word.casefold()
        found = [each for each in found if each.id in ids or title_part in each.title.casefold()]
    return found


def _with_turns_that_say(connection: apsw.Connection, word: str) -> set[int]:
    if len(word) < TRIGRAM:
        part = "%" + "".join(f"\\{c}" if c in "%_\\" else c for c in word) + "%"
        rows = connection.execute(
            "SELECT DISTINCT conversation_id FROM turns"
            " WHERE prompt LIKE ?1 ESCAPE '\\' OR answer LIKE ?1 ESCAPE '\\'",
            (part,),
        )
    else:
        quoted = word.replace('"', '""')
        rows = connection.execute(
            "SELECT DISTINCT conversation_id FROM turns WHERE id IN"
            " (SELECT rowid FROM turns_fts WHERE turns_fts MATCH ?)",
            (f'"{quoted}"',),
        )
    return {id_ for (id_,) in rows}
