"""Output held to a JSON schema: the schema with bounds, and the mask of tokens."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from desktop.models.errors import SchemaNotSupported

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

LONGEST_STRING = 2000  # characters

_SCHEMA = ("items", "additionalProperties")
_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_NAMED = ("properties", "patternProperties", "$defs", "definitions")


def bounded(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Copy a schema with a `maxLength` on strings that have none, and objects closed.

    What satisfies the copy satisfies the schema. An object that lists its properties
    and does not mention others gets no others; where `allOf` joins objects, that would
    contradict, so they are left open.
    """
    return _bounded(schema, close='"allOf"' not in json.dumps(dict(schema)))


def _bounded(schema: Mapping[str, Any], close: bool) -> dict[str, Any]:
    def inner(value: Any) -> Any:
        return _bounded(value, close) if isinstance(value, Mapping) else value

    copy = dict(schema)
    for key in _SCHEMA:
        if key in copy:
            copy[key] = inner(copy[key])
    for key in _LISTS:
        if isinstance(copy.get(key), list | tuple):
            copy[key] = [inner(member) for member in copy[key]]
    for key in _NAMED:
        if isinstance(copy.get(key), Mapping):
            copy[key] = {name: inner(member) for name, member in copy[key].items()}
    kinds = copy.get("type")
    may_be_text = "string" in ([kinds] if isinstance(kinds, str) else kinds or ())
    if may_be_text and not {"maxLength", "enum", "const"} & copy.keys():
        shortest = copy.get("minLength", 0)
        copy["maxLength"] = max(LONGEST_STRING, shortest if isinstance(shortest, int) else 0)
    if close and "properties" in copy and "patternProperties" not in copy:
        copy.setdefault("additionalProperties", False)
    return copy


class JsonVocabulary:
    """A model's tokens, prepared for constraints. Takes a second to make: keep it."""

    def __init__(self, tokenizer_json: str, end_tokens: Iterable[int]) -> None:
        """Prepare a `tokenizer.json`; `end_tokens` may follow JSON. Raises: SchemaNotSupported."""
        import llguidance

        try:
            self._tokenizer = llguidance.LLTokenizer(tokenizer_json, eos_token=sorted(end_tokens))
        except (ValueError, RuntimeError) as error:
            raise SchemaNotSupported(
                "this model's tokenizer cannot be bound to a schema: {error}", error=error
            ) from error

    def constrain(self, schema: Mapping[str, Any]) -> JsonConstraint:
        """Make the constraint of one generation. Raises: SchemaNotSupported, with the reason."""
        from llguidance import LLMatcher

        try:
            grammar = LLMatcher.grammar_from_json_schema(
                json.dumps(bounded(schema)), overrides={"whitespace_flexible": False}
            )
        except (TypeError, ValueError) as error:
            raise SchemaNotSupported("this is not a JSON schema: {error}", error=error) from error
        # level 0: it would write warnings to the terminal
        matcher = LLMatcher(self._tokenizer, grammar, log_level=0)
        if matcher.is_error():
            reason = matcher.get_error()
            raise SchemaNotSupported("the JSON schema cannot be followed: {reason}", reason=reason)
        return JsonConstraint(matcher, self._tokenizer.vocab_size)


class JsonConstraint:
    """Where one output stands in its schema."""

    def __init__(self, matcher: Any, vocabulary: int) -> None:
        """Begin before the first token. Made by `JsonVocabulary.constrain`."""
        self._matcher = matcher
        self._vocabulary = vocabulary
        self._bits = np.zeros((vocabulary + 31) // 32, np.int32)

    @property
    def finished(self) -> bool:
        """Whether it is complete and nothing but the end may follow."""
        return bool(self._matcher.is_stopped())

    def allowed(self, width: int) -> NDArray[np.bool_]:
        """Say which of `width` tokens may come next; those beyond the vocabulary may not.

        Returns: bool, shape (width,).
        Raises: SchemaNotSupported, if following the schema became too complex.
        """
        self._matcher.unsafe_compute_mask_ptr(self._bits.ctypes.data, self._bits.nbytes)
        self._check()
        allowed = np.zeros(width, np.bool_)
        known = min(width, self._vocabulary)
        unpacked = np.unpackbits(self._bits.view(np.uint8), count=known, bitorder="little")
        allowed[:known] = unpacked.view(np.bool_)
        return allowed

    def forced(self) -> list[int]:
        """Return tokens that must come next, often none; they are to be accepted as well."""
        return list(self._matcher.compute_ff_tokens())

    def accept(self, token: int) -> None:
        """Take a token that was chosen among the allowed ones. Raises: SchemaNotSupported."""
        self._matcher.consume_token(token)
        self._check()

    def _check(self) -> None:
        if self._matcher.is_error():
            raise SchemaNotSupported(
                "the JSON schema cannot be followed: {matcher}",
                matcher=self._matcher.get_error(),
            )
