"""Look every pinned dependency up among known vulnerabilities, with pip-audit.

Usage: check_vulnerabilities.py [--strict]. Ends with 0 if there are none, with 1 and a list if
there are, and with 3 if they could not be looked up: pip-audit itself calls that "none
found" when an index has no database, so a version that is known to be vulnerable is looked up
first. --strict: that is a failure.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parents[1]
CONSTRAINTS = ROOT / "constraints.txt"
CANARY = "requests==2.19.0"
"""Vulnerable since 2018; a database that does not know it knows nothing."""
SERVICES = ("pypi", "osv")
NOT_LOOKED_UP = 3
SECONDS = 600


def main(arguments: Sequence[str]) -> int:
    """Print what was found; returns the exit code."""
    service = next((name for name in SERVICES if _knows_the_canary(name)), None)
    if service is None:
        print("Vulnerabilities were NOT looked up: no database can be reached from here.")
        return 1 if "--strict" in arguments else NOT_LOOKED_UP
    found = audit(service, CONSTRAINTS.read_text("utf-8"))
    if found is None:
        print(f"Vulnerabilities were NOT looked up: {service} stopped answering.")
        return 1 if "--strict" in arguments else NOT_LOOKED_UP
    vulnerable, unknown = findings(found)
    print("\n".join(vulnerable) or "No known vulnerabilities in the pinned versions.")
    if unknown:
        print(f"Not known to {service}: {', '.join(unknown)}")
    return 1 if vulnerable else 0


def audit(service: str, requirements: str) -> list[dict[str, Any]] | None:
    """Return pip-audit's list of dependencies, None if it could not look them up."""
    with tempfile.TemporaryDirectory(prefix="groundwork-audit-") as folder:
        file = Path(folder) / "requirements.txt"
        file.write_text(requirements, encoding="utf-8")
        command = [
            sys.executable, "-m", "pip_audit", "--vulnerability-service", service, "--format",
            "json", "--no-deps", "--disable-pip", "--progress-spinner", "off", "-r", str(file),
        ]  # fmt: skip
        try:
            ended = subprocess.run(
                command, capture_output=True, text=True, timeout=SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return None
    try:
        found: list[dict[str, Any]] = json.loads(ended.stdout)["dependencies"]
    except (ValueError, KeyError):
        return None
    return found


def findings(found: Sequence[dict[str, Any]]) -> tuple[list[str], list[str]]:
    """Return the vulnerable versions as sentences, and the names that were not looked up."""
    vulnerable = []
    for each in found:
        for flaw in each.get("vulns", ()):
            repaired = ", ".join(flaw.get("fix_versions", ())) or "no version yet"
            vulnerable.append(
                f"{each['name']} {each['version']}: {flaw['id']}, repaired in {repaired}"
            )
    return vulnerable, [each["name"] for each in found if "skip_reason" in each]


def _knows_the_canary(service: str) -> bool:
    found = audit(service, CANARY + "\n")
    return bool(found and findings(found)[0])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
