#!/usr/bin/env bash
# A comparison of providers in CI that fails on a new difference only: what differs and is known stands in a file that is
# kept beside the code. Without that file it writes one into FOLDER and fails, until a person has looked at it and
# committed it. After an intended change, write it again with --write-baseline and commit it.
#
#   Examples/ci/comparison.sh BASELINE FOLDER [PROGRAM] [PROVIDER…]
set -euo pipefail
baseline=${1:?the file with the differences that are known}
folder=${2:?the folder for the report}
program=${3:-.build/debug/payctl}
shift $(($# > 3 ? 3 : $#))
if [ $# -eq 0 ]; then set -- adyen arise ecommpay halo ni; fi
mkdir -p "$folder"
if [ ! -e "$baseline" ]; then
    "$program" compare "$@" --write-baseline "$folder/baseline" >/dev/null
    echo "There is no $baseline: look at $folder/baseline, and commit it as $baseline." >&2
    exit 1
fi
"$program" compare "$@" --baseline "$baseline" --report "$folder/comparison.html" --report "$folder/comparison.xml" \
    --report "$folder/comparison.md" >"$folder/comparison.txt"
