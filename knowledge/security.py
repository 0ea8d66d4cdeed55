"""What may not be kept as knowledge: nothing, unreadable text, and secrets.

Known forms of credentials are recognised by detect-secrets' patterns (only the patterns: it is
never asked to verify one, so nothing reaches a network), and passwords, keys and tokens in
prose by ours. A reason names the kind of secret and never any part of it.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Any

from knowledge.errors import KnowledgeRefused
from knowledge.sentences import said

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MOST_CHARACTERS = 100_000
"""Characters of one piece; a longer text is a document and belongs among the manuals."""

_TEXT = said("The text")

_DETECTORS = (
    "artifactory aws azure_storage_key basic_auth cloudant discord github_token ibm_cloud_iam"
    " ibm_cos_hmac jwt mailchimp npm private_key sendgrid slack softlayer square_oauth stripe"
    " twilio".split()
)
# Every form the detectors know has a long word with a digit or a mark, or these characters.
_MAY_BE_SECRET = re.compile(r"://|\S*[\d:=/_@.\-]\S{9,}|\S{9,}[\d:=/_@.\-]")

_NAME_SECRETS = (
    "pass pwd kennwort key token secret credential zugangsdaten bearer authorization".split()
)

_NAMES = (
    r"(?:pass(?:word|wd|phrase|code)?|pwd|kennwort|passwort"
    r"|(?:api|access|secret|auth|client|private|service|account|encryption|signing)[ _.-]?key"
    r"|(?:api|access|auth|bearer|refresh|session|security)?[ _.-]?token|client[ _.-]?secret"
    r"|secret|credentials?|zugangsdaten)"
)
_ASSIGNED = re.compile(
    rf"(?<![^\W_])(?:\w+[_.-])?{_NAMES}[\"'`*]*\s*(?::=|=>|[:=])\s*(?P<value>[^\r\n]{{1,200}})",
    re.I,
)
_SAID = re.compile(
    rf"\b{_NAMES}\b(?:\s+\w+){{0,3}}?\s+(?:is|was|lautet|ist|to)\s+(?P<value>\S{{4,200}})", re.I
)
_FORMS = (
    (said("a private key"), r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY"),
    (
        said("a bearer token"),
        r"(?i)\bbearer\s+(?=\S*\d)[\w\-.~+/]{8,}|\bbearer\s+[\w\-.~+/]{24,}",
    ),
    (
        said("an authorization header"),
        r"(?i)\bauthorization[\"']?\s*[:=]\s*[\"']?(?:basic|bearer|token|digest)\s+\S{6,}",
    ),
    (
        said("an API key"),
        r"\b(?:sk|pk|rk)[-_](?:[a-z]+[-_])?[A-Za-z0-9_-]{20,}|\bAIza[\w-]{35}|\bgithub_pat_\w{20,}"
        r"|\bglpat-[\w-]{20,}|\bhf_[A-Za-z0-9]{30,}|\bya29\.[\w-]{20,}",
    ),
)
# "Password: see page 4-2" tells where it is, not what it is.
_NO_VALUE = frozenset(
    "none unknown required optional changed unchanged missing blank empty lost forgotten wrong"
    " invalid expired disabled enabled default yes no see ask keine unbekannt siehe not".split()
)
_QUOTES = "\"'`*<>()[]{},;.!?"


def check_text(text: str, what: str = _TEXT) -> None:
    """Refuse an empty text, one too long, and one with a secret; what: its name in the reason.

    Raises: KnowledgeRefused.
    """
    if not text.strip():
        raise KnowledgeRefused("{what} is empty.", what=what)
    check_optional_text(text, what)


def check_optional_text(text: str, what: str = _TEXT) -> None:
    """Refuse what `check_text` refuses, but allow an empty text."""
    if len(text) > MOST_CHARACTERS:
        raise KnowledgeRefused(
            "{what} has {text} characters; at most {most_characters} can be kept. "
            "Add a longer text to the library as a document.",
            what=what,
            text=f"{len(text):,}",
            most_characters=f"{MOST_CHARACTERS:,}",
        )
    fault = _unreadable(text)
    if fault:
        raise KnowledgeRefused("{what} {fault}.", what=what, fault=fault)
    secret = secret_in(text)
    if secret:
        raise KnowledgeRefused(
            "{what} seems to contain {secret}. Remove it: secrets are not kept in notes.",
            what=what,
            secret=secret,
        )


def check_values(values: Mapping[str, Any], what: str) -> None:
    """Refuse values of JSON if a text in them may not be kept. Raises: KnowledgeRefused."""
    for line in _lines(values):
        check_optional_text(line, what)


def secret_in(text: str) -> str | None:
    """Return which kind of secret a text seems to contain, with its line, or None."""
    plain = _plain(text)
    folded = plain.casefold()
    if not any(word in folded for word in _NAME_SECRETS) and not _MAY_BE_SECRET.search(plain):
        return None  # nearly every text, in a twentieth of the time
    for number, line in enumerate(plain.splitlines(), 1):
        kind = _secret_in_line(line)
        if kind:
            return said("{kind} (line {n})", kind=kind, n=number)
    return None


def _secret_in_line(line: str) -> str | None:
    for kind, form in _FORMS:
        if re.search(form, line):
            return kind
    if any(_is_value(found["value"]) for found in _ASSIGNED.finditer(line)):
        return said("a password, key or token")
    if any(_is_code(found["value"].strip(_QUOTES)) for found in _SAID.finditer(line)):
        return said("a password, key or token")
    if _MAY_BE_SECRET.search(line):
        for detector in _detectors():
            if next(iter(detector.analyze_string(line)), None) is not None:
                return said("a secret ({kind})", kind=detector.secret_type)
    return None


def _is_value(rest: str) -> bool:
    """Whether what follows "password:" is a value and not a sentence about it."""
    words = rest.split()
    first = words[0].strip(_QUOTES) if words else ""
    if len(first) < 4 or first.casefold() in _NO_VALUE:
        return False
    quoted = words[0][0] in "\"'`"
    alone = len(words) == 1 or words[0][-1] in ",;.}"
    return quoted or alone or _is_code(first)


def _is_code(word: str) -> bool:
    """Whether a word looks made up: digits, marks, or capitals inside."""
    return len(word) >= 4 and (
        any(c.isdigit() for c in word)
        or bool(re.search(r"[^\w\-'’./]", word))
        or bool(re.search(r"[a-z][A-Z]", word))
    )


@cache
def _detectors() -> tuple[Any, ...]:
    # Imports requests, a third of a second: only when a text first looks as if it were needed.
    import importlib

    from detect_secrets.plugins.base import RegexBasedDetector

    return tuple(
        kind()
        for name in _DETECTORS
        for module in [importlib.import_module(f"detect_secrets.plugins.{name}")]
        for kind in vars(module).values()
        if isinstance(kind, type)
        and issubclass(kind, RegexBasedDetector)
        and kind.__module__ == module.__name__
    )


def _unreadable(text: str) -> str:
    """Return why a string is not text that can be stored, or ""."""
    if "\0" in text:
        return said("contains a NUL character")
    if not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text):
        return said("contains half a character (a lone surrogate)")
    return ""


def _plain(text: str) -> str:
    """Return text without the invisible and wide characters that hide a secret from patterns."""
    if text.isascii():
        return text
    folded = unicodedata.normalize("NFKC", text)
    return "".join(c for c in folded if unicodedata.category(c) != "Cf")


def _lines(values: Any, key: str = "") -> Iterator[str]:
    if isinstance(values, dict):
        for name, value in values.items():
            yield str(name)
            yield from _lines(value, str(name))
    elif isinstance(values, (list, tuple)):
        for value in values:
            yield from _lines(value, key)
    elif values is not None and not isinstance(values, bool):
        yield f"{key}: {values}" if key else str(values)
