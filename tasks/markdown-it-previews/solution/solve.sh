#!/bin/bash
# The reference: what was done after each message, in their order.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd /workspace
for turn in 0 1 2 4 5; do
  git apply "$here/turn-$turn.patch"
done
