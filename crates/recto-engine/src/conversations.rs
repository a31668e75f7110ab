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
        let summaries = found.into_iter().filter(|conversation| conversation.answers > 0);
        Ok(summaries
            .map(|conversation| ConversationSummary {
                conversation_id: conversation.id.to_string(),
                title: conversation.title,
                updated_at: rfc3339(conversation.updated_at_ms),
                answers: conversation.answers,
            })
            .collect())
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
        let title: String = question
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .chars()
            .take(TITLE_CHARS)
            .collect();
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

fn conversation_id(id: &str) -> Result<Uuid> {
    id.parse().map_err(|_| unknown())
}

fn unknown() -> Error {
    Error::new(ErrorCode::NotFound, "There is no such conversation.")
}
