//! Is the page with the answer among the first pages retrieved, and among the first citations?

use crate::bm25::Bm25;
use crate::data::{self, COLLECTION};
use crate::report;
use anyhow::{Context, Result};
use recto_engine::Engine;
use recto_engine::contract::{AskLimits, AskRequest, ScopeRequest, SearchMode, SearchQuery, Strategy};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Passages asked for so that ten different pages are surely among them.
const PASSAGES: u32 = 60;
/// As much is fetched of each list of the plain fusion as Recto fetches.
const LIST: u32 = 240;
/// The constant of reciprocal rank fusion.
const FUSION_K: f64 = 60.0;

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

#[derive(Debug, Deserialize)]
struct Outline {
    outline: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
struct Entry {
    title: String,
    page1: Option<u32>,
}

/// A page: file name and 1-based number.
type Page = (String, u32);

/// Questions with a gold page among the first 1, 5 and 10.
#[derive(Debug, Default, Serialize)]
struct Any {
    at_1: u32,
    at_5: u32,
    at_10: u32,
}

impl Any {
    fn count(&mut self, found: &[Page], gold: &[Page]) {
        let hit = |first: usize| u32::from(found.iter().take(first).any(|page| gold.contains(page)));
        self.at_1 += hit(1);
        self.at_5 += hit(5);
        self.at_10 += hit(10);
    }
}

#[derive(Debug, Default, Serialize)]
struct Hits {
    questions: u32,
    recto: Any,
    plain_fusion: Any,
    bm25: Any,
    /// Among the pages of the first 5 citations of `quotes`.
    citations_5: u32,
}

/// How well the right documents are found among all.
#[derive(Debug, Default, Serialize)]
struct Documents {
    /// Questions with one source.
    single: u32,
    /// Of these, the first page is of that source.
    first_right: u32,
    first_right_plain_fusion: u32,
    first_right_bm25: u32,
    /// Questions with several sources.
    multiple: u32,
    /// Share of their sources among the documents of the first ten pages, on average.
    recall_10: f64,
    recall_10_plain_fusion: f64,
    recall_10_bm25: f64,
}

#[derive(Debug, Serialize)]
struct Outcome {
    filing_given: Hits,
    all_twelve: Hits,
    right_filing: Documents,
    /// Headings of annual reports, the report given: those of the authors' outlines that are printed on their page.
    headings: Hits,
    /// The same, where every page counts on which the heading is a line of its own: some tables are printed twice under
    /// one name, of which the outline has one.
    headings_wherever_printed: Hits,
}

/// The pages found in three ways.
struct Found {
    recto: Vec<Page>,
    plain: Vec<Page>,
    bm25: Vec<Page>,
}

/// Documents of one library, and the floor over their pages.
struct Corpus {
    engine: Arc<Engine>,
    ids: BTreeMap<String, String>,
    names: HashMap<String, String>,
    floor: Bm25<Page>,
    texts: BTreeMap<Page, String>,
}

/// Runs the benchmark, in libraries that are kept in `kept` or in new ones.
pub(crate) async fn run(print: bool, kept: Option<PathBuf>) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let root = kept.as_deref().unwrap_or_else(|| folder.path());
    let filings = Corpus::open(root, data::filings()?).await?;
    let mut outcome = Outcome {
        filing_given: Hits::default(),
        all_twelve: Hits::default(),
        right_filing: Documents::default(),
        headings: Hits::default(),
        headings_wherever_printed: Hits::default(),
    };
    let text = std::fs::read_to_string(data::folder()?.join("bf_sec10q/qa.jsonl"))?;
    for line in text.lines() {
        let question: Question = serde_json::from_str(line)?;
        ask_filings(&filings, &question, &mut outcome, print).await?;
    }
    let documents = &mut outcome.right_filing;
    let count = f64::from(documents.multiple.max(1));
    documents.recall_10 /= count;
    documents.recall_10_plain_fusion /= count;
    documents.recall_10_bm25 /= count;
    filings.engine.shutdown().await;

    let outlined = data::outlined()?;
    let files = outlined.iter().map(|(file, _)| file.clone()).collect();
    let reports = Corpus::open(&root.join("reports"), files).await?;
    for (file, gold) in &outlined {
        ask_headings(&reports, &file_name(&file.to_string_lossy()), gold, &mut outcome, print).await?;
    }
    reports.engine.shutdown().await;
    report::write("pages", &outcome)
}

