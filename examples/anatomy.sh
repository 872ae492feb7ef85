#!/usr/bin/env bash
# anatomy.sh: writes the dumps in README.md and examples/anatomy.md anew.
#
#   examples/anatomy.sh [--check] BUILD/lockstep
#
# In those files a line `<!-- $ COMMAND -->` says what made the fenced block
# below it.  `<!-- unchecked $ COMMAND -->`: the block depends on the machine.
# --check changes nothing, leaves unchecked blocks alone, and exits with 1 if
# another block is not what its command prints now.
set -euo pipefail
export LC_ALL=C

usage() {
  echo "usage: examples/anatomy.sh [--check] BUILD/lockstep" >&2
  exit 2
}

check=false
[ "${1-}" != --check ] || { check=true && shift; }
[ $# = 1 ] && [ -x "$1" ] || usage
tool=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."

lockstep() { "$tool" "$@"; }

# From line FIRST that matches to line LAST, both included, of what comes in.
part() { sed -n "/$1/,/$2/p"; }

# The shortest loop with a line of PATTERN, of LLVM IR or assembly: from a
# label to the jump back to it.
loop_with() {
  awk -v pattern="$1" '
    { line[NR] = $0 }
    /^[.A-Za-z0-9_]+:/ { split($0, word, ":"); label[word[1]] = NR }
    /^[ \t]+(j|br )/ {
      gsub(/[%,]/, "")
      for (w = 2; w <= NF; w++) {
        if (!($w in label)) continue
        for (i = label[$w]; i < NR; i++)
          if (line[i] ~ pattern && (!best || NR - label[$w] < best)) {
            best = NR - label[$w]; from = label[$w]; to = NR
          }
      }
    }
    END { for (i = from; i <= to && best; i++) print line[i] }'
}

# Keeps the first and the last lines of a long text.
ends() {
  awk -v first="$1" -v last="$2" '
    { line[NR] = $0 }
    END {
      cut = NR > first + last + 1
      for (i = 1; i <= NR; i++) {
        if (!cut || i <= first || i > NR - last) print line[i]
        else if (i == first + 1) printf "  ... %d lines ...\n", NR - first - last
      }
    }'
}

# render FILE: the file with its blocks made anew.
render() {
  local line command="" inside=false skip=false
  while IFS= read -r line; do
    if $inside; then
      [[ $line != '```' ]] || inside=false
      if $inside && $skip; then continue; fi
      skip=false
    elif [[ $line =~ ^'<!-- '(unchecked )?'$ '(.*)' -->'$ ]]; then
      command=${BASH_REMATCH[2]}
      if $check && [ -n "${BASH_REMATCH[1]}" ]; then command=; fi
    elif [[ $line = '```'* ]]; then
      inside=true
      if [ -n "$command" ]; then
        printf '%s\n' "$line"
        eval "$command" || { echo "$1: failed: $command" >&2 && return 1; }
        command='' skip=true
        continue
      fi
    fi
    printf '%s\n' "$line"
  done <"$1"
}

fresh=$(mktemp)
trap 'rm -f "$fresh"' EXIT
stale=0
for file in README.md examples/anatomy.md; do
  render "$file" >"$fresh"
  if ! $check; then
    cmp -s "$fresh" "$file" || cat "$fresh" >"$file"
  elif ! diff -u "$file" "$fresh"; then
    echo "$file is not current; run: examples/anatomy.sh BUILD/lockstep" >&2
    stale=1
  fi
done
exit $stale
