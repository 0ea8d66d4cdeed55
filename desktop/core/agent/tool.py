"""What a tool is and what it may use."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from pydantic import BaseModel, ConfigDict

from desktop.core.claims.comparison import Comparison

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from desktop.core.agent.answer_writer import AnswerWriter
    from desktop.core.agent.compiled_programs import CompiledPrograms
    from desktop.core.agent.tool_output import ToolStream
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.answering.answer import Answerer
    from desktop.core.library.library import Library
    from desktop.core.library.values import DocumentRecord
    from desktop.core.page_drawing import PageDrawer
    from desktop.core.question.query import Query
    from desktop.core.reader.evidence import Evidence
    from desktop.core.reports.contents import StoredAnswers
    from desktop.core.retrieval.visual_search import VisualSearcher
    from desktop.core.settings.sections import AgentSettings, RetrievalSettings
    from desktop.models.roles import LanguageModel, VisionLanguageModel


class ToolArguments(BaseModel):
    """Base of a tool's inputs: they may come from a model, so unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Tool(Protocol):
    """One capability. A file of `agent/tools` with a `create_tool` adds one.

    name, description: what a decision reads. end: running it always ends the question; one that
    sets `tree_data.outcome` ends it this once.
    arguments: the model that checks its inputs before it is called.
    """

    name: ClassVar[str]
    description: ClassVar[str]
    end: ClassVar[bool]
    arguments: ClassVar[type[ToolArguments]]

    async def is_tool_available(self, tree_data: TreeData) -> bool:
        """Whether the tool can do anything useful now.

        A small model chooses among whatever it is offered, and fills in whatever it may: say no
        where the question gives no reason for the tool, and check its inputs against the question.
        """

    async def run_if_true(self, tree_data: TreeData) -> tuple[bool, dict[str, Any]]:
        """Whether the tool should run now without being chosen, and with which inputs."""

    def __call__(self, tree_data: TreeData, inputs: dict[str, Any]) -> ToolStream:
        """Run; an async generator that never blocks the loop.

        A failure that another choice may mend is yielded as an `Error`.
        """


class ChosenTool:
    """Base of a tool that runs only when it is chosen."""

    async def run_if_true(self, tree_data: TreeData) -> tuple[bool, dict[str, Any]]:
        """Never runs unasked."""
        return False, {}


class Search(Protocol):
    """Finds pages; blocking, callable from any thread."""

    def search(self, query: Query) -> list[Evidence]:
        """Return the pages for `query`, best first."""

    def together(self, query: Query, found: Sequence[Evidence]) -> list[Evidence]:
        """Return what several searches found, and `query` itself, ranked as answers to `query`."""


class Shelf(Protocol):
    """Knows which manuals there are; blocking, callable from any thread."""

    def documents(self) -> Sequence[DocumentRecord]:
        """Return every manual in its present state."""


class Models(Protocol):
    """Hands out the models that play a role; each is None if there is none."""

    def language(self) -> LanguageModel | None:
        """Return the model that decides and writes."""

    def vision(self) -> VisionLanguageModel | None:
        """Return the model that reads pictures of pages."""


@dataclass(frozen=True, slots=True)
class Services:
    """What tools may use. A later tool adds the service it needs here.

    models: None in a test without any. library: pages and their blocks. drawer: draws
    pages.
    visual_search: None without page vectors. answers: what reports are made of.
    reports_folder: where reports go if nobody chose a folder. programs: what an
    optimiser found for the language model. reviewed: has a critic look at what a writer
    writes.
    comparison: of what is written with the pages, by words alone unless there is a
    model.
    """

    searcher: Search
    answerer: Answerer
    shelf: Shelf
    agent: AgentSettings
    retrieval: RetrievalSettings
    models: Models | None = None
    library: Library | None = None
    drawer: PageDrawer | None = None
    visual_search: VisualSearcher | None = None
    answers: StoredAnswers | None = None
    reports_folder: Path | None = None
    programs: CompiledPrograms | None = None
    reviewed: Callable[[AnswerWriter], AnswerWriter] | None = None
    comparison: Comparison = field(default_factory=lambda: Comparison(None))
