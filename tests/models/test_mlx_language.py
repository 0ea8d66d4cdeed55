"""The language adapter on tiny random models: of a kind that keeps every token, one with
sliding windows, one with a recurrent state."""

import itertools
import json
import shutil
from typing import Any

import pytest

from desktop.models.adapters.mlx_language import CHUNK_TOKENS
from desktop.models.errors import (
    ModelDamaged,
    ModelNotSupported,
    ModelOutOfBudget,
    PromptTooLong,
    SchemaNotSupported,
)
from desktop.models.generation import (
    GenerationEnd,
    GenerationRequest,
    Message,
    PromptProgress,
    Sampling,
    TextPart,
)
from desktop.models.inference_thread import InferenceThread, Priority
from tests.fakes.allowance import GenerousAllowance
from tests.models import tiny_language

pytestmark = pytest.mark.models

KINDS = ("qwen3", "gpt_oss", "lfm2")
CHANCE = Sampling(temperature=1.0, seed=5)  # random weights choose one token again and again
SYSTEM = Message("system", "You know every pump by its number, and nothing else. " * 4)
DECISION = {
    "type": "object",
    "properties": {"tool": {"enum": ["search", "answer"]}, "why": {"type": "string"}},
    "required": ["tool", "why"],
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    pytest.importorskip("mlx_lm")
    root = tmp_path_factory.mktemp("models")
    return {kind: tiny_language.write_tiny_model(kind, root / kind) for kind in KINDS}


@pytest.fixture
def allowance():
    return GenerousAllowance()


@pytest.fixture
def load(folders, allowance):
    """Return a function that loads a model of a kind anew; closes them all."""
    models = []

    def _load(kind="qwen3", context=tiny_language.CONTEXT, chunk=64):
        model = tiny_language.loaded(folders[kind], allowance)
        model.context_tokens, model._chunk = context, chunk
        models.append(model)
        return model

    yield _load
    for model in models:
        model.close()


def ask(question, max_tokens=24, **changes):
    settings = {"sampling": CHANCE, **changes}
    return GenerationRequest((SYSTEM, Message("user", question)), max_tokens, **settings)


def text_of(parts):
    return "".join(part.text for part in parts if isinstance(part, TextPart))


def end_of(parts):
    assert isinstance(parts[-1], GenerationEnd)
    assert not any(isinstance(part, GenerationEnd) for part in parts[:-1])
    return parts[-1]


# --- an answer ---


def test_an_answer_says_how_far_the_prompt_was_read_and_what_it_cost(load):
    parts = list(load().generate(ask("Where is the pump?")))
    progress = [part for part in parts if isinstance(part, PromptProgress)]
    total = progress[0].total
    assert progress[0] == PromptProgress(0, total)
    assert progress[-1] == PromptProgress(total, total)
    assert [part.done for part in progress] == sorted(part.done for part in progress)
    assert max(b.done - a.done for a, b in itertools.pairwise(progress)) <= 64
    usage = end_of(parts).usage
    assert (usage.prompt_tokens, usage.reused_tokens) == (total, 0)
    assert 0 < usage.output_tokens <= 24
    assert usage.prompt_seconds > 0
    assert usage.output_seconds > 0


def test_the_answer_is_that_of_mlx_lm(load):
    from mlx_lm import stream_generate

    model = load()
    request = ask("Where is the pump?", sampling=Sampling())
    ours = text_of(model.generate(request))
    prompt = model._template.prompt(request.messages, thinking=False).tokens
    theirs = stream_generate(model._network, model._tokenizer, prompt, max_tokens=24)
    assert ours == "".join(response.text for response in theirs)
    assert ours


def test_a_seed_makes_chance_repeatable_and_none_does_not(load):
    model = load()
    answers = [text_of(model.generate(ask("Which?"))) for _ in range(2)]
    assert answers[0] == answers[1]
    free = {text_of(model.generate(ask("Which?", sampling=Sampling(1.0)))) for _ in range(4)}
    assert len(free) > 1


def test_output_stops_at_max_tokens(load):
    end = end_of(list(load().generate(ask("Which?", max_tokens=5))))
    assert (end.reason, end.usage.output_tokens) == ("length", 5)


def test_a_stop_word_ends_the_answer_and_is_not_shown(load):
    model = load()
    whole = text_of(model.generate(ask("Which?")))
    stop = whole[6:8]
    parts = list(model.generate(ask("Which?", stop=(stop,))))
    assert text_of(parts) == whole[: whole.index(stop)]
    assert end_of(parts).reason == "stop"


def test_text_is_counted_without_special_tokens(load):
    assert load().count_tokens("pump") == 4


# --- what does not fit ---


def test_a_prompt_as_long_as_the_context_is_refused(load):
    with pytest.raises(PromptTooLong) as refused:
        list(load(context=100).generate(ask("Where?")))
    assert refused.value.context_tokens == 100
    assert refused.value.prompt_tokens > 100


def test_output_ends_where_the_context_does(load):
    model = load()
    prompt = end_of(list(model.generate(ask("Where?")))).usage.prompt_tokens
    model.context_tokens = prompt + 3
    end = end_of(list(model.generate(ask("Where?"))))
    assert (end.reason, end.usage.output_tokens) == ("length", 3)


def test_memory_is_asked_for_before_anything_is_read(load, allowance):
    model = load()
    allowance.refuse = True
    with pytest.raises(ModelOutOfBudget, match="key-value cache"):
        list(model.generate(ask("Where?")))
    assert model.cache_bytes() == 0
    allowance.refuse = False
    assert text_of(model.generate(ask("Where?")))


def test_what_is_reused_is_not_asked_for_again(load, allowance):
    list(load().generate(ask("Where?", max_tokens=300)))
    model = load()
    list(model.generate(ask("Where?", max_tokens=2)))
    held = model.cache_bytes()
    list(model.generate(ask("Where?", max_tokens=300)))
    fresh, _, again = (needed for needed, _ in allowance.admits)
    assert again == fresh - held


@pytest.mark.parametrize("kind", KINDS)
def test_the_estimated_memory_is_what_a_prompt_takes(load, allowance, kind):
    model = load(kind)
    list(model.generate(ask("Where? " * 40, max_tokens=4)))
    needed, _ = allowance.admits[0]
    prompt = model._kept._kept[-1]
    held = sum(layer.nbytes for layer in prompt.cache)
    # a sliding window holds a chunk more while the prompt is read
    assert held <= needed <= held + (CHUNK_TOKENS + 64) * 128 * len(prompt.cache)


@pytest.mark.parametrize("calls", [1, 4])
def test_a_machine_out_of_memory_is_said_and_leaves_nothing_wrong_behind(load, calls):
    model = load()
    network, count = model._network, itertools.count(1)

    class Failing:
        layers = network.layers

        def __call__(self, *arguments, **settings):
            logits = network(*arguments, **settings)
            if next(count) == calls:
                raise RuntimeError("[metal::malloc] Unable to allocate 9 bytes.")
            return logits

    model._network = Failing()
    with pytest.raises(ModelOutOfBudget, match="out of memory"):
        list(model.generate(ask("Where?")))
    model._network = network
    assert model.cache_bytes() == 0
    assert text_of(model.generate(ask("Where?"))) == text_of(load().generate(ask("Where?")))


# --- the kept beginning of a prompt ---


@pytest.mark.parametrize("kind", KINDS)
def test_a_second_question_reads_only_what_differs_and_answers_the_same(load, kind):
    fresh = [text_of(load(kind).generate(ask(question))) for question in ("Where?", "When is it?")]
    model = load(kind)
    first = list(model.generate(ask("Where?")))
    second = list(model.generate(ask("When is it?")))
    assert [text_of(first), text_of(second)] == fresh
    assert end_of(second).usage.reused_tokens >= len(SYSTEM.text)
    assert second[0] == PromptProgress(
        end_of(second).usage.reused_tokens, end_of(second).usage.prompt_tokens
    )


@pytest.mark.parametrize("kind", KINDS)
def test_steps_that_differ_inside_a_message_reuse_what_they_share(load, kind):
    tools = "search, answer, look, " * 12

    def step(number):
        return ask(f"Tools: {tools}. Step {number}: {'found ' * number}. Next?")

    fresh = [text_of(load(kind).generate(step(number))) for number in range(4)]
    model = load(kind)
    steps = [list(model.generate(step(number))) for number in range(4)]
    assert [text_of(parts) for parts in steps] == fresh
    for parts in steps[2:]:
        assert end_of(parts).usage.reused_tokens > len(SYSTEM.text) + len(tools)


@pytest.mark.parametrize("kind", KINDS)
def test_a_conversation_goes_on_where_it_was(load, kind):
    model = load(kind)
    opening = ask("Where?").messages
    list(model.generate(GenerationRequest(opening, 24, CHANCE)))
    messages = (*opening, Message("assistant", "There."), Message("user", "And when?"))
    longer = GenerationRequest(messages, 24, CHANCE)
    parts = list(model.generate(longer))
    assert end_of(parts).usage.reused_tokens > len(SYSTEM.text) + len("Where?")
    assert text_of(parts) == text_of(load(kind).generate(longer))


@pytest.mark.parametrize("kind", KINDS)
def test_a_short_question_leaves_the_longer_kept_prompt_in_place(load, kind):
    model = load(kind)
    long = ask("Where? " * 60)
    list(model.generate(long))
    expected = text_of(load(kind).generate(ask("Who?")))
    assert text_of(model.generate(ask("Who?"))) == expected
    again = end_of(list(model.generate(long))).usage
    assert again.reused_tokens == again.prompt_tokens - 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("steps", [1, 2, 3, 5, 8])
def test_a_generation_closed_at_any_step_leaves_nothing_wrong_behind(load, kind, steps):
    model = load(kind)
    for question in ("Where is it?", "Where was it?"):
        generation = model.generate(ask(question))
        for _ in range(steps):
            next(generation)
        generation.close()
    expected = text_of(load(kind).generate(ask("Where is it?")))
    assert text_of(model.generate(ask("Where is it?"))) == expected


@pytest.mark.parametrize("kind", KINDS)
def test_two_answers_written_by_turns_are_those_written_alone(load, kind):
    expected = [text_of(load(kind).generate(ask(question))) for question in ("Where?", "Who is?")]
    model = load(kind)
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


def test_caches_are_counted_and_dropped(load):
    model = load("gpt_oss")
    assert model.cache_bytes() == 0
    list(model.generate(ask("Where?")))
    assert model.cache_bytes() > 0
    model.drop_caches()
    assert model.cache_bytes() == 0
    assert end_of(list(model.generate(ask("Where?")))).usage.reused_tokens == 0


def test_dropping_caches_does_not_disturb_a_running_answer(load):
    expected = text_of(load().generate(ask("Where?")))
    model = load()
    generation = model.generate(ask("Where?"))
    parts = [next(generation) for _ in range(5)]
    assert model.cache_bytes() > 0
    model.drop_caches()
    assert text_of([*parts, *generation]) == expected


def test_only_the_last_few_prompts_are_kept(load):
    model = load()
    sizes = []
    for letter in "abcdefgh":
        message = Message("user", letter * 200)
        list(model.generate(GenerationRequest((message,), 4, CHANCE)))
        sizes.append(model.cache_bytes())
    assert sizes[-1] == sizes[-4]


# --- cancelling ---


def test_a_cancel_between_prompt_chunks_ends_the_generation(load):
    model = load(chunk=16)
    asked = itertools.count(1)
    parts = list(model.generate(ask("Where?"), lambda: next(asked) > 3))
    assert end_of(parts).reason == "cancelled"
    assert parts[-2].done == 48
    assert end_of(parts).usage.output_tokens == 0


def test_a_cancel_ends_the_answer_within_two_tokens(load):
    model = load()
    seen: list = []
    for part in model.generate(ask("Where?"), lambda: len(seen) > 0):
        if isinstance(part, TextPart):
            seen.append(part)
    assert isinstance(part, GenerationEnd)
    assert part.reason == "cancelled"
    assert len(seen) <= 2


# --- JSON ---


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_an_answer_with_a_schema_is_json_that_satisfies_it(load, kind, seed):
    schema = json.loads(json.dumps(DECISION))
    schema["properties"]["why"]["maxLength"] = 20
    request = ask("Which tool?", 200, schema=schema, sampling=Sampling(1.0, seed=seed))
    parts = list(load(kind).generate(request))
    decision = json.loads(text_of(parts))
    assert decision["tool"] in ("search", "answer")
    assert len(decision["why"]) <= 20
    assert end_of(parts).reason == "stop"


def test_json_that_does_not_fit_max_tokens_ends_as_length(load):
    parts = list(load().generate(ask("Which tool?", 12, schema=DECISION)))
    assert end_of(parts).reason == "length"
    assert text_of(parts).startswith('{"tool":"')


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("most", [1, 3, 9, 10, 11, 16, 17, 40])
def test_json_cut_anywhere_leaves_nothing_wrong_behind(load, kind, most):
    model = load(kind)
    whole = text_of(model.generate(ask("Which tool?", 60, schema=DECISION)))
    model.drop_caches()
    cut = text_of(model.generate(ask("Which tool?", most, schema=DECISION)))
    assert whole.startswith(cut.rstrip("\ufffd"))
    live = model._kept._kept[-1]
    (length,) = {layer.offset for layer in live.cache if hasattr(layer, "offset")}
    assert length == len(live.tokens)


def test_forced_keys_do_not_change_what_is_chosen(load, monkeypatch):
    from desktop.models.structured import JsonConstraint

    whole = text_of(load().generate(ask("Which tool?", 60, schema=DECISION)))
    monkeypatch.setattr(JsonConstraint, "forced", lambda self: [])
    assert text_of(load().generate(ask("Which tool?", 60, schema=DECISION))) == whole


def test_a_schema_that_cannot_be_followed_is_refused_before_anything_is_read(load, allowance):
    with pytest.raises(SchemaNotSupported, match="uniqueItems"):
        list(load().generate(ask("?", schema={"type": "array", "uniqueItems": True})))
    assert allowance.admits == []


def test_stop_words_do_not_cut_json(load):
    schema = {"type": "object", "properties": {"a": {"enum": ["b.c"]}}, "required": ["a"]}
    assert text_of(load().generate(ask("?", schema=schema, stop=(".", "}")))) == '{"a":"b.c"}'


# --- loading ---


def test_loading_tells_how_far_it_is(folders, allowance):
    from desktop.models.adapters.mlx_language import load

    fractions = list(load(folders["qwen3"], allowance))
    assert fractions == sorted(fractions)
    assert fractions[0] == 0.0
    assert fractions[-1] <= 1.0


def test_a_loading_that_is_given_up_frees_its_memory(folders, allowance):
    import gc

    import mlx.core as mx

    from desktop.models.adapters.mlx_language import load

    gc.collect()
    before = mx.get_active_memory()
    loading = load(folders["gpt_oss"], allowance)
    for fraction in loading:
        if fraction > 0.5:
            break
    assert mx.get_active_memory() > before
    loading.close()
    assert mx.get_active_memory() == before


def test_a_closed_model_frees_its_memory(folders, allowance):
    import gc

    import mlx.core as mx

    gc.collect()
    before = mx.get_active_memory()
    model = tiny_language.loaded(folders["gpt_oss"], allowance)
    list(model.generate(ask("Where?", schema=DECISION, max_tokens=20)))
    assert model.weight_bytes() > 0
    model.close()
    del model
    gc.collect()
    # what chance is made of stays
    assert mx.get_active_memory() <= before + 64


@pytest.fixture
def broken(folders, tmp_path):
    """A copy of a model that a test may break."""
    folder = tmp_path / "broken"
    shutil.copytree(folders["qwen3"].folder, folder)
    return folder


def test_a_weight_file_that_was_cut_off_is_named(broken, allowance):
    path = broken / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-1000])
    with pytest.raises(ModelDamaged, match=r"model\.safetensors"):
        tiny_language.loaded(tiny_language.installed(broken), allowance)


