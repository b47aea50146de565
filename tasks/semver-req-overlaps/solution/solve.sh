#!/bin/bash
# The reference: what is done after each user turn, applied one after another to the imported tree.
set -euo pipefail
cd /workspace
stages=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
for n in 0 2 3 4 6; do
  git apply --whitespace=nowarn "$stages/turn-$n.patch"
done
