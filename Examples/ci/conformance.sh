#!/usr/bin/env bash
# A conformance run in CI, for a provider of one's own or for those of the package: fails when a check fails, and leaves
# a JUnit report for the CI's test view and a page for people.
#
#   Examples/ci/conformance.sh FOLDER [PROGRAM] [PROVIDER…]
set -euo pipefail
folder=${1:?the folder for the reports}
program=${2:-.build/debug/payctl}
shift $(($# > 2 ? 2 : $#))
mkdir -p "$folder"
"$program" conformance "$@" --level full --report "$folder/conformance.xml" --report "$folder/conformance.html"
