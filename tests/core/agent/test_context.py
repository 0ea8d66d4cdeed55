"""What the agent is told about the person and the place reaches the model, whichever way."""

from __future__ import annotations

import pytest

from desktop.core.agent.model_decider import DSPyAsking, ModelDecider, PromptAsking
from desktop.core.agent.orchestrator import AgentOrchestrator
from desktop.core.agent.rule_decider import RuleDecider
from desktop.core.agent.tools import create_tools
from desktop.core.library.places import ActivePlace, Place
from desktop.core.settings.sections import AgentSettings
from knowledge.domain_shelf import DomainShelf
from tests.fakes.agent import ask, decision_text, make_services
from tests.fakes.language_model import FakeLanguageModel
from tests.fakes.shelf import FakeShelf, manual


def decisions(way: str) -> list[str]:
    """A search, then the answer."""
    search = decision_text("fast_vector_search", way=way, query="fuse")
    return [search, decision_text("text_response", way=way)]


def agent(model, way, **told):
    tools = create_tools(make_services())
    ending = [tool for tool in tools if tool.end]
    asking = DSPyAsking(ending) if way == "dspy" else PromptAsking(ending)
    decider = ModelDecider(lambda: model, asking, RuleDecider())
    return AgentOrchestrator(tools, decider, AgentSettings(), FakeShelf(manual()).names, **told)


def prompt(model, number: int = 0) -> str:
    return "\n".join(message.text for message in model.requests[number].messages)


@pytest.mark.parametrize("way", ["dspy", "prompt"])
def test_the_model_is_told_who_asks_and_where(way):
    model = FakeLanguageModel(*decisions(way))
    told = agent(
        model,
        way,
        user_profile="An electrician who knows the HX-200.",
        context=lambda _question: "Outdoors, wind, no crane.",
        place=ActivePlace(Place("SITE 12", "Pump P-200")),
    )
    events = ask(told)
    assert events[-1].outcome == "answered"
    said = prompt(model)
    assert "An electrician who knows the HX-200." in said
    assert "The engineer is at SITE 12, working on Pump P-200. Outdoors, wind, no crane." in said


@pytest.mark.parametrize("way", ["dspy", "prompt"])
def test_the_domains_of_a_library_and_the_person_are_told_together(way):
    model = FakeLanguageModel(*decisions(way))
    shelf = DomainShelf(None, FakeShelf(manual(1, "techman.pdf")).documents)
    told = agent(model, way, make_atlas=shelf.atlas, user_profile="A locksmith.")
    ask(told)
    assert "ThorGuard Intruder Alarm System" in prompt(model)
    assert "A locksmith." in prompt(model)


def test_each_question_is_told_what_is_true_when_it_is_asked():
    profile = ["An apprentice."]
    place = ActivePlace()
    model = FakeLanguageModel(*decisions("dspy"), *decisions("dspy"))
    told = agent(model, "dspy", user_profile=lambda _question: profile[0], place=place)
    ask(told)
    profile[0] = "A master electrician."
    place.choose(Place(asset="Boiler B7"))
    ask(told)
    first, second = prompt(model), prompt(model, 2)
    assert "An apprentice." in first
    assert "The engineer is" not in first
    assert "An apprentice." not in second
    assert "A master electrician." in second
    assert "The engineer is working on Boiler B7." in second


def test_what_nobody_told_is_not_mentioned():
    model = FakeLanguageModel(*decisions("dspy"))
    ask(agent(model, "dspy"))
    assert "## The user" not in prompt(model)
    assert "## The place" not in prompt(model)


def test_tools_see_the_place():
    seen = []

    class Looking(RuleDecider):
        async def decide(self, tree_data, available):
            seen.append(tree_data)
            return await super().decide(tree_data, available)

    ask(
        AgentOrchestrator(
            create_tools(make_services()),
            Looking(),
            AgentSettings(),
            FakeShelf(manual()).names,
            context="A cold room.",
            place=lambda: Place("SITE 12"),
        )
    )
    state = seen[0]
    assert (state.site, state.asset) == ("SITE 12", "")
    assert state.context == "The engineer is at SITE 12. A cold room."
