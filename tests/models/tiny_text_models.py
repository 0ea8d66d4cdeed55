"""Text models with random weights in Hugging Face's layout, and what torch makes of them."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from desktop.models.adapters import torch_runtime
from desktop.models.roles import InstalledModel
from tests.fakes.tiny_tokenizer import SPECIAL, TOKEN_IDS, write_tiny_tokenizer

SIZE, LAYERS, HEADS, INNER = 64, 2, 4, 96
_DECODER: dict[str, Any] = {
    "vocab_size": 256 + len(SPECIAL),
    "hidden_size": SIZE,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": HEADS,
    "head_dim": 16,
    "intermediate_size": INNER,
}
_WORDS = (
    "how do i wire the backup battery connect standby to terminals relay contact is rated v a "
    "search query document die heizung nach der wartung wieder einschalten"
).split()
_VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *_WORDS, *"0123456789abcdefghijklmnopqrstuvwxyz"]
_PIECES = [f"##{letter}" for letter in "0123456789abcdefghijklmnopqrstuvwxyz"]
_SIGNS = list(":.,;?!+-_")
VOCABULARY = [*_VOCABULARY, *_PIECES, *_SIGNS]


@dataclass(frozen=True)
class TinyTextModel:
    """folder: as downloaded. network: in torch, ids to states of the last layer.

    last: what the mean of the states is multiplied with, if anything.
    """

    folder: Path
    network: Any
    tokenizer: Tokenizer | None
    end: tuple[int, ...] = ()
    last: np.ndarray | None = None

    def installed(self) -> InstalledModel:
        size = sum(file.stat().st_size for file in self.folder.glob("*.safetensors"))
        return InstalledModel("tiny", "text", "tiny", "r1", self.folder, size)

    def states(self, text: str) -> np.ndarray:
        """Of one text alone, without padding; special tokens included."""
        import torch

        assert self.tokenizer is not None
        ids = [*self.tokenizer.encode(text).ids, *self.end]
        with torch.no_grad():
            output = self.network(input_ids=torch.tensor([ids]))
        return np.asarray(output.last_hidden_state[0].numpy())


def tiny_nomic(folder: Path) -> TinyTextModel:
    transformers = _transformers()
    tokenizer = _word_pieces()
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    config = transformers.NomicBertConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=SIZE,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        intermediate_size=INNER,
        max_position_embeddings=96,
        initializer_range=0.2,  # or every text looks alike
    )
    model = transformers.NomicBertModel(config)
    return TinyTextModel(folder, _saved(model, folder), tokenizer)


def as_published_by_nomic(folder: Path) -> None:
    """Name the settings as the publisher's own config.json does, before transformers 5."""
    config = json.loads((folder / "config.json").read_text())
    ours = {
        "model_type": "nomic_bert",
        "architectures": ["NomicBertModel"],
        "activation_function": "swiglu",
        "causal": False,
        "layer_norm_epsilon": config["layer_norm_eps"],
        "max_trained_positions": config["max_position_embeddings"],
        "n_embd": config["hidden_size"],
        "n_head": config["num_attention_heads"],
        "n_inner": config["intermediate_size"],
        "n_layer": config["num_hidden_layers"],
        "n_positions": 8192,
        "parallel_block": False,
        "prenorm": False,
        "rotary_emb_base": config["rope_parameters"]["rope_theta"],
        "rotary_emb_fraction": 1.0,
        "rotary_emb_interleaved": False,
        "rotary_emb_scale_base": None,
        "rotary_scaling_factor": None,
        "type_vocab_size": 2,
        "use_rms_norm": False,
        "vocab_size": config["vocab_size"],
    }
    (folder / "config.json").write_text(json.dumps(ours))


def tiny_qwen3(folder: Path, positions: int = 512) -> TinyTextModel:
    transformers = _transformers()
    write_tiny_tokenizer(folder)
    config = transformers.Qwen3Config(
        **_DECODER,
        num_key_value_heads=2,
        max_position_embeddings=positions,
        tie_word_embeddings=True,
    )
    network = _saved(transformers.Qwen3Model(config), folder)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    return TinyTextModel(folder, network, tokenizer, (TOKEN_IDS["<|endoftext|>"],))


def tiny_gemma3(folder: Path, positions: int = 512) -> TinyTextModel:
    """As EmbeddingGemma: every token sees all others, and two linear layers come last."""
    import torch
    from safetensors.torch import save_file

    transformers = _transformers()
    write_tiny_tokenizer(folder)
    config = transformers.Gemma3TextConfig(
        **_DECODER,
        num_key_value_heads=1,
        query_pre_attn_scalar=16,
        max_position_embeddings=positions,
        use_bidirectional_attention=True,
        sliding_window=512,
    )
    from transformers.models.gemma3.modeling_gemma3 import Gemma3TextModel

    network = _saved(Gemma3TextModel(config), folder)
    layers = [torch.randn(4 * SIZE, SIZE) / 8, torch.randn(SIZE, 4 * SIZE) / 16]
    for name, weight in zip(("2_Dense", "3_Dense"), layers, strict=True):
        (folder / name).mkdir()
        save_file({"linear.weight": weight}, folder / name / "model.safetensors")
    modules = ("Transformer", "Pooling", "Dense", "Dense", "Normalize")
    listed = [{"type": f"sentence_transformers.models.{each}"} for each in modules]
    (folder / "modules.json").write_text(json.dumps(listed))
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    last = (layers[1] @ layers[0]).T.numpy()
    return TinyTextModel(folder, network, tokenizer, last=last)


def set_pooling(folder: Path, mode: str) -> None:
    """As sentence-transformers writes it: one switch a mode."""
    modes = ("cls_token", "mean_tokens", "max_tokens", "mean_sqrt_len_tokens", "lasttoken")
    switches = {f"pooling_mode_{each}": each == mode for each in modes}
    (folder / "1_Pooling").mkdir(exist_ok=True)
    settings = {"word_embedding_dimension": SIZE, **switches}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(settings))


def _saved(model: Any, folder: Path) -> Any:
    model.eval()
    model.save_pretrained(folder)
    return model


def _word_pieces() -> Tokenizer:
    ids = {word: number for number, word in enumerate(VOCABULARY)}
    tokenizer = Tokenizer(models.WordPiece(vocab=ids, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", ids["[CLS]"]), ("[SEP]", ids["[SEP]"])]
    )
    tokenizer.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]"])
    return tokenizer


def _transformers() -> Any:
    torch_runtime.prepare()
    import torch
    import transformers

    torch.manual_seed(7)
    torch.set_num_threads(1)
    return transformers
