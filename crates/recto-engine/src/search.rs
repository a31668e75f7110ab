//! Searching.

use crate::Engine;
use crate::contract::{SearchQuery, SearchReport};
use crate::scope::OpenScope;
use crate::spans::CharacterSpans;
use recto_core::{ChunkSource, Embedder, Error, ErrorCode, Passage, Result, Scope, SearchMode, SearchRequest};
use recto_models::LocalEmbedder;
use recto_retrieval::SearchOptions;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Most results a caller may ask for.
const MOST_RESULTS: u32 = 1_000;

impl Engine {
    /// Passages that bear on the query, best first. A blank query finds nothing.
    ///
    /// # Errors
    /// `invalid_argument`, `not_found` for an unknown collection, `collection_unavailable`, `embedder_mismatch`.
    pub async fn search(self: &Arc<Self>, query: SearchQuery) -> Result<SearchReport> {
        let scope = self.open_scope(Scope::try_from(query.scope)?).await?;
        let mode = SearchMode::from(query.mode);
        let limit = if query.limit == 0 {
            self.settings().search.limit
        } else {
            query.limit
        };
        if limit > MOST_RESULTS {
            let message = format!("At most {MOST_RESULTS} results can be asked for, not {limit}.");
            return Err(Error::new(ErrorCode::InvalidArgument, message));
        }
        let request = SearchRequest {
            query: query.query.clone(),
            mode,
            limit: limit as usize,
            filter: scope.scope.filter.clone(),
            expand: query.expand,
        };
        let embedder = self.query_embedder(&scope, mode)?;
        let embedder = embedder.as_deref().map(|embedder| embedder as &dyn Embedder);
        let opened = recto_retrieval::open(&scope.sources()).await?;
        let options = SearchOptions {
            lexicon: self.lexicon(),
            ..SearchOptions::default()
        };
        let (results, coverage) = tokio::join!(
            recto_retrieval::retrieve(&opened, embedder, &request, &options),
            self.coverage(&scope, &opened)
        );
        let (results, mut coverage) = (results?, coverage?);
        coverage.chosen = results.chosen;
        let mut passages: Vec<Passage> = results.passages.into_iter().map(|found| found.passage).collect();
        let matched: BTreeSet<_> = passages
            .iter()
            .map(|passage| (&passage.collection, passage.document_id))
            .collect();
        coverage.documents_with_matches = u32::try_from(matched.len()).unwrap_or(u32::MAX);
        let mut spans = CharacterSpans::new(&scope.collections);
        for passage in &mut passages {
            spans.passage(passage).await?;
        }
        Ok(SearchReport {
            query: query.query,
            mode: query.mode,
            unit_stats: results.unit_stats.into(),
            results: passages.into_iter().map(Into::into).collect(),
            coverage: coverage.into(),
        })
    }

    /// The embedding model where the search needs one; `None` for a search by words.
    pub(crate) fn query_embedder(&self, scope: &OpenScope, mode: SearchMode) -> Result<Option<Arc<LocalEmbedder>>> {
        if mode == SearchMode::Fts {
            return Ok(None);
        }
        let embedder = self.embedder();
        let foreign = scope
            .collections
            .iter()
            .find(|collection| collection.embedder() != embedder.info());
        if let Some(collection) = foreign {
            let info = collection.embedder();
            return Err(Error::new(
                ErrorCode::EmbedderMismatch,
                format!(
                    "The collection {} was embedded with {} ({}), which is not the model in use. Search it by words instead.",
                    collection.name(),
                    info.name,
                    info.provider
                ),
            ));
        }
        Ok(Some(embedder))
    }
}
