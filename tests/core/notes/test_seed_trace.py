"""From what an expert says to the agent's prompt: LES from RANS, and the tables on its way."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.app.agent import make_decider
from desktop.core.agent.context import KNOWN_FIELDS, SiteKnowledge
from desktop.core.agent.orchestrator import AgentOrchestrator
from desktop.core.agent.tool import Services
from desktop.core.agent.tools import create_tools
from desktop.core.notes.language_structurer import LanguageStructurer
from desktop.core.settings.sections import AgentSettings, RetrievalSettings
from knowledge.base import KnowledgeBase, memory_knowledge_base
from knowledge.formatter import KnowledgeFormatter, RetrievalResult
from knowledge.graph import GraphEdge, GraphNode
from knowledge.ingestion_cli import KnowledgeIngestionCLI
from knowledge.loader import KnowledgeDataLoader
from knowledge.metadata import EntityMetadata
from knowledge.pieces import KnowledgePiece, KnowledgeType
from knowledge.provider import FeedConflictResolution, KnowledgeProvider
from knowledge.services.graph import GraphServiceBase
from knowledge.services.key_value import KeyValueServiceBase
from knowledge.services.retrieval import RetrievalServiceBase
from tests.fakes.answerer import FakeAnswerer
from tests.fakes.knowledge import BACKENDS, knowledge_base
from tests.fakes.language_model import FakeLanguageModel
from tests.fakes.les_knowledge import SAID, STRUCTURED
from tests.fakes.searcher import FakeSearcher, page_found
from tests.fakes.shelf import FakeShelf, manual

ASKED = "Set up an LES simulation for jet noise"
PIECE = "[procedure] Initialize transient LES from converged RANS -- cuts spin-up by ~40%"


def agent(
    site_knowledge: SiteKnowledge, model: FakeLanguageModel, **told: Any
) -> AgentOrchestrator:
    shelf = FakeShelf(manual())
    models = SimpleNamespace(language=lambda: model, vision=lambda: None)
    sections = AgentSettings(decider="dspy")
    services = Services(
        FakeSearcher([page_found("LES needs a fine mesh.")]), FakeAnswerer(), shelf, sections,
        RetrievalSettings(), models=models,
    )  # fmt: skip
    tools = create_tools(services)
    decider = make_decider(tools, sections, models.language)
    return AgentOrchestrator(
        tools, decider, sections, shelf.names, site_knowledge=site_knowledge, **told
    )


def prompts(site_knowledge: SiteKnowledge, **told: Any) -> tuple[str, str]:
    """Ask once; return the prompt of the first decision and that of the answer."""
    search = {
        "reasoning": "Search.",
        "tool_name": "fast_vector_search",
        "tool_inputs": {"query": "LES"},
        "should_end": False,
        "impossible": False,
    }
    answer = search | {"tool_name": "text_response", "tool_inputs": {}, "should_end": True}
    model = FakeLanguageModel(
        json.dumps(search), json.dumps(answer), "LES needs a fine mesh [1].", *["no"] * 4
    )

    async def run() -> None:
        async for _ in agent(site_knowledge, model, **told).run(ASKED):
            pass

    asyncio.run(run())
    written = ["\n".join(m.text for m in request.messages) for request in model.requests]
    return written[0], next(each for each in written if "<passage 1:" in each)


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_an_expert_said_is_structured_by_a_model_and_stands_in_the_agents_prompts(
    backend, tmp_path
):
    model = FakeLanguageModel("I think it is about LES.", json.dumps(STRUCTURED))
    with knowledge_base(backend, tmp_path, active_entity_id="user:alice") as base:
        taking = KnowledgeIngestionCLI(
            LanguageStructurer(model), KnowledgeDataLoader(base), check_ins=tmp_path / "records"
        )
        ingested = taking.ingest(SAID)
        assert (len(ingested.structured.faults), ingested.summary.problems) == (1, [])
        assert ingested.record is not None
        provider = KnowledgeProvider(base)
        assert provider(ASKED) == {
            "user_profile": "specialization: turbomachinery\nteam: aero\n"
            "SPECIALIZES_IN → Technique:les",
            "instructions": PIECE,
        }
        for prompt in prompts(SiteKnowledge(provider)):
            assert f"[[ ## site_rules ## ]]\n  {PIECE}" in prompt
            assert (
                "[[ ## user_profile ## ]]\n  specialization: turbomachinery\n  team: aero" in prompt
            )


def test_the_model_is_asked_for_each_section_and_told_to_leave_credentials_out():
    model = FakeLanguageModel(json.dumps(STRUCTURED))
    base = memory_knowledge_base()
    KnowledgeIngestionCLI(LanguageStructurer(model), KnowledgeDataLoader(base)).ingest(SAID)
    (request,) = model.requests
    told = "\n".join(message.text for message in request.messages)
    assert SAID in told
    assert "Leave out every credential" in told
    assert request.schema is not None
    assert set(request.schema["properties"]) == {"metadata", "pieces", "graph"}


def test_no_model_is_asked_about_a_text_with_a_secret():
    from knowledge.errors import KnowledgeRefused

    model = FakeLanguageModel(json.dumps(STRUCTURED))
    taking = KnowledgeIngestionCLI(
        LanguageStructurer(model), KnowledgeDataLoader(memory_knowledge_base())
    )
    with pytest.raises(KnowledgeRefused):
        taking.ingest("api_key = 9f8e7d6c5b4a3210")
    assert model.requests == []


# --- the tables of the specification

TYPES = {
    "Fact": "Smagorinsky constant of 0.1 works better than default 0.17",
    "Instruction": "Always check mesh quality before CHT runs",
    "Preference": "Prefer second-order discretization for accuracy",
    "Procedure": "Step 1: Initialize with steady-state. Step 2: Switch to transient.",
    "Note": "Residuals showed unexpected oscillation around iteration 500",
    "Episodic": "On case JN-042 we tried dynamic Smagorinsky and saw 15% improvement",
}


@pytest.mark.parametrize("name", TYPES)
def test_every_knowledge_type_is_kept_found_and_told_by_its_name(name):
    base = memory_knowledge_base()
    item = {"piece_id": "p", "content": TYPES[name], "knowledge_type": name}
    assert KnowledgeDataLoader(base).load({"pieces": [item]}).problems == []
    assert KnowledgeProvider(base)(TYPES[name]) == {"context": f"[{name.lower()}] {TYPES[name]}"}


@pytest.mark.parametrize(
    "info_type", ["user_profile", "instructions", "context", "skills", "lessons_learned"]
)
def test_every_info_type_has_its_section_in_the_rendered_prompts(info_type):
    base = memory_knowledge_base()
    base.add_piece(KnowledgePiece("p", "LES of a jet.", info_type=info_type))
    field = KNOWN_FIELDS.get(info_type)
    heading = f"[[ ## {field} ## ]]" if field else f"{info_type}:"
    for prompt in prompts(SiteKnowledge(KnowledgeProvider(base))):
        assert f"{heading}\n  [note] LES of a jet." in prompt


def test_each_layer_stands_on_a_service_and_has_its_own_namespaces(tmp_path):
    with knowledge_base("sqlite", tmp_path) as base:
        base.add_metadata(EntityMetadata("user:alice", "user", {"team": "aero"}))
        base.add_piece(KnowledgePiece("p", "Words.", entity_id="user:alice"))
        base.add_node(GraphNode("user:alice", "user"))
        metadata, pieces, graph = (
            vars(store)["_service"]
            for store in (base.metadata_store, base.piece_store, base.graph_store)
        )
        assert isinstance(metadata, KeyValueServiceBase)
        assert isinstance(pieces, RetrievalServiceBase)
        assert isinstance(graph, GraphServiceBase)
        assert metadata.get("user:alice", "user") == {"team": "aero"}
        kept = pieces.get("p")
        assert kept is not None
        assert kept.namespace == "user:alice"
        assert [node.node_id for node in graph.nodes("")] == ["user:alice"]
        assert graph.nodes("another tenant") == []


@pytest.mark.parametrize(
    ("resolution", "given", "known"),
    [
        (FeedConflictResolution.FEED_ONLY, False, True),
        (FeedConflictResolution.ATTRIBUTE_ONLY, True, False),
        (FeedConflictResolution.MERGE, True, True),
    ],
)
def test_what_is_given_and_known_of_the_user_stands_in_the_prompt_as_chosen(
    resolution, given, known
):
    provider = {"user_profile": "Knows turbomachinery.", "skills": "Warm starts."}
    for prompt in prompts(SiteKnowledge(provider, resolution), user_profile="A fitter."):
        assert ("A fitter." in prompt) is given
        assert ("Knows turbomachinery." in prompt) is known
        assert "Warm starts." in prompt


def test_a_knowledge_base_itself_may_tell_of_the_user_or_the_context():
    base = memory_knowledge_base(active_entity_id="user:alice")
    KnowledgeDataLoader(base).load(STRUCTURED)
    for way in ("user_profile", "context"):
        for prompt in prompts(SiteKnowledge(), **{way: base}):
            assert "[Metadata] specialization: turbomachinery" in prompt
            assert PIECE in prompt


def test_a_provider_is_called_anew_with_each_question():
    asked: list[str] = []

    def provider(question: str) -> dict[str, str]:
        asked.append(question)
        return {"context": f"answer {len(asked)}"}

    site_knowledge = SiteKnowledge(provider)
    assert "answer 1" in prompts(site_knowledge)[0]
    assert "answer 2" in prompts(site_knowledge)[0]
    assert asked == [ASKED, ASKED]


# --- the same knowledge, the same text

WORDS = st.text("ab c\n", min_size=1, max_size=12).filter(str.strip)
PIECES = st.lists(
    st.tuples(st.sampled_from("pqrstu"), WORDS, st.sampled_from([0.25, 0.5, 1.0])),
    max_size=6,
    unique_by=lambda item: item[0],
)
RELATIONS = st.lists(st.tuples(st.sampled_from("XY"), st.sampled_from("lmn"), WORDS), max_size=6)


@given(pieces=PIECES, relations=RELATIONS, properties=st.dictionaries(WORDS, WORDS), data=st.data())
def test_the_order_of_what_is_known_never_shows_in_its_text(pieces, relations, properties, data):
    def result(pieces, relations, properties) -> RetrievalResult:
        return RetrievalResult(
            EntityMetadata("e", "asset", properties),
            None,
            tuple(
                (KnowledgePiece(name, words, KnowledgeType.FACT, name), score)
                for name, words, score in pieces
            ),
            tuple(
                {"relation_type": kind, "source_node_id": "e", "target_node_id": target,
                 "target_node_type": "asset", "target_label": "", "description": words,
                 "depth": 1, "score": 1.0, "piece_id": ""}
                for kind, target, words in relations
            ),
        )  # fmt: skip

    shuffled = result(
        data.draw(st.permutations(pieces)),
        data.draw(st.permutations(relations)),
        dict(data.draw(st.permutations(list(properties.items())))),
    )
    plain = result(pieces, relations, properties)
    assert KnowledgeFormatter().format(plain) == KnowledgeFormatter().format(shuffled)
    provider = KnowledgeProvider(memory_knowledge_base())
    texts = provider.texts(provider.route(plain, "e"))
    assert texts == provider.texts(provider.route(shuffled, "e"))
    assert list(texts) == sorted(texts)


def test_a_graph_with_a_dangling_edge_says_so_and_keeps_the_rest():
    base: KnowledgeBase = memory_knowledge_base()
    data = json.loads(json.dumps(STRUCTURED))
    data["graph"]["edges"].append({"source_id": "user:alice", "target_id": "x", "edge_type": "Y"})
    summary = KnowledgeDataLoader(base).load(data)
    assert [str(problem) for problem in summary.problems] == [
        "graph.edges[1]: There is no entry 'x'."
    ]
    assert base.graph_store.edges() == [
        GraphEdge("user:alice", "technique:les", "SPECIALIZES_IN", {})
    ]
