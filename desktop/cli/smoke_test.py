"""`groundwork smoke-test`: for whoever builds the program; not listed in the help."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, replace
from typing import Annotated

import typer


def smoke_test(
    runtimes: Annotated[
        bool, typer.Option("--runtimes", help="Import what runs models, too.")
    ] = False,
    only_start: Annotated[
        bool, typer.Option("--only-start", help="End when the library is open.")
    ] = False,
) -> None:
    """Use the whole program once on a library that is thrown away; print what came of it as JSON.

    Ends with 1 if anything went wrong.
    """
    from desktop.app import smoke_test as test

    outcome = test.smoke_test(only_start=only_start)
    if runtimes and not outcome.failure:
        from desktop.models.runtimes import import_all

        found, failure = import_all()
        outcome = replace(outcome, runtimes=found, failure=failure)
    sys.stdout.write(json.dumps(asdict(outcome), indent=2, ensure_ascii=False) + "\n")
    sys.stdout.flush()
    raise typer.Exit(1 if outcome.failure else 0)
