//! The bundled sentence model. These tests need the files that `scripts/setup` fetches.

use recto_core::{Embedder, ErrorCode, TokenCounter};
use recto_models::{Assets, LocalEmbedder, MiniLmTokens, TOKEN_LIMIT};
use std::path::PathBuf;

pub(crate) fn assets() -> Assets {
    // The target folder may be anywhere, so the folder is not looked for above the test.
    std::env::var_os(recto_models::ASSETS_VARIABLE).map_or_else(
        || Assets::at(PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets"))),
        |folder| Assets::at(folder.into()),
    )
}

async fn embed(texts: &[&str]) -> Vec<Vec<f32>> {
    let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
    LocalEmbedder::new(assets(), 2).embed(&texts).await.expect("embeds")
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Expected values: the same graph and tokenizer in Python's onnxruntime 1.32 on another occasion. Processors differ
/// in how they sum, hence the tolerance.
#[tokio::test]
async fn vectors_are_those_of_the_reference_implementation() {
    let vectors = embed(&[
        "The cat sits on the mat.",
        "A cat is sitting on a rug.",
        "Net sales rose to $32,765 million in fiscal 2018.",
        "Revenue increased in 2018.",
    ])
    .await;
    for vector in &vectors {
        assert_eq!(vector.len(), 384);
        assert!((cosine(vector, vector) - 1.0).abs() < 1e-5, "length 1");
    }
    for ((a, b), expected) in [((0, 1), 0.7718), ((2, 3), 0.5653), ((0, 2), 0.0260)] {
        let found = cosine(&vectors[a], &vectors[b]);
        assert!(
            (found - expected).abs() < 0.02,
            "texts {a} and {b}: {found} instead of {expected}"
        );
    }
    for (found, expected) in vectors[0].iter().zip([0.12604, -0.02335, -0.03325, 0.04277]) {
        assert!((found - expected).abs() < 0.01, "{found} instead of {expected}");
    }
}

#[tokio::test]
async fn the_order_of_the_texts_is_kept_and_each_is_embedded_as_if_alone() {
    let long = "word ".repeat(200);
    let texts = ["one", long.as_str(), "two", "three", "", "one"];
    let together = embed(&texts).await;
    assert_eq!(together.len(), texts.len());
    for (text, vector) in texts.iter().zip(&together) {
        assert_eq!(&embed(&[text]).await[0], vector, "{text:.10}");
    }
    assert!(embed(&[]).await.is_empty());
}

#[test]
fn long_texts_are_counted_without_truncation() {
    let tokens = MiniLmTokens::load(&assets()).expect("loads");
    assert_eq!(tokens.count("hello"), 3, "the special tokens count, padding does not");
    assert!(
        tokens.count(&"hello world ".repeat(150)) > TOKEN_LIMIT,
        "300 words are more than 256 tokens"
    );
    assert_eq!(tokens.limit(), TOKEN_LIMIT);
}

/// As shipped, the tokenizer file cuts every text at 128 tokens.
#[tokio::test]
async fn the_last_sentence_of_a_full_chunk_changes_its_vector() {
    let body = "The company reports its results by segment and by region. ".repeat(20);
    let tokens = MiniLmTokens::load(&assets()).expect("loads");
    let (first, second) = (format!("{body}Whales sing."), format!("{body}Taxes rose."));
    assert!(
        (200..=TOKEN_LIMIT).contains(&tokens.count(&first)),
        "a chunk as full as they come"
    );
    let vectors = embed(&[&first, &second]).await;
    assert!(cosine(&vectors[0], &vectors[1]) < 0.9999);
    // And what is past the limit changes nothing.
    let over = "word ".repeat(300);
    let vectors = embed(&[&format!("{over}whales"), &format!("{over}taxes")]).await;
    assert_eq!(vectors[0], vectors[1]);
}

#[tokio::test]
async fn missing_files_are_named_with_the_remedy() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let embedder = LocalEmbedder::new(Assets::at(folder.path().into()), 1);
    let error = embedder.embed(&["text".into()]).await.expect_err("fails");
    assert_eq!(error.code, ErrorCode::AssetMissing);
    assert!(error.message.contains("./scripts/setup"), "{error}");
    assert_eq!(
        embedder.token_counter().err().expect("fails").code,
        ErrorCode::AssetMissing
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_is_not_held_up_by_an_import() {
    let embedder = std::sync::Arc::new(LocalEmbedder::new(assets(), 1));
    embedder.load().await.expect("loads");
    let texts: Vec<String> = (0..400).map(|n| format!("{n} {}", "word ".repeat(200))).collect();
    let import = tokio::spawn({
        let embedder = embedder.clone();
        async move { embedder.embed(&texts).await }
    });
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    embedder.embed(&["A question?".into()]).await.expect("embeds");
    assert!(!import.is_finished(), "the question was answered first");
    import.abort();
}
