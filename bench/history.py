"""People with a long history, made up from a seed and copied into the database as its triggers would have left it.

Everybody speaks in turn, so that one person's rows lie scattered among everybody's, as time would have it.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import numpy as np
import psycopg
from numpy.typing import NDArray

from db.viewer import Viewer
from db.vocabulary import Channel

TENANT, MODEL, DIMENSIONS = "bench", "synthetic", 384
SCOPES = (1_000, 10_000, 100_000)
OTHERS = 10_000  # chunks of everybody else, each
TURNS = 40  # of a conversation
WORDS = 12  # of a chunk
VOCABULARY, STOP_WORDS = 30_000, 20
BATCH = 20_000
BEGAN, PACE = datetime(2022, 1, 1, tzinfo=UTC), timedelta(seconds=100)

PEOPLE = (
    "INSERT INTO users (tenant_id, id, name) VALUES ('{t}', '{u}', '{u}')",
    "INSERT INTO spaces (tenant_id, id, kind, created_by) VALUES ('{t}', '{s}', 'personal', '{u}')",
    "INSERT INTO space_members (tenant_id, space_id, user_id, role) VALUES ('{t}', '{s}', '{u}', 'owner')",
)
HALL = "INSERT INTO spaces (tenant_id, id, kind, created_by) VALUES ('{t}', '{s}', 'named', '{u}')"
SHELF = """INSERT INTO shelves (tenant_id, space_id, user_id, channel, sensitivity, chunks, words)
    VALUES (%s, %s, %s, %s, 'none', %s, %s) RETURNING id"""
COPIED = {
    "conversations": "tenant_id, id, space_id, user_id, channel, agent_id, next_seq, next_message_seq, started_at",
    "events": "tenant_id, id, space_id, user_id, channel, conversation_id, seq, message_seq, ts, actor_type, actor_id,"
    " kind, content",
    "chunks": "tenant_id, id, space_id, user_id, channel, event_id, thread, seq, part, ts, kind, actor_id, token_est,"
    " importance, text, text_hash, terms, shelf_id, no",
    "postings": "tenant_id, shelf_id, term, chunk_no, times, length",
    "embeddings": "tenant_id, chunk_id, model, shelf_id, space_id, chunk_no, embedding",
}

Floats = NDArray[np.float32]
Halves = NDArray[np.float16]
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Person:
    """Somebody to ask as, with the numbers and vectors of all their chunks."""

    viewer: Viewer
    shelf: int
    conversation: str
    chunks: Numbers
    vectors: Halves

    def nearest(self, vector: Floats, count: int) -> set[str]:
        """The chunks whose vectors lie nearest, by comparing all of them here."""
        return nearest_of(self.chunks, self.vectors, vector, count)


def nearest_of(chunks: Numbers, vectors: Halves, vector: Floats, count: int) -> set[str]:
    every = vectors.astype(np.float32)
    likeness = every @ vector / np.linalg.norm(every, axis=1)
    return {chunk_id(int(chunks[at])) for at in np.argsort(-likeness)[:count]}


class History:
    """Grows on a server that nobody else writes to."""

    def __init__(self, superuser: psycopg.Connection, *, topics: int = 0) -> None:
        self.connection = superuser
        self.random = np.random.default_rng(11)
        self.topics = _of_length_one(self.random.standard_normal((topics, DIMENSIONS), np.float32))
        self.chunks = 0
        shares = 1 / np.arange(STOP_WORDS + 1, STOP_WORDS + VOCABULARY + 1)
        self.common = np.cumsum(shares / shares.sum())
        superuser.execute("SET session_replication_role = replica")

    def grow(self, size: int, *, of_others: int = OTHERS) -> dict[int, Person]:
        """Up to this many chunks, or as few more as it takes. Gives a new person of each scope that fits; the others
        have said so much each."""
        scopes = [scope for scope in SCOPES if scope <= size]
        rest = max(size - self.chunks - sum(scopes), 0)
        others = -(-rest // of_others)
        who = np.concatenate(
            [np.repeat(np.arange(len(scopes)), scopes), len(scopes) + np.arange(rest) % max(others, 1)]
        )
        self.random.shuffle(who)
        counts = np.bincount(who)
        viewers = [Viewer.in_private(TENANT, f"bench:{size}-{number}") for number in range(len(counts))]
        shelves = np.array([self._welcome(viewer, int(count)) for viewer, count in zip(viewers, counts, strict=True)])
        turns = np.empty(len(who), np.int64)
        turns[np.argsort(who, kind="stable")] = np.concatenate([np.arange(count) for count in counts])
        vectors = [np.empty((scope, DIMENSIONS), np.float16) for scope in scopes]
        for start in range(0, len(who), BATCH):
            part = slice(start, start + BATCH)
            made = self._write(viewers, shelves, who[part], turns[part])
            for number, kept in enumerate(vectors):
                kept[turns[part][who[part] == number]] = made[who[part] == number]
        began = self.chunks - len(who)
        self.connection.execute("VACUUM ANALYZE")
        self.connection.execute("CHECKPOINT")
        return {
            scope: Person(
                viewers[number],
                int(shelves[number]),
                conversation_id(viewers[number], (scope - 1) // TURNS),
                began + np.flatnonzero(who == number),
                vectors[number],
            )
            for number, scope in enumerate(scopes)
        }

    def crowd(self, size: int, members: int) -> tuple[Viewer, Numbers, Halves]:
        """A space in which so many people said so much. Gives one of them, and all chunks there with their vectors."""
        people = [Viewer.in_private(TENANT, f"bench:member-{number}") for number in range(members)]
        aloud = [replace(person, space="bench:hall", channel=Channel.TEAM) for person in people]
        who = np.arange(size) % members
        for person in people:
            self._welcome(person, 0)
        place, _, membership = HALL, *PEOPLE[1:]
        self.connection.execute(place.format(t=TENANT, u=people[0].person, s=aloud[0].place).encode())
        for person in aloud:
            self.connection.execute(membership.format(t=TENANT, u=person.person, s=person.place).encode())
        shelves = np.array([self._shelf(person, int((who == at).sum())) for at, person in enumerate(aloud)])
        made = np.empty((size, DIMENSIONS), np.float16)
        for start in range(0, size, BATCH):
            part = slice(start, start + BATCH)
            made[part] = self._write(aloud, shelves, who[part], np.arange(size)[part] // members)
        self.connection.execute("VACUUM ANALYZE")
        return aloud[0], np.arange(self.chunks - size, self.chunks), made

    def words(self, *shape: int) -> Numbers:
        """As people use them: a few all the time, most hardly ever."""
        return np.minimum(np.searchsorted(self.common, self.random.random(shape)), VOCABULARY - 1)

    def vectors(self, count: int) -> Floats:
        """In every direction alike, the hardest case; or, where there are topics, each near one of them."""
        made = _of_length_one(self.random.standard_normal((count, DIMENSIONS), np.float32))
        if not len(self.topics):
            return made
        return _of_length_one(made + self.topics[self.random.integers(len(self.topics), size=count)])

    def _welcome(self, viewer: Viewer, chunks: int) -> int:
        for statement in PEOPLE:
            self.connection.execute(statement.format(t=TENANT, u=viewer.person, s=viewer.place).encode())
        return self._shelf(viewer, chunks)

    def _shelf(self, viewer: Viewer, chunks: int) -> int:
        values = (TENANT, viewer.place, viewer.person, viewer.channel, chunks, chunks * WORDS)
        found = self.connection.execute(SHELF, values).fetchone()
        assert found
        return int(found[0])

    def _write(self, viewers: list[Viewer], shelves: Numbers, who: Numbers, turns: Numbers) -> Halves:
        numbers = np.arange(self.chunks, self.chunks + len(who))
        self.chunks += len(who)
        said, vectors = self.words(len(who), WORDS), self.vectors(len(who)).astype(np.float16)
        lines: dict[str, list[str]] = {"conversations": [], "events": [], "chunks": []}
        for no, by, turn, spoken in zip(numbers.tolist(), who.tolist(), turns.tolist(), said.tolist(), strict=True):
            viewer, text, ts = viewers[by], " ".join(map(word, spoken)), BEGAN + no * PACE
            here, seq = conversation_id(viewer, turn // TURNS), turn % TURNS
            scope = f"{viewer.place}\t{viewer.person}\t{viewer.channel}"
            actor = "assistant" if seq % 2 else viewer.person
            kind = "agent" if seq % 2 else "human"
            if seq == 0:
                lines["conversations"].append(f"{TENANT}\t{here}\t{scope}\tx\t{TURNS}\t{TURNS}\t{ts}\n")
            lines["events"].append(
                f"{TENANT}\t{event_id(no)}\t{scope}\t{here}\t{seq}\t{seq}\t{ts}\t{kind}\t{actor}\tmessage\t"
                f'{{"text": "{text}"}}\n'
            )
            lines["chunks"].append(
                f"{TENANT}\t{chunk_id(no)}\t{scope}\t{event_id(no)}\t{here}\t{seq}\t0\t{ts}\tmessage\t{actor}\t"
                f"{3 * WORDS}\t0.5\t{text}\t\\\\x{no:064x}\t{text}\t{shelves[by]}\t{no}\n"
            )
        for table, written in lines.items():
            self._copy(table, "".join(written).encode())
        self._copy("postings", "".join(_postings(shelves[who], said, numbers)).encode())
        places = [viewers[by].place for by in who.tolist()]
        self._copy("embeddings", _embeddings(places, shelves[who], numbers, vectors), "WITH (FORMAT binary)")
        return vectors

    def _copy(self, table: str, rows: bytes, form: str = "") -> None:
        with self.connection.cursor().copy(f"COPY {table} ({COPIED[table]}) FROM STDIN {form}".encode()) as copy:
            copy.write(rows)


def _of_length_one(vectors: Floats) -> Floats:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def halved(vector: Floats) -> Floats:
    """As the database keeps and asks it."""
    return vector.astype(np.float16).astype(np.float32)


def word(number: int) -> str:
    return f"w{number:05d}"


def chunk_id(number: int) -> str:
    return f"chk_{number:026d}"


def event_id(number: int) -> str:
    return f"evt_{number:026d}"


def conversation_id(viewer: Viewer, number: int) -> str:
    return f"cnv_{viewer.person}_{number}"


def _postings(shelves: Numbers, said: Numbers, numbers: Numbers) -> Iterator[str]:
    """In the order of their index, each term of a chunk once."""
    first, last = int(numbers[0]), len(numbers)
    keys = ((shelves[:, None] * VOCABULARY + said) * last + (numbers - first)[:, None]).ravel()
    found, times = np.unique(keys, return_counts=True)
    terms, places = np.divmod(found, last)
    on, which = np.divmod(terms, VOCABULARY)
    for shelf, term, place, count in zip(on.tolist(), which.tolist(), places.tolist(), times.tolist(), strict=True):
        yield f"{TENANT}\t{shelf}\t{word(term)}\t{first + place}\t{count}\t{WORDS}\n"


def _embeddings(places: list[str], shelves: Numbers, numbers: Numbers, vectors: Halves) -> bytes:
    """Rows as COPY reads them in binary, a vector as pgvector does: its length, nothing, and its numbers."""
    head = struct.pack("!HH", DIMENSIONS, 0)
    rows = [b"PGCOPY\n\xff\r\n\0" + struct.pack("!ii", 0, 0)]
    made = vectors.astype(">f2")
    for place, shelf, no, vector in zip(places, shelves.tolist(), numbers.tolist(), made, strict=True):
        fields = (
            TENANT.encode(),
            chunk_id(no).encode(),
            MODEL.encode(),
            struct.pack("!q", shelf),
            place.encode(),
            struct.pack("!q", no),
            head + vector.tobytes(),
        )
        rows.append(struct.pack("!h", len(fields)) + b"".join(struct.pack("!i", len(f)) + f for f in fields))
    return b"".join([*rows, struct.pack("!h", -1)])