async fn ask_filings(filings: &Corpus, question: &Question, outcome: &mut Outcome, print: bool) -> Result<()> {
    let gold: Vec<Page> = question
        .derived_answer_pages
        .iter()
        .map(|page| (page.doc.clone(), page.page1))
        .collect();
    let is_strong = question.derived_quality.as_deref() == Some("strong");
    // Where several filings are drawn on there is no one filing to give.
    if let ([source], true) = (question.source_docs.as_slice(), is_strong) {
        let scope = filings.scope(source)?;
        let found = filings
            .find(&question.question, &scope, |(name, _)| name == source)
            .await?;
        let cited = filings.cited(&question.question, scope).await?;
        count(&mut outcome.filing_given, &found, Some(&cited), &gold);
        if print {
            show(&format!("{} given", question.id), &question.question, &found, &gold);
        }
    }
    let everywhere = ScopeRequest {
        collections: Some(vec![COLLECTION.to_owned()]),
        ..ScopeRequest::default()
    };
    let found = filings.find(&question.question, &everywhere, |_| true).await?;
    outcome.right_filing.count(&found, &question.source_docs);
    if is_strong {
        let cited = filings.cited(&question.question, everywhere).await?;
        count(&mut outcome.all_twelve, &found, Some(&cited), &gold);
    }
    if print {
        show(&format!("{} all", question.id), &question.question, &found, &gold);
    }
    Ok(())
}

impl Documents {
    fn count(&mut self, found: &Found, sources: &[String]) {
        if let [source] = sources {
            let right = |pages: &[Page]| u32::from(pages.first().is_some_and(|(name, _)| name == source));
            self.single += 1;
            self.first_right += right(&found.recto);
            self.first_right_plain_fusion += right(&found.plain);
            self.first_right_bm25 += right(&found.bm25);
        } else {
            let recall = |pages: &[Page]| {
                let named: BTreeSet<&String> = pages.iter().take(10).map(|(name, _)| name).collect();
                sources.iter().filter(|source| named.contains(source)).count() as f64 / sources.len() as f64
            };
            self.multiple += 1;
            self.recall_10 += recall(&found.recto);
            self.recall_10_plain_fusion += recall(&found.plain);
            self.recall_10_bm25 += recall(&found.bm25);
        }
    }
}

/// Searches for each heading of a report in that report. A heading that occurs more than once may be found anywhere.
async fn ask_headings(reports: &Corpus, name: &str, gold: &Path, outcome: &mut Outcome, print: bool) -> Result<()> {
    let outline: Outline = serde_json::from_str(&std::fs::read_to_string(gold)?)?;
    let mut places: BTreeMap<String, Vec<Page>> = BTreeMap::new();
    for entry in outline.outline {
        let Some(page) = entry.page1 else { continue };
        let page = (name.to_owned(), page);
        // One report's outline names the files it was put together from.
        let printed = reports
            .texts
            .get(&page)
            .is_some_and(|text| letters(text).contains(&letters(&entry.title)));
        if printed {
            places.entry(entry.title.trim().to_owned()).or_default().push(page);
        }
    }
    let scope = reports.scope(name)?;
    for (title, gold) in places {
        let found = reports.find(&title, &scope, |(of, _)| of == name).await?;
        count(&mut outcome.headings, &found, None, &gold);
        let printed = reports
            .texts
            .iter()
            .filter(|((of, _), text)| of == name && text.lines().any(|line| letters(line) == letters(&title)));
        let wherever: Vec<Page> = printed.map(|(page, _)| page.clone()).chain(gold.clone()).collect();
        count(&mut outcome.headings_wherever_printed, &found, None, &wherever);
        if print {
            show(name, &title, &found, &gold);
        }
    }
    Ok(())
}

fn count(hits: &mut Hits, found: &Found, cited: Option<&[Page]>, gold: &[Page]) {
    hits.questions += 1;
    hits.recto.count(&found.recto, gold);
    hits.plain_fusion.count(&found.plain, gold);
    hits.bm25.count(&found.bm25, gold);
    let is_cited = cited.is_some_and(|cited| cited.iter().any(|page| gold.contains(page)));
    hits.citations_5 += u32::from(is_cited);
}

fn show(id: &str, question: &str, found: &Found, gold: &[Page]) {
    println!("{id} {question}\n  gold   {gold:?}");
    for (name, pages) in [("recto", &found.recto), ("plain", &found.plain), ("BM25", &found.bm25)] {
        let first: Vec<_> = pages.iter().take(10).collect();
        println!(
            "  {name:6} {} {first:?}",
            u32::from(first.iter().any(|page| gold.contains(page)))
        );
    }
}

