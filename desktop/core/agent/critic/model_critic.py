"""The critic with a language model: it points, and the pages decide.

Nothing that a model says about an answer is believed until its words are found on the cited
page: a finding that the rules cannot follow is dropped.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from desktop.core.agent.answering.statement_facts import Ground
from desktop.core.critic.claim import claim_of
from desktop.core.critic.contradictions import contradict
from desktop.core.critic.negation import denies
from desktop.core.critic.values import Finding
from desktop.core.language.dspy_setup import load_dspy
from desktop.core.language.errors import AnswerNotUnderstood
from desktop.core.language.program import LanguageProgram
from desktop.core.language.untrusted_text import neutral
from desktop.core.sentences import said
from desktop.models.errors import ModelError, ModelStopped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.core.agent.tree_data import TreeData
    from desktop.core.critic.values import CheckedSentence, CitedPassage, PageQuote
    from desktop.models.roles import LanguageModel

logger = logging.getLogger(__name__)

_TOKENS = 400
_LONGEST_PASSAGE = 1_600
"""Characters of a page around the cited words."""
_SAME_QUOTE = 0.8
_WEAK = 0.6  # a sentence of which the cited words say more is not unsupported
_ALIKE = 0.5


class ModelCritic:
    """Satisfies `JudgesAnswers`."""

    def __init__(self, language_model: Callable[[], LanguageModel | None]) -> None:
        self._language_model = language_model

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
        found = (borne_out(problem, sentences, passages) for problem in prediction.problems)
        return tuple(finding for finding in found if finding is not None)


def borne_out(
    problem: Any, sentences: Sequence[CheckedSentence], passages: Sequence[CitedPassage]
) -> Finding | None:
    """Return a model's problem as a finding if the cited page shows it, else None.

    problem: with kind, sentence and passage (their numbers, from 1) and says.
    """
    index = problem.sentence - 1
    passage = next((each for each in passages if each.number == problem.passage), None)
    if not 0 <= index < len(sentences) or passage is None:
        return None
    sentence = sentences[index]
    quote = _quote_of(problem.says, passage)
    if problem.kind == "unsupported":
        cited = [each for each in passages if each.number in sentence.cited]
        share = max((claim_of(sentence.text).share_in(each.ground) for each in cited), default=0.0)
        message = said(
            "“{text}” does not stand on {place}.", text=sentence.text, place=passage.place
        )
        return Finding("unsupported", index, message) if share < _WEAK else None
    if quote is None:
        return None
    says = f"{passage.place[:1].upper()}{passage.place[1:]} says: “{quote.text}”"
    if problem.kind == "missing_step":
        told = Ground(each.text for each in sentences)
        missing = claim_of(quote.text).share_in(told) < _WEAK
        return (
            Finding("missing_step", index, f"Missing. {says}", (), quote, passage.number)
            if (missing and quote.kind in ("item", "paragraph"))
            else None
        )
    claim = claim_of(sentence.text)
    if claim.share_in(Ground.of_quote(quote.text, quote.context)) < _ALIKE:
        return None
    if problem.kind == "value":
        wrong = tuple(f.text for f in claim.missing_in(Ground.of_quote(quote.text, quote.context)))
        return Finding("value", index, says, wrong, quote, passage.number) if wrong else None
    if problem.kind == "negation":
        opposite = denies(sentence.text, quote.text)
        return Finding("negation", index, says, (), quote, passage.number) if opposite else None
    others = (each for p in passages if p is not passage for each in p.touched)
    if any(contradict(quote, other) for other in others):
        return Finding("contradiction", index, says, (), quote, passage.number)
    return None


def _quote_of(says: str, passage: CitedPassage) -> PageQuote | None:
    """Return the sentence or row of the page that a model's words were copied from."""
    claim = claim_of(says)
    if not claim.words and not claim.facts:
        return None

    def share(quote: PageQuote) -> float:
        ground = Ground([quote.text])
        return claim.share_in(ground) if not claim.missing_in(ground) else 0.0

    best = max(passage.quotes, key=share, default=None)
    return best if best is not None and share(best) >= _SAME_QUOTE else None


def _module() -> Any:
    dspy = load_dspy()
    from desktop.core.agent.critic.signatures import CritiqueSignature

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
