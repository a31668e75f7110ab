//! Conversations and their answers, stored whole so that reopening shows what was shown.

use crate::{Error, Library};
use recto_core::{Answer, AnswerId, CollectionName, DocumentId, Trace};
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::collections::BTreeMap;
use uuid::Uuid;

/// A conversation without its answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversation {
    /// Its id.
    pub id: Uuid,
    /// Its title.
    pub title: String,
    /// Number of answers.
    pub answers: u32,
    /// Unix milliseconds.
    pub created_at_ms: i64,
    /// When it last got an answer, Unix milliseconds.
    pub updated_at_ms: i64,
}

/// An answer as it was given.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredAnswer {
    /// The conversation.
    pub conversation: Uuid,
    /// All of it.
    pub answer: Answer,
    /// Unix milliseconds.
    pub created_at_ms: i64,
}

/// What the stored answers of one model cost. A sum over unknown parts is unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageTotal {
    /// The model; `None` for answers made without one.
    pub model: Option<String>,
    /// Number of answers.
    pub answers: u32,
    /// Calls made.
    pub calls: i64,
    /// Tokens sent.
    pub input_tokens: Option<i64>,
    /// Tokens generated.
    pub output_tokens: Option<i64>,
}

impl Library {
    /// Begins a conversation.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or when the database fails.
    pub fn create_conversation(&self, id: Uuid, title: &str, now_ms: i64) -> Result<(), Error> {
        self.write("create a conversation", |transaction| {
            transaction.execute(
                "INSERT INTO conversations (id, title, created_at, updated_at) VALUES (?1, ?2, ?3, ?3)",
                params![id.to_string(), title, now_ms],
            )?;
            Ok(())
        })
    }

