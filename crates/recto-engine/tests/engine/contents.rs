//! What is asked about one document: words of a page, contents, places of some words, its title and tags.

use crate::support::{COLLECTION, Desk, harbour_report};

#[tokio::test(flavor = "multi_thread")]
async fn a_page_s_words_and_the_contents_are_as_stored() {
    let desk = Desk::new().await;
    let report = desk.add(&[harbour_report()]).await;
    let id = &report.added[0].document_id;
    let page = desk.engine.page_text(COLLECTION, id, 1).await.expect("a page");
    assert!(page.words.len() > 20 && !page.recognised, "{page:?}");
    assert!(
        page.words
            .iter()
            .all(|word| word.left < word.right && word.top < word.bottom)
    );
    let missing = desk
        .engine
        .page_text(COLLECTION, id, 999)
        .await
        .expect_err("no such page");
    assert_eq!(missing.code.as_str(), "not_found");
    let contents = desk.engine.contents(COLLECTION, id).await.expect("contents");
    assert!(contents.len() >= 5, "{contents:?}");
    assert!(
        contents.windows(2).all(|pair| pair[0].page <= pair[1].page),
        "{contents:?}"
    );
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_place_of_some_words_is_found_in_reading_order() {
    let desk = Desk::new().await;
    let text = "Größe matters.\n\nThe tide gauge at the pier.\n\nNo word here.\n\nThe ﬁrst tide-\ngauge was wood.";
    let report = desk.add(&[harbour_report(), desk.file("gauges.txt", text)]).await;
    let id = |name: &str| {
        let of = |added: &&recto_engine::contract::AddedDocument| added.uri.ends_with(name);
        report.added.iter().find(of).expect("added").document_id.clone()
    };
    let paged = desk
        .engine
        .find_in_document(COLLECTION, &id("harbour-report.pdf"), "gauges")
        .await
        .expect("found");
    let pages: Vec<u32> = paged.matches.iter().map(|found| found.boxes[0].page).collect();
    assert!(pages.len() > 1 && pages.is_sorted(), "{pages:?}");
    let laid_out = desk
        .engine
        .find_in_document(COLLECTION, &id("gauges.txt"), "größe")
        .await
        .expect("found");
    let span = &laid_out.matches[0].spans[0];
    assert_eq!((span.start, span.end), (0, 5), "characters, not bytes");
    let nothing = desk
        .engine
        .find_in_document(COLLECTION, &id("gauges.txt"), "tide gouge at the peer")
        .await
        .expect("no failure");
    assert_eq!(nothing.matches, [], "what only resembles the words is not found");
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_title_and_tags_set_by_a_person_are_kept() {
    let desk = Desk::new().await;
    let path = desk.file("note.txt", "The first words.");
    let id = desk.add(std::slice::from_ref(&path)).await.added[0].document_id.clone();
    let tags = Some(vec![" tides ".to_owned(), "2026".to_owned(), "tides".to_owned()]);
    let edited = desk
        .engine
        .edit_document(None, &id, Some("My note".into()), tags)
        .await
        .expect("edited");
    assert_eq!(
        (edited.title.as_str(), edited.tags),
        ("My note", vec!["2026".to_owned(), "tides".to_owned()])
    );
    std::fs::write(&path, "Other words.").expect("written");
    desk.add(&[path]).await;
    let shown = desk.engine.show(None, &id).await.expect("shown");
    assert_eq!(
        (shown.title.as_str(), shown.tags.len()),
        ("My note", 2),
        "through a new revision"
    );
    let refused = desk.engine.edit_document(None, &id, Some("  ".into()), None).await;
    assert_eq!(refused.expect_err("a blank title").code.as_str(), "invalid_argument");
    desk.engine.shutdown().await;
}
