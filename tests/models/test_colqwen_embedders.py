"""The two ColQwen adapters against colpali-engine itself, and so against one another."""

import json

import numpy as np
import pytest

from desktop.models.adapters import colqwen_mlx, colqwen_torch
from desktop.models.errors import ModelDamaged, ModelNotSupported, ModelOutOfBudget
from tests.fakes.allowance import GenerousAllowance
from tests.models import tiny_colqwen
from tests.models.tiny_colqwen import FAMILIES, loaded, picture

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


def assert_same(found, expected):
    assert len(found) == len(expected)
    for ours, theirs in zip(found, expected, strict=True):
        assert ours.shape == theirs.shape
        assert ours.dtype == np.float32
        cosines = (ours * theirs).sum(axis=1)
        assert cosines.min() > 0.9999  # so the two are above 0.999 of one another
        np.testing.assert_allclose(np.linalg.norm(ours, axis=1), 1, atol=1e-5)


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

    def test_a_truncated_weight_file_is_named(self, tiny25, loader, tmp_path):
        folder = _copy(tiny25.folder, tmp_path / "model")
        weights = folder / "model.safetensors"
        weights.write_bytes(weights.read_bytes()[:-100])
        with pytest.raises(ModelDamaged, match=r"model\.safetensors"):
            loaded(loader, tiny_colqwen.installed(folder), GenerousAllowance())

    @pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "processor_config.json"])
    def test_a_missing_or_garbled_file_is_named(self, tiny25, loader, tmp_path, name):
        folder = _copy(tiny25.folder, tmp_path / "model")
        (folder / name).write_bytes(b"{]")
        with pytest.raises(ModelDamaged, match=name.split(".")[0]):
            loaded(loader, tiny_colqwen.installed(folder), GenerousAllowance())
        (folder / name).unlink()
        with pytest.raises(ModelDamaged):
            loaded(loader, tiny_colqwen.installed(folder), GenerousAllowance())

    def test_a_missing_tensor_is_not_replaced_by_random_numbers(self, tiny25, loader, tmp_path):
        def drop(tensors):
            del tensors["language_model.layers.1.mlp.up_proj.weight"]

        folder = _with_weights(tiny25.folder, tmp_path / "model", drop)
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

        folder = _with_weights(tiny25.folder, tmp_path / "model", drop)
        with pytest.raises(ModelNotSupported, match="projection"):
            loaded(loader, tiny_colqwen.installed(folder), GenerousAllowance())


