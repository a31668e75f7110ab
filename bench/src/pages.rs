//! Is the page with the answer among the first citations, and among the first pages retrieved?

use crate::bm25::Bm25;
use crate::data::{self, COLLECTION};
use crate::report;
use anyhow::{Context, Result};
use recto_engine::Engine;
use recto_engine::contract::{AskRequest, ScopeRequest, SearchMode, SearchQuery, Strategy};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Passages asked for so that ten different pages are surely among them.
const PASSAGES: u32 = 60;

#[derive(Debug, Deserialize)]
struct Question {
    id: String,
    question: String,
    source_docs: Vec<String>,
    derived_quality: Option<String>,
    derived_answer_pages: Vec<AnswerPage>,
}

#[derive(Debug, Deserialize)]
struct AnswerPage {
    doc: String,
    page1: u32,
}

/// A page: file name and 1-based number.
type Page = (String, u32);

#[derive(Debug, Default, Serialize)]
struct Hits {
    questions: u32,
    citations_5: u32,
    pages_5: u32,
    pages_10: u32,
    bm25_5: u32,
    bm25_10: u32,
}

#[derive(Debug, Serialize)]
struct Outcome {
    filing_given: Hits,
    all_twelve: Hits,
}

/// Runs the benchmark, in a library that is kept in `kept` or in a new one.
pub(crate) async fn run(print: bool, kept: Option<PathBuf>) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let files = data::filings()?;
    let library = kept.as_deref().unwrap_or_else(|| folder.path());
    let (engine, added) = data::library(library, files.clone()).await?;
    let mut ids = BTreeMap::new();
    for document in added.added.iter().chain(&added.unchanged) {
        ids.insert(file_name(&document.uri), document.document_id.clone());
    }
    let names: HashMap<&str, &str> = ids.iter().map(|(name, id)| (id.as_str(), name.as_str())).collect();
    let mut texts = Vec::new();
    for file in &files {
        let name = file_name(&file.to_string_lossy());
        let pages = data::pdftotext(file)?;
        texts.extend((1..).zip(pages).map(|(number, text)| ((name.clone(), number), text)));
    }
    let floor = Bm25::new(texts);

    let mut outcome = Outcome {
        filing_given: Hits::default(),
        all_twelve: Hits::default(),
    };
    let text = std::fs::read_to_string(data::folder()?.join("bf_sec10q/qa.jsonl"))?;
    for line in text.lines() {
        let question: Question = serde_json::from_str(line)?;
        if question.derived_quality.as_deref() != Some("strong") {
            continue;
        }
        // One question draws on four filings; it is asked of all twelve only.
        if let [source] = question.source_docs.as_slice() {
            let id = ids.get(source).with_context(|| format!("{source} was not added"))?;
            let scope = ScopeRequest {
                document_ids: vec![id.clone()],
                ..ScopeRequest::default()
            };
            let floor = floor.search(&question.question, 10, |(name, _)| name == source);
            measure(
                &engine,
                &question,
                scope,
                &names,
                &floor,
                &mut outcome.filing_given,
                print,
            )
            .await?;
        }
        let floor = floor.search(&question.question, 10, |_| true);
        measure(
            &engine,
            &question,
            ScopeRequest::default(),
            &names,
            &floor,
            &mut outcome.all_twelve,
            print,
        )
        .await?;
    }
    engine.shutdown().await;
    report::write("pages", &outcome)
}

async fn measure(
    engine: &Arc<Engine>,
    question: &Question,
    scope: ScopeRequest,
    names: &HashMap<&str, &str>,
    floor: &[Page],
    hits: &mut Hits,
    print: bool,
) -> Result<()> {
    let scope = ScopeRequest {
        collections: Some(vec![COLLECTION.to_owned()]),
        ..scope
    };
    let name = |id: &str| names.get(id).copied().unwrap_or_default().to_owned();
    let query = SearchQuery {
        query: question.question.clone(),
        mode: SearchMode::Hybrid,
        limit: PASSAGES,
        scope: scope.clone(),
        expand: false,
    };
    let mut retrieved: Vec<Page> = Vec::new();
    for result in engine.search(query).await?.results {
        for page in &result.pages {
            push_new(&mut retrieved, (name(&result.document_id), page.number));
        }
    }
    let request = AskRequest {
        question: question.question.clone(),
        strategy: Strategy::Quotes,
        model: None,
        scope,
        conversation_id: None,
    };
    let answer = engine.ask(request, CancellationToken::new(), &mut |_| {}).await?;
    let cited: Vec<Page> = answer
        .citations
        .iter()
        .take(5)
        .flat_map(|citation| {
            citation
                .pages
                .iter()
                .map(|page| (name(&citation.document_id), page.number))
        })
        .collect();
    let gold: Vec<Page> = question
        .derived_answer_pages
        .iter()
        .map(|page| (page.doc.clone(), page.page1))
        .collect();
    let any = |pages: &[Page], first: usize| u32::from(pages.iter().take(first).any(|page| gold.contains(page)));
    hits.questions += 1;
    hits.citations_5 += any(&cited, usize::MAX);
    hits.pages_5 += any(&retrieved, 5);
    hits.pages_10 += any(&retrieved, 10);
    hits.bm25_5 += any(floor, 5);
    hits.bm25_10 += any(floor, 10);
    if print {
        retrieved.truncate(10);
        let [cited_hit, retrieved_hit, floor_hit] = [any(&cited, usize::MAX), any(&retrieved, 10), any(floor, 10)];
        println!("{} {}", question.id, question.question);
        println!(
            "  gold      {gold:?}\n  cited   {cited_hit} {cited:?}\n  pages   {retrieved_hit} {retrieved:?}\n  BM25    {floor_hit} {floor:?}"
        );
    }
    Ok(())
}

fn push_new(pages: &mut Vec<Page>, page: Page) {
    if !pages.contains(&page) {
        pages.push(page);
    }
}

fn file_name(path: &str) -> String {
    std::path::Path::new(path)
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
