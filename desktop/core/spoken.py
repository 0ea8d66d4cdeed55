"""What the core says, in another language than English; also of texts that were stored.

`said` remembers the template of a sentence. An exception, a stored answer or a recorded trace
holds plain English: its templates are found again among those that the translations name.
"""

from __future__ import annotations

import json
import os
import re
import traceback
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING

from desktop import sentences
from desktop.core.retrieval.tokens import asked_language
from desktop.sentences import (
    ENGLISH,
    Sentence,
    is_sentence,
    said,
    template,
    translations,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_KNOWN_IN = "de"
"""The language whose file names every template."""
_AND = template(" and ")
_BETWEEN = (re.compile("(; )"), re.compile(f"(, |{_AND})"))
_OUR_WORDS = frozenset({"mode", "stage"})
"""Values of these names are words of ours."""
_OUR_SENTENCES = frozenset(
    "by_label by_rules cause cited claims complaint damage error fault found found_by found_out "
    "here hint how_to_install impossible listed many message missing more note objections of_all "
    "one other page place places problem problems read reason rounds said secret title value "
    "what where kind".split()
)
"""Values of these names may be sentences of ours; the others are names, numbers and quotes."""
_HOLE = re.compile(r"\{\w+\}")
_FEWEST_LETTERS, _FEWEST_BETWEEN = 3, 8
"""A template with less of its own fits too much; more so one that begins and ends with a value."""
_MOST_SENTENCES = 8


def in_language(text: str, language: str) -> str:
    if language == ENGLISH:
        return str(text)
    known = sentences.translations(language)
    return retold(text, lambda template: known.get(template, template))


def quoted(text: str, language: str) -> str:
    return in_language(said("“{text}”", text=text), language)


def language_of(question: str, *others: str) -> str:
    """Return "de" or "en": what a question was asked in, by its function words.

    others: what tells the language of a question without any, such as the passages that answer
    it; the first that does so counts.
    """
    told = (asked_language(text) for text in (question, *others))
    return next(filter(None, told), ENGLISH)


def retold(text: str, look_up: Callable[[str], str]) -> str:
    """Return a text of the core with its templates looked up and its values put in again.

    look_up: returns the translation of a template, or the template itself.
    """
    if is_sentence(text):
        return sentences.retold(text, look_up)
    found = look_up(text)
    if found != text or not text:
        if text:
            _note("whole", text)
        return found
    again = recognise(text)
    if again is None:
        parts = _parts_told(text, look_up)
        if parts != text:
            _note("parts", text)
        return parts
    _note("recognised", text)
    told = _filled(again, look_up, lambda name, value: _stored(name, value, look_up))
    return told[:1].upper() + told[1:] if text[:1].isupper() else told


@lru_cache(maxsize=1024)
def recognise(text: str) -> Sentence | None:
    """Return a plain text as the sentences of the core that it was made of, None if it was not.

    It may have been given another first letter and a full stop, to begin or end a sentence.
    """
    for body, end in _variants(text.strip()):
        fitting = [each.text for each in _phrases() if each.part in body]
        if not fitting:
            continue
        for most in (1, _MOST_SENTENCES):  # one that holds it all goes before several
            found = recognised(body, fitting, most)
            if found is not None:
                return said("{text}" + end, text=found) if end else found
    return None


@dataclass(frozen=True, slots=True)
class _Phrase:
    """part: the longest piece of a template between its values."""

    text: str
    part: str


@lru_cache(maxsize=1)
def _phrases() -> tuple[_Phrase, ...]:
    """Return what can be recognised, what says most itself first."""
    return tuple(_telling(translations(_KNOWN_IN)))


def _telling(templates: Iterable[str]) -> list[_Phrase]:
    found = []
    for each in templates:
        parts = _HOLE.split(each)
        fewest = _FEWEST_LETTERS if parts[0] or parts[-1] else _FEWEST_BETWEEN
        if sum(letter.isalpha() for part in parts for letter in part) >= fewest:
            found.append(_Phrase(each, max(parts, key=len)))
    return sorted(found, key=lambda each: -len(_HOLE.sub("", each.text)))


def _variants(text: str) -> Iterable[tuple[str, str]]:
    yield text, ""
    other = text[:1].swapcase() + text[1:]
    yield other, ""
    if text.endswith("."):
        yield text[:-1], "."
        yield other[:-1], "."


def _filled(
    sentence: Sentence, look_up: Callable[[str], str], value_of: Callable[[str, object], object]
) -> str:
    template = look_up(sentence.template)
    if not sentence.values:
        return template
    values = {
        name: look_up(str(each)) if name in _OUR_WORDS else value_of(name, each)
        for name, each in sentence.values.items()
    }
    return template.format(**values)


def _value(value: object, look_up: Callable[[str], str]) -> object:
    """A name or a quote stays as it is; what the core itself said is told again."""
    if isinstance(value, Sentence):
        return retold(value, look_up)
    return retold(str(value), look_up) if isinstance(value, BaseException) else value


def _stored(name: str, value: object, look_up: Callable[[str], str]) -> object:
    """A value out of plain text may have been a sentence itself, if it is several words."""
    if isinstance(value, Sentence):
        return _filled(value, look_up, lambda inner, each: _stored(inner, each, look_up))
    text = str(value)
    if name not in _OUR_SENTENCES:
        return value
    listed = _parts_told(text, look_up)
    if listed != text:
        return listed
    return retold(text, look_up) if " " in text.strip() and _is_known(text) else value


def _parts_told(text: str, look_up: Callable[[str], str]) -> str:
    """Return a list of what the core said, each told again; any other text as it is."""
    for between in _BETWEEN:
        parts = between.split(text)
        if len(parts) > 1 and all(map(_is_known, parts[::2])):
            told = (retold(part, look_up) for part in parts[::2])
            signs = (look_up(sign) if sign == _AND else sign for sign in parts[1::2])
            mixed = zip_longest(told, signs, fillvalue="")
            return "".join(piece for pair in mixed for piece in pair)
    return text


def _is_known(text: str) -> bool:
    return text in translations(_KNOWN_IN) or recognise(text) is not None


def _note(kind: str, text: str) -> None:
    if os.environ.get("S3LOG"):
        frames = [
            f"{f.filename.rsplit('/source3/')[-1]}:{f.lineno}"
            for f in traceback.extract_stack()[:-1]
            if "source3/desktop" in f.filename and "spoken.py" not in f.filename
        ][-3:]
        with open(os.environ["S3LOG"], "a") as file:
            file.write(json.dumps([kind, text, frames], ensure_ascii=False) + "\n")


_NUMBERS = frozenset({"count", "day", "n", "seconds", "share", "sound"})


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
    return sentences.together(found) if found and not rest else None


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
