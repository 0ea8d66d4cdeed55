"""The critic with a language model: it points, and the pages decide.

Nothing that a model says about an answer is believed until the words that it shows are found on
the cited page and the comparison of statements bears it out.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from desktop.core.claims.comparison import CARRIES, says_it, values_missing
from desktop.core.claims.review import Finding
from desktop.core.language.dspy_setup import load_dspy
from desktop.core.language.errors import AnswerNotUnderstood
from desktop.core.language.program import LanguageProgram
from desktop.core.language.untrusted_text import neutral
from desktop.core.sentences import said
from desktop.models.errors import ModelError, ModelStopped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.core.agent.tree_data import TreeData
    from desktop.core.claims.cited import CheckedSentence, CitedPassage, PageQuote
    from desktop.core.claims.comparison import Comparison
    from desktop.models.roles import LanguageModel

logger = logging.getLogger(__name__)

_TOKENS = 400
_LONGEST_PASSAGE = 1_600
"""Characters of a page around the cited words."""
_AGAINST = 0.4
"""A chance of a contradiction that bears a model's finding out; it takes less than by itself."""


class ModelCritic:
    """Satisfies `JudgesAnswers`."""

    def __init__(
        self, language_model: Callable[[], LanguageModel | None], comparison: Comparison
    ) -> None:
        self._language_model = language_model
        self._comparison = comparison

    @property
    def name(self) -> str:
        """`model_critic` and the model, "" while there is none."""
        model = self._language_model()
        return "" if model is None else f"model_critic {model.model_id}"

    async def findings(
        self,
        tree_data: TreeData,
        sentences: Sequence[CheckedSentence],
        passages: Sequence[CitedPassage],
    ) -> tuple[Finding, ...]:
        """Return what the model finds and the pages bear out; see `JudgesAnswers.findings`."""
        model = self._language_model()
        if model is None or not sentences or not passages:
            return ()
        try:
            module = await asyncio.to_thread(_module)
            prediction = await LanguageProgram(
                model, max_tokens=_TOKENS, on_part=tree_data.trace.spent.listener("critique")
            ).arun(
                module,
                question=tree_data.user_prompt,
                passages="\n\n".join(map(_passage_text, passages)),
                sentences="\n".join(map(_sentence_text, range(len(sentences)), sentences)),
            )
        except ModelStopped:
            raise
        except (AnswerNotUnderstood, ModelError, ValidationError) as error:
            logger.info("the model's critique is not used: %s", type(error).__name__)
            return ()
        return await asyncio.to_thread(self._borne_out, prediction.problems, sentences, passages)

    def _borne_out(
        self,
        problems: Sequence[Any],
        sentences: Sequence[CheckedSentence],
        passages: Sequence[CitedPassage],
    ) -> tuple[Finding, ...]:
        found = (borne_out(each, sentences, passages, self._comparison) for each in problems)
        return tuple(finding for finding in found if finding is not None)


def borne_out(
    problem: Any,
    sentences: Sequence[CheckedSentence],
    passages: Sequence[CitedPassage],
    comparison: Comparison,
) -> Finding | None:
    """Return a model's problem as a finding if the cited page shows it, else None.

    problem: with kind, sentence and passage (their numbers, from 1) and says. Blocks.

    Raises: ModelError.
    """
    index = problem.sentence - 1
    passage = next((each for each in passages if each.number == problem.passage), None)
    if not 0 <= index < len(sentences) or passage is None:
        return None
    sentence = sentences[index]
    if problem.kind == "unsupported":
        cited = [each for each in passages if each.number in sentence.cited]
        pairs = [(quote.told, sentence.text) for each in cited for quote in each.touched]
        if any(each.agree >= CARRIES for each in comparison.compare(pairs)):
            return None
        message = said(
            "“{text}” does not stand on {place}.", text=sentence.text, place=passage.place
        )
        return Finding("unsupported", index, message)
    quote = _quote_of(problem.says, passage)
    if quote is None:
        return None
    says = f"{passage.place[:1].upper()}{passage.place[1:]} says: “{quote.text}”"
    if problem.kind == "missing_step":
        told = comparison.compare([(quote.told, each.text) for each in sentences])
        if quote.kind not in ("item", "paragraph") or any(t.agree >= CARRIES for t in told):
            return None
        return Finding("missing_step", index, f"Missing. {says}", (), quote, passage.number)
    against = sentence.text
    if problem.kind == "contradiction":
        others = [q.told for p in passages if p is not passage for q in p.touched]
        compared = comparison.compare([(quote.told, other) for other in others])
        differ = any(each.contradict >= _AGAINST for each in compared)
        return Finding("contradiction", index, says, (), quote, passage.number) if differ else None
    (compared_with,) = comparison.compare([(quote.told, against)])
    if compared_with.contradict < _AGAINST:
        return None
    wrong = values_missing(against, quote.told) if problem.kind == "value" else ()
    return Finding(problem.kind, index, says, wrong, quote, passage.number)


def _quote_of(says: str, passage: CitedPassage) -> PageQuote | None:
    """Return the sentence or row of the page that a model copied."""
    return next((q for q in passage.quotes if says_it(q.text, says) or says_it(q.told, says)), None)


def _module() -> Any:
    dspy = load_dspy()
    from desktop.core.claims.signatures import CritiqueSignature

    return dspy.Predict(CritiqueSignature)


def _passage_text(passage: CitedPassage) -> str:
    cited = " ".join(quote.text for quote in passage.touched)
    around = "\n".join(quote.text for quote in passage.quotes)
    text = around if len(around) <= _LONGEST_PASSAGE else f"{cited}\n{around}"[:_LONGEST_PASSAGE]
    place = neutral(passage.place)
    return f"<passage {passage.number}: {place}>\n{neutral(text)}\n</passage {passage.number}>"


def _sentence_text(index: int, sentence: CheckedSentence) -> str:
    marks = "".join(f"[{number}]" for number in sentence.cited)
    return f"{index + 1}. {neutral(sentence.text)} {marks}".rstrip()
