"""Small digits beside a number: powers of ten, fractions, marks of footnotes.

A text layer has "5x108", "11/16" and "251" for what is printed as "5x10⁸", "1¹⁄₁₆" and "25¹".
Pages are stored with the signs that are printed; `as_typed` gives what a person types for them.
"""

from __future__ import annotations

import re
import unicodedata

_RAISED = str.maketrans("0123456789+-\u2212\u2013", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻")
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SLASH = "\u2044"
_FRACTION_AFTER = re.compile(r"(?<=\d)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)⁄([₀₁₂₃₄₅₆₇₈₉]+)|(?<=\d)([¼-¾⅐-⅞])")
_POWER = re.compile(r"(?<=\d)([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)")


def raised(digits: str) -> str:
    """Return digits, which a sign may lead, as they are printed above a line."""
    return digits.translate(_RAISED)


def fraction(above: str, below: str) -> str:
    """Return a fraction as it is printed: "1" and "16" as "¹⁄₁₆"."""
    return f"{raised(above)}{_SLASH}{below.translate(_LOWERED)}"


def as_typed(text: str) -> str:
    """Return a text with "10^8" for "10⁸" and "1 1/16" for "1¹⁄₁₆"; "mm²" stays as it is."""
    if text.isascii():
        return text
    text = _FRACTION_AFTER.sub(lambda match: " " + _plain(match[0]), text)
    return _POWER.sub(lambda match: "^" + _plain(match[0]), text)


def _plain(digits: str) -> str:
    return unicodedata.normalize("NFKC", digits).replace(_SLASH, "/").replace("\u2212", "-")
