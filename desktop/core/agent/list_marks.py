"""How much of each part of a list is highlighted.

Steps that are marked from end to end cover half a page, and nobody sees where to begin. So the
eye is led down the list: the sentence that announces it and the part nearest to the question
are marked at length, of every other part its opening clause.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.core.agent.quote_choice import ChosenQuotes

# All in heights of the line: about a clause and a half each ...
_ANNOUNCEMENT = 30.0
_NEAREST = 25.0
# ... and so much for all marks of the list together, as far as the shortest allow.
_ALL = 60.0
_USUAL = 20.0
_SHORTEST = 4.0
_LONGEST = 20.0


def part_lengths(chosen: ChosenQuotes) -> list[float]:
    """Return how long the mark of each quote may be, in heights of its line; 0 if no list."""
    quotes = chosen.quotes
    if not chosen.listed:
        return [0.0] * len(quotes)
    announced = quotes[0].quote.text.rstrip().endswith(":")
    parts = quotes[1:] if announced else quotes
    nearest = max(parts, key=lambda item: item.score)
    spent = _USUAL + (_NEAREST if announced or chosen.heading else 0.0)
    share = (_ALL - spent) / max(1, len(parts) - 1)
    each = min(_LONGEST, max(_SHORTEST, share))
    lengths = [_NEAREST if item is nearest else each for item in parts]
    return [_ANNOUNCEMENT, *lengths] if announced else lengths
