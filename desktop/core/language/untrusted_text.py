"""Words of manuals, notes and people in a prompt: they can end no passage, give no order."""

from __future__ import annotations

import re
import unicodedata

_KEPT_CONTROLS = "\n"
_LOOKALIKES = (
    (r"<(?=\s*/?\s*passage)", "‹"),
    # control tokens: <|im_end|>, <start_of_turn>, <think>, </s>, [INST], <<SYS>>
    (r"<(?=\|)", "‹"),
    (r"(?<=\|)>", "›"),
    (r"<(/?)(\w*(?:turn|think|thinking|tool_call|eos|bos|s))>", r"‹\1\2›"),
    (r"<<(/?\w+)>>", r"‹‹\1››"),
    (r"\[(/?INST)\]", r"(\1)"),
    (r"\[\s*\[", "(("),
    (r"\]\s*\]", "))"),
    # a bibliography's "[3]" would become a citation of ours
    (r"[\[【]\s*(\d{1,3}(?:\s*[,–-]\s*\d{1,3})*)\s*[\]】]", r"(\1)"),
)


def neutral(text: str) -> str:
    """Return a manual's words without anything that a prompt could mistake for its own."""
    visible = "".join(
        character
        for character in unicodedata.normalize("NFC", text)
        if character in _KEPT_CONTROLS or unicodedata.category(character)[0] != "C"
    )
    for pattern, replacement in _LOOKALIKES:
        visible = re.sub(pattern, replacement, visible, flags=re.IGNORECASE)
    return visible
