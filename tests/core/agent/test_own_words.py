"""Whatever a model searches for or gives up on, the user's own words are searched and count."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from desktop.core.agent.decision import Decision
from desktop.core.agent.model_decider import DSPyAsking, ModelDecider
from desktop.core.agent.rule_decider import RuleDecider, reworded
from desktop.core.agent.steps import call_of
from desktop.core.agent.tools import create_tools
from desktop.core.events import CitationEvent, ErrorEvent, RevisedText
from tests.fakes.agent import ask, decision_text, make_agent, make_services
from tests.fakes.answerer import FakeAnswerer
from tests.fakes.bookcase import Bookcase, Sheet, bookcase_at
from tests.fakes.language_model import FakeLanguageModel
from tests.fakes.searcher import FakeSearcher, page_found
from tests.fakes.shelf import FakeShelf, manual

QUESTION = "What is the fuse of the pump?"
SEARCH, RESPONSE = "fast_vector_search", "text_response"


def agent_of(*script: str, searcher: Any = None, **parts: Any) -> Any:
    """Return an agent whose model decides as scripted, and writes what is left of the script."""
    model = FakeLanguageModel(*script)
    ending = [tool for tool in create_tools(make_services()) if tool.name == RESPONSE]
    decider = ModelDecider(lambda: model, DSPyAsking(ending), RuleDecider())
    models = SimpleNamespace(language=lambda: model, vision=lambda: None)
    return make_agent(decider=decider, models=models, searcher=searcher, **parts)


def queries(searcher: FakeSearcher) -> list[str]:
    return [query.text for query in searcher.queries]


def text(events: list[Any]) -> str:
    return RevisedText(events).text


class ByWords(FakeSearcher):
    """Finds the fuse for the question's own words, and nothing or nonsense for others."""

    def __init__(self, otherwise: list[Any]) -> None:
        super().__init__()
        self._otherwise = otherwise

    def search(self, query: Any) -> list[Any]:
        self.queries.append(query)
        return [page_found("The fuse is 5 A.")] if query.text == QUESTION else self._otherwise


@pytest.mark.parametrize("otherwise", [[], [page_found("The lid is blue.", 9)]])
def test_a_bad_query_of_a_model_never_becomes_not_in_your_manuals(otherwise):
    searcher = ByWords(otherwise)
    agent = agent_of(
        decision_text(SEARCH, query="zebra"),
        decision_text(RESPONSE),
        "The fuse is 5 A [1].",
        searcher=searcher,
    )
    events = ask(agent, QUESTION)
    assert queries(searcher) == [QUESTION, "zebra"]
    assert events[-1].outcome == "answered"
    assert text(events) == "The fuse is 5 A. [1]"


def test_own_words_are_not_searched_twice_if_the_model_searches_for_them():
    searcher = FakeSearcher([page_found("The fuse is 5 A.")])
    script = (
        decision_text(SEARCH, query=f" {QUESTION} "),
        decision_text(RESPONSE),
        "The fuse is 5 A [1].",
    )
    ask(agent_of(*script, searcher=searcher), QUESTION)
    assert len(searcher.queries) == 1


def test_giving_up_at_once_is_not_believed_before_a_search_and_where_the_reader_is_sure():
    searcher = ByWords([])
    agent = agent_of(
        decision_text(RESPONSE, impossible=True), "The fuse is 5 A [1].", searcher=searcher
    )
    events = ask(agent, QUESTION)
    assert queries(searcher) == [QUESTION]
    assert events[-1].outcome == "answered"


def test_giving_up_at_once_is_believed_where_the_reader_is_not_sure_either():
    searcher = ByWords([])
    unsure = FakeAnswerer(found=False, unsure=0.95)
    agent = agent_of(decision_text(RESPONSE, impossible=True), searcher=searcher, answerer=unsure)
    events = ask(agent, QUESTION)
    assert queries(searcher) == [QUESTION]
    assert events[-1].outcome == "not_found"


def test_the_first_of_many_searches_still_answers():
    searcher = ByWords([page_found("The lid is blue.", 9)])
    script = [decision_text(SEARCH, query=f"lid {n}") for n in range(4)]
    agent = agent_of(*script, decision_text(RESPONSE), "The fuse is 5 A [1].", searcher=searcher)
    events = ask(agent, QUESTION)
    assert len(searcher.queries) == 5
    assert text(events) == "The fuse is 5 A. [1]"


def test_the_same_search_with_another_limit_is_the_same_call():
    searcher = FakeSearcher([page_found("The fuse is 5 A.")])
    agent = agent_of(
        decision_text(SEARCH, query=QUESTION, limit=5),
        decision_text(SEARCH, query=QUESTION, limit=20),
        decision_text(RESPONSE),
        "The fuse is 5 A [1].",
        searcher=searcher,
    )
    events = ask(agent, QUESTION)
    assert len(searcher.queries) == 1
    assert any("already run" in e.message for e in events if isinstance(e, ErrorEvent))
    assert events[-1].outcome == "answered"


