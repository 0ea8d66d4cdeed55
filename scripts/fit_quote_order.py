"""Fit the order of a page's quotes on gold questions and say what it is worth on unseen manuals.

    python -m scripts.fit_quote_order LIBRARY GOLD [LIBRARY GOLD ...]

As `scripts.fit_ranking`, for the weights of `desktop/core/retrieval/quote_order.py`: among the
quotes of a gold page that `rank_quotes` puts first, right are those whose highlight meets a
gold region. The order with a model is fitted together with the manuals that
`scripts.text_model.drawn_manuals` draws: so it is right four times more in a hundred on such
manuals left out, and no less on real ones.
"""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from desktop.app import make_embedders, make_manager
from desktop.core.evaluation.gold import GoldQuestion, read_gold
from desktop.core.evaluation.regions import region_hit
from desktop.core.library.library import Library
from desktop.core.retrieval.evidence import question_asked
from desktop.core.retrieval.key_words import key_boxes
from desktop.core.retrieval.query import Query
from desktop.core.retrieval.quote_order import ORDER_OBSERVATIONS, SEMANTIC, observe_order
from desktop.core.retrieval.quote_ranking import READ_BY_MODEL, rank_quotes
from desktop.core.retrieval.search import Searcher
from desktop.core.settings import Settings
from desktop.core.settings.sections import RetrievalSettings
from desktop.core.store.database import Database
from desktop.models.inference_thread import InferenceThread
from scripts.fit_ranking import gold_boxes, page_with_regions, report_choices
from scripts.linear_fits import Choice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.core.retrieval.evidence import Evidence
    from desktop.models.roles import TextEmbedder


def main() -> None:
    """Collect, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", nargs="+", type=Path, metavar="LIBRARY GOLD")
    paths = parser.parse_args().pairs
    pairs = list(zip(paths[::2], paths[1::2], strict=True))
    names = ORDER_OBSERVATIONS
    seen = [choice for pair in pairs for choice in order_choices(*pair, with_model=True)]
    report_choices("order, with model", seen, names, names)
    told = [choice for pair in pairs for choice in order_choices(*pair, with_model=False)]
    words_only = [name for name in names if name not in SEMANTIC]
    report_choices("order, words alone", told, names, words_only)


def order_choices(folder: Path, gold: Path, *, with_model: bool) -> Iterator[Choice]:
    """Yield the first quotes of a gold page for each question whose regions are known."""
    with ExitStack() as stack:
        database = stack.enter_context(Database.open(folder, read_only=True))
        inference = InferenceThread()
        stack.callback(inference.close)
        embedder = None
        if with_model:
            embedder = make_embedders(inference, make_manager(inference, Settings()))[0]
        library = Library(database, folder)
        searcher = Searcher(database, embedder, RetrievalSettings())
        for question in read_gold(gold).questions:
            page = page_with_regions(question, searcher.search(Query(question.question, limit=40)))
            if question.answerable and page is not None:
                manual = f"{folder.name}/{question.document}"
                yield order_choice(question, page, library, embedder, manual)


def order_choice(
    question: GoldQuestion,
    page: Evidence,
    library: Library,
    embedder: TextEmbedder | None,
    manual: str,
) -> Choice:
    """Return the first quotes of a page; right are those whose highlight meets a gold region."""
    words = library.page_words(page.document_id, page.page)
    parsed = question_asked(question.question, [page])
    ranked = rank_quotes(parsed, page, words, embedder)
    rows = observe_order(parsed, page, ranked, embedder)
    gold = gold_boxes(question, page)
    marks = [
        key_boxes(parsed, page.term_weights, item.quote, words) for item in ranked[:READ_BY_MODEL]
    ]
    return Choice(manual, rows, np.array([region_hit(boxes, gold) for boxes in marks], bool))


if __name__ == "__main__":
    main()
