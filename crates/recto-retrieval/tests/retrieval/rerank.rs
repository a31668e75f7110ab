//! A reranker reads the best candidates with the question, and its word is final.

use super::*;
use recto_core::Reranker;
use std::sync::Mutex;

/// Ranks texts by the number behind "grade"; keeps what it was asked.
#[derive(Default)]
struct ByGrade {
    asked: Mutex<Vec<(String, usize)>>,
    fails: bool,
    gives_too_few: bool,
}

#[async_trait]
impl Reranker for ByGrade {
    fn name(&self) -> &str {
        "by grade"
    }

    async fn rank(&self, query: &str, texts: &[String]) -> Result<Vec<f32>> {
        self.asked.lock().unwrap().push((query.to_owned(), texts.len()));
        if self.fails {
            return Err(Error::transient(ErrorCode::ModelUnreachable, "The reranker is gone."));
        }
        let grade = |text: &String| {
            let number = text.split("grade ").nth(1).and_then(|rest| rest.split('.').next());
            number.and_then(|number| number.parse().ok()).unwrap_or(-9.5)
        };
        let mut scores: Vec<f32> = texts.iter().map(grade).collect();
        if self.gives_too_few {
            scores.pop();
        }
        Ok(scores)
    }
}

fn graded(collection: &str, grades: impl Iterator<Item = u32>) -> MemorySource {
    let embedder = FakeEmbedder::default();
    let mut source = MemorySource::new(collection);
    for number in grades {
        let document = DocumentBuilder::new(&format!("Report {number}"))
            .paragraph(&format!(
                "Timber of grade {number}. {}",
                "Timber stands. ".repeat(40 - number as usize % 40)
            ))
            .build();
        add(&mut source, number + 1, &document, Some(&embedder));
    }
    source
}

async fn ranked(
    sources: &[Arc<dyn ChunkSource>],
    reranker: &Arc<ByGrade>,
    request: &SearchRequest,
) -> Result<SearchResults> {
    let options = SearchOptions {
        reranker: Some(Arc::clone(reranker) as Arc<dyn Reranker>),
        ..SearchOptions::default()
    };
    recto_retrieval::search(sources, Some(&FakeEmbedder::default()), request, &options).await
}

fn scores(found: &SearchResults) -> Vec<f32> {
    found.passages.iter().map(|passage| passage.score).collect()
}

#[tokio::test]
async fn ten_candidates_a_passage_are_ranked_and_keep_the_raw_scores() {
    let sources = shared(graded("one", 0..60));
    for (mode, expand) in [
        (SearchMode::Hybrid, false),
        (SearchMode::Hybrid, true),
        (SearchMode::Fts, false),
        (SearchMode::Vector, false),
    ] {
        let reranker = Arc::new(ByGrade::default());
        let wanted = SearchRequest {
            limit: 3,
            mode,
            expand,
            ..request("timber")
        };
        let found = ranked(&sources, &reranker, &wanted).await.unwrap();
        let found = scores(&found);
        assert_eq!(found.len(), 3);
        assert!(found.windows(2).all(|pair| pair[0] > pair[1]), "best first: {found:?}");
        assert_eq!(*reranker.asked.lock().unwrap(), [("timber".to_owned(), 30)], "{mode:?}");
        let plain = SearchRequest { limit: 30, ..wanted };
        let candidates = search(
            &sources,
            Some(&FakeEmbedder::default()),
            &SearchRequest { expand: false, ..plain },
        )
        .await
        .unwrap();
        let best = candidates
            .passages
            .iter()
            .filter_map(|passage| passage.text.split("grade ").nth(1)?.split('.').next()?.parse().ok())
            .fold(f32::MIN, f32::max);
        assert_eq!(found[0], best, "the best of the candidates");
    }
}

#[tokio::test]
async fn the_union_of_collections_is_ranked_at_once() {
    let reranker = Arc::new(ByGrade::default());
    let sources: Vec<Arc<dyn ChunkSource>> = vec![
        Arc::new(graded("odd", (1..9).step_by(2))),
        Arc::new(graded("even", (0..9).step_by(2))),
    ];
    let found = ranked(&sources, &reranker, &request("timber")).await.unwrap();
    assert_eq!(scores(&found), [8.0, 7.0, 6.0, 5.0, 4.0]);
    let collections: Vec<&str> = found
        .passages
        .iter()
        .map(|passage| passage.collection.0.as_str())
        .collect();
    assert_eq!(collections, ["even", "odd", "even", "odd", "even"]);
    assert_eq!(reranker.asked.lock().unwrap().len(), 1, "one call for all of them");
}

#[tokio::test]
async fn a_reranker_that_cannot_run_is_an_error_and_nothing_found_asks_nobody() {
    let sources = shared(graded("one", 0..4));
    let broken = Arc::new(ByGrade {
        fails: true,
        ..ByGrade::default()
    });
    let error = ranked(&sources, &broken, &request("timber")).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ModelUnreachable, "never silently off");
    let few = Arc::new(ByGrade {
        gives_too_few: true,
        ..ByGrade::default()
    });
    let error = ranked(&sources, &few, &request("timber")).await.unwrap_err();
    assert!(error.message.contains("3 scores for 4 texts"), "{error}");
    for nothing in ["", "   "] {
        assert!(
            ranked(&sources, &broken, &request(nothing))
                .await
                .unwrap()
                .passages
                .is_empty()
        );
    }
    let mut words = request("xylophone");
    words.mode = SearchMode::Fts;
    assert!(ranked(&sources, &broken, &words).await.unwrap().passages.is_empty());
}
