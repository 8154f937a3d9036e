#!/usr/bin/env bash
# Brings the Weblate that make-world.sh made back to the known world, ids and counters included. It keeps running.
set -euo pipefail
psql -qX -v ON_ERROR_STOP=1 postgres://weblate:weblate@127.0.0.1:5432/postgres \
  -c 'drop database if exists weblate with (force)' -c 'create database weblate template weblate_seed'
redis-cli -n 1 flushdb >/dev/null
