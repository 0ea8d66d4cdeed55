"""How the values of the settings are said to people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale

from desktop.ui.language import told

if TYPE_CHECKING:
    from pydantic import ValidationError

    from desktop.core.settings.describing import SettingField


def _tr(text: str) -> str:
    return QCoreApplication.translate("Settings", text)


def choice(field: SettingField, value: str) -> str:
    """Return what one of the choices is called."""
    named = {
        "system": _tr("System"),
        "light": _tr("Light"),
        "dark": _tr("Dark"),
        "on": _tr("On"),
        "off": _tr("Off"),
        "auto": _tr("Automatic"),
        "dspy": _tr("The language model (DSPy)"),
        "prompt": _tr("The language model (one fixed prompt)"),
        "rules": _tr("Rules"),
        "model": _tr("The language model, every time"),
        "both": _tr("Choose steps and write answers"),
        "write": _tr("Write answers"),
        "decide": _tr("Choose steps"),
        "quote": _tr("Nothing: the manuals are quoted"),
        "merge": _tr("Both together"),
        "feed_only": _tr("Notes, where there are any"),
        "attribute_only": _tr("Only what stands in the settings"),
        "corrections": _tr("What was corrected"),
        "all": _tr("Everything"),
        "always": _tr("Always"),
        "chosen": _tr("When a language model chooses to"),
        "mlx": "MLX",
        "torch": "torch",
        # each language in its own words: whoever is lost in another one must find it
        "en": "English",
        "de": "Deutsch",
    }
    return named.get(value, value)


def usual(field: SettingField) -> str:
    """Return the default as it is shown."""
    match field.kind:
        case "flag":
            return _tr("On") if field.default else _tr("Off")
        case "choice":
            return choice(field, str(field.default))
        case "decimal" if field.default is not None:
            return QLocale().toString(float(field.default), "g")
        case _:
            return (
                choice(field, str(field.default))
                if field.default not in (None, "")
                else _tr("empty")
            )


def caption(field: SettingField) -> str:
    """Return the title, with the part of the section it belongs to."""
    if not field.group:
        return told(field.title)
    return _tr("{part}: {title}").format(part=told(field.group), title=told(field.title))


def fault(error: ValidationError) -> str:
    """Say what is wrong with a value."""
    complaint = error.errors(include_url=False)[0]
    bounds = complaint.get("ctx", {})
    match complaint["type"]:
        case "greater_than":
            return _tr("It must be more than {n}.").format(n=bounds["gt"])
        case "greater_than_equal":
            return _tr("It must be at least {n}.").format(n=bounds["ge"])
        case "less_than_equal":
            return _tr("It must be at most {n}.").format(n=bounds["le"])
        case "multiple_of":
            return _tr("It must be a multiple of {n}.").format(n=bounds["multiple_of"])
        case "string_too_long":
            return _tr("It must not be longer than {n} characters.").format(n=bounds["max_length"])
        case _:
            return _tr("This value is not possible here; the old one stays.")
