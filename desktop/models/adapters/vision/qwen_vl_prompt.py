"""The tokens that a Qwen vision model is given for one picture and one question."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop.models.adapters import torch_runtime
from desktop.models.errors import ModelDamaged
from desktop.models.output.answer_text import AnswerText, StopWords, TagSplitter

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from desktop.models.generation import VisionRequest

_THINKING = "<think>"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt in tokens.

    ids: with one image token per group of patches, those of
    `ids[image_start:image_start + image_tokens]`. thinks: it ends inside the reasoning.
    """

    ids: tuple[int, ...]
    image_start: int
    image_tokens: int
    thinks: bool


class PromptWriter:
    """The tokenizer and chat template of a model folder."""

    def __init__(self, folder: Path, image_token_id: int, vocabulary: int) -> None:
        """Read the tokenizer's files; no code of the folder is run.

        Sets `tokenizer`, a `tokenizers.Tokenizer`. vocabulary: so many tokens the model knows.

        Raises: ModelDamaged, if they are missing or do not belong to a vision model.
        """
        torch_runtime.prepare()
        from transformers import AutoTokenizer

        try:
            self._tokenizer: Any = AutoTokenizer.from_pretrained(
                str(folder), local_files_only=True, trust_remote_code=False
            )
            self._tokenizer.chat_template = _chat_template(folder) or self._tokenizer.chat_template
            self.tokenizer = self._tokenizer.backend_tokenizer
        # what a damaged file raises depends on which of them it is
        except Exception as error:
            raise ModelDamaged(f"the tokenizer of {folder.name} cannot be read") from error
        if not self._tokenizer.chat_template:
            raise ModelDamaged("chat_template.jinja is missing")
        if max(self._tokenizer.get_vocab().values()) >= vocabulary:
            raise ModelDamaged("tokenizer.json has more tokens than the model")
        self._image_id = image_token_id
        self._added = sorted(self._tokenizer.get_added_vocab(), key=len, reverse=True)
        self._silent = {
            index
            for token, index in self._tokenizer.get_added_vocab().items()
            if self._tokenizer.added_tokens_decoder[index].special and "think" not in token
        }

    def end_ids(self, folder: Path, config: dict[str, Any]) -> frozenset[int]:
        """The tokens with which an answer ends, wherever the folder says so."""
        ids: set[Any] = set()
        sources = (config, config.get("text_config") or {}, _generation_config(folder))
        for source in sources:
            found = source.get("eos_token_id")
            ids.update(found if isinstance(found, list) else [found])
        ids.add(self._tokenizer.eos_token_id)
        return frozenset(index for index in ids if isinstance(index, int))

    def write(self, request: VisionRequest, image_tokens: int) -> Prompt:
        """Put picture, question and instructions into the model's chat format.

        Raises: ModelDamaged, if the chat template has no place for a picture.
        """
        messages: list[dict[str, Any]] = []
        if request.instructions:
            messages.append({"role": "system", "content": self._as_data(request.instructions)})
        question = {"type": "text", "text": self._as_data(request.question)}
        messages.append({"role": "user", "content": [{"type": "image"}, question]})
        text = self._tokenizer.apply_chat_template(
            messages, tokenize=False, add_generation_prompt=True
        )
        ids = self._tokenizer.encode(text, add_special_tokens=False)
        if ids.count(self._image_id) != 1:
            raise ModelDamaged("the chat template has no place for a picture")
        start = ids.index(self._image_id)
        ids[start : start + 1] = [self._image_id] * image_tokens
        return Prompt(tuple(ids), start, image_tokens, text.rstrip().endswith(_THINKING))

    def text(self, prompt: Prompt, stop: Iterable[str]) -> AnswerText:
        """Return what reads the tokens that are written after a prompt."""
        characters = _Characters(self.tokenizer, self._silent)
        return AnswerText(characters, TagSplitter(inside=prompt.thinks), StopWords(stop))

    def _as_data(self, text: str) -> str:
        """Break up what the tokenizer would take for a control token, such as a turn's end."""
        for token in self._added:
            if token in text:
                text = text.replace(token, f"{token[0]} {token[1:]}")
        return text


class _Characters:
    """Satisfies `Detokenizer`; a character that is never completed is left out."""

    def __init__(self, tokenizer: Any, silent: set[int]) -> None:
        from tokenizers.decoders import DecodeStream

        self._tokenizer = tokenizer
        self._silent = silent
        self._stream = DecodeStream(skip_special_tokens=False)
        self._segment = ""

    @property
    def last_segment(self) -> str:
        """The text since this was last asked."""
        segment, self._segment = self._segment, ""
        return segment

    def add_token(self, token: int) -> None:
        """Take the next token."""
        if token not in self._silent:
            self._segment += self._stream.step(self._tokenizer, token) or ""

    def finalize(self) -> None:
        """Half a character is no text."""


def _chat_template(folder: Path) -> str | None:
    """The picture's place is in the processor's template, which older models keep apart."""
    path = folder / "chat_template.json"
    if not path.is_file():
        return None
    template = json.loads(path.read_bytes())["chat_template"]
    return template if isinstance(template, str) else None


def _generation_config(folder: Path) -> dict[str, Any]:
    path = folder / "generation_config.json"
    if not path.is_file():
        return {}
    try:
        found = json.loads(path.read_bytes())
    except ValueError as error:
        raise ModelDamaged(f"{path.name} cannot be read") from error
    return found if isinstance(found, dict) else {}
