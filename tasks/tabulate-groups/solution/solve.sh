#!/bin/bash
# The reference: the patches of all turns, one on top of the other.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd /workspace
for turn in "$here"/turn-[0-9]*.patch; do
  git apply "$turn"
done
