#!/usr/bin/env bash
# Makes sure that a Docker engine answers, with Compose v2 and buildx.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)"
# shellcheck source=setup/lib.sh
. "$here/lib.sh"
# shellcheck source=setup/docker-plugins.sh
. "$here/docker-plugins.sh"

START_SECONDS="${SWE_TOGETHER_ENGINE_SECONDS:-60}"

# engine_state: ok, denied (it runs, this user may not talk to it) or down.
engine_state() {
    local answer
    if ! have docker; then
        echo down
    elif answer="$(timeout 20 docker version --format '{{.Server.Version}}' 2>&1)"; then
        echo ok
    elif [[ "$answer" == *"permission denied"* ]]; then
        echo denied
    else
        echo down
    fi
}

wait_for_engine() {
    local state end=$((SECONDS + START_SECONDS))
    while [ "$SECONDS" -lt "$end" ]; do
        state="$(engine_state)"
        [ "$state" = down ] || return 0
        sleep 1
    done
    return 1
}

install_engine() {
    can_install || fail "no Docker engine, and this user may not install one: install Docker \
(https://docs.docker.com/engine/install/), or run this as root (or with passwordless sudo) on Debian or Ubuntu"
    say "installing the Docker engine (package docker.io)"
    apt_install docker.io || fail "apt could not install docker.io; install Docker by hand: https://docs.docker.com/engine/install/"
    # From Debian 13 on the client is a package of its own.
    have docker || apt_install docker-cli
}

# Without systemd nobody mounts the control groups that the engine needs.
mount_cgroups() {
    grep -q ' cgroup2\? ' /proc/mounts && return
    have cgroupfs-mount || { apt_update; apt_knows cgroupfs-mount && apt_install cgroupfs-mount; }
    have cgroupfs-mount || fail "no control groups are mounted and the package cgroupfs-mount is not to be had: mount /sys/fs/cgroup"
    as_root cgroupfs-mount
}

start_engine() {
    can_be_root || fail "the Docker engine is installed but not running: start it with 'sudo systemctl start docker'"
    if [ -d /run/systemd/system ]; then
        say "starting the Docker engine with systemd"
        as_root systemctl enable --now docker >/dev/null 2>&1 || as_root systemctl start docker
    else
        log="$(state_dir)/dockerd.log"
        say "starting dockerd (log: $log)"
        mount_cgroups
        # Its own session, and none of our descriptors: it has to outlive make, and must not hold our lock.
        : >"$log"
        as_root setsid nohup dockerd >"$log" 2>&1 </dev/null 9>&- &
    fi
    wait_for_engine || {
        [ -z "${log:-}" ] || tail -n 15 "$log" >&2
        fail "the Docker engine did not answer within $START_SECONDS seconds; read ${log:-the output of journalctl -u docker}"
    }
}

# Takes effect in new sessions only; run.sh bridges the gap for the current one.
join_docker_group() {
    local user
    user="$(id -un)"
    if id -nG "$user" | tr ' ' '\n' | grep -qx docker; then return; fi
    can_be_root || fail "a Docker engine runs but $user may not use it: ask an administrator for 'usermod -aG docker $user'"
    say "adding $user to the group docker (new logins can use docker at once)"
    as_root usermod -aG docker "$user"
}

ensure_engine() {
    local state
    state="$(engine_state)"
    if [ "$state" = down ]; then
        if [ -n "${DOCKER_HOST:-}" ]; then
            fail "no Docker engine answers at DOCKER_HOST=$DOCKER_HOST: start it, or unset DOCKER_HOST to use one on this machine"
        fi
        have dockerd || install_engine
        # The package may have started it already.
        [ "$(engine_state)" != down ] || start_engine
        state="$(engine_state)"
    else
        skip "a Docker engine answers"
    fi
    [ "$state" != denied ] || join_docker_group
}

main() {
    if [ "$(engine_state)" = ok ] && compose_works && buildx_works; then
        skip "a Docker engine answers, with Compose and buildx"
        return
    fi
    lock "$(state_dir)"
    ensure_engine
    ensure_plugins
}

[ "${BASH_SOURCE[0]}" != "$0" ] || main "$@"
