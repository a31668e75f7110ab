//! Vectors of chunks, with nothing taken on trust: as many as there are chunks, each of the right length.

use recto_core::{Chunk, Embedder, Error, ErrorCode, Result};
use std::ops::Range;

/// Characters of a chunk that name it in an error.
const NAMED_BY: usize = 60;

/// One vector for each chunk, in order. A batch that fails is asked for again in halves, so that one text a model cannot
/// take neither fails silently nor hides which it is.
///
/// # Errors
/// The embedder's own; `model_rejected` naming the chunk, where the embedder gives fewer, more, or other vectors.
pub(super) async fn of_chunks(embedder: &dyn Embedder, chunks: &[Chunk]) -> Result<Vec<Vec<f32>>> {
    let texts: Vec<String> = chunks.iter().map(Chunk::embedded_text).collect();
    let mut vectors = Vec::with_capacity(texts.len());
    let mut left: Vec<Range<usize>> = Vec::from_iter((!texts.is_empty()).then_some(0..texts.len()));
    while let Some(range) = left.pop() {
        let outcome = match embedder.embed(&texts[range.clone()]).await {
            Ok(made) => match unsound(embedder, &made, range.len()) {
                None => {
                    vectors.extend(made);
                    continue;
                }
                Some(error) => error,
            },
            Err(error) => error,
        };
        if outcome.code != ErrorCode::ModelRejected || outcome.retryable {
            return Err(outcome);
        }
        if range.len() == 1 {
            return Err(about(outcome, &chunks[range.start]));
        }
        let middle = range.start + range.len() / 2;
        left.push(middle..range.end);
        left.push(range.start..middle);
    }
    Ok(vectors)
}

/// What is wrong with vectors made of `count` texts.
fn unsound(embedder: &dyn Embedder, made: &[Vec<f32>], count: usize) -> Option<Error> {
    let info = embedder.info();
    let rejected = |what: String| {
        let message = format!("The embedding model {} ({}) gave {what}.", info.name, info.provider);
        Some(Error::new(ErrorCode::ModelRejected, message))
    };
    if made.len() != count {
        let texts = if count == 1 {
            "one text".to_owned()
        } else {
            format!("{count} texts")
        };
        return rejected(format!("{} vectors for {texts}", made.len()));
    }
    let expected = usize::try_from(info.dimension).unwrap_or(usize::MAX);
    match made.iter().find(|vector| vector.len() != expected) {
        Some(other) => rejected(format!(
            "a vector of {} numbers where {expected} are expected",
            other.len()
        )),
        None => None,
    }
}

/// The error with the chunk it is about.
fn about(error: Error, chunk: &Chunk) -> Error {
    let page = match chunk.metadata.page_numbers.first() {
        Some(page) => format!(" on page {page}"),
        None => String::new(),
    };
    let words = chunk.content.split_whitespace().collect::<Vec<_>>().join(" ");
    let beginning: String = words.chars().take(NAMED_BY).collect();
    let dots = if beginning.len() < words.len() { " …" } else { "" };
    Error {
        message: format!(
            "{} It was given the text{page} that begins “{beginning}{dots}”.",
            error.message
        ),
        ..error
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use async_trait::async_trait;
    use recto_core::{ChunkId, ChunkMetadata, DocumentId, EmbedderInfo};
    use std::sync::Mutex;
    use uuid::Uuid;

    /// Gives one vector less for whatever batch holds a text with `trap` in it.
    struct Lossy {
        info: EmbedderInfo,
        trap: &'static str,
        dimension: usize,
        batches: Mutex<Vec<usize>>,
    }

    impl Lossy {
        fn new(trap: &'static str, dimension: usize) -> Self {
            Self {
                info: EmbedderInfo {
                    provider: "test".into(),
                    name: "lossy".into(),
                    dimension: 2,
                },
                trap,
                dimension,
                batches: Mutex::default(),
            }
        }
    }

    #[async_trait]
    impl Embedder for Lossy {
        fn info(&self) -> &EmbedderInfo {
            &self.info
        }

        async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>> {
            self.batches.lock().expect("unpoisoned").push(texts.len());
            let mut vectors: Vec<Vec<f32>> = texts
                .iter()
                .map(|text| {
                    let mut vector = vec![0.0; self.dimension];
                    vector[0] = text.len() as f32;
                    vector
                })
                .collect();
            if texts.iter().any(|text| text.contains(self.trap)) {
                vectors.pop();
            }
            Ok(vectors)
        }
    }

    fn chunks(contents: &[&str]) -> Vec<Chunk> {
        (1..)
            .zip(contents)
            .map(|(page, content)| Chunk {
                id: ChunkId(format!("c{page}")),
                document_id: DocumentId(Uuid::nil()),
                order: page,
                content: (*content).to_owned(),
                prefix: String::new(),
                content_terms: String::new(),
                heading_terms: String::new(),
                metadata: ChunkMetadata {
                    page_numbers: vec![page],
                    ..ChunkMetadata::default()
                },
            })
            .collect()
    }

    #[tokio::test]
    async fn t55_fewer_vectors_than_texts_are_asked_for_again_in_halves_and_the_chunk_is_named() {
        let embedder = Lossy::new("hostile", 2);
        let good = chunks(&["a", "bb", "ccc", "dddd"]);
        let made = of_chunks(&embedder, &good).await.expect("all are embedded");
        assert_eq!(
            made.iter().map(|vector| vector[0]).collect::<Vec<_>>(),
            [1.0, 2.0, 3.0, 4.0]
        );

        let embedder = Lossy::new("hostile", 2);
        let bad = chunks(&["a", "bb", "ccc", "the hostile text of this document", "e"]);
        let error = of_chunks(&embedder, &bad).await.expect_err("one is not embedded");
        assert_eq!(error.code, ErrorCode::ModelRejected);
        assert_eq!(
            error.message,
            "The embedding model lossy (test) gave 0 vectors for one text. It was given the text on page 4 that begins \
             “the hostile text of this document”."
        );
        assert_eq!(*embedder.batches.lock().expect("unpoisoned"), [5, 2, 3, 1, 2, 1]);
    }

    #[tokio::test]
    async fn t55_vectors_of_another_length_are_refused() {
        let error = of_chunks(&Lossy::new("none", 3), &chunks(&["a", "b"]))
            .await
            .expect_err("three numbers are not two");
        assert!(
            error.message.contains("3 numbers where 2 are expected"),
            "{}",
            error.message
        );
    }

    #[tokio::test]
    async fn nothing_is_asked_where_there_is_nothing_to_embed() {
        let embedder = Lossy::new("none", 2);
        assert_eq!(
            of_chunks(&embedder, &[]).await.expect("nothing"),
            Vec::<Vec<f32>>::new()
        );
        assert!(embedder.batches.lock().expect("unpoisoned").is_empty());
    }
}
