#!/bin/sh
# Print the first Python 3.11 to 3.13 on this machine that runs and can make virtual
# environments. A name on the PATH is not enough: version managers leave names that do not run.
set -u

usable='
import sys
if not (3, 11) <= sys.version_info[:2] <= (3, 13):
    raise SystemExit(3)
try:
    import ensurepip, venv
except ImportError:
    raise SystemExit(4)
print(sys.executable)
'
without_venv=""
for candidate in ${GROUNDWORK_PYTHON:-} python3.13 python3.12 python3.11 python3 \
    /opt/homebrew/bin/python3.13 /opt/homebrew/bin/python3.12 /opt/homebrew/bin/python3.11 \
    /usr/local/bin/python3.13 /usr/local/bin/python3.12 /usr/local/bin/python3.11 \
    /Library/Frameworks/Python.framework/Versions/3.13/bin/python3 \
    /Library/Frameworks/Python.framework/Versions/3.12/bin/python3 \
    /Library/Frameworks/Python.framework/Versions/3.11/bin/python3 \
    /usr/bin/python3.13 /usr/bin/python3.12 /usr/bin/python3.11; do
    "$candidate" -c "$usable" 2>/dev/null && exit 0
    [ $? -eq 4 ] && without_venv="$candidate"
done

if [ -n "$without_venv" ]; then
    echo "Groundwork found $without_venv, which cannot make virtual environments." >&2
    echo "Install its venv package (Debian, Ubuntu: sudo apt-get install python3-venv) and try again." >&2
else
    echo "Groundwork needs Python 3.11, 3.12 or 3.13, and found none that runs." >&2
    echo "macOS: brew install python@3.13. Debian, Ubuntu: sudo apt-get install python3 python3-venv." >&2
    echo "Or name one: make run GROUNDWORK_PYTHON=/path/to/python3" >&2
fi
exit 1
