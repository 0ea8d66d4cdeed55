"""Builds what looks over the agent's shoulder: the trace, the critic, the planner."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.core.agent.answering.answer_writer import AnswerWriter
    from desktop.core.agent.commitments import Promises
    from desktop.core.agent.toolbox import Models
    from desktop.core.library.library import Library
    from desktop.core.settings import Settings
    from desktop.core.store.database import Database
    from desktop.core.trace.session_memory import Sessions


def make_sessions(settings: Settings, database: Database) -> Sessions:
    """Return the memories of the library's conversations; their traces are kept in it."""
    from desktop.core.trace.redaction import warm_up
    from desktop.core.trace.session_memory import Sessions

    if settings.reasoning_trace.enabled:
        # a third of a second that the first question need not wait for
        threading.Thread(target=warm_up, name="groundwork-secrets", daemon=True).start()
    return Sessions(settings.reasoning_trace, database)


def make_review(
    settings: Settings, database: Database, library: Library, models: Models
) -> Callable[[AnswerWriter], AnswerWriter] | None:
    """Return what has a critic look at a writer's answers, None if the settings want none."""
    wanted = settings.reasoning_trace.critic
    if wanted == "off":
        return None

    def reviewed(writer: AnswerWriter) -> AnswerWriter:
        from desktop.core.agent.critic.model_critic import ModelCritic
        from desktop.core.agent.critic.reviewed_writer import ReviewedWriter
        from desktop.core.critic.cited_pages import CitedPages

        model = None if wanted == "rules" else ModelCritic(models.language)
        pages = CitedPages(database, library)
        return ReviewedWriter(writer, pages, model, always=wanted == "model")

    return reviewed


def make_promises(settings: Settings, library: Library, models: Models) -> Promises:
    """Return what plans the deliveries of a question and checks them."""
    from desktop.core.agent.commitments import ModelPlanner, Promises

    asked = settings.reasoning_trace.critic in ("auto", "model")
    planner = ModelPlanner(models.language) if asked else None

    def has_figure(document_id: int, page: int) -> bool:
        return any(block.kind == "figure" for block in library.blocks(document_id, page))

    return Promises(planner, has_figure)
