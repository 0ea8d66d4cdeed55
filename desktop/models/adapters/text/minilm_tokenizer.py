"""The text model's tokenizer: texts to token ids, cut to what the model reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.models.minilm_files import MAX_TOKENS, TOKENIZER

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

# A text of so many characters fills the model whatever its words are; cutting here
# keeps a pasted book from being tokenized for nothing.
_MOST_CHARACTERS = 20_000


class MiniLmTokenizer:
    """WordPiece as published, without padding; safe to use from one thread at a time."""

    def __init__(self, folder: Path) -> None:
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MAX_TOKENS)

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of each text, [CLS] first and [SEP] last, at most MAX_TOKENS."""
        short = [text[:_MOST_CHARACTERS] for text in texts]
        return [encoding.ids for encoding in self._tokenizer.encode_batch(short)]
