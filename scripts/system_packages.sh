#!/bin/sh
# Linux only: see that the system libraries Qt links to are there. Root on a Debian family
# machine gets them installed; anyone else is told what to install, and set-up goes on,
# because the command line works without them.
set -u
[ "$(uname -s)" = "Linux" ] || exit 0

libraries=$(ldconfig -p 2>/dev/null || /sbin/ldconfig -p 2>/dev/null)
missing=""
need() { # library, Debian package
    case "$libraries" in *"$1"*) ;; *) missing="$missing $2" ;; esac
}
need libEGL.so.1 libegl1
need libGL.so.1 libgl1
need libfontconfig.so.1 libfontconfig1
need libxkbcommon.so.0 libxkbcommon0
need libdbus-1.so.3 libdbus-1-3
need libglib-2.0.so.0 libglib2.0-0
need libopenblas.so.0 libopenblas0 # MLX on Linux is 20 times slower without it
need libgomp.so.1 libgomp1 # LightGBM, in which the reader is learnt, and the tests with it
if [ -n "${DISPLAY:-}" ]; then # a real X window needs these as well
    need libxcb-cursor.so.0 libxcb-cursor0
    need libxcb-icccm.so.4 libxcb-icccm4
    need libxcb-keysyms.so.1 libxcb-keysyms1
    need libxcb-image.so.0 libxcb-image0
    need libxcb-render-util.so.0 libxcb-render-util0
    need libxcb-shape.so.0 libxcb-shape0
    need libxkbcommon-x11.so.0 libxkbcommon-x11-0
fi
if command -v fc-list >/dev/null 2>&1; then
    [ -n "$(fc-list 2>/dev/null | head -n 1)" ] || missing="$missing fonts-dejavu-core"
elif [ ! -d /usr/share/fonts ]; then
    missing="$missing fonts-dejavu-core"
fi
if command -v apt-get >/dev/null 2>&1; then
    GROUNDWORK_PYTHON="${GROUNDWORK_PYTHON:-}" sh "$(dirname "$0")/find_python.sh" >/dev/null 2>&1 \
        || missing="$missing python3 python3-venv"
fi
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing system packages:$missing"
    # shellcheck disable=SC2086 # a list of words on purpose
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends $missing >/dev/null; } && exit 0
fi
echo "System packages are missing here, most of them for the window. Debian, Ubuntu:" >&2
echo "    sudo apt-get install$missing" >&2
exit 0
