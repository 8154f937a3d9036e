#!/bin/bash
# Runs once, when the primary's data are made: lets the replica in.
set -e
echo "host replication understudy all scram-sha-256" >> "$PGDATA/pg_hba.conf"
