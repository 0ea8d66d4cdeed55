"""Measures the language adapter against bare mlx-lm, on one model, in one run.

Three parts, each alternating what it compares so that the machine's moods hit both alike:

- language: tokens/s of an answer, as the application gets it (through the inference thread),
  against `mlx_lm.stream_generate` on the same weights.
- constrained: tokens/s of an answer held to a JSON schema, against a free one.
- prefix: seconds to the first token of the second decision of one question, with the keys
  and values of the unchanged beginning kept, against without.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop.core.evaluation.figures import Figure
from desktop.models.adapters import mlx_runtime
from desktop.models.adapters.mlx_language import MlxLanguageModel, load
from desktop.models.generation import (
    GenerationEnd,
    GenerationRequest,
    Message,
    PromptProgress,
    TextPart,
)
from desktop.models.inference_thread import InferenceThread, Priority
from desktop.models.roles import InstalledModel

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

BASELINE = "bare mlx-lm on the same weights; a free answer; a prompt read anew"
_TOOLS = ("search_words", "search_pages", "look_at_page", "read_section", "answer", "ask_back")
_SYSTEM = Message("system", "You help a field engineer with equipment manuals.")
_LONG = "Explain in great detail, step by step, how to commission a centrifugal pump."
_DECISION = {
    "type": "object",
    "properties": {
        "reasoning": {"type": "string", "minLength": 2000, "maxLength": 4000},
        "tool": {"enum": list(_TOOLS)},
    },
    "required": ["reasoning", "tool"],
}


@dataclass(frozen=True)
class Part:
    """What is compared. unit: of both sides. least: what the ratio of the two shall be."""

    what: str
    unit: str
    ratio: str
    least: float


_PARTS = {
    "language": Part("an answer", "tokens/s", "ours / bare", 0.95),
    "constrained": Part("an answer held to a schema", "tokens/s", "constrained / free", 0.9),
    "prefix": Part("first token, prompt read anew", "s", "anew / beginning kept", 3.0),
}


class Unlimited:
    """An allowance of all the memory there is: a bench decides itself what it can load."""

    def free_bytes(self) -> int:
        """Return much."""
        return 1 << 40

    def admit(self, needed_bytes: int, purpose: str) -> None:
        """Let everything pass."""


class Bench:
    """A loaded model on its inference thread."""

    def __init__(self, folder: Path, tokens: int) -> None:
        """Load the model of a folder."""
        kind = json.loads((folder / "config.json").read_text())["model_type"]
        size = sum(path.stat().st_size for path in folder.glob("*.safetensors"))
        self._tokens = tokens
        self._thread = InferenceThread("bench")
        self._thread.on_close(mlx_runtime.finish)
        model = InstalledModel(folder.name, "language", kind, "bench", folder, size)
        self._model: MlxLanguageModel = self._on_thread(lambda: _finished(load(model, Unlimited())))

    def close(self) -> None:
        """Free the model and end the thread."""
        self._on_thread(self._model.close)
        self._thread.close()

    def sides(self, part: str) -> tuple[Callable[[], float], Callable[[], float]]:
        """Return the two measurements that a part compares."""
        free, held = self._request(_LONG), self._request(_LONG, _DECISION)
        if part == "language":
            return lambda: self._output_speed(free), lambda: self._on_thread(self._bare_speed)
        if part == "constrained":
            return lambda: self._output_speed(held), lambda: self._output_speed(free)
        return self._without_kept, self._with_kept

    def prompt_tokens(self) -> int:
        """Return the length of the prompt of `prefix`."""
        count: int = self._on_thread(lambda: self._model.count_tokens(_decision(2)))
        return count

    def _request(self, text: str, schema: dict[str, Any] | None = None) -> GenerationRequest:
        return GenerationRequest((_SYSTEM, Message("user", text)), self._tokens, schema=schema)

    def _output_speed(self, request: GenerationRequest) -> float:
        """Return tokens/s from the first token to the last, as a consumer sees them."""
        begun = 0.0
        for part in self._thread.stream(lambda: self._model.generate(request), Priority.QUESTION):
            if isinstance(part, PromptProgress):
                begun = time.perf_counter()  # the last one comes with the first token
            elif isinstance(part, GenerationEnd):
                return (part.usage.output_tokens - 1) / (time.perf_counter() - begun)
        raise AssertionError("the answer did not end")

    def _bare_speed(self) -> float:
        from mlx_lm import stream_generate

        # The same weights, since a second copy may not fit: they are the adapter's own.
        network, tokenizer = self._model._network, self._model._tokenizer
        prompt = self._model._template.prompt(self._request(_LONG).messages, thinking=False)
        begun, number = 0.0, 0
        for number, _ in enumerate(
            stream_generate(network, tokenizer, prompt.tokens, max_tokens=self._tokens)
        ):
            if number == 0:
                begun = time.perf_counter()
        return number / (time.perf_counter() - begun)

    def _without_kept(self) -> float:
        self._on_thread(self._model.drop_caches)
        return self._first_token(self._request(_decision(2), _DECISION))

    def _with_kept(self) -> float:
        self._on_thread(self._model.drop_caches)
        self._first_token(self._request(_decision(1), _DECISION))
        return self._first_token(self._request(_decision(2), _DECISION))

    def _first_token(self, request: GenerationRequest) -> float:
        started = time.perf_counter()
        parts = self._thread.stream(lambda: self._model.generate(request), Priority.QUESTION)
        for part in parts:
            if isinstance(part, TextPart):
                return time.perf_counter() - started
        raise AssertionError("the answer has no text")

    def _on_thread(self, function: Callable[[], Any]) -> Any:
        return self._thread.run(function, Priority.QUESTION)


def _decision(number: int) -> str:
    """Write a decision's prompt of about 2,000 tokens; the steps differ at its end."""
    tools = "\n".join(
        f"- {_TOOLS[place % len(_TOOLS)]} number {place}: use it when the question is of kind "
        f"{place}, names part P-{place * 37}, and the manuals {', '.join('ABCDEF'[place % 6 :])} "
        "are open."
        for place in range(1, 49)
    )
    pages = range(number * 3)
    found = "\n".join(f"Page {page} says: turn valve V{page} by hand." for page in pages)
    return f"Tools:\n{tools}\nQuestion: how is the pump started?\nFound so far:\n{found}\nNext?"


