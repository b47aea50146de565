#!/bin/bash
# The reference: everything that was done in the session, message by message.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
cd /workspace
git apply "$here"/turn-{0,1,2,4,5}.patch
