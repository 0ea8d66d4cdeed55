"""Decisions through DSPy with the real constraint, and with a real model where there is one.

GROUNDWORK_TEST_LLM names a folder with a small language model in MLX layout.
"""

import asyncio
import json
import os
import random
from pathlib import Path
from typing import Any, Literal

import dspy
import pytest

from desktop.core.jobs import Cancelled, CancelToken
from desktop.core.language.program import LanguageProgram
from desktop.models.generation import GenerationEnd, TextPart, Usage
from desktop.models.inference_thread import InferenceThread, Priority
from desktop.models.roles import InstalledModel
from tests.fakes.allowance import GenerousAllowance
from tests.fakes.language_model import FakeLanguageModel
from tests.fakes.tiny_tokenizer import TOKEN_IDS, VOCABULARY, write_tiny_tokenizer

pytestmark = pytest.mark.models
END = TOKEN_IDS["<|im_end|>"]


class Choose(dspy.Signature):  # type: ignore[misc] # dspy has no types
    """Choose the tool that brings the question nearer to its answer."""

    question: str = dspy.InputField()
    tool: Literal["search_manuals", "answer"] = dspy.OutputField()
    tool_inputs: dict[str, Any] = dspy.OutputField()
    pages: list[int] = dspy.OutputField()
    should_end: bool = dspy.OutputField()
    reasoning: str = dspy.OutputField(max_length=80)


class ChooseBriefly(dspy.Signature):  # type: ignore[misc] # dspy has no types
    """Choose the tool that brings the question nearer to its answer."""

    question: str = dspy.InputField()
    tool: Literal["search_manuals", "answer"] = dspy.OutputField()
    should_end: bool = dspy.OutputField()
    reasoning: str = dspy.OutputField(max_length=40)


class ChanceModel(FakeLanguageModel):
    """Writes by chance what the schema lets it write, byte by byte."""

    def __init__(self, vocabulary, tokenizer, seed):
        super().__init__()
        self._vocabulary, self._tokenizer, self._chance = vocabulary, tokenizer, random.Random(seed)

    def generate(self, request, cancelled=lambda: False):
        assert request.schema is not None
        constraint = self._vocabulary.constrain(request.schema)
        tokens: list[int] = []
        while not constraint.finished and len(tokens) < 4_000:
            allowed = constraint.allowed(VOCABULARY).nonzero()[0].tolist()
            # prefer what closes: chance alone nests an open dictionary without end
            closing = [t for t in allowed if t == END or self._tokenizer.decode([t]) in '"}]']
            token = self._chance.choice(closing if closing and len(tokens) > 60 else allowed)
            if token == END:
                break
            constraint.accept(token)
            tokens.append(token)
        yield TextPart(self._tokenizer.decode(tokens))
        yield GenerationEnd("stop", Usage())


@pytest.fixture(scope="module")
def tokenizer_json(tmp_path_factory):
    pytest.importorskip("llguidance")
    folder = tmp_path_factory.mktemp("tokenizer")
    write_tiny_tokenizer(folder)
    return (folder / "tokenizer.json").read_text()


@pytest.mark.parametrize("seed", range(10))
def test_whatever_a_model_writes_into_the_form_is_a_decision(tokenizer_json, seed):
    from tokenizers import Tokenizer

    from desktop.models.structured import JsonVocabulary

    vocabulary = JsonVocabulary(tokenizer_json, [END])
    model = ChanceModel(vocabulary, Tokenizer.from_str(tokenizer_json), seed)
    choice = LanguageProgram(model).run(dspy.Predict(Choose), question="How long?")
    assert choice.tool in ("search_manuals", "answer")
    assert isinstance(choice.tool_inputs, dict)
    assert isinstance(choice.should_end, bool)
    assert all(isinstance(page, int) for page in choice.pages)
    assert len(choice.reasoning) <= 80


class OnInferenceThread:
    """A loaded model, asked from any thread."""

    def __init__(self, model, thread):
        self._model, self._thread = model, thread
        self.model_id, self.context_tokens = model.model_id, model.context_tokens

    def count_tokens(self, text):
        return self._thread.run(lambda: self._model.count_tokens(text), Priority.QUESTION)

    def generate(self, request, cancelled=lambda: False):
        return self._thread.stream(
            lambda: self._model.generate(request, cancelled), Priority.QUESTION
        )


@pytest.fixture(scope="module")
def real_model():
    folder = os.environ.get("GROUNDWORK_TEST_LLM")
    if not folder:
        pytest.skip("GROUNDWORK_TEST_LLM names no language model")
    pytest.importorskip("mlx_lm")
    from desktop.models.adapters import mlx_language, mlx_runtime

    config = json.loads((Path(folder) / "config.json").read_text())
    weights = sum(f.stat().st_size for f in Path(folder).glob("*.safetensors"))
    installed = InstalledModel("test", "language", config["model_type"], "1", Path(folder), weights)

    def load():
        loading = mlx_language.load(installed, GenerousAllowance())
        while True:
            try:
                next(loading)
            except StopIteration as end:
                return end.value

    thread = InferenceThread("test-inference")
    model = thread.run(load, Priority.QUESTION)
    thread.on_close(mlx_runtime.finish)
    thread.on_close(model.close)
    yield OnInferenceThread(model, thread)
    thread.close()


@pytest.mark.slow
def test_a_real_model_decides_in_the_form(real_model):
    choice = LanguageProgram(real_model, max_tokens=100).run(
        dspy.Predict(ChooseBriefly), question="How long does the battery test of the panel last?"
    )
    assert choice.tool in ("search_manuals", "answer")
    assert isinstance(choice.should_end, bool)
    assert len(choice.reasoning) <= 40


@pytest.mark.slow
def test_a_real_model_streams_an_answer_and_stops_when_it_is_cancelled(real_model):
    token = CancelToken()
    module = dspy.Predict("page: str, question: str -> response: str")
    page = "The battery test lasts 24 hours and repeats hourly."

    async def read(program, cancel_after):
        seen = []
        async for item in program.stream(module, page=page, question="How long is the test?"):
            seen.append(item)
            if cancel_after and sum(isinstance(i, str) for i in seen) == cancel_after:
                token.cancel()
        return seen

    seen = asyncio.run(read(LanguageProgram(real_model, max_tokens=40), 0))
    texts = [item for item in seen if isinstance(item, str)]
    assert len(texts) > 2
    assert isinstance(seen[-1], GenerationEnd)
    assert "[[ ##" not in "".join(texts)

    ends: list[object] = []
    program = LanguageProgram(real_model, token, max_tokens=40, on_part=ends.append)
    with pytest.raises(Cancelled):
        asyncio.run(read(program, 2))
    assert isinstance(ends[-1], GenerationEnd)
    assert ends[-1].usage.output_tokens <= 4
