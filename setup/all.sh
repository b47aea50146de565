#!/usr/bin/env bash
# From a bare Debian or Ubuntu machine to one that runs sessions. Every step is skipped when it is done already.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)"
"$here/venv.sh"
"$here/docker.sh"
"$here/run.sh" "$here/base-images.sh"
