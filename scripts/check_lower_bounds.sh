#!/bin/sh
# Install the oldest version of every direct dependency that pyproject.toml allows, and see that
# Groundwork works with them: the demonstration, and the quick tests of what uses them.
# Usage: scripts/check_lower_bounds.sh path/to/uv [FOLDER]   (ten minutes on a quiet machine, 2 GB)
set -eu
cd "$(dirname "$0")/.."
uv=$1
folder=${2:-build/lower-bounds}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

echo "Resolving the oldest versions"
"$uv" pip compile pyproject.toml --resolution lowest-direct --python-version 3.11 \
    --quiet --no-header --no-annotate --output-file "$folder/lowest.txt"
"$uv" venv --quiet --clear --python 3.11 "$folder/venv"
"$uv" pip install --quiet --python "$folder/venv/bin/python" --requirement "$folder/lowest.txt" \
    pytest pytest-qt pytest-timeout hypothesis fakeredis
"$uv" pip install --quiet --python "$folder/venv/bin/python" --no-deps --editable .

echo "Trying them"
export GROUNDWORK_HOME="$folder/home" QT_QPA_PLATFORM=offscreen
"$folder/venv/bin/groundwork" smoke-test
"$folder/venv/bin/python" -m pytest -q -p no:cacheprovider -m "not slow and not models and not network" \
    tests/core/store tests/core/settings tests/core/question tests/core/reader tests/core/retrieval tests/core/parsing tests/core/structure \
    tests/core/language tests/core/notes tests/core/reports tests/knowledge tests/models/packs \
    tests/cli tests/ui/test_start.py
