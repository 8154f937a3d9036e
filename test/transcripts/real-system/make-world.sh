#!/usr/bin/env bash
# Makes the databases of the Weblate in the folder WEBLATE: `weblate`, with the known world, and the template
# `weblate_seed`, from which reset.sh makes it again. Both are dropped before. The server must not run.
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
export DJANGO_SETTINGS_MODULE=settings PYTHONPATH=$WEBLATE
run() { psql -qX -v ON_ERROR_STOP=1 postgres://weblate:weblate@127.0.0.1:5432/postgres "$@"; }
run -c 'drop database if exists weblate with (force)' -c 'drop database if exists weblate_seed with (force)' \
  -c 'create database weblate'
redis-cli -n 1 flushdb >/dev/null
mkdir -p "$WEBLATE/data"
for command in 'migrate -v0' setupgroups setuplang 'collectstatic --noinput -v0'; do
  # shellcheck disable=SC2086
  "$WEBLATE/venv/bin/weblate" $command >>"$WEBLATE/make-world.log" 2>&1
done
# A world with other groups is one all the same.
"$WEBLATE/venv/bin/python" "$here/world.py" "$here/../data/seed.json" 2>>"$WEBLATE/make-world.log" || [ $? = 3 ]
run -c 'create database weblate_seed template weblate'
