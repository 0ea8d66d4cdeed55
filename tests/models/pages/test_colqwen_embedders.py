"""The two ColQwen adapters against colpali-engine itself, and so against one another."""

import numpy as np
import pytest

from desktop.models.adapters import colqwen_mlx, colqwen_torch
from desktop.models.errors import ModelDamaged, ModelNotSupported, ModelOutOfBudget
from tests.fakes.allowance import GenerousAllowance
from tests.models import tiny_colqwen
from tests.models.tiny_colqwen import FAMILIES, assert_same, copied, loaded, picture, with_weights

pytestmark = pytest.mark.models

LARGE, SMALL, WIDE = picture(420, 300), picture(110, 80, 1), picture(100, 330, 2)
QUESTIONS = ["How do I wire the backup battery?", "short"]
LOADERS = {"torch": colqwen_torch.load, "mlx": colqwen_mlx.load}


@pytest.fixture(scope="session", params=FAMILIES)
def tiny(request, tmp_path_factory):
    tiny_colqwen.need_engine()
    return tiny_colqwen.build(request.param, tmp_path_factory.mktemp(request.param))


@pytest.fixture(scope="session")
def tiny25(tmp_path_factory):
    tiny_colqwen.need_engine()
    return tiny_colqwen.build("colqwen2_5", tmp_path_factory.mktemp("colqwen25"))


@pytest.fixture(scope="session", params=LOADERS)
def loader(request):
    pytest.importorskip({"torch": "torch", "mlx": "mlx.core"}[request.param])
    return LOADERS[request.param]


@pytest.fixture(scope="session")
def embedder(tiny, loader):
    embedder, _ = loaded(loader, tiny.installed, GenerousAllowance())
    yield embedder
    embedder.close()


def test_a_page_has_the_vectors_of_the_engine(tiny, embedder):
    assert_same([p.vectors for p in embedder.embed_pages([LARGE])], tiny.pages([LARGE]))


def test_pages_of_different_size_in_one_batch_have_them_too(tiny, embedder):
    pages = [LARGE, SMALL, WIDE]
    found = [page.vectors for page in embedder.embed_pages(pages)]
    assert len({vectors.shape for vectors in found}) == 3
    assert_same(found, tiny.pages(pages))


def test_padded_questions_have_the_vectors_of_the_engine(tiny, embedder):
    found = embedder.embed_queries(QUESTIONS)
    assert found[0].shape[0] > found[1].shape[0] > 10  # the ten tokens after it are kept
    assert_same(found, tiny.queries(QUESTIONS))


def test_a_batch_gives_what_one_by_one_gives(embedder):
    pages = [SMALL, LARGE, WIDE, SMALL]
    together = [page.vectors for page in embedder.embed_pages(pages)]
    alone = [embedder.embed_pages([page])[0].vectors for page in pages]
    for a, b in zip(together, alone, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-5)
    questions = [*QUESTIONS, ""]
    for a, b in zip(embedder.embed_queries(questions), questions, strict=True):
        np.testing.assert_allclose(a, embedder.embed_queries([b])[0], atol=1e-5)


def test_nothing_in_gives_nothing_out(embedder):
    assert embedder.embed_pages([]) == []
    assert embedder.embed_queries([]) == []


