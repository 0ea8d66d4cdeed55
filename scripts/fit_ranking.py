"""Fit the ranking weights on gold questions and say what they are worth on unseen manuals.

    python -m scripts.fit_ranking LIBRARY GOLD [LIBRARY GOLD ...]

Each LIBRARY is a folder with the manuals of GOLD, fully ingested; one library may come with
several files, as those in `scripts/fitting`. Page and quote weights, and those of the words
to highlight, maximise the likelihood of a gold page (quote, span) under a softmax over the
candidates; the confidence is a logistic regression on the first page. Beside each stands
what it reaches with every manual left out in turn. Copy the weights into
`desktop/core/retrieval`.

Give the manuals that `scripts.text_model.drawn_manuals` draws as well for quotes and confidence
with a text model (how: `confidence`). Pages and words alone got worse on real manuals with them,
which are short and whose questions name no product; they are fitted without, as are highlights.
"""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from desktop.app import make_embedders, make_manager
from desktop.core.evaluation.gold import GoldQuestion, read_gold
from desktop.core.evaluation.regions import region_hit
from desktop.core.library.library import Library
from desktop.core.retrieval.confidence import Support, support_of
from desktop.core.retrieval.evidence import question_asked
from desktop.core.retrieval.features import PageFeatures
from desktop.core.retrieval.key_words import KEY_OBSERVATIONS, observe_spans, spans_of
from desktop.core.retrieval.query import Query
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
from scripts.linear_fits import (
    Choice,
    Floats,
    balance_of,
    figures,
    fit,
    fit_logistic,
    place,
    probability,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.core.geometry import Box
    from desktop.core.retrieval.evidence import Evidence
    from desktop.models.roles import TextEmbedder

READ_CLOSELY = ("value_told", "quote")
BY_HAND = ("off_route", "foreign")  # nothing to learn them from here, see `ranking`
SEMANTIC = ("cosine", "late")
MEANING = ("near", "near_words", "near_share", "german")
# A highlight of one quote leaves room for a second one within four times the gold area.
MOST_AREA = 3.0


@dataclass
class Sample:
    """Everything collected from the questions."""

    pages: list[Choice] = field(default_factory=list)
    first_pages: list[Choice] = field(default_factory=list)
    quotes: list[Choice] = field(default_factory=list)
    spans: list[Choice] = field(default_factory=list)
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
    plain = [name for name in fitted if name not in READ_CLOSELY]
    report_choices("pages to read", model.pages, features, plain)
    report_choices("first pages, with model", model.first_pages, features, fitted)
    no_vectors = [name for name in fitted if name != "dense"]
    report_choices("first pages, words alone", words.first_pages, features, no_vectors)
    report_choices("quotes, with model", model.quotes, quotes, quotes)
    words_only = [name for name in quotes if name not in SEMANTIC]
    report_choices("quotes, words alone", words.quotes, quotes, words_only)
    spans = KEY_OBSERVATIONS
    report_choices("words to highlight", words.spans, spans, spans)
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
        settings = RetrievalSettings()
        searcher = Searcher(database, embedder, settings)
        for question in read_gold(gold).questions:
            found = searcher.search(Query(question.question, limit=40))
            if not found:
                continue
            keys = [(page.document, page.page) for page in found]
            rows = np.array([page.features.values() for page in found])
            right = np.array([key in question.gold_pages() for key in keys])
            manual = f"{folder.name}/{question.document or question.id}"
            first = first_support(question, found, library, embedder)
            sample.firsts.append(Choice(manual, first, np.array([question.answerable])))
            if question.answerable:
                sample.pages.append(Choice(manual, rows, right))
                read = slice(settings.rerank_pages)
                sample.first_pages.append(Choice(manual, rows[read], right[read]))
                gold_page = page_with_regions(question, found)
                if gold_page is not None:
                    sample.quotes.append(
                        quote_choice(question, gold_page, library, embedder, manual)
                    )
                    sample.spans += span_choices(question, gold_page, library, manual)


def first_support(
    question: GoldQuestion,
    found: Sequence[Evidence],
    library: Library,
    embedder: TextEmbedder | None,
) -> Floats:
    """Return what supports the first page found, as one row."""
    parsed = question_asked(question.question, found)
    words = library.page_words(found[0].document_id, found[0].page)
    ranked = rank_quotes(parsed, found[0], words, embedder)
    return np.array([support_of(parsed, found, ranked, words, embedder).values()])


def page_with_regions(question: GoldQuestion, found: Sequence[Evidence]) -> Evidence | None:
    """Return the first gold page that was found and has gold regions."""
    return next((page for page in found if gold_boxes(question, page)), None)


def gold_boxes(question: GoldQuestion, page: Evidence) -> list[Box]:
    """Return the gold boxes on a page that was found."""
    regions = question.regions_on(page.document, page.page)
    return [box for region in regions for box in region.boxes() if box.area > 0]


def quote_choice(
    question: GoldQuestion,
    page: Evidence,
    library: Library,
    embedder: TextEmbedder | None,
    manual: str,
) -> Choice:
    """Return the quotes of a page; right are those that hold half of a gold box."""
    quotes = page_quotes(page, library.page_words(page.document_id, page.page))
    parsed = question_asked(question.question, [page])
    rows = observe_words(parsed, page, quotes)
    if embedder is not None and len(rows):
        observe_model(parsed, quotes, embedder, rows, np.arange(len(rows)))
    gold = gold_boxes(question, page)
    return Choice(manual, rows, np.array([covers(q.boxes, gold) for q in quotes], bool))


def span_choices(
    question: GoldQuestion, page: Evidence, library: Library, manual: str
) -> Iterator[Choice]:
    """Yield what may be highlighted of each right quote of a page."""
    words = library.page_words(page.document_id, page.page)
    parsed = question_asked(question.question, [page])
    gold = gold_boxes(question, page)
    for quote in page_quotes(page, words):
        spans = spans_of(quote, words)
        if len(spans) > 1 and covers(quote.boxes, gold):
            rows = observe_spans(parsed, page.term_weights, spans)
            right = [region_hit(s.boxes, gold, most_area=MOST_AREA) for s in spans]
            yield Choice(manual, rows, np.array(right, bool))


def covers(boxes: Sequence[Box], gold: Sequence[Box]) -> bool:
    """Whether some boxes hold half of a gold box, however large they are."""
    return region_hit(boxes, gold, most_area=float("inf"))


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


if __name__ == "__main__":
    main()
