"""The clock of a sandbox: a test that advances it need not wait for the end of a 429."""

from datetime import datetime, timedelta, timezone

import pytest
import requests
from weblate_understudy import UnderstudyError, start


def test_clock():
    with start(env={"UNDERSTUDY_RATE_LIMIT_USER": "1/hour"}) as api, api.sandbox() as sandbox:

        def ask():
            url = f"{sandbox.base_url}/api/users/alice/notifications/"
            return requests.get(url, headers=sandbox.headers("alice"))

        assert sandbox.clock.get() is None
        assert ask().status_code == 200
        refused = ask()
        assert refused.status_code == 429
        sandbox.clock.advance(timedelta(seconds=int(refused.headers["Retry-After"])))
        assert ask().status_code == 200

        sandbox.clock.set(datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc))
        assert sandbox.clock.advance("1h") == "2026-01-02T04:04:05Z"
        assert sandbox.clock.get() == "2026-01-02T04:04:05Z"
        sandbox.clock.set(None)
        assert sandbox.clock.get() is None
        with pytest.raises(UnderstudyError, match="^by: Must be a duration"):
            sandbox.clock.advance(timedelta(hours=-1))