@pytest.mark.parametrize("corner", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_the_patch_that_sees_a_changed_corner_changes_most(embedder, corner):
    bottom, right = corner
    plain = np.full((420, 300, 3), 200, np.uint8)
    marked = plain.copy()
    marked[slice(-40, None) if bottom else slice(40), slice(-40, None) if right else slice(40)] = 10
    before, after = embedder.embed_pages([plain, marked])
    assert (before.rows, before.columns) == (after.rows, after.columns)
    assert before.rows > before.columns > 1  # a page is upright
    change = np.linalg.norm(after.patches - before.patches, axis=1)
    row, column = divmod(int(change.argmax()), before.columns)
    assert (row, column) == (bottom * (before.rows - 1), right * (before.columns - 1))


def test_the_instruction_stands_around_the_patches(embedder):
    (page,) = embedder.embed_pages([LARGE])
    assert page.first_patch > 0
    assert page.first_patch + page.rows * page.columns < len(page.vectors)
    assert page.patches.shape == (page.rows * page.columns, embedder.dimension)


class TestMemory:
    def test_batches_are_as_large_as_the_allowance_allows(self, tiny25, loader):
        allowance = GenerousAllowance()
        embedder, _ = loaded(loader, tiny25.installed, allowance)
        expected = [page.vectors for page in embedder.embed_pages([LARGE] * 4)]
        ((whole, purpose),) = allowance.admits
        assert "4 pages" in purpose
        allowance.admits.clear()
        allowance.free = whole // 4 + 1  # room for one
        found = [page.vectors for page in embedder.embed_pages([LARGE] * 4)]
        assert [purpose for _, purpose in allowance.admits] == ["one page"] * 4
        for a, b in zip(found, expected, strict=True):
            np.testing.assert_allclose(a, b, atol=1e-5)

    def test_a_page_that_does_not_fit_alone_is_refused(self, tiny25, loader):
        allowance = GenerousAllowance()
        embedder, _ = loaded(loader, tiny25.installed, allowance)
        allowance.free = 1000
        with pytest.raises(ModelOutOfBudget, match="one page"):
            embedder.embed_pages([LARGE, SMALL])

    def test_a_batch_for_which_the_runtime_finds_no_room_is_done_page_by_page(
        self, tiny25, loader, monkeypatch
    ):
        embedder, _ = loaded(loader, tiny25.installed, GenerousAllowance())
        run = embedder._runtime.run

        def small_machine(batch):
            if len(batch.lengths) > 1:
                raise MemoryError
            return run(batch)

        monkeypatch.setattr(embedder._runtime, "run", small_machine)
        found = [page.vectors for page in embedder.embed_pages([LARGE, SMALL])]
        assert_same(found, tiny25.pages([LARGE, SMALL]))

    def test_a_larger_picture_is_said_to_need_more(self, tiny25, loader):
        embedder, _ = loaded(loader, tiny25.installed, GenerousAllowance())
        runtime = embedder._runtime
        assert runtime.page_bytes(4000, 1020) > 2 * runtime.page_bytes(1000, 270) > 0


class TestLoading:
    def test_progress_rises_to_one(self, tiny25, loader):
        _, fractions = loaded(loader, tiny25.installed, GenerousAllowance())
        assert fractions == sorted(fractions)
        assert fractions[0] == 0
        assert fractions[-1] == 1

    def test_it_can_be_given_up_half_way_and_done_again(self, tiny25, loader):
        steps = loader(tiny25.installed, GenerousAllowance())
        next(steps)
        next(steps)
        steps.close()
        embedder, _ = loaded(loader, tiny25.installed, GenerousAllowance())
        assert_same(embedder.embed_queries(QUESTIONS), tiny25.queries(QUESTIONS))

    def test_closing_gives_the_memory_back(self, tiny25):
        mx = pytest.importorskip("mlx.core")
        before = mx.get_active_memory()
        embedder, _ = loaded(colqwen_mlx.load, tiny25.installed, GenerousAllowance())
        embedder.embed_pages([SMALL])
        assert mx.get_active_memory() > before
        assert embedder.cache_bytes() == 0
        embedder.close()
        assert mx.get_active_memory() <= before

    def test_a_truncated_weight_file_is_named(self, tiny25, loader, tmp_path):
        folder = copied(tiny25.folder, tmp_path / "model")
        weights = folder / "model.safetensors"
        weights.write_bytes(weights.read_bytes()[:-100])
        with pytest.raises(ModelDamaged, match=r"model\.safetensors"):
            loaded(loader, tiny_colqwen.installed(folder), GenerousAllowance())

    @pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "processor_config.json"])
    def test_a_missing_or_garbled_file_is_named(self, tiny25, loader, tmp_path, name):
        folder = copied(tiny25.folder, tmp_path / "model")
        (folder / name).write_bytes(b"{]")
        with pytest.raises(ModelDamaged, match=name.split(".")[0]):
            loaded(loader, tiny_colqwen.installed(folder), GenerousAllowance())
        (folder / name).unlink()
        with pytest.raises(ModelDamaged):
            loaded(loader, tiny_colqwen.installed(folder), GenerousAllowance())

    def test_a_missing_tensor_is_not_replaced_by_random_numbers(self, tiny25, loader, tmp_path):
        def drop(tensors):
            del tensors["language_model.layers.1.mlp.up_proj.weight"]

        folder = with_weights(tiny25.folder, tmp_path / "model", drop)
        with pytest.raises(ModelDamaged, match="up_proj"):
            loaded(loader, tiny_colqwen.installed(folder), GenerousAllowance())

    def test_sizes_that_do_not_match_the_weights_are_found(self, tiny25, loader, tmp_path):
        def wider(config):
            config["text_config"]["intermediate_size"] = 96

        tiny_colqwen.rewrite_config(tiny25.folder, tmp_path / "model", wider)
        with pytest.raises(ModelDamaged):
            loaded(loader, tiny_colqwen.installed(tmp_path / "model"), GenerousAllowance())

    def test_a_vision_model_without_projection_is_refused(self, tiny25, loader, tmp_path):
        def drop(tensors):
            del tensors["custom_text_proj.weight"], tensors["custom_text_proj.bias"]

        folder = with_weights(tiny25.folder, tmp_path / "model", drop)
        with pytest.raises(ModelNotSupported, match="projection"):
            loaded(loader, tiny_colqwen.installed(folder), GenerousAllowance())
