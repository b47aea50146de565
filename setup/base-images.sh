#!/usr/bin/env bash
# Makes sure that debian:trixie-slim, the base of every task image, is there.
# From Docker Hub where that answers; built on this machine with debootstrap where it does not.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)"
# shellcheck source=setup/lib.sh
. "$here/lib.sh"
# shellcheck source=setup/rootfs.sh
. "$here/rootfs.sh"

IMAGE=debian:trixie-slim
SUITE=trixie
LABEL=swe-together.local-base=1
PULL_SECONDS="${SWE_TOGETHER_PULL_SECONDS:-20}"
TREES="${TMPDIR:-/var/tmp}"
BUNDLE=/etc/ssl/certs/ca-certificates.crt

image_present() { docker image inspect "$IMAGE" >/dev/null 2>&1; }

# A registry that answers at all gets the time a pull needs; one that stays silent is given up quickly.
hub_answers() { timeout "$PULL_SECONDS" bash -c 'exec 3<>/dev/tcp/registry-1.docker.io/443' 2>/dev/null; }

pull_image() {
    local seconds="$PULL_SECONDS"
    if hub_answers; then seconds=300; fi
    timeout "$seconds" docker pull -q "$IMAGE" >/dev/null 2>&1
}

import_image() {
    local rootfs="$1" name
    local changes=(--change 'CMD ["bash"]' --change "LABEL $LABEL")
    for name in SSL_CERT_FILE PIP_CERT REQUESTS_CA_BUNDLE NODE_EXTRA_CA_CERTS CURL_CA_BUNDLE GIT_SSL_CAINFO; do
        changes+=(--change "ENV $name=$BUNDLE")
    done
    as_root tar -C "$rootfs" --numeric-owner --exclude='./dev/*' -c . | docker import "${changes[@]}" - "$IMAGE" >/dev/null
}

# debootstrap mounts /proc and /sys inside the tree, and leaves them there when it is killed.
discard_tree() {
    local inner
    for inner in proc sys; do
        if grep -q " $1/rootfs/$inner " /proc/mounts; then as_root umount -l "$1/rootfs/$inner"; fi
    done
    as_root rm -rf --one-file-system "$1"
}

# Of runs that were killed outright; a build takes a minute, so an old one cannot be another user's at work.
discard_old_trees() {
    local tree
    while IFS= read -r tree; do
        discard_tree "$tree"
    done < <(find "$TREES" -maxdepth 1 -name 'swe-together-base.*' -mmin +60)
}

build_image() {
    can_install || fail "Docker Hub does not answer and $IMAGE can only be built here by root (or passwordless sudo) \
on Debian or Ubuntu: run this as root, or load the image yourself with 'docker load'"
    have debootstrap || { say "installing debootstrap"; apt_install debootstrap; }
    discard_old_trees
    work="$(as_root mktemp -d "$TREES/swe-together-base.XXXXXX")"
    as_root chmod 755 "$work"
    trap 'discard_tree "$work"' EXIT
    say "building $IMAGE with debootstrap (about half a minute)"
    make_rootfs "$SUITE" "$work/rootfs"
    import_image "$work/rootfs"
}

main() {
    if image_present; then
        skip "base image $IMAGE is there"
        return
    fi
    lock "$(state_dir)"
    if image_present; then
        skip "base image $IMAGE was just made by another run"
        return
    fi
    say "pulling $IMAGE from Docker Hub"
    if pull_image; then return; fi
    say "Docker Hub does not answer"
    build_image
    image_present || fail "$IMAGE was built but 'docker image inspect' does not find it; look at 'docker images'"
}

[ "${BASH_SOURCE[0]}" != "$0" ] || main "$@"