    /// All conversations that are not hidden, the last used first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn conversations(&self) -> Result<Vec<Conversation>, Error> {
        self.read("list conversations", |connection| {
            let shown = if has_table(connection, "deleted_conversations")? {
                "WHERE id NOT IN (SELECT id FROM deleted_conversations)"
            } else {
                ""
            };
            let mut statement = connection.prepare(&format!(
                "SELECT id, title, (SELECT count(*) FROM answers WHERE conversation_id = conversations.id),
                        created_at, updated_at
                 FROM conversations {shown} ORDER BY updated_at DESC, id",
            ))?;
            let rows = statement.query_map([], |row| {
                Ok(Conversation {
                    id: uuid(row, 0)?,
                    title: row.get(1)?,
                    answers: row.get(2)?,
                    created_at_ms: row.get(3)?,
                    updated_at_ms: row.get(4)?,
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    /// The conversations in which every one of `words` stands, in the title, a question or an answer's text, ignoring
    /// case; the last used first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn conversations_with(&self, words: &[String]) -> Result<Vec<Conversation>, Error> {
        let wanted: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
        let mut missing: BTreeMap<Uuid, Vec<bool>> = BTreeMap::new();
        let mut look = |id: Uuid, text: &str| {
            let text = text.to_lowercase();
            let missing = missing.entry(id).or_insert_with(|| vec![true; wanted.len()]);
            for (missing, word) in missing.iter_mut().zip(&wanted) {
                *missing &= !text.contains(word.as_str());
            }
        };
        let conversations = self.conversations()?;
        for conversation in &conversations {
            look(conversation.id, &conversation.title);
        }
        self.read("search the conversations", |connection| {
            let mut statement =
                connection.prepare("SELECT conversation_id, question, json_extract(answer, '$.text') FROM answers")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let id = uuid(row, 0)?;
                look(id, &row.get::<_, String>(1)?);
                look(id, &row.get::<_, String>(2)?);
            }
            Ok(())
        })?;
        let all_there = |conversation: &Conversation| {
            missing
                .get(&conversation.id)
                .is_some_and(|missing| !missing.contains(&true))
        };
        Ok(conversations.into_iter().filter(all_there).collect())
    }

    /// Gives a conversation another title.
    ///
    /// # Errors
    /// [`Error::UnknownConversation`] or [`Error::ReadOnly`].
    pub fn rename_conversation(&self, id: Uuid, title: &str) -> Result<(), Error> {
        self.write("rename a conversation", |transaction| {
            let changed = transaction.execute(
                "UPDATE conversations SET title = ?2 WHERE id = ?1",
                params![id.to_string(), title],
            )?;
            if changed == 1 {
                Ok(())
            } else {
                Err(Error::UnknownConversation.into())
            }
        })
    }

    /// Deletes a conversation with its answers.
    ///
    /// # Errors
    /// [`Error::UnknownConversation`] or [`Error::ReadOnly`].
    pub fn delete_conversation(&self, id: Uuid) -> Result<(), Error> {
        self.write("delete a conversation", |transaction| {
            let changed = transaction.execute("DELETE FROM conversations WHERE id = ?1", [id.to_string()])?;
            if changed == 1 {
                Ok(())
            } else {
                Err(Error::UnknownConversation.into())
            }
        })
    }

    /// Hides a conversation: it is listed and found no more, and stays until [`Library::purge_conversations`], so that the
    /// person may undo.
    ///
    /// # Errors
    /// [`Error::UnknownConversation`], also for one that is hidden already, or [`Error::ReadOnly`].
    pub fn hide_conversation(&self, id: Uuid, now_ms: i64) -> Result<(), Error> {
        self.write("delete a conversation", |transaction| {
            let hidden = transaction.execute(
                "INSERT OR IGNORE INTO deleted_conversations (id, deleted_at)
                 SELECT id, ?2 FROM conversations WHERE id = ?1",
                params![id.to_string(), now_ms],
            )?;
            if hidden == 1 {
                Ok(())
            } else {
                Err(Error::UnknownConversation.into())
            }
        })
    }

    /// Brings a hidden conversation back. Returns whether it was still there.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or when the database fails.
    pub fn restore_conversation(&self, id: Uuid) -> Result<bool, Error> {
        self.write("bring a conversation back", |transaction| {
            let restored = transaction.execute("DELETE FROM deleted_conversations WHERE id = ?1", [id.to_string()])?;
            Ok(restored == 1)
        })
    }

    /// Deletes the conversations that have been hidden for at least `min_age_ms`, with their answers. Returns how many.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or when the database fails.
    pub fn purge_conversations(&self, now_ms: i64, min_age_ms: i64) -> Result<usize, Error> {
        self.write("delete conversations", |transaction| {
            Ok(transaction.execute(
                "DELETE FROM conversations
                 WHERE id IN (SELECT id FROM deleted_conversations WHERE deleted_at <= ?1)",
                [now_ms.saturating_sub(min_age_ms)],
            )?)
        })
    }

    /// Stores an answer as the conversation's next; storing an id again replaces what it was.
    ///
    /// # Errors
    /// [`Error::UnknownConversation`] or [`Error::ReadOnly`].
    pub fn store_answer(&self, conversation: Uuid, answer: &Answer, now_ms: i64) -> Result<(), Error> {
        let json = serde_json::to_string(answer).map_err(Error::stored("store an answer"))?;
        self.write("store an answer", |transaction| {
            let touched = transaction.execute(
                "UPDATE conversations SET updated_at = ?2 WHERE id = ?1",
                params![conversation.to_string(), now_ms],
            )?;
            if touched == 0 {
                return Err(Error::UnknownConversation.into());
            }
            transaction.execute(
                "INSERT INTO answers (id, conversation_id, position, question, answer, model, input_tokens,
                                      output_tokens, calls, created_at)
                 VALUES (?1, ?2, (SELECT coalesce(max(position), 0) + 1 FROM answers WHERE conversation_id = ?2),
                         ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                 ON CONFLICT (id) DO UPDATE SET question = ?3, answer = ?4, model = ?5, input_tokens = ?6,
                                                output_tokens = ?7, calls = ?8",
                params![
                    answer.id.to_string(),
                    conversation.to_string(),
                    answer.question,
                    json,
                    answer.model,
                    answer.usage.input_tokens,
                    answer.usage.output_tokens,
                    answer.usage.calls,
                    now_ms
                ],
            )?;
            transaction.execute(
                "DELETE FROM cited_originals WHERE answer_id = ?1",
                [answer.id.to_string()],
            )?;
            for citation in &answer.citations {
                transaction.execute(
                    "INSERT OR IGNORE INTO cited_originals (answer_id, collection, document_id, sha256)
                     VALUES (?1, ?2, ?3, ?4)",
                    params![
                        answer.id.to_string(),
                        citation.collection.0,
                        citation.document_id.to_string(),
                        citation.sha256
                    ],
                )?;
            }
            Ok(())
        })
    }

    /// The answer with that id.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn answer(&self, id: AnswerId) -> Result<Option<StoredAnswer>, Error> {
        self.read("look up an answer", |connection| {
            let found = connection
                .query_row(
                    "SELECT conversation_id, answer, created_at FROM answers WHERE id = ?1",
                    [id.to_string()],
                    raw_answer,
                )
                .optional()?;
            Ok(found.map(parsed).transpose()?)
        })
    }

    /// Keeps how a stored answer came about, in place of what was kept before.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or when the database fails; an answer that is not stored is a failure too.
    pub fn store_trace(&self, id: AnswerId, trace: &Trace) -> Result<(), Error> {
        let json = serde_json::to_string(trace).map_err(Error::stored("store a trace"))?;
        self.write("store a trace", |transaction| {
            transaction.execute(
                "INSERT OR REPLACE INTO traces (answer_id, trace) VALUES (?1, ?2)",
                params![id.to_string(), json],
            )?;
            Ok(())
        })
    }

    /// How an answer came about, where that was kept.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn trace(&self, id: AnswerId) -> Result<Option<Trace>, Error> {
        self.read("look up a trace", |connection| {
            if !has_table(connection, "traces")? {
                return Ok(None);
            }
            let json: Option<String> = connection
                .query_row(
                    "SELECT trace FROM traces WHERE answer_id = ?1",
                    [id.to_string()],
                    |row| row.get(0),
                )
                .optional()?;
            let parsed = json.map(|json| serde_json::from_str(&json).map_err(Error::stored("read a trace")));
            Ok(parsed.transpose()?)
        })
    }

    /// The stored answers whose id begins with `prefix`, at most `limit` of them, the newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn answer_ids(&self, prefix: &str, limit: u32) -> Result<Vec<AnswerId>, Error> {
        self.read("look up answers", |connection| {
            let mut statement = connection.prepare(
                "SELECT id FROM answers WHERE substr(id, 1, length(?1)) = ?1 ORDER BY created_at DESC, id LIMIT ?2",
            )?;
            let rows = statement.query_map(params![prefix, limit], |row| uuid(row, 0))?;
            Ok(rows.map(|row| row.map(AnswerId)).collect::<Result<_, _>>()?)
        })
    }

    /// The answers of a conversation in the order they were given.
    ///
    /// # Errors
    /// [`Error::UnknownConversation`] when there is none with that id.
    pub fn answers(&self, conversation: Uuid) -> Result<Vec<StoredAnswer>, Error> {
        self.read("read a conversation", |connection| {
            let known: bool = connection.query_row(
                "SELECT EXISTS (SELECT 1 FROM conversations WHERE id = ?1)",
                [conversation.to_string()],
                |row| row.get(0),
            )?;
            if !known {
                return Err(Error::UnknownConversation.into());
            }
            let mut statement = connection.prepare(
                "SELECT conversation_id, answer, created_at FROM answers WHERE conversation_id = ?1
                 ORDER BY position",
            )?;
            let rows = statement.query_map([conversation.to_string()], raw_answer)?;
            let mut answers = Vec::new();
            for row in rows {
                answers.push(parsed(row?)?);
            }
            Ok(answers)
        })
    }

    /// Whether a stored citation opens the original with this hash; then it must not be deleted.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn is_cited(&self, collection: &CollectionName, sha256: &str) -> Result<bool, Error> {
        self.read("look for citations", |connection| {
            Ok(connection.query_row(
                "SELECT EXISTS (SELECT 1 FROM cited_originals WHERE collection = ?1 AND sha256 = ?2)",
                [&collection.0, sha256],
                |row| row.get(0),
            )?)
        })
    }

