"""What can go wrong when a language model fills in a form, besides `ModelError`.

    AnswerNotUnderstood   what the model wrote is not what was asked for: ask again, or
    |                     without a form
    `- AnswerCutOff       it ran out of tokens in the middle: allow more, ask for less

Data travels as attributes, causes are chained with `from`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError


class AnswerNotUnderstood(Exception):  # noqa: N818 - named after the state
    """The model's text does not hold the fields it was asked for.

    text: what it wrote.
    """

    def __init__(self, message: str, text: str = "") -> None:
        super().__init__(message)
        self.text = text


class AnswerCutOff(AnswerNotUnderstood):
    """The tokens ran out before the form was filled in."""


def fault_of(error: ValidationError | AnswerNotUnderstood) -> str | AnswerNotUnderstood:
    """Return what is wrong with values; the first fault, where there are several."""
    if isinstance(error, AnswerNotUnderstood):
        return error
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(str(place) for place in first['loc'])}: {first['msg']}"
