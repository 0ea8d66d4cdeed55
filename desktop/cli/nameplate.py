"""`groundwork nameplate`: which machine and which manuals a photo of its plate belongs to."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from desktop.cli.options import (
    Library,
    argument,
    existing_library,
    opened_workspace,
    option,
    print_json,
)

if TYPE_CHECKING:
    from desktop.core.nameplates.finder import PlateFinding


def nameplate(
    context: typer.Context,
    photo: Annotated[Path, argument("PHOTO", "JPEG, PNG, TIFF, ...", dir_okay=False, exists=True)],
    as_json: Annotated[bool, option("--json", "Print JSON.")] = False,
    library: Library = None,
) -> None:
    """Read the nameplate in a photo and find its manuals. The photo is not kept.

    Exits with 0 if they were found or there are several to choose from, with 1
    otherwise.
    """
    folder = existing_library(context, library)
    with opened_workspace(folder, read_only=True) as workspace:
        _, finding = workspace.nameplates.read(photo.read_bytes())
    if as_json:
        print_json(_values(finding))
    else:
        _show(finding)
    raise typer.Exit(1 if finding.outcome == "nothing" else 0)


def _show(finding: PlateFinding) -> None:
    sys.stdout.write(f"{finding.read}\n{finding.found}\n")
    for match in finding.matches:
        for title in match.titles:
            sys.stdout.write(f"  {title}\n")
        if finding.outcome == "asked":
            sys.stdout.write(f"    {match.why}\n")
    if finding.matches:
        name = finding.matches[0].titles[0]
        sys.stdout.write(f'Ask it with: groundwork ask QUESTION --manual "{name}"\n')


def _values(finding: PlateFinding) -> dict[str, Any]:
    plate = finding.plate
    return {
        "outcome": finding.outcome,
        "lines": list(plate.lines),
        "maker": plate.maker,
        "model": plate.model,
        "serial": plate.serial,
        "ratings": list(plate.ratings),
        "matches": [
            {
                "manuals": list(match.titles),
                "document_ids": list(match.document_ids),
                "site": match.place.site,
                "asset": match.place.asset,
                "score": round(match.score, 2),
                "because": [{"text": clue.text, "where": clue.where} for clue in match.clues],
            }
            for match in finding.matches
        ],
    }
