#!/bin/bash
# Applies the reference to the imported tree, one user turn after another.
set -euo pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd /workspace
for turn in 0 1 2 4 5; do
  git apply --whitespace=nowarn "$folder/turn-$turn.patch"
done
