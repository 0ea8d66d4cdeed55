import json

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from desktop.models.errors import ModelDamaged
from desktop.models.safetensors_file import (
    SafetensorsWriter,
    from_float32,
    read_header,
    read_tensor,
    to_float32,
    weight_files,
)

TENSORS: dict[str, np.ndarray] = {
    "a": np.arange(12, dtype=np.float32).reshape(3, 4),
    "b": np.array([1, -2], np.int64),
    "none": np.zeros((0, 3), np.float16),
    "one": np.array(3.5, np.float16),
}


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "model.safetensors"
    save_file(TENSORS, path)
    return path


def test_tensors_are_read_as_the_library_wrote_them(saved):
    header = read_header(saved)
    assert header.keys() == TENSORS.keys()
    for name, info in header.items():
        np.testing.assert_array_equal(read_tensor(saved, info), TENSORS[name])
        assert info.shape == TENSORS[name].shape


def test_the_library_reads_what_is_written(tmp_path):
    kinds = {"a": "F32", "b": "I64", "none": "F16", "one": "F16"}
    path = tmp_path / "own.safetensors"
    announced = {name: (kinds[name], array.shape) for name, array in TENSORS.items()}
    with SafetensorsWriter(path, announced) as writer:
        for array in TENSORS.values():
            writer.write(array)
    for name, array in load_file(path).items():
        np.testing.assert_array_equal(array, TENSORS[name])


def test_a_tensor_of_another_size_than_announced_is_not_written(tmp_path):
    with (
        SafetensorsWriter(tmp_path / "x.safetensors", {"a": ("F32", (2,))}) as writer,
        pytest.raises(ValueError, match="announced"),
    ):
        writer.write(np.zeros(3, np.float32))


def test_bfloat16_rounds_half_to_even_and_back_exactly():
    values = np.array([1.0, 1.00390625, 1.01171875, -3.3895314e38, 1e-40, 0.0], np.float32)
    words = from_float32(values, "BF16")
    assert words.dtype == np.uint16
    back = to_float32(words, "BF16")
    np.testing.assert_array_equal(back[:3], np.array([1.0, 1.0, 1.015625], np.float32))
    np.testing.assert_array_equal(from_float32(back, "BF16"), words)
    special = np.array([np.inf, -np.inf, np.nan], np.float32)
    np.testing.assert_array_equal(to_float32(from_float32(special, "BF16"), "BF16"), special)


@pytest.mark.parametrize("cut", [0, 4, 8, 40, -1])
def test_a_file_cut_off_anywhere_is_damaged(saved, cut):
    data = saved.read_bytes()
    saved.write_bytes(data[:cut])
    with pytest.raises(ModelDamaged, match=r"model\.safetensors"):
        read_header(saved)


@pytest.mark.parametrize(
    "entry",
    [
        {"dtype": "F32", "shape": [4], "data_offsets": [0, 12]},
        {"dtype": "F32", "shape": [-4], "data_offsets": [0, -16]},
        {"dtype": "F32", "shape": [4], "data_offsets": [-16, 0]},
        {"dtype": "F31", "shape": [4], "data_offsets": [0, 16]},
        {"dtype": "F32", "shape": "4", "data_offsets": 16},
        ["F32"],
        {},
    ],
)
def test_a_header_that_lies_is_damaged(tmp_path, entry):
    text = json.dumps({"w": entry}).encode()
    path = tmp_path / "model.safetensors"
    path.write_bytes(len(text).to_bytes(8, "little") + text + bytes(16))
    with pytest.raises(ModelDamaged):
        read_header(path)


def test_an_index_never_leads_out_of_its_folder(tmp_path):
    (tmp_path / "model").mkdir()
    save_file(TENSORS, tmp_path / "other.safetensors")
    index = {"weight_map": {"a": "../other.safetensors"}}
    (tmp_path / "model/model.safetensors.index.json").write_text(json.dumps(index))
    with pytest.raises(ModelDamaged):
        weight_files(tmp_path / "model")


def test_a_folder_without_weights_is_damaged(tmp_path):
    with pytest.raises(ModelDamaged, match="no weights"):
        weight_files(tmp_path)
