#!/usr/bin/env bash
# Writes settings.py into the folder WEBLATE, from the example that the release in WEBLATE/venv brings: the settings
# with which the transcripts were recorded. Rate limits are lifted; RATE_ANONYMOUS and RATE_USER, such as 2/day, set
# them.
set -euo pipefail
example=$("$WEBLATE/venv/bin/python" -c 'import weblate; print(weblate.__path__[0])')/settings_example.py
anonymous=${RATE_ANONYMOUS:-1000000/hour} user=${RATE_USER:-1000000/hour}
# Where the two limits stand depends on the release.
sed -e 's|^SITE_DOMAIN = .*|SITE_DOMAIN = "localhost:8080"|' \
  -e 's|^DEBUG = .*|DEBUG = False|' \
  -e 's|"PASSWORD": "",|"PASSWORD": "weblate",|' \
  -e "s|^DATA_DIR = .*|DATA_DIR = \"$WEBLATE/data\"|" \
  -e 's|^CELERY_TASK_ALWAYS_EAGER = .*|CELERY_TASK_ALWAYS_EAGER = True|' \
  -e "s|^API_RATELIMIT_ANON = .*|API_RATELIMIT_ANON = \"$anonymous\"|" \
  -e "s|^API_RATELIMIT_USER = .*|API_RATELIMIT_USER = \"$user\"|" \
  -e "s|anon_throttle=\"[^\"]*\"|anon_throttle=\"$anonymous\"|" \
  -e "s|user_throttle=\"[^\"]*\"|user_throttle=\"$user\"|" \
  "$example" >"$WEBLATE/settings.py"
