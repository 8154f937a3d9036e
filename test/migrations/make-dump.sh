#!/bin/sh
# Writes the dump of a release, which the test beside this file loads and migrates from then on. Run it once,
# with the release checked out, on an empty database of PostgreSQL 15, the oldest version that is supported:
# all newer versions load such a dump too.
#
#   DATABASE_URL=postgres://localhost/scratch test/migrations/make-dump.sh > test/migrations/0.1.0.sql
set -eu
cd "$(dirname "$0")/../.."
bin/weblate-understudy migrate >&2
bin/weblate-understudy seed --replace test/transcripts/data/seed.json >&2
# Without what only psql understands, and without the comments of pg_dump.
pg_dump --schema understudy --no-owner --no-privileges --rows-per-insert 1000 "$DATABASE_URL" | grep -v -e '^\\' -e '^--' | cat -s
