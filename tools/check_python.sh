#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks the types of the Python module.
set -euo pipefail
cd "$(dirname "$0")/.."
mypy --strict --no-error-summary --cache-dir=build/mypy python/sinew
