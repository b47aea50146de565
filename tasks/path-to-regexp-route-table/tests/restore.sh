#!/bin/bash
# Restores the final state of a session, packed by the task's collect command, in a fresh container.
#
#   bash restore.sh [STATE.TAR]      (as root; the default is /var/lib/swe-together/state.tar)
#
# Afterwards each working tree is what it was in the agent's container: content, modes, owners, times, links, empty
# folders. Paths that the task excludes from the state stay as they are here, as long as the folder that holds them
# is part of the state. May be called again. Exit 3: there is no whole state; nothing may be graded then.
set -u
export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C
unset TAR_OPTIONS
umask 022
shopt -s nullglob dotglob
cd / || exit 3

state=${1:-/var/lib/swe-together/state.tar}
list=swe-together.list

fail() {
  printf 'restore: %s\n' "$*" >&2
  exit 3
}

case $state in /*/*) folder=${state%/*} ;; *) fail "$state must be an absolute path to a file in a folder of its own" ;; esac
[ -f "$state" ] && [ ! -L "$state" ] || fail "there is no packed state at $state"
# The state is restored again after untrusted code has run; by then nobody else may have touched it.
chown root:root "$folder" "$state" && chmod 0700 "$folder" && chmod 0600 "$state" \
  || fail "the packed state at $state can't be protected"

# The list is the last member: where it is there, the archive is whole.
listed=$(tar --extract --file="$state" --to-stdout "$list" 2>/dev/null && echo end) || fail "$state is broken or cut off"
trees=() excluded=()
while read -r kind path; do
  case $kind in
    tree) trees+=("$path") ;;
    exclude) excluded+=("$path") ;;
    end) break ;;
    *) fail "$state holds a list that can't be read" ;;
  esac
done <<<"$listed"
[ "${#trees[@]}" -gt 0 ] || fail "$state names no working tree"

# Whether the state holds a folder of this name (relative to /).
packed_folder() {
  local line
  line=$(tar --list --verbose --file="$state" --no-unquote --no-recursion --occurrence=1 -- "$1" 2>/dev/null)
  [ "${line:0:1}" = d ]
}

kept=()
for path in "${excluded[@]}"; do  # each lies in a tree, so it has a slash
  if packed_folder "${path%/*}"; then kept+=("$path"); fi
done

# Whether this path (relative to /) is kept (exit 0), leads to something kept (1), or neither (2).
relation() {
  local path
  for path in "${kept[@]}"; do
    if [ "$path" = "$1" ]; then return 0; fi
    if [ "${path:0:${#1}+1}" = "$1/" ] && [ -d "/$1" ] && [ ! -L "/$1" ]; then return 1; fi
  done
  return 2
}

# Removes everything inside a folder that isn't kept.
empty() {
  local entry
  for entry in "/$1"/*; do
    relation "${entry:1}"
    case $? in
      0) ;;
      1) empty "${entry:1}" ;;
      *) rm -rf --one-file-system -- "$entry" || fail "$entry can't be removed" ;;
    esac
  done
}

for tree in "${trees[@]}"; do
  if [ -d "/$tree" ] && [ ! -L "/$tree" ] && packed_folder "$tree"; then
    empty "$tree"
  else
    rm -rf --one-file-system -- "/$tree" || fail "/$tree can't be removed"
  fi
done

# Paths too long for any program to name are the one thing that may be missing: with them an agent could otherwise
# keep its work from being graded.
said=$({
  tar --extract --file="$state" --directory=/ --numeric-owner --same-owner --same-permissions \
    --delay-directory-restore --warning=no-timestamp --anchored --no-wildcards --exclude="$list"
  echo "status $?"
} 2>&1 | grep -v -e ': File name too long$' -e '^tar: Exiting with failure status' | tail -c 2000)
case $said in
  "status 0" | *$'\n'"status 0" | "status 2") ;;
  *) fail "unpacking $state failed: $said" ;;
esac
