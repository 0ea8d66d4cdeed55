"""The engine between DSPy and a language model: what arrives, what comes back, what stops it."""

import asyncio
import threading
from typing import Literal

import dspy
import pydantic
import pytest
from dspy import lm15

from desktop.core.jobs import Cancelled, CancelToken
from desktop.core.language.dspy_engine import AsyncLanguageModelEngine, LanguageModelEngine, make_lm
from desktop.core.language.errors import AnswerCutOff
from desktop.models.errors import ModelDamaged, ModelError
from desktop.models.generation import (
    GenerationEnd,
    Message,
    ModelLoading,
    Sampling,
    TextPart,
    Usage,
)
from tests.fakes.language_model import FakeLanguageModel

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


def ask(text="How long?", **config):
    return lm15.Request("m", messages=(lm15.Message.user(text),), config=lm15.Config(**config))


def asynchronous(model, **options):
    return AsyncLanguageModelEngine(LanguageModelEngine(model, **options))


# --- what arrives at the model


def test_a_conversation_arrives_message_by_message():
    model = FakeLanguageModel("Yes.")
    LanguageModelEngine(model).complete(
        lm15.Request(
            "m",
            system="You answer.",
            messages=(
                lm15.Message.user("How long?"),
                lm15.Message.assistant([lm15.ThinkingPart("hm"), lm15.TextPart("24 hours.")]),
                lm15.Message.developer("Be brief."),
                lm15.Message.user([lm15.TextPart("Really"), lm15.TextPart("?")]),
            ),
        )
    )
    assert model.requests[0].messages == (
        Message("system", "You answer."),
        Message("user", "How long?"),
        Message("assistant", "24 hours."),
        Message("system", "Be brief."),
        Message("user", "Really?"),
    )


def test_every_setting_arrives():
    model = FakeLanguageModel("Yes.")
    LanguageModelEngine(model).complete(
        ask(
            temperature=0.5,
            top_p=0.9,
            seed=7,
            max_tokens=33,
            stop=("END",),
            response_format={"type": "json_schema", "schema": SCHEMA},
            reasoning=lm15.Reasoning(effort="low"),
        )
    )
    request = model.requests[0]
    assert request.sampling == Sampling(temperature=0.5, top_p=0.9, seed=7)
    assert (request.max_tokens, request.stop, request.thinking) == (33, ("END",), True)
    assert request.schema == SCHEMA


def test_what_is_not_said_is_left_to_the_models_own_defaults():
    model = FakeLanguageModel("Yes.")
    LanguageModelEngine(model).complete(ask())
    request = model.requests[0]
    assert request.sampling == Sampling()
    assert (request.stop, request.schema, request.thinking) == ((), None, False)


def test_any_json_object_is_a_schema_too():
    model = FakeLanguageModel("{}")
    LanguageModelEngine(model).complete(ask(response_format={"type": "json_object"}))
    assert model.requests[0].schema == {"type": "object"}


class Choice(pydantic.BaseModel):
    tool: Literal["search", "answer"]


@pytest.mark.parametrize(
    "response_format",
    [
        Choice,
        {"type": "json_schema", "json_schema": {"name": "C", "schema": Choice.model_json_schema()}},
    ],
    ids=["pydantic", "dict"],
)
def test_a_response_format_in_openais_words_arrives_as_a_schema(response_format):
    model = FakeLanguageModel('{"tool": "search"}')
    make_lm(model)("Which?", response_format=response_format)
    schema = model.requests[0].schema
    assert schema is not None
    assert schema["properties"]["tool"]["enum"] == ["search", "answer"]


def test_several_candidates_are_several_generations():
    model = FakeLanguageModel("one", "two", "three")
    assert make_lm(model)("Which?", n=3, temperature=0.7) == ["one", "two", "three"]
    assert len(model.requests) == 3


TOOL = lm15.FunctionTool("f", "d", {"type": "object"})
PICTURE = lm15.ImagePart(media_type="image/png", data="aGk=")


@pytest.mark.parametrize(
    ("request_", "feature"),
    [
        (lm15.Request("m", messages=(lm15.Message.user("?"),), tools=(TOOL,)), "tools"),
        (lm15.Request("m", messages=(lm15.Message.user([PICTURE]),)), "image"),
        (ask(logprobs=1), "logprobs"),
        (ask(top_k=4), "top_k"),
        (ask(presence_penalty=0.5), "presence_penalty"),
        (ask(extensions={"logit_bias": {}}), "extensions"),
    ],
    ids=["tools", "picture", "logprobs", "top_k", "penalty", "extension"],
)
def test_what_a_local_model_cannot_do_is_refused_by_name(request_, feature):
    model = FakeLanguageModel("never said")
    with pytest.raises(lm15.UnsupportedFeatureError, match=feature):
        LanguageModelEngine(model).complete(request_)
    with pytest.raises(lm15.UnsupportedFeatureError, match=feature):
        asyncio.run(asynchronous(model).complete(request_))
    assert model.requests == []


