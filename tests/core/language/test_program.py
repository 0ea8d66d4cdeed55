"""DSPy modules on a language model: decisions held to a form, answers streamed, nothing kept."""

import asyncio
import gc
import logging
import threading
from contextlib import aclosing
from typing import Any, Literal

import dspy
import pytest

from desktop.core.jobs import Cancelled, CancelToken
from desktop.core.language.errors import AnswerCutOff, AnswerNotUnderstood
from desktop.core.language.program import LanguageProgram
from desktop.models.errors import ModelNotInstalled, ModelOutOfBudget, SchemaNotSupported
from desktop.models.generation import (
    GenerationEnd,
    ModelLoading,
    PromptProgress,
    Sampling,
    TextPart,
    Usage,
)
from tests.fakes.language_model import FakeLanguageModel


class Choose(dspy.Signature):  # type: ignore[misc] # dspy has no types
    """Choose the next step."""

    question: str = dspy.InputField()
    tool: Literal["search", "answer"] = dspy.OutputField()
    tool_inputs: dict = dspy.OutputField()
    settings: dict[str, Any] = dspy.OutputField()
    reasoning: str = dspy.OutputField(max_length=200)


class Answer(dspy.Signature):  # type: ignore[misc] # dspy has no types
    """Answer from the pages."""

    pages: str = dspy.InputField()
    response: str = dspy.OutputField()


CHOICE = '{"tool": "search", "tool_inputs": {"query": "test"}, "settings": {}, "reasoning": "look"}'


def choose(model, **options):
    return LanguageProgram(model, **options).run(dspy.Predict(Choose), question="How long?")


def streamed(program, module, **inputs):
    async def read():
        return [item async for item in program.stream(module, **inputs)]

    return asyncio.run(read())


def texts(items):
    return [item for item in items if isinstance(item, str)]


# --- decisions


def test_the_signatures_schema_reaches_the_model_with_its_choices():
    model = FakeLanguageModel(CHOICE)
    choice = choose(model)
    assert (choice.tool, choice.tool_inputs, choice.reasoning) == (
        "search",
        {"query": "test"},
        "look",
    )
    schema = model.requests[0].schema
    assert schema is not None
    properties = schema["properties"]
    assert list(properties) == ["tool", "tool_inputs", "settings", "reasoning"]
    assert schema["required"] == list(properties)
    assert schema["additionalProperties"] is False
    assert properties["tool"]["enum"] == ["search", "answer"]
    assert properties["reasoning"]["maxLength"] == 200


@pytest.mark.parametrize("field", ["tool_inputs", "settings"])
def test_an_open_dictionary_stays_open(field):
    model = FakeLanguageModel(CHOICE)
    choose(model)
    schema = model.requests[0].schema
    assert schema is not None
    assert schema["properties"][field]["type"] == "object"
    assert schema["properties"][field].get("additionalProperties") is not False


def test_a_schema_of_the_callers_own_is_sent_as_it_is():
    model = FakeLanguageModel(CHOICE)
    own = {"type": "object", "properties": {"tool": {"const": "search"}}}
    own_format = {"type": "json_schema", "json_schema": {"name": "own", "schema": own}}
    module = dspy.Predict(Choose, response_format=own_format)
    LanguageProgram(model).run(module, question="How long?")
    assert model.requests[0].schema == own


def test_the_programs_settings_reach_the_model():
    model = FakeLanguageModel(CHOICE)
    choose(model, max_tokens=77)
    request = model.requests[0]
    assert (request.sampling, request.max_tokens, request.thinking) == (Sampling(), 77, False)


def test_a_decision_can_be_awaited():
    model = FakeLanguageModel(CHOICE)
    program = LanguageProgram(model)
    choice = asyncio.run(program.arun(dspy.Predict(Choose), question="How long?"))
    assert choice.tool == "search"
    assert model.requests[0].schema is not None


def test_whoever_shows_progress_sees_the_model_being_loaded():
    model = FakeLanguageModel()
    model.enqueue(CHOICE, before=[ModelLoading(0.5)])
    seen: list[object] = []
    choose(model, on_part=seen.append)
    assert ModelLoading(0.5) in seen
    assert isinstance(seen[-1], GenerationEnd)


def test_text_that_is_no_decision_is_reported_with_what_was_said():
    with pytest.raises(AnswerNotUnderstood) as caught:
        choose(FakeLanguageModel("I would rather not."))
    assert caught.value.text == "I would rather not."


def test_a_decision_that_ran_out_of_tokens_is_not_repaired_into_one():
    model = FakeLanguageModel()
    model.enqueue(CHOICE[:-6], reason="length")
    with pytest.raises(AnswerCutOff):
        choose(model)


