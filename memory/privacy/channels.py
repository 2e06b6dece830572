"""What a channel may load, as the wall has it: a clear word before the database's own no."""

from db.viewer import Viewer
from db.vocabulary import Channel, Sensitivity
from memory.errors import Refused

LOADABLE = {
    Channel.PRIVATE: frozenset(Sensitivity),
    Channel.TEAM: frozenset(Sensitivity),
    Channel.AGENT: frozenset({Sensitivity.NONE, Sensitivity.LOW}),
    Channel.PUBLIC: frozenset({Sensitivity.NONE}),
}


def ensure_loadable(viewer: Viewer, sensitivity: Sensitivity) -> None:
    """What nobody here could read again is not kept here."""
    if sensitivity not in LOADABLE[viewer.channel]:
        raise Refused("Not kept: that is too sensitive for this channel. Tell me in private.")
