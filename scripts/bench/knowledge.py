"""Measure the knowledge base in SQLite: loading, and retrieving among many pieces.

Vectors are drawn around topics, as those of notes about the same matter are; making them costs
nothing here, so the figures are without embedding.
"""

from __future__ import annotations

import random
import sqlite3
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.evaluation.figures import Figure
from desktop.core.notes.desk import connect_notes
from knowledge.base import sqlite_knowledge_base
from knowledge.graph import GraphEdge, GraphNode
from knowledge.loader import KnowledgeDataLoader
from knowledge.services.sqlite import all_rows
from knowledge.services.sqlite_retrieval import VectorTable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from knowledge.base import KnowledgeBase

BASELINE = "one plain INSERT of the same rows; the exact product with every vector"
_DIMENSION = 384
_TOPICS = 1_000
_WORDS = 4_000
_ENTITIES = 500


class TopicVectors:
    """A text model that costs nothing: a text begins with its topic and its own number."""

    model_id = "bench@1"
    dimension = _DIMENSION

    def __init__(self) -> None:
        self._topics = _unit(np.random.default_rng(1).standard_normal((_TOPICS, _DIMENSION)))

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a vector near that of each text's topic."""
        numbers = [list(map(int, text.split(maxsplit=2)[:2])) for text in texts]
        noise = [np.random.default_rng(own).standard_normal(_DIMENSION) for _, own in numbers]
        near = self._topics[[topic for topic, _ in numbers]]
        return _unit(near + 0.8 * np.array(noise) / np.sqrt(_DIMENSION))

    def embed_queries(self, queries: Sequence[str]) -> NDArray[np.float32]:
        """Return the same for questions."""
        return self.embed(queries)


class Vocabulary:
    """Made-up words, the commonest in every fifth sentence, the rarest hardly ever."""

    def __init__(self, seed: int = 7) -> None:
        self._random = random.Random(seed)
        letters = "abcdefghiklmnoprstuvw"
        self._words = [
            "".join(self._random.choices(letters, k=self._random.randint(4, 9)))
            for _ in range(_WORDS)
        ]
        self._weights = [1 / (rank + 5) for rank in range(_WORDS)]

    def text(self, words: int) -> str:
        """Return so many words."""
        return " ".join(self._random.choices(self._words, self._weights, k=words))

    def numbers(self) -> str:
        """Return a topic and a number of its own."""
        return f"{self._random.randrange(_TOPICS)} {self._random.randrange(2**31)}"

    def piece(self, number: int) -> dict[str, object]:
        """Return a piece as a file has it."""
        return {
            "piece_id": f"piece-{number:07}",
            "content": self.text(self._random.randint(12, 40)),
            "knowledge_type": self._random.choice(["fact", "procedure", "note"]),
            "tags": self.text(3).split(),
            "embedding_text": f"{self.numbers()} {self.text(4)}",
            **({"entity_id": f"asset:{number % _ENTITIES}"} if number % 4 == 0 else {}),
        }


def measure(options: argparse.Namespace) -> tuple[list[Figure], list[str]]:
    """Load some pieces, fill up to many, ask questions."""
    pieces, load, questions = options.pieces, options.load, options.questions
    words, vectors = Vocabulary(), TopicVectors()
    data = {"pieces": [words.piece(number) for number in range(load)]}
    embedded = vectors.embed([str(piece["embedding_text"]) for piece in data["pieces"]])
    known = dict(zip((str(p["embedding_text"]) for p in data["pieces"]), embedded, strict=True))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "knowledge.db"
        bare = _seconds_of_inserts(Path(folder) / "bare.db", data)
        made = Known(vectors, known)
        with sqlite_knowledge_base(lambda: connect_notes(path), made) as base:
            (first, worked), (again, _) = (_seconds_to_load(base, data) for _ in range(2))
            for start in range(load, pieces, 10_000):
                more = [words.piece(number) for number in range(start, min(start + 10_000, pieces))]
                KnowledgeDataLoader(base).load({"pieces": more})
            _relate(base)
            asked = [f"{words.numbers()} {words.text(6)}" for _ in range(questions)]
            made.known = dict(zip(asked, vectors.embed(asked), strict=True))
            base.retrieve(asked[0])
            both = [_milliseconds(base, question, n) for n, question in enumerate(asked)]
            times, processor = (sorted(values) for values in zip(*both, strict=True))
            recall, exact = _recall(path, made, asked[:100])
        megabytes = path.stat().st_size / 1e6
    late = int(len(times) * 0.95)

    def asking(name: str, value: float) -> Figure:
        return Figure(name=f"retrieving, {name}", value=value, unit="ms", baseline=exact)

    return [
        Figure(name="loading", value=load / first, unit="pieces/s", baseline=load / bare),
        Figure(name="loading, of the processor", value=load / worked, unit="pieces/s"),
        Figure(name="loading the same again", value=load / again, unit="pieces/s"),
        asking("median", statistics.median(times)),
        asking("95th percentile", times[late]),
        asking("slowest", times[-1]),
        asking("95th percentile of the processor", processor[late]),
        Figure(name="of the ten exactly nearest found", value=recall, baseline=1.0),
        Figure(name="file", value=megabytes, unit="MB"),
    ], [f"{pieces:,} pieces, {load:,} of them timed while loading, {questions} questions"]


