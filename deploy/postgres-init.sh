#!/bin/sh
# Runs once, when the database container makes its data folder: the owner's role, the database, pgvector. The other
# roles are made by `keepsake migrate`.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$OWNER_PASSWORD" --username postgres <<'SQL'
CREATE ROLE keepsake_owner LOGIN CREATEROLE PASSWORD :'password';
CREATE DATABASE keepsake OWNER keepsake_owner;
SQL
psql -v ON_ERROR_STOP=1 --username postgres --dbname keepsake --command 'CREATE EXTENSION vector'
