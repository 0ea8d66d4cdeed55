"""What may stand in the window in any language: manuals, questions, names, units."""

from __future__ import annotations

import ast
import re
import xml.etree.ElementTree as ET
from functools import cached_property
from pathlib import Path

import pymupdf

from desktop.core.conversations.suggested_questions import PHRASES
from desktop.core.paths import sample_manuals
from desktop.resources import resource

ROOT = Path(__file__).resolve().parents[3]
_IN_ENGLISH = (
    # asked in English, and so answered
    "Contradictions Agreements No contradiction was found. No agreement was found. "
    # of a part that takes the manual's own words
    "Unterminated string (at end of document ThorGuard Intruder Alarm System ordered from "
)
SCRIPTED = ("tests/ui/**/*.py", "tests/fakes/*.py")
"""Whose texts, but for those of the tests themselves, are what manuals and people say."""
NAMES = frozenset(
    # the product, its parts and profiles, what others call their own
    "Groundwork Lite Field Standard Workstation Qwen ColQwen E5 DSPy Hugging Face MLX torch "
    "GNU AGPL Apache MIT BSD OpenTelemetry JSON PDF PNG USB SHA-256 FAT32 exFAT TOML "
    # the same in both languages
    "Name OK Where pump Settings installers part Contradictions Agreements "
    "Plan Problem Original Revision Text Layout Offline Details Version "
    # what the sample manuals call their own revision
    "Edition "
    # words that stand in a list of what a person may choose or type
    "SHA user_profile user profile "
    # months as Qt shortens them in both
    "Jan "
    # languages, each in its own words
    "English Deutsch "
    # units, keys and the values of settings as they are written in a file
    "GB MB kB GiB MiB MP ms min mm Nm bar Esc Enter Tab Ctrl Alt Shift Del Return "
    "context instructions skills user_profile".split()
)
CELLS = frozenset({"Terminal", "Torque", "Screw", "Strip length", "X2:1 to X"})
"""Of the row that a card shows of the sample manual; some are words of ours as well."""
_SUGGESTED = re.compile(
    "|".join(
        re.sub(r"\\{\w+\\}", ".+", re.escape(phrase))
        for phrases in PHRASES.values()
        for phrase in phrases.values()
    )
)
"""Questions that a manual answers are in its own language."""
_EDGES = re.compile(r"^[\W\d_]+|[\W\d_]+$")
_BETWEEN = re.compile(
    r"[,;:·|›()>\[\]–…]|\d+(?:[.,]\d+)?$"
    r"|\b(?:measured by|ordered from|behind|belongs to)\b"  # relations that a note made up
)
_FILE = re.compile(r"\S+\.(?:pdf|toml|json|md|zip|db|txt)|(?:tmp|home)/\S.*")
_URL = re.compile(r"^\S+\.\w+/\S+$")
_TECHNICAL = re.compile(r"Library\w+: ")  # the details of a problem, for whoever helps
_MANY = 4
_VOCABULARY = re.compile(r"[^\W\d_]{2,}")


class DataTexts:
    """Knows what is data. more: texts of this run, such as paths and notes."""

    def __init__(self, more: str = "") -> None:
        self._more = more

    def holds(self, text: str) -> bool:
        """Whether a text came from a manual or a person, or is a name; or each part of it."""
        if _SUGGESTED.match(f"{text}?"):  # its question mark is cut off
            return True
        if self._holds(text) or _TECHNICAL.match(text):
            return True
        if self._has(text.replace("·", "|")):  # a row of a table, as it is shown
            return True
        if any(cell in text for cell in CELLS) and "·" in text:  # a value's label and its row
            return all(self._holds(part) for part in text.split("·"))
        parts = [part for part in _BETWEEN.split(_flat(text)) if _VOCABULARY.search(part)]
        many = len(parts) >= _MANY
        return all(self._holds(part) or (many and self._has(part)) for part in parts)

    def _has(self, text: str) -> bool:
        return _EDGES.sub("", _flat(text)).casefold() in self._blob

    def _holds(self, text: str) -> bool:
        flat = _EDGES.sub("", _flat(text))
        words = _VOCABULARY.findall(flat)
        if all(word in NAMES for word in words) or flat in self._whole or flat in CELLS:
            return True
        if _FILE.fullmatch(flat) or _URL.search(flat):
            return True
        if len(words) > 1:
            return flat.casefold() in self._blob
        # one word of a manual may be a word of ours: "page", "note"
        return words[0].casefold() not in self._our_words and flat.casefold() in self._blob

    @cached_property
    def _whole(self) -> frozenset[str]:
        texts = map(_flat, self._scripted)
        return frozenset(_EDGES.sub("", text) for text in texts)

    @cached_property
    def _blob(self) -> str:
        pages = []
        for path in sample_manuals():
            with pymupdf.open(path) as pdf:
                pages += [page.get_text() for page in pdf] + [path.stem, str(pdf.metadata)]
                pages += [entry[1] for entry in pdf.get_toc()]
        catalogue = resource("models.toml").read_text("utf-8")
        licences = [p.read_text("utf-8", "replace") for p in resource("licences").glob("**/*.txt")]
        texts = [*self._scripted, _IN_ENGLISH, *pages, catalogue, *licences, self._more]
        return _flat(" ".join(texts)).casefold()

    @cached_property
    def _our_words(self) -> frozenset[str]:
        root = ET.fromstring(resource("translations", "groundwork_de.ts").read_text("utf-8"))
        said = " ".join(each.findtext("source", "") for each in root.iter("message"))
        return frozenset(word.casefold() for word in _VOCABULARY.findall(said))

    @cached_property
    def _scripted(self) -> list[str]:
        found = []
        for pattern in SCRIPTED:
            for path in sorted(ROOT.glob(pattern)):
                if path.name.startswith("test_") or "german" in path.parts:
                    continue
                for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                    if isinstance(node, ast.Constant) and isinstance(node.value, str):
                        found.append(node.value)
        return found


def _flat(text: str) -> str:
    """Return a text in one line, without the signs that buttons and rich text write otherwise."""
    return " ".join(text.replace("&amp;", " ").replace("amp;", " ").replace("&", " ").split())
