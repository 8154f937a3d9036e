# Ends what the service started when the service ends, however it ends: standard input is a pipe that only the service
# holds, and that closes with it (docs/decisions/0025). Either `serve TICKS LOG COMMAND…` runs a server, or `hold PLACE…`
# makes a temporary folder in the first of the places that takes one, prints its path, and removes it at the end.

# Only the end of the service ends the watchdog: a signal to the whole group must not take the database from a service
# that is still draining.
trap '' INT TERM HUP PIPE
unset WATCHDOG
umask 077

if [ "$1" = hold ]; then
  shift
  # No other account knows its name before, and it is never a folder that was there already.
  for place; do folder=$(mktemp -d "$place/understudy-XXXXXX" 2>/dev/null) && break; done
  printf '%s\n' "$folder"
  read -r _
  # Its server may still be ending.
  tries=400
  while ! rm -rf "$folder" 2>/dev/null && [ "$tries" -gt 0 ]; do
    tries=$((tries - 1))
    sleep 0.05
  done
  exit
fi

ticks=$2
log=$3
shift 3
# Never through a link.
rm -f "$log"
set -C
# The server and all of its processes hold the third pipe, so the service learns when the last has ended.
"$@" >"$log" 2>&1 </dev/null & server=$!
exec 3>&-
read -r _
# SIGINT is PostgreSQL's fast shutdown. One that arrives while the server is starting can get lost, so it is repeated; a
# server that doesn't end in time is killed, and recovers at its next start. SIGQUIT ends it at once, and leaves a cluster
# that would have to recover: the way for one that is removed.
(
  while :; do
    signal=KILL
    [ "$ticks" -gt -20 ] && signal=QUIT
    [ "$ticks" -gt 0 ] && signal=INT
    kill -s "$signal" "$server"
    ticks=$((ticks - 1))
    sleep 0.25
  done
) >/dev/null 2>&1 </dev/null &
wait "$server"
kill -s KILL "$!"
