"""What a channel may load, as the wall has it: a clear word before the database's own no."""

from db.viewer import Viewer
from db.vocabulary import Category, Channel, Sensitivity
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
        raise Refused("Not kept: that is too sensitive for this channel. Tell me in private.", field="channel")


def ensure_fit_for(viewer: Viewer, category: Category, sensitivity: Sensitivity) -> None:
    """What may not be read aloud is not kept aloud either."""
    if viewer.channel == Channel.PUBLIC and (category == Category.PREFERENCE or sensitivity != Sensitivity.NONE):
        raise Refused("Not stored: such things are not kept in public. Tell me in private.", field="channel")
    ensure_loadable(viewer, sensitivity)
