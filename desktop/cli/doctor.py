"""`groundwork doctor`: what is installed, what is missing, what to do about it."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from desktop.cli.options import Library, library_folder

if TYPE_CHECKING:
    from desktop.core.checkup import Finding


def doctor(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
    library: Library = None,
) -> None:
    """Check this installation and the library.

    Ends with 1 if something that Groundwork needs is missing.
    """
    from desktop.app import load_user_settings
    from desktop.core.checkup import check_everything

    findings = check_everything(library_folder(context, library), load_user_settings())
    if as_json:
        values = [asdict(finding) for finding in findings]
        sys.stdout.write(json.dumps(values, indent=2, ensure_ascii=False) + "\n")
    else:
        _print_findings(findings)
    raise typer.Exit(1 if any(finding.state == "missing" for finding in findings) else 0)


def _print_findings(findings: list[Finding]) -> None:
    from rich.console import Console

    signs = {"ok": ("+", "green"), "limited": ("!", "yellow"), "missing": ("x", "red")}
    console = Console(highlight=False, soft_wrap=True)
    width = max(len(finding.subject) for finding in findings)
    for finding in findings:
        sign, color = signs[finding.state]
        console.print(sign, style=color, end=" ", markup=False)
        console.print(f"{finding.subject:<{width}}  {finding.found}", markup=False)
        if finding.advice:
            console.print(f"{'':<{width}}    -> {finding.advice}", markup=False)
