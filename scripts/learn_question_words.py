"""Learn from the labelled questions which words open a question, in any of their languages.

    python -m scripts.learn_question_words

A word opens questions if most of its occurrences in the questions of the manuals to learn from
stand at their beginning. Writes `resources/question_words.txt`, and says which questions of the
manuals to choose by are cut where a conjunction stands before such a word.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from desktop.core.question.parts import QUESTION_WORDS, possible_cuts, words_of
from desktop.resources import resource

_LABELS = Path(__file__).parent / "labels"
_LEAST = 5
"""Questions that a word opens: what opens fewer may be chance."""
_SHARE = 0.6
"""Least share of its occurrences that stand at the beginning."""
_ABOUT = """\
# Words that open a question, by language: where one follows a conjunction of that language
# (conjunctions.txt), something else is asked. Written by scripts/learn_question_words.py from the
# labelled questions; words and languages may be added by hand.
"""


def main() -> int:
    """Learn, write, and count what is cut."""
    splits = {each["slug"]: each["split"] for each in _read(_LABELS / "manuals.json")}
    asked = [
        (splits[path.stem], label["lang"], label["question"])
        for path in sorted((_LABELS / "questions").glob("*.jsonl"))
        for label in map(json.loads, path.read_text("utf-8").splitlines())
    ]
    opening: Counter[tuple[str, str]] = Counter()
    anywhere: Counter[tuple[str, str]] = Counter()
    for split, language, question in asked:
        if split == "learn" and question.rstrip().endswith("?"):
            words = [(language, word.casefold()) for word in words_of(question)]
            opening.update(words[:1])
            anywhere.update(words)
    kept: dict[str, list[str]] = {}
    for language, word in sorted(opening):
        n = opening[language, word]
        if n >= _LEAST and n >= _SHARE * anywhere[language, word]:
            kept.setdefault(language, [language]).append(word)
    lines = [" ".join(words) for words in kept.values()]
    resource(QUESTION_WORDS).write_text(_ABOUT + "\n".join(lines) + "\n", encoding="utf-8")
    others = [question for split, _, question in asked if split == "choose"]
    cut = [question for question in others if any(cut.sure for cut in possible_cuts(question))]
    sys.stdout.write(f"{len(kept)} languages; {len(cut)} of {len(others)} questions are cut:\n")
    sys.stdout.writelines(f"  {question}\n" for question in cut)
    return 0


def _read(path: Path) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads(path.read_text("utf-8"))
    return found


if __name__ == "__main__":
    sys.exit(main())
