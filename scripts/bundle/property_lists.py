"""Info.plist and the entitlements of the Mac program, written by plistlib and read back."""

from __future__ import annotations

import plistlib
from typing import TYPE_CHECKING, Any

import desktop
from desktop.process_environment import OFFLINE_SWITCHES
from scripts.bundle.variant import IDENTIFIER, MINIMUM_SYSTEM, PROGRAM

if TYPE_CHECKING:
    from pathlib import Path

ENTITLEMENTS: dict[str, bool] = {
    # libffi, through which Python calls C libraries, writes small functions into memory
    "com.apple.security.cs.allow-unsigned-executable-memory": True,
}
"""Of the hardened runtime, which notarisation asks for. Nothing that reaches a network."""

LOCAL_ENTITLEMENTS = {
    **ENTITLEMENTS,
    # an ad hoc signature has no team that the program and its libraries could share
    "com.apple.security.cs.disable-library-validation": True,
}
"""For a program that is signed ad hoc, on the machine that builds it."""

SANDBOX_ENTITLEMENTS = {
    **ENTITLEMENTS,
    "com.apple.security.app-sandbox": True,
    # manuals are opened and dropped, libraries lie where a person puts them
    "com.apple.security.files.user-selected.read-write": True,
    "com.apple.security.files.bookmarks.app-scope": True,
}
"""The variant in which macOS itself forbids every connection: it has no
com.apple.security.network.client, so the download of a model fails in it by design."""

FORBIDDEN = ("com.apple.security.network.", "com.apple.security.get-task-allow")


def info_plist() -> dict[str, Any]:
    """Return Info.plist's values."""
    return {
        "CFBundleName": PROGRAM,
        "CFBundleDisplayName": PROGRAM,
        "CFBundleExecutable": PROGRAM,
        "CFBundleIdentifier": IDENTIFIER,
        "CFBundleIconFile": "groundwork.icns",
        "CFBundlePackageType": "APPL",
        "CFBundleInfoDictionaryVersion": "6.0",
        "CFBundleShortVersionString": desktop.__version__,
        "CFBundleVersion": desktop.__version__,
        "CFBundleDevelopmentRegion": "en",
        "NSHumanReadableCopyright": "Free software: GNU Affero General Public License 3.0 or later",
        "LSApplicationCategoryType": "public.app-category.productivity",
        "LSMinimumSystemVersion": MINIMUM_SYSTEM,
        "LSArchitecturePriority": ["arm64"],
        "LSRequiresNativeExecution": True,  # MLX does not run under Rosetta
        "LSEnvironment": dict(OFFLINE_SWITCHES),
        "NSPrincipalClass": "NSApplication",
        "NSHighResolutionCapable": True,
        "NSRequiresAquaSystemAppearance": False,  # dark follows the system
        # macOS must not end it while it indexes in the background
        "NSSupportsAutomaticTermination": False,
        "NSSupportsSuddenTermination": False,
        "NSAppTransportSecurity": {"NSAllowsArbitraryLoads": False},
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": "PDF document",
                "CFBundleTypeRole": "Viewer",
                "LSHandlerRank": "Alternate",  # it takes PDFs and does not claim them all
                "LSItemContentTypes": ["com.adobe.pdf"],
            },
            {
                "CFBundleTypeName": "Folder",
                "CFBundleTypeRole": "Viewer",
                "LSHandlerRank": "None",  # only to be dropped on the icon
                "LSItemContentTypes": ["public.folder"],
            },
        ],
    }


def write(values: dict[str, Any], path: Path) -> Path:
    """Write a property list and read it back.

    Raises: AssertionError, if what is read differs.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(plistlib.dumps(values))
    read = plistlib.loads(path.read_bytes())
    if read != values:
        raise AssertionError(f"{path} does not say what was written")
    return path


def complaints_about(info: dict[str, Any], entitlements: dict[str, Any]) -> list[str]:
    """Return what is wrong with the property lists of a program, in sentences."""
    wanted = info_plist()
    wrong = [
        f"Info.plist: {key} is {info.get(key)!r} instead of {value!r}"
        for key, value in wanted.items()
        if info.get(key) != value
    ]
    wrong += [
        f"entitlements: {key} must not be there"
        for key in entitlements
        if key.startswith(FORBIDDEN)
    ]
    return wrong
