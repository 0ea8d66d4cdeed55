"""Sentences for people: English now, and in another language where they are shown.

A `Sentence` is plain English that remembers what it was made of. Whoever shows it looks
the template up in a language and puts the values in, which may be sentences themselves
(`in_language`; the window asks Qt, see `desktop.ui.language.told`). An exception raised
with a sentence keeps it (`message`). What is written to the disk keeps it as well:
within JSON as {"said": template, "values": {...}} (`to_values`, `from_values`), in a
column of text as that JSON (`to_text`, `from_text`). A text from anybody else, or from
an older version, is a plain `str` and stays as it is.
"""

from __future__ import annotations

import json
import string
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from desktop.resources import resource

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

ENGLISH = "en"
_SAID, _VALUES = "said", "values"
_BEGINNING = f'{{"{_SAID}": '
"""How a sentence begins that was written as text."""
_FORMS = ("full", "begun", "ended")


class Sentence(str):
    """English text for people. template: with the names of `values` in braces."""

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, object]


class SaidError(Exception):
    """Base of errors whose message is for people; `message` returns the sentence."""

    def __init__(self, template: str, /, **values: object) -> None:
        """template, values: as for `said`; or a sentence that is made already."""
        super().__init__(template if is_sentence(template) else said(template, **values))


class KeepsSentences:
    """For pydantic: Annotated[str, KeepsSentences()] takes a sentence as it is."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        """Return the schema of the text, which sentences bypass."""
        from pydantic_core import core_schema  # only what is annotated needs it

        return core_schema.no_info_wrap_validator_function(
            lambda value, check: value if is_sentence(value) else check(value), handler(source)
        )


def said(template: str, /, **values: object) -> Sentence:
    """Return a sentence made of a literal template and the values for its braces.

    An exception among the values stands for its message.
    """
    known = {
        name: message(each) if isinstance(each, BaseException) else each
        for name, each in values.items()
    }
    sentence = Sentence(_FORMATTER.vformat(template, (), known) if known else template)
    sentence.template = template
    sentence.values = known
    return sentence


def counted(n: int, one: str, many: str) -> Sentence:
    """Return `one` for 1, else `many`, which has {n} in it; both are literals."""
    return said(one) if n == 1 else said(many, n=n)


def template(text: str) -> str:
    """Return a template for `said`; marks it as one that is to be translated."""
    return text


def message(error: BaseException) -> str:
    """Return what an exception says: the sentence that it was raised with, if there was one."""
    first = error.args[0] if len(error.args) == 1 else None
    return first if isinstance(first, str) and is_sentence(first) else str(error)


def is_sentence(text: object) -> bool:
    """Whether a text knows its template, even one of `knowledge`, which has its own sentences."""
    return isinstance(text, str) and hasattr(text, "template")


def joined(parts: Sequence[str], between: str = ", ", last: str | None = None) -> Sentence:
    """Return a list of texts as one. last: what stands between the last two instead."""
    names = [f"s{number}" for number in range(len(parts))]
    values: dict[str, object] = dict(zip(names, parts, strict=True))
    if last is None or len(parts) < 2:
        return said(between.join(f"{{{name}}}" for name in names), **values)
    begin = between.join(f"{{{name}}}" for name in names[:-1])
    return said(f"{begin}{{last}}{{{names[-1]}}}", **values, last=last)


def together(sentences: Sequence[str], end: str = "") -> Sentence:
    """Return several sentences, one after the other, as one text. end: such as a full stop."""
    found = joined(sentences, " ")
    return said(found.template + end, **found.values) if end else found


def full(text: str) -> Sentence:
    """Return a text as a full sentence: with a capital letter and a full stop."""
    return said("{text:full}", text=text)


def ended(text: str) -> Sentence:
    """Return a text with a full stop, such as the end of a sentence."""
    return said("{text:ended}", text=text)


def begun(text: str) -> Sentence:
    """Return a text with a capital letter."""
    return said("{text:begun}", text=text)


def in_language(text: str, language: str) -> str:
    """Return a sentence in "de" or "en"; in English where it has no translation.

    For text written into an answer or a report, which follow the question's language.
    """
    if language == ENGLISH:
        return str(text)
    known = translations(language)
    return retold(text, lambda template: known.get(template, template))


def retold(text: str, look_up: Callable[[str], str]) -> str:
    """Return a sentence with its templates looked up and its values put in again.

    look_up: returns the translation of a template, or the template itself.
    """
    if not is_sentence(text):
        return text
    sentence: Any = text
    template: str = look_up(sentence.template)
    if not sentence.values:
        return template
    values = {
        name: retold(each, look_up) if isinstance(each, str) else each
        for name, each in sentence.values.items()
    }
    return _FORMATTER.vformat(template, (), values)


def quoted(text: str, language: str) -> str:
    """Return somebody else's words between the quotation marks of a language: “…”, „…“."""
    return in_language(said("“{text}”", text=text), language)


