#!/bin/bash
# Runs once, when the primary's data directory is made: admits the replica.
set -e
echo "host replication understudy all scram-sha-256" >> "$PGDATA/pg_hba.conf"
