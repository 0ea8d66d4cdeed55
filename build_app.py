"""Build the application that is handed out: a folder on Linux, a .app and a .dmg on a Mac.

Usage: python build_app.py [--slim] [--folder build/app] [--sandbox] [--no-smoke-test]

Groundwork and the packages of the group `bundle` must be installed in this Python, as pinned in
constraints.txt. docs/packaging.md tells what each step is for.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scripts.bundle import steps
from scripts.bundle.variant import ROOT, Variant

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str]) -> int:
    """Build, check and test; returns the exit code, complaints go to standard error."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--slim", action="store_true", help="without torch: models run on MLX")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "app")
    parser.add_argument("--sandbox", action="store_true", help="macOS forbids every connection")
    parser.add_argument("--no-smoke-test", action="store_true", help="only build and check")
    parser.add_argument("--only-smoke-test", action="store_true", help="test what is built, timed")
    chosen = parser.parse_args(arguments)
    variant = Variant.here("slim" if chosen.slim else "full", chosen.folder.resolve())
    if not chosen.only_smoke_test:
        _build(variant)
        if variant.platform == "darwin":
            steps.sign(variant, sandbox=chosen.sandbox)
    if not chosen.no_smoke_test:  # of the signed program: a wrong entitlement shows here
        steps.smoke_test(variant, measured=chosen.only_smoke_test)
    if variant.platform == "darwin" and not chosen.only_smoke_test:
        steps.make_image(variant)
    sys.stdout.write(f"Built {variant.application}\n")
    return 0


def _build(variant: Variant) -> None:
    steps.check_environment(variant)
    steps.write_property_lists(variant)
    steps.freeze(variant)
    steps.check_contents(variant)
    steps.report_sizes(variant)
    steps.clean(variant.folder)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
