"""The markers that DSPy's chat format puts around fields, taken out of a text as it is written.

`[[ ## name ## ]]` stands before each field and one for `completed` after the last. An answer with
one field needs none, and some models write them all the same. DSPy's own listener holds text back
for up to ten tokens, and loses what follows a "[["; here a marker is recognised exactly, and only
what could still become one is held.
"""

from __future__ import annotations


def marker(field: str) -> str:
    """Return the marker before a field's value."""
    return f"[[ ## {field} ## ]]"


COMPLETED = marker("completed")


class UnmarkedText:
    """The value of a field, which arrives in pieces.

    White space around it is no part of it, and nothing that follows `COMPLETED`.
    """

    def __init__(self, field: str) -> None:
        self._before = marker(field)
        self._held = ""
        self._space = ""
        self._begun = False
        self._over = False

    def feed(self, text: str) -> str:
        """Take some more of the text; return what can be shown of it now."""
        if self._over:
            return ""
        text, completed, _ = (self._held + text).partition(COMPLETED)
        *parts, text = text.split(self._before)
        keep = 0 if completed else self._possible_marker(text)
        self._over = bool(completed)
        self._held = text[len(text) - keep :]
        return "".join(map(self._shown, (*parts, text[: len(text) - keep])))

    def finish(self) -> str:
        """Say that nothing follows; return what was held back."""
        held, self._held = self._held, ""
        return self._shown(held)

    def _shown(self, text: str) -> str:
        text = self._space + (text if self._begun else text.lstrip())
        shown = text.rstrip()
        self._space = text[len(shown) :]
        self._begun = self._begun or bool(shown)
        return shown

    def _possible_marker(self, text: str) -> int:
        """Count the characters at the end that a marker may begin with."""
        longest = max(len(self._before), len(COMPLETED))
        return next(
            (
                length
                for length in range(min(longest, len(text)), 0, -1)
                if self._before.startswith(text[-length:]) or COMPLETED.startswith(text[-length:])
            ),
            0,
        )
