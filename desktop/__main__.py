"""`python -m desktop`, and the start of the frozen program, which is its own parser worker."""

import sys


def main() -> int:
    """Run the command line, or serve as the parser worker if started as one."""
    if "--parser-worker" in sys.argv[1:]:
        from desktop.parser_worker import main as serve

        return serve() or 0
    from desktop.cli import main as run_command

    return run_command()


if __name__ == "__main__":
    sys.exit(main())
