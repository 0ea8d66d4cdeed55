"""An answer says which of its sources are older revisions."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from desktop.cli.answer_printer import AnswerPrinter
from desktop.core.agent.deciding.rule_decider import RuleDecider
from desktop.core.agent.orchestrator import AgentOrchestrator
from desktop.core.agent.toolbox import Services, create_tools
from desktop.core.answering.extractive import ExtractiveAnswerer
from desktop.core.event_reading import event_from_json
from desktop.core.events import CitationEvent, to_json
from desktop.core.library.source_edit import SourceEdit
from desktop.core.settings.sections import AgentSettings, RetrievalSettings
from tests.fakes.agent import ask
from tests.fakes.bookcase import Sheet, bookcase_at

if TYPE_CHECKING:
    from pathlib import Path


def test_a_citation_of_an_older_revision_names_the_newer_one(tmp_path: Path):
    old = (Sheet().text("The service lamp behind the door is changed every year."),)
    new = (Sheet().text("The tightening torque for terminal X2 is 1.2 Nm."),)
    with bookcase_at(tmp_path / "library") as bookcase:
        for name, sheets, revision in (("b.pdf", old, "Rev B"), ("c.pdf", new, "Rev C")):
            id_ = bookcase.add(name, sheets, title="Pump manual")
            bookcase.library.set_source([id_], SourceEdit(revision=revision))
        settings = AgentSettings(least_confidence=0)
        answerer = ExtractiveAnswerer(bookcase.library, None, settings)
        services = Services(
            bookcase.searcher, answerer, bookcase.library, settings, RetrievalSettings()
        )
        agent = AgentOrchestrator(
            create_tools(services),
            RuleDecider(),
            settings,
            lambda: ["b.pdf", "c.pdf"],
            newer=bookcase.library.newer_revisions,
        )

        def cited(question: str) -> list[tuple[str, str]]:
            found = [each for each in ask(agent, question) if isinstance(each, CitationEvent)]
            return [(each.source.document, each.newer) for each in found]

        assert set(cited("How often is the service lamp changed?")) == {("b.pdf", "Rev C")}
        assert set(cited("What is the tightening torque for X2?")) == {("c.pdf", "")}

        events = ask(agent, "How often is the service lamp changed?")
        said = io.StringIO()
        printer = AnswerPrinter(said, io.StringIO())
        for event in events:
            printer.show(event)
        assert "b.pdf, page 1 (older revision, Rev C is in the library)" in said.getvalue()
        (citation, *_) = [each for each in events if isinstance(each, CitationEvent)]
        assert event_from_json(to_json(citation)) == citation
