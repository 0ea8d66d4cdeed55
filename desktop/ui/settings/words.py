"""How the values of the settings are put to people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale

from desktop.ui.language import tr

if TYPE_CHECKING:
    from pydantic import ValidationError

    from desktop.core.settings.describing import SettingField


def choice(value: str) -> str:
    """Return what one of the choices is called."""
    named = {
        "system": tr("System"),
        "light": tr("Light"),
        "dark": tr("Dark"),
        "on": tr("On"),
        "off": tr("Off"),
        "auto": tr("Automatic"),
        "dspy": tr("The language model (DSPy)"),
        "prompt": tr("The language model (one fixed prompt)"),
        "rules": tr("Rules"),
        "model": tr("The language model, every time"),
        "both": tr("Choose steps and write answers"),
        "write": tr("Write answers"),
        "decide": tr("Choose steps"),
        "quote": tr("Nothing: the manuals are quoted"),
        "merge": tr("Both together"),
        "feed_only": tr("Notes, where there are any"),
        "attribute_only": tr("Only what is in the settings"),
        "corrections": tr("What was corrected"),
        "all": tr("Everything"),
        "always": tr("Always"),
        "chosen": tr("When a language model chooses to"),
        "mlx": "MLX",
        "torch": "torch",
        # each language in its own words: whoever is lost in another one must find it
        "en": "English",
        "de": "Deutsch",
    }
    return named.get(value, value)


def usual(field: SettingField) -> str:
    match field.kind:
        case "flag":
            return tr("On") if field.default else tr("Off")
        case "choice":
            return choice(str(field.default))
        case "decimal" if field.default is not None:
            return QLocale().toString(float(field.default), "g")
        case _ if field.default is None:
            return tr("Automatic")
        case _:
            return choice(str(field.default)) if field.default != "" else tr("empty")


def caption(field: SettingField) -> str:
    """Return the title, with the part of the section it belongs to."""
    if not field.group:
        return tr(field.title)
    return tr("{part}: {title}").format(part=tr(field.group), title=tr(field.title))


def fault(error: ValidationError) -> str:
    """Say what is wrong with a value."""
    complaint = error.errors(include_url=False)[0]
    bounds = complaint.get("ctx", {})
    match complaint["type"]:
        case "greater_than":
            return tr("The value must be more than {n}.").format(n=bounds["gt"])
        case "greater_than_equal":
            return tr("The value must be at least {n}.").format(n=bounds["ge"])
        case "less_than_equal":
            return tr("The value must be at most {n}.").format(n=bounds["le"])
        case "multiple_of":
            return tr("The value must be a multiple of {n}.").format(n=bounds["multiple_of"])
        case "string_too_long":
            return tr("The text must not be longer than {n} characters.").format(
                n=bounds["max_length"]
            )
        case _:
            return tr("This value is not allowed here; the old one is kept.")
