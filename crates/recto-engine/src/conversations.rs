//! Conversations: answers reopen as they were stored, without retrieval.

use crate::Engine;
use crate::blocking::blocking;
use crate::clock::rfc3339;
use crate::contract::{Changed, Conversation, ConversationSummary};
use recto_core::{Answer, Error, ErrorCode, Result};
use std::sync::Arc;
use uuid::Uuid;

/// Longest title made from a question, in characters.
const TITLE_CHARS: usize = 120;

impl Engine {
    /// The history, last used first. Conversations without an answer yet are left out.
    ///
    /// # Errors
    /// `internal` when the library cannot be read.
    pub async fn conversations(&self) -> Result<Vec<ConversationSummary>> {
        let Some(library) = self.library() else {
            return Ok(Vec::new());
        };
        let found = blocking(move || Ok(library.conversations()?)).await?;
        Ok(summaries(found))
    }

    /// The conversations in which every word of `query` stands, in the title, a question or an answer, last used first.
    /// A blank query finds all.
    ///
    /// # Errors
    /// `internal` when the library cannot be read.
    pub async fn search_conversations(&self, query: &str) -> Result<Vec<ConversationSummary>> {
        let Some(library) = self.library() else {
            return Ok(Vec::new());
        };
        let words: Vec<String> = query.split_whitespace().map(str::to_owned).collect();
        let found = blocking(move || Ok(library.conversations_with(&words)?)).await?;
        Ok(summaries(found))
    }

    /// Gives a conversation another title, of at most 120 characters in one line.
    ///
    /// # Errors
    /// `not_found`, `read_only`, or `invalid_argument` for an empty title.
    pub async fn rename_conversation(&self, id: &str, title: &str) -> Result<()> {
        self.require_writer()?;
        let uuid = conversation_id(id)?;
        let title = one_line(title);
        if title.is_empty() {
            let message = "A conversation needs a title.";
            return Err(Error::new(ErrorCode::InvalidArgument, message));
        }
        let library = self.library().ok_or_else(unknown)?;
        blocking(move || Ok(library.rename_conversation(uuid, &title)?)).await?;
        self.changed(Changed::Conversations);
        Ok(())
    }

    /// A conversation with its answers in order.
    ///
    /// # Errors
    /// `not_found` when there is none with that id.
    pub async fn conversation(&self, id: &str) -> Result<Conversation> {
        let uuid = conversation_id(id)?;
        let library = self.library().ok_or_else(unknown)?;
        let (title, answers) = blocking(move || {
            let known = library
                .conversations()?
                .into_iter()
                .find(|conversation| conversation.id == uuid);
            Ok((known.ok_or_else(unknown)?.title, library.answers(uuid)?))
        })
        .await?;
        let answers = answers.into_iter().map(|stored| stored.answer.into()).collect();
        Ok(Conversation {
            conversation_id: id.to_owned(),
            title,
            answers,
        })
    }

    /// Deletes a conversation with its answers.
    ///
    /// # Errors
    /// `not_found` or `read_only`.
    pub async fn delete_conversation(&self, id: &str) -> Result<()> {
        self.require_writer()?;
        let uuid = conversation_id(id)?;
        let library = self.library().ok_or_else(unknown)?;
        blocking(move || Ok(library.delete_conversation(uuid)?)).await?;
        self.changed(Changed::Conversations);
        Ok(())
    }

    /// Finds the conversation a question belongs to, or begins one titled after the question.
    pub(crate) async fn conversation_for(&self, id: Option<&str>, question: &str) -> Result<Uuid> {
        if let Some(id) = id {
            return conversation_id(id);
        }
        let library = self.library().ok_or_else(unknown)?;
        let title = one_line(question);
        let (id, now) = (Uuid::new_v4(), self.clock().now_ms());
        blocking(move || Ok(library.create_conversation(id, &title, now)?)).await?;
        Ok(id)
    }

    /// Stores an answer as the conversation's next.
    pub(crate) async fn store_answer(&self, conversation: Uuid, answer: Answer) -> Result<()> {
        let library = Arc::clone(&self.library().ok_or_else(unknown)?);
        let now = self.clock().now_ms();
        blocking(move || Ok(library.store_answer(conversation, &answer, now)?)).await?;
        self.changed(Changed::Conversations);
        Ok(())
    }
}

/// Those that have an answer.
fn summaries(found: Vec<recto_library::Conversation>) -> Vec<ConversationSummary> {
    found
        .into_iter()
        .filter(|conversation| conversation.answers > 0)
        .map(|conversation| ConversationSummary {
            conversation_id: conversation.id.to_string(),
            title: conversation.title,
            updated_at: rfc3339(conversation.updated_at_ms),
            answers: conversation.answers,
        })
        .collect()
}

/// A title out of any text.
fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(TITLE_CHARS).collect()
}

pub(crate) fn conversation_id(id: &str) -> Result<Uuid> {
    id.parse().map_err(|_| unknown())
}

pub(crate) fn unknown() -> Error {
    Error::new(ErrorCode::NotFound, "There is no such conversation.")
}
