"""`groundwork optimise`: compiles what the language model is asked, on your own questions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from desktop.cli.bench import gold_questions, say
from desktop.cli.options import (
    Library,
    argument,
    existing_library,
    interruptible,
    opened_workspace,
    option,
    print_json,
    refusing,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from desktop.core.evaluation.examples import DecisionExample
    from desktop.core.evaluation.optimise import Optimised
    from desktop.core.settings.sections import Settings
    from desktop.core.workspace import Workspace


def optimise(
    context: typer.Context,
    gold: Annotated[
        Path,
        argument(
            "GOLD",
            "JSON file of questions with pages and answers, about manuals in the library.",
            exists=True,
            dir_okay=False,
        ),
    ],
    out: Annotated[
        Path | None,
        option(
            "--out FILE",
            "Write the compiled program there and leave the library as it is.",
            dir_okay=False,
        ),
    ] = None,
    train_share: Annotated[
        float,
        option(
            "--train-share",
            "Share of the questions to learn from; the rest are for measuring.",
            min=0.1,
            max=0.9,
        ),
    ] = 0.6,
    max_examples: Annotated[
        int, option("--max-examples", "Maximum number of examples in a prompt.", min=1, max=8)
    ] = 3,
    seed: Annotated[int, option("--seed", "Seed for dividing the questions.")] = 1,
    own: Annotated[
        bool, option("--own", "Also use the library's questions that were marked as wrong.")
    ] = False,
    examples: Annotated[
        list[Path] | None,
        option(
            "--examples FILE",
            "Also try the decisions in a file written by `groundwork trace --examples`.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    as_json: Annotated[bool, option("--json", "Print the result as JSON.")] = False,
    library: Library = None,
) -> None:
    """Compile decisions and answers for the library's language model.

    Reports the score before and after on questions that it did not learn from. A result
    that is no better than before is not kept.
    """
    folder = existing_library(context, library)
    questions = gold_questions(gold, folder if own else None)
    from desktop.app import load_user_settings
    from desktop.core.agent.compiled_programs import CompiledPrograms, write_program
    from desktop.core.evaluation.optimise import OptimiseError, Wanted
    from desktop.core.evaluation.optimise import optimise as run
    from desktop.core.paths import LibraryFolder

    def open_library(settings: Settings, read_only: bool) -> AbstractContextManager[Workspace]:
        return opened_workspace(folder, read_only=read_only, settings=settings)

    settings = load_user_settings().settings
    traced = _traced(examples or [])
    wanted = Wanted(train_share, max_examples, seed)
    with (
        refusing(OptimiseError, told="Nothing was optimised: {error}."),
        interruptible() as cancel,
    ):
        found = run(open_library, settings, questions, wanted, say, cancel, traced)
    saved: Path | None = None
    if found.compiled is not None and out is not None:
        write_program(found.compiled, out)
        saved = out
    elif found.compiled is not None:
        saved = CompiledPrograms(LibraryFolder(folder).programs).save(found.compiled)
    if as_json:
        print_json(_values(found, saved))
    else:
        sys.stdout.write(_as_text(found, saved))


def _traced(files: Sequence[Path]) -> list[DecisionExample]:
    from desktop.core.evaluation.examples import ExampleFileError, read_examples

    with refusing(ExampleFileError, OSError, told="The examples cannot be read: {error}"):
        return [example for path in files for example in read_examples(path)]


def _as_text(found: Optimised, saved: Path | None) -> str:
    lines = [
        f"Learned from {len(found.train)} questions, measured on {len(found.test)} others.",
        f"Before: {found.before:.1f} of 100. After: {found.after:.1f}.",
    ]
    if saved is None:
        lines.append("That is no better: everything stays as before.")
    else:
        examples = ", ".join(f"{count} for {name}" for name, count in found.examples.items())
        lines += [f"Examples in the prompts: {examples}.", f"Program written: {saved}"]
    return "\n".join(lines) + "\n"


def _values(found: Optimised, saved: Path | None) -> dict[str, Any]:
    return {
        "model": found.model_id,
        "before": found.before,
        "after": found.after,
        "improved": found.improved,
        "compiled": found.chosen,
        "examples": found.examples,
        "train": found.train,
        "test": found.test,
        "saved": str(saved) if saved else None,
    }
