"""Which setting stands in which pane of the settings window: six plain ones, and Advanced.

What a person at work may want is in the first six; what only makes sense to somebody
who knows the program is in Advanced; the rest is in the file alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.settings.describing import describe
from desktop.core.settings.sections import Settings
from desktop.ui.language import tr

if TYPE_CHECKING:
    from desktop.core.settings.describing import SettingField


@dataclass(frozen=True, slots=True)
class Pane:
    """A pane and what stands in it: fields below headings, "" where none is needed."""

    name: str
    title: str
    about: str
    parts: tuple[tuple[str, tuple[SettingField, ...]], ...]

    @property
    def fields(self) -> tuple[SettingField, ...]:
        """Every field, in its order."""
        return tuple(field for _, fields in self.parts for field in fields)


_FILE_ONLY: tuple[str, ...] = (
    "ingestion.commit_milliseconds",
    "ingestion.commit_pages",
    "ingestion.embedding_batch",
    "agent.passage_tokens",
    "reasoning.mode_configs",
    "source_tiers.table",
)
"""What is tuned with a stopwatch or a set of questions, or has no simple form."""


def _plain() -> tuple[tuple[str, str, str, tuple[str, ...]], ...]:
    return (
        (
            "appearance",
            tr("Appearance"),
            tr("Colours, text size and language of the window."),
            (
                "window.scheme",
                "window.high_contrast",
                "window.text_percent",
                "window.glove_mode",
                "window.reduced_motion",
                "window.dim_pages",
                "window.language",
            ),
        ),
        (
            "manuals",
            tr("Manuals"),
            tr("How manuals are imported and read."),
            (
                "parser.ocr",
                "parser.layout_model",
                "ingestion.battery_percent",
                "ingestion.free_space_mib",
            ),
        ),
        (
            "answers",
            tr("Answers"),
            tr("What answers take into account."),
            (
                "agent.user_profile",
                "agent.context",
                "retrieval.newest_revision",
                "knowledge.notes_in_answers",
                "agent.nearest_pages",
                "agent.time_limit_seconds",
            ),
        ),
        (
            "models",
            tr("Models"),
            tr("Which models answer, and how much memory they may use."),
            ("models.profile", "models.memory_gib"),
        ),
        (
            "research",
            tr("Research"),
            tr("Longer questions, answered with a report."),
            ("reasoning.enabled", "reasoning.time_limit_seconds", "reasoning.max_sources"),
        ),
        (
            "privacy",
            tr("Privacy and backups"),
            tr("What is recorded and kept, all of it on this computer."),
            ("reasoning_trace.enabled", "backups.every_hours", "backups.kept"),
        ),
    )


def panes() -> list[Pane]:
    """Return the panes in their order; a new setting nobody has placed stands in Advanced."""
    sections = describe(Settings)
    known = {".".join(field.path): field for section in sections for field in section.fields}
    made = [
        Pane(name, title, about, (("", tuple(known.pop(path) for path in paths)),))
        for name, title, about, paths in _plain()
    ]
    parts = []
    for section in sections:
        paths = [".".join(field.path) for field in section.fields]
        left = tuple(known[path] for path in paths if path in known and not in_file_only(path))
        if left:
            parts.append((tr(section.title), left))
    about = tr("Change these only if you know what they do.")
    return [*made, Pane("advanced", tr("Advanced"), about, tuple(parts))]


def in_file_only(path: str) -> bool:
    return any(path == each or path.startswith(f"{each}.") for each in _FILE_ONLY)
