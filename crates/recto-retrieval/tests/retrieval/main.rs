//! Searching fake collections that score every chunk exactly.

#![allow(clippy::unwrap_used)]

mod context;
mod places;
mod rerank;

use async_trait::async_trait;
use proptest::prelude::*;
use recto_core::{
    ChunkSource, CollectionName, Document, DocumentCard, DocumentId, DocumentsSnapshot, Embedder, Error, ErrorCode,
    Filter, Item, Label, Locator, Passage, Result, ScoredChunk, ScoredPage, SearchMode, SearchRequest, SearchResults,
    StoredChunk, TextQuery, WordStatistics,
};
use recto_retrieval::{FoundPassage, Lexicon, OpenSource, SearchOptions, chunk_document, open, rank_pages, retrieve};
use recto_testkit::{DocumentBuilder, FakeEmbedder, MemorySource, WhitespaceCounter, document_id};
use std::collections::BTreeSet;
use std::sync::Arc;

fn add(source: &mut MemorySource, number: u32, document: &Document, embedder: Option<&FakeEmbedder>) {
    let id = document_id(number);
    let mut row = MemorySource::row(id, document);
    row.embedded = embedder.is_some();
    let counter = WhitespaceCounter::default();
    let chunks = chunk_document(document, id, &row.revision, &row.title, &counter);
    let vectors: Vec<Vec<f32>> = embedder
        .map(|embedder| {
            chunks
                .iter()
                .map(|chunk| embedder.vector(&chunk.embedded_text()))
                .collect()
        })
        .unwrap_or_default();
    source.add(row, document.items.clone(), &chunks, &vectors);
}

fn report(name: &str, topic: &str) -> Document {
    DocumentBuilder::new(name)
        .page()
        .heading(1, "Overview")
        .paragraph(&format!("{name} deals with {topic}."))
        .page()
        .heading(1, &format!("{topic} in detail"))
        .paragraph("The figure was $1,577 million in FY2018 under Item 7A of Form 10-K.")
        .paragraph("Nothing else is said here.")
        .build()
}

fn request(query: &str) -> SearchRequest {
    SearchRequest {
        query: query.into(),
        mode: SearchMode::Hybrid,
        limit: 5,
        filter: Filter::default(),
        expand: false,
    }
}

fn shared(source: MemorySource) -> Vec<Arc<dyn ChunkSource>> {
    vec![Arc::new(source)]
}

async fn search(
    sources: &[Arc<dyn ChunkSource>],
    embedder: Option<&dyn Embedder>,
    request: &SearchRequest,
) -> Result<SearchResults> {
    recto_retrieval::search(sources, embedder, request, &SearchOptions::default()).await
}

fn ids(results: &SearchResults) -> Vec<(CollectionName, String)> {
    results
        .passages
        .iter()
        .map(|passage| (passage.collection.clone(), passage.chunk_id.0.clone()))
        .collect()
}

fn library(embedder: &FakeEmbedder) -> MemorySource {
    let mut source = MemorySource::new("reports");
    add(&mut source, 1, &report("Alpha", "inventories"), Some(embedder));
    add(&mut source, 2, &report("Beta", "litigation"), Some(embedder));
    source
}

#[tokio::test]
async fn a_blank_query_finds_nothing_and_embeds_nothing() {
    let embedder = FakeEmbedder::default();
    let sources = shared(library(&embedder));
    for query in ["", "  \n"] {
        assert!(
            search(&sources, Some(&embedder), &request(query))
                .await
                .unwrap()
                .passages
                .is_empty()
        );
    }
    assert!(
        search(&[], Some(&embedder), &request("inventories"))
            .await
            .unwrap()
            .passages
            .is_empty()
    );
    assert_eq!(embedder.embedded_texts(), 0);
}

#[tokio::test]
async fn figures_and_identifiers_are_found_as_typed() {
    let embedder = FakeEmbedder::default();
    let sources = shared(library(&embedder));
    for query in ["$1,577", "1,577", "FY2018", "2018", "Item 7A", "10-K"] {
        let mut words = request(query);
        words.mode = SearchMode::Fts;
        let found = search(&sources, Some(&embedder), &words).await.unwrap();
        assert!(found.passages[0].text.contains("$1,577"), "{query}");
        assert_eq!(found.passages[0].pages, [2]);
    }
}

