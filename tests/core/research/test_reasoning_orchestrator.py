"""The loop: what it returns, how it goes on, and that it cites nothing else than its sources."""

from __future__ import annotations

import asyncio
import json

import pytest
from pydantic import ValidationError

from desktop.core.events import (
    CitationEvent,
    CompleteEvent,
    ErrorEvent,
    NoteCitationEvent,
    ResearchProgressEvent,
    TokenEvent,
)
from desktop.core.research.orchestrator import DeepResearchOrchestrator
from desktop.core.research.sources import Item
from tests.fakes.answerer import FakeAnswerer
from tests.fakes.language_model import FakeLanguageModel
from tests.fakes.research import FakeFinder, analyst, critic, handler, note, page, writer

FUSE = "The fuse of the pump is 5 A."
KEYS = {"@type", "url", "name", "site", "siteUrl", "score", "description", "schema_object"}
REPORT_KEYS = {
    "@type", "mode", "iterations", "sources_used", "confidence", "total_sources_analyzed",
}  # fmt: skip


def researched(tmp_path, *sources, replies=None, mode="discovery", query="Which fuse?", **more):
    model = None if replies is None else FakeLanguageModel(*replies, context_tokens=32_000)
    temporal = more.pop("temporal", None)
    parts, items = handler(tmp_path, *sources, model=model, **more)
    orchestrator = DeepResearchOrchestrator(parts)

    async def collect():
        return [e async for e in orchestrator.events(query, mode, items, temporal)]

    events = asyncio.run(collect())
    return orchestrator, events, model


def text_of(events):
    return "".join(event.content for event in events if isinstance(event, TokenEvent))


def stages(events):
    return [
        (e.iteration, e.stage)
        for e in events
        if isinstance(e, ResearchProgressEvent) and e.state == "done"
    ]


@pytest.mark.parametrize(
    "replies", [None, (analyst(f"{FUSE} [1]"), critic(), writer(f"{FUSE} [1]"))]
)
def test_orchestrator_output_schema(tmp_path, replies):
    model = None if replies is None else FakeLanguageModel(*replies, context_tokens=32_000)
    parts, items = handler(tmp_path, page(FUSE), model=model)
    result = asyncio.run(
        DeepResearchOrchestrator(parts).run_research("Which fuse?", "strict", items, None)
    )
    assert isinstance(result, list)
    (item,) = result
    assert set(item) == KEYS
    assert item["@type"] == "Item"
    assert FUSE in item["description"]
    assert isinstance(item["score"], int)
    assert 0 <= item["score"] <= 100
    assert set(item["schema_object"]) == REPORT_KEYS
    assert item["schema_object"]["total_sources_analyzed"] == 1


def test_orchestrator_compatible_with_create_assistant_result(tmp_path):
    good, _, _ = researched(tmp_path, page(FUSE))
    bad, _, _ = researched(tmp_path, page(FUSE, tier=5), mode="strict")
    items = [*good.result, *bad.result]
    assert [Item.model_validate(item).as_dict() for item in json.loads(json.dumps(items))] == items


@pytest.mark.parametrize("change", [{"score": 101}, {"url": ""}, {"extra": 1}, {"@type": "Other"}])
def test_what_is_no_item_is_not_passed_on(tmp_path, change):
    orchestrator, _, _ = researched(tmp_path, page(FUSE))
    with pytest.raises(ValidationError):
        Item.model_validate({**orchestrator.result[0], **change})


def test_a_rejected_draft_is_revised_until_it_passes(tmp_path):
    replies = (
        analyst("The fuse of the pump is 7 A. [1]"),
        critic("PASS"),  # what rules find wrong no model can call right
        analyst(f"{FUSE} [1]"),
        critic("PASS"),
        writer(f"{FUSE} [1]"),
    )
    orchestrator, events, model = researched(tmp_path, page(FUSE), replies=replies)
    assert stages(events) == [
        (0, "filter"), (1, "analyst"), (1, "critic"), (2, "analyst"), (2, "critic"), (2, "writer"),
    ]  # fmt: skip
    assert orchestrator.result[0]["schema_object"]["iterations"] == 2
    assert "7 A" in model.requests[2].messages[-1].text
    assert text_of(events) == f"{FUSE} [1]"


