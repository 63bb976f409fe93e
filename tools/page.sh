#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the page of the viewer, web/dist, when its sources are newer. Needs node and npm; without them, or when the
# packages cannot be fetched, it says so and the program is built without a page. Nothing to do: says nothing.
set -euo pipefail
cd "$(dirname "$0")/../web"

without() {
    echo "page: $1; the program is built without its page" >&2
    exit 0
}

[ ! -f dist/app.js ] || [ -n "$(find src build.mjs package-lock.json -newer dist/app.js -print -quit)" ] || exit 0
command -v node > /dev/null || without "node is missing"
command -v npm > /dev/null || without "npm is missing"
[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 18 ] || without "node $(node --version) is older than 18"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if [ ! -d node_modules ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
    echo "page: fetching packages (npm ci)"
    npm ci > "$log" 2>&1 || { tail -n 5 "$log" >&2; without "npm could not fetch the packages (offline?)"; }
fi
npm run --silent build > "$log" 2>&1 || { cat "$log" >&2; exit 1; }
