"""A language model compares an answer with the expected one: typed, JSON it is held to."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from desktop.core.evaluation.cited_statements import without_marks
from desktop.core.language.dspy_setup import load_dspy
from desktop.core.language.errors import AnswerNotUnderstood
from desktop.core.language.program import LanguageProgram

if TYPE_CHECKING:
    from desktop.core.jobs import CancelToken
    from desktop.models.roles import LanguageModel

logger = logging.getLogger(__name__)

_TOKENS = 700
_LONGEST_ANSWER = 6_000
"""Characters of an answer that are judged."""


class Judgement(BaseModel):
    """What a judge says of an answer; score: 0 to 100."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    score: int = Field(ge=0, le=100)
    missing_facts: tuple[str, ...] = ()
    wrong_facts: tuple[str, ...] = ()


class Judge:
    """Asks a language model; its opinion is as good as the model."""

    def __init__(self, model: LanguageModel, cancel: CancelToken | None = None) -> None:
        self._program = LanguageProgram(model, cancel, max_tokens=_TOKENS)

    def judge(self, question: str, expected: str, answer: str) -> Judgement | None:
        """Compare an answer with the expected one; None if the model's words cannot be used.

        Blocks. Raises: ModelError, Cancelled.
        """
        dspy = load_dspy()
        from desktop.core.evaluation.judge_signature import JudgeSignature

        try:
            prediction = self._program.run(
                dspy.Predict(JudgeSignature),
                question=question,
                expected_answer=expected,
                answer=without_marks(answer)[:_LONGEST_ANSWER],
            )
            return Judgement(
                score=prediction.score,
                missing_facts=prediction.missing_facts,
                wrong_facts=prediction.wrong_facts,
            )
        except (AnswerNotUnderstood, ValidationError) as error:
            logger.info("an answer is not judged: %s", type(error).__name__)
            return None