def _finished(loader: Any) -> Any:
    while True:
        try:
            fraction = next(loader)
        except StopIteration as end:
            return end.value
        print(f"\rloading {fraction:4.0%}", end="", file=sys.stderr)


def compared(bench: Bench, name: str, rounds: int) -> list[Figure]:
    """Run a part, its two sides in turn.

    The best of each side counts: whatever else the machine does only slows.
    """
    part = _PARTS[name]
    one, other = bench.sides(name)
    best = min if part.unit == "s" else max
    pairs = []
    for number in range(rounds):  # who goes first changes as well
        if number % 2:
            second, first = other(), one()
        else:
            first, second = one(), other()
        print(f"  {name}: {first:.2f}  {second:.2f}", file=sys.stderr, flush=True)
        pairs.append((first, second))
    firsts, seconds = map(best, zip(*pairs, strict=True))
    return [
        Figure(name=part.what, value=firsts, unit=part.unit, baseline=seconds),
        Figure(
            name=f"{part.what}: {part.ratio}",
            value=firsts / seconds,
            limit=part.least,
            more_is_better=True,
        ),
        Figure(
            name=f"{part.what}: {part.ratio}, median of rounds",
            value=statistics.median(a / b for a, b in pairs),
        ),
    ]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Say what can be chosen."""
    parser.add_argument("folder", type=Path, help="a model in MLX layout")
    parser.add_argument("--part", choices=list(_PARTS), action="append", help="default: all")
    parser.add_argument("--tokens", type=int, default=64, help="output tokens of an answer")
    parser.add_argument("--rounds", type=int, default=3)


def measure(options: argparse.Namespace) -> tuple[list[Figure], list[str]]:
    """Run the chosen parts."""
    bench = Bench(options.folder, options.tokens)
    try:
        for side in bench.sides("language"):
            side()  # the first run of everything is slower
        figures = [
            figure
            for part in options.part or _PARTS
            for figure in compared(bench, part, options.rounds)
        ]
        prompt = bench.prompt_tokens()
    finally:
        bench.close()
    return figures, [f"{options.folder.name}; the decisions' prompt has {prompt} tokens"]