class TestLayouts:
    """What other programs and years wrote gives the same vectors."""

    @pytest.mark.parametrize(
        "rename",
        [
            lambda n: n.replace("language_model.", "model."),
            lambda n: n if n.startswith("custom") else f"model.{n}",
            lambda n: (
                n.replace("custom_text_proj", "embedding_proj_layer")
                if n.startswith("custom")
                else f"vlm.model.{n}"
            ),
            lambda n: n.replace("language_model.", "language_model.model.").replace(
                "visual.", "vision_tower."
            ),
            lambda n: f"base_model.model.{n}",
        ],
        ids=["first ColQwen", "Qwen-VL", "transformers", "mlx_vlm", "PEFT"],
    )
    def test_names_of_every_generation_are_known(self, tiny25, loader, tmp_path, rename):
        def change(tensors):
            for name in list(tensors):
                tensors[rename(name)] = tensors.pop(name)
            tensors["lm_head.weight"] = tensors[rename("language_model.embed_tokens.weight")] * 1

        folder = _with_weights(tiny25.folder, tmp_path / "model", change)
        embedder, _ = loaded(loader, tiny_colqwen.installed(folder), GenerousAllowance())
        assert_same([p.vectors for p in embedder.embed_pages([SMALL])], tiny25.pages([SMALL]))

    def test_a_patch_convolution_with_colours_last_is_turned(self, tiny, loader, tmp_path):
        def turn(tensors):
            name = next(name for name in tensors if name.endswith("patch_embed.proj.weight"))
            tensors[name] = tensors[name].permute(0, 2, 3, 4, 1).contiguous()

        folder = _with_weights(tiny.folder, tmp_path / "model", turn)
        embedder, _ = loaded(loader, tiny_colqwen.installed(folder), GenerousAllowance())
        assert_same([p.vectors for p in embedder.embed_pages([SMALL])], tiny.pages([SMALL]))

    def test_the_flat_configuration_of_older_models_is_understood(self, tiny25, loader, tmp_path):
        def flatten(config):
            text = config.pop("text_config")
            rope = text.pop("rope_parameters")
            config.update({k: v for k, v in text.items() if k != "model_type"})
            config["rope_theta"] = rope["rope_theta"]
            config["rope_scaling"] = {"type": "mrope", "mrope_section": rope["mrope_section"]}

        tiny_colqwen.rewrite_config(tiny25.folder, tmp_path / "model", flatten)
        installed = tiny_colqwen.installed(tmp_path / "model")
        embedder, _ = loaded(loader, installed, GenerousAllowance())
        assert_same([p.vectors for p in embedder.embed_pages([LARGE])], tiny25.pages([LARGE]))

    def test_weights_in_several_files_are_read_through_their_index(self, tiny25, loader, tmp_path):
        from safetensors.torch import load_file, save_file

        folder = _copy(tiny25.folder, tmp_path / "model")
        tensors = load_file(folder / "model.safetensors")
        (folder / "model.safetensors").unlink()
        names = sorted(tensors)
        index = {}
        for part, chosen in (("a.safetensors", names[::2]), ("b.safetensors", names[1::2])):
            save_file({name: tensors[name] for name in chosen}, folder / part)
            index.update(dict.fromkeys(chosen, part))
        (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": index}))
        embedder, _ = loaded(loader, tiny_colqwen.installed(folder), GenerousAllowance())
        assert_same(embedder.embed_queries(QUESTIONS), tiny25.queries(QUESTIONS))
        (folder / "b.safetensors").unlink()
        with pytest.raises(ModelDamaged, match=r"b\.safetensors is missing"):
            loaded(loader, tiny_colqwen.installed(folder), GenerousAllowance())

    def test_sixteen_bit_weights_are_widened_where_that_is_fast(self, tiny25, loader, tmp_path):
        def narrow(tensors):
            tensors.update({name: tensor.bfloat16() for name, tensor in tensors.items()})

        folder = _with_weights(tiny25.folder, tmp_path / "model", narrow)
        allowance = GenerousAllowance()
        embedder, _ = loaded(loader, tiny_colqwen.installed(folder), allowance)
        (vectors,) = embedder.embed_queries(["short"])
        cosines = (vectors * tiny25.queries(["short"])[0]).sum(axis=1)
        assert cosines.min() > 0.99  # the weights themselves were rounded

    def test_a_quantised_mlx_model_runs_in_mlx_alone(self, tiny25, tmp_path):
        nn = pytest.importorskip("mlx.nn")
        import mlx.core as mx
        from mlx.utils import tree_flatten

        original, _ = loaded(colqwen_mlx.load, tiny25.installed, GenerousAllowance())
        parts = original._runtime._model.parts
        nn.quantize(
            parts,
            group_size=32,
            bits=8,
            class_predicate=lambda path, m: (
                path.startswith("language_model") and hasattr(m, "to_quantized")
            ),
        )

        def quantised(config):
            config["quantization"] = {"group_size": 32, "bits": 8}

        tiny_colqwen.rewrite_config(tiny25.folder, tmp_path / "model", quantised)
        (tmp_path / "model/model.safetensors").unlink()
        packed = {
            name.replace("patch_embed.", "patch_embed.proj."): array
            for name, array in tree_flatten(parts.parameters())
        }
        patch = packed["visual.patch_embed.proj.weight"]
        packed["visual.patch_embed.proj.weight"] = patch.reshape(-1, 3, 2, 14, 14).transpose(
            0, 2, 3, 4, 1
        )
        mx.save_safetensors(str(tmp_path / "model/model.safetensors"), packed)
        installed = tiny_colqwen.installed(tmp_path / "model")
        embedder, _ = loaded(colqwen_mlx.load, installed, GenerousAllowance())
        (found,) = embedder.embed_pages([SMALL])
        cosines = (found.vectors * tiny25.pages([SMALL])[0]).sum(axis=1)
        assert cosines.min() > 0.98
        with pytest.raises(ModelNotSupported, match="quantised"):
            loaded(colqwen_torch.load, installed, GenerousAllowance())


def _copy(source, target):
    target.mkdir()
    for file in source.iterdir():
        (target / file.name).write_bytes(file.read_bytes())
    return target


def _with_weights(source, target, change):
    from safetensors.torch import load_file, save_file

    folder = _copy(source, target)
    tensors = load_file(folder / "model.safetensors")
    change(tensors)
    save_file(tensors, folder / "model.safetensors")
    return folder