#[tokio::test]
async fn title_and_headings_decide_between_equal_texts() {
    let embedder = FakeEmbedder::default();
    let sources = shared(library(&embedder));
    let found = search(&sources, Some(&embedder), &request("figure of Beta in FY2018"))
        .await
        .unwrap();
    assert_eq!(found.passages[0].title, "Beta");
    let found = search(
        &sources,
        Some(&embedder),
        &request("figure about inventories in detail"),
    )
    .await
    .unwrap();
    assert_eq!(found.passages[0].title, "Alpha");
}

#[tokio::test]
async fn words_are_found_before_anything_is_embedded() {
    let embedder = FakeEmbedder::default();
    let mut source = MemorySource::new("new");
    add(&mut source, 1, &report("Alpha", "inventories"), None);
    let sources = shared(source);
    assert!(
        !search(&sources, Some(&embedder), &request("inventories"))
            .await
            .unwrap()
            .passages
            .is_empty()
    );
    assert_eq!(embedder.embedded_texts(), 0);
    assert!(
        !search(&sources, None, &request("inventories"))
            .await
            .unwrap()
            .passages
            .is_empty()
    );
    let mut vectors = request("inventories");
    vectors.mode = SearchMode::Vector;
    assert_eq!(
        search(&sources, None, &vectors).await.unwrap_err().code,
        ErrorCode::AssetMissing
    );
}

#[tokio::test]
async fn filters_select_before_the_limit_cuts() {
    let embedder = FakeEmbedder::default();
    let mut source = MemorySource::new("reports");
    for number in 1..40 {
        add(
            &mut source,
            number,
            &report(&format!("Report {number}"), "inventories"),
            Some(&embedder),
        );
    }
    source.edit(document_id(39), |row| row.tags = vec!["kept".into()]);
    let mut tagged = request("inventories");
    tagged.filter.tags = vec!["kept".into()];
    let found = search(&shared(source), Some(&embedder), &tagged).await.unwrap();
    assert_eq!(found.passages.len(), 2, "both chunks of the one document");
    assert!(
        found
            .passages
            .iter()
            .all(|passage| passage.document_id == document_id(39))
    );
}

#[tokio::test]
async fn superseded_revisions_and_broken_collections_are_not_passed_over_silently() {
    let embedder = FakeEmbedder::default();
    let mut source = library(&embedder);
    source.edit(document_id(1), |row| row.revision = "newer".into());
    let found = search(&shared(source), Some(&embedder), &request("inventories detail"))
        .await
        .unwrap();
    assert!(
        found
            .passages
            .iter()
            .all(|passage| passage.document_id == document_id(2))
    );
    let mut broken = library(&embedder);
    broken.fail_with("The collection reports cannot be read.");
    let error = search(&shared(broken), Some(&embedder), &request("inventories"))
        .await
        .unwrap_err();
    assert_eq!(error.code, ErrorCode::CollectionUnavailable);
}

#[tokio::test]
async fn collections_merge_by_score_and_equal_chunks_stay_two_results() {
    let embedder = FakeEmbedder::default();
    let mut one = MemorySource::new("one");
    let mut two = MemorySource::new("two");
    add(&mut one, 1, &report("Alpha", "inventories"), Some(&embedder));
    add(&mut two, 1, &report("Alpha", "inventories"), Some(&embedder));
    let sources: Vec<Arc<dyn ChunkSource>> = vec![Arc::new(two), Arc::new(one)];
    let mut words = request("inventories detail");
    words.mode = SearchMode::Fts;
    let found = ids(&search(&sources, Some(&embedder), &words).await.unwrap());
    assert_eq!(found.len(), 4);
    assert_eq!(found[0].1, found[1].1, "the same chunk in both");
    assert_eq!(
        (found[0].0.0.as_str(), found[1].0.0.as_str()),
        ("one", "two"),
        "ties by name, not by order"
    );
}

