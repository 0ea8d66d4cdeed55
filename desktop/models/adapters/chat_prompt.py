"""From messages to the tokens a model reads, by the chat template that came with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop.models.answer_text import HarmonySplitter, TagSplitter
from desktop.models.generation import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.models.answer_text import ReasoningSplitter


_HARMONY = ("<|channel|>", "<|message|>")
_FINAL = "<|channel|>final<|message|>"
_PLAIN_NAMES = {"user": "User: ", "assistant": "Assistant: ", "system": ""}
_PLAIN_STOP = "\nUser:"


@dataclass(frozen=True, slots=True)
class ChatPrompt:
    """A prompt as tokens, and how to read what the model writes after it.

    splitter: tells the reasoning from the answer, for this one generation. stop: texts that
    end the answer because of how the prompt is written.
    """

    tokens: list[int]
    splitter: ReasoningSplitter
    stop: tuple[str, ...] = ()


class ChatTemplate:
    """Writes prompts with a tokenizer of mlx-lm (`TokenizerWrapper`).

    A template that refuses a system message gets it at the head of the first user message;
    a model without a template gets a plain dialogue.
    """

    def __init__(self, tokenizer: Any) -> None:
        """Look at what the tokenizer knows of reasoning."""
        self._tokenizer = tokenizer
        vocabulary = tokenizer.get_vocab()
        self._harmony = all(token in vocabulary for token in _HARMONY)
        self._opening: str = tokenizer.think_start or "<think>"
        self._closing: str = tokenizer.think_end or "</think>"

    def prompt(self, messages: Sequence[Message], *, thinking: bool) -> ChatPrompt:
        """Write the prompt of an answer.

        Args:
            messages: at least one.
            thinking: whether the model may think aloud; if not, and its format allows it,
                the prompt is written so that the answer comes first.
        """
        text = self._rendered(messages, thinking=thinking, answer=True)
        if text is None:
            said = [_PLAIN_NAMES[message.speaker] + message.text for message in messages]
            text = "\n\n".join([*said, "Assistant:"])
            return ChatPrompt(self._tokenizer.encode(text), TagSplitter(), (_PLAIN_STOP,))
        if self._harmony:
            splitter: ReasoningSplitter = HarmonySplitter(answering=not thinking)
            return ChatPrompt(self._encoded(text if thinking else text + _FINAL), splitter)
        opened = text.rstrip().endswith(self._opening)
        if opened and not thinking:
            text = f"{text.rstrip()}\n\n{self._closing}\n\n"
        splitter = TagSplitter(self._opening, self._closing, inside=opened and thinking)
        return ChatPrompt(self._encoded(text), splitter)

    def boundaries(self, messages: Sequence[Message], tokens: Sequence[int]) -> list[int]:
        """Say after how many tokens of a prompt its system message and its history end.

        These are the places up to which a later prompt is most likely the same. They are
        hints: a place that cannot be told is left out.
        """
        history = len(messages) - 1
        system = next((i for i, m in enumerate(messages) if m.speaker != "system"), history)
        places = set()
        for count in {system, history} - {0}:
            text = self._rendered(messages[:count], thinking=False, answer=False, fold=False)
            if text:
                places.add(common_length(self._encoded(text), tokens))
        return sorted(places - {0})

    def _rendered(
        self, messages: Sequence[Message], *, thinking: bool, answer: bool, fold: bool = True
    ) -> str | None:
        """Apply the template; None, if there is none or it refuses these messages."""
        if not self._tokenizer.has_chat_template:
            return None
        from jinja2 import TemplateError

        for attempt in (messages, _folded(messages)) if fold else (messages,):
            try:
                text = self._tokenizer.apply_chat_template(
                    [{"role": message.speaker, "content": message.text} for message in attempt],
                    tokenize=False,
                    add_generation_prompt=answer,
                    enable_thinking=thinking,
                )
            except (TemplateError, LookupError):  # it refuses a role, or wants a user first
                continue
            return str(text)
        return None

    def _encoded(self, text: str) -> list[int]:
        # the template has written the special tokens
        return list(self._tokenizer.encode(text, add_special_tokens=False))


def common_length(one: Sequence[int], other: Sequence[int]) -> int:
    """Count the tokens with which both begin."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _folded(messages: Sequence[Message]) -> list[Message]:
    """Put system messages into the user's, and join neighbours of one speaker."""
    folded: list[Message] = []
    for message in messages:
        speaker = "user" if message.speaker == "system" else message.speaker
        if folded and folded[-1].speaker == speaker:
            folded[-1] = Message(speaker, f"{folded[-1].text}\n\n{message.text}")
        else:
            folded.append(Message(speaker, message.text))
    return folded
