#!/usr/bin/env bash
# The adapter's tests that need no Docker, with every version of Harbor that we say we work with.
# Each version stands in a folder of its own, before the installed one; what Harbor depends on is shared.
# Arguments go to pytest. With REPORTS=FOLDER, each version's counts are written there as JUnit XML.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)"
# shellcheck source=setup/lib.sh
. "$here/lib.sh"

ROOT="$(root_dir)"
PYTHON="${SWE_TOGETHER_PYTHON:-$ROOT/.venv/bin/python}"
CACHE="$ROOT/.var/harbor"
# The newest of each minor version, oldest first.
VERSIONS=(0.23.0 0.24.0 0.25.0 0.26.0)
# Left out is what has nothing to do with Harbor and takes as long as all the rest, what measures, and what compares a
# page of documentation with the newest.
TESTS=(tests/adapter --ignore tests/adapter/test_ignore.py --ignore tests/adapter/test_agents_doc.py
    -k "not the_load_is_what and not every_environment_of")

# install VERSION: into its folder, once. Last comes the move, so that an interrupted install is done again.
install() {
    local target="$CACHE/$1" made
    [ -d "$target" ] && return
    mkdir -p "$CACHE"
    made="$(mktemp -d "$CACHE/.making-XXXXXX")"
    say "fetching harbor $1"
    logged "harbor-$1" "$PYTHON" -m pip install -q --disable-pip-version-check --no-input --no-deps \
        --target "$made" "harbor==$1" \
        || fail "pip could not fetch harbor $1; the lines above say why (is a package index reachable?)"
    "$PYTHON" "$here/harbor_needs.py" "$made" || fail "harbor $1 can't share what is installed here"
    mv "$made" "$target"
}

main() {
    local version failed=() reports="${REPORTS:-}"
    trust_this_machine "$(dirname "$(dirname "$PYTHON")")"
    # Held while installing alone: tests take minutes.
    (lock "$here" && for version in "${VERSIONS[@]}"; do install "$version"; done)
    for version in "${VERSIONS[@]}"; do
        printf '=== harbor %s\n' "$version"
        (cd "$ROOT" && PYTHONPATH="$CACHE/$version" HARBOR_TELEMETRY=0 LITELLM_LOCAL_MODEL_COST_MAP=True \
            nice "$PYTHON" -m pytest -q -p no:cacheprovider "${TESTS[@]}" \
            ${reports:+--junitxml="$reports/harbor-$version.xml"} "$@") || failed+=("$version")
    done
    if [ "${#failed[@]}" -gt 0 ]; then
        printf 'harbor versions: failed with %s\n' "${failed[*]}"
        exit 1
    fi
    printf 'harbor versions: passed with %s\n' "${VERSIONS[*]}"
}

[ "${BASH_SOURCE[0]}" != "$0" ] || main "$@"
