#!/usr/bin/env bash
# Makes the virtual environment .venv with this project and its development tools in it.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)"
# shellcheck source=setup/lib.sh
. "$here/lib.sh"

ROOT="$(root_dir)"
VENV="$ROOT/.venv"
STAMP="$VENV/.swe-together-stamp"

# What the installed packages depend on: the project file, and where the checkout stands (an editable install names it).
stamp_value() { { printf '%s\n' "$ROOT"; cat "$ROOT/pyproject.toml"; } | sha256sum | cut -d' ' -f1; }

venv_works() { "$VENV/bin/python" -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null; }

install_project() {
    trust_this_machine "$VENV"
    logged pip-install "$VENV/bin/python" -m pip install -q --disable-pip-version-check --no-input -e "${ROOT}[dev]" \
        || fail "pip could not install the project; the lines above say why (is a package index reachable?)"
}

main() {
    local wanted python
    # The folder itself serves as the lock: one set-up per checkout, and no file to leave behind.
    lock "$here"
    wanted="$(stamp_value)"
    if venv_works && [ "$(cat "$STAMP" 2>/dev/null)" = "$wanted" ]; then
        skip "virtual environment .venv is up to date"
        return
    fi
    if ! venv_works; then
        python="$("$here/python.sh")"
        say "making the virtual environment .venv with $python"
        logged venv "$python" -m venv --clear "$VENV" || fail "$python could not make $VENV; the lines above say why"
    fi
    say "installing the project and its tools into .venv (a minute or two)"
    rm -f "$STAMP"
    install_project
    # Last, so that an interrupted install is done again.
    printf '%s\n' "$wanted" >"$STAMP"
}

[ "${BASH_SOURCE[0]}" != "$0" ] || main "$@"