impl Corpus {
    async fn open(folder: &Path, files: Vec<PathBuf>) -> Result<Self> {
        let (engine, added) = data::library(folder, files.clone()).await?;
        let mut ids = BTreeMap::new();
        for document in added.added.iter().chain(&added.unchanged) {
            ids.insert(file_name(&document.uri), document.document_id.clone());
        }
        let mut texts = BTreeMap::new();
        for file in &files {
            let name = file_name(&file.to_string_lossy());
            let pages = data::pdftotext(file)?;
            texts.extend((1..).zip(pages).map(|(number, text)| ((name.clone(), number), text)));
        }
        Ok(Self {
            engine,
            names: ids.iter().map(|(name, id)| (id.clone(), name.clone())).collect(),
            ids,
            floor: Bm25::new(texts.clone()),
            texts,
        })
    }

    fn scope(&self, name: &str) -> Result<ScopeRequest> {
        let id = self.ids.get(name).with_context(|| format!("{name} was not added"))?;
        Ok(ScopeRequest {
            collections: Some(vec![COLLECTION.to_owned()]),
            document_ids: vec![id.clone()],
            ..ScopeRequest::default()
        })
    }

    fn name(&self, id: &str) -> String {
        self.names.get(id).cloned().unwrap_or_default()
    }

    async fn find(&self, question: &str, scope: &ScopeRequest, keep: impl Fn(&Page) -> bool) -> Result<Found> {
        let recto = self.search(question, SearchMode::Hybrid, PASSAGES, scope).await?;
        let words = self.search(question, SearchMode::Fts, LIST, scope).await?;
        let vectors = self.search(question, SearchMode::Vector, LIST, scope).await?;
        let mut fused: BTreeMap<String, (f64, Vec<Page>)> = BTreeMap::new();
        for list in [words, vectors] {
            for (rank, (chunk, pages)) in (1_u32..).zip(list) {
                let entry = fused.entry(chunk).or_insert((0.0, pages));
                entry.0 += 1.0 / (FUSION_K + f64::from(rank));
            }
        }
        let mut fused: Vec<(String, (f64, Vec<Page>))> = fused.into_iter().collect();
        fused.sort_by(|a, b| b.1.0.total_cmp(&a.1.0).then_with(|| a.0.cmp(&b.0)));
        Ok(Found {
            recto: distinct(recto.into_iter().map(|(_, pages)| pages)),
            plain: distinct(fused.into_iter().map(|(_, (_, pages))| pages)),
            bm25: self.floor.search(question, 10, keep),
        })
    }

    /// Chunks with their pages, best first.
    async fn search(
        &self,
        question: &str,
        mode: SearchMode,
        limit: u32,
        scope: &ScopeRequest,
    ) -> Result<Vec<(String, Vec<Page>)>> {
        let query = SearchQuery {
            query: question.to_owned(),
            mode,
            limit,
            scope: scope.clone(),
            expand: false,
        };
        let found = self.engine.search(query).await?.results.into_iter().map(|result| {
            let name = self.name(&result.document_id);
            let pages = result.pages.iter().map(|page| (name.clone(), page.number)).collect();
            (result.chunk_id, pages)
        });
        Ok(found.collect())
    }

    /// The pages of the first citations.
    async fn cited(&self, question: &str, scope: ScopeRequest) -> Result<Vec<Page>> {
        let request = AskRequest {
            question: question.to_owned(),
            strategy: Strategy::Quotes,
            model: None,
            scope,
            conversation_id: None,
            limits: AskLimits::default(),
        };
        let answer = self.engine.ask(request, CancellationToken::new(), &mut |_| {}).await?;
        let first = answer.citations.iter().take(5);
        Ok(first
            .flat_map(|citation| {
                let name = self.name(&citation.document_id);
                citation.pages.iter().map(move |page| (name.clone(), page.number))
            })
            .collect())
    }
}

/// Each page once, in order.
fn distinct(pages: impl Iterator<Item = Vec<Page>>) -> Vec<Page> {
    let mut seen = BTreeSet::new();
    pages.flatten().filter(|page| seen.insert(page.clone())).collect()
}

fn letters(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

fn file_name(path: &str) -> String {
    Path::new(path)
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