/// A collection that answers with the same hit several times.
struct Repeating(MemorySource);

#[async_trait]
impl ChunkSource for Repeating {
    fn name(&self) -> &CollectionName {
        self.0.name()
    }

    async fn snapshot(&self) -> Result<DocumentsSnapshot> {
        self.0.snapshot().await
    }

    async fn nearest(
        &self,
        _: &DocumentsSnapshot,
        _: &[f32],
        _: Option<&[DocumentId]>,
        _: usize,
    ) -> Result<Vec<ScoredChunk>> {
        Err(Error::internal("no vectors are asked for"))
    }

    async fn matching(
        &self,
        snapshot: &DocumentsSnapshot,
        query: &TextQuery,
        documents: Option<&[DocumentId]>,
        limit: usize,
    ) -> Result<Vec<ScoredChunk>> {
        let found = self.0.matching(snapshot, query, documents, limit).await?;
        Ok(found.iter().chain(&found).cloned().collect())
    }

    async fn matching_pages(
        &self,
        snapshot: &DocumentsSnapshot,
        query: &TextQuery,
        documents: Option<&[DocumentId]>,
        limit: usize,
    ) -> Result<Vec<ScoredPage>> {
        self.0.matching_pages(snapshot, query, documents, limit).await
    }

    async fn word_statistics(&self, snapshot: &DocumentsSnapshot, query: &TextQuery) -> Result<WordStatistics> {
        self.0.word_statistics(snapshot, query).await
    }

    async fn chunks_on(
        &self,
        snapshot: &DocumentsSnapshot,
        document: DocumentId,
        pages: &[u32],
    ) -> Result<Vec<Arc<StoredChunk>>> {
        self.0.chunks_on(snapshot, document, pages).await
    }

    async fn items(
        &self,
        snapshot: &DocumentsSnapshot,
        document: DocumentId,
        ranges: &[(u32, u32)],
    ) -> Result<Vec<Item>> {
        self.0.items(snapshot, document, ranges).await
    }
}

#[tokio::test]
async fn a_chunk_is_returned_once() {
    let sources: Vec<Arc<dyn ChunkSource>> = vec![Arc::new(Repeating(library(&FakeEmbedder::default())))];
    let found = ids(&search(&sources, None, &request("inventories figure")).await.unwrap());
    let distinct: BTreeSet<_> = found.iter().collect();
    assert!(!found.is_empty() && distinct.len() == found.len());
}

#[tokio::test]
async fn a_page_that_holds_all_words_in_different_chunks_rises_over_pages_that_hold_some() {
    let filler = "Plain words of some length that say nothing about it at all. ".repeat(30);
    let page = |builder: DocumentBuilder, first: &str, second: &str| {
        builder
            .page()
            .paragraph(&format!("{first} {filler}"))
            .paragraph(&format!("{filler} {second}"))
    };
    let mut builder = DocumentBuilder::new("Paper");
    for _ in 0..4 {
        builder = page(builder, "The unicorn sleeps.", "Nothing wakes.");
        builder = page(builder, "Nothing sleeps.", "The dragon wakes.");
    }
    let document = page(builder, "The unicorn sleeps.", "The dragon wakes.").build();
    let mut source = MemorySource::new("one");
    add(&mut source, 1, &document, None);
    let sources = shared(source);
    let mut query = request("unicorn or dragon?");
    query.limit = 40;
    let place = |found: SearchResults| found.passages.iter().position(|passage| passage.pages == [9]).unwrap();
    let fused = place(search(&sources, None, &query).await.unwrap());
    query.mode = SearchMode::Fts;
    let by_chunk = place(search(&sources, None, &query).await.unwrap());
    assert!(fused < by_chunk, "{fused} {by_chunk}");
}