def test_calls_that_differ_in_what_they_look_for_are_different():
    call = call_of(Decision(tool=SEARCH, inputs={"query": "the  fuse", "limit": 3}))
    assert call_of(Decision(tool=SEARCH, inputs={"query": "the fuse"})) == call
    assert call_of(Decision(tool=SEARCH, inputs={"query": "the lid", "limit": 3})) != call
    assert call_of(Decision(tool="other", inputs={"query": "the fuse"})) != call


@pytest.fixture
def pumps(tmp_path):
    with bookcase_at(tmp_path) as bookcase:
        bookcase.add(
            "pump.pdf",
            [
                Sheet().heading("Fuses").text("The fuse of the pump is rated 5 A."),
                Sheet().heading("Lid").text("The lid of the pump is blue and has four screws."),
                Sheet().heading("Storage").text("Store the hose in a dry room."),
            ],
        )
        yield bookcase


def test_what_several_searches_found_is_ranked_for_the_question_together(pumps: Bookcase):
    query = "Which colour has the lid?"
    own = pumps.searcher.search(_query("What is the fuse of the pump rated?"))
    other = pumps.searcher.search(_query(query))
    together = pumps.searcher.together(_query("What is the fuse of the pump rated?"), other)
    assert {p.page for p in together} >= {p.page for p in other}
    assert together[0].page == own[0].page == 0
    asked = {page.asked.text for page in together if page.asked is not None}
    assert asked == {"What is the fuse of the pump rated?"}
    assert len({page.chance for page in together}) == 1
    stray = pumps.searcher.search(_query("store hose dry room"))
    read = pumps.searcher.together(_query("fuse"), stray)
    assert 2 in {page.page for page in read if page.units}  # read, though no word of it is asked


def test_more_searches_do_not_change_the_answer_of_the_question_itself(pumps: Bookcase):
    """The same manuals, the same question: by rules, and with a model that searches badly."""
    question = "What is the fuse of the pump rated?"
    parts: dict[str, Any] = {
        "searcher": pumps.searcher,
        "answerer": _Answering(pumps),
        "shelf": FakeShelf(manual()),
    }
    plain = ask(make_agent(**parts), question)
    script = [decision_text(SEARCH, query=q) for q in ("blue lid screws", "hose dry room")]
    model = agent_of(*script, decision_text(RESPONSE), "NOT IN THE PASSAGES", **parts)
    worse = ask(model, question)
    quotes = [[e.quote for e in run if isinstance(e, CitationEvent)] for run in (plain, worse)]
    assert quotes[0] == quotes[1]
    assert "5 A" in quotes[0][0]
    assert worse[-1].outcome == "answered"


class _Answering:
    def __init__(self, bookcase: Bookcase) -> None:
        self._bookcase = bookcase

    def answer(self, question: str, evidence: Any) -> Any:
        return self._bookcase.answer(question, evidence, 0.01)


def _query(text: str) -> Any:
    from desktop.core.question.query import Query

    return Query(text)


def test_a_follow_up_is_searched_after_the_question_before_it():
    searcher = FakeSearcher([page_found("It sits in holder F2.")])
    agent = agent_of(
        decision_text(SEARCH, query="location"),
        decision_text(RESPONSE),
        "It sits in F2 [1].",
        searcher=searcher,
    )
    history = [{"role": "user", "content": QUESTION}, {"role": "assistant", "content": "5 A. [1]"}]

    async def collect() -> list[Any]:
        return [e async for e in agent.run("And where is it?", conversation_history=history)]

    asyncio.run(collect())
    first, second = searcher.queries[:2]
    assert (first.text, first.before) == ("And where is it?", QUESTION)
    assert (second.text, second.before) == ("location", "")


@pytest.mark.parametrize(
    ("question", "wording"),
    [
        ("Where is the fuse F-12?", "fuse F-12 F12 F 12"),
        ("Was ist die Sicherung?", "Sicherung"),
        ("pump pressure", ""),
        ("???", ""),
    ],
)
def test_other_words_keep_what_the_question_is_about(question, wording):
    assert reworded(question) == wording


def test_the_same_answer_again_says_that_it_lacks_what_is_asked_now():
    agent = make_agent(searcher=FakeSearcher([page_found("The fuse is 5 A.")]))
    history = [
        {"role": "user", "content": "What is the fuse?"},
        {"role": "assistant", "content": "The fuse is 5 A."},
    ]

    async def asked(prompt: str) -> list[Any]:
        return [event async for event in agent.run(prompt, conversation_history=history)]

    (again,) = (e for e in asyncio.run(asked("And of the heater?")) if e.type == "confidence")
    assert "the same as the previous answer; it does not mention heater" in again.reason
    assert again.value < 0.5
    (plain,) = (e for e in asyncio.run(asked("What is the fuse?")) if e.type == "confidence")
    assert "the same" not in plain.reason
