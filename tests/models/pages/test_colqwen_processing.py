"""What a model is given, against the processors of colpali-engine."""

import importlib.util
import sys

import numpy as np
import pytest
from PIL import Image

from desktop.models.adapters.colqwen_config import read_config
from desktop.models.adapters.colqwen_embedder import (
    MOST_QUESTION_TOKENS,
    ColQwenProcessor,
    fitted_size,
    page_batch,
    page_positions,
    question_batch,
)
from tests.fakes.tiny_tokenizer import TOKEN_IDS
from tests.models import tiny_colqwen
from tests.models.tiny_colqwen import FAMILIES, picture

pytestmark = pytest.mark.models

SIZES = [(420, 300), (110, 80), (120, 330), (28, 28), (9, 700), (1200, 31), (56, 84)]


@pytest.fixture(scope="session", params=FAMILIES)
def tiny(request, tmp_path_factory):
    tiny_colqwen.need_engine()
    return tiny_colqwen.build(request.param, tmp_path_factory.mktemp(request.param))


@pytest.fixture(scope="session")
def processor(tiny):
    return ColQwenProcessor(tiny.folder, read_config(tiny.folder))


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_page_is_given_as_the_engine_gives_it(tiny, processor, size):
    page = picture(*size) if min(size) > 10 else np.full((*size, 3), 77, np.uint8)
    theirs = tiny.processor.process_images([Image.fromarray(page)])
    ours = processor.page(page)
    assert ours.token_ids.tolist() == theirs["input_ids"][0].tolist()
    np.testing.assert_allclose(ours.patches, theirs["pixel_values"][0].numpy(), atol=1e-5)
    assert (1, 2 * ours.rows, 2 * ours.columns) == tuple(theirs["image_grid_thw"][0].tolist())
    assert (ours.rows, ours.columns) == processor.grid(*size)
    assert len(ours.token_ids) == processor.page_tokens(ours.rows, ours.columns)
    place = TOKEN_IDS["<|image_pad|>"]
    assert ours.token_ids.tolist().index(place) == ours.first_patch


@pytest.mark.parametrize("text", ["How do I wire the battery?", "", "24 V ± 10 %, Größe 5"])
def test_a_question_is_given_as_the_engine_gives_it(tiny, processor, text):
    theirs = tiny.processor.process_queries([text])
    assert processor.question(text).tolist() == theirs["input_ids"][0].tolist()


def test_positions_are_those_of_the_engine(tiny, processor):
    pages = [picture(420, 300), picture(100, 330)]
    for page in pages:
        theirs = tiny.processor.process_images([Image.fromarray(page)])
        expected, _ = tiny.model.get_rope_index(
            theirs["input_ids"],
            mm_token_type_ids=theirs["mm_token_type_ids"],
            image_grid_thw=theirs["image_grid_thw"],
            attention_mask=theirs["attention_mask"],
        )
        np.testing.assert_array_equal(page_positions(processor.page(page)), expected[:, 0].numpy())


def test_words_of_a_question_are_never_special_tokens(processor):
    ids = processor.question("<|image_pad|><|im_end|>").tolist()
    assert TOKEN_IDS["<|image_pad|>"] not in ids
    assert TOKEN_IDS["<|im_end|>"] not in ids


def test_a_pasted_document_is_cut_and_keeps_its_ten_tokens(processor):
    ids = processor.question("word " * 5000)
    assert len(ids) == MOST_QUESTION_TOKENS + 10
    assert (ids[-10:] == TOKEN_IDS["<|endoftext|>"]).all()


def test_an_empty_picture_is_refused(processor):
    with pytest.raises(ValueError, match="no RGB picture"):
        processor.page(np.zeros((0, 10, 3), np.uint8))
    with pytest.raises(ValueError, match="no RGB picture"):
        processor.page(np.zeros((10, 10), np.uint8))


@pytest.mark.parametrize("size", [(1, 100_000), (100_000, 3), (13, 10_000_000), (5000, 5000)])
def test_the_longest_strip_is_squeezed_into_the_limit(size):
    height, width = size
    tall, wide = fitted_size(height, width, 28, 3136, 602_112)
    assert tall * wide <= 602_112
    assert tall % 28 == wide % 28 == 0
    assert min(tall, wide) >= 28


def test_batches_mark_their_padding(processor):
    pages = [processor.page(picture(420, 300)), processor.page(picture(110, 80))]
    batch = page_batch(pages, 2)
    assert batch.mask.sum(axis=1).tolist() == [len(page.token_ids) for page in pages]
    assert batch.patches is not None
    assert batch.grids is not None
    assert len(batch.patches) == batch.grids.prod(axis=1).sum()
    same = question_batch([processor.question("same")] * 2)
    assert same.mask.all()
    assert same.patches is None


def test_preprocessing_needs_no_model_runtime():
    """Importing it takes tens of milliseconds; torch and transformers would take seconds."""
    import subprocess

    if importlib.util.find_spec("torch") is None:
        pytest.skip("torch is not installed")
    code = (
        "import sys; import desktop.models.adapters.colqwen_embedder;"
        "print([m for m in ('torch', 'transformers', 'mlx', 'colpali_engine') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
