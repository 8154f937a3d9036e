# Ends the embedded PostgreSQL, and removes a temporary folder, when the service ends, however it ends: standard input is
# a pipe that only the service holds, and that closes with it (docs/decisions/0025). Its lines: `:ARGUMENT` adds one to
# the server's command, `serve TICKS LOG` starts it, `adopt FOLDER` takes over a temporary folder, `leave` gives it up. The
# parameters are a name for people who list the processes, and the places where a temporary folder may lie, if there is to
# be one.

# Only the end of the service ends the server: a signal to the whole group must not take the database from a service that
# is still draining. Nor must an answer that the service doesn't read any more end the watchdog before it ends the server.
trap '' INT TERM HUP PIPE
unset WATCHDOG
umask 077
folder=
server=
shift
# No other account knows its name before, and it is never a folder that was there already.
for place; do folder=$(mktemp -d "$place/understudy-XXXXXX" 2>/dev/null) && break; done
printf '%s\n' "$folder"
set --
while IFS= read -r line; do
  rest=${line#* }
  case $line in
    :*) set -- "$@" "${line#:}" ;;
    serve\ *)
      ticks=${rest%% *}
      log=${rest#* }
      # Never through a link.
      rm -f "$log"
      set -C
      # The server and all of its processes hold the third pipe, so the service learns when the last has ended.
      "$@" >"$log" 2>&1 </dev/null & server=$!
      exec 3>&-
      printf '%s\n' "$server"
      ;;
    adopt\ *) folder=$rest ;;
    leave) folder= ;;
  esac
done

# SIGINT is PostgreSQL's fast shutdown. One that arrives while the server is starting can get lost, so it is repeated; a
# server that doesn't end in time is killed, and recovers at its next start. SIGQUIT ends it at once, and leaves a cluster
# that would have to recover: the way for one that is removed.
if [ "$server" ]; then
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
fi
# A killed server's processes may still be ending.
tries=100
while [ "$folder" ] && ! rm -rf "$folder" 2>/dev/null && [ "$tries" -gt 0 ]; do
  tries=$((tries - 1))
  sleep 0.05
done
