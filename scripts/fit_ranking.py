"""Fit the ranking weights on gold questions and say what they are worth on unseen manuals.

    python scripts/fit_ranking.py LIBRARY GOLD [LIBRARY GOLD ...]

Each LIBRARY is a folder with the manuals of GOLD, fully ingested. Page and quote weights
maximise the likelihood of a gold page (quote) under a softmax over the candidates; the
confidence is a logistic regression on the first page. Beside each stands what it reaches
with every manual left out in turn. Copy the weights into `desktop/core/retrieval`.
"""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from desktop.app import make_embedders, make_manager
from desktop.core.evaluation.gold import GoldQuestion, read_gold
from desktop.core.evaluation.regions import region_hit
from desktop.core.library.library import Library
from desktop.core.retrieval.confidence import Support, support_of
from desktop.core.retrieval.features import PageFeatures
from desktop.core.retrieval.query import Query
from desktop.core.retrieval.question import Question
from desktop.core.retrieval.quote_ranking import (
    OBSERVATIONS,
    observe_model,
    observe_words,
    page_quotes,
    rank_quotes,
)
from desktop.core.retrieval.search import Searcher
from desktop.core.settings import Settings
from desktop.core.settings.sections import RetrievalSettings
from desktop.core.store.database import Database
from desktop.models.inference_thread import InferenceThread

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.core.retrieval.evidence import Evidence
    from desktop.models.roles import TextEmbedder

Floats = NDArray[np.float64]
SHARPNESS = 8.0
STEPS = 400
RERANKED = ("late", "late_words", "unit_cosine")
BY_HAND = ("off_route",)  # no domain speaks here, see ranking.OFF_ROUTE
SEMANTIC = ("cosine", "late")
MEANING = ("dense", "late", "least_word", "least_words", "mean_word")


@dataclass
class Choice:
    """The candidates of one question: a row of features each, and which are right."""

    manual: str
    rows: Floats
    right: NDArray[np.bool_]


@dataclass
class Sample:
    """Everything collected from the questions."""

    pages: list[Choice] = field(default_factory=list)
    quotes: list[Choice] = field(default_factory=list)
    firsts: list[Choice] = field(default_factory=list)


