#!/bin/bash
# Copies the primary at the first start, then follows it.
set -e
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  until pg_basebackup -D "$PGDATA" -R -c fast -d "postgres://understudy@primary/understudy?application_name=replica"; do
    rm -rf "${PGDATA:?}"/*
    sleep 1
  done
fi
exec postgres -c hot_standby_feedback=on
