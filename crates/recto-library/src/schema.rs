//! The database schema, one migration per version that shipped.

use rusqlite_migration::{M, Migrations};

/// The schema this version writes: the number of entries below.
pub(crate) const VERSION: i64 = 3;

pub(crate) fn migrations() -> Migrations<'static> {
    Migrations::new(vec![M::up(FIRST), M::up(SECOND), M::up(THIRD)])
}

const FIRST: &str = "
CREATE TABLE collections (
    name       TEXT PRIMARY KEY,
    slug       TEXT NOT NULL UNIQUE,
    location   TEXT,                        -- null: the folder collections/<slug> of this library
    created_at INTEGER NOT NULL
) STRICT;

-- What is known of files that are not, or not yet, committed documents. One job per place.
CREATE TABLE jobs (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    collection    TEXT NOT NULL REFERENCES collections (name) ON UPDATE CASCADE ON DELETE CASCADE,
    uri           TEXT NOT NULL,
    options       TEXT NOT NULL,            -- JSON of the caller; never a password
    state         TEXT NOT NULL,
    claimed       INTEGER NOT NULL DEFAULT 0,
    paused        INTEGER NOT NULL DEFAULT 0,
    priority      INTEGER NOT NULL DEFAULT 0,
    attempts      INTEGER NOT NULL DEFAULT 0,
    retry_at      INTEGER NOT NULL DEFAULT 0,
    done          INTEGER NOT NULL DEFAULT 0,
    total         INTEGER NOT NULL DEFAULT 0,
    sha256        TEXT,
    document_id   TEXT,
    error_code    TEXT,
    error_message TEXT,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    UNIQUE (collection, uri)
) STRICT;
CREATE INDEX jobs_by_turn ON jobs (priority DESC, id) WHERE state = 'queued';
CREATE INDEX jobs_by_bytes ON jobs (collection, sha256);

-- Bytes that cannot be ingested, so that a sweep does not try them again and again.
CREATE TABLE failures (
    collection TEXT NOT NULL REFERENCES collections (name) ON UPDATE CASCADE ON DELETE CASCADE,
    sha256     TEXT NOT NULL,
    code       TEXT NOT NULL,
    message    TEXT NOT NULL,
    failed_at  INTEGER NOT NULL,
    PRIMARY KEY (collection, sha256)
) STRICT;

CREATE TABLE queue (
    id     INTEGER PRIMARY KEY CHECK (id = 1),
    paused INTEGER NOT NULL,
    reason TEXT
) STRICT;
INSERT INTO queue VALUES (1, 0, NULL);

CREATE TABLE conversations (
    id         TEXT PRIMARY KEY,
    title      TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE answers (
    id              TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    position        INTEGER NOT NULL,
    question        TEXT NOT NULL,
    answer          TEXT NOT NULL,          -- JSON of recto_core::Answer
    model           TEXT,
    input_tokens    INTEGER,                -- null: unknown
    output_tokens   INTEGER,
    calls           INTEGER NOT NULL,
    created_at      INTEGER NOT NULL,
    UNIQUE (conversation_id, position)
) STRICT;

-- Originals that stored citations open.
CREATE TABLE cited_originals (
    answer_id   TEXT NOT NULL REFERENCES answers (id) ON DELETE CASCADE,
    collection  TEXT NOT NULL,
    document_id TEXT NOT NULL,
    sha256      TEXT NOT NULL,
    PRIMARY KEY (answer_id, collection, document_id, sha256)
) STRICT, WITHOUT ROWID;
CREATE INDEX cited_originals_by_bytes ON cited_originals (collection, sha256);

CREATE TABLE removed_documents (
    collection  TEXT NOT NULL,
    document_id TEXT NOT NULL,
    title       TEXT NOT NULL,
    removed_at  INTEGER NOT NULL,
    PRIMARY KEY (collection, document_id)
) STRICT, WITHOUT ROWID;
";

const SECOND: &str = "
-- What models were asked and replied while an answer was made.
CREATE TABLE traces (
    answer_id TEXT PRIMARY KEY REFERENCES answers (id) ON DELETE CASCADE,
    trace     TEXT NOT NULL                 -- JSON of recto_core::Trace
) STRICT, WITHOUT ROWID;
";

const THIRD: &str = "
-- Conversations that were deleted and can still be brought back.
CREATE TABLE deleted_conversations (
    id         TEXT PRIMARY KEY REFERENCES conversations (id) ON DELETE CASCADE,
    deleted_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
";

#[cfg(test)]
mod tests {
    #[test]
    fn the_migrations_apply_and_reach_the_version_written_down() {
        let migrations = super::migrations();
        migrations.validate().expect("valid SQL");
        let mut connection = rusqlite::Connection::open_in_memory().expect("in memory");
        migrations.to_latest(&mut connection).expect("applies");
        let version: i64 = connection
            .pragma_query_value(None, "user_version", |row| row.get(0))
            .expect("pragma");
        assert_eq!(version, super::VERSION);
    }
}
