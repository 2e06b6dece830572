"""What a database's schema is, object by object, as PostgreSQL's catalogue tells it; and how two schemas differ."""

from collections.abc import Mapping
from itertools import zip_longest

import psycopg

SCHEMAS = "(SELECT oid FROM pg_namespace WHERE nspname IN ('public', 'wall'))"


def of_an_extension(catalogue: str, oid: str) -> str:
    return (
        f"EXISTS (SELECT FROM pg_depend AS d WHERE d.classid = '{catalogue}'::regclass AND d.objid = {oid}"
        " AND d.deptype = 'e')"
    )


def grants(acl: str) -> str:
    """Sorted, because the order of grants means nothing."""
    return f"""(SELECT string_agg(concat_ws(' ', privilege_type,
            CASE grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(grantee) END,
            CASE WHEN is_grantable THEN 'WITH GRANT OPTION' END), ', '
            ORDER BY privilege_type, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(grantee) END)
        FROM aclexplode({acl}))"""


# Each query gives the name of an object, and what is to be equal of it. The order of columns is theirs among those that
# still exist; NOT NULL stands with the column, because only PostgreSQL 18 keeps a constraint for it.
QUERIES = {
    "database": f"""
        SELECT '', concat_ws(E'\\n', pg_get_userbyid(datdba), {grants("COALESCE(datacl, acldefault('d', datdba))")})
        FROM pg_database WHERE datname = current_database()""",
    "extension": """
        SELECT extname, extnamespace::regnamespace::text FROM pg_extension""",
    "schema": f"""
        SELECT nspname, concat_ws(E'\\n', pg_get_userbyid(nspowner),
            {grants("COALESCE(nspacl, acldefault('n', nspowner))")}, obj_description(oid, 'pg_namespace'))
        FROM pg_namespace WHERE oid IN {SCHEMAS}""",
    "relation": f"""
        SELECT c.oid::regclass::text, concat_ws(E'\\n', 'kind ' || c.relkind::text,
            'owner ' || pg_get_userbyid(c.relowner), {grants("COALESCE(relacl, acldefault(k.kind, relowner))")},
            'row security ' || c.relrowsecurity, 'forced ' || c.relforcerowsecurity, c.relpersistence,
            c.reloptions::text, pg_get_partkeydef(c.oid),
            CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid) END, obj_description(c.oid, 'pg_class'))
        FROM pg_class AS c
        CROSS JOIN LATERAL (SELECT CASE c.relkind WHEN 'S' THEN 's' ELSE 'r' END::"char" AS kind) AS k
        WHERE c.relnamespace IN {SCHEMAS} AND c.relkind NOT IN ('i', 'I')
            AND NOT {of_an_extension("pg_class", "c.oid")}""",
    "column": f"""
        SELECT c.oid::regclass || '.' || a.attname, concat_ws(' ',
            '#' || row_number() OVER (PARTITION BY c.oid ORDER BY a.attnum), format_type(a.atttypid, a.atttypmod),
            CASE WHEN a.attnotnull THEN 'NOT NULL' END, 'DEFAULT ' || pg_get_expr(f.adbin, f.adrelid),
            'identity ' || NULLIF(a.attidentity::text, ''), 'generated ' || NULLIF(a.attgenerated::text, ''),
            'collation ' || NULLIF(a.attcollation, 0)::regcollation::text, 'statistics ' || NULLIF(a.attstattarget, -1),
            'storage ' || a.attstorage::text, {grants("a.attacl")}, col_description(c.oid, a.attnum))
        FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        LEFT JOIN pg_attrdef AS f ON f.adrelid = c.oid AND f.adnum = a.attnum
        WHERE c.relnamespace IN {SCHEMAS} AND c.relkind IN ('r', 'p', 'v', 'm')""",
    "constraint": f"""
        SELECT c.conrelid::regclass || '.' || c.conname, concat_ws(E'\\n', pg_get_constraintdef(c.oid),
            'validated ' || c.convalidated, obj_description(c.oid, 'pg_constraint'))
        FROM pg_constraint AS c WHERE c.connamespace IN {SCHEMAS} AND c.contype <> 'n'""",
    "index": f"""
        SELECT i.indexrelid::regclass::text, concat_ws(E'\\n', pg_get_indexdef(i.indexrelid), 'valid ' || i.indisvalid,
            obj_description(i.indexrelid, 'pg_class'))
        FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid WHERE c.relnamespace IN {SCHEMAS}""",
    "function": f"""
        SELECT p.oid::regprocedure::text, concat_ws(E'\\n', pg_get_functiondef(p.oid),
            'owner ' || pg_get_userbyid(p.proowner), {grants("COALESCE(proacl, acldefault('f', proowner))")},
            obj_description(p.oid, 'pg_proc'))
        FROM pg_proc AS p
        WHERE p.pronamespace IN {SCHEMAS} AND p.prokind <> 'a' AND NOT {of_an_extension("pg_proc", "p.oid")}""",
    "trigger": f"""
        SELECT c.oid::regclass || '.' || t.tgname,
            concat_ws(E'\\n', pg_get_triggerdef(t.oid), 'enabled ' || t.tgenabled::text)
        FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
        WHERE c.relnamespace IN {SCHEMAS} AND NOT t.tgisinternal""",
    "policy": f"""
        SELECT c.oid::regclass || '.' || p.polname, concat_ws(E'\\n',
            concat('for ', p.polcmd, CASE WHEN p.polpermissive THEN ' permissive' ELSE ' restrictive' END),
            (SELECT string_agg(CASE role WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(role) END, ', ' ORDER BY role)
             FROM unnest(p.polroles) AS role),
            'using ' || pg_get_expr(p.polqual, p.polrelid), 'check ' || pg_get_expr(p.polwithcheck, p.polrelid))
        FROM pg_policy AS p JOIN pg_class AS c ON c.oid = p.polrelid WHERE c.relnamespace IN {SCHEMAS}""",
    "sequence": f"""
        SELECT s.seqrelid::regclass::text, concat_ws(' ', format_type(s.seqtypid, NULL), s.seqstart, s.seqincrement,
            s.seqmin, s.seqmax, s.seqcache, s.seqcycle, d.deptype, d.refobjid::regclass, a.attname)
        FROM pg_sequence AS s JOIN pg_class AS c ON c.oid = s.seqrelid
        LEFT JOIN pg_depend AS d
            ON d.classid = 'pg_class'::regclass AND d.objid = s.seqrelid AND d.deptype IN ('a', 'i')
        LEFT JOIN pg_attribute AS a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
        WHERE c.relnamespace IN {SCHEMAS}""",
    "type": f"""
        SELECT t.oid::regtype::text, t.typtype::text FROM pg_type AS t
        WHERE t.typnamespace IN {SCHEMAS} AND t.typelem = 0 AND NOT {of_an_extension("pg_type", "t.oid")}""",
    "statistics": f"""
        SELECT stxname, pg_get_statisticsobjdef(oid) FROM pg_statistic_ext WHERE stxnamespace IN {SCHEMAS}""",
    "default grants": f"""
        SELECT concat_ws(' ', pg_get_userbyid(defaclrole), defaclnamespace::regnamespace, defaclobjtype),
            {grants("defaclacl")} FROM pg_default_acl""",
}

Schema = Mapping[str, str]


def schema_of(superuser: psycopg.Connection) -> Schema:
    """Every object of the schema and its definition."""
    return {
        f"{kind} {name}".strip(): definition
        for kind, query in QUERIES.items()
        for name, definition in superuser.execute(query.encode())
    }


def differences(one: Schema, other: Schema) -> list[str]:
    """What is not the same in both, a line for each object, with the first line of its definition that differs."""
    return [_unlike(name, one, other) for name in sorted({*one, *other}) if one.get(name) != other.get(name)]


def _unlike(name: str, one: Schema, other: Schema) -> str:
    if name not in one or name not in other:
        return f"{name}: is only in the {'first' if name in one else 'second'}"
    pairs = zip_longest(one[name].splitlines(), other[name].splitlines(), fillvalue="nothing")
    left, right = next(pair for pair in pairs if pair[0] != pair[1])
    return f"{name}: has {left.strip()!r} in the first, {right.strip()!r} in the second"
