"""Text to index terms: words stemmed, technical codes kept whole and findable in parts.

"RS-485" gives rs485, rs and 485; "24 V", "24V" and "24 V DC" all give 24v; "Menu 41"
gives menu, 41 and menu41. Terms consist of letters, digits and "_" only, so that FTS5's
unicode61 tokenizer with tokenchars "_" takes them as they are.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import snowballstemmer

from desktop.core.retrieval.stopwords import STOPWORDS

LANGUAGES = {"en": "english", "de": "german"}

_TOKEN = re.compile(r"[^\W_]+(?:[-_./+'’][^\W_]+)*[+]?", re.UNICODE)
_PART = re.compile(r"[^\W\d_]+|\d+", re.UNICODE)
_NUMBER = re.compile(r"^\d+(?:[.,]\d+)*$")
_NUMBER_UNIT = re.compile(r"^(\d+(?:[.,]\d+)*)([a-z°µω%]{1,4}\d?)$")
_NOT_TERM = re.compile(r"[^\w]", re.UNICODE)

UNITS = frozenset(
    "v vdc vac mv kv a ma ua µa ah mah w kw mw kwh wh va hz khz mhz ghz ohm ohms kohm k ω kω mω"
    " mm cm m km in inch mil mm2 mm² awg bar mbar psi pa kpa mpa nm n c °c °f s sec ms us µs min"
    " h hr hours minutes seconds kg g lb l ml rpm bit bits byte bytes kb mb gb kib mib gib"
    " baud bps kbps mbps db dbm %".split()
)
_DC_AC = re.compile(r"(?:dc|ac)$")
# Words that a number after them names: "Menu 41", "pin 14" are found as one term.
NUMBERED = frozenset(
    "menu pin table tabelle figure fig abbildung bild chapter kapitel section abschnitt step"
    " schritt page seite revision rev error fehler fault code relay input output port bit zone"
    " channel kanal terminal klemme uart gpio".split()
)

_STEMMERS = {code: snowballstemmer.stemmer(name) for code, name in LANGUAGES.items()}


def index_terms(text: str, language: str = "en") -> str:
    """Return the terms of `text` for a full-text index, separated by spaces.

    language: "en" or "de", the stemmer used for words; codes are not stemmed.
    """
    return " ".join(_sequence_terms(text, language))


def query_terms(text: str) -> list[tuple[str, ...]]:
    """Return one group of alternative terms per meaningful word of a question.

    Stop words are left out; each word is stemmed in every language. A group's terms
    mean the same and are to be joined by OR. Order follows the question, no repeats.
    """
    groups: dict[tuple[str, ...], None] = {}
    tokens = _tokens(text)
    for position, token in enumerate(tokens):
        if token in STOPWORDS:
            continue
        terms: dict[str, None] = {}
        for language in LANGUAGES:
            terms.update(dict.fromkeys(_token_terms(token, language)))
        if terms:
            groups[tuple(terms)] = None
        compound = _compound(tokens[position - 1] if position else "", token)
        if compound:
            groups[(compound,)] = None
    return list(groups)


def detect_language(text: str) -> str:
    """Return "de" or "en", by which language's function words are more frequent."""
    words = [word.casefold() for word in re.findall(r"[^\W\d_]+", text)]
    german = sum(word in _GERMAN_MARKERS for word in words)
    english = sum(word in _ENGLISH_MARKERS for word in words)
    return "de" if german > english else "en"


_GERMAN_MARKERS = frozenset(
    "der die das und ist nicht mit wird werden für auf ein eine den".split()
)
_ENGLISH_MARKERS = frozenset("the and is not with are for on a an of to this that be".split())


def _sequence_terms(text: str, language: str) -> list[str]:
    terms: list[str] = []
    previous = ""
    for token in _tokens(text):
        terms.extend(_token_terms(token, language))
        compound = _compound(previous, token)
        if compound:
            terms.append(compound)
        previous = token
    return terms


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(_normalized(text))


def _normalized(text: str) -> str:
    if text.isascii():
        return text.lower()
    text = text.replace("²", "2").replace("³", "3").replace("Ω", "ohm").replace("Ω", "ohm")
    return unicodedata.normalize("NFKC", text).replace("ß", "ss").casefold()


def _compound(previous: str, token: str) -> str:
    """Return "24v" for 24 and V, "menu41" for Menu and 41, or ""."""
    if token in UNITS and _NUMBER.match(previous):
        return _joined(previous) + _DC_AC.sub("", token) if token != "%" else ""
    if previous in NUMBERED and token[0].isdigit() and len(token) <= 6:
        return previous + _joined(token)
    return ""


def _joined(token: str) -> str:
    """Return the token as one term: decimal separators become "_", other marks vanish."""
    if _NUMBER.match(token):
        return re.sub(r"[.,]", "_", token)
    return _NOT_TERM.sub("", token) if "_" not in token else re.sub(r"[^\w]", "", token)


@lru_cache(maxsize=200_000)
def _token_terms(token: str, language: str) -> tuple[str, ...]:
    if token.isalpha():
        return (_stem(token, language),)
    terms: dict[str, None] = {_joined(token): None}
    number_unit = _NUMBER_UNIT.match(token)
    if number_unit:
        number, unit = number_unit.groups()
        terms[_joined(number)] = None
        terms[_joined(number) + _DC_AC.sub("", unit)] = None
    elif not _NUMBER.match(token):
        pieces = re.split(r"[-_./+'’]", token)
        for piece in pieces:
            if piece.isalpha():
                terms[_stem(piece, language)] = None
            elif piece:
                terms[piece] = None
    return tuple(term for term in terms if term)


@lru_cache(maxsize=200_000)
def _stem(word: str, language: str) -> str:
    if len(word) < 3:
        return word
    return str(_STEMMERS[language].stemWord(word))
