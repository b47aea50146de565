#!/usr/bin/env bash
# Finds a Chromium for the tests of the pages, or installs Debian's.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)"
# shellcheck source=setup/lib.sh
. "$here/lib.sh"

# Ubuntu's package of this name is a link to a snap, which may not run here: hence the question whether it starts.
browser() {
    local name
    for name in chromium chromium-browser google-chrome; do
        if have "$name" && "$name" --version >/dev/null 2>&1; then
            echo "$name"
            return
        fi
    done
    return 1
}

main() {
    local found
    lock "$(state_dir)"
    if found="$(browser)"; then
        skip "$found is there"
        return
    fi
    can_install || fail "the tests of the pages need Chromium, and this user may not install it: \
install chromium, or run this as root on Debian or Ubuntu"
    say "installing Chromium (package chromium, about 100 MB)"
    apt_install chromium || fail "apt could not install chromium; install Chromium or Chrome by hand"
    browser >/dev/null || fail "chromium was installed and does not start; run: chromium --version"
}

[ "${BASH_SOURCE[0]}" != "$0" ] || main "$@"
