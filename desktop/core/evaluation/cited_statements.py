"""An answer's text as statements with the citations that stand behind them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MARKS = re.compile(r"(?:\s*\[\d{1,3}\])+")
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class CitedStatement:
    """What is said between two citation marks. cited: empty if no mark follows on its line."""

    text: str
    cited: tuple[int, ...]

    @property
    def is_opening(self) -> bool:
        """Whether it only announces what follows, and claims nothing."""
        return not self.cited and self.text.endswith(":")


def cited_statements(answer: str) -> tuple[CitedStatement, ...]:
    """Split an answer. Marks belong to the words before them, back to the line's begin."""
    found: list[CitedStatement] = []
    for line in answer.splitlines():
        end = 0
        for marks in _MARKS.finditer(line):
            cited = tuple(dict.fromkeys(int(n) for n in _NUMBER.findall(marks.group())))
            _add(found, line[end : marks.start()], cited)
            end = marks.end()
        _add(found, line[end:], ())
    return tuple(found)


def without_marks(answer: str) -> str:
    """Return the answer's words alone: a mark's number is no number of the equipment."""
    return "\n".join(statement.text for statement in cited_statements(answer))


def _add(found: list[CitedStatement], text: str, cited: tuple[int, ...]) -> None:
    text = text.strip()
    if any(character.isalnum() for character in text):
        found.append(CitedStatement(text, cited))