#[tokio::test]
async fn the_name_of_the_only_document_does_not_find_its_cover() {
    let filler = "Plain words of some length that say nothing about it at all. ".repeat(10);
    let document = DocumentBuilder::new("Acme")
        .page()
        .paragraph("This is Acme and nothing but Acme.")
        .page()
        .heading(1, "A long heading over much text about everything else")
        .paragraph(&format!("{filler} Net income was high. {filler}"))
        .build();
    let mut source = MemorySource::new("one");
    add(&mut source, 1, &document, None);
    let found = search(&shared(source), None, &request("net income of Acme"))
        .await
        .unwrap();
    assert_eq!(found.passages[0].pages, [2]);
}

#[tokio::test]
async fn a_page_counts_as_its_best_passage() {
    let embedder = FakeEmbedder::default();
    let mut wide = request("what was the figure in FY2018 about litigation?");
    wide.limit = 20;
    let found = search(&shared(library(&embedder)), Some(&embedder), &wide)
        .await
        .unwrap();
    let pages = rank_pages(&found.passages);
    assert_eq!((pages[0].document, pages[0].page), (document_id(2), 2));
    let distinct: BTreeSet<_> = pages.iter().map(|page| (page.document, page.page)).collect();
    assert_eq!(distinct.len(), pages.len());
    assert!(pages.windows(2).all(|pair| pair[0].score >= pair[1].score));
}

/// Statements of two firms that say the same in the same words but for the figures.
fn statements(source: &mut MemorySource, embedder: &FakeEmbedder) {
    let files = [
        ("Acme Inc.", "Q1 2023"),
        ("Acme Inc.", "Q2 2023"),
        ("Globex Inc.", "Q1 2023"),
        ("Globex Inc.", "Q2 2023"),
    ];
    for (number, (name, period)) in (1..).zip(files) {
        let document = DocumentBuilder::new(name)
            .page()
            .paragraph("Cover of a quarterly report on what happened in the period.")
            .page()
            .heading(1, "Discussion")
            .paragraph("Net sales rose because customers bought more. Net sales are discussed here at length.")
            .build();
        let id = document_id(number);
        let mut row = MemorySource::row(id, &document);
        row.uri = format!("/filings/{period} {}.pdf", &name[..4]);
        row.card = Arc::new(recto_retrieval::describe(
            &document,
            &row.title,
            &row.uri,
            &Lexicon::standard(),
        ));
        let chunks = chunk_document(&document, id, &row.revision, &row.title, &WhitespaceCounter::default());
        let vectors: Vec<Vec<f32>> = chunks
            .iter()
            .map(|chunk| embedder.vector(&chunk.embedded_text()))
            .collect();
        source.add(row, document.items.clone(), &chunks, &vectors);
    }
}

#[tokio::test]
async fn name_and_period_of_a_question_bring_its_document_first_and_say_so() {
    let embedder = FakeEmbedder::default();
    let mut source = MemorySource::new("filings");
    statements(&mut source, &embedder);
    let sources = shared(source);
    for (question, number) in [
        ("Why did net sales of Globex rise in Q2 2023?", 4),
        ("net sales of Acme in the first quarter of 2023", 1),
        ("net sales in Acme's latest report", 2),
    ] {
        let found = search(&sources, Some(&embedder), &request(question)).await.unwrap();
        assert_eq!(found.passages[0].document_id, document_id(number), "{question}");
        assert_eq!(found.chosen[0].document_id, document_id(number));
        assert!(!found.chosen[0].reasons.is_empty());
        let others = found
            .passages
            .iter()
            .any(|passage| passage.document_id != document_id(number));
        assert!(others, "other documents stand behind, not out");
    }
    let found = search(&sources, Some(&embedder), &request("net sales")).await.unwrap();
    assert!(found.chosen.is_empty());
}

#[tokio::test]
async fn a_question_over_several_documents_gets_a_passage_of_each_first() {
    let embedder = FakeEmbedder::default();
    let mut source = MemorySource::new("filings");
    statements(&mut source, &embedder);
    let found = search(
        &shared(source),
        Some(&embedder),
        &request("How did net sales of Acme change over time?"),
    )
    .await
    .unwrap();
    let first: BTreeSet<DocumentId> = found
        .passages
        .iter()
        .take(2)
        .map(|passage| passage.document_id)
        .collect();
    assert_eq!(first, BTreeSet::from([document_id(1), document_id(2)]));
}