@lru_cache(maxsize=4)
def translations(language: str) -> Mapping[str, str]:
    """Return the core's templates, each with its translation; none for an unknown language."""
    path = resource("translations", f"said_{language}.json")
    return json.loads(path.read_text("utf-8")) if path.is_file() else {}


def to_values(value: Any) -> Any:
    """Return a document for JSON with every sentence in it as its template and values."""
    if is_sentence(value):
        values = {name: to_values(each) for name, each in value.values.items()}
        return {_SAID: value.template, _VALUES: values}
    if isinstance(value, dict):
        return {name: to_values(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [to_values(each) for each in value]
    return value


def from_values(value: Any) -> Any:
    """Return a document of `to_values` with its sentences in their places."""
    if isinstance(value, list):
        return [from_values(each) for each in value]
    if not isinstance(value, dict):
        return value
    known = {name: from_values(each) for name, each in value.items()}
    if known.keys() != {_SAID, _VALUES}:
        return known
    template, values = known[_SAID], known[_VALUES]
    return said(template, **values) if _is_whole(template, values) else known


def put_back(read: Any, known: Any) -> Any:
    """Return a checked value with the sentences of what it was read from put back.

    read: of dataclasses and plain values. known: of `from_values`, of the same shape.
    Whatever checks values, such as pydantic, turns a sentence into plain text.
    """
    if is_sentence(known):
        return known
    if isinstance(known, dict):
        if isinstance(read, dict):
            return {name: put_back(each, known.get(name)) for name, each in read.items()}
        return replace(
            read, **{name: put_back(getattr(read, name), each) for name, each in known.items()}
        )
    if isinstance(known, list):
        return type(read)(map(put_back, read, known))
    return read


def to_text(text: str) -> str:
    """Return a sentence for a column of text: the JSON of one, any other text as it is."""
    if not is_sentence(text):
        return text
    return json.dumps(to_values(text), ensure_ascii=False, default=str)


def from_text(text: str) -> str:
    """Return what `to_text` was given; a text of an older version is plain."""
    if not text.startswith(_BEGINNING):
        return text
    try:
        found = from_values(json.loads(text))
    except ValueError:
        return text
    return found if isinstance(found, Sentence) else text


def _is_whole(template: object, values: object) -> bool:
    """Whether the two make a sentence: whoever wrote a file may ask for nothing but values."""
    if not isinstance(template, str) or not isinstance(values, dict):
        return False
    try:
        fields = [each[1:] for each in _FORMATTER.parse(template) if each[1] is not None]
    except ValueError:
        return not values  # a literal with a brace in it
    return not values or all(
        name in values and spec in ("", *_FORMS) and not conversion
        for name, spec, conversion in fields
    )


class _Formatter(string.Formatter):
    """Knows "{text:full}", a full sentence, "{text:begun}" and "{text:ended}", its halves."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec not in _FORMS:
            return str(super().format_field(value, format_spec))
        text = str(value)
        if format_spec != "ended":
            text = text[:1].upper() + text[1:]
        return text if format_spec == "begun" else f"{text.rstrip('.')}."


_FORMATTER = _Formatter()
