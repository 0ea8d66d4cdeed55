"""The beginning of a prompt is read once, and nobody can tell from the answer."""

import pytest

from desktop.models.generation import GenerationRequest, Message, PromptProgress
from tests.models.tiny_language import CHANCE, DECISION, KINDS, SYSTEM, ask, end_of, text_of

pytestmark = pytest.mark.models


@pytest.mark.parametrize("kind", KINDS)
def test_a_second_question_reads_only_what_differs_and_answers_the_same(load_language, kind):
    fresh = [
        text_of(load_language(kind).generate(ask(question)))
        for question in ("Where?", "When is it?")
    ]
    model = load_language(kind)
    first = list(model.generate(ask("Where?")))
    second = list(model.generate(ask("When is it?")))
    assert [text_of(first), text_of(second)] == fresh
    assert end_of(second).usage.reused_tokens >= len(SYSTEM.text)
    assert second[0] == PromptProgress(
        end_of(second).usage.reused_tokens, end_of(second).usage.prompt_tokens
    )


@pytest.mark.parametrize("kind", KINDS)
def test_steps_that_differ_inside_a_message_reuse_what_they_share(load_language, kind):
    tools = "search, answer, look, " * 12

    def step(number):
        return ask(f"Tools: {tools}. Step {number}: {'found ' * number}. Next?")

    fresh = [text_of(load_language(kind).generate(step(number))) for number in range(4)]
    model = load_language(kind)
    steps = [list(model.generate(step(number))) for number in range(4)]
    assert [text_of(parts) for parts in steps] == fresh
    for parts in steps[2:]:
        assert end_of(parts).usage.reused_tokens > len(SYSTEM.text) + len(tools)


@pytest.mark.parametrize("kind", KINDS)
def test_a_conversation_goes_on_where_it_was(load_language, kind):
    model = load_language(kind)
    opening = ask("Where?").messages
    list(model.generate(GenerationRequest(opening, 24, CHANCE)))
    messages = (*opening, Message("assistant", "There."), Message("user", "And when?"))
    longer = GenerationRequest(messages, 24, CHANCE)
    parts = list(model.generate(longer))
    assert end_of(parts).usage.reused_tokens > len(SYSTEM.text) + len("Where?")
    assert text_of(parts) == text_of(load_language(kind).generate(longer))


@pytest.mark.parametrize("kind", KINDS)
def test_a_short_question_leaves_the_longer_kept_prompt_in_place(load_language, kind):
    model = load_language(kind)
    long = ask("Where? " * 60)
    list(model.generate(long))
    expected = text_of(load_language(kind).generate(ask("Who?")))
    assert text_of(model.generate(ask("Who?"))) == expected
    again = end_of(list(model.generate(long))).usage
    assert again.reused_tokens == again.prompt_tokens - 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("steps", [1, 8])
def test_a_generation_closed_at_any_step_leaves_nothing_wrong_behind(load_language, kind, steps):
    model = load_language(kind)
    for question in ("Where is it?", "Where was it?"):
        generation = model.generate(ask(question))
        for _ in range(steps):
            next(generation)
        generation.close()
    expected = text_of(load_language(kind).generate(ask("Where is it?")))
    assert text_of(model.generate(ask("Where is it?"))) == expected


@pytest.mark.parametrize("kind", KINDS)
def test_two_answers_written_by_turns_are_those_written_alone(load_language, kind):
    expected = [
        text_of(load_language(kind).generate(ask(question))) for question in ("Where?", "Who is?")
    ]
    model = load_language(kind)
    list(model.generate(ask("What?")))  # both could go on from this one
    both = [model.generate(ask("Where?")), model.generate(ask("Who is?"))]
    parts: list = [[], []]
    running = [0, 1]
    while running:
        for number in tuple(running):
            part = next(both[number], None)
            if part is None:
                running.remove(number)
            else:
                parts[number].append(part)
    assert [text_of(one) for one in parts] == expected


def test_caches_are_counted_and_dropped(load_language):
    model = load_language("gpt_oss")
    assert model.cache_bytes() == 0
    list(model.generate(ask("Where?")))
    assert model.cache_bytes() > 0
    model.drop_caches()
    assert model.cache_bytes() == 0
    assert end_of(list(model.generate(ask("Where?")))).usage.reused_tokens == 0


def test_dropping_caches_does_not_disturb_a_running_answer(load_language):
    expected = text_of(load_language().generate(ask("Where?")))
    model = load_language()
    generation = model.generate(ask("Where?"))
    parts = [next(generation) for _ in range(5)]
    assert model.cache_bytes() > 0
    model.drop_caches()
    assert text_of([*parts, *generation]) == expected


def test_only_the_last_few_prompts_are_kept(load_language):
    model = load_language()
    sizes = []
    for letter in "abcdefgh":
        message = Message("user", letter * 200)
        list(model.generate(GenerationRequest((message,), 4, CHANCE)))
        sizes.append(model.cache_bytes())
    assert sizes[-1] == sizes[-4]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("most", [1, 10, 17, 40])
def test_json_cut_anywhere_leaves_nothing_wrong_behind(load_language, kind, most):
    model = load_language(kind)
    whole = text_of(model.generate(ask("Which tool?", 60, schema=DECISION)))
    model.drop_caches()
    cut = text_of(model.generate(ask("Which tool?", most, schema=DECISION)))
    assert whole.startswith(cut.rstrip("\ufffd"))
    live = model._kept._kept[-1]
    (length,) = {layer.offset for layer in live.cache if hasattr(layer, "offset")}
    assert length == len(live.tokens)
