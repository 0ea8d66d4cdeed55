"""Sentences of the core that the window can say in another language.

The core speaks plain English. A `Sentence` is that English and remembers what it was made from,
so that the window can look the template up in its translations and put the values in again. What
was written to the disk is plain text again; `recognised` finds the templates in it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


_NUMBERS = frozenset({"count", "day", "n", "seconds", "share", "sound"})
"""Values of these names are numbers: "{n} pages" is not found in "The file has no pages"."""


class Sentence(str):
    """English text for people. template: with the names of `values` in braces."""

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, object]


def said(template: str, **values: object) -> Sentence:
    """Return a sentence made of a template, which is a literal, and what stands in its braces."""
    sentence = Sentence(template.format(**values) if values else template)
    sentence.template = template
    sentence.values = values
    return sentence


def counted(n: int, one: str, many: str) -> Sentence:
    """Return `one` for 1, else `many`, which has {n} in it; both are literals."""
    return said(one) if n == 1 else said(many, n=n)


def template(text: str) -> str:
    """Return a template for `said`; marks it as one that is to be translated."""
    return text


def together(sentences: Sequence[str], end: str = "") -> Sentence:
    """Return several sentences, one after the other, as one text. end: such as a full stop."""
    names = [f"s{number}" for number in range(len(sentences))]
    template = " ".join(f"{{{name}}}" for name in names) + end
    return said(template, **dict(zip(names, sentences, strict=True)))


def recognised(text: str, templates: Iterable[str], most: int = 16) -> Sentence | None:
    """Return a plain text as the sentences it was made of, None unless that is all it holds.

    templates: those that it may be made of; the first that fits counts. most: sentences that it
    may be made of; a single one has to hold all of it.
    """
    if most == 1:
        return _whole(text.strip(), templates)
    found: list[str] = []
    rest = text.strip()
    while rest and len(found) < most:
        fitting = ((each, _pattern(each).match(rest)) for each in templates)
        sentence = next(((each, match) for each, match in fitting if match), None)
        if sentence is None:
            return None
        template, match = sentence
        found.append(said(template, **match.groupdict()))
        rest = rest[match.end() :].lstrip()
    return together(found) if found and not rest else None


def _whole(text: str, templates: Iterable[str]) -> Sentence | None:
    fitting = ((each, _pattern(each).fullmatch(text)) for each in templates)
    return next((said(each, **match.groupdict()) for each, match in fitting if match), None)


@lru_cache(maxsize=2048)
def _pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", template)
    fixed = [re.escape(part) for part in parts[::2]]
    seen: set[str] = set()
    names = [_group(name, seen) for name in parts[1::2]]
    mixed = [piece for pair in zip(fixed, [*names, ""], strict=True) for piece in pair]
    return re.compile("".join(mixed) + r"(?=\s|$)", re.DOTALL)


def _group(name: str, seen: set[str]) -> str:
    """Return the pattern of a value; of one that stood there before, the same again."""
    if name in seen:
        return f"(?P={name})"
    seen.add(name)
    return rf"(?P<{name}>\d+(?:[.,]\d+)*)" if name in _NUMBERS else f"(?P<{name}>.+?)"
