"""What a schema lets a model write, asked of the mask itself, without a model."""

import json
import random

import pytest
from tokenizers import Tokenizer

from desktop.models.errors import SchemaNotSupported
from desktop.models.structured import LONGEST_STRING, JsonVocabulary, bounded
from tests.fakes.tiny_tokenizer import TOKEN_IDS, VOCABULARY, write_tiny_tokenizer

END = TOKEN_IDS["<|im_end|>"]
DECISION = {
    "type": "object",
    "properties": {
        "tool": {"enum": ["search", "answer"]},
        "why": {"type": "string", "maxLength": 12},
        "pages": {"type": "array", "items": {"type": "integer", "maximum": 99}, "maxItems": 3},
        "end": {"type": "boolean"},
    },
    "required": ["tool", "why", "pages", "end"],
}


@pytest.fixture(scope="module")
def tokenizer_json(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tokenizer")
    write_tiny_tokenizer(folder)
    return (folder / "tokenizer.json").read_text()


@pytest.fixture(scope="module")
def vocabulary(tokenizer_json):
    return JsonVocabulary(tokenizer_json, [END])


@pytest.fixture(scope="module")
def tokenizer(tokenizer_json):
    return Tokenizer.from_str(tokenizer_json)


@pytest.fixture(scope="module")
def write(tokenizer):
    """Let chance choose among the allowed tokens; returns the text, or None if too long."""

    def _write(constraint, seed, width=VOCABULARY, limit=400):
        chance = random.Random(seed)
        tokens: list[int] = []
        while not constraint.finished and len(tokens) < limit:
            token = chance.choice(constraint.allowed(width).nonzero()[0].tolist())
            if token == END:
                break
            constraint.accept(token)
            tokens.append(token)
        return tokenizer.decode(tokens) if len(tokens) < limit else None

    return _write


@pytest.mark.parametrize("seed", range(20))
def test_whatever_is_chosen_satisfies_the_schema(vocabulary, write, seed):
    constraint = vocabulary.constrain(DECISION)
    decision = json.loads(write(constraint, seed))
    assert set(decision) == {"tool", "why", "pages", "end"}
    assert decision["tool"] in ("search", "answer")
    assert len(decision["why"]) <= 12
    assert len(decision["pages"]) <= 3


def test_the_end_is_allowed_only_when_the_json_is_complete(vocabulary):
    constraint = vocabulary.constrain({"type": "integer", "minimum": 1, "maximum": 50})
    assert not constraint.allowed(VOCABULARY)[END]
    constraint.accept(int(constraint.allowed(VOCABULARY).nonzero()[0][0]))
    assert constraint.allowed(VOCABULARY)[END]


def test_logits_may_be_wider_than_the_vocabulary(vocabulary, write):
    constraint = vocabulary.constrain(DECISION)
    allowed = constraint.allowed(VOCABULARY + 71)
    assert allowed.shape == (VOCABULARY + 71,)
    assert not allowed[VOCABULARY:].any()
    assert json.loads(write(constraint, 1, width=VOCABULARY + 71))


def test_logits_may_be_narrower_than_the_vocabulary(vocabulary):
    assert vocabulary.constrain(DECISION).allowed(200).shape == (200,)


def test_two_outputs_do_not_disturb_each_other(vocabulary):
    first, second = vocabulary.constrain(DECISION), vocabulary.constrain(DECISION)
    first.accept(int(first.allowed(VOCABULARY).nonzero()[0][0]))
    assert not (first.allowed(VOCABULARY) == second.allowed(VOCABULARY)).all()


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({"type": "foo"}, "foo"),
        ({"not": {"type": "string"}}, "not"),
        ({"$ref": "http://example.org/schema"}, "example.org"),
        ({"type": "string", "minLength": 5, "maxLength": 2}, "minLength"),
        ({"enum": [object()]}, "not a JSON schema"),
    ],
)
def test_a_schema_that_cannot_be_followed_is_refused_with_the_reason(vocabulary, schema, reason):
    with pytest.raises(SchemaNotSupported, match=reason):
        vocabulary.constrain(schema)


def test_a_tokenizer_that_cannot_be_read_is_refused():
    with pytest.raises(SchemaNotSupported, match="tokenizer"):
        JsonVocabulary("{}", [0])


def test_strings_without_a_length_get_one_wherever_they_are():
    text = {"type": "string"}
    limited = {"type": "string", "maxLength": LONGEST_STRING}
    schema: dict = {
        "type": "object",
        "properties": {"type": text, "all": {"type": "array", "items": text}},
        "$defs": {"name": {"anyOf": [text, {"type": "null"}]}},
        "additionalProperties": text,
    }
    assert bounded(schema) == {
        "type": "object",
        "properties": {"type": limited, "all": {"type": "array", "items": limited}},
        "$defs": {"name": {"anyOf": [limited, {"type": "null"}]}},
        "additionalProperties": limited,
    }
    assert schema["properties"]["type"] == {"type": "string"}


def test_lengths_enums_and_long_minimums_are_respected():
    for schema in ({"type": "string", "maxLength": 5}, {"type": "string", "enum": ["a"]}):
        assert bounded(schema) == schema
    assert bounded({"type": "string", "minLength": 9000})["maxLength"] == 9000


def test_objects_are_closed_unless_they_are_joined():
    one = {"type": "object", "properties": {"a": {"type": "integer"}}}
    assert bounded(one)["additionalProperties"] is False
    joined = {"allOf": [one, {"type": "object", "properties": {"b": {"type": "integer"}}}]}
    assert bounded(joined) == joined


def test_forced_tokens_are_those_without_an_alternative(vocabulary, tokenizer):
    constraint = vocabulary.constrain(DECISION)
    forced = constraint.forced()
    assert tokenizer.decode(forced) == '{"tool":"'
    for token in forced:
        assert constraint.allowed(VOCABULARY).nonzero()[0].tolist() == [token]
        constraint.accept(token)
    assert constraint.forced() == []
