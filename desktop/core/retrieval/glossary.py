"""Words for the same thing: what people say and what manuals print, in English and German.

Entries come from the file of field language that Groundwork brings along, which is of no
product in particular, and from the domains that a library has (`knowledge.domain`).
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from desktop.core.retrieval.tokens import LANGUAGES, stem, words_of
from desktop.resources import resource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

FILES = ("field.jsonl", "elements.jsonl")
"""Below resources/glossary: how people speak in the field, and the words terms are made of.

A line is an entry: "en" and "de" are what manuals of either language print, "say_en" and
"say_de" what only people say; all of them mean the same. Lines of a section have its name.
"""
_MOST_WORDS = 4
# German writes several words as one, with a letter or two between them.
_COMPOUNDING = "de"
_LINKS = ("", "s", "n", "en", "es", "er", "e")
_SHORTEST_PART = 4

# What inflection leaves of a word: entries are stemmed once a word of such a beginning is asked.
_BEGINNING = re.compile(r"[^\W_]{1,3}")
_PLAIN = str.maketrans("äöüß", "aous")

Stems = tuple[str, ...]
Place = tuple[str, str]
"""A language and the beginning of a word in it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing. forms: language -> how manuals print it; spoken: what only people say.

    certain: whoever wrote it knows the product, so that its forms are looked for even where
    the manuals know the word that was used.
    """

    forms: Mapping[str, Sequence[str]]
    spoken: Mapping[str, Sequence[str]] = field(default_factory=dict)
    certain: bool = False


@dataclass(frozen=True, slots=True)
class Mention:
    """Words of a question that entries know. language: in which they know them.

    parts: of a German compound those of each of its two words, else one.
    """

    words: tuple[str, ...]
    language: str
    parts: tuple[tuple[Entry, ...], ...]


class Glossary:
    """Looks entries up by inflected words and phrases; never changes, any thread."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        """Prepare the entries."""
        self._forms: defaultdict[Place, list[tuple[str, Entry]]] = defaultdict(list)
        for entry in entries:
            for language in LANGUAGES:
                for form in (*entry.forms.get(language, ()), *entry.spoken.get(language, ())):
                    self._forms[language, _beginning(form)].append((form, entry))
        self._stemmed: dict[Place, dict[Stems, list[tuple[str, Entry]]]] = {}

    def mentions(self, text: str, languages: Iterable[str]) -> Iterator[Mention]:
        """Yield what the text names, read in each of the languages; the longest phrases."""
        words = tuple(words_of(text))
        for language in languages:
            start = 0
            while start < len(words):
                mention = self._longest(words[start : start + _MOST_WORDS], language)
                if mention is not None:
                    yield mention
                start += len(mention.words) if mention is not None else 1

    def _longest(self, words: Sequence[str], language: str) -> Mention | None:
        for length in range(len(words), 0, -1):
            said = tuple(words[:length])
            if entries := self._entries(said, language):
                return Mention(said, language, (entries,))
        parts = self._compound(words[0]) if language == _COMPOUNDING else ()
        return Mention((words[0],), language, parts) if parts else None

    def _entries(self, said: tuple[str, ...], language: str) -> tuple[Entry, ...]:
        found = self._known(said, language)
        return tuple(entry for last, entry in found if len(said) > 1 or _inflected(last, said[0]))

    def _known(self, said: Sequence[str], language: str) -> Sequence[tuple[str, Entry]]:
        """Return the entries with a form of these stems, each with the form's last word."""
        place = language, _beginning(said[0])
        if place not in self._stemmed:
            stemmed: defaultdict[Stems, list[tuple[str, Entry]]] = defaultdict(list)
            for form, entry in self._forms.get(place, ()):
                words = words_of(form)
                stemmed[_stems(words, language)].append((words[-1], entry))
            self._stemmed[place] = dict(stemmed)
        return self._stemmed[place].get(_stems(said, language), ())

    def _compound(self, word: str) -> tuple[tuple[Entry, ...], ...]:
        """Return what the two words of a compound are known as, the longest second one."""
        for middle in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
            second = self._entries((word[middle:],), _COMPOUNDING)
            if not second:
                continue
            for link in _LINKS:
                first = word[:middle].removesuffix(link) if word[:middle].endswith(link) else ""
                if len(first) < _SHORTEST_PART:
                    continue
                known = self._known((first,), _COMPOUNDING)  # a verb loses its ending there
                if known:
                    return tuple(entry for _, entry in known), second
        return ()


@lru_cache(maxsize=1)
def field_glossary() -> Glossary:
    """Return the glossary of field language; read once."""
    return Glossary(field_entries())


def field_entries() -> Iterator[Entry]:
    """Yield the entries that come with Groundwork."""
    for name in FILES:
        for line in resource("glossary", name).read_text("utf-8").splitlines():
            each = json.loads(line)
            if "section" not in each:
                yield Entry(
                    {language: tuple(each[language]) for language in LANGUAGES},
                    {language: tuple(each.get(f"say_{language}", ())) for language in LANGUAGES},
                )


def product_glossary(terms: Iterable[tuple[str, Sequence[str]]]) -> Glossary:
    """Return the glossary of a product: terms of its manuals with other words for each."""
    return Glossary(
        Entry(
            dict.fromkeys(LANGUAGES, (term,)),
            dict.fromkeys(LANGUAGES, tuple(other)),
            certain=True,
        )
        for term, other in terms
    )


def _beginning(words: str) -> str:
    match = _BEGINNING.search(words.casefold().translate(_PLAIN))
    return match.group() if match else ""


def _stems(words: Sequence[str], language: str) -> Stems:
    return tuple(stem(word, language) for word in words)


def _inflected(form: str, word: str) -> bool:
    """Whether a word of the same stem is the form with an ending: draw is no "drawing"."""
    return len(word) >= len(form) - 1