#[tokio::test]
async fn a_question_is_answered_on_a_page_of_the_kind_it_implies_though_no_word_of_it_is_there() {
    let filler = "Dividends are talked about here without a figure. ".repeat(8);
    let mut builder = DocumentBuilder::new("Report");
    for _ in 0..6 {
        builder = builder.page().heading(1, "Plans").paragraph(&filler);
    }
    let document = builder
        .page()
        .heading(1, "STATEMENTS OF CHANGES IN EQUITY")
        .paragraph("Balance at the beginning 9,999 8,888")
        .paragraph("Net income 1,111 1,000")
        .paragraph("Issued under plans 1,577 1,373")
        .paragraph("Repurchased 12 14")
        .build();
    let id = document_id(1);
    let mut row = MemorySource::row(id, &document);
    row.embedded = false;
    let chunks = chunk_document(&document, id, &row.revision, &row.title, &WhitespaceCounter::default());
    let mut question = request("What were the dividends?");
    question.limit = 20;
    let mut places = Vec::new();
    for card in [
        DocumentCard::default(),
        recto_retrieval::describe(&document, &row.title, &row.uri, &Lexicon::standard()),
    ] {
        row.card = Arc::new(card);
        let mut source = MemorySource::new("one");
        source.add(row.clone(), document.items.clone(), &chunks, &[]);
        let found = search(&shared(source), None, &question).await.unwrap();
        places.push(found.passages.iter().position(|passage| passage.pages == [7]));
    }
    assert_eq!(places[0], None, "no word of the question is on it");
    assert!(places[1].is_some());
}

#[tokio::test]
async fn a_heading_typed_as_it_stands_leads_to_its_section() {
    let talk = "The plan to retire old claims systems is a plan of systems and claims and of old claims. ".repeat(3);
    let mut builder = DocumentBuilder::new("Report");
    for page in 0..5 {
        builder = builder
            .page()
            .heading(
                1,
                &format!("Claims {page}: old systems retire, old claims systems retire"),
            )
            .paragraph(&talk);
    }
    let document = builder
        .page()
        .heading(1, "Retire old claims systems")
        .paragraph("This was done by autumn without further ado.")
        .build();
    let mut source = MemorySource::new("one");
    add(&mut source, 1, &document, None);
    let found = search(&shared(source), None, &request("Retire old claims systems"))
        .await
        .unwrap();
    assert_eq!(found.passages[0].pages, [6]);
}

/// A statement of 200 lines under two periods, its units in the line above.
fn statement() -> Document {
    let mut rows: Vec<Vec<String>> = vec![["", "Nine months 2022", "Nine months 2021"].map(String::from).into()];
    for row in 1..=200 {
        let name = if row == 150 {
            "Unicorn expense".to_owned()
        } else {
            format!("Line {row}")
        };
        rows.push(vec![name, format!("{row},577"), format!("{row},234")]);
    }
    DocumentBuilder::new("Report")
        .heading(1, "Cash flows")
        .paragraph("(In millions)")
        .table(&rows)
        .build()
}

#[tokio::test]
async fn rows_cut_off_from_their_head_are_read_under_it_and_quoted_without_it() {
    let document = statement();
    let found = expanded(&document, "unicorn expense", 1, 1_000).await;
    let (shown, read) = (&found[0].passage, found[0].as_read());
    assert!(shown.text.contains("| Unicorn expense | 150,577 | 150,234 |"));
    assert!(!shown.text.contains("Nine months"), "the head is far above");
    assert_eq!(
        read.text,
        format!(
            "(In millions)\n| {} |\n| --- | --- | --- |\n{}",
            ["", "Nine months 2022", "Nine months 2021"].join(" | "),
            shown.text
        )
    );
    assert_eq!(
        Passage {
            text: shown.text.clone(),
            ..read
        },
        *shown,
        "all else is the same"
    );
}

