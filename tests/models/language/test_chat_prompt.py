"""Prompts are written so that answer and reasoning can be told apart afterwards."""

import pytest

from desktop.models.adapters import mlx_runtime, torch_runtime
from desktop.models.generation import Message
from tests.fakes.tiny_tokenizer import CHAT_TEMPLATE, write_tiny_tokenizer

pytestmark = pytest.mark.models

ASKED = (Message("system", "Be brief."), Message("user", "Where?"))
HARMONY = """{%- for m in messages %}<|start|>{{ m.role }}<|message|>{{ m.content }}<|end|>\
{% endfor %}{% if add_generation_prompt %}<|start|>assistant{% endif %}"""
OPENS = CHAT_TEMPLATE.replace("assistant\n{% endif %}", "assistant\n<think>\n{% endif %}")
SWITCH = CHAT_TEMPLATE.replace(
    "assistant\n{% endif %}",
    "assistant\n{% if not enable_thinking %}<think>\n\n</think>\n\n{% endif %}{% endif %}",
)
NO_SYSTEM = (
    "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}"
    + CHAT_TEMPLATE
)


@pytest.fixture
def template(tmp_path):
    """Return a function that makes a ChatTemplate, and the tokenizer to read its prompts."""
    pytest.importorskip("mlx_lm")
    mlx_runtime.mlx_core()
    torch_runtime.prepare()
    from mlx_lm.utils import load_tokenizer

    from desktop.models.adapters.mlx_language import ChatTemplate

    def _template(text, *tokens):
        write_tiny_tokenizer(tmp_path)
        tokenizer = load_tokenizer(tmp_path, {"local_files_only": True})
        tokenizer.chat_template = text
        tokenizer.has_chat_template = text is not None
        tokenizer.add_tokens(list(tokens))
        return ChatTemplate(tokenizer), tokenizer

    return _template


def written(template, thinking=False, messages=ASKED):
    chat, tokenizer = template
    prompt = chat.prompt(messages, thinking=thinking)
    return tokenizer.decode(prompt.tokens), prompt


def heard(prompt, text):
    parts = prompt.splitter.push(text) + prompt.splitter.finish()
    return [(part.reasoning, part.text) for part in parts]


def test_the_prompt_is_the_models_own_template(template):
    text, prompt = written(template(CHAT_TEMPLATE))
    assert text == (
        "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nWhere?<|im_end|>\n"
        "<|im_start|>assistant\n"
    )
    assert prompt.stop == ()
    assert heard(prompt, "<think>Hm</think>There") == [(True, "Hm"), (False, "There")]


def test_a_template_that_can_is_told_whether_to_think(template):
    chat = template(SWITCH)
    assert written(chat, thinking=True)[0].endswith("assistant\n")
    assert written(chat, thinking=False)[0].endswith("<think>\n\n</think>\n\n")


def test_after_a_template_that_opens_the_reasoning_the_text_is_reasoning(template):
    _, prompt = written(template(OPENS), thinking=True)
    assert heard(prompt, "Hm</think>\n\nThere") == [(True, "Hm"), (False, "There")]


def test_reasoning_that_a_template_opens_is_closed_when_it_is_not_wanted(template):
    text, prompt = written(template(OPENS), thinking=False)
    assert text.endswith("<think>\n\n</think>\n\n")
    assert heard(prompt, "There") == [(False, "There")]


def test_harmony_opens_the_final_channel_unless_the_model_may_think(template):
    chat = template(HARMONY, "<|channel|>", "<|message|>")
    text, prompt = written(chat, thinking=False)
    assert text.endswith("<|start|>assistant<|channel|>final<|message|>")
    assert heard(prompt, "There") == [(False, "There")]
    text, prompt = written(chat, thinking=True)
    assert text.endswith("<|start|>assistant")
    assert heard(prompt, "<|channel|>analysis<|message|>Hm") == [(True, "Hm")]


def test_a_template_without_system_messages_gets_it_in_the_users(template):
    text, _ = written(template(NO_SYSTEM))
    assert "<|im_start|>user\nBe brief.\n\nWhere?<|im_end|>" in text


def test_a_model_without_a_template_gets_a_plain_dialogue_that_ends_with_its_turn(template):
    text, prompt = written(template(None))
    assert text == "Be brief.\n\nUser: Where?\n\nAssistant:"
    assert prompt.stop == ("\nUser:",)


def test_the_ends_of_system_message_and_history_are_found(template):
    chat, tokenizer = template(CHAT_TEMPLATE)
    messages = (*ASKED, Message("assistant", "There."), Message("user", "When?"))
    tokens = chat.prompt(messages, thinking=False).tokens
    system, history = chat.boundaries(messages, tokens)
    assert tokenizer.decode(tokens[:system]).endswith("Be brief.<|im_end|>\n")
    assert tokenizer.decode(tokens[:history]).endswith("There.<|im_end|>\n")
