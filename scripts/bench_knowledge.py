"""Measure the knowledge base in SQLite: loading, and retrieving among many pieces.

Usage: python scripts/bench_knowledge.py [--pieces N] [--load N] [--questions N] [--json FILE]

Vectors are drawn around topics, as those of notes about the same matter are; making them costs
nothing here, so the figures are without embedding.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from knowledge import GraphEdge, GraphNode, KnowledgeDataLoader, sqlite_knowledge_base
from knowledge.services.retrieval.vector_table import VectorTable
from knowledge.services.sqlite import all_rows, open_connection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from knowledge import KnowledgeBase

_DIMENSION = 384
_TOPICS = 1_000
_WORDS = 4_000
_ENTITIES = 500


@dataclass(frozen=True, slots=True)
class Report:
    """Milliseconds, rates and shares of one run.

    load_pieces_per_cpu_second, retrieve_p95_cpu_ms: of the processor, what the figures would be on
    a machine with nothing else to do. recall_at_10: of the exactly nearest vectors.
    """

    loaded_pieces: int
    load_pieces_per_second: float
    load_pieces_per_cpu_second: float
    load_again_pieces_per_second: float
    pieces: int
    megabytes: float
    retrieve_p50_ms: float
    retrieve_p95_ms: float
    retrieve_worst_ms: float
    retrieve_p95_cpu_ms: float
    recall_at_10: float


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


def measure(pieces: int, load: int, questions: int) -> Report:
    """Load `load` pieces, fill up to `pieces`, ask `questions` questions."""
    words, vectors = Vocabulary(), TopicVectors()
    data = {"pieces": [words.piece(number) for number in range(load)]}
    embedded = vectors.embed([str(piece["embedding_text"]) for piece in data["pieces"]])
    known = dict(zip((str(p["embedding_text"]) for p in data["pieces"]), embedded, strict=True))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "knowledge.db"
        made = Known(vectors, known)
        with sqlite_knowledge_base(lambda: open_connection(path), made) as base:
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
            recall = _recall(path, made, asked[:100])
        megabytes = path.stat().st_size / 1e6
    return Report(
        loaded_pieces=load,
        load_pieces_per_second=round(load / first),
        load_pieces_per_cpu_second=round(load / worked),
        load_again_pieces_per_second=round(load / again),
        pieces=pieces,
        megabytes=round(megabytes, 1),
        retrieve_p50_ms=round(statistics.median(times), 1),
        retrieve_p95_ms=round(times[int(len(times) * 0.95)], 1),
        retrieve_worst_ms=round(times[-1], 1),
        retrieve_p95_cpu_ms=round(processor[int(len(processor) * 0.95)], 1),
        recall_at_10=recall,
    )


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


def _recall(path: Path, vectors: Known, asked: Sequence[str]) -> float:
    """Return which share of the exactly nearest ten the candidates have."""
    connection = open_connection(path)
    try:
        rows = all_rows(connection, "SELECT document, vector FROM document_vectors")
        matrix = np.stack([np.frombuffer(blob, "<f2") for _, blob in rows]).astype(np.float32)
        ids = np.array([row for row, _ in rows])
        table = VectorTable(vectors.model_id, vectors.dimension)
        table.prepare(connection)
        found = 0
        for vector in vectors.embed(asked):
            exact = set(ids[np.argsort(-(matrix @ vector))[:10]].tolist())
            found += len(exact & set(table.nearest(connection, vector, None, "")))
    finally:
        connection.close(True)
    return round(found / (10 * len(asked)), 4)


def _unit(rows: NDArray[np.floating]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / lengths, np.float32)


def main() -> None:
    """Measure, print, and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--pieces", type=int, default=100_000)
    parser.add_argument("--load", type=int, default=10_000)
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--json", type=Path, help="file for the figures")
    options = parser.parse_args()
    report = asdict(measure(options.pieces, options.load, options.questions))
    for name, value in report.items():
        print(f"{name:30} {value}")
    if options.json:
        options.json.write_text(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