def test_missing_weights_are_damage(broken, allowance):
    import mlx.core as mx

    path = broken / "model.safetensors"
    weights: Any = mx.load(str(path))
    weights.pop("model.layers.1.mlp.up_proj.weight")
    mx.eval(weights)
    mx.save_safetensors(str(path), weights)
    with pytest.raises(ModelDamaged, match="up_proj"):
        tiny_language.loaded(tiny_language.installed(broken), allowance)


def test_no_weights_are_damage(broken, allowance):
    (broken / "model.safetensors").unlink()
    with pytest.raises(ModelDamaged, match="no weights"):
        tiny_language.loaded(tiny_language.installed(broken), allowance)


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json"])
@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}"])
def test_a_broken_description_is_damage(broken, allowance, name, content):
    (broken / name).write_bytes(content)
    with pytest.raises(ModelDamaged):
        tiny_language.loaded(tiny_language.installed(broken), allowance)


def test_a_config_that_lacks_a_size_is_damage(broken, allowance):
    config = json.loads((broken / "config.json").read_text())
    del config["hidden_size"]
    (broken / "config.json").write_text(json.dumps(config))
    with pytest.raises(ModelDamaged, match="hidden_size"):
        tiny_language.loaded(tiny_language.installed(broken), allowance)


@pytest.mark.parametrize("change", [{"model_type": "eliza"}, {"model_file": "model.py"}])
def test_an_unknown_kind_or_one_with_program_code_is_not_supported(broken, allowance, change):
    config = json.loads((broken / "config.json").read_text())
    (broken / "config.json").write_text(json.dumps({**config, **change}))
    with pytest.raises(ModelNotSupported):
        tiny_language.loaded(tiny_language.installed(broken), allowance)


