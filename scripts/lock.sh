#!/bin/sh
# Write constraints.txt: one resolution for macOS and Linux and Python 3.11 to 3.13.
# Usage: scripts/lock.sh path/to/uv
set -eu
cd "$(dirname "$0")/.."
{
    echo "# Versions that are installed, on macOS and Linux and Python 3.11 to 3.13."
    echo "# Written by \`make lock\`; pip install --constraint constraints.txt --editable ."
    echo "# torch takes gigabytes of CUDA packages from PyPI on Linux: docs/packaging.md says how not."
    "$1" pip compile pyproject.toml --universal --python-version 3.11 --extra mlx --extra colqwen --extra teams --extra cluster --group dev \
        --group bundle --group audit \
        --quiet --no-header --no-annotate |
        # constraints install nothing; left out is what no supported machine can ask for
        grep -v -E "^(nvidia|cuda|triton)|== '(emscripten|win32)'|python_full_version >= '3.15'" |
        sed -e "s/ ; python_full_version < '3.15'$//" -e "s/python_full_version < '3.15' and //"
} >constraints.txt.new
mv constraints.txt.new constraints.txt
