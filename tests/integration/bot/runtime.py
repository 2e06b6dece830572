"""The house that a bot of a test runs in: put together by hand, on a pool that many tests share."""

from db.engine import Database
from memory.model.brain import Brain
from memory.outage.spool import Spool
from memory.outage.state import Outage
from memory.privacy.encryption import Keyring
from memory.retrieval.vector_index import VectorIndex
from memory.settings import Settings
from memory.unit import Memory
from memory.wiring import Runtime, cannot_revive

KEYRING = Keyring((b"a key for tests, of 32 bytes ...",))


def house_on(database: Database, settings: Settings, brain: Brain) -> Runtime:
    """With a spool, without an embedder, and with nobody who works after the replies."""
    memory = Memory(database, KEYRING)
    spool = Spool(settings.data_dir / "spool", memory.keyring, settings.tenant)
    vectors = VectorIndex(memory, settings.tenant, None)
    return Runtime(settings, memory, vectors, brain, cannot_revive, spool, outage=Outage())
