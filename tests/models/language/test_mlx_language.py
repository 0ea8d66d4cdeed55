"""The language adapter on tiny random models: of a kind that keeps every token, one with
sliding windows, one with a recurrent state."""

import itertools
import json

import pytest

from desktop.models.adapters.mlx_language import CHUNK_TOKENS
from desktop.models.errors import (
    ModelOutOfBudget,
    PromptTooLong,
    SchemaNotSupported,
)
from desktop.models.generation import (
    GenerationEnd,
    PromptProgress,
    Sampling,
    TextPart,
)
from desktop.models.inference_thread import InferenceThread, Priority
from tests.models import tiny_language
from tests.models.tiny_language import DECISION, KINDS, ask, end_of, text_of

pytestmark = pytest.mark.models


# --- an answer ---


def test_an_answer_says_how_far_the_prompt_was_read_and_what_it_cost(load_language):
    parts = list(load_language().generate(ask("Where is the pump?")))
    progress = [part for part in parts if isinstance(part, PromptProgress)]
    total = progress[0].total
    assert progress[0] == PromptProgress(0, total)
    assert progress[-1] == PromptProgress(total, total)
    assert [part.done for part in progress] == sorted(part.done for part in progress)
    assert max(b.done - a.done for a, b in itertools.pairwise(progress)) <= 64
    usage = end_of(parts).usage
    assert (usage.prompt_tokens, usage.reused_tokens) == (total, 0)
    assert 0 < usage.output_tokens <= 24
    assert usage.prompt_seconds > 0
    assert usage.output_seconds > 0


def test_the_answer_is_that_of_mlx_lm(load_language):
    from mlx_lm import stream_generate

    model = load_language()
    request = ask("Where is the pump?", sampling=Sampling())
    ours = text_of(model.generate(request))
    prompt = model._template.prompt(request.messages, thinking=False).tokens
    theirs = stream_generate(model._network, model._tokenizer, prompt, max_tokens=24)
    assert ours == "".join(response.text for response in theirs)
    assert ours


def test_a_seed_makes_chance_repeatable_and_none_does_not(load_language):
    model = load_language()
    answers = [text_of(model.generate(ask("Which?"))) for _ in range(2)]
    assert answers[0] == answers[1]
    free = {text_of(model.generate(ask("Which?", sampling=Sampling(1.0)))) for _ in range(4)}
    assert len(free) > 1


def test_output_stops_at_max_tokens(load_language):
    end = end_of(list(load_language().generate(ask("Which?", max_tokens=5))))
    assert (end.reason, end.usage.output_tokens) == ("length", 5)


def test_a_stop_word_ends_the_answer_and_is_not_shown(load_language):
    model = load_language()
    whole = text_of(model.generate(ask("Which?")))
    stop = whole[6:8]
    parts = list(model.generate(ask("Which?", stop=(stop,))))
    assert text_of(parts) == whole[: whole.index(stop)]
    assert end_of(parts).reason == "stop"


def test_text_is_counted_without_special_tokens(load_language):
    assert load_language().count_tokens("pump") == 4


# --- what does not fit ---


def test_a_prompt_as_long_as_the_context_is_refused(load_language):
    with pytest.raises(PromptTooLong) as refused:
        list(load_language(context=100).generate(ask("Where?")))
    assert refused.value.context_tokens == 100
    assert refused.value.prompt_tokens > 100


def test_output_ends_where_the_context_does(load_language):
    model = load_language()
    prompt = end_of(list(model.generate(ask("Where?")))).usage.prompt_tokens
    model.context_tokens = prompt + 3
    end = end_of(list(model.generate(ask("Where?"))))
    assert (end.reason, end.usage.output_tokens) == ("length", 3)


def test_memory_is_asked_for_before_anything_is_read(load_language, allowance):
    model = load_language()
    allowance.refuse = True
    with pytest.raises(ModelOutOfBudget, match="key-value cache"):
        list(model.generate(ask("Where?")))
    assert model.cache_bytes() == 0
    allowance.refuse = False
    assert text_of(model.generate(ask("Where?")))


def test_what_is_reused_is_not_asked_for_again(load_language, allowance):
    list(load_language().generate(ask("Where?", max_tokens=300)))
    model = load_language()
    list(model.generate(ask("Where?", max_tokens=2)))
    held = model.cache_bytes()
    list(model.generate(ask("Where?", max_tokens=300)))
    fresh, _, again = (needed for needed, _ in allowance.admits)
    assert again == fresh - held


