"""Paces the extraction from imported messages by how fast their owner answers the resulting cards.

An import may cover years and would produce hundreds of cards, more than may wait. So only one imported conversation per
person is extracted at a time, and none while several cards wait.
"""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby

from db.queries.consolidation.consolidation import DueExtraction, with_pending_secondhand
from db.queries.facts.proposals import waiting_proposals
from memory.unit import Memory

MAX_WAITING_CARDS = 5  # leaves room for the cards of one more extraction and of today's messages


async def hold_back_imports(memory: Memory, due: Sequence[DueExtraction], now: datetime) -> list[DueExtraction]:
    """Return the due extractions without the imported conversations that must wait, in the same order."""
    waits: set[str] = set()
    by_viewer = sorted(due, key=lambda each: (each.viewer.person, each.viewer.place, each.viewer.channel))
    for viewer, group in groupby(by_viewer, key=lambda each: each.viewer):
        theirs = {each.conversation_id for each in group}
        async with memory.unit(viewer, now=now, read_only=True) as unit:
            secondhand = await with_pending_secondhand(unit.session, viewer, sorted(theirs))
            if not secondhand:
                continue
            is_crowded = len(await waiting_proposals(unit.session, viewer, now)) >= MAX_WAITING_CARDS
        newest = next(each.conversation_id for each in due if each.conversation_id in secondhand)
        waits |= secondhand if is_crowded else secondhand - {newest}
    return [each for each in due if each.conversation_id not in waits]
