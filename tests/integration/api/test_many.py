"""Ten agents of three tenants at once; the long version is in tests/e2e."""

import pytest

from tests.daemon import Daemon
from tests.many_agents import AGENTS, all_at_once, ensure_nothing_lost_doubled_or_mixed, hire

EVENTS = 18


@pytest.mark.slow
async def test_ten_agents_at_once_lose_double_and_mix_nothing(daemon: Daemon, superuser_url: str) -> None:
    agents = await hire(daemon.memory, daemon.url, daemon.tenant)
    await all_at_once(agents, events=EVENTS, bundle_every=6)

    assert sum(len(agent.acknowledged) for agent in agents) == AGENTS * EVENTS
    assert sum(agent.bundles for agent in agents) == AGENTS * 3
    ensure_nothing_lost_doubled_or_mixed(agents, superuser_url)
