"""A real language model, end to end. Set GROUNDWORK_TEST_LLM to an MLX model directory.

What it measures is printed: `pytest -s`.
"""

import gc
import json
import os
import sys
import threading
from pathlib import Path

import pytest

from desktop.models.adapters import mlx_runtime
from desktop.models.generation import GenerationEnd, GenerationRequest, Message, TextPart, never
from desktop.models.inference_thread import InferenceThread, Priority
from tests.fakes.allowance import GenerousAllowance
from tests.models import tiny_language

_FOLDER = os.environ.get("GROUNDWORK_TEST_LLM", "")
pytestmark = [
    pytest.mark.models,
    pytest.mark.slow,
    pytest.mark.skipif(not _FOLDER, reason="GROUNDWORK_TEST_LLM names no model directory"),
]
TOOLS = ["search_words", "look_at_page", "answer"]
DECISION = {
    "type": "object",
    "properties": {
        "tool": {"enum": TOOLS},
        "reasoning": {"type": "string", "maxLength": 120},
        "should_end": {"type": "boolean"},
    },
    "required": ["tool", "reasoning", "should_end"],
}
SYSTEM = Message(
    "system",
    f"You route questions about equipment manuals to one of the tools {', '.join(TOOLS)}. "
    'Reply as JSON {"tool": ..., "reasoning": ..., "should_end": ...}.',
)
TOLERANCE = 1 << 20  # bytes


def decide(question):
    return GenerationRequest((SYSTEM, Message("user", question)), 160, schema=DECISION)


def text_of(parts):
    return "".join(part.text for part in parts if isinstance(part, TextPart))


def active_bytes():
    import mlx.core as mx

    gc.collect()
    return mx.get_active_memory()


def test_a_real_model_loads_decides_answers_cancels_and_gives_its_memory_back():
    pytest.importorskip("mlx_lm")
    thread = InferenceThread("real-model")
    thread.on_close(mlx_runtime.finish)

    def on_thread(function):
        return thread.run(function, Priority.QUESTION)

    def stream(model, request, cancelled=never):
        return thread.stream(lambda: model.generate(request, cancelled), Priority.QUESTION)

    try:
        installed = tiny_language.installed(Path(_FOLDER))
        before = on_thread(lambda: mlx_runtime.mlx_core() and active_bytes())
        model = on_thread(lambda: tiny_language.loaded(installed, GenerousAllowance()))
        loaded = on_thread(active_bytes)
        assert loaded - before == pytest.approx(model.weight_bytes(), abs=TOLERANCE)

        parts = list(stream(model, decide("How do I wire the backup battery?")))
        decision = json.loads(text_of(parts))
        assert decision["tool"] in TOOLS
        assert len(decision["reasoning"]) <= 120
        assert isinstance(decision["should_end"], bool)
        first = parts[-1].usage

        second = list(stream(model, decide("Which fuse does the pump have?")))[-1].usage
        assert second.reused_tokens > 40

        request = GenerationRequest((Message("user", "Name the three primary colours."),), 30)
        parts = list(stream(model, request))
        assert "red" in text_of(parts).lower()
        assert sum(isinstance(part, TextPart) for part in parts) > 3
        answer = parts[-1].usage

        cancel = threading.Event()
        seen = 0
        for part in stream(model, request, cancel.is_set):
            seen += isinstance(part, TextPart)
            if seen == 3:
                cancel.set()
        assert isinstance(part, GenerationEnd)
        assert part.reason == "cancelled"
        assert seen <= 3 + 2

        kept = on_thread(model.cache_bytes)
        on_thread(model.close)
        del model
        after = on_thread(active_bytes)
        assert abs(after - before) <= TOLERANCE
    finally:
        thread.close()
    figures = {
        "bytes before, loaded, after": (before, loaded, after),
        "kept keys and values, bytes": kept,
        "decision, prompt and output tokens/s": (
            round(first.prompt_tokens_per_second, 1),
            round(first.output_tokens_per_second, 2),
        ),
        "second decision, tokens reused of": (second.reused_tokens, second.prompt_tokens),
        "answer, tokens/s": round(answer.output_tokens_per_second, 2),
        "texts shown before the end, cancelled at the third": seen,
    }
    sys.stdout.write(json.dumps(figures, indent=1))
