"""Whisper on torch: a tiny network of random weights hears what transformers itself hears in it.

No trained model is here, so nothing is said about how well it understands.
"""

from __future__ import annotations

import numpy as np
import pytest

from desktop.models.adapters import torch_runtime
from desktop.models.catalogue import Catalogue, loader_of
from desktop.models.errors import ModelDamaged
from desktop.models.roles import InstalledModel

torch_runtime.prepare()
torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytestmark = [pytest.mark.models, pytest.mark.slow]


class Room:
    def free_bytes(self):
        return 10**9

    def admit(self, needed_bytes, purpose):
        assert needed_bytes > 0
        assert purpose


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder as its publisher lays it out: config, safetensors, tokenizer."""
    from tokenizers import Tokenizer, decoders, models

    folder = tmp_path_factory.mktemp("models") / "whisper-tiny-random"
    special = ["<|endoftext|>", "<|startoftranscript|>", "<|notimestamps|>"]
    words = {f"w{n}": n for n in range(60)}
    vocabulary = words | {name: 60 + n for n, name in enumerate(special)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="w0"))
    tokenizer.decoder = decoders.WordPiece(prefix="##")
    fast = transformers.WhisperTokenizerFast(
        tokenizer_object=tokenizer,
        unk_token="<|endoftext|>",
        bos_token="<|endoftext|>",
        eos_token="<|endoftext|>",
    )
    fast.add_special_tokens({"additional_special_tokens": special})
    torch.manual_seed(3)
    config = transformers.WhisperConfig(
        vocab_size=len(vocabulary),
        d_model=16,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
        max_target_positions=16,
        bos_token_id=60,
        eos_token_id=60,
        pad_token_id=60,
        decoder_start_token_id=61,
        suppress_tokens=None,
        begin_suppress_tokens=None,
    )
    network = transformers.WhisperForConditionalGeneration(config)
    network.generation_config.max_new_tokens = 8
    network.save_pretrained(folder)
    transformers.WhisperProcessor(transformers.WhisperFeatureExtractor(), fast).save_pretrained(
        folder
    )
    return folder


def installed(folder):
    return InstalledModel("whisper-tiny-random", "speech", "whisper", "1", folder, 10**6)


def loaded(folder):
    loading = loader_of(installed(folder), Catalogue.load())(installed(folder), Room())
    try:
        while True:
            assert 0 <= next(loading) <= 1
    except StopIteration as end:
        return end.value


def speech(seconds=1.0):
    generator = np.random.default_rng(1)
    return generator.normal(0, 0.1, int(16_000 * seconds)).astype(np.float32)


def test_it_hears_what_transformers_hears(folder):
    model = loaded(folder)
    heard = model.transcribe(speech())
    network = transformers.WhisperForConditionalGeneration.from_pretrained(folder)
    extractor = transformers.WhisperFeatureExtractor()
    features = extractor(speech(), sampling_rate=16_000, return_tensors="pt").input_features
    tokens = network.generate(features, max_new_tokens=8)
    reference = transformers.WhisperProcessor.from_pretrained(folder).tokenizer.batch_decode(
        tokens, skip_special_tokens=True
    )
    first = " ".join(reference[0].split()).split()
    assert heard.split()[: len(first)] == first
    assert model.weight_bytes() > 0
    model.close()
    assert model.weight_bytes() == 0


def test_silence_is_nothing_and_not_invented_words(folder):
    model = loaded(folder)
    assert model.transcribe(np.zeros(16_000, np.float32)) == ""
    assert model.transcribe(np.zeros(0, np.float32)) == ""
    model.close()


def test_a_folder_that_lacks_weights_is_damaged(folder, tmp_path):
    from safetensors.torch import load_file, save_file

    for file in folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    weights = load_file(folder / "model.safetensors")
    weights.pop(sorted(weights)[3])
    save_file(weights, tmp_path / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelDamaged):
        loaded(tmp_path)