#[tokio::test]
async fn a_table_read_from_its_head_on_is_read_as_it_stands() {
    let document = statement();
    let found = expanded(&document, "in millions", 1, 50_000).await;
    let (shown, read) = (&found[0].passage, found[0].as_read());
    assert!(shown.text.contains("Nine months 2022") && shown.text.contains("(In millions)"));
    assert_eq!(read.text, shown.text);
}

/// Tables that are all alike but for their number, which stands in the caption above each.
fn numbered_tables() -> Document {
    let mut builder = DocumentBuilder::new("Report").page().heading(1, "Measures");
    for number in ["9.03", "9.03A", "9.03B", "MMC-1A"] {
        builder = builder
            .page()
            .paragraph(&format!("TABLE {number}"))
            .paragraph("Table of measures. Performance table: percent of plans in the tables, by table.");
    }
    let mut document = builder.build();
    for at in 0..document.items.len() {
        if document.items[at].text.starts_with("TABLE ") {
            document.items[at].label = Label::Caption;
            document.items[at].parent = Some(document.items[at + 1].self_ref.clone());
        }
    }
    document
}

#[tokio::test]
async fn a_table_is_found_by_its_number_and_not_by_one_that_begins_the_same() {
    let document = numbered_tables();
    for (query, page) in [
        ("TABLE 9.03", 2),
        ("Table 9.03A", 3),
        ("TABLE 9.03B", 4),
        ("What does table 9.03B say about plans?", 4),
        ("table MMC-1A", 5),
    ] {
        let found = found(&document, query, 5, 5_000, false).await;
        assert_eq!(found[0].passage.pages, [page], "{query}");
    }
}

#[tokio::test]
async fn of_headings_alike_the_one_typed_in_the_same_capitals_comes_first() {
    let document = DocumentBuilder::new("Report")
        .page()
        .heading(1, "Enhance the workforce")
        .paragraph("In short: much was done.")
        .page()
        .heading(1, "ENHANCE THE WORKFORCE")
        .paragraph("At length: the workforce was enhanced, and to enhance the workforce more was done.")
        .build();
    for (query, page) in [("Enhance the workforce", 1), ("ENHANCE THE WORKFORCE", 2)] {
        let found = found(&document, query, 5, 5_000, false).await;
        assert_eq!(found[0].passage.pages, [page], "{query}");
    }
}

#[tokio::test]
async fn a_passage_without_pages_is_placed_as_its_items_say() {
    let mut document = DocumentBuilder::new("Deck").paragraph("The unicorn sleeps.").build();
    document.items[0].locator = Some(Locator::Slide { number: 3 });
    let mut source = MemorySource::new("one");
    add(&mut source, 1, &document, None);
    let sources = shared(source);
    let mut query = request("unicorn");
    for expand in [false, true] {
        query.expand = expand;
        let found = search(&sources, None, &query).await.unwrap();
        assert_eq!(
            found.passages[0].locator,
            Locator::Slide { number: 3 },
            "expanded: {expand}"
        );
    }
}

async fn expanded(document: &Document, query: &str, limit: usize, chars: usize) -> Vec<FoundPassage> {
    found(document, query, limit, chars, true).await
}

async fn found(document: &Document, query: &str, limit: usize, chars: usize, expand: bool) -> Vec<FoundPassage> {
    let mut source = MemorySource::new("one");
    add(&mut source, 1, document, Some(&FakeEmbedder::default()));
    let opened: Vec<OpenSource> = open(&shared(source)).await.unwrap();
    let mut wanted = request(query);
    wanted.expand = expand;
    wanted.limit = limit;
    let options = SearchOptions {
        expand_chars: chars,
        ..SearchOptions::default()
    };
    retrieve(&opened, Some(&FakeEmbedder::default()), &wanted, &options)
        .await
        .unwrap()
        .passages
}

