#!/bin/bash
# The reference: every stage of the session, in order, on the tree as it was imported.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd /workspace
for turn in 0 1 2 3 4 5 6; do
  patch=$here/turn-$turn.patch
  if [ -f "$patch" ]; then git apply --whitespace=nowarn "$patch"; fi
done