ERRORS = [
    ModelNotInstalled("install it"),
    ModelOutOfBudget("no room", 10, 5, "Unload another."),
    SchemaNotSupported("$dynamicRef"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_a_models_error_reaches_the_caller_as_that_error(error):
    model = FakeLanguageModel()
    cause = OSError("disk")
    error.__cause__ = cause
    for _ in range(3):
        model.enqueue("{", error=error)
    program, module = LanguageProgram(model), dspy.ChainOfThought(Choose)
    with pytest.raises(type(error)) as caught:
        program.run(module, question="?")
    assert caught.value is error
    assert error.__cause__ is cause
    with pytest.raises(type(error)):
        asyncio.run(program.arun(module, question="?"))
    with pytest.raises(type(error)):
        streamed(program, dspy.Predict(Answer), pages="")
    assert len(model.requests) == 3  # asked once each, never again


def test_cancelling_the_question_ends_a_decision_as_cancelled():
    token = CancelToken()
    model = FakeLanguageModel(CHOICE, CHOICE)

    def cancel_at_first_word(part):
        if isinstance(part, TextPart):
            token.cancel()

    with pytest.raises(Cancelled):
        choose(model, cancel=token, on_part=cancel_at_first_word)
    assert model.ended == ["cancelled"]
    assert sum(isinstance(part, TextPart) for part in model.said) == 1
    with pytest.raises(Cancelled):
        choose(model, cancel=token)
    assert len(model.requests) == 1


def test_a_module_that_swallows_errors_does_not_swallow_the_cancel():
    token = CancelToken()
    model = FakeLanguageModel(CHOICE)

    class Stubborn(dspy.Module):  # type: ignore[misc] # dspy has no types
        def forward(self, **inputs):
            try:
                return dspy.Predict(Choose)(**inputs)
            except dspy.LMError:
                return dspy.Prediction(tool="answer")

    with pytest.raises(Cancelled):
        LanguageProgram(model, token, on_part=lambda _: token.cancel()).run(
            Stubborn(), question="?"
        )


def test_cancelling_the_task_of_a_decision_stops_the_model():
    model = FakeLanguageModel()
    model.enqueue(" ".join(["word"] * 500), seconds=0.01)

    async def give_up():
        program = LanguageProgram(model)
        task = asyncio.create_task(program.arun(dspy.Predict(Choose), question="?"))
        while not model.said:
            await asyncio.sleep(0.001)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(give_up())
    assert model.wait_idle()
    assert model.ended == ["cancelled"]


# --- answers


def test_an_answer_streams_word_by_word_with_its_reasoning_apart():
    model = FakeLanguageModel()
    model.enqueue("It lasts 24 hours [1].", reasoning="page 4", before=[ModelLoading(1.0)])
    items = streamed(LanguageProgram(model), dspy.Predict(Answer), pages="...")
    assert texts(items) == ["It", " lasts", " 24", " hours", " [1]."]
    assert ModelLoading(1.0) in items
    assert any(isinstance(i, PromptProgress) for i in items)
    assert items[-1].usage.output_tokens == 7
    assert model.requests[0].schema is None


def test_a_word_is_shown_before_the_next_one_is_written():
    may_go_on = threading.Event()

    class Patient(FakeLanguageModel):
        def generate(self, request, cancelled=lambda: False):
            yield TextPart("It")
            assert may_go_on.wait(30)
            yield TextPart(" lasts")
            yield GenerationEnd("stop", Usage())

    async def read():
        seen = []
        async for item in LanguageProgram(Patient()).stream(dspy.Predict(Answer), pages=""):
            seen.append(item)
            may_go_on.set()
        return seen

    assert texts(asyncio.run(read())) == ["It", " lasts"]


def test_the_prompt_of_a_plain_answer_asks_for_no_markers():
    model = FakeLanguageModel("24 hours.")
    streamed(LanguageProgram(model), dspy.Predict(Answer), pages="4-11: It lasts 24 hours.")
    prompt = "\n".join(message.text for message in model.requests[0].messages)
    assert "4-11: It lasts 24 hours." in prompt
    assert "Answer from the pages." in prompt
    assert "[[ ## response ## ]]" not in prompt
    assert "completed" not in prompt


def test_markers_never_reach_the_reader():
    model = FakeLanguageModel()
    model.enqueue(
        parts=["[[ ##", " response", " ## ]]\n", "24", " hours.", "\n\n[[ ## com", "pleted ## ]]"]
    )
    items = streamed(LanguageProgram(model), dspy.Predict(Answer), pages="")
    assert "".join(texts(items)) == "24 hours."


def test_a_module_of_two_predictions_streams_both():
    model = FakeLanguageModel("short", "24 hours.")

    class Twice(dspy.Module):  # type: ignore[misc] # dspy has no types
        def __init__(self):
            super().__init__()
            self.first, self.second = dspy.Predict("pages -> summary"), dspy.Predict(Answer)

        async def aforward(self, pages):
            summary = await self.first.acall(pages=pages)
            return await self.second.acall(pages=summary.summary)

    items = streamed(LanguageProgram(model), Twice(), pages="...")
    assert texts(items) == ["short", "24", " hours."]


def test_examples_and_history_are_put_in_plain_words():
    model = FakeLanguageModel("24 hours.")
    module = dspy.Predict(Answer)
    module.demos = [dspy.Example(pages="p. 2: red", response="It is red.")]
    streamed(LanguageProgram(model), module, pages="")
    said = [m.text for m in model.requests[0].messages if m.speaker == "assistant"]
    assert said == ["It is red."]


def test_an_empty_answer_is_reported():
    with pytest.raises(AnswerNotUnderstood):
        streamed(LanguageProgram(FakeLanguageModel(" ")), dspy.Predict(Answer), pages="")


def test_an_answer_that_ran_out_of_tokens_is_kept_and_says_so():
    model = FakeLanguageModel()
    model.enqueue("It lasts", reason="length")
    items = streamed(LanguageProgram(model), dspy.Predict(Answer), pages="")
    assert items[-1].reason == "length"
    assert "".join(texts(items)) == "It lasts"


def test_cancelling_the_question_ends_a_stream_as_cancelled():
    token = CancelToken()
    model = FakeLanguageModel()
    model.enqueue(" ".join(["word"] * 500), seconds=0.005)
    seen = []

    async def read():
        program = LanguageProgram(model, token)
        async for item in program.stream(dspy.Predict(Answer), pages=""):
            seen.append(item)
            if isinstance(item, str):
                token.cancel()

    with pytest.raises(Cancelled):
        asyncio.run(read())
    assert model.ended == ["cancelled"]
    assert texts(seen)


def test_leaving_a_stream_early_stops_the_model():
    model = FakeLanguageModel()
    model.enqueue(" ".join(["word"] * 500), seconds=0.01)

    async def read_one():
        async with aclosing(LanguageProgram(model).stream(dspy.Predict(Answer), pages="")) as items:
            async for item in items:
                if isinstance(item, str):
                    return

    asyncio.run(read_one())
    assert model.wait_idle()
    assert model.ended == ["cancelled"]


# --- side by side, and nothing kept


def test_programs_run_side_by_side_on_threads_and_tasks():
    models = [FakeLanguageModel(*[f"answer {n}"] * 8, model_id=f"m{n}@1") for n in range(4)]

    async def several(model):
        async def one():
            stream = LanguageProgram(model).stream(dspy.Predict(Answer), pages="")
            return "".join(texts([item async for item in stream]))

        return await asyncio.gather(*(one() for _ in range(8)))

    answers: dict[int, list[str]] = {}

    def work(n):
        answers[n] = asyncio.run(several(models[n]))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {n: [f"answer {n}"] * 8 for n in range(4)}


def test_the_global_settings_of_dspy_are_as_they_were():
    before = dict(dspy.settings.config)
    model = FakeLanguageModel(CHOICE, "24 hours.")
    choose(model)

    async def read():
        async for _ in LanguageProgram(model).stream(dspy.Predict(Answer), pages=""):
            assert dspy.settings.lm is None

    asyncio.run(read())
    assert dict(dspy.settings.config) == before
    assert dspy.settings.lm is None


def test_questions_are_not_kept_by_dspy():
    model = FakeLanguageModel()
    model.enqueue(CHOICE)
    choose(model)
    gc.collect()
    assert dspy.settings.trace == []
    assert dspy.clients.base_lm.GLOBAL_HISTORY == []
    assert not dspy.cache.enable_disk_cache
    assert not dspy.cache.enable_memory_cache


def test_dspys_log_quotes_no_manual(caplog):
    class Strict(dspy.Signature):  # type: ignore[misc] # dspy has no types
        """Count."""

        pages: int = dspy.InputField()
        response: str = dspy.OutputField()

    with caplog.at_level(logging.DEBUG):
        streamed(LanguageProgram(FakeLanguageModel("1")), dspy.Predict(Strict), pages="secret page")
    assert "secret page" not in caplog.text
