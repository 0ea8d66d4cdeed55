"""Take the pictures of `docs/screenshots` from real runs of the window on the sample manuals.

Usage: python -m scripts.screenshots [--only STATE ...] [--out FOLDER]. Needs no display.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scripts.screenshots.stage import Stage

DOCS = Path(__file__).resolve().parents[2] / "docs"


def main(arguments: Sequence[str]) -> int:
    """Take them; returns the exit code, 1 if a state did not come about."""
    parser = argparse.ArgumentParser(prog="scripts.screenshots")
    parser.add_argument("--only", nargs="+", metavar="STATE")
    parser.add_argument("--out", type=Path, default=DOCS / "screenshots")
    chosen = parser.parse_args(arguments)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with tempfile.TemporaryDirectory(prefix="groundwork-screenshots-") as home:
        os.environ["GROUNDWORK_HOME"] = home  # nobody's own settings, models and layout
        return _take(Path(home), chosen.only, chosen.out)


def _take(home: Path, only: Sequence[str] | None, out: Path) -> int:
    from desktop.ui.window.start import make_application
    from scripts.screenshots.camera import Camera
    from scripts.screenshots.stage import NotShownError, Stage

    states = _states()
    unknown = [each for each in only or () if each not in states]
    if unknown:
        print(f"Unknown: {', '.join(unknown)}. There are: {', '.join(states)}")
        return 2
    _application = make_application(sys.argv[:1])
    stage = Stage(Camera(out), home)
    missing = []
    for name in only or states:
        try:
            states[name](stage)
        except NotShownError as reason:
            missing.append(name)
            print(f"{name}: not taken, {reason}", flush=True)
    return 1 if missing else 0


def _states() -> dict[str, Callable[[Stage], None]]:
    # Not above: Qt looks at the environment when it is loaded.
    from scripts.screenshots import site_states, states

    return {
        "first-run": states.first_run,
        "adding": states.adding,
        "ready": states.ready,
        "fact": states.fact,
        "table": states.table,
        "procedure": states.procedure,
        "two-part": states.two_part,
        "not-found": states.not_found,
        "note-against-manual": site_states.note_cited,
        "reasoning": states.reasoning,
        "research": states.research,
        "notes": site_states.notes,
        "models": states.models,
        "settings": states.settings,
        "palette": states.palette,
        "german": site_states.german,
        "german-manual": site_states.german_manual,
        "high-contrast": site_states.high_contrast,
        "glove-mode": site_states.gloves,
        "fact-elsewhere": _fact_elsewhere,
    }


def _fact_elsewhere(stage: Stage) -> None:
    """The fact card on a small screen, in the other scheme and on a dense screen."""
    from scripts.screenshots import states
    from scripts.screenshots.camera import MORE_LOOKS, Camera
    from scripts.screenshots.stage import Stage as OtherStage

    states.fact(OtherStage(Camera(stage.camera.folder, MORE_LOOKS), stage.home))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
