"""`groundwork doctor`: what is installed, what is missing, what to do about it."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from desktop.cli.options import (
    Library,
    Refused,
    events_until_done,
    last_event,
    library_folder,
    opened_workspace,
    option,
    print_json,
)

if TYPE_CHECKING:
    from desktop.core.diagnostics.checkup import Finding


def doctor(
    context: typer.Context,
    as_json: Annotated[bool, option("--json", "Print the findings as JSON.")] = False,
    offline: Annotated[
        bool, option("--offline", "Use a sample manual and count attempts to reach a network.")
    ] = False,
    bundle: Annotated[
        Path | None,
        option(
            "--bundle FILE",
            "Also write a diagnostic bundle (zip), without any text from documents.",
            dir_okay=False,
        ),
    ] = None,
    library: Library = None,
) -> None:
    """Check this installation and the library.

    Exits with 1 if something that Groundwork needs is missing, or with --offline if
    anything tried to reach a network.
    """
    if offline:
        findings = _offline_findings()
    else:
        from desktop.app import load_user_settings
        from desktop.core.diagnostics.checkup import check_everything

        findings = check_everything(library_folder(context, library), load_user_settings())
        if bundle is not None:
            _write_bundle(bundle, library_folder(context, library))
    if as_json:
        print_json([asdict(finding) for finding in findings])
    else:
        _print_findings(findings)
    raise typer.Exit(1 if any(finding.state == "missing" for finding in findings) else 0)


def _write_bundle(target: Path, library: Path) -> None:
    from desktop.app import load_user_settings
    from desktop.core.diagnostics.bundle import write_bundle

    try:
        write_bundle(target, library, load_user_settings())
    except OSError as error:
        raise Refused(f"The bundle could not be written: {error.strerror or error}.") from error
    sys.stderr.write(f"Wrote {target}; you can read all of it before you send it.\n")


def _offline_findings() -> list[Finding]:
    """Add a sample and ask it, in a temporary library; check before that closes."""
    from desktop.core.diagnostics.checkup import check_offline
    from desktop.core.jobs import CancelToken
    from desktop.core.paths import SAMPLE_QUESTION, sample_manuals

    manual = next((path for path in sample_manuals() if "installation" in path.name), None)
    if manual is None:
        raise Refused("This installation has no sample manuals.")
    sys.stderr.write(
        "Reading a sample manual and asking it a question; this takes half a minute.\n"
    )
    with (
        tempfile.TemporaryDirectory(prefix="groundwork-offline-") as folder,
        opened_workspace(Path(folder)) as workspace,
    ):
        workspace.ingestion.enqueue([manual])
        for _ in workspace.ingestion.run(CancelToken()):
            pass
        asked = events_until_done(
            lambda put, done: workspace.ask(SAMPLE_QUESTION, frozenset(), put, done)
        )
        outcome = last_event(asked).outcome
        return check_offline(f"{manual.name} was read, a question about it: {outcome}")


def _print_findings(findings: list[Finding]) -> None:
    from rich.console import Console

    from desktop.cli.progress import print_marked

    signs = {"ok": "+", "limited": "!", "missing": "x"}
    console = Console(highlight=False, soft_wrap=True)
    width = max(len(finding.subject) for finding in findings)
    for finding in findings:
        found = f"{finding.subject:<{width}}  {finding.found}"
        print_marked(console, signs[finding.state], found)
        if finding.advice:
            console.print(f"{'':<{width}}    -> {finding.advice}", markup=False)
