"""The window's language: Qt's translation files, and what the core says looked up in them."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from desktop.core.question.languages import fall_back_to
from desktop.resources import resource
from desktop.sentences import retold

CONTEXT = "Groundwork"
"""The one context of our translations: the same English sentence has one translation."""

ENGLISH = "en"
LANGUAGES = (ENGLISH, "de")
_SPOKEN = "groundwork_language"


class OneContext(QTranslator):
    """Finds a text whichever class said it: a text that moves to another file stays known."""

    def translate(
        self, context: str, source: str, disambiguation: str | None = None, n: int = -1
    ) -> str | None:
        # None lets Qt ask the next translator; "" would be shown.
        return super().translate(CONTEXT, source, disambiguation, n) or None


def language_in_force(wanted: str) -> str:
    """Return "en" or "de" for a setting; else the first of them the system speaks."""
    if wanted in LANGUAGES:
        return wanted
    for each in QLocale.system().uiLanguages():
        spoken = each.replace("_", "-").split("-")[0]
        if spoken in LANGUAGES:
            return spoken
    return ENGLISH


def speak(application: QCoreApplication, language: str) -> None:
    """Say everything from now on in "en" or "de"; what is shown already stays as it is."""
    for old in [
        each for each in application.findChildren(QTranslator) if each.property("groundwork")
    ]:
        application.removeTranslator(old)
        old.deleteLater()
    QLocale.setDefault(_locale(language))
    application.setProperty(_SPOKEN, language)
    fall_back_to(language)
    texts = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    ours = str(resource("translations"))
    for translator, name, folder in (
        (QTranslator(application), f"qtbase_{language}", texts),  # the system's own dialogs
        (OneContext(application), f"groundwork_{language}", ours),
    ):
        if translator.load(name, folder):
            translator.setProperty("groundwork", True)
            application.installTranslator(translator)


def spoken_language() -> str:
    """Return "en" or "de": what the window speaks now."""
    application = QCoreApplication.instance()
    language = application.property(_SPOKEN) if application is not None else None
    return str(language or ENGLISH)


def tr(text: str) -> str:
    """Return a text of the window in its language, for what is said outside a widget."""
    return QCoreApplication.translate(CONTEXT, text) if text else text


def told(text: str) -> str:
    """Return a sentence in the window's language, in English where it is not known.

    Any other text is somebody else's words, and stays as it is.
    """
    return retold(text, tr)


def _locale(language: str) -> QLocale:
    """The system's locale if it speaks the language: it knows the country's date formats."""
    system = QLocale.system()
    if language == ENGLISH or system.name().startswith(language):
        return system
    return QLocale(language)
