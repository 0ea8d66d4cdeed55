"""Text to index terms: words stemmed, technical codes kept whole and findable in parts.

"RS-485" gives rs485, rs and 485; "24 V", "24V" and "24 V DC" all give 24v; "Menu 41"
gives menu, 41 and menu41, "HX-200 TC1" also hx200tc1, "HX/HXL-200" also hxl200. Terms
consist of letters, digits and "_" only, so that FTS5's unicode61 tokenizer with
tokenchars "_" takes them as they are.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from itertools import islice

import snowballstemmer

from desktop.core.raised_digits import as_typed
from desktop.resources import words_by_language

LANGUAGES = {"en": "english", "de": "german"}
_STOPWORDS_OF = words_by_language("stop_words.txt")
STOPWORDS = frozenset(
    word.replace("ß", "ss") for language in LANGUAGES for word in _STOPWORDS_OF[language]
)
"""Words of a question in any language that say nothing about what is asked for."""

_DEFAULT_LANGUAGE = "en"

_TOKEN = re.compile(r"[^\W_]+(?:[-_./+'’][^\W_]+)*[+]?", re.UNICODE)
_SEPARATORS = str.maketrans(dict.fromkeys("-_./+'’", " "))
_NUMBER_UNIT = re.compile(r"^(\d+(?:[.,]\d+)*)([a-z°µω%]{1,4}\d?)$")

UNITS = frozenset(
    "v vdc vac mv kv a ma ua µa ah mah w kw mw kwh wh va hz khz mhz ghz ohm ohms kohm k ω kω mω"
    " mm cm m km in inch mil mm2 mm² awg bar mbar psi pa kpa mpa nm n c °c °f s sec ms us µs min"
    " h hr hours minutes seconds kg g lb l ml rpm bit bits byte bytes kb mb gb kib mib gib"
    " baud bps kbps mbps db dbm %".split()
)
# Words that a number after them names: "Menu 41", "pin 14" are found as one term.
NUMBERED = frozenset(
    "menu pin table tabelle figure fig abbildung bild chapter kapitel section abschnitt step"
    " schritt page seite revision rev error fehler fault code relay input output port bit zone"
    " channel kanal terminal klemme uart gpio".split()
)

_LONGEST_VARIANT = 4
"""Letters of the code that stands behind another one: of a variant."""

_STEMMERS = {code: snowballstemmer.stemmer(name) for code, name in LANGUAGES.items()}


def index_terms(text: str, language: str = "en") -> str:
    """Return the terms of `text` for a full-text index, separated by spaces.

    language: whose stemmer is used for words; one without a stemmer means "en" (a manual
    that was never read has none). Codes are not stemmed.
    """
    return " ".join(term_sequence(text, language))


def term_sequence(text: str, language: str = "en") -> list[str]:
    """Return the terms of `index_terms` one by one."""
    return _sequence_terms(text, language if language in LANGUAGES else _DEFAULT_LANGUAGE)


@lru_cache(maxsize=20_000)
def index_term_set(text: str) -> frozenset[str]:
    """Return the terms of `text` in every language; one answer asks for a text several times."""
    return frozenset(term for language in LANGUAGES for term in _sequence_terms(text, language))


def query_terms(text: str, language: str = "") -> list[tuple[str, ...]]:
    """Return one group of alternative terms per meaningful word of a question.

    Stop words are left out, also those of its language, if that is known; each word is stemmed in
    every language. A group's terms mean the same and are to be joined by OR. Order follows the
    question, no repeats.
    """
    groups: dict[tuple[str, ...], None] = {}
    said_with = _stop_terms(language)
    tokens = _tokens(text)
    for position, token in enumerate(tokens):
        compound = _compound(tokens[position - 1] if position else "", token)
        if compound:
            groups[(compound,)] = None
        if token not in STOPWORDS:
            for part in _codes_apart(token):
                groups.update(dict.fromkeys(_token_groups(part)))
    return [group for group in groups if group and group[0] not in said_with]


@cache
def _stop_terms(language: str) -> frozenset[str]:
    """Return the terms of the stop words of a language that has no stemmer."""
    words = _STOPWORDS_OF.get(language, ()) if language not in LANGUAGES else ()
    return frozenset(group[0] for word in words for group in _token_groups(word))


def _codes_apart(token: str) -> list[str]:
    """Return the codes of "A7/W35" one by one; a manual may write them apart, or one of them."""
    parts = token.split("/")
    both = len(parts) > 1 and all(
        any(map(str.isdigit, part)) and any(map(str.isalpha, part)) for part in parts
    )
    return parts if both else [token]


@lru_cache(maxsize=100_000)  # every word of the sentences that are compared with a question
def _token_groups(token: str) -> tuple[tuple[str, ...], ...]:
    """Return the term groups of one word of a question.

    A code counts as said only where all of it is present: S-131 does not say S-200.
    """
    if any(character.isdigit() for character in token) or "_" in token:
        return (_code_terms(token),)
    words = [word for word in _pieces(token) if word not in STOPWORDS]
    whole = (_joined(token),) if len(words) > 1 else ()
    return tuple(
        tuple(dict.fromkeys([*(_stem(word, language) for language in LANGUAGES), *whole]))
        for word in words
        if word
    )


def _sequence_terms(text: str, language: str) -> list[str]:
    known = _KNOWN[language]
    terms: list[str] = []
    previous = ""
    for token in _tokens(text):
        found = known.get(token) or _known(token, language)
        terms += found[0]
        if found[1] and (compound := _compound(previous, token)):
            terms.append(compound)
        previous = token
    return terms


# Terms of a word, and whether it may belong to the one before it: a plain dictionary, because
# this is asked for every word of a library, and of hundreds of passages for one question.
_KNOWN: dict[str, dict[str, tuple[tuple[str, ...], bool]]] = {code: {} for code in LANGUAGES}
_MOST_KNOWN = 100_000


def _known(token: str, language: str) -> tuple[tuple[str, ...], bool]:
    known = _KNOWN[language]
    found = known.get(token)
    if found is not None:
        return found
    if len(known) >= _MOST_KNOWN:  # half of them go, the oldest first
        for old in list(islice(known, _MOST_KNOWN // 2)):
            known.pop(old, None)
    may_go_on = token in UNITS or token[0].isdigit() or _is_mixed(token)
    found = _token_terms(token, language), may_go_on
    known[token] = found
    return found


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(_normalized(text))


def _normalized(text: str) -> str:
    if text.isascii():
        return text.lower()
    text = as_typed(text).replace("²", "2").replace("³", "3")
    text = text.replace("Ω", "ohm").replace("Ω", "ohm")
    return unicodedata.normalize("NFKC", text).replace("ß", "ss").casefold()


def _compound(previous: str, token: str) -> str:
    """Return "24v" for 24 and V, "menu41" for Menu and 41, "hx200tc1" for HX-200 and TC1, or ""."""
    if token in UNITS and _is_number(previous):
        unit = token.removesuffix("dc").removesuffix("ac")
        return _joined(previous) + unit if token != "%" else ""
    if token[0].isdigit() and len(token) <= 6 and _names_a_number(previous):
        return previous + _joined(token)
    if len(token) <= _LONGEST_VARIANT and _is_mixed(token) and _is_mixed(previous):
        return _joined(previous) + _joined(token)
    return ""


def _is_mixed(token: str) -> bool:
    """Whether a token begins with a letter and has digits, as codes do."""
    return token[:1].isalpha() and any(map(str.isdigit, token))


def _names_a_number(word: str) -> bool:
    """Whether a number after the word belongs to it: "Menu 41", "RS 485", "HX 200"."""
    return word in NUMBERED or (word.isalpha() and len(word) <= 4 and word not in STOPWORDS)


def _joined(token: str) -> str:
    """Return the token as one term: decimal separators become "_", other marks vanish."""
    if _is_number(token):
        return token.replace(".", "_").replace(",", "_")
    return re.sub(r"\W", "", token)


def _is_number(token: str) -> bool:
    return all(map(str.isdecimal, token.replace(",", ".").split(".")))


def _pieces(token: str) -> list[str]:
    """Return what stands between the separators of a token."""
    return token.translate(_SEPARATORS).split(" ")


def _token_terms(token: str, language: str) -> tuple[str, ...]:
    """Return the terms by which a word of a manual is found: itself, and a code's parts."""
    if token.isalpha():
        return (_stem(token, language),)
    terms = dict.fromkeys(_code_terms(token))
    number_unit = _NUMBER_UNIT.match(token)
    if number_unit:
        terms[_joined(number_unit.group(1))] = None
    elif not _is_number(token):
        for piece in _pieces(token):
            terms[_stem(piece, language) if piece.isalpha() else piece] = None
        terms.update(
            dict.fromkeys(_joined(part) for part in token.split("/")[1:] if _is_mixed(part))
        )
    return tuple(term for term in terms if term)


def _code_terms(token: str) -> tuple[str, ...]:
    """Return a code in one piece, a number with its unit, and parts that are codes."""
    terms = {_joined(token): None}
    number_unit = _NUMBER_UNIT.match(token)
    if number_unit:
        number, unit = number_unit.groups()
        terms[_joined(number) + unit.removesuffix("dc").removesuffix("ac")] = None
    elif "_" not in token:
        pieces = [piece for piece in _pieces(token) if not piece.isalpha()]
        terms.update(dict.fromkeys(p for p in pieces if p and not p.isdigit()))
    return tuple(term for term in terms if term)


@lru_cache(maxsize=200_000)
def _stem(word: str, language: str) -> str:
    if len(word) < 3:
        return word
    return str(_STEMMERS[language].stemWord(word))
