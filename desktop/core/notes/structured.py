"""A free text as a proposal: by the language model, or by rules where it cannot."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from desktop.core.notes.entities import entity_of
from desktop.core.notes.language_structurer import LanguageStructurer
from desktop.core.notes.proposal import Proposal, proposed_notes
from desktop.core.problems import explain
from desktop.models.errors import ModelError
from knowledge.errors import StructuringFailed
from knowledge.ingestion_cli import KnowledgeIngestionCLI
from knowledge.loader import KnowledgeDataLoader
from knowledge.rule_structurer import RuleStructurer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.core.jobs import CancelToken
    from desktop.core.library.places import Place
    from desktop.models.roles import LanguageModel
    from knowledge.base import KnowledgeBase
    from knowledge.ingestion_cli import StructuredText
    from knowledge.ports import Structurer

logger = logging.getLogger(__name__)

_BY_RULES = "Simple rules did it instead: check the result."


def propose(
    text: str,
    base: KnowledgeBase,
    place: Place,
    model: LanguageModel | None,
    cancel: CancelToken | None,
    given: Mapping[str, Any],
) -> Proposal:
    """Return what a text holds. given: see `proposed_notes`.

    Raises: KnowledgeRefused, before a model sees the text. Cancelled.
    """
    notice = ""
    if model is not None:
        try:
            structured = _structured(text, base, LanguageStructurer(model, cancel))
            return _proposal(structured, base, place, given, by_model=True)
        except StructuringFailed as error:
            notice = f"The language model did not structure the text. {_BY_RULES}"
            logger.info("a text is structured by rules after %d attempts", error.attempts)
        except ModelError as error:
            notice = f"{explain(error).title}. {_BY_RULES}"
    structured = _structured(text, base, RuleStructurer(entity_of(place)))
    return _proposal(structured, base, place, given, notice=notice)


def _structured(text: str, base: KnowledgeBase, structurer: Structurer) -> StructuredText:
    return KnowledgeIngestionCLI(structurer, KnowledgeDataLoader(base)).structure(text)


def _proposal(
    structured: StructuredText,
    base: KnowledgeBase,
    place: Place,
    given: Mapping[str, Any],
    *,
    by_model: bool = False,
    notice: str = "",
) -> Proposal:
    notes, refused = proposed_notes(structured.data, base.graph_store, place, **given)
    return Proposal(
        structured.text, structured.data, notes, refused, by_model, notice, structured.faults
    )
