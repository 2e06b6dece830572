"""Which sensitivities a channel may load. Mirrors the wall, to refuse with a clear message before the database does."""

from db.viewer import Viewer
from db.vocabulary import Category, Channel, Sensitivity
from memory.errors import Refused
from memory.refusals import Refusal

# Channels in which nobody else listens.
UNSHARED_CHANNELS = frozenset({Channel.PRIVATE, Channel.AGENT})
LOADABLE = {
    Channel.PRIVATE: frozenset(Sensitivity),
    Channel.TEAM: frozenset(Sensitivity),
    Channel.AGENT: frozenset({Sensitivity.NONE, Sensitivity.LOW}),
    Channel.PUBLIC: frozenset({Sensitivity.NONE}),
}


def ensure_loadable(viewer: Viewer, sensitivity: Sensitivity) -> None:
    """Refuse what could not be read again in this channel."""
    if sensitivity not in LOADABLE[viewer.channel]:
        raise Refused(Refusal.CHANNEL_TOO_OPEN, field="channel")


def ensure_fit_for(viewer: Viewer, category: Category, sensitivity: Sensitivity) -> None:
    """Refuse facts that may not be stored in this channel: preferences and anything sensitive in public."""
    if viewer.channel == Channel.PUBLIC and (category == Category.PREFERENCE or sensitivity != Sensitivity.NONE):
        raise Refused(Refusal.CHANNEL_PUBLIC, field="channel")
    ensure_loadable(viewer, sensitivity)
