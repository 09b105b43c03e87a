#!/usr/bin/env bash
# scripts/setup installs the packages that are missing, only these, without a question; and does nothing when
# there are none. dpkg-query, apt-get and sudo are stand-ins that write down what they are asked.
set -euo pipefail
setup=$1/scripts/setup
fake=$(mktemp -d)
trap 'rm -rf "$fake"' EXIT
failures=0

cat >"$fake/dpkg-query" <<'FAKE'
#!/bin/sh
shift 3
for package; do case " $MISSING " in *" $package "*) ;; *) echo "$package installed" ;; esac; done
FAKE
cat >"$fake/apt-get" <<'FAKE'
#!/bin/sh
[ "$1" != -q ] || shift
while [ "$1" = -o ]; do shift 2; done
echo "apt-get $* ($DEBIAN_FRONTEND)" >>"$CALLS"
case "$1" in update) exit "${UPDATE_FAILS:-0}" ;; esac
FAKE
printf '#!/bin/sh\n[ -z "$NO_SUDO" ] || exit 1\nshift\nexec "$@"\n' >"$fake/sudo"
printf '#!/bin/sh\necho "${FAKE_UID:-0}"\n' >"$fake/id"
chmod +x "$fake"/*

# expect NAME EXIT CALLS VARIABLES... -- ARGUMENTS...
expect() {
  local name=$1 code=$2 calls=$3 status=0 variables=() got
  shift 3
  while [ "$1" != -- ]; do variables+=("$1"); shift; done
  shift
  : >"$fake/calls"
  env PATH="$fake:$PATH" CALLS="$fake/calls" MISSING="" "${variables[@]}" "$setup" "$@" >"$fake/stdout" 2>/dev/null ||
    status=$?
  got=$(tr '\n' ';' <"$fake/calls")
  if [ "$status" -ne "$code" ] || [ "$got" != "$calls" ] || [ -s "$fake/stdout" ]; then
    printf 'FAILED: %s\n  expected exit %s, calls "%s"\n  got      exit %s, calls "%s", stdout "%s"\n' \
      "$name" "$code" "$calls" "$status" "$got" "$(cat "$fake/stdout")"
    failures=$((failures + 1))
  fi
}

update="apt-get update (noninteractive);"
install="apt-get install -y --no-install-recommends"
expect "nothing is missing: no package manager" 0 "" -- build test fresh
expect "one is missing: it alone is installed" 0 "$update$install ninja-build (noninteractive);" \
  MISSING=ninja-build -- build
expect "two are missing, in the list's order" 0 "$update$install cmake ninja-build (noninteractive);" \
  MISSING="ninja-build cmake" -- build
expect "what another group needs is left alone" 0 "" MISSING=clang-14 -- build
expect "without arguments: build and test" 0 "$update$install cmake clang-14 (noninteractive);" \
  MISSING="cmake clang-14 debootstrap" --
expect "a broken repository does not stop it" 0 "$update$install cmake (noninteractive);" \
  MISSING=cmake UPDATE_FAILS=100 -- build
expect "a user with sudo" 0 "$update$install cmake (noninteractive);" MISSING=cmake FAKE_UID=1000 -- build
expect "a user without sudo is told, not asked" 5 "" MISSING=cmake FAKE_UID=1000 NO_SUDO=1 -- build
expect "an unknown group" 1 "" -- biuld

[ "$failures" -eq 0 ] || exit 1
echo "9 cases hold"
