#!/usr/bin/env bash
# A smoke test with bash and curl. Exits with 1 if a response is not the expected one.
#   API_URL=http://127.0.0.1:8000 bash notifications.sh
set -euo pipefail

api=${API_URL:-http://127.0.0.1:8000}
alice='Authorization: Token wlu_alice_public_sample_token_0000000000'
failed=0

# expect STATUS TEXT PATH [CURL ARGUMENTS]: the response has this status, and its body contains the text.
expect() {
  local status=$1 text=$2 path=$3 answer
  shift 3
  answer=$(curl --silent --show-error --max-time 10 --write-out '\n%{http_code}' "$@" "$api$path")
  if [[ ${answer##*$'\n'} == "$status" && $answer == *"$text"* ]]; then
    echo "ok      $status $path"
  else
    echo "FAILED  $path: expected $status with $text, got: $answer"
    failed=1
  fi
}

expect 200 '"count":10,' /api/users/alice/notifications/ --header "$alice"
expect 200 '"next":null,"previous":"http' '/api/users/alice/notifications/?page=last&page_size=4' --header "$alice"
expect 404 '"not_found"' /api/users/nobody-of-that-name/notifications/ --header "$alice"
expect 403 '"permission_denied"' /api/users/bob/notifications/ --header "$alice"
expect 401 '"authentication_failed"' /api/users/alice/notifications/ --header 'Authorization: Token wrong'
exit $failed
