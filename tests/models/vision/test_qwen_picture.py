import importlib.util
import json

import numpy as np
import pytest

from desktop.models.adapters import torch_runtime
from desktop.models.adapters.qwen_vl_prompt import (
    MOST_TOKENS,
    PictureSettings,
    cut_out,
    grid,
    patches,
)
from desktop.models.errors import ModelDamaged

# As published with Qwen3-VL.
QWEN3 = PictureSettings(patch_size=16, min_pixels=65536, max_pixels=16777216)


def tokens(height, width, settings=QWEN3):
    rows, columns = grid(height, width, settings)
    return rows * columns // settings.merge_size**2


def test_a_page_is_seen_at_its_own_size():
    rows, columns = grid(1754, 1240, QWEN3)  # A4 at 150 dots an inch

    assert abs(rows * 16 - 1754) <= 16
    assert abs(columns * 16 - 1240) <= 16


@pytest.mark.parametrize("size", [(3508, 2480), (12000, 9000), (2000, 40000), (50000, 50000)])
def test_a_huge_page_shrinks_to_what_a_model_may_be_given(size):
    assert MOST_TOKENS * 0.9 < tokens(*size) <= MOST_TOKENS


def test_the_models_own_limit_is_kept():
    modest = PictureSettings(patch_size=16, max_pixels=100 * 32 * 32)

    assert 80 < tokens(3000, 2000, modest) <= 100


def test_a_small_cut_out_is_enlarged_so_that_its_text_is_legible():
    rows, columns = grid(60, 300, QWEN3)  # one line of text

    assert rows * 16 > 2 * 60
    assert columns / rows == pytest.approx(5, rel=0.15)


def test_nothing_is_enlarged_more_than_shows_anything():
    assert tokens(80, 80) == 100  # four times a side


def test_a_single_dot_is_still_a_picture():
    assert tokens(1, 1) == 64  # the least that the model was trained with


@pytest.mark.parametrize("size", [(1, 5000), (5000, 1), (3, 700)])
def test_a_thin_strip_is_a_picture_too(size):
    seen = patches(np.full((*size, 3), 90, np.uint8), QWEN3)

    assert 64 <= seen.rows * seen.columns // 4 <= MOST_TOKENS
    assert np.ptp(seen.pixels) < 1e-6


def test_cut_out_has_the_pixels_of_its_region():
    page = np.arange(40 * 30 * 3, dtype=np.uint8).reshape(40, 30, 3)

    assert np.array_equal(cut_out(page, (4, 10, 20, 16)), page[10:16, 4:20])
    assert cut_out(page, None) is page


@pytest.mark.models
@pytest.mark.parametrize("size", [(704, 512), (1000, 700), (90, 400)])
def test_patches_lie_as_the_image_processor_of_mlx_vlm_lays_them(size):
    if importlib.util.find_spec("mlx_vlm") is None:
        pytest.skip("mlx_vlm is not installed")
    torch_runtime.prepare()
    from mlx_vlm.models.qwen3_vl.processing_qwen3_vl import Qwen3VLImageProcessor

    image = np.random.default_rng(1).integers(0, 255, (*size, 3), dtype=np.uint8)
    ours = patches(image, QWEN3)
    theirs = Qwen3VLImageProcessor(min_pixels=65536, max_pixels=16777216)(
        [image.transpose(2, 0, 1)],
        resized_height=ours.rows * 16,
        resized_width=ours.columns * 16,
    )

    assert theirs["image_grid_thw"].tolist() == [[1, ours.rows, ours.columns]]
    assert np.abs(theirs["pixel_values"] - ours.pixels).max() < 1e-6


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("preprocessor_config.json", {"min_pixels": 1000, "max_pixels": 9000}),
        ("preprocessor_config.json", {"size": {"shortest_edge": 1000, "longest_edge": 9000}}),
        (
            "processor_config.json",
            {"image_processor": {"size": {"shortest_edge": 1000, "longest_edge": 9000}}},
        ),
    ],
)
def test_settings_are_read_wherever_they_were_saved(tmp_path, name, settings):
    (tmp_path / name).write_text(json.dumps(settings | {"do_resize": True}))

    read = PictureSettings.read(tmp_path, tower={"patch_size": 14})

    assert (read.min_pixels, read.max_pixels, read.token_side) == (1000, 9000, 28)


@pytest.mark.parametrize("text", ["{", "[]", '{"min_pixels": "many"}', '{"image_mean": [1]}'])
def test_settings_that_cannot_be_used_are_damage(tmp_path, text):
    (tmp_path / "preprocessor_config.json").write_text(text)

    with pytest.raises(ModelDamaged, match="preprocessor_config"):
        PictureSettings.read(tmp_path, {"patch_size": 16})
