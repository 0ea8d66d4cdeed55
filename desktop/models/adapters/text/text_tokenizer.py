"""A text model's own tokenizer: prefixed texts to token ids, cut to what the model reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.models.errors import ModelDamaged

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from desktop.models.adapters.text.text_model_config import TextModelConfig

# Characters of so many a token fill the model whatever the words are; cutting there keeps
# a pasted book from being tokenized for nothing.
_CHARACTERS_PER_TOKEN = 40


@dataclass(frozen=True, slots=True)
class TokenizedText:
    """A text as the model reads it.

    ids: prefix and special tokens included, never empty. own: the places of the tokens that
    are the text's, neither special nor of the prefix.
    """

    ids: list[int]
    own: list[int]


class TextTokenizer:
    """Reads `tokenizer.json`; to be used from one thread at a time."""

    def __init__(self, folder: Path, config: TextModelConfig) -> None:
        """Open the tokenizer.

        Raises: ModelDamaged, if it is missing or damaged.
        """
        from tokenizers import Tokenizer

        path = folder / "tokenizer.json"
        if not path.is_file():
            raise ModelDamaged(f"{path.name} is missing from {folder.name}")
        try:
            self._tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:  # the library raises nothing more precise
            raise ModelDamaged(f"{path.name} of {folder.name} cannot be read: {error}") from error
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(config.max_tokens)
        # A manual that prints "[SEP]" or "<|endoftext|>" means the letters.
        self._tokenizer.encode_special_tokens = True
        self._most_tokens = config.max_tokens
        self._pad_id = config.pad_id
        self._end_id = self._tokenizer.token_to_id(config.end_token) if config.end_token else None

    def encode(self, texts: Sequence[str], prefix: str) -> list[TokenizedText]:
        """Tokenize each text after a prefix; what is too long is cut at its end."""
        most = _CHARACTERS_PER_TOKEN * self._most_tokens
        encodings = self._tokenizer.encode_batch([(prefix + text)[:most] for text in texts])
        return [
            self._complete(
                encoding.ids,
                # A special token covers no characters.
                [place for place, (_, end) in enumerate(encoding.offsets) if end > len(prefix)],
            )
            for encoding in encodings
        ]

    def spans(self, texts: Sequence[str], prefix: str) -> list[list[tuple[int, int]]]:
        """Return where the own tokens of each text stand in it, prefix left out."""
        most = _CHARACTERS_PER_TOKEN * self._most_tokens
        encodings = self._tokenizer.encode_batch([(prefix + text)[:most] for text in texts])
        return [
            [
                (max(0, first - len(prefix)), last - len(prefix))
                for first, last in encoding.offsets
                if last > len(prefix)
            ]
            for encoding in encodings
        ]

    def _complete(self, ids: list[int], own: list[int]) -> TokenizedText:
        """Add the token that must stand last where the tokenizer leaves it out."""
        if self._end_id is not None and ids[-1:] != [self._end_id]:
            ids = [*ids[: self._most_tokens - 1], self._end_id]
            own = [place for place in own if place < len(ids) - 1]
        return TokenizedText(ids or [self._pad_id], own)
