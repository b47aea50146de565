#!/bin/bash
# An answer that obeys every rule in force, a commit for each task.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd /workspace
answer() {
  cp -r "$here/answers/$1/." .
  git add -A
  git -c user.name=reference -c user.email=reference@localhost commit -q --cleanup=verbatim \
    -F "$here/answers/$1.message"
}
answer 1
