"""Where the files that are shipped with the application are."""

import sys
from pathlib import Path


def resource_path(*parts: str) -> Path:
    """Return a path below `resources/`, in a checkout, a wheel and a frozen application."""
    bundle = getattr(sys, "_MEIPASS", None)
    root = Path(bundle) if bundle else Path(__file__).resolve().parents[2]
    return root.joinpath("resources", *parts)


def sample_manuals() -> list[Path]:
    """Return the sample manuals, sorted by name; empty when they were not shipped."""
    return sorted(resource_path("samples", "manuals").glob("*.pdf"))
