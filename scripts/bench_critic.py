"""Measures the rule critic on real answers: right ones, and the same made wrong by a seed.

Asks every gold question of a library, takes the answers that cite a right page, leaves some
untouched and makes the same number wrong in one thing each. Prints recall by kind and false
alarms, and what was missed. With --people the answers are those that people wrote to the gold
questions, in their own words, citing whole pages: harder, and not what the program writes.

    python scripts/bench_critic.py LIBRARY GOLD [--seed N] [--number N] [--people]
"""

from __future__ import annotations

import argparse
import json
import threading
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from desktop.app import open_workspace
from desktop.core.critic.answer_sentences import answer_sentences
from desktop.core.critic.checks import check_answer
from desktop.core.critic.cited_pages import CitedPages
from desktop.core.critic.values import CheckedSentence
from desktop.core.evaluation.gold import read_gold
from desktop.core.evaluation.perturbations import KINDS, CheckedAnswer, perturbed
from desktop.core.events import CitationEvent, PageRegion
from desktop.core.geometry import Box
from desktop.core.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.core.critic.values import CitedPassage
    from desktop.core.evaluation.gold import GoldQuestion
    from desktop.core.workspace import Workspace

_TRIES = 4_000


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("library", type=Path)
    parser.add_argument("gold", type=Path)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--number", type=int, default=100)
    parser.add_argument("--people", action="store_true")
    options = parser.parse_args()
    settings = Settings()
    settings.reasoning_trace.critic = "off"
    workspace = open_workspace(options.library, read_only=True, settings=settings)
    try:
        pages = CitedPages(workspace.database, workspace.library)
        gold = [each for each in read_gold(options.gold).questions if each.answerable]
        make = _people if options.people else _program
        answers = list(make(workspace, pages, gold))
        report = measure(workspace, pages, answers, Random(options.seed), options.number)
    finally:
        workspace.close()
    print(json.dumps(report, ensure_ascii=False, indent=1))


def measure(
    workspace: Workspace,
    pages: CitedPages,
    answers: list[CheckedAnswer],
    random: Random,
    number: int,
) -> dict[str, Any]:
    """Return recall by kind and false alarms over `number` answers each."""

    def elsewhere(passage: CitedPassage, random: Random) -> CitedPassage | None:
        others = workspace.library.pages(passage.document_id)
        page = random.choice([each.page for each in others if each.page != passage.page] or [-1])
        blocks = workspace.library.blocks(passage.document_id, page) if page >= 0 else []
        if not blocks:
            return None
        box = Box(*random.choice(blocks).box)
        source = PageRegion(passage.document_id, passage.document, page, str(page + 1), (box,))
        return pages.passage(passage.number, source)

    untouched = [random.choice(answers) for _ in range(number)]
    alarms = [(each, found) for each in untouched if (found := _checked(each))]
    distinct = [(each, found) for each in answers if (found := _checked(each))]
    made: Counter[str] = Counter()
    caught: Counter[str] = Counter()
    missed: list[dict[str, Any]] = []
    seen: set[str] = set()
    # few answers are procedures: what is short of steps is made of the others
    for place, kind in enumerate(sorted(KINDS, key=lambda each: each != "step")):
        wanted = (number - made.total()) // (len(KINDS) - place)
        for _ in range(_TRIES):
            if made[kind] >= wanted:
                break
            answer = random.choice(answers)
            wrong = perturbed(kind, answer, random, elsewhere)
            if wrong is None or repr(wrong) in seen:
                continue
            seen.add(repr(wrong))
            made[kind] += 1
            if _checked(wrong):
                caught[kind] += 1
            else:
                missed.append({"kind": kind, "answer": _text(wrong), "right": _text(answer)})
    total = sum(made.values())
    return {
        "right answers to choose from": len(answers),
        "perturbed": dict(made),
        "recall by kind": {
            kind: round(caught[kind] / made[kind], 3) for kind in KINDS if made[kind]
        },
        "recall": round(sum(caught.values()) / max(1, total), 3),
        "untouched": len(untouched),
        "false alarms": len(alarms),
        "false alarms of all right answers": f"{len(distinct)} of {len(answers)}",
        "alarmed": [
            {"answer": _text(a), "why": [f.message for f in found]} for a, found in distinct
        ],
        "missed": missed,
    }


def _checked(answer: CheckedAnswer) -> Any:
    return check_answer(answer.sentences, answer.passages, answer.question)


def _text(answer: CheckedAnswer) -> str:
    return " / ".join(each.text for each in answer.sentences)[:400]


def _program(
    workspace: Workspace, pages: CitedPages, gold: list[GoldQuestion]
) -> Iterator[CheckedAnswer]:
    """Yield what the program answers, where it cites a right page."""
    for question in gold:
        events: list[Any] = []
        done = threading.Event()
        workspace.ask(question.question, frozenset(), events.append, done.set)
        done.wait()
        right = {(each.document, each.page) for each in question.evidence}
        cited = [e for e in events if isinstance(e, CitationEvent)]
        if not any((e.source.document, e.source.page) in right for e in cited):
            continue
        sentences = tuple(each.checked for each in answer_sentences(events))
        yield CheckedAnswer(question.question, sentences, pages.passages(events))


def _people(
    workspace: Workspace, pages: CitedPages, gold: list[GoldQuestion]
) -> Iterator[CheckedAnswer]:
    """Yield what people answered, citing the whole of each page that they named."""
    ids = {each.name: each.id for each in workspace.library.documents()}
    for question in gold:
        passages = []
        for number, evidence in enumerate(question.evidence, 1):
            whole = (Box(0, 0, 10_000, 10_000),)
            document_id = ids[evidence.document]
            source = PageRegion(document_id, evidence.document, evidence.page, "", whole)
            passage = pages.passage(number, source)
            if passage is not None:
                passages.append(passage)
        if passages:
            cited = tuple(each.number for each in passages)
            sentence = CheckedSentence(question.answer, cited)
            yield CheckedAnswer(question.question, (sentence,), tuple(passages))


if __name__ == "__main__":
    main()
