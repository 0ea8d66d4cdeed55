"""The evidence that searches of one question have gathered, kept beside the environment.

The environment holds plain objects for a model to read; answers need the evidence
itself, so it lies in the hidden environment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.core.agent.environment import Environment
    from desktop.core.retrieval.evidence import Evidence

_KEY = "evidence"


def keep_evidence(environment: Environment, found: Iterable[Evidence]) -> None:
    """Add pages that are not yet there, after those that are."""
    kept: list[Evidence] = environment.hidden_environment.setdefault(_KEY, [])
    known = {(page.document_id, page.page) for page in kept}
    kept.extend(page for page in found if (page.document_id, page.page) not in known)


def kept_evidence(environment: Environment) -> tuple[Evidence, ...]:
    """Return every page found so far, in the order of the searches, best first in each."""
    return tuple(environment.hidden_environment.get(_KEY, ()))