def test_a_quantised_model_loads_and_answers(folders, tmp_path, allowance):
    import mlx.core as mx
    import mlx.nn as nn
    from mlx.utils import tree_flatten
    from mlx_lm.utils import load_model

    folder = tmp_path / "quantised"
    tiny_language.write_tiny_model("qwen3", folder, hidden_size=64, intermediate_size=64)
    network, config = load_model(folder)
    nn.quantize(network, group_size=32, bits=4)  # type: ignore[attr-defined] # a star import
    mx.eval(network.parameters())
    mx.save_safetensors(str(folder / "model.safetensors"), dict(tree_flatten(network.parameters())))
    config["quantization"] = {"group_size": 32, "bits": 4}
    (folder / "config.json").write_text(json.dumps(config))
    model = tiny_language.loaded(tiny_language.installed(folder), allowance)
    assert text_of(model.generate(ask("Where?")))
    model.close()


def test_end_tokens_of_the_generation_config_end_the_answer(broken, allowance):
    model = tiny_language.loaded(tiny_language.installed(broken), allowance)
    parts = list(model.generate(ask("Where?", sampling=Sampling())))
    tokens = model._kept._kept[-1].tokens[end_of(parts).usage.prompt_tokens :]
    model.close()
    (broken / "generation_config.json").write_text(json.dumps({"eos_token_id": [tokens[0], 3]}))
    model = tiny_language.loaded(tiny_language.installed(broken), allowance)
    parts = list(model.generate(ask("Where?", sampling=Sampling())))
    assert end_of(parts).reason == "stop"
    assert text_of(parts) == ""
    model.close()


# --- on the inference thread ---


def test_a_question_overtakes_a_background_answer_and_both_are_right(folders, allowance):
    from desktop.models.adapters import mlx_runtime

    thread = InferenceThread("language-test")
    thread.on_close(mlx_runtime.finish)
    try:
        model = thread.run(
            lambda: tiny_language.loaded(folders["qwen3"], allowance), Priority.QUESTION
        )

        def stream(question, priority):
            return thread.stream(lambda: model.generate(ask(question)), priority)

        alone = [text_of(stream(question, Priority.QUESTION)) for question in ("Where?", "Who?")]
        slow = stream("Where?", Priority.INGESTION)
        begun = [next(slow), next(slow)]
        quick = text_of(stream("Who?", Priority.QUESTION))
        assert [text_of([*begun, *slow]), quick] == alone
        thread.run(model.close, Priority.QUESTION)
    finally:
        thread.close()
