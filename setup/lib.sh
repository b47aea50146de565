# shellcheck shell=bash
# What every set-up script shares: how it speaks, how it becomes root, how it installs, how two runs keep apart.

# Quiet, unattended apt: a question on a terminal nobody watches would hang the set-up.
export DEBIAN_FRONTEND=noninteractive
# Debian keeps daemons and system tools where a user's PATH does not look.
export PATH="$PATH:${SWE_TOGETHER_SBIN-/usr/local/sbin:/usr/sbin:/sbin}"

root_dir() { (cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P); }

# Where the set-up keeps its own logs and locks, outside the checkout, so that `git clean` cannot pull them away.
state_dir() {
    local dir="${SWE_TOGETHER_STATE:-${XDG_STATE_HOME:-$HOME/.local/state}/swe-together}"
    mkdir -p "$dir"
    printf '%s\n' "$dir"
}

# All talk goes to stderr: stdout is for values that a caller captures.
say() { printf 'setup: %s\n' "$*" >&2; }
skip() { printf 'setup: %s (skipped)\n' "$*" >&2; }

# One sentence that names the thing and the remedy; exit 2 = the machine has to change first.
fail() {
    printf 'setup: error: %s\n' "$*" >&2
    exit 2
}

have() { command -v "$1" >/dev/null 2>&1; }

is_root() { [ "$(id -u)" -eq 0 ]; }
can_be_root() { is_root || { have sudo && sudo -n true 2>/dev/null; }; }

as_root() {
    if is_root; then "$@"; else sudo -n -- "$@"; fi
}

# Debian and Ubuntu only: elsewhere the package names below mean nothing.
can_install() { have apt-get && have dpkg && can_be_root; }

# Runs a command with its output kept in a log file, shown only when it fails.
logged() {
    local log
    log="$(state_dir)/$1.log"
    shift
    "$@" >"$log" 2>&1 </dev/null || {
        tail -n 15 "$log" >&2
        say "that failed; the whole log is in $log"
        return 1
    }
}

apt_update_done=""
apt_update() {
    [ -n "$apt_update_done" ] && return
    # A broken third-party list must not stop us: what counts is whether the install below works.
    logged apt-update as_root apt-get -q update || say "apt-get update reported errors; going on"
    apt_update_done=1
}

apt_install() {
    apt_update
    # A package may start its daemon, which must not hold our lock for the rest of its life.
    logged "apt-$1" as_root env DEBIAN_FRONTEND=noninteractive apt-get -qy install --no-install-recommends "$@" 9>&-
}

apt_knows() { apt-cache show --no-all-versions "$1" >/dev/null 2>&1; }

# Holds an exclusive lock on file or folder $1 until this shell ends. Descriptor 9 must be closed (9>&-) for daemons.
lock() {
    exec 9<"$1"
    if ! flock -n 9; then
        say "another set-up is running; waiting for it"
        flock -w 1200 9 || fail "another set-up has held $1 for 20 minutes; end it and run this again"
    fi
}

# trust_this_machine VENV: its pip trusts what this machine trusts. An older pip knows only its own list, which no
# company's proxy is on.
trust_this_machine() {
    local bundle=/etc/ssl/certs/ca-certificates.crt
    if [ -e "$bundle" ] && ! "$1/bin/python" -m pip config get global.cert >/dev/null 2>&1; then
        export PIP_CERT="${PIP_CERT:-$bundle}"
    fi
}

# os_release KEY: a value of /etc/os-release, empty where there is none.
os_release() {
    # shellcheck source=/dev/null
    (. /etc/os-release 2>/dev/null && eval "printf '%s\n' \"\${$1:-}\"")
}
