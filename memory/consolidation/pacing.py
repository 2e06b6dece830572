"""How fast what came by another hand is looked through: as fast as its owner answers the cards that it makes.

An import may hold years. Looked through at once it would ask for hundreds of things, of which most could not even wait.
So it stands back while some cards wait, and of each person one such conversation is looked through at a time.
"""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby

from db.queries.consolidation.consolidation import DueExtraction, untold_secondhand
from db.queries.facts.proposals import waiting_proposals
from memory.unit import Memory

CROWDED = 5  # cards that wait; with those that one look may add, there is still room for what is said today


async def in_their_turn(memory: Memory, due: Sequence[DueExtraction], now: datetime) -> list[DueExtraction]:
    """Those whose turn it is, in the order in which they came."""
    waits: set[str] = set()
    by_viewer = sorted(due, key=lambda each: (each.viewer.person, each.viewer.place, each.viewer.channel))
    for viewer, group in groupby(by_viewer, key=lambda each: each.viewer):
        theirs = {each.conversation_id for each in group}
        async with memory.unit(viewer, now=now, read_only=True) as unit:
            secondhand = await untold_secondhand(unit.session, viewer, sorted(theirs))
            if not secondhand:
                continue
            is_crowded = len(await waiting_proposals(unit.session, viewer, now)) >= CROWDED
        newest = next(each.conversation_id for each in due if each.conversation_id in secondhand)
        waits |= secondhand if is_crowded else secondhand - {newest}
    return [each for each in due if each.conversation_id not in waits]
