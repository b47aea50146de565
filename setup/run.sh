#!/usr/bin/env bash
# run.sh COMMAND…: runs a command that needs docker, in a session that knows of a group joined a moment ago.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)"
# shellcheck source=setup/docker.sh
. "$here/docker.sh"

if [ "$(engine_state)" = denied ] && can_be_root; then
    # sudo reads the groups afresh; -E keeps the caller's keys and settings.
    exec sudo -n -E -u "$(id -un)" -- env "PATH=$PATH" "$@"
fi
exec "$@"