def _seconds_of_inserts(path: Path, data: dict[str, list[dict[str, object]]]) -> float:
    """Return the seconds that a plain table takes for the same texts."""
    rows = [(str(piece["piece_id"]), str(piece["content"])) for piece in data["pieces"]]
    began = time.perf_counter()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE pieces(id TEXT PRIMARY KEY, content TEXT)")
        connection.executemany("INSERT INTO pieces VALUES(?, ?)", rows)
    connection.close()
    return time.perf_counter() - began


class Known(TopicVectors):
    """Vectors made beforehand, so that no time goes into making them."""

    def __init__(self, vectors: TopicVectors, known: dict[str, NDArray[np.float32]]) -> None:
        super().__init__()
        self._vectors = vectors
        self.known = known

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return known vectors, or make them."""
        if all(text in self.known for text in texts):
            return np.stack([self.known[text] for text in texts])
        return self._vectors.embed(texts)


def _seconds_to_load(
    base: KnowledgeBase, data: dict[str, list[dict[str, object]]]
) -> tuple[float, float]:
    """Return the seconds that loading took, and the processor's."""
    began, worked = time.perf_counter(), time.process_time()
    summary = KnowledgeDataLoader(base).load(data)
    took, spent = time.perf_counter() - began, time.process_time() - worked
    assert not summary.problems, summary.problems[:3]
    return took, spent


def _relate(base: KnowledgeBase) -> None:
    """Give each entity five relations with a linked piece."""
    with base.transaction():
        for number in range(_ENTITIES):
            base.add_node(GraphNode(f"asset:{number}", "asset"))
        for number in range(_ENTITIES):
            for step in range(1, 6):
                linked = {"piece_id": f"piece-{number * 7 + step:07}"}
                target = f"asset:{(number + step) % _ENTITIES}"
                base.add_edge(GraphEdge(f"asset:{number}", target, "FEEDS", linked))


def _milliseconds(base: KnowledgeBase, question: str, number: int) -> tuple[float, float]:
    """Return the time that an answer took, and the processor's."""
    began, worked = time.perf_counter(), time.thread_time()
    base.retrieve(question, f"asset:{number % _ENTITIES}")
    return (time.perf_counter() - began) * 1000, (time.thread_time() - worked) * 1000


def _recall(path: Path, vectors: Known, asked: Sequence[str]) -> tuple[float, float]:
    """Return which share of the exactly nearest ten the candidates have, and what exact costs.

    Returns: the share, and the milliseconds of an exact search.
    """
    connection = connect_notes(path)
    try:
        rows = all_rows(connection, "SELECT document, vector FROM document_vectors")
        matrix = np.stack([np.frombuffer(blob, "<f2") for _, blob in rows]).astype(np.float32)
        ids = np.array([row for row, _ in rows])
        table = VectorTable(vectors.model_id, vectors.dimension)
        table.prepare(connection)
        found, took = 0, 0.0
        for vector in vectors.embed(asked):
            began = time.perf_counter()
            exact = set(ids[np.argsort(-(matrix @ vector))[:10]].tolist())
            took += time.perf_counter() - began
            found += len(exact & set(table.nearest(connection, vector, None, "")))
    finally:
        connection.close(True)
    return found / (10 * len(asked)), 1000 * took / len(asked)


def _unit(rows: NDArray[np.floating]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / lengths, np.float32)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Say what can be chosen."""
    parser.add_argument("--pieces", type=int, default=100_000)
    parser.add_argument("--load", type=int, default=10_000)
    parser.add_argument("--questions", type=int, default=300)