#[tokio::test]
async fn a_hit_becomes_its_section() {
    let filler = "Plain words that fill the section with some length. ".repeat(8);
    let document = DocumentBuilder::new("Paper")
        .heading(1, "First")
        .paragraph(&filler)
        .paragraph("The unicorn sleeps.")
        .paragraph(&filler)
        .heading(1, "Second")
        .paragraph(&filler)
        .build();
    let found = expanded(&document, "unicorn", 1, 2_000).await;
    assert_eq!(
        found[0].passage.doc_item_refs,
        ["#/texts/0", "#/texts/1", "#/texts/2", "#/texts/3"]
    );
    assert!(found[0].passage.text.starts_with("First\n\n"));
}

#[tokio::test]
async fn a_large_section_is_taken_around_the_hit_and_a_tiny_one_grows_across_its_borders() {
    let filler = "Plain words that fill the section with some length. ".repeat(20);
    let document = DocumentBuilder::new("Paper")
        .heading(1, "First")
        .paragraph(&filler)
        .paragraph("The unicorn sleeps.")
        .paragraph(&filler)
        .heading(1, "Tiny")
        .paragraph("The dragon wakes.")
        .heading(1, "Last")
        .paragraph("The end of it.")
        .build();
    let large = &expanded(&document, "unicorn", 1, 1_200).await[0].passage;
    assert!(
        large.text.contains("unicorn") && large.text.chars().count() <= 1_300,
        "{}",
        large.text.len()
    );
    assert!(!large.text.contains("Tiny"));
    let tiny = &expanded(&document, "dragon", 1, 1_200).await[0].passage;
    assert!(tiny.text.contains("dragon") && tiny.text.contains("The end of it."));
}

