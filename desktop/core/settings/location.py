"""Where the settings of this user are stored."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from desktop.core.paths import HOME_VARIABLE


def settings_file() -> Path:
    """Return the settings file; it need not exist yet."""
    home = os.environ.get(HOME_VARIABLE)
    if home:
        return Path(home).expanduser() / "settings.json"
    return Path(platformdirs.user_config_dir("Groundwork", appauthor=False)) / "settings.json"
