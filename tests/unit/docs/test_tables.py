"""The picture of the tables, made from the files of `db/schema`."""

import re

from db.tables import Base
from docs.generate import tables

WORD = "[a-z][a-z0-9_]*"
LINE = re.compile(
    rf"erDiagram|    {WORD} \{{|        {WORD} {WORD}( (PK|FK|PK, FK))?|    \}}|"
    rf"    {WORD} (\|\||\|o)--o\{{ {WORD} : {WORD}"
)


def pictures() -> list[str]:
    return re.findall(r"```mermaid\n(.*?)\n```", tables.render(), re.DOTALL)


def test_every_table_has_one_box_with_the_columns_of_its_key() -> None:
    boxes = dict(re.findall(rf"    ({WORD}) {{\n(.*?)    }}", "\n".join(pictures()), re.DOTALL))
    keys = {name: re.findall(rf"({WORD}) PK", box) for name, box in boxes.items()}

    assert boxes.keys() == Base.metadata.tables.keys()
    for name, table in Base.metadata.tables.items():
        expected = {column.name for column in table.primary_key}
        assert set(keys[name]) in (expected, expected - {"tenant_id"}), name


def test_every_foreign_key_is_drawn_but_those_to_everybodys_user_and_space() -> None:
    drawn = set(re.findall(rf"({WORD}) \S+ ({WORD}) : {WORD}", "\n".join(pictures())))
    declared = {
        (key.referred_table.name, table.name)
        for table in Base.metadata.tables.values()
        for key in table.foreign_key_constraints
    }

    assert drawn <= declared
    assert {parent for parent, _ in declared - drawn} == {"users", "spaces"}


def test_every_line_is_one_that_mermaid_reads() -> None:
    assert [line for picture in pictures() for line in picture.splitlines() if not LINE.fullmatch(line)] == []
