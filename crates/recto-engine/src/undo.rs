//! Deletions that can be taken back for a while.
//!
//! What is deleted leaves every list, search and answer at once; only its bytes stay until the time is over or the engine
//! is shut down. Whichever comes first, also a killed process, the deletion stands: nothing that was deleted comes back
//! by itself.

use crate::Engine;
use crate::blocking::blocking;
use crate::contract::Changed;
use crate::conversations::{conversation_id, unknown};
use recto_collection::Collection;
use recto_core::{ChunkSource, DocumentId, Error, ErrorCode, Result};
use recto_library::NewJob;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What is hidden and not yet removed.
#[derive(Debug, Default)]
pub(crate) struct Hidden {
    /// Collections in which documents are.
    collections: Mutex<BTreeSet<String>>,
}

impl Hidden {
    fn collections(&self) -> std::sync::MutexGuard<'_, BTreeSet<String>> {
        self.collections.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine {
    /// Deletes a document so that [`Engine::restore_document`] can bring it back for the time set in
    /// [`EngineOptions`](crate::EngineOptions). Its jobs are stopped and forgotten.
    ///
    /// # Errors
    /// `not_found`, `ambiguous` or `read_only`.
    pub async fn delete_for_now(self: &Arc<Self>, collections: Option<&[String]>, document_id: &str) -> Result<()> {
        let collection = self.hide_document(collections, document_id).await?;
        let name = collection.name().0.clone();
        self.hidden.collections().insert(name.clone());
        self.when_over(async move |engine| {
            let collection = engine.collections_open().get(&name).await?;
            engine.purge(&collection, engine.undo_time()).await
        });
        Ok(())
    }

    /// Brings back a document that was deleted with [`Engine::delete_for_now`].
    ///
    /// # Errors
    /// `not_found` when it is too late, `read_only`.
    pub async fn restore_document(&self, collection: &str, document_id: &str) -> Result<()> {
        self.require_writer()?;
        let gone = || {
            let message = "It is too late to bring this document back. Add its file again.";
            Error::new(ErrorCode::NotFound, message)
        };
        let id: DocumentId = document_id.parse().map_err(|_| gone())?;
        let open = self.collections_open().get(collection).await?;
        let restored = open
            .restore(&[id])
            .await
            .map_err(|error| error.in_collection(open.name()))?;
        if restored.is_empty() && !open.snapshot().await?.documents.contains_key(&id) {
            return Err(gone());
        }
        let name = open.name().clone();
        self.on_library(move |library| Ok(library.forget_removal(&name, id)?))
            .await?;
        self.finish_restored(&open, id).await?;
        self.changed(Changed::Documents);
        Ok(())
    }

    /// Queues what was still to be done on a document when it was deleted.
    async fn finish_restored(&self, open: &Collection, id: DocumentId) -> Result<()> {
        let snapshot = open.snapshot().await?;
        let Some(row) = snapshot.documents.get(&id).filter(|row| !row.embedded) else {
            return Ok(());
        };
        let job = NewJob {
            collection: open.name().clone(),
            uri: row.uri.clone(),
            options: String::from("{}"),
            priority: 0,
            sha256: None,
        };
        let now = self.clock().now_ms();
        self.on_library(move |library| Ok(library.enqueue(&job, now)?)).await?;
        self.ingestion().wake();
        self.changed(Changed::Queue);
        Ok(())
    }

    /// Deletes a conversation so that [`Engine::restore_conversation`] can bring it back for the time set in
    /// [`EngineOptions`](crate::EngineOptions).
    ///
    /// # Errors
    /// `not_found` or `read_only`.
    pub async fn delete_conversation_for_now(self: &Arc<Self>, id: &str) -> Result<()> {
        self.require_writer()?;
        let uuid = conversation_id(id)?;
        let library = self.library().ok_or_else(unknown)?;
        let now = self.clock().now_ms();
        blocking(move || Ok(library.hide_conversation(uuid, now)?)).await?;
        self.changed(Changed::Conversations);
        self.when_over(async |engine| engine.purge_conversations(engine.undo_time()).await);
        Ok(())
    }

    /// Brings back a conversation that was deleted with [`Engine::delete_conversation_for_now`].
    ///
    /// # Errors
    /// `not_found` when it is too late, `read_only`.
    pub async fn restore_conversation(&self, id: &str) -> Result<()> {
        self.require_writer()?;
        let uuid = conversation_id(id)?;
        let restored = self
            .on_library(move |library| Ok(library.restore_conversation(uuid)?))
            .await?;
        if !restored {
            let message = "It is too late to bring this conversation back.";
            return Err(Error::new(ErrorCode::NotFound, message));
        }
        self.changed(Changed::Conversations);
        Ok(())
    }

    /// Removes the conversations that were hidden at least `min_age` ago, and the originals that only they cited.
    async fn purge_conversations(&self, min_age: Duration) -> Result<()> {
        let now = self.clock().now_ms();
        let age = i64::try_from(min_age.as_millis()).unwrap_or(i64::MAX);
        self.on_library(move |library| Ok(library.purge_conversations(now, age)?))
            .await?;
        Ok(())
    }

    /// Carries out the deletions that could still have been taken back.
    pub(crate) async fn end_undo(&self) {
        // Before the documents: an original goes only when no conversation cites it any more.
        if !self.is_read_only()
            && let Err(error) = self.purge_conversations(Duration::ZERO).await
        {
            tracing::warn!(code = %error.code.as_str(), "deleted conversations stay on disk until the next start");
        }
        let names = std::mem::take(&mut *self.hidden.collections());
        for name in names {
            let purged = async {
                self.purge(&*self.collections_open().get(&name).await?, Duration::ZERO)
                    .await
            };
            if let Err(error) = purged.await {
                tracing::warn!(code = %error.code.as_str(), "what was deleted stays on disk until the next start");
            }
        }
    }

    /// Runs `work` when what is deleted now can no longer be brought back, unless the engine has ended before.
    fn when_over<F: Future<Output = Result<()>> + Send>(
        self: &Arc<Self>,
        work: impl FnOnce(Arc<Self>) -> F + Send + 'static,
    ) {
        let (engine, time) = (Arc::downgrade(self), self.undo_time());
        tokio::spawn(async move {
            tokio::time::sleep(time).await;
            let Some(engine) = engine.upgrade() else { return };
            if let Err(error) = work(engine).await {
                tracing::warn!(code = %error.code.as_str(), "what was deleted is still on disk");
            }
        });
    }
}
