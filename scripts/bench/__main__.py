"""`python -m scripts.bench`: run a bench by its name, or make docs/figures.md of the last results.

    python -m scripts.bench                    what there is
    python -m scripts.bench NAME [--help]      run one; --keep makes it the last result
    python -m scripts.bench page               write docs/figures.md from the kept results

What users may run without a checkout is `groundwork bench` (its results can be kept as well:
`groundwork bench ingest --json > docs/figures/ingest.json`).
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

from desktop.core.evaluation.figures import as_text, result
from scripts.bench.page import FOLDER, write_page

BENCHES = {
    "agent": "what a step of the agent costs beside its models and searches",
    "cluster": "building a pack with one and two workers of a local Ray",
    "knowledge": "loading and asking a large knowledge base",
    "labels": "labelled questions on real manuals",
    "language-model": "the language adapter beside bare mlx-lm",
    "library": "the library panel and the palette with 2,000 manuals",
    "manual-packs": "ten packs of manuals attached, and building them",
    "memory": "how much memory the window takes with a large library, under a limit",
    "monitor": "notes of a site that contradict the manuals, or agree, in free words",
    "nightly-agent": "a real small model decides and answers",
    "nightly-deciders": "rules, dspy and prompt side by side, and the defaults beside Lite",
    "nightly-faults": "kills, mutated files, and use for minutes",
    "nightly-injection": "manuals that give orders to a real small model",
    "ocr": "the reading of a scan beside the manual's own text",
    "page-embedders": "ColQwen through MLX beside torch, same random weights",
    "page-search": "page search in stages beside exact MaxSim",
    "parsers": "the layout of a manual read by several parsers side by side",
    "procedures": "how much is told of procedures that are asked for",
    "question": "where the milliseconds of one question go, warm and cold",
    "revisions": "known changes between two revisions of a manual",
    "tagged": "rows, items and order of pages beside what the PDF's author tagged",
    "text-search": "text search in up to a million passages, beside another checkout",
    "trace": "what an entry of the reasoning trace costs",
    "trace-prompts": "answers with and without the trace in the prompts",
    "window": "starts, drawing, scrolling and stalls of the window beside bare Qt",
}
"""Every bench by its name; a bench `a-b` is the module `scripts.bench.a_b`.

A module has BASELINE, which says what its figures stand beside, `add_options(parser)`, and
`measure(options)`, which returns figures and lines that explain them.
"""


def main(arguments: list[str]) -> int:
    """Run what was named; returns 1 if a figure missed its limit."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        for name, about in BENCHES.items():
            print(f"  {name:18} {about}")
        return 0
    name, *rest = arguments
    if name == "page":
        print(write_page())
        return 0
    if name not in BENCHES:
        print(f"{name}: there is no such bench; choose from {', '.join(BENCHES)}", file=sys.stderr)
        return 2
    module = importlib.import_module(f"scripts.bench.{name.replace('-', '_')}")
    parser = argparse.ArgumentParser(
        prog=f"python -m scripts.bench {name}",
        description=module.__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    module.add_options(parser)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the result there")
    parser.add_argument("--keep", action="store_true", help=f"as the last result in {FOLDER.name}/")
    options = parser.parse_args(rest)
    figures, details = module.measure(options)
    found = result(name, BENCHES[name], module.BASELINE, figures, details)
    print(as_text(found))
    for path in (options.json, FOLDER / f"{name}.json" if options.keep else None):
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(found.model_dump_json(indent=1) + "\n", encoding="utf-8")
    return 0 if found.met else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
