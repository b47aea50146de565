#!/usr/bin/env bash
# Prints the path of a Python >= 3.12 that can make virtual environments; installs one where it may.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)"
# shellcheck source=setup/lib.sh
. "$here/lib.sh"

WANTED="3.12 3.13 3.14"

# usable CANDIDATE: prints the interpreter behind it (a pyenv shim is not one) if it is new enough and has ensurepip.
usable() {
    "$1" -c 'import sys, venv, ensurepip
sys.version_info >= (3, 12) or sys.exit(1)
print(sys.executable)' 2>/dev/null
}

candidates() {
    local version root
    [ -z "${PYTHON:-}" ] || echo "$PYTHON"
    for version in $WANTED; do
        echo "python$version"
        for root in "${PYENV_ROOT:-}" "$HOME/.pyenv"; do
            [ -z "$root" ] || printf '%s\n' "$root/versions/$version"*/bin/python
        done
    done
    echo python3
    if have uv; then uv python find '>=3.12' 2>/dev/null || true; fi
}

find_python() {
    local candidate
    while IFS= read -r candidate; do
        if usable "$candidate"; then return 0; fi
    done < <(candidates)
    return 1
}

install_with_apt() {
    local version
    can_install || return 1
    apt_update
    for version in $WANTED; do
        # The interpreter may be there and only its ensurepip missing: Debian ships that in the -venv package.
        if apt_knows "python$version-venv"; then
            say "installing Python $version with apt"
            apt_install "python$version" "python$version-venv" && return 0
        fi
    done
    return 1
}

# Debian 12 and Ubuntu 22.04 package no Python this new; uv fetches one into the user's own folders.
install_with_uv() {
    local uv=uv
    if ! have uv; then
        local tools
        tools="$(state_dir)/uv"
        uv="$tools/bin/uv"
        if [ ! -x "$uv" ]; then
            if ! python3 -c 'import ensurepip' 2>/dev/null; then
                can_install && apt_install python3 python3-venv || return 1
            fi
            say "installing uv, which can fetch a Python"
            logged uv-venv python3 -m venv --clear "$tools" || return 1
            logged uv-install "$tools/bin/pip" install -q uv || return 1
        fi
    fi
    say "fetching Python 3.12 with uv"
    logged uv-python env UV_NATIVE_TLS=1 timeout 300 "$uv" python install 3.12 || return 1
    usable "$("$uv" python find 3.12)"
}

main() {
    if find_python; then return; fi
    say "no Python >= 3.12 with venv found"
    if install_with_apt && find_python; then return; fi
    if install_with_uv; then return; fi
    fail "swe-together needs Python 3.12 or newer with its venv module and none could be found or installed: \
install one (for example 'pyenv install 3.12', or https://www.python.org/downloads/) and run this again, \
or name it with PYTHON=/path/to/python3.12"
}

[ "${BASH_SOURCE[0]}" != "$0" ] || main "$@"
