"""What was said before, as the agent is told it: short, and without citation marks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

HISTORY_TURNS = 6
MESSAGE_CHARACTERS = 1_200
"""Of one answer: the beginning says what it was about."""
HISTORY_CHARACTERS = 6_000

_MARK = re.compile(r"[ \t]*\[\d{1,3}\]")


def messages(
    said: Sequence[tuple[str, str]], most_characters: int = HISTORY_CHARACTERS
) -> list[dict[str, str]]:
    """Return questions and answers as messages, oldest first.

    said: (question, answer) of the last turns, oldest first; the answer may be empty.
    most_characters: of all contents together; what is older is left out, a turn as a whole.
    """
    kept: list[list[dict[str, str]]] = []
    room = most_characters
    for question, answer in reversed(said):
        turn = [{"role": "user", "content": shortened(question)}]
        plain = without_marks(answer)
        if plain:
            turn.append({"role": "assistant", "content": shortened(plain)})
        room -= sum(len(message["content"]) for message in turn)
        if room < 0:
            break
        kept.append(turn)
    return [message for turn in reversed(kept) for message in turn]


def without_marks(answer: str) -> str:
    """Return an answer without its citation marks: they mean nothing beside other sources."""
    return _MARK.sub("", answer).strip()


def shortened(text: str, most: int = MESSAGE_CHARACTERS) -> str:
    """Return a text cut at a word."""
    text = text.strip()
    if len(text) <= most:
        return text
    cut = text[: most - 2]
    return (cut.rsplit(None, 1)[0] if " " in cut else cut) + " …"
