"""Structuring a note by the language model."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from desktop.core.language.dspy_setup import load_dspy
from desktop.core.language.errors import AnswerNotUnderstood
from desktop.core.language.program import LanguageProgram
from desktop.core.language.untrusted_text import neutral

if TYPE_CHECKING:
    from desktop.core.jobs import CancelToken
    from desktop.models.roles import LanguageModel
    from knowledge.ports import StructuringRequest

_TOKENS = 1_800


class LanguageStructurer:
    """Satisfies `Structurer`: asks a language model through a DSPy signature."""

    def __init__(self, model: LanguageModel, cancel: CancelToken | None = None) -> None:
        self._program = LanguageProgram(model, cancel, max_tokens=_TOKENS)

    def structure(self, request: StructuringRequest) -> str:
        """Return what the model made of a text, malformed or not. Blocks.

        Raises: ModelError, Cancelled.
        """
        dspy = load_dspy()
        from desktop.core.notes.structuring_signature import StructuringSignature

        signature = StructuringSignature.with_instructions(request.instructions)
        try:
            said = self._program.run(
                dspy.Predict(signature), text=neutral(request.text), fault=request.fault
            )
        except AnswerNotUnderstood as error:
            return error.text
        sections = {
            "metadata": {name: entity.model_dump() for name, entity in said.metadata.items()},
            "pieces": [piece.model_dump() for piece in said.pieces],
            "graph": said.graph.model_dump(),
        }
        return json.dumps(_without_blanks(sections), ensure_ascii=False)


def _without_blanks(values: Any) -> Any:
    """Return values without what a form made the model leave empty."""
    if isinstance(values, dict):
        told = {name: _without_blanks(value) for name, value in values.items()}
        return {name: value for name, value in told.items() if value not in ("", {}, [])}
    if isinstance(values, list):
        return [_without_blanks(value) for value in values]
    return values
