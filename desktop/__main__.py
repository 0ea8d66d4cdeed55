"""`python -m desktop`, and the start of the frozen program, which is its own worker processes."""

import sys


def main() -> int:
    """Run the command line, or serve as the worker process it was started as."""
    if "--parser-worker" in sys.argv[1:]:
        from desktop.parser_worker import main as serve

        return serve() or 0
    if "--model-download" in sys.argv[1:]:
        from desktop.models.packs.download_worker import main as download

        return download()
    from desktop.cli import main as run_command

    return run_command()


if __name__ == "__main__":
    sys.exit(main())
