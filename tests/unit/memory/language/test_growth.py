"""Growth: no text that anybody writes costs out of proportion to its length, whatever it is made of."""

import pytest

from tests.steps.cost import costs

pytestmark = pytest.mark.slow


@pytest.mark.first
def test_every_further_sign_of_a_hostile_text_costs_as_many_steps_as_those_before_it() -> None:
    found = costs("tests.hostile")

    assert [miss for cost in found for miss in cost.misses] == []
    harmless, *redacted = [cost.a_sign for cost in found if cost.reads == "redact"]
    assert max(redacted) < 8 * harmless, "while one text is searched nobody else is served"
