"""The Mac's own tools are not here; what they would be called with is."""

from __future__ import annotations

from pathlib import Path

from scripts.bundle import disk_image, notarisation, property_lists, signing

IMAGE = Path("Groundwork-slim.dmg")


def test_without_credentials_nothing_is_notarised_and_the_signature_is_ad_hoc():
    assert notarisation.Credentials.of({}) is None
    assert notarisation.Credentials.of({notarisation.KEY: "key.p8"}) is None
    assert signing.identity({}) == signing.AD_HOC


def test_the_image_is_submitted_stapled_and_assessed_in_this_order():
    credentials = notarisation.Credentials.of({notarisation.PROFILE: "groundwork"})
    assert credentials is not None
    submit, staple, assess = notarisation.commands(IMAGE, credentials)
    assert submit[1:3] == ["notarytool", "submit"]
    assert submit[-3:] == ["--keychain-profile", "groundwork", "--wait"]
    assert staple[:3] == ["xcrun", "stapler", "staple"]
    assert assess[0] == "spctl"


def test_a_signature_for_others_has_a_timestamp_and_the_hardened_runtime():
    command = signing.codesign_command(Path("x.dylib"), "Developer ID Application: A (T)", None)
    assert "--timestamp" in command
    assert command[command.index("--options") + 1] == "runtime"


def test_an_ad_hoc_signature_has_no_timestamp_and_loads_libraries_of_no_team():
    assert "--timestamp=none" in signing.codesign_command(Path("x"), signing.AD_HOC, None)
    assert signing.entitlements_for(signing.AD_HOC) == property_lists.LOCAL_ENTITLEMENTS
    assert signing.entitlements_for("Developer ID") == property_lists.ENTITLEMENTS
    assert "com.apple.security.app-sandbox" in signing.entitlements_for("Any", sandbox=True)


def test_binaries_are_signed_from_the_inside_out(tmp_path):
    outer, inner = tmp_path / "libouter.dylib", tmp_path / "a" / "b" / "inner.so"
    inner.parent.mkdir(parents=True)
    for path in (outer, inner):
        path.write_bytes(bytes.fromhex("cffaedfe") + b"rest")
    (tmp_path / "note.txt").write_text("no binary")
    assert list(signing.binaries(tmp_path)) == [inner, outer]


def test_the_image_shows_the_program_beside_the_folder_it_is_dragged_to(tmp_path):
    application = tmp_path / "Groundwork.app"
    (application / "Contents").mkdir(parents=True)
    (tmp_path / "shown").mkdir()
    folder = disk_image.lay_out(application, tmp_path / "shown")
    assert sorted(path.name for path in folder.iterdir()) == ["Applications", "Groundwork.app"]
    assert str((folder / "Applications").readlink()) == "/Applications"
    assert str(IMAGE) in disk_image.hdiutil_command(folder, IMAGE)