    /// Remembers that a document was removed, for the answers that cite it.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or when the database fails.
    pub fn note_removed(
        &self,
        collection: &CollectionName,
        document: DocumentId,
        title: &str,
        now_ms: i64,
    ) -> Result<(), Error> {
        self.write("note a removal", |transaction| {
            transaction.execute(
                "INSERT OR REPLACE INTO removed_documents (collection, document_id, title, removed_at)
                 SELECT ?1, ?2, ?3, ?4
                 WHERE EXISTS (SELECT 1 FROM cited_originals WHERE collection = ?1 AND document_id = ?2)",
                params![collection.0, document.to_string(), title, now_ms],
            )?;
            Ok(())
        })
    }

    /// Forgets a removal: the document is back.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or when the database fails.
    pub fn forget_removal(&self, collection: &CollectionName, document: DocumentId) -> Result<(), Error> {
        self.write("forget a removal", |transaction| {
            transaction.execute(
                "DELETE FROM removed_documents WHERE collection = ?1 AND document_id = ?2",
                [&collection.0, &document.to_string()],
            )?;
            Ok(())
        })
    }

    /// Cited documents of a collection that were removed, with the moment in Unix milliseconds.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn removed_documents(&self, collection: &CollectionName) -> Result<BTreeMap<DocumentId, i64>, Error> {
        self.read("list removed documents", |connection| {
            let mut statement =
                connection.prepare("SELECT document_id, removed_at FROM removed_documents WHERE collection = ?1")?;
            let rows = statement.query_map([&collection.0], |row| Ok((DocumentId(uuid(row, 0)?), row.get(1)?)))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    /// What the stored answers cost, by model.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn usage(&self) -> Result<Vec<UsageTotal>, Error> {
        self.read("sum up the usage", |connection| {
            let mut statement = connection.prepare(
                "SELECT model, count(*), sum(calls),
                        CASE WHEN count(input_tokens) = count(*) THEN sum(input_tokens) END,
                        CASE WHEN count(output_tokens) = count(*) THEN sum(output_tokens) END
                 FROM answers GROUP BY model ORDER BY model",
            )?;
            let rows = statement.query_map([], |row| {
                Ok(UsageTotal {
                    model: row.get(0)?,
                    answers: row.get(1)?,
                    calls: row.get(2)?,
                    input_tokens: row.get(3)?,
                    output_tokens: row.get(4)?,
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }
}

/// Whether the database has the table: one that an earlier version made and that was only read since may lack it.
fn has_table(connection: &Connection, name: &str) -> rusqlite::Result<bool> {
    connection.query_row(
        "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1)",
        [name],
        |row| row.get(0),
    )
}

fn uuid(row: &Row<'_>, column: usize) -> rusqlite::Result<Uuid> {
    let text: String = row.get(column)?;
    text.parse()
        .map_err(|_| rusqlite::Error::InvalidColumnType(column, "id".to_owned(), rusqlite::types::Type::Text))
}

fn raw_answer(row: &Row<'_>) -> rusqlite::Result<(Uuid, String, i64)> {
    Ok((uuid(row, 0)?, row.get(1)?, row.get(2)?))
}

fn parsed((conversation, json, created_at_ms): (Uuid, String, i64)) -> Result<StoredAnswer, Error> {
    Ok(StoredAnswer {
        conversation,
        answer: serde_json::from_str(&json).map_err(Error::stored("read an answer"))?,
        created_at_ms,
    })
}
