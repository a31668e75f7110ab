//! Searching.

use crate::contract::{SearchQuery, SearchReport};
use crate::scope::OpenScope;
use crate::spans::CharacterSpans;
use crate::{Engine, embedders};
use recto_collection::Collection;
use recto_core::{ChunkSource, Embedder, Error, ErrorCode, Passage, Result, Scope, SearchMode, SearchRequest};
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
        let embedder = self.query_embedder(&scope, mode).await?;
        let opened = recto_retrieval::open(&scope.sources()).await?;
        let options = SearchOptions {
            lexicon: self.lexicon(),
            reranker: self.reranker().await?,
            ..SearchOptions::default()
        };
        let (results, coverage) = tokio::join!(
            recto_retrieval::retrieve(&opened, embedder.as_deref(), &request, &options),
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

    /// The embedding model where the search needs one; `None` for a search by words. All that is selected must have been
    /// embedded by one model; a collection without documents is no obstacle.
    ///
    /// # Errors
    /// `embedder_mismatch` naming two collections of different models, or the model that is not at hand.
    pub(crate) async fn query_embedder(
        &self,
        scope: &OpenScope,
        mode: SearchMode,
    ) -> Result<Option<Arc<dyn Embedder>>> {
        if mode == SearchMode::Fts {
            return Ok(None);
        }
        let mut collections = scope.collections.iter().collect::<Vec<_>>();
        let is_one = |collections: &[&Arc<Collection>]| {
            collections
                .windows(2)
                .all(|pair| pair[0].embedder() == pair[1].embedder())
        };
        if !is_one(&collections) {
            let mut filled = Vec::new();
            for collection in collections {
                if !collection.snapshot().await?.documents.is_empty() {
                    filled.push(collection);
                }
            }
            collections = filled;
        }
        let Some((first, others)) = collections.split_first() else {
            return Ok(None);
        };
        if let Some(other) = others.iter().find(|other| other.embedder() != first.embedder()) {
            return Err(embedders::different(first, other));
        }
        Ok(Some(self.embedders().of(first).await?))
    }
}
