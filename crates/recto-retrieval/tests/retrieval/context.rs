//! What is shown around a hit, one case each.

use super::*;

fn words(count: usize) -> String {
    "Plain words that fill. ".repeat(count)
}

fn refs(found: &FoundPassage) -> Vec<&str> {
    found.passage.doc_item_refs.iter().map(String::as_str).collect()
}

#[tokio::test]
async fn a_section_of_many_small_items_is_shown_whole() {
    let mut builder = DocumentBuilder::new("List").heading(1, "Tools");
    for number in 0..40 {
        builder = builder.item(Label::ListItem, 1, &format!("Tool number {number} of the shed"));
    }
    let document = builder
        .item(Label::ListItem, 1, "The zebrafinch cage")
        .heading(1, "Other")
        .paragraph(&words(60))
        .build();
    let found = expanded(&document, "zebrafinch", 1, 2_000).await;
    assert_eq!(refs(&found[0]).len(), 42, "the heading and all its items");
}

#[tokio::test]
async fn items_before_the_first_heading_are_a_section_of_their_own() {
    let document = DocumentBuilder::new("Letter")
        .paragraph(&format!("The zebrafinch letter begins. {}", words(30)))
        .paragraph("Its second paragraph.")
        .heading(1, "Annex")
        .paragraph(&words(60))
        .build();
    let found = expanded(&document, "zebrafinch", 1, 1_600).await;
    assert_eq!(refs(&found[0]), ["#/texts/0", "#/texts/1"]);
}

#[tokio::test]
async fn running_headers_are_passed_over_and_footnotes_are_content() {
    let document = DocumentBuilder::new("Report")
        .heading(1, "Results")
        .paragraph("The zebrafinch sings.")
        .item(Label::PageFooter, 0, "Confidential draft")
        .item(Label::Footnote, 0, "1 Only at dawn.")
        .build();
    let text = expanded(&document, "zebrafinch", 1, 2_000).await.remove(0).passage.text;
    assert!(
        text.contains("Only at dawn") && !text.contains("Confidential"),
        "{text}"
    );
}

#[tokio::test]
async fn overlapping_contexts_become_one_passage_and_neighbouring_ones_stay_two() {
    let together = DocumentBuilder::new("Paper")
        .heading(1, "Birds")
        .paragraph(&format!("The zebrafinch sings. {}", words(12)))
        .paragraph(&format!("The zebrafinch sleeps. {}", words(12)))
        .build();
    let found = expanded(&together, "zebrafinch", 5, 3_000).await;
    assert_eq!(found.len(), 1);
    assert!(!found[0].passage.chunk_ids.is_empty());
    let apart = DocumentBuilder::new("Paper")
        .heading(1, "Birds")
        .paragraph(&format!("The zebrafinch sings. {}", words(30)))
        .heading(1, "More birds")
        .paragraph(&format!("The zebrafinch sleeps. {}", words(30)))
        .build();
    let found = expanded(&apart, "zebrafinch", 5, 900).await;
    assert_eq!(found.len(), 2, "sections that only touch are not joined");
}

#[tokio::test]
async fn a_merged_passage_is_that_of_its_best_hit_and_names_all_of_them() {
    let document = DocumentBuilder::new("Paper")
        .heading(1, "Birds")
        .paragraph(&format!("The zebrafinch sings. {}", words(60)))
        .paragraph(&format!("The zebrafinch and its zebrafinch nest. {}", words(60)))
        .build();
    let hits = found(&document, "zebrafinch nest", 5, 6_000, false).await;
    assert!(hits.len() > 1, "several chunks are found");
    let merged = expanded(&document, "zebrafinch nest", 5, 6_000).await;
    assert_eq!(merged.len(), 1);
    let passage = &merged[0].passage;
    assert_eq!(
        (&passage.chunk_id, passage.score),
        (&hits[0].passage.chunk_id, hits[0].passage.score)
    );
    for hit in &hits {
        assert!(passage.chunk_ids.contains(&hit.passage.chunk_id), "every hit is named");
    }
}

#[tokio::test]
async fn a_chunk_longer_than_the_budget_is_shown_and_nothing_around_it() {
    let document = DocumentBuilder::new("Paper")
        .heading(1, "Birds")
        .paragraph(&words(10))
        .paragraph(&format!("The zebrafinch sings. {}", words(20)))
        .paragraph(&words(10))
        .build();
    let whole = found(&document, "zebrafinch", 1, 50, false).await;
    let shown = expanded(&document, "zebrafinch", 1, 50).await;
    assert!(shown[0].passage.text.contains("zebrafinch"));
    assert!(shown[0].passage.text.len() <= whole[0].passage.text.len());
    let nothing = expanded(&document, "zebrafinch", 1, 0).await;
    assert!(
        nothing[0].passage.text.contains("zebrafinch"),
        "evidence survives a budget of nothing"
    );
}