def test_the_loop_ends_after_its_rounds_and_shows_nothing_that_is_wrong(tmp_path):
    wrong = "The fuse of the pump is 7 A. [1]"
    replies = (analyst(wrong), critic(), analyst(f"{wrong} {FUSE} [1]"), critic(), writer(wrong))
    orchestrator, events, _ = researched(tmp_path, page(FUSE), replies=replies, max_iterations=2)
    assert "7 A" not in text_of(events)
    assert orchestrator.result[0]["schema_object"]["confidence"] == "Low"
    assert events[-1].outcome == "not_found"


def test_search_required_runs_the_new_queries_and_goes_on(tmp_path):
    finder = FakeFinder(fuse_table=[page(FUSE, 7)])
    replies = (
        analyst(queries=("fuse table", "fuse table")),
        analyst(f"{FUSE} [2]"),
        critic(),
        writer(f"{FUSE} [2]"),
    )
    first = page("Something else.", 3)
    orchestrator, events, _ = researched(tmp_path, first, replies=replies, finder=finder)
    assert finder.queries == ["fuse table"]
    assert stages(events)[1:4] == [(1, "analyst"), (1, "search"), (1, "analyst")]
    (citation,) = [event for event in events if isinstance(event, CitationEvent)]
    assert citation.source.page == 7
    assert orchestrator.result[0]["schema_object"]["total_sources_analyzed"] == 2


def test_a_gap_search_obeys_the_mode(tmp_path):
    finder = FakeFinder(fuse_table=[page(FUSE, 7, tier=5, document="forum.pdf")])
    replies = (
        analyst(queries=("fuse table",)),
        analyst(f"{FUSE} [2]"),
        critic(),
        writer(f"{FUSE} [2]"),
    )
    _, events, _ = researched(
        tmp_path, page("Else.", 3), replies=replies, finder=finder, mode="strict", max_iterations=1
    )
    assert "5 A" not in text_of(events)


def test_an_analyst_that_only_wants_to_search_does_not_search_for_ever(tmp_path):
    finder = FakeFinder(one=[page("Nothing.", 7)], two=[page("Nothing.", 8)])
    wants = [analyst(queries=(query,)) for query in ("one", "two", "three")]
    replies = (*wants, writer(f"{FUSE} [1]"))
    _, events, model = researched(tmp_path, page(FUSE), replies=replies, finder=finder)
    assert text_of(events) == f"{FUSE} [1]"
    assert len(model.requests) == 4


def test_rules_search_once_in_other_words_when_nothing_answers(tmp_path):
    finder = FakeFinder()
    researched(
        tmp_path,
        page("Something else entirely."),
        finder=finder,
        answerer=FakeAnswerer(found=False),
        query="What is the rating of the fuse in the pump?",
    )
    assert len(finder.queries) == 1


def test_the_report_cites_pages_of_the_filtered_context_only(tmp_path):
    draft = f"{FUSE} [1] The tank holds 900 litres. [2] Its oil is SAE 40. [7] Grease it daily."
    replies = (analyst(f"{FUSE} [1]"), critic(), writer(draft))
    sources = (page(FUSE), page("The tank holds 900 litres.", 5, tier=5, document="forum.pdf"))
    _, events, _ = researched(tmp_path, *sources, replies=replies, mode="strict")
    assert text_of(events) == f"{FUSE} [1]"
    cited = [event.source.document for event in events if isinstance(event, CitationEvent)]
    assert cited == ["pump.pdf"]


def test_pages_and_notes_share_one_sequence_of_numbers_and_regions_are_highlighted(tmp_path):
    draft = f"{FUSE} [1] The spare fuse lies in drawer 3 (not confirmed). [2]"
    sources = (page(FUSE), note("The spare fuse lies in drawer 3."))
    replies = (analyst(draft), critic(), writer(draft))
    _, events, _ = researched(tmp_path, *sources, replies=replies)
    (cited,) = [event for event in events if isinstance(event, CitationEvent)]
    (told,) = [event for event in events if isinstance(event, NoteCitationEvent)]
    assert (cited.number, told.number) == (1, 2)
    assert cited.source.regions
    assert told.note.piece_id == "n1"