@pytest.mark.parametrize("kind", KINDS)
def test_the_estimated_memory_is_what_a_prompt_takes(load_language, allowance, kind):
    model = load_language(kind)
    list(model.generate(ask("Where? " * 40, max_tokens=4)))
    needed, _ = allowance.admits[0]
    prompt = model._kept._kept[-1]
    held = sum(layer.nbytes for layer in prompt.cache)
    # a sliding window holds a chunk more while the prompt is read
    assert held <= needed <= held + (CHUNK_TOKENS + 64) * 128 * len(prompt.cache)


@pytest.mark.parametrize("calls", [1, 4])
def test_a_machine_out_of_memory_is_said_and_leaves_nothing_wrong_behind(load_language, calls):
    model = load_language()
    network, count = model._network, itertools.count(1)

    class Failing:
        layers = network.layers

        def __call__(self, *arguments, **settings):
            logits = network(*arguments, **settings)
            if next(count) == calls:
                raise RuntimeError("[metal::malloc] Unable to allocate 9 bytes.")
            return logits

    model._network = Failing()
    with pytest.raises(ModelOutOfBudget, match="out of memory"):
        list(model.generate(ask("Where?")))
    model._network = network
    assert model.cache_bytes() == 0
    assert text_of(model.generate(ask("Where?"))) == text_of(
        load_language().generate(ask("Where?"))
    )


# --- cancelling ---


def test_a_cancel_between_prompt_chunks_ends_the_generation(load_language):
    model = load_language(chunk=16)
    asked = itertools.count(1)
    parts = list(model.generate(ask("Where?"), lambda: next(asked) > 3))
    assert end_of(parts).reason == "cancelled"
    assert parts[-2].done == 48
    assert end_of(parts).usage.output_tokens == 0


def test_a_cancel_ends_the_answer_within_two_tokens(load_language):
    model = load_language()
    seen: list = []
    for part in model.generate(ask("Where?"), lambda: len(seen) > 0):
        if isinstance(part, TextPart):
            seen.append(part)
    assert isinstance(part, GenerationEnd)
    assert part.reason == "cancelled"
    assert len(seen) <= 2


# --- JSON ---


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_an_answer_with_a_schema_is_json_that_satisfies_it(load_language, kind, seed):
    schema = json.loads(json.dumps(DECISION))
    schema["properties"]["why"]["maxLength"] = 20
    request = ask("Which tool?", 200, schema=schema, sampling=Sampling(1.0, seed=seed))
    parts = list(load_language(kind).generate(request))
    decision = json.loads(text_of(parts))
    assert decision["tool"] in ("search", "answer")
    assert len(decision["why"]) <= 20
    assert end_of(parts).reason == "stop"


def test_json_that_does_not_fit_max_tokens_ends_as_length(load_language):
    parts = list(load_language().generate(ask("Which tool?", 12, schema=DECISION)))
    assert end_of(parts).reason == "length"
    assert text_of(parts).startswith('{"tool":"')


def test_forced_keys_do_not_change_what_is_chosen(load_language, monkeypatch):
    from desktop.models.structured import JsonConstraint

    whole = text_of(load_language().generate(ask("Which tool?", 60, schema=DECISION)))
    monkeypatch.setattr(JsonConstraint, "forced", lambda self: [])
    assert text_of(load_language().generate(ask("Which tool?", 60, schema=DECISION))) == whole


def test_a_schema_that_cannot_be_followed_is_refused_at_once(load_language, allowance):
    with pytest.raises(SchemaNotSupported, match="uniqueItems"):
        list(load_language().generate(ask("?", schema={"type": "array", "uniqueItems": True})))
    assert allowance.admits == []


def test_stop_words_do_not_cut_json(load_language):
    schema = {"type": "object", "properties": {"a": {"enum": ["b.c"]}}, "required": ["a"]}
    assert (
        text_of(load_language().generate(ask("?", schema=schema, stop=(".", "}")))) == '{"a":"b.c"}'
    )


# --- on the inference thread ---


def test_a_question_overtakes_a_background_answer(tiny_language_models, allowance):
    from desktop.models.adapters import mlx_runtime

    thread = InferenceThread("language-test")
    thread.on_close(mlx_runtime.finish)
    try:
        model = thread.run(
            lambda: tiny_language.loaded(tiny_language_models["qwen3"], allowance),
            Priority.QUESTION,
        )

        def stream(question, priority):
            return thread.stream(lambda: model.generate(ask(question)), priority)

        alone = [text_of(stream(question, Priority.QUESTION)) for question in ("Where?", "Who?")]
        slow = stream("Where?", Priority.INGESTION)
        begun = [next(slow), next(slow)]
        quick = text_of(stream("Who?", Priority.QUESTION))
        assert [text_of([*begun, *slow]), quick] == alone
        thread.run(model.close, Priority.QUESTION)
    finally:
        thread.close()
