"""What a report keeps and names: warnings word by word, both halves, Items from elsewhere, gaps."""

from __future__ import annotations

import asyncio

import pytest

from desktop.core.answering.answer import Answer
from desktop.core.events import CitationEvent, PageRegion, TokenEvent, WarningBlockEvent
from desktop.core.research.critic import parts_asked
from desktop.core.research.orchestrator import DeepResearchOrchestrator
from desktop.core.research.report import read_draft, with_own_marks
from desktop.core.settings.sections import SourceTier
from tests.core.research.test_reasoning_orchestrator import researched, stages, text_of
from tests.fakes.answerer import FakeAnswerer
from tests.fakes.language_model import FakeLanguageModel
from tests.fakes.research import FakeFinder, analyst, critic, handler, page, writer

DANGER = (
    "DANGER: the terminals stay live for 5 minutes. Wait 5 minutes before you open the cover. "
    "Check with a meter that no voltage is left."
)
TORQUE, FILTER = "The terminals take a torque of 1.8 Nm.", "Clean the filter every 500 hours."
BOTH = "What torque do the terminals take, and how often is the filter cleaned?"


@pytest.mark.parametrize(
    "replies", [None, (analyst(f"{DANGER} [1]"), critic(), writer(f"“{DANGER}” [1]"))]
)
def test_every_sentence_of_a_warning_survives_with_its_own_mark(tmp_path, replies):
    _, events, _ = researched(
        tmp_path, page(DANGER), replies=replies, query="Are the terminals live?"
    )
    said = text_of(events)
    for sentence in ("stay live for 5 minutes", "Wait 5 minutes before", "no voltage is left"):
        assert sentence in said
    assert said.count("[1]") == 3


def test_only_what_a_source_says_gets_a_mark_that_nobody_wrote():
    draft = f"{TORQUE} The cover is blue. {FILTER} [2]"
    marked = with_own_marks(draft, {1: TORQUE, 2: FILTER})
    assert [(each.text, each.cited) for each in read_draft(marked)] == [
        (TORQUE, (1,)), ("The cover is blue.", ()), (FILTER, (2,)),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (BOTH, 2),
        ("Which fuse protects the controller? How is it reset?", 2),
        ("Which fuse protects the controller?", 0),
        ("Which nuts and bolts?", 0),
    ],
)
def test_the_parts_of_a_question(question, parts):
    assert len(parts_asked(question)) == parts


class ByWords:
    """Answers from the page that has a word of the question, as a reader that knows two topics."""

    def answer(self, question, evidence):
        for topic in ("torque", "filter"):
            about = [page for page in evidence if topic in page.passages[0].text]
            if topic in question and about:
                return FakeAnswerer().answer(question, about)
        return Answer(False, (), (), (), 1.0, "nothing")


def test_the_half_that_was_left_out_is_searched_for_and_answered(tmp_path):
    (_, second) = parts_asked(BOTH)
    finder = FakeFinder(**{second.replace(" ", "_"): [page(FILTER, 9)]})
    _, events, _ = researched(tmp_path, page(TORQUE), query=BOTH, finder=finder, answerer=ByWords())
    assert second in finder.queries
    assert TORQUE in text_of(events)
    assert FILTER in text_of(events)
    assert "Not found" not in text_of(events)


def test_a_half_that_no_source_answers_is_named(tmp_path):
    _, events, _ = researched(tmp_path, page(TORQUE), query=BOTH, answerer=ByWords())
    said = text_of(events)
    assert TORQUE in said
    assert "Not found in the sources\n- how often is the filter cleaned?" in said


def test_what_the_critic_misses_is_what_the_next_round_searches_for(tmp_path):
    gap = "The torque of the cover is missing."
    finder = FakeFinder(**{gap.replace(" ", "_"): [page("The cover takes a torque of 3 Nm.", 9)]})
    replies = (
        analyst(f"{TORQUE} [1]"),
        critic("REJECT", gap),
        analyst(f"{TORQUE} [1] The cover takes a torque of 3 Nm. [2]"),
        critic("PASS"),
        writer(f"{TORQUE} [1] The cover takes a torque of 3 Nm. [2]"),
    )
    _, events, _ = researched(tmp_path, page(TORQUE), replies=replies, finder=finder)
    assert finder.queries == [gap]
    assert (1, "search") in stages(events)
    assert "3 Nm" in text_of(events)


def test_lines_that_are_not_about_the_question_do_not_enter(tmp_path):
    beside = page("The pump stands on four feet.", 7)
    _, events, _ = researched(
        tmp_path, page(TORQUE), beside, query="What torque is it?", answerer=ByWords()
    )
    assert "feet" not in text_of(events)


def item(number: int, site: str, description: str) -> dict[str, object]:
    """Return an Item as document 4 shows it: of a source that the table of tiers names."""
    return {
        "@type": "Item", "url": f"https://example.org/{number}", "name": f"Report {number}",
        "site": site, "siteUrl": "https://example.org", "score": 80, "description": description,
    }  # fmt: skip


TIERS = {
    "Maker": SourceTier(tier=1, type="official"),
    "Forum": SourceTier(tier=5, type="social"),
}
FUSE, OTHER_FUSE = "The fuse of the pump is 5 A.", "The fuse of the pump is 7 A."


@pytest.mark.parametrize("mode", ["strict", "discovery", "monitor"])
@pytest.mark.parametrize("with_model", [False, True])
def test_plain_items_are_researched_in_every_mode(tmp_path, mode, with_model):
    draft = f"{FUSE} [1]"
    model = FakeLanguageModel(analyst(draft), critic(), writer(draft), context_tokens=32_000)
    parts, _ = handler(tmp_path, model=model if with_model and mode != "monitor" else None)
    parts.source_tiers = TIERS
    orchestrator = DeepResearchOrchestrator(parts)
    items = [item(1, "Maker", FUSE), item(2, "Forum", OTHER_FUSE)]

    async def collect():
        return [e async for e in orchestrator.events("Which fuse has the pump?", mode, items)]

    events = asyncio.run(collect())
    (report,) = orchestrator.result
    assert FUSE.rstrip(".") in report["description"]
    told = report["schema_object"]
    assert told["mode"] == mode
    assert told["total_sources_analyzed"] == (1 if mode == "strict" else 2)
    assert "Report 1" in told["sources_used"]
    cited = [event for event in events if isinstance(event, CitationEvent)]
    assert any(event.quote.rstrip(".") in FUSE for event in cited)
    if mode == "strict":
        assert "7 A" not in "".join(e.content for e in events if isinstance(e, TokenEvent))


def test_items_of_sources_that_nobody_knows_are_no_ground_for_a_strict_report(tmp_path):
    parts, _ = handler(tmp_path)
    orchestrator = DeepResearchOrchestrator(parts)
    result = asyncio.run(
        orchestrator.run_research("Which fuse?", "strict", [item(1, "Nobody", FUSE)], None)
    )
    assert result[0]["score"] == 0
    assert FUSE not in result[0]["description"]


def test_what_governs_the_cited_places_is_told_before_them(tmp_path):
    warning = WarningBlockEvent("WARNING", "Switch it off.", PageRegion(1, "pump.pdf", 4, "5", ()))
    asked = []

    def warnings(cited):
        asked.append(cited)
        return (warning,)

    _, events, _ = researched(tmp_path, page(TORQUE), query="What torque?", warnings=warnings)
    assert [each.quote for each in asked[0]] == [TORQUE]
    kinds = [type(each) for each in events]
    assert kinds.index(WarningBlockEvent) < kinds.index(CitationEvent)
