"""Sentences of the core that the window can say in another language.

The core speaks plain English. A `Sentence` is that English and remembers what it was made from,
so that the window can look the template up in its translations and put the values in again.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Sentence(str):
    """English text for people. template: with the names of `values` in braces."""

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, object]


def said(template: str, **values: object) -> Sentence:
    """Return a sentence made of a template, which is a literal, and what stands in its braces."""
    sentence = Sentence(template.format(**values) if values else template)
    sentence.template = template
    sentence.values = MappingProxyType(values)
    return sentence
