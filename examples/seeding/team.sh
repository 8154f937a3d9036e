#!/bin/sh
# Replaces the content of the sandbox `default` of a running service, with curl.
#
#   UNDERSTUDY_URL=http://127.0.0.1:8000 sh team.sh
set -eu

testers() {
  for n in 1 2 3 4 5; do
    cat <<YAML
  - username: tester-$n
    full_name: Tester $n
    subscriptions: [{ notification: NewAnnouncementNotificaton, scope: watched, frequency: daily }]
YAML
  done
}

# curl sends the header Authorization only if UNDERSTUDY_ADMIN_TOKEN is set.
curl --silent --show-error --fail-with-body --request PUT --data-binary @- \
  --header 'Content-Type: application/yaml' ${UNDERSTUDY_ADMIN_TOKEN:+--header "Authorization: Bearer $UNDERSTUDY_ADMIN_TOKEN"} \
  "${UNDERSTUDY_URL:-http://127.0.0.1:8000}/_understudy/sandboxes/default/seed" <<YAML
projects: [{ slug: website, name: Website }]
components: [{ project: website, slug: pages, name: Pages }]
users:
  - username: ada
    full_name: Ada Example
    is_superuser: true
    token: wlu_ada_public_sample_token_000000000000
    subscriptions: [{ notification: NewStringNotificaton, component: website/pages }]
$(testers)
YAML
