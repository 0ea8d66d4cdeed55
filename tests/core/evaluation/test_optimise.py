"""Compiling what a language model is asked: examples reach its prompts, or nothing changes."""

from __future__ import annotations

import json
import random
from contextlib import closing
from types import SimpleNamespace

import pytest

from desktop.core.agent.compiled_programs import CompiledFile, CompiledPrograms
from desktop.core.agent.model_decider import DSPyAsking, ModelDecider
from desktop.core.agent.rule_decider import RuleDecider
from desktop.core.evaluation.bench import ask_one
from desktop.core.evaluation.examples import DecisionExample, demos_of, in_turns
from desktop.core.evaluation.gold import GoldFile, GoldQuestion
from desktop.core.evaluation.optimise import OptimiseError, Wanted, optimise, score, split
from desktop.core.jobs import Cancelled, CancelToken
from desktop.core.settings.sections import Settings
from desktop.models.generation import GenerationEnd, TextPart, Usage
from tests.fakes.searcher import FakeSearcher, page_found
from tests.fakes.workspace import make_workspace

SEARCH, RESPONSE = "fast_vector_search", "text_response"


class Learner:
    """A model that gives up, unless its prompt shows it examples of what it is asked for.

    stubborn: it gives up in any case.
    """

    context_tokens = 16_384
    speed = None

    def __init__(self, model_id="learner@1", *, stubborn=False):
        self.model_id = model_id
        self.stubborn = stubborn
        self.requests = []

    def count_tokens(self, text):
        return len(text.split())

    def generate(self, request, cancelled=lambda: False):
        self.requests.append(request)
        text = self._decision(request) if request.schema else "The fuse F2 is 5 A [1]."
        yield TextPart(text)
        yield GenerationEnd("stop", Usage())

    def _decision(self, request):
        learned = len(request.messages) > 2 and not self.stubborn
        can_answer = "fuse F2" in request.messages[-1].text
        tool = SEARCH if learned and not can_answer else RESPONSE
        inputs = {"query": "fuse", "limit": None} if tool == SEARCH else {}
        return json.dumps(
            {
                "reasoning": "because",
                "tool_name": tool,
                "tool_inputs": inputs,
                "should_end": tool == RESPONSE,
                "impossible": tool == RESPONSE and not can_answer,
            }
        )


class FindsByQuery(FakeSearcher):
    """Finds the page for the query of a model that has learnt, not for a person's question."""

    def __init__(self):
        super().__init__([page_found("The fuse F2 is 5 A.")])

    def search(self, query):
        found = super().search(query)
        return found if query.text == "fuse" else []


def question(number, **more):
    fields = {
        "id": f"q{number}",
        "kind": "spec",
        "question": f"Which is fuse number {number}?",
        "answer": "5 A",
        "document": "pump.pdf",
        "pages": [4],
    }
    return GoldQuestion.model_validate(fields | more)


GOLD = GoldFile(tuple(question(number) for number in range(8)))


def opener(model, programs):
    """Opens workspaces whose agent asks `model`, unless the settings say rules."""

    def open_library(settings, read_only):
        models = SimpleNamespace(language=lambda: model, vision=lambda: None)
        if settings.agent.decider == "rules":
            workspace = make_workspace(searcher=FakeSearcher([page_found("The fuse F2 is 5 A.")]))
        else:
            decider = ModelDecider(models.language, DSPyAsking([], programs), RuleDecider())
            workspace = make_workspace(
                searcher=FindsByQuery(),
                decider=decider,
                models=models,
                programs=programs,
            )
        workspace.models = models
        workspace.programs = programs
        return closing(workspace)

    return open_library


def ignore(_message):
    pass


def run(model, programs, gold=GOLD, **wanted):
    cancel = CancelToken()
    return optimise(opener(model, programs), Settings(), gold, Wanted(**wanted), ignore, cancel)


def prompt(request):
    return "\n".join(message.text for message in request.messages)


@pytest.fixture
def programs(tmp_path):
    return CompiledPrograms(tmp_path / "programs")


def test_examples_are_found_measured_and_change_the_prompts_of_later_questions(programs):
    model = Learner()
    found = run(model, programs)
    assert found.improved
    assert found.before == 0
    assert found.after == 100
    assert not set(found.train) & set(found.test)
    assert found.examples["decision"] > 0
    programs.save(found.compiled)

    before = model.requests[0]
    model.requests.clear()
    with opener(model, CompiledPrograms(programs.path("x").parent))(Settings(), True) as workspace:
        outcome = ask_one(workspace, question(99))
    assert score(outcome) == 100
    shown = model.requests[0]
    assert len(before.messages) == 2
    assert len(shown.messages) > 2
    assert "Which is fuse number" in prompt(shown)
    learned = {shown.messages[place].text for place in range(1, len(shown.messages) - 1)}
    assert any(SEARCH in text for text in learned)


def test_the_questions_that_measure_are_never_shown_as_examples(programs):
    found = run(Learner(), programs)
    by_id = {each.id: each.question for each in GOLD.questions}
    saved = found.compiled.model_dump_json()
    assert not [each for each in found.test if by_id[each] in saved]