def test_no_valid_source_is_an_item_that_says_so_and_what_to_do(tmp_path):
    orchestrator, events, _ = researched(tmp_path, page(FUSE, tier=5), mode="strict")
    (item,) = orchestrator.result
    assert (item["score"], set(item)) == (0, KEYS)
    assert "strict mode" in item["description"]
    (error,) = [event for event in events if isinstance(event, ErrorEvent)]
    assert "“All sources”" in error.suggestion
    assert events[-1].outcome == "not_found"


def test_sources_of_another_time_are_left_out(tmp_path):
    from dataclasses import replace

    old = replace(page("The fuse of the pump is 3 A.", 3), revision="Edition 1", date="2019-05")
    new = replace(page(FUSE, 4, document="new.pdf"), revision="Edition 3", date="2026-03")
    for temporal in ({"date_from": "2024"}, {"revision": "edition 3"}):
        _, events, _ = researched(tmp_path, old, new, temporal=temporal)
        assert "3 A" not in text_of(events)
        assert "5 A" in text_of(events)


def test_the_last_event_tells_the_end_and_every_stage_that_begins_ends(tmp_path):
    _, events, _ = researched(tmp_path, page(FUSE))
    assert isinstance(events[-1], CompleteEvent)
    assert events[-1].outcome == "answered"
    progress = [event for event in events if isinstance(event, ResearchProgressEvent)]
    begun = [(e.iteration, e.stage) for e in progress if e.state == "started"]
    ended = [(e.iteration, e.stage) for e in progress if e.state != "started"]
    assert begun == ended


def test_iteration_logs_are_created_as_laid_out(tmp_path):
    replies = (analyst(f"{FUSE} [1]"), critic(), writer(f"{FUSE} [1]"))
    orchestrator, _, _ = researched(tmp_path, page(FUSE), replies=replies)
    folder = tmp_path / orchestrator.query_id
    names = {path.name for path in folder.iterdir()}
    assert {"iteration_1_analyst.json", "iteration_1_critic.json", "session_summary.json"} <= names
    summary = json.loads((folder / "session_summary.json").read_text())
    assert (summary["final_status"], summary["total_iterations"]) == ("converged", 1)
    told = json.loads((folder / "iteration_1_analyst.json").read_text())
    assert told["output"]["draft"] == f"{FUSE} [1]"
    assert told["input"]["question"] == "Which fuse?"


def test_a_folder_that_cannot_be_written_does_not_stop_the_research(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    _, events, _ = researched(blocked, page(FUSE))
    assert events[-1].outcome == "answered"


def test_a_monitor_list_with_nothing_in_it_is_no_fault_of_the_draft(tmp_path):
    sources = (
        note("Tighten the cover bolts with 15 Nm."),
        page("Tighten the cover bolts to 12 Nm."),
    )
    _, events, _ = researched(tmp_path, *sources, mode="monitor", query="Do our notes agree?")
    assert "No agreement was found." in text_of(events)
    assert [stage for stage in stages(events) if stage[1] == "critic"] == [(1, "critic")]


def test_a_monitor_that_finds_nothing_says_so_at_once(tmp_path):
    sources = (note("The key hangs in the office."), page("Tighten the cover bolts to 12 Nm."))
    _, events, _ = researched(tmp_path, *sources, mode="monitor", query="Do our notes agree?")
    assert "No contradiction was found." in text_of(events)
    assert "No agreement was found." in text_of(events)
    assert [stage for stage in stages(events) if stage[1] == "critic"] == [(1, "critic")]


def test_that_something_was_not_found_needs_a_source_as_anything_else_does(tmp_path):
    said = "No leak was found."
    _, events, _ = researched(
        tmp_path,
        page(FUSE),
        replies=(analyst(f"{FUSE} [1]"), critic(), writer(f"{FUSE} [1] {said}")),
    )
    assert FUSE in text_of(events)
    assert said not in text_of(events)