fn any_document() -> impl Strategy<Value = Document> {
    let paragraph = "([a-d]{1,3}(\\.)? ){1,120}[A-Z][a-z]{2}\\.";
    let part = prop_oneof![
        3 => paragraph.prop_map(|text| (Label::Text, 0, text)),
        1 => "[A-D][a-z]{2,8}".prop_map(|text| (Label::SectionHeader, 1, text)),
        1 => "[a-d ]{2,40}x".prop_map(|text| (Label::ListItem, 1, text)),
        1 => "footer [a-z]{3}".prop_map(|text| (Label::PageFooter, 0, text)),
    ];
    (prop::collection::vec(part, 1..25), any::<bool>()).prop_map(|(parts, paged)| {
        let mut builder = DocumentBuilder::new("Any");
        for (at, (label, level, text)) in parts.into_iter().enumerate() {
            if paged && at % 7 == 0 {
                builder = builder.page();
            }
            builder = builder.item(label, level, &text);
        }
        builder.build()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn a_passage_is_exactly_what_its_spans_say(document in any_document(), query in "[a-d]{1,3} [a-d]{2}", chars in 200_usize..4_000) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let found = runtime.block_on(expanded(&document, &query, 6, chars));
        let mut shown: Vec<Vec<u8>> = document.items.iter().map(|item| vec![0; item.text.len()]).collect();
        for passage in found.iter().map(|found| &found.passage) {
            let mut texts = Vec::new();
            let mut pages = BTreeSet::new();
            let mut boxes = Vec::new();
            for (span, self_ref) in passage.spans.iter().zip(&passage.doc_item_refs) {
                prop_assert_eq!(&span.self_ref, self_ref);
                let at = document.items.iter().position(|item| item.self_ref == span.self_ref).unwrap();
                let item = &document.items[at];
                prop_assert!(!item.label.is_furniture());
                let (start, end) = (span.start as usize, span.end as usize);
                texts.push(&item.text[start..end]);
                shown[at][start..end].iter_mut().for_each(|count| *count += 1);
                for region in item.provenance.iter().filter(|region| region.start < span.end && span.start < region.end) {
                    pages.insert(region.at.page);
                    boxes.push(region.at);
                }
            }
            prop_assert_eq!(texts.join("\n\n"), passage.text.clone());
            prop_assert_eq!(pages.into_iter().collect::<Vec<_>>(), passage.pages.clone());
            prop_assert_eq!(&boxes, &passage.boxes);
            prop_assert_eq!(passage.spans.len(), passage.labels.len());
            prop_assert_eq!(passage.pages.len(), passage.page_labels.len());
            prop_assert!(!passage.text.is_empty() && passage.chunk_ids.contains(&passage.chunk_id));
        }
        prop_assert!(shown.iter().flatten().all(|count| *count <= 1), "no text is shown twice");
        let hits = runtime.block_on(crate::found(&document, &query, 6, chars, false));
        for hit in hits.iter().map(|hit| &hit.passage) {
            prop_assert!(found.iter().any(|found| found.passage.chunk_ids.contains(&hit.chunk_id)), "a hit was lost");
            for span in &hit.spans {
                let at = document.items.iter().position(|item| item.self_ref == span.self_ref).unwrap();
                let is_shown = shown[at][span.start as usize..span.end as usize].iter().all(|count| *count == 1);
                prop_assert!(is_shown || document.items[at].label.is_furniture(), "evidence was lost");
            }
        }
        // The blank lines that items are joined with do not count.
        let length = |found: &FoundPassage| found.passage.spans.iter().map(|span| (span.end - span.start) as usize).sum();
        let longest: usize = hits.iter().map(length).max().unwrap_or(0);
        for passage in &found {
            let length: usize = length(passage);
            prop_assert!(length <= chars.max(longest), "a passage is over its budget: {} of {}", length, chars);
        }
        let chunks: Vec<_> = found.iter().flat_map(|found| &found.passage.chunk_ids).collect();
        prop_assert_eq!(chunks.iter().collect::<BTreeSet<_>>().len(), chunks.len());
    }
}

/// Documents of a few words each, many of them shared; some words are frequent in the first documents only.
fn small_documents() -> impl Strategy<Value = Vec<Document>> {
    let word = prop::sample::select(vec![
        "sales", "tax", "lease", "revenue", "margin", "cash", "debt", "the", "of", "year", "quarter", "growth",
    ]);
    let paragraph = prop::collection::vec(word, 3..25).prop_map(|words| words.join(" "));
    let document = prop::collection::vec((paragraph, any::<bool>()), 1..5);
    prop::collection::vec(document, 2..9).prop_map(|documents| {
        (1..)
            .zip(documents)
            .map(|(number, paragraphs)| {
                let mut builder = DocumentBuilder::new(&format!("Report {number}"));
                for (text, on_new_page) in paragraphs {
                    if on_new_page {
                        builder = builder.page().heading(1, "Sales and lease");
                    }
                    builder = builder.paragraph(&text);
                }
                builder.build()
            })
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn dividing_a_library_into_collections_changes_no_ranking(
        documents in small_documents(),
        places in prop::collection::vec(0_usize..4, 9),
        query in prop::sample::select(vec!["sales tax", "lease revenue of the year", "cash growth margin debt"]),
        mode in prop::sample::select(vec![SearchMode::Hybrid, SearchMode::Fts, SearchMode::Vector]),
    ) {
        let embedder = FakeEmbedder::default();
        let mut whole = MemorySource::new("whole");
        let mut parts: Vec<MemorySource> = ["a", "b", "c", "d"].map(MemorySource::new).into();
        for ((number, document), place) in (1..).zip(&documents).zip(&places) {
            add(&mut whole, number, document, Some(&embedder));
            add(&mut parts[*place], number, document, Some(&embedder));
        }
        let parts: Vec<Arc<dyn ChunkSource>> = parts.into_iter().map(|part| Arc::new(part) as _).collect();
        let mut request = request(query);
        request.mode = mode;
        request.limit = 20;
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (one, many) = runtime.block_on(async {
            (
                search(&shared(whole), Some(&embedder), &request).await.unwrap(),
                search(&parts, Some(&embedder), &request).await.unwrap(),
            )
        });
        let ranking = |found: &SearchResults| -> Vec<String> {
            found.passages.iter().map(|passage| passage.chunk_id.0.clone()).collect()
        };
        prop_assert_eq!(ranking(&one), ranking(&many));
        for (a, b) in one.passages.iter().zip(&many.passages) {
            prop_assert!((a.score - b.score).abs() <= 1e-5 * a.score.abs().max(1.0));
        }
    }
}
