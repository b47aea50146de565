#!/bin/bash
# Applies the reference, stage by stage, to the imported tree.
set -euo pipefail
stages=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd /workspace
for number in 0 1 3 4 5; do
  git apply --whitespace=nowarn "$stages/turn-$number.patch"
done
