"""The settings file: JSON with a version; a file that cannot be used is kept aside."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from pydantic import ValidationError

from desktop.core.paths import write_whole
from desktop.core.settings.file import SettingsTooNew, migrate, newest_version
from desktop.core.settings.sections import Settings
from desktop.sentences import said

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """The settings in force; message says what happened to an unusable file, else ""."""

    settings: Settings
    message: str = ""


def load_settings(path: Path) -> LoadedSettings:
    """Read the settings, or return the defaults if there is no file or it is unusable.

    An unusable file is renamed beside itself, never overwritten.
    Raises: OSError, if the file exists and cannot be read or moved.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return LoadedSettings(Settings())
    except UnicodeDecodeError:
        return _set_aside(path, said("it is not text"))
    try:
        values = json.loads(text)
        if not isinstance(values, dict):
            return _set_aside(path, said("it contains no settings"))
        return LoadedSettings(Settings.model_validate(migrate(values)))
    except SettingsTooNew as error:
        return _set_aside(
            path, said("it is from a newer version of Groundwork ({error})", error=error)
        )
    except ValidationError as error:
        return _set_aside(path, _first_complaint(error))
    except ValueError as error:  # json.JSONDecodeError is one
        return _set_aside(path, said("it is damaged ({error})", error=error))


def peek_settings(path: Path) -> Settings:
    """Read the settings and touch nothing; the defaults where the file cannot be used."""
    try:
        return Settings.model_validate(migrate(json.loads(path.read_text(encoding="utf-8"))))
    except (OSError, ValueError, TypeError, AttributeError):
        return Settings()


def save_settings(path: Path, settings: Settings) -> None:
    """Write the settings so that a crash leaves either the old or the new file."""
    values = {"version": newest_version(), **settings.model_dump(mode="json")}
    write_whole(path, f"{json.dumps(values, indent=2, ensure_ascii=False)}\n".encode())


def _set_aside(path: Path, reason: str) -> LoadedSettings:
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S-%f")
    kept = path.with_name(f"{path.stem}.unusable-{stamp}{path.suffix}")
    path.rename(kept)
    message = said(
        "The settings file could not be used: {reason}. The defaults are in use; the old file "
        "was kept as {name}.",
        reason=reason,
        name=kept.name,
    )
    return LoadedSettings(Settings(), message)


def _first_complaint(error: ValidationError) -> str:
    complaint = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in complaint["loc"])
    return f"{where}: {complaint['msg']}"
