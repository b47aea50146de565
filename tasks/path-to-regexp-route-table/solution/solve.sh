#!/bin/bash
# The reference: the patches of all user turns, one after another.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd /workspace
for patch in $(ls "$here"/turn-*.patch | sort -V); do
  git apply "$patch"
done