# --- what comes back


def test_text_reasoning_and_usage_come_back():
    model = FakeLanguageModel()
    model.enqueue("24 hours.", reasoning="page 4", before=[ModelLoading(0.5)])
    response = LanguageModelEngine(model).complete(ask("How long is it?"))
    assert response.text == "24 hours."
    assert response.message.first(lm15.ThinkingPart).text == "page 4"
    assert response.finish_reason == "stop"
    assert (response.usage.input_tokens, response.usage.output_tokens) == (4, 4)


def test_reused_prompt_tokens_are_reported():
    class Remembering(FakeLanguageModel):
        def generate(self, request, cancelled=lambda: False):
            yield TextPart("ok")
            yield GenerationEnd("stop", Usage(prompt_tokens=100, reused_tokens=90, output_tokens=1))

    assert LanguageModelEngine(Remembering()).complete(ask()).usage.cache_read_tokens == 90


def test_an_answer_that_ran_out_of_tokens_says_so():
    model = FakeLanguageModel()
    model.enqueue("24", reason="length")
    assert LanguageModelEngine(model).complete(ask()).finish_reason == "length"


def test_a_form_that_ran_out_of_tokens_is_not_taken_for_a_whole_one():
    model = FakeLanguageModel()
    model.enqueue('{"n": 1', reason="length")
    with pytest.raises(AnswerCutOff) as caught:
        LanguageModelEngine(model).complete(
            ask(response_format={"type": "json_schema", "schema": SCHEMA})
        )
    assert caught.value.text == '{"n": 1'


def test_a_model_that_says_nothing_gives_an_empty_answer():
    model = FakeLanguageModel("")
    assert LanguageModelEngine(model).complete(ask()).text == ""


# --- errors and cancelling


def test_a_models_error_passes_the_engine_as_it_is():
    model = FakeLanguageModel()
    error = ModelDamaged("weights.safetensors is cut off")
    model.enqueue("It", error=error)
    model.enqueue("It", error=error)
    with pytest.raises(ModelDamaged) as caught:
        LanguageModelEngine(model).complete(ask())
    assert caught.value is error
    with pytest.raises(ModelDamaged):
        asyncio.run(asynchronous(model).complete(ask()))


def test_a_model_that_breaks_off_without_an_end_is_an_error():
    class Silent(FakeLanguageModel):
        def generate(self, request, cancelled=lambda: False):
            yield TextPart("It")

    with pytest.raises(ModelError):
        LanguageModelEngine(Silent()).complete(ask())


def test_a_cancelled_token_asks_the_model_nothing():
    token = CancelToken()
    token.cancel()
    model = FakeLanguageModel("never said")
    with pytest.raises(Cancelled):
        LanguageModelEngine(model, lambda: token.cancelled).complete(ask())
    assert model.requests == []


def test_a_token_cancelled_after_the_second_word_ends_the_generation_there():
    token = CancelToken()
    model = FakeLanguageModel("one two three four five")

    def stop_after_two(part):
        if part == TextPart(" two"):
            token.cancel()

    with pytest.raises(Cancelled):
        LanguageModelEngine(model, lambda: token.cancelled, stop_after_two).complete(ask())
    assert [p.text for p in model.said if isinstance(p, TextPart)] == ["one", " two"]
    assert model.ended == ["cancelled"]


def test_the_loop_goes_on_while_the_model_thinks():
    model = FakeLanguageModel()
    model.enqueue("one two three", seconds=0.02)

    async def count_meanwhile():
        ticks = 0
        answer = asyncio.create_task(asynchronous(model).complete(ask()))
        while not answer.done():
            await asyncio.sleep(0.001)
            ticks += 1
        return ticks, answer.result().text

    ticks, text = asyncio.run(count_meanwhile())
    assert text == "one two three"
    assert ticks > 3
    assert threading.current_thread().name not in model.threads


def test_cancelling_the_task_stops_the_model():
    model = FakeLanguageModel()
    model.enqueue(" ".join(["word"] * 500), seconds=0.01)

    async def give_up():
        task = asyncio.create_task(asynchronous(model).complete(ask()))
        while not model.said:
            await asyncio.sleep(0.001)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(give_up())
    assert model.wait_idle()
    assert model.ended == ["cancelled"]


def test_dspy_asks_once_even_if_the_model_fails():
    model = FakeLanguageModel()
    model.enqueue(error=ModelError("broken"))
    with pytest.raises(dspy.LMUnexpectedError):
        make_lm(model)("How long?")
    assert len(model.requests) == 1
