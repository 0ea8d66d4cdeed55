"""What was retrieved, as material for a summary, and what a summary may keep of it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from desktop.core.agent.environment import NOT_FOR_MODELS
from desktop.core.language.untrusted_text import neutral

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop.core.agent.environment import Environment

# What says where something stands, and not what it says.
_LEFT_OUT = NOT_FOR_MODELS | {"repeated"}
_REFERENCES = re.compile(r"\s*\[\s*([\w.:-]+(?:\s*[,;]\s*[\w.:-]+)*)\s*\]")
_CHARACTERS_PER_TOKEN = 4


def portions(
    environment: Environment, count_tokens: Callable[[str], int], budget: int
) -> tuple[list[str], int]:
    """Return the shown objects as texts of at most `budget` tokens, one object a line.

    And how many objects are larger than that by themselves and stand in none: no object is
    cut. count_tokens may block.
    """
    texts: list[list[str]] = []
    left, left_out = 0, 0
    for _, _, found in environment.objects():
        line = _line(found)
        cost = count_tokens(line)
        if cost > budget:
            left_out += 1
            continue
        if cost > left:
            texts.append([])
            left = budget
        texts[-1].append(line)
        left -= cost
    return ["\n".join(lines) for lines in texts], left_out


def traceable(summary: str, environment: Environment) -> tuple[str, tuple[str, ...]]:
    """Return the statements of a summary that name what they came from, and those `_REF_ID`s.

    A `_REF_ID` that does not exist is taken out, and a statement that is left without any.
    """
    kept: list[str] = []
    references: dict[str, None] = {}
    for line in summary.split("\n"):
        here: dict[str, None] = {}
        for found in _REFERENCES.finditer(line):
            named = re.split(r"\s*[,;]\s*", found.group(1))
            here.update(dict.fromkeys(n for n in named if environment.object_of(n) is not None))
        words = _REFERENCES.sub(_only_other_brackets(environment), line).strip()
        if here and words:
            kept.append(f"{words} [{', '.join(here)}]")
            references.update(here)
    return "\n".join(kept), tuple(references)


def best_objects(environment: Environment, max_tokens: int) -> tuple[str, ...]:
    """Return the `_REF_ID`s to keep without a model: the first of each result, the last result's
    before the others', as many as fit.
    """  # noqa: D205
    ranked = sorted(environment.objects(), key=lambda item: (item[1], -item[0]))
    kept: list[str] = []
    for _, _, found in ranked:
        cost = len(json.dumps(found, ensure_ascii=False, default=str)) // _CHARACTERS_PER_TOKEN + 1
        if cost <= max_tokens:
            kept.append(found["_REF_ID"])
            max_tokens -= cost
    return tuple(kept)


def _line(found: Mapping[str, Any]) -> str:
    shown = {key: value for key, value in found.items() if key not in _LEFT_OUT}
    return neutral(json.dumps(shown, ensure_ascii=False, default=str))


def _only_other_brackets(environment: Environment) -> Callable[[re.Match[str]], str]:
    """Return what takes references out, those that do not exist too, and leaves "[5 A]" alone."""

    def replaced(found: re.Match[str]) -> str:
        named = re.split(r"\s*[,;]\s*", found.group(1))
        are = all(environment.object_of(n) is not None or "_" in n for n in named)
        return "" if are else found.group()

    return replaced
