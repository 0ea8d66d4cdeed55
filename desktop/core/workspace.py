"""An open library with everything that works on it: what the window and the commands get."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.core.agent.orchestrator import AgentOrchestrator
    from desktop.core.engine import Engine, RunHandle
    from desktop.core.events import Event
    from desktop.core.library.ingestion import Ingestion
    from desktop.core.library.library import Library
    from desktop.core.parsing.parser import Parser
    from desktop.core.settings import Settings
    from desktop.core.store.database import Database
    from desktop.models.manager import ModelManager


@dataclass
class Workspace:
    """One library folder, opened. Whoever opened it closes it.

    notice: what a person should know after opening, "" if nothing.
    profile: "lite" without a language model. parser: for drawing pages.
    resources: closed in reverse order by `close`.
    """

    database: Database
    library: Library
    ingestion: Ingestion
    engine: Engine
    settings: Settings
    parser: Parser
    orchestrator: AgentOrchestrator
    models: ModelManager
    profile: str
    notice: str = ""
    resources: ExitStack = field(default_factory=ExitStack)

    def ask(
        self,
        prompt: str,
        document_ids: frozenset[int],
        on_event: Callable[[Event], None],
        on_done: Callable[[], None],
    ) -> RunHandle:
        """Ask a question; an empty `document_ids` means every manual.

        The callbacks come on the engine thread; the last event is a `CompleteEvent`.
        """
        return self.engine.start(
            lambda cancel: self.orchestrator.run(prompt, document_ids=document_ids, cancel=cancel),
            on_event,
            on_done,
        )

    def close(self) -> None:
        """Stop the questions, then close everything; jobs of the caller must be over."""
        self.resources.close()
