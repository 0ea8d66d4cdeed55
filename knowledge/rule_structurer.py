"""Structuring a note by rules, where there is no language model."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from hashlib import blake2b
from typing import TYPE_CHECKING

from knowledge.cues import FUNCTION_WORDS
from knowledge.pieces import CONTEXT, INSTRUCTIONS, USER_PROFILE, KnowledgeType

if TYPE_CHECKING:
    from knowledge.ports import StructuringRequest

_LEAST_TAG_LETTERS = 4
_MOST_TAGS = 5
_ID_WORDS = 5

_PARAGRAPHS = re.compile(r"\n\s*\n")
_STEP = re.compile(r"^\s*(?:\d+[.)]|step\s+\d+|schritt\s+\d+)", re.IGNORECASE | re.MULTILINE)
_WORD = re.compile(r"[^\W_]+(?:[-./][^\W_]+)*")
# The first that meets decides; a paragraph that none meets is a note.
_CUES = (
    (KnowledgeType.PREFERENCE, r"\b(?:prefer\w*|favou?rite|i like|bevorzug\w*|lieber)\b"),
    (
        KnowledgeType.EPISODIC,
        r"\b(?:yesterday|last (?:week|month|year|time)|on (?:case|job|site|\d)"
        r"|we (?:tried|saw|found|replaced|changed)|in (?:19|20)\d\d|gestern|letzte[nrs]?)\b",
    ),
    (
        KnowledgeType.PROCEDURE,
        r"\b(?:step \d|schritt \d|first\b.*\bthen|then\b|afterwards|finally|zuerst|danach|dann)\b",
    ),
    (
        KnowledgeType.INSTRUCTION,
        r"\b(?:always|never|must|do not|don't|make sure|be sure|immer|nie|niemals|muss)\b"
        r"|^(?:check|use|open|close|set|keep|remove|replace|press|turn|wait|clean|disconnect)\b",
    ),
    (KnowledgeType.FACT, r"\d|\b(?:is|are|has|have|ist|sind|hat|haben)\b"),
)
_RULES = tuple((kind, re.compile(cue, re.IGNORECASE | re.DOTALL)) for kind, cue in _CUES)
_INFO_TYPES = {
    KnowledgeType.INSTRUCTION: INSTRUCTIONS,
    KnowledgeType.PROCEDURE: INSTRUCTIONS,
    KnowledgeType.PREFERENCE: USER_PROFILE,
}


class RuleStructurer:
    """Makes one piece of each paragraph, its type by the words in it. Satisfies `Structurer`.

    The same text always gives the same ids, so keeping it twice changes nothing. entity_id:
    whom or what the text is about, None for everybody.
    """

    def __init__(self, entity_id: str | None = None) -> None:
        self._entity_id = entity_id

    def structure(self, request: StructuringRequest) -> str:
        """Return the pieces of a text as JSON."""
        paragraphs = [part.strip() for part in _PARAGRAPHS.split(request.text) if part.strip()]
        pieces = {str(piece["piece_id"]): piece for piece in map(self._piece, paragraphs)}
        return json.dumps({"pieces": list(pieces.values())}, ensure_ascii=False)

    def _piece(self, paragraph: str) -> dict[str, object]:
        kind = knowledge_type_of(paragraph)
        piece: dict[str, object] = {
            "piece_id": piece_id_of(paragraph, self._entity_id or ""),
            "content": paragraph,
            "knowledge_type": kind.value,
            "info_type": _INFO_TYPES.get(kind, CONTEXT),
            "tags": tags_of(paragraph),
        }
        return piece | ({"entity_id": self._entity_id} if self._entity_id else {})


def knowledge_type_of(paragraph: str) -> KnowledgeType:
    """Return what a paragraph seems to be."""
    if len(_STEP.findall(paragraph)) > 1:
        return KnowledgeType.PROCEDURE
    return next((kind for kind, cue in _RULES if cue.search(paragraph)), KnowledgeType.NOTE)


def tags_of(paragraph: str) -> list[str]:
    """Return the technical codes and acronyms of a paragraph, then its most frequent words."""
    words = _WORD.findall(paragraph)
    codes = [word for word in words if _is_code(word)]
    plain = Counter(
        word.casefold()
        for word in words
        if word.isalpha()
        and not _is_code(word)
        and len(word) >= _LEAST_TAG_LETTERS
        and word.casefold() not in FUNCTION_WORDS
    )
    frequent = [word for word, count in plain.most_common() if count > 1]
    return list(dict.fromkeys(word.casefold()[:80] for word in [*codes, *frequent]))[:_MOST_TAGS]


def piece_id_of(paragraph: str, entity_id: str = "") -> str:
    """Return a readable id that follows from the words of a paragraph and whom they are about."""
    text = unicodedata.normalize("NFKD", paragraph).encode("ascii", "ignore").decode().casefold()
    words = [w for w in re.findall(r"[a-z0-9]+", text) if w not in FUNCTION_WORDS][:_ID_WORDS]
    told = " ".join(paragraph.split()) + (f"\0{entity_id}" if entity_id else "")
    digest = blake2b(told.encode(), digest_size=4).hexdigest()
    return "-".join([*(word[:20] for word in words), digest])


def _is_code(word: str) -> bool:
    """Whether a word is a code (S-130, P-200) or an acronym (LES), and no bare number."""
    letters = [c for c in word if c.isalpha()]
    digits = any(c.isdigit() for c in word)
    return len(word) > 1 and bool(letters) and (digits or all(c.isupper() for c in letters))
