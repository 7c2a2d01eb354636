#!/bin/bash
set -eu

readonly LIMIT=10

# Prints help.
usage() {
  echo "usage"
}

function main {
  usage
}

main "$@"
