"""Measure the text embedder of this machine: vectors per second."""

from __future__ import annotations

import random
import sys
import time

from desktop.models.inference_thread import InferenceThread, Priority
from desktop.models.text_embedding import load_text_embedder
from desktop.models.threaded_embedder import ThreadedEmbedder

WORDS = (
    "connect the battery relay terminal pressure valve menu alarm fuse before after every "
    "check replace panel sensor cable 24 V 5 A S-130 RS-485 heater pump and to of in is"
).split()


def main() -> int:
    """Print what was measured; returns the exit code."""
    chooser = random.Random(7)
    short = [" ".join(chooser.choices(WORDS, k=40)) for _ in range(128)]
    long = [" ".join(chooser.choices(WORDS, k=180)) for _ in range(32)]
    inference = InferenceThread()
    try:
        embedder = ThreadedEmbedder(load_text_embedder, inference, Priority.INGESTION)
        print(f"loaded in {_seconds(embedder, ['hello']):.2f} s")
        print(f"question: {min(_seconds(embedder, [text]) for text in short[:20]) * 1e3:.1f} ms")
        print(f"rows of 40 words: {len(short) / _seconds(embedder, short):.0f} a second")
        print(f"paragraphs of 180 words: {len(long) / _seconds(embedder, long):.0f} a second")
    finally:
        inference.close()
    return 0


def _seconds(embedder: ThreadedEmbedder, texts: list[str]) -> float:
    start = time.perf_counter()
    embedder.embed(texts)
    return time.perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())
