"""Compare the MLX page embedder with the torch one: the same random weights, the same run.

Builds a ColQwen2.5 of the given size with random weights, float32, loads it in both runtimes
and embeds the same pages in turns, so that whatever else the machine does slows both. Measures
pages per second, their ratio, how far the vectors are apart, and the memory that a page took
against what the adapters had estimated.
"""

from __future__ import annotations

import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

from desktop.core.evaluation.figures import Figure
from desktop.models.adapters import colqwen_mlx, colqwen_torch, mlx_runtime, torch_runtime
from tests.fakes.allowance import GIB, GenerousAllowance
from tests.models import tiny_colqwen

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from desktop.models.adapters.colqwen_embedder import ColQwenEmbedder

    Page = NDArray[np.uint8]


BASELINE = "the same weights and pages through torch; the memory that was estimated"


def measure(options: argparse.Namespace) -> tuple[list[Figure], list[str]]:
    """Build, load, embed in turns."""
    torch_runtime.prepare()
    mlx_runtime.mlx_core()  # its fast matrix products must be loaded before torch's
    with tempfile.TemporaryDirectory() as folder:
        tiny = tiny_colqwen.build(
            "colqwen2_5", Path(folder), most_patches=options.patches, **_sizes(options)
        )
        tiny.model = None
        embedders = {
            "mlx": _loaded(colqwen_mlx.load, tiny.installed),
            "torch": _loaded(colqwen_torch.load, tiny.installed),
        }
        page = tiny_colqwen.picture(1414, 1000)
        vectors = {name: e.embed_pages([page])[0].vectors for name, e in embedders.items()}
        cosine = float((vectors["mlx"] * vectors["torch"]).sum(axis=1).min())
        memory = [_memory(name, embedder, page) for name, embedder in embedders.items()]
        seconds = _in_turns(embedders, page, options.rounds)
    ratios = [t / m for m, t in zip(seconds["mlx"], seconds["torch"], strict=True)]
    return [
        Figure(
            name="MLX",
            value=1 / statistics.median(seconds["mlx"]),
            unit="pages/s",
            baseline=1 / statistics.median(seconds["torch"]),
        ),
        Figure(name="MLX / torch, median of rounds", value=statistics.median(ratios), baseline=1),
        Figure(name="lowest cosine of a vector to torch's", value=cosine, baseline=1),
        *memory,
    ], [f"{len(vectors['mlx'])} vectors a page, {options.layers} layers of {options.hidden}"]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Say what can be chosen."""
    parser.add_argument("--hidden", type=int, default=512, help="width of the decoder")
    parser.add_argument("--layers", type=int, default=8, help="of the decoder and of the tower")
    parser.add_argument("--patches", type=int, default=400, help="most merged patches of a page")
    parser.add_argument("--rounds", type=int, default=5)


def _sizes(options: argparse.Namespace) -> dict[str, Any]:
    hidden, layers = options.hidden, options.layers
    heads = max(1, hidden // 64)
    text = {
        "hidden_size": hidden,
        "intermediate_size": hidden * 4,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": max(1, heads // 4),
        "initializer_range": 0.02,
    }
    tower = {
        "hidden_size": hidden // 2,
        "intermediate_size": hidden * 2,
        "out_hidden_size": hidden,
        "depth": layers,
        "num_heads": max(1, hidden // 128),
        "fullatt_block_indexes": list(range(3, layers, 4)),
    }
    return {"text": text, "vision": tower}


def _loaded(load: Callable[..., Any], model: Any) -> ColQwenEmbedder:
    embedder: ColQwenEmbedder
    embedder, _ = tiny_colqwen.loaded(load, model, GenerousAllowance(64 * GIB))
    return embedder


def _in_turns(
    embedders: dict[str, ColQwenEmbedder], page: Page, rounds: int
) -> dict[str, list[float]]:
    seconds: dict[str, list[float]] = {name: [] for name in embedders}
    for turn in range(rounds):
        for name in sorted(embedders, reverse=bool(turn % 2)):
            start = time.perf_counter()
            embedders[name].embed_pages([page])
            seconds[name].append(time.perf_counter() - start)
    return seconds


def _memory(name: str, embedder: ColQwenEmbedder, page: Page) -> Figure:
    estimate = embedder._page_bytes(page)
    embedder.drop_caches()
    process = psutil.Process()
    before, peak, done = process.memory_info().rss, 0, threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.002):
            peak = max(peak, process.memory_info().rss)

    mx = mlx_runtime.mlx_core()
    active = mx.get_active_memory()
    mx.reset_peak_memory()
    watcher = threading.Thread(target=watch)
    watcher.start()
    embedder.embed_pages([page])
    done.set()
    watcher.join()
    took = mx.get_peak_memory() - active if name == "mlx" else peak - before
    return Figure(
        name=f"memory a page took, {name}", value=took / 1e6, unit="MB", baseline=estimate / 1e6
    )
