"""Draws the tables as entity-relationship pictures, read from the files of `db/schema`."""

import re
from dataclasses import dataclass

from db.schema import FOLDER, GROUPS

# Nearly every row names these two, so lines to them are drawn among people and places only.
EVERYWHERE = {"users", "spaces"}
# Columns that many tables have, and a reader knows.
COMMON = {"tenant_id", "user_id", "space_id", "channel", "sensitivity", "created_at", "ts"}
MORE_COLUMNS = 3

TABLE = re.compile(r"^CREATE TABLE \w+ \(\n(.*?)^\)", re.MULTILINE | re.DOTALL)
COLUMN = re.compile(r"^    ([a-z_]\w*) +([a-z]\w*(?:\[\])?)(.*)$", re.MULTILINE)
PRIMARY_KEY = re.compile(r"PRIMARY KEY \(([\w, ]+)\)")
FOREIGN_KEY = re.compile(r"FOREIGN KEY \(([\w, ]+)\)\s+REFERENCES (\w+)")
INTRODUCTION = f"""\
A box has the keys of a table and up to {MORE_COLUMNS} more columns. Two things are left out: every key begins with
`tenant_id`, and nearly every row names its user and its space.
"""


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    columns: dict[str, str]
    """Types by name."""
    required: frozenset[str]
    primary: frozenset[str]
    references: tuple[tuple[list[str], str], ...]
    """The columns of each foreign key, and the table that it names."""


def render() -> str:
    groups = {title: [table for noun in nouns if (table := _table(noun))] for title, nouns in GROUPS.items()}
    return "\n".join([INTRODUCTION, *(_picture(title, tables) for title, tables in groups.items() if tables)])


def _table(noun: str) -> Table | None:
    text = (FOLDER / f"{noun}.sql").read_text()
    made = TABLE.search(text)
    if made is None:
        return None
    columns = COLUMN.findall(made[1])
    primary = [column for key in PRIMARY_KEY.findall(made[1]) for column in key.split(", ") if column != "tenant_id"]
    return Table(
        noun,
        {name: kind for name, kind, _ in columns},
        frozenset(name for name, _, rest in columns if "NOT NULL" in rest),
        frozenset(primary or ["tenant_id"]),
        tuple((key.split(", "), other) for key, other in FOREIGN_KEY.findall(text)),
    )


def _picture(title: str, tables: list[Table]) -> str:
    inside = {table.name for table in tables}
    drawn = [(table, _drawn(table, inside)) for table in tables]
    boxes = [_box(table, keys) for table, keys in drawn]
    lines = [_line(table, *key, keys) for table, keys in drawn for key in keys]
    return f"**{title}**\n\n```mermaid\nerDiagram\n" + "".join([*boxes, *lines]) + "```\n"


def _drawn(table: Table, inside: set[str]) -> list[tuple[list[str], str]]:
    """The foreign keys of the picture, without the columns that say whose a row is."""
    keys = []
    for columns, parent in table.references:
        if parent in EVERYWHERE & inside:
            keys.append((columns[1:], parent))
        elif parent not in EVERYWHERE:
            keys.append(([column for column in columns if column not in COMMON], parent))
    return keys


def _box(table: Table, keys: list[tuple[list[str], str]]) -> str:
    foreign = {column for columns, _ in keys for column in columns}
    of_keys = [name for name in table.columns if name in table.primary | foreign]
    more = [name for name in table.columns if name not in {*of_keys, *COMMON}][:MORE_COLUMNS]
    inner = ""
    for name in (*of_keys, *more):
        marks = ", ".join(["PK"] * (name in table.primary) + ["FK"] * (name in foreign))
        inner += f"        {table.columns[name].replace('[]', '_list')} {name} {marks}".rstrip() + "\n"
    return f"    {table.name} {{\n{inner}    }}\n"


def _line(table: Table, columns: list[str], parent: str, keys: list[tuple[list[str], str]]) -> str:
    """Named after the column that is no key by itself. A parent that a row need not have is drawn as zero or one."""
    one = "||" if table.required.issuperset(columns) else "|o"
    alone = {other[0] for other, _ in keys if len(other) == 1}
    label = next((column for column in columns if column not in alone), columns[0])
    return f"    {parent} {one}--o{{ {table.name} : {label}\n"
