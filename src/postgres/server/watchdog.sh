# Runs a server (`serve TICKS LOG COMMAND…`), or makes a temporary folder in the first place that takes one
# (`hold PLACE…`, which prints the path). Ends the server, or removes the folder, when the service ends in any
# way: standard input is a pipe from the service, and closes with the service (docs/decisions/0025).

# Only the end of the service ends the watchdog. A signal to the group must not take the database from a service
# that still drains.
trap '' INT TERM HUP PIPE
unset WATCHDOG
umask 077

if [ "$1" = hold ]; then
  shift
  # The name is random, and mktemp takes no folder that exists.
  for place; do folder=$(mktemp -d "$place/understudy-XXXXXX" 2>/dev/null) && break; done
  printf '%s\n' "$folder"
  read -r _
  # The server in the folder may still be ending.
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
# The log must not be written through a link.
rm -f "$log"
set -C
# All processes of the server hold descriptor 3, a pipe, so the service learns when the last one has ended.
"$@" >"$log" 2>&1 </dev/null & server=$!
exec 3>&-
read -r _
# Sends SIGINT, PostgreSQL's fast shutdown, TICKS times, because a server that is starting can lose a
# signal. Then sends SIGQUIT for five seconds: it ends the server at once, and the cluster recovers at
# the next start. Then kills the server. A cluster to be removed needs no recovery: its TICKS are 0.
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
