"""Generates people with a long history from a seed and copies it into the database, with the rows that triggers add.

The people write in turn, so that one person's rows are scattered among all rows, as they are in practice.
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
OTHERS = 10_000  # chunks of each other person
TURNS = 40  # per conversation
WORDS = 12  # per chunk
QUESTION_WORDS = 8
VOCABULARY, STOP_WORDS = 30_000, 20
BATCH = 20_000
BEGAN, PACE = datetime(2022, 1, 1, tzinfo=UTC), timedelta(seconds=100)

PEOPLE = (
    "INSERT INTO users (tenant_id, id, name) VALUES ('{t}', '{u}', '{u}')",
    "INSERT INTO spaces (tenant_id, id, kind, created_by) VALUES ('{t}', '{s}', 'personal', '{u}')",
    "INSERT INTO space_members (tenant_id, space_id, user_id, role) VALUES ('{t}', '{s}', '{u}', 'owner')",
)
SHARED_SPACE = "INSERT INTO spaces (tenant_id, id, kind, created_by) VALUES ('{t}', '{s}', 'named', '{u}')"
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
    """A generated person, with the numbers and vectors of all their chunks."""

    viewer: Viewer
    shelf: int
    conversation: str
    chunks: Numbers
    vectors: Halves

    def nearest(self, vector: Floats, count: int) -> set[str]:
        """Return the ids of the nearest chunks, by exact search."""
        return nearest_of(self.chunks, self.vectors, vector, count)


def nearest_of(chunks: Numbers, vectors: Halves, vector: Floats, count: int) -> set[str]:
    every = vectors.astype(np.float32)
    similarity = every @ vector / np.linalg.norm(every, axis=1)
    return {chunk_id(int(chunks[at])) for at in np.argsort(-similarity)[:count]}


class History:
    """Grows on a server that nobody else writes to."""

    def __init__(self, superuser: psycopg.Connection, *, topics: int = 0) -> None:
        self.connection = superuser
        self.random = np.random.default_rng(11)
        self.topics = _normalised(self.random.standard_normal((topics, DIMENSIONS), np.float32))
        self.chunks = 0
        shares = 1 / np.arange(STOP_WORDS + 1, STOP_WORDS + VOCABULARY + 1)
        self.common = np.cumsum(shares / shares.sum())
        superuser.execute("SET session_replication_role = replica")

    def grow(self, size: int, *, of_others: int = OTHERS) -> dict[int, Person]:
        """Grow the history to about `size` chunks, and return a new person for each size in `SCOPES` that fits.

        The rest belongs to people with `of_others` chunks each.
        """
        scopes = [scope for scope in SCOPES if scope <= size]
        rest = max(size - self.chunks - sum(scopes), 0)
        others = -(-rest // of_others)
        who = np.concatenate(
            [np.repeat(np.arange(len(scopes)), scopes), len(scopes) + np.arange(rest) % max(others, 1)]
        )
        self.random.shuffle(who)
        counts = np.bincount(who)
        viewers = [Viewer.in_private(TENANT, f"bench:{size}-{number}") for number in range(len(counts))]
        shelves = np.array(
            [self._add_person(viewer, int(count)) for viewer, count in zip(viewers, counts, strict=True)]
        )
        turns = np.empty(len(who), np.int64)
        turns[np.argsort(who, kind="stable")] = np.concatenate([np.arange(count) for count in counts])
        vectors = [np.empty((scope, DIMENSIONS), np.float16) for scope in scopes]
        for start in range(0, len(who), BATCH):
            part = slice(start, start + BATCH)
            written = self._write(viewers, shelves, who[part], turns[part])
            for number, own in enumerate(vectors):
                own[turns[part][who[part] == number]] = written[who[part] == number]
        first = self.chunks - len(who)
        self.connection.execute("VACUUM ANALYZE")
        self.connection.execute("CHECKPOINT")
        return {
            scope: Person(
                viewers[number],
                int(shelves[number]),
                conversation_id(viewers[number], (scope - 1) // TURNS),
                first + np.flatnonzero(who == number),
                vectors[number],
            )
            for number, scope in enumerate(scopes)
        }

    def grow_shared_space(self, size: int, members: int) -> tuple[Viewer, Numbers, Halves]:
        """Add a shared space, and return one of its members and its chunks with their vectors."""
        people = [Viewer.in_private(TENANT, f"bench:member-{number}") for number in range(members)]
        in_space = [replace(person, space="bench:shared", channel=Channel.TEAM) for person in people]
        who = np.arange(size) % members
        for person in people:
            self._add_person(person, 0)
        space, _, membership = SHARED_SPACE, *PEOPLE[1:]
        self.connection.execute(space.format(t=TENANT, u=people[0].person, s=in_space[0].place).encode())
        for person in in_space:
            self.connection.execute(membership.format(t=TENANT, u=person.person, s=person.place).encode())
        shelves = np.array([self._add_shelf(person, int((who == at).sum())) for at, person in enumerate(in_space)])
        vectors = np.empty((size, DIMENSIONS), np.float16)
        for start in range(0, size, BATCH):
            part = slice(start, start + BATCH)
            vectors[part] = self._write(in_space, shelves, who[part], np.arange(size)[part] // members)
        self.connection.execute("VACUUM ANALYZE")
        return in_space[0], np.arange(self.chunks - size, self.chunks), vectors

    def question(self) -> str:
        return " ".join(word(number) for number in self.words(QUESTION_WORDS).tolist())

    def words(self, *shape: int) -> Numbers:
        """Draw word numbers with the frequencies of natural language."""
        return np.minimum(np.searchsorted(self.common, self.random.random(shape)), VOCABULARY - 1)

    def vectors(self, count: int) -> Floats:
        """Draw vectors, each near one of the topics. Without topics they are uniform, which is the hardest case."""
        noise = _normalised(self.random.standard_normal((count, DIMENSIONS), np.float32))
        if not len(self.topics):
            return noise
        return _normalised(noise + self.topics[self.random.integers(len(self.topics), size=count)])

    def _add_person(self, viewer: Viewer, chunks: int) -> int:
        for statement in PEOPLE:
            self.connection.execute(statement.format(t=TENANT, u=viewer.person, s=viewer.place).encode())
        return self._add_shelf(viewer, chunks)

    def _add_shelf(self, viewer: Viewer, chunks: int) -> int:
        values = (TENANT, viewer.place, viewer.person, viewer.channel, chunks, chunks * WORDS)
        row = self.connection.execute(SHELF, values).fetchone()
        assert row
        return int(row[0])

    def _write(self, viewers: list[Viewer], shelves: Numbers, who: Numbers, turns: Numbers) -> Halves:
        numbers = np.arange(self.chunks, self.chunks + len(who))
        self.chunks += len(who)
        words, vectors = self.words(len(who), WORDS), self.vectors(len(who)).astype(np.float16)
        lines: dict[str, list[str]] = {"conversations": [], "events": [], "chunks": []}
        for no, by, turn, own in zip(numbers.tolist(), who.tolist(), turns.tolist(), words.tolist(), strict=True):
            viewer, text, ts = viewers[by], " ".join(map(word, own)), BEGAN + no * PACE
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
        for table, rows in lines.items():
            self._copy(table, "".join(rows).encode())
        self._copy("postings", "".join(_postings(shelves[who], words, numbers)).encode())
        places = [viewers[by].place for by in who.tolist()]
        self._copy("embeddings", _embeddings(places, shelves[who], numbers, vectors), "WITH (FORMAT binary)")
        return vectors

    def _copy(self, table: str, rows: bytes, form: str = "") -> None:
        with self.connection.cursor().copy(f"COPY {table} ({COPIED[table]}) FROM STDIN {form}".encode()) as copy:
            copy.write(rows)


def _normalised(vectors: Floats) -> Floats:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def as_halfvec(vector: Floats) -> Floats:
    """Round to half precision, as the database does."""
    return vector.astype(np.float16).astype(np.float32)


def word(number: int) -> str:
    return f"w{number:05d}"


def chunk_id(number: int) -> str:
    return f"chk_{number:026d}"


def event_id(number: int) -> str:
    return f"evt_{number:026d}"


def conversation_id(viewer: Viewer, number: int) -> str:
    return f"cnv_{viewer.person}_{number}"


def _postings(shelves: Numbers, words: Numbers, numbers: Numbers) -> Iterator[str]:
    """Rows in index order, with each term once per chunk."""
    first, last = int(numbers[0]), len(numbers)
    keys = ((shelves[:, None] * VOCABULARY + words) * last + (numbers - first)[:, None]).ravel()
    unique_keys, times = np.unique(keys, return_counts=True)
    shelf_terms, places = np.divmod(unique_keys, last)
    shelf_ids, terms = np.divmod(shelf_terms, VOCABULARY)
    columns = (shelf_ids.tolist(), terms.tolist(), places.tolist(), times.tolist())
    for shelf, term, place, count in zip(*columns, strict=True):
        yield f"{TENANT}\t{shelf}\t{word(term)}\t{first + place}\t{count}\t{WORDS}\n"


def _embeddings(places: list[str], shelves: Numbers, numbers: Numbers, vectors: Halves) -> bytes:
    """Encode rows for a binary COPY. pgvector's format is the dimension, a zero, and the values."""
    head = struct.pack("!HH", DIMENSIONS, 0)
    rows = [b"PGCOPY\n\xff\r\n\0" + struct.pack("!ii", 0, 0)]
    big_endian = vectors.astype(">f2")
    for place, shelf, no, vector in zip(places, shelves.tolist(), numbers.tolist(), big_endian, strict=True):
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
