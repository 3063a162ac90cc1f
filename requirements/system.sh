#!/bin/sh
# Installs the Debian/Ubuntu packages named in the given lists, where root or sudo allows it;
# otherwise prints the one line to type. Packages that are already there cost nothing.
set -eu
missing=""
for package in $(cat "$@"); do
    # A Python that was not installed by Debian brings its own venv module.
    if [ "$package" = python3-venv ] && "${PYTHON:-python3}" -c 'import ensurepip' 2>/dev/null; then continue; fi
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
line="apt-get install -y --no-install-recommends$missing"
if ! command -v apt-get >/dev/null 2>&1; then
    echo "This machine has no apt-get. Please install by its own package manager:$missing" >&2
    exit 1
fi
if [ "$(id -u)" = 0 ]; then run=""; elif sudo -n true 2>/dev/null; then run="sudo"; else
    echo "System packages are missing. Please type this line, then start again:" >&2
    echo "    sudo apt-get update && sudo $line" >&2
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive
$run apt-get update -q >/dev/null
# shellcheck disable=SC2086 # the list is words on purpose
$run $line >/dev/null
