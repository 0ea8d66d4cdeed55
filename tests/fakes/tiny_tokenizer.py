"""A byte-level tokenizer with the special tokens of the Qwen family, made in a moment."""

import json
from pathlib import Path

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

SPECIAL = (
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
    "<|vision_start|>",
    "<|vision_end|>",
    "<|image_pad|>",
    "<|video_pad|>",
    "<think>",
    "</think>",
)
VOCABULARY = 256 + len(SPECIAL)
TOKEN_IDS = {token: 256 + place for place, token in enumerate(SPECIAL)}
WORDS = 1_500
"""How many tokens a tokenizer with words has beside these."""

CHAT_TEMPLATE = """{%- for m in messages %}<|im_start|>{{ m.role }}
{% if m.content is string %}{{ m.content }}{% else %}{% for c in m.content %}\
{% if c.type == 'image' %}<|vision_start|><|image_pad|><|vision_end|>\
{% elif 'text' in c %}{{ c.text }}{% endif %}{% endfor %}{% endif %}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}"""


def write_tiny_tokenizer(folder: Path, words_of: Path | None = None) -> None:
    """Write tokenizer.json, tokenizer_config.json and the chat template.

    words_of: a text whose words are tokens too, so that prompts are a quarter as long.
    """
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {letter: place for place, letter in enumerate(alphabet)}
    merges = _merges(words_of) if words_of else []
    if merges:
        known = [*alphabet, *SPECIAL, *("".join(pair) for pair in merges)]
        vocabulary = {token: place for place, token in enumerate(known)}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(t, special=True, normalized=False) for t in SPECIAL])
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "eos_token": "<|im_end|>",
        "pad_token": "<|endoftext|>",
        "model_max_length": 32768,
        "clean_up_tokenization_spaces": False,
        "chat_template": CHAT_TEMPLATE,
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    (folder / "chat_template.jinja").write_text(CHAT_TEMPLATE)


def _merges(text: Path) -> list[tuple[str, str]]:
    """Return which pieces of words become one, learnt from a text."""
    learner = Tokenizer(models.BPE())
    learner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=len(alphabet) + WORDS, initial_alphabet=alphabet, show_progress=False
    )
    learner.train([str(text)], trainer)
    pairs = json.loads(learner.to_str())["model"]["merges"]
    return [(first, second) for first, second in pairs][:WORDS]
