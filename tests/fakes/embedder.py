"""A text embedder that counts what it is asked and embeds by a rule one can see."""

from __future__ import annotations

import threading

import numpy as np


class ScriptedEmbedder:
    """Embeds a text as (its length, 1), scaled; remembers calls and threads."""

    model_id = "scripted@1"
    dimension = 2

    def __init__(self):
        self.calls: list[list[str]] = []
        self.threads: set[str] = set()
        self.closed_on: str | None = None

    def embed(self, texts):
        self.calls.append(list(texts))
        self.threads.add(threading.current_thread().name)
        rows = np.array([[len(text), 1.0] for text in texts], np.float32).reshape(-1, 2)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def embed_tokens(self, texts):
        self.calls.append(list(texts))
        return [np.ones((len(text.split()), 2), np.float32) / np.sqrt(2) for text in texts]

    def close(self):
        self.closed_on = threading.current_thread().name
