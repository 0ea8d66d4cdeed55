"""Sentences for people that remember what they were made of, so that they can be translated.

The package stands by itself, so it has its own small one; whoever shows a sentence reads its
`template` and `values`, see `desktop.sentences`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Sentence(str):
    """English text for people. template: with the names of `values` in braces."""

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, object]


def said(template: str, /, **values: object) -> Sentence:
    """Return a sentence made of a literal template and the values for its braces.

    An exception among the values stands for its message.
    """
    known = {
        name: message(each) if isinstance(each, BaseException) else each
        for name, each in values.items()
    }
    sentence = Sentence(template.format(**known) if known else template)
    sentence.template = template
    sentence.values = known
    return sentence


def message(error: BaseException) -> str:
    """Return what an exception says: the sentence that it was raised with, if there was one."""
    first = error.args[0] if len(error.args) == 1 else None
    return first if isinstance(first, Sentence) else str(error)
