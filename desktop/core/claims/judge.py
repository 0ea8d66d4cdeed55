"""A language model's verdict on pairs of statements that the text model is not sure of."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final, Literal

from pydantic import ValidationError

from desktop.core.language.dspy_setup import load_dspy
from desktop.core.language.errors import AnswerNotUnderstood
from desktop.core.language.program import LanguageProgram
from desktop.core.language.untrusted_text import neutral
from desktop.models.errors import ModelError, ModelStopped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.models.roles import LanguageModel

logger = logging.getLogger(__name__)

Verdict = Literal["agree", "contradict", "open"]

_AT_ONCE: Final = 6
_TOKENS: Final = 80


def verdicts(model: LanguageModel, pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
    """Return a verdict a pair; "open" where the model's answer cannot be read. Blocks.

    Raises: ModelStopped.
    """
    found: list[Verdict] = []
    for first in range(0, len(pairs), _AT_ONCE):
        found += _judged(model, pairs[first : first + _AT_ONCE])
    return found


def _judged(model: LanguageModel, pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
    told = "\n".join(
        f"{number}. MANUAL: “{neutral(manual)}” STATEMENT: “{neutral(said)}”"
        for number, (manual, said) in enumerate(pairs, 1)
    )
    nothing: list[Verdict] = ["open"] * len(pairs)
    try:
        prediction = LanguageProgram(model, max_tokens=_TOKENS).run(_module(), pairs=told)
    except ModelStopped:
        raise
    except (AnswerNotUnderstood, ModelError, ValidationError) as error:
        logger.info("the model's comparison is not used: %s", type(error).__name__)
        return nothing
    given: list[Verdict] = prediction.verdicts
    return given if len(given) == len(pairs) else nothing


def _module() -> Any:
    dspy = load_dspy()
    from desktop.core.claims.signatures import CompareSignature

    return dspy.Predict(CompareSignature)
