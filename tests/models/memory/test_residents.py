import pytest

from desktop.models.errors import ModelDamaged, ModelOutOfBudget, ModelRevoked
from desktop.models.generation import ModelLoading
from desktop.models.inference_thread import Priority
from desktop.models.memory import GIB, MemoryPool, Residents
from tests.fakes.resident_models import MB, FakeLoaders, installed, machine

QUESTION, INGESTION = Priority.QUESTION, Priority.INGESTION


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        self.now += 1
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def loaders():
    return FakeLoaders()


@pytest.fixture
def residents(loaders, clock):
    """Models may use 1,000 MB."""
    pool = MemoryPool(machine(1_000), wanted_gib=1_000 * MB / GIB)
    return Residents(
        pool,
        loaders,
        expected_bytes=lambda model: model.weight_bytes,
        advise=lambda _model, _free: "Use a smaller model.",
        changed=lambda: None,
        clock=clock,
    )


def finish(stream):
    return [item for item in stream if not isinstance(item, ModelLoading)]


def use(residents, model, priority=QUESTION, **needs):
    return residents.use(model, lambda loaded: loaded.work(**needs), priority)


def loaded(residents):
    return [each.id for each in residents.snapshot]


def test_a_model_is_loaded_when_it_is_first_used_and_stays(residents, loaders):
    first = list(use(residents, installed("a")))
    assert [i.fraction for i in first if isinstance(i, ModelLoading)] == [0, 1 / 3, 2 / 3, 1]
    assert finish(iter(first)) == [0, 1, 2]
    assert list(use(residents, installed("a"))) == [0, 1, 2]
    assert loaders.loads == ["a"]


def test_the_model_used_longest_ago_leaves_first(residents, loaders):
    for model_id in ("a", "b", "a"):
        finish(use(residents, installed(model_id, megabytes=400)))
    finish(use(residents, installed("c", megabytes=400)))
    assert loaded(residents) == ["a", "c"]
    assert loaders.models["b"].closed


def test_page_embedders_leave_last(residents):
    finish(use(residents, installed("colqwen", "pages", 400)))
    finish(use(residents, installed("a", megabytes=400)))
    finish(use(residents, installed("b", megabytes=400)))
    assert loaded(residents) == ["colqwen", "b"]


def test_caches_of_idle_models_are_dropped_before_models(residents, loaders):
    finish(use(residents, installed("a", megabytes=400)))
    loaders.models["a"].caches = 300 * MB
    finish(use(residents, installed("b", megabytes=500)))
    assert loaded(residents) == ["a", "b"]
    assert loaders.models["a"].caches == 0


def test_a_model_that_a_question_uses_never_leaves(residents):
    question = use(residents, installed("a", megabytes=700))
    while isinstance(next(question), ModelLoading):
        pass
    with pytest.raises(ModelOutOfBudget) as refusal:
        finish(use(residents, installed("b", megabytes=400)))
    assert "a is at work" in refusal.value.advice
    assert finish(question) == [1, 2]


def test_a_model_larger_than_the_budget_is_refused_with_what_to_do(residents):
    with pytest.raises(ModelOutOfBudget, match=r"needs 1\.2 GB.*1\.0 GB") as refusal:
        finish(use(residents, installed("huge", megabytes=1_200)))
    assert refusal.value.advice == "Use a smaller model."
    assert loaded(residents) == []


def test_a_cache_that_does_not_fit_beside_the_model_is_refused_and_given_back(residents):
    with pytest.raises(ModelOutOfBudget, match=r"its cache needs 0\.5 GB"):
        finish(use(residents, installed("a", megabytes=700), needs=500 * MB))
    assert finish(use(residents, installed("a", megabytes=700), needs=300 * MB)) == [0, 1, 2]
    (status,) = residents.snapshot
    assert (status.cache_bytes, status.in_use) == (0, False)


def test_the_cache_of_a_question_pushes_out_an_idle_model(residents):
    finish(use(residents, installed("b", megabytes=400)))
    finish(use(residents, installed("a", megabytes=400), needs=300 * MB))
    assert loaded(residents) == ["a"]


def test_a_question_takes_the_model_of_ingestion_between_two_pages(residents, loaders):
    ingestion = use(residents, installed("colqwen", "pages", 700), INGESTION)
    while isinstance(next(ingestion), ModelLoading):
        pass
    assert finish(use(residents, installed("a", megabytes=700))) == [0, 1, 2]
    with pytest.raises(ModelRevoked):
        next(ingestion)
    assert loaders.models["colqwen"].closed
    assert loaded(residents) == ["a"]


def test_ingestion_waits_while_a_question_was_asked_a_moment_ago(residents, clock):
    finish(use(residents, installed("a", megabytes=700)))
    with pytest.raises(ModelOutOfBudget):
        finish(use(residents, installed("colqwen", "pages", 700), INGESTION))
    clock.now += 500
    finish(use(residents, installed("colqwen", "pages", 700), INGESTION))
    assert loaded(residents) == ["colqwen"]


def test_two_uses_share_one_loading(residents, loaders):
    ingestion = use(residents, installed("a"), INGESTION)
    next(ingestion)
    assert finish(use(residents, installed("a"))) == [0, 1, 2]
    assert finish(ingestion) == [0, 1, 2]
    assert loaders.loads == ["a"]


def test_a_loading_that_nobody_waits_for_any_more_is_given_up(residents, loaders):
    question = use(residents, installed("a"))
    next(question)
    question.close()
    assert loaders.abandoned == ["a"]
    assert loaded(residents) == []


def test_a_damaged_model_says_so_to_all_who_wait_and_takes_no_memory(residents, loaders):
    loaders.failures["a"] = ModelDamaged("model.safetensors is cut off")
    ingestion = use(residents, installed("a"), INGESTION)
    next(ingestion)
    with pytest.raises(ModelDamaged):
        finish(use(residents, installed("a")))
    with pytest.raises(ModelDamaged):
        finish(ingestion)
    assert loaded(residents) == []


def test_unloading_a_model_in_use_waits_for_its_user(residents, loaders):
    question = use(residents, installed("a"))
    while isinstance(next(question), ModelLoading):
        pass
    residents.unload("a")
    assert not loaders.models["a"].closed
    assert finish(question) == [1, 2]
    assert loaders.models["a"].closed


def test_unloading_an_idle_model_gives_its_memory_back_at_once(residents, loaders):
    finish(use(residents, installed("a")))
    residents.unload("a")
    assert loaders.models["a"].closed
    assert loaded(residents) == []


def test_the_own_kept_cache_makes_room_for_the_next_prompt(residents, loaders):
    finish(use(residents, installed("a", megabytes=500)))
    loaders.models["a"].caches = 400 * MB
    assert finish(use(residents, installed("a", megabytes=500), needs=300 * MB)) == [0, 1, 2]
    assert loaders.models["a"].caches == 0


def test_what_a_use_was_admitted_for_is_not_counted_again_when_it_is_in_the_cache(
    residents, loaders
):
    finish(use(residents, installed("a", megabytes=500)))
    question = use(residents, installed("a", megabytes=500), needs=300 * MB)
    next(question)
    loaders.models["a"].caches = 300 * MB
    other = use(residents, installed("b", megabytes=200))
    assert finish(other) == [0, 1, 2]
    assert finish(question) == [1, 2]
