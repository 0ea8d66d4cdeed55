from __future__ import annotations

import plistlib

import pytest

import desktop
from scripts.bundle import property_lists
from scripts.bundle.variant import ROOT


def test_info_plist_is_read_back_as_it_was_written(tmp_path):
    info = property_lists.info_plist()
    path = property_lists.write(info, tmp_path / "Info.plist")
    assert plistlib.loads(path.read_bytes()) == info


def test_manuals_can_be_dropped_on_the_icon_and_the_version_is_the_programs():
    info = property_lists.info_plist()
    types = {name for each in info["CFBundleDocumentTypes"] for name in each["LSItemContentTypes"]}
    assert "com.adobe.pdf" in types
    assert info["CFBundleShortVersionString"] == desktop.__version__
    assert info["LSMinimumSystemVersion"] == "14.0"
    assert info["LSArchitecturePriority"] == ["arm64"]
    assert info["NSHighResolutionCapable"] is True
    assert (ROOT / "resources" / "app" / info["CFBundleIconFile"]).is_file()


def test_the_offline_switches_are_in_force_before_any_code_runs():
    assert property_lists.info_plist()["LSEnvironment"]["ORT_DISABLE_TELEMETRY"] == "1"


@pytest.mark.parametrize(
    "entitlements",
    [
        property_lists.ENTITLEMENTS,
        property_lists.LOCAL_ENTITLEMENTS,
        property_lists.SANDBOX_ENTITLEMENTS,
    ],
)
def test_no_entitlement_lets_the_program_reach_a_network(entitlements):
    assert property_lists.complaints_about(property_lists.info_plist(), entitlements) == []


def test_an_entitlement_for_the_network_and_another_version_are_complained_about():
    info = {**property_lists.info_plist(), "CFBundleVersion": "9"}
    entitlements = {"com.apple.security.network.client": True}
    complaints = property_lists.complaints_about(info, entitlements)
    assert len(complaints) == 2
    assert "CFBundleVersion" in complaints[0]
    assert "network.client" in complaints[1]


def test_the_sandbox_is_on_in_its_variant_only():
    sandbox = "com.apple.security.app-sandbox"
    assert property_lists.SANDBOX_ENTITLEMENTS[sandbox]
    assert sandbox not in property_lists.ENTITLEMENTS