def traced(prompt, tool=SEARCH, done=""):
    return DecisionExample(
        user_prompt=prompt,
        tasks_completed=done,
        reasoning="It went well last week.",
        tool_name=tool,
        tool_inputs={"query": prompt, "limit": None} if tool == SEARCH else {},
        should_end=tool == RESPONSE,
        impossible=False,
    )


class Rememberer(Learner):
    """Searches only if its prompt shows a decision of last week."""

    def _decision(self, request):
        self.stubborn = "last week" not in prompt(request)
        return super()._decision(request)


def optimised(model, programs, *examples):
    cancel = CancelToken()
    opened = opener(model, programs)
    return optimise(opened, Settings(), GOLD, Wanted(), ignore, cancel, examples)


def test_decisions_of_traces_are_learned_from_where_they_help(programs):
    lesson = traced("How is the relay wired?")
    assert not optimised(Rememberer(), programs).improved

    found = optimised(Rememberer(), programs, lesson)
    assert found.improved
    assert (found.before, found.after) == (0, 100)
    assert found.chosen == "decision with traces"
    assert "How is the relay wired?" in found.compiled.model_dump_json()


def test_traces_of_the_questions_that_measure_are_left_out(programs):
    known = [traced(f"which is FUSE number {number}") for number in range(8)]
    assert not optimised(Rememberer(), programs, *known).improved


def test_first_and_later_decisions_of_traces_take_turns():
    first = [traced(f"Question {n}?") for n in range(3)]
    later = [traced("Question 9?", RESPONSE, "Chosen action: fast_vector_search (SUCCESSFUL)")]
    chosen = in_turns(demos_of([*first, *later]), 3)
    assert [each.tool_name for each in chosen] == [SEARCH, RESPONSE, SEARCH]


def test_the_same_seed_gives_the_same_program(programs):
    first, second = run(Learner(), programs), run(Learner(), programs)
    assert (first.train, first.test, first.chosen) == (second.train, second.test, second.chosen)
    assert first.compiled.programs == second.compiled.programs
    assert run(Learner(), programs, seed=2).train != first.train


def test_what_is_no_better_is_not_kept(programs):
    found = run(Learner(stubborn=True), programs)
    assert not found.improved
    assert found.before == found.after == 0


def test_a_program_is_for_its_model_alone(programs):
    programs.save(run(Learner(), programs).compiled)
    other = Learner("other@2")
    with opener(other, programs)(Settings(), True) as workspace:
        ask_one(workspace, question(99))
    assert len(other.requests[0].messages) == 2


def test_a_program_for_another_signature_is_left_alone(programs):
    found = run(Learner(), programs).compiled
    changed = {
        name: each.model_copy(update={"signature_hash": "another"})
        for name, each in found.programs.items()
    }
    programs.save(found.model_copy(update={"programs": changed}))
    model = Learner()
    with opener(model, programs)(Settings(), True) as workspace:
        ask_one(workspace, question(99))
    assert len(model.requests[0].messages) == 2


@pytest.mark.parametrize(
    "damage",
    [
        lambda values: values | {"format": 2},
        lambda values: values | {"pickle": "gASVAA=="},
        lambda values: values | {"model_id": "somebody@else"},
        lambda values: values | {"programs": {"decision": {"signature_hash": "x", "state": {}}}},
        lambda values: "[",
    ],
)
def test_a_damaged_program_is_not_used(programs, damage):
    compiled = run(Learner(), programs).compiled
    programs.save(compiled)
    values = damage(json.loads(compiled.model_dump_json()))
    programs.path("learner@1").write_text(json.dumps(values) if values != "[" else "[")
    assert programs.find("learner@1") is None


def test_a_state_that_names_a_model_of_its_own_is_refused(programs):
    compiled = run(Learner(), programs).compiled
    values = json.loads(compiled.model_dump_json())
    values["programs"]["decision"]["state"]["lm"] = {"model": "openai/x", "api_base": "http://x"}
    with pytest.raises(ValueError, match="lm"):
        CompiledFile.model_validate(values)


def test_cancelling_ends_it_between_two_questions(programs):
    cancel = CancelToken()
    told: list[str] = []

    def progress(message):
        told.append(message)
        if message.startswith("learning"):
            cancel.cancel()

    with pytest.raises(Cancelled):
        optimise(opener(Learner(), programs), Settings(), GOLD, Wanted(), progress, cancel)
    assert sum(message.startswith("learning") for message in told) == 1
    assert programs.find("learner@1") is None


def test_dspy_says_nothing_beside_our_progress(programs, capfd):
    run(Learner(), programs)
    assert capfd.readouterr() == ("", "")


def test_without_a_language_model_there_is_nothing_to_compile(programs):
    with pytest.raises(OptimiseError, match="no language model"):
        run(None, programs)


def test_too_few_questions_are_told():
    with pytest.raises(OptimiseError, match="too few"):
        split([question(1)], 0.5, random.Random(1))


def test_questions_with_and_without_an_answer_are_divided_alike():
    unanswerable = [question(number, document=None, pages=[]) for number in range(10, 15)]
    train, test = split([*GOLD.questions, *unanswerable], 0.6, random.Random(1))
    assert sum(not each.answerable for each in train) == 3
    assert sum(not each.answerable for each in test) == 2
    assert len(train) + len(test) == 13