def main() -> None:
    """Collect, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", nargs="+", type=Path, metavar="LIBRARY GOLD")
    paths = parser.parse_args().pairs
    pairs = list(zip(paths[::2], paths[1::2], strict=True))
    model, words = Sample(), Sample()
    for folder, gold in pairs:
        collect(folder, gold, model, with_model=True)
        collect(folder, gold, words, with_model=False)
    features, quotes, support = PageFeatures.names(), OBSERVATIONS, Support.names()
    fitted = [name for name in features if name not in BY_HAND]
    plain = [name for name in fitted if name not in RERANKED]
    report_choices("pages, re-ranked", model.pages, features, fitted)
    report_choices("pages, no re-ranking", model.pages, features, plain)
    report_choices("quotes, with model", model.quotes, quotes, quotes)
    words_only = [name for name in quotes if name not in SEMANTIC]
    report_choices("quotes, words alone", words.quotes, quotes, words_only)
    report_confidence("with model", model.firsts, support)
    without = [name for name in support if name not in MEANING]
    report_confidence("words alone", words.firsts, without)


def collect(folder: Path, gold: Path, sample: Sample, *, with_model: bool) -> None:
    """Ask every question of one library and keep the features of its candidates."""
    with ExitStack() as stack:
        database = stack.enter_context(Database.open(folder, read_only=True))
        inference = InferenceThread()
        stack.callback(inference.close)
        models = make_manager(inference, Settings())
        embedder = make_embedders(inference, models)[0] if with_model else None
        library = Library(database, folder)
        searcher = Searcher(database, embedder, RetrievalSettings(rerank_pages=12))
        for question in read_gold(gold).questions:
            found = searcher.search(Query(question.question, limit=40))
            if not found:
                continue
            keys = [(page.document, page.page) for page in found]
            rows = np.array([page.features.values() for page in found])
            right = np.array([key in question.gold_pages() for key in keys])
            manual = f"{gold.parent.name}/{question.document or question.id}"
            first = first_support(question, found, library, embedder)
            sample.firsts.append(Choice(manual, first, np.array([question.answerable])))
            if question.answerable:
                sample.pages.append(Choice(manual, rows, right))
                sample.quotes += quote_choices(question, found, library, embedder, manual)


def first_support(
    question: GoldQuestion,
    found: Sequence[Evidence],
    library: Library,
    embedder: TextEmbedder | None,
) -> Floats:
    """Return what supports the first page found, as one row."""
    parsed = Question.parse(question.question)
    words = library.page_words(found[0].document_id, found[0].page)
    ranked = rank_quotes(parsed, found[0], words, embedder)
    return np.array([support_of(parsed, found, ranked, words, embedder).values()])


def quote_choices(
    question: GoldQuestion,
    found: Sequence[Evidence],
    library: Library,
    embedder: TextEmbedder | None,
    manual: str,
) -> Iterator[Choice]:
    """Yield the quotes of the first gold page that was found."""
    for page in found:
        regions = question.regions_on(page.document, page.page)
        if (page.document, page.page) not in question.gold_pages() or not regions:
            continue
        quotes = page_quotes(page, library.page_words(page.document_id, page.page))
        parsed = Question.parse(question.question)
        rows = observe_words(parsed, page, quotes)
        if embedder is not None and len(rows):
            observe_model(parsed, quotes, embedder, rows, np.arange(len(rows)))
        gold = [box for region in regions for box in region.boxes()]
        yield Choice(manual, rows, np.array([region_hit(q.boxes, gold) for q in quotes], bool))
        return


def report_choices(
    title: str, choices: Sequence[Choice], names: Sequence[str], used: Sequence[str]
) -> None:
    """Print fitted weights and the figures with each manual left out."""
    columns = [list(names).index(name) for name in used]
    cut = [Choice(c.manual, c.rows[:, columns], c.right) for c in choices if len(c.rows)]
    weights = fit(cut)
    places: list[float] = []
    for manual in sorted({c.manual for c in cut}):
        other = fit([c for c in cut if c.manual != manual])
        places += [place(c, other) for c in cut if c.manual == manual]
    print(f"{title}: n={len(cut)}")
    print("   seen  ", figures([place(c, weights) for c in cut]))
    print("   unseen", figures(places))
    print("   ", ", ".join(f"{n}={w:.2f}" for n, w in zip(used, weights, strict=True)))


def report_confidence(title: str, firsts: Sequence[Choice], used: Sequence[str]) -> None:
    """Print a logistic model of "the manuals answer it" and refusals with each manual left out."""
    columns = [Support.names().index(name) for name in used]
    rows = np.array([c.rows[0, columns] for c in firsts])
    answerable = np.array([bool(c.right[0]) for c in firsts])
    # questions that nothing answers belong to no manual: they are left out in ninths
    groups = np.array([c.manual if c.right[0] else str(i % 9) for i, c in enumerate(firsts)])
    libraries = np.array([c.manual.partition("/")[0] for c in firsts])
    weights = fit_logistic(rows, answerable, balance_of(answerable, libraries))
    unseen = np.zeros(len(rows))
    for group in np.unique(groups):
        out = groups == group
        balance = balance_of(answerable[~out], libraries[~out])
        others = fit_logistic(rows[~out], answerable[~out], balance)
        unseen[out] = probability(rows[out], others)
    print(f"confidence, {title}: n={len(rows)}, answerable {answerable.sum()}")
    for least in (0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5):
        right = np.mean(unseen[~answerable] < least)
        wrong = np.mean(unseen[answerable] < least)
        print(f"   least {least}: refused rightly {right:.2f}, wrongly {wrong:.2f}")
    print(
        "   offset", round(float(weights[-1]), 2), dict(zip(used, weights.round(2), strict=False))
    )


def fit(choices: Sequence[Choice], decay: float = 0.05) -> Floats:
    """Return weights that maximise the softmax likelihood of the right candidates (Adam)."""
    size = choices[0].rows.shape[1]
    weights, first, second = np.full(size, 0.3), np.zeros(size), np.zeros(size)
    usable = [c for c in choices if c.right.any()]
    for step in range(1, STEPS + 1):
        slope = -decay * weights
        for choice in usable:
            scores = SHARPNESS * (choice.rows @ weights)
            odds = np.exp(scores - scores.max())
            among_right = np.where(choice.right, odds, 0)
            pull = among_right / max(among_right.sum(), 1e-300) - odds / odds.sum()
            slope += SHARPNESS * (pull @ choice.rows) / len(usable)
        first = 0.9 * first + 0.1 * slope
        second = 0.99 * second + 0.01 * slope**2
        rate = 0.03 / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
        weights = weights + rate * first / (1 - 0.9**step)
    return weights


def balance_of(right: NDArray[np.bool_], libraries: NDArray[np.str_]) -> Floats:
    """Return a weight for each question: both outcomes weigh the same, libraries by root.

    Else the model learns which library a question is from, and not whether it is answered.
    """
    weights = np.zeros(len(right))
    for outcome in (True, False):
        for library in np.unique(libraries):
            cell = (right == outcome) & (libraries == library)
            weights[cell] = 1 / np.sqrt(max(cell.sum(), 1))
        weights[right == outcome] *= 0.5 / weights[right == outcome].sum()
    return weights


def fit_logistic(
    rows: Floats, right: NDArray[np.bool_], balance: Floats, decay: float = 0.05
) -> Floats:
    """Return weights and, last, the offset."""
    middle, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    inputs = np.hstack([(rows - middle) / spread, np.ones((len(rows), 1))])
    weights = np.zeros(inputs.shape[1])
    for _ in range(3000):
        error = right - 1 / (1 + np.exp(-(inputs @ weights)))
        weights += 2.0 * (inputs.T @ (balance * error) - decay * np.append(weights[:-1], 0))
    scaled = weights[:-1] / spread
    return np.append(scaled, weights[-1] - float(scaled @ middle))


def probability(rows: Floats, weights: Floats) -> Floats:
    """Return the logistic model's probabilities."""
    result: Floats = 1 / (1 + np.exp(-(rows @ weights[:-1] + weights[-1])))
    return result


def place(choice: Choice, weights: Floats) -> float:
    """Return the place of the first right candidate, from 0; infinity if there is none."""
    hits = np.flatnonzero(choice.right[np.argsort(-(choice.rows @ weights), kind="stable")])
    return float(hits[0]) if len(hits) else float("inf")


def figures(places: Sequence[float]) -> str:
    """Return Hit@1, 3, 5 and MRR of places."""
    found = np.array(places)
    hits = ", ".join(f"hit@{k} {np.mean(found < k):.3f}" for k in (1, 3, 5))
    return f"{hits}, mrr {np.mean(1 / (found + 1)):.3f}"


if __name__ == "__main__":
    main()
