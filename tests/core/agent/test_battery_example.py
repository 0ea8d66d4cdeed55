"""Section 9 of the specification, "How do I wire the backup battery?", as an event stream.

The stream is compared with `golden/battery_example.ndjson`, line by line, times left out.
"""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from desktop.app import make_decider
from desktop.core.agent.orchestrator import AgentOrchestrator
from desktop.core.agent.tools import create_tools
from desktop.core.claims.comparison import Comparison
from desktop.core.events import to_json
from desktop.core.geometry import Box
from desktop.core.library.units import Passage
from desktop.core.reader.evidence import Evidence
from desktop.core.settings.sections import AgentSettings
from knowledge.domains.thorguard import DOMAIN
from tests.fakes.agent import make_services
from tests.fakes.comparer import WordComparer
from tests.fakes.knowledge import atlas_of
from tests.fakes.language_model import FakeLanguageModel
from tests.fakes.searcher import FakeSearcher
from tests.fakes.shelf import FakeShelf, manual

GOLDEN = Path(__file__).parent / "golden" / "battery_example.ndjson"
PROMPT = "How do I wire the backup battery?"
SECTION = "Technical Manual › 7 Power supply › 7.2 Battery"


def unit(number: int, text: str) -> Passage:
    box = Box(70.0, 100.0 + 20 * number, 400.0, 112.0 + 20 * number)
    return Passage(number, "item", text, SECTION, (box,), (), 1.0)


PAGES = [
    Evidence(
        1,
        "techman.pdf",
        "Technical Manual",
        44,
        "45",
        1.0,
        ("passage words", "meaning"),
        (
            unit(0, "1. Connect the red wire to terminal B+."),
            unit(1, "2. Connect the black wire to terminal B-."),
            unit(2, "The battery is 12 V, 7 Ah."),
        ),
    )
]
DECISIONS = (
    {
        "reasoning": "User asking about wiring, need Technical Manual",
        "tool_name": "fast_vector_search",
        "tool_inputs": {"query": "backup battery wiring connection", "limit": None},
        "should_end": False,
        "impossible": False,
    },
    {
        "reasoning": "Have enough info from Technical Manual to answer",
        "tool_name": "text_response",
        "tool_inputs": {},
        "should_end": True,
        "impossible": False,
    },
)
ANSWER = (
    "1. Connect the red wire", " to terminal B+ [", "1", "].\n",
    "2. Connect the black wire", " to terminal B- [1", "].\n",
    "The battery is 12 V, 7 Ah", " and charges in 5 h [1].", " Wear gloves.",
)  # fmt: skip


@pytest.fixture(scope="module")
def asked() -> tuple[list[dict], FakeLanguageModel]:
    """The stream as JSON values, and the model with what it was shown."""
    model = FakeLanguageModel(*map(json.dumps, DECISIONS), model_id="gpt-oss-120b@1")
    model.enqueue(parts=ANSWER)
    models = SimpleNamespace(language=lambda: model, vision=lambda: None)
    shelf = FakeShelf(manual(1, "techman.pdf"), manual(2, "uk_firmware.pdf"))
    settings = AgentSettings()
    services = make_services(
        searcher=FakeSearcher(PAGES),
        shelf=shelf,
        models=models,
        comparison=Comparison(WordComparer(0.5)),
    )
    tools = create_tools(services)
    agent = AgentOrchestrator(
        tools,
        make_decider(tools, settings, models.language),
        settings,
        shelf.names,
        lambda **told: atlas_of(DOMAIN, shelf.names(), **told),
    )

    async def collect() -> list[dict]:
        return [json.loads(to_json(event)) async for event in agent.run(PROMPT)]

    return asyncio.run(collect()), model


def said(model: FakeLanguageModel, request: int) -> str:
    return "\n".join(message.text for message in model.requests[request].messages)


def test_the_stream_is_the_golden_one(asked):
    lines = [{**line, "milliseconds": 0} if "milliseconds" in line else line for line in asked[0]]
    # how many tokens the prompts have is not what this is about
    text = re.sub(r"[\d,]+ of [\d,]+ tokens", "N of N tokens", "\n".join(map(as_line, lines)))
    assert text.split("\n") == GOLDEN.read_text("utf-8").rstrip("\n").split("\n")


def as_line(values: dict) -> str:
    return json.dumps(values, ensure_ascii=False)


def test_the_first_decision_is_told_the_knowledge_context(asked):
    prompt = said(asked[1], 0)
    assert "ThorGuard Intruder Alarm System" in prompt
    assert "Installation/wiring questions → Prioritize Technical Manual" in prompt
    assert PROMPT in prompt


def test_the_second_decision_sees_everything_from_the_first(asked):
    prompt = said(asked[1], 1)
    assert "fast_vector_search_pages_0_0" in prompt
    assert "Connect the red wire to terminal B+." in prompt
    assert "Reasoning: User asking about wiring, need Technical Manual" in prompt


def test_the_answer_is_written_from_the_page_with_the_same_knowledge_context(asked):
    prompt = said(asked[1], 2)
    assert "<passage 1: Technical Manual (techman.pdf), page 45, 7 Power supply › 7.2 Bat" in prompt
    assert "ThorGuard Intruder Alarm System" in prompt
