//! Putting the questions of a set to a library.

use crate::amounts;
use crate::outcome::{CitedPage, Outcome, PageAt};
use crate::report::Report;
use crate::set::{Case, QuestionSet};
use recto_core::{Error, ErrorCode, Result};
use recto_engine::Engine;
use recto_engine::contract::{AskLimits, AskRequest, ListedDocument, ScopeRequest, SearchMode, SearchQuery, Strategy};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use tokio_util::sync::CancellationToken;

/// Pages of a ranking that are kept.
const PAGES: usize = 10;
/// Passages asked for so that as many different pages are surely among them.
const PASSAGES: u32 = 60;

const OUTCOMES: &str = "outcomes.jsonl";
const MANIFEST: &str = "manifest.json";

/// How questions are put.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvaluationOptions {
    /// How answers are made.
    pub strategy: Strategy,
    /// Another model than the configured one.
    pub model: Option<String>,
    /// How much may be read and called for each question.
    #[serde(default)]
    pub limits: AskLimits,
    /// Whether the documents of each question are given, so that only they are searched.
    pub given: bool,
    /// Collections by name; none means all.
    pub collections: Option<Vec<String>>,
}

/// What must be equal for results to belong together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Manifest {
    /// SHA-256 of the set.
    set: String,
    options: EvaluationOptions,
    /// The chat model in use.
    model: Option<String>,
    embedding_model: String,
    /// Of Recto.
    version: String,
    commit: Option<String>,
    /// The documents searched: SHA-256 by file name.
    documents: BTreeMap<String, String>,
}

/// A set, and the folder its outcomes are kept in.
pub struct Evaluation {
    engine: Arc<Engine>,
    set: QuestionSet,
    options: EvaluationOptions,
    folder: PathBuf,
    /// Document ids by the names the set gives them.
    names: BTreeMap<String, Document>,
    /// File names by document id.
    files: BTreeMap<String, String>,
    done: Vec<Outcome>,
}

#[derive(Debug, Clone)]
struct Document {
    id: String,
    file: String,
}

impl Evaluation {
    /// Prepares to put `set` to the library of `engine`, keeping outcomes in `folder`; those that are there already are
    /// not made again.
    ///
    /// # Errors
    /// `not_found` for a document of the set that the library does not have, `ambiguous` for one it has several of;
    /// `invalid_argument` when the folder holds outcomes of another set, configuration, library or version of Recto.
    pub async fn open(
        engine: Arc<Engine>,
        set: QuestionSet,
        options: EvaluationOptions,
        folder: &Path,
    ) -> Result<Self> {
        let listed = engine.list(options.collections.as_deref()).await?.documents;
        let ready: Vec<&ListedDocument> = listed
            .iter()
            .filter(|document| document.document_id.is_some())
            .collect();
        let names = names(&set, &ready)?;
        let manifest = Manifest {
            set: set.sha256.clone(),
            model: engine.status().models.chat_model,
            embedding_model: engine.status().models.embedding_model,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: option_env!("RECTO_COMMIT").map(str::to_owned),
            documents: ready
                .iter()
                .map(|document| (file_name(&document.uri), document.sha256.clone().unwrap_or_default()))
                .collect(),
            options: options.clone(),
        };
        std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
        let done = continued(folder, &manifest)?;
        let files = ready
            .iter()
            .filter_map(|document| Some((document.document_id.clone()?, file_name(&document.uri))))
            .collect();
        Ok(Self {
            engine,
            set,
            options,
            folder: folder.to_owned(),
            names,
            files,
            done,
        })
    }

    /// How many questions have an outcome already.
    #[must_use]
    pub fn done(&self) -> usize {
        self.done.len()
    }

    /// Puts the questions that have no outcome yet, in order, telling `on_outcome` of each with how many are done, and
    /// returns the figures of all. Cancelling ends it after the question at hand, which is not counted.
    ///
    /// # Errors
    /// `cancelled`; `internal` when an outcome cannot be written. A question that fails is an outcome.
    pub async fn run(
        mut self,
        cancel: &CancellationToken,
        on_outcome: &mut dyn FnMut(&Outcome, usize),
    ) -> Result<Report> {
        let path = self.folder.join(OUTCOMES);
        let mut file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(|error| unwritable(&path, &error))?;
        let done: BTreeSet<String> = self.done.iter().map(|outcome| outcome.id.clone()).collect();
        let waiting: Vec<Case> = self.set.cases.clone();
        for case in waiting.iter().filter(|case| !done.contains(&case.id)) {
            let outcome = self.put(case, cancel).await;
            if cancel.is_cancelled() {
                return Err(Error::cancelled());
            }
            let line = serde_json::to_string(&outcome)
                .map_err(|error| Error::internal(format!("An outcome cannot be written: {error}.")))?;
            writeln!(file, "{line}").map_err(|error| unwritable(&path, &error))?;
            self.done.push(outcome);
            if let Some(outcome) = self.done.last() {
                on_outcome(outcome, self.done.len());
            }
        }
        Ok(Report::of(&self.done))
    }

    async fn put(&self, case: &Case, cancel: &CancellationToken) -> Outcome {
        let documents: Vec<&Document> = case.documents.iter().filter_map(|name| self.names.get(name)).collect();
        let scope = ScopeRequest {
            collections: self.options.collections.clone(),
            document_ids: if self.options.given {
                documents.iter().map(|document| document.id.clone()).collect()
            } else {
                Vec::new()
            },
            ..ScopeRequest::default()
        };
        let mut outcome = Outcome {
            id: case.id.clone(),
            question: case.question.clone(),
            retrieved: Vec::new(),
            gold: case.pages.iter().filter_map(|gold| self.gold(gold)).collect(),
            documents: documents.iter().map(|document| document.file.clone()).collect(),
            answerable: case.answerable,
            status: None,
            answer: String::new(),
            cited: Vec::new(),
            invalid_markers: 0,
            amounts: 0,
            amounts_given: 0,
            usage: Default::default(),
            search_ms: 0,
            answer_ms: 0,
            error: None,
        };
        let (retrieved, search_ms) = timed(self.retrieve(&case.question, &scope)).await;
        outcome.search_ms = search_ms;
        match retrieved {
            Ok(pages) => outcome.retrieved = pages,
            Err(error) => outcome.error = Some(error.message),
        }
        let asked = AskRequest {
            question: case.question.clone(),
            strategy: self.options.strategy,
            model: self.options.model.clone(),
            scope,
            conversation_id: None,
            limits: self.options.limits,
        };
        let (answer, answer_ms) = timed(self.engine.ask(asked, cancel.clone(), &mut |_| {})).await;
        outcome.answer_ms = answer_ms;
        match answer {
            Ok(answer) => {
                outcome.status = Some(answer.status);
                outcome.cited = answer
                    .citations
                    .iter()
                    .map(|citation| CitedPage {
                        index: citation.index,
                        at: self.page(
                            &citation.document_id,
                            citation.pages.first().map_or(0, |page| page.number),
                        ),
                        quote: citation.quote.clone(),
                    })
                    .collect();
                outcome.invalid_markers = answer.invalid_markers;
                outcome.usage = answer.usage;
                outcome.error = answer.error.map(|error| error.message).or(outcome.error);
                outcome.answer = answer.text;
            }
            Err(error) => outcome.error = Some(error.message),
        }
        if let Some(expected) = &case.answer {
            (outcome.amounts, outcome.amounts_given) = amounts::given(expected, &outcome.answer);
        }
        outcome
    }

    /// The first pages of a search, each once.
    async fn retrieve(&self, question: &str, scope: &ScopeRequest) -> Result<Vec<PageAt>> {
        let query = SearchQuery {
            query: question.to_owned(),
            mode: SearchMode::Hybrid,
            limit: PASSAGES,
            scope: scope.clone(),
            expand: false,
        };
        let mut pages = Vec::new();
        for result in self.engine.search(query).await?.results {
            let numbers: Vec<u32> = match result.pages.as_slice() {
                [] => vec![0],
                pages => pages.iter().map(|page| page.number).collect(),
            };
            for number in numbers {
                let page = self.page(&result.document_id, number);
                if !pages.contains(&page) {
                    pages.push(page);
                }
            }
        }
        pages.truncate(PAGES);
        Ok(pages)
    }

    fn page(&self, document_id: &str, page: u32) -> PageAt {
        PageAt {
            document: self.files.get(document_id).cloned().unwrap_or_default(),
            page,
        }
    }

    fn gold(&self, gold: &crate::set::GoldPage) -> Option<PageAt> {
        let document = self.names.get(gold.document.as_ref()?)?;
        Some(PageAt {
            document: document.file.clone(),
            page: gold.page,
        })
    }
}

/// What the set calls documents, looked up in the library: by file name, else by title, else by id.
fn names(set: &QuestionSet, ready: &[&ListedDocument]) -> Result<BTreeMap<String, Document>> {
    let mut names = BTreeMap::new();
    let wanted: BTreeSet<&String> = set
        .cases
        .iter()
        .flat_map(|case| {
            let of_pages = case.pages.iter().filter_map(|page| page.document.as_ref());
            case.documents.iter().chain(of_pages)
        })
        .collect();
    for name in wanted {
        let by = |matches: &dyn Fn(&ListedDocument) -> bool| -> Vec<&ListedDocument> {
            ready.iter().copied().filter(|document| matches(document)).collect()
        };
        let found = [
            by(&|document| file_name(&document.uri) == *name),
            by(&|document| document.title == *name),
            by(&|document| document.document_id.as_ref() == Some(name)),
        ];
        let found = found.into_iter().find(|found| !found.is_empty()).unwrap_or_default();
        let document = match found.as_slice() {
            [one] => one,
            [] => {
                let message = format!("The set asks about “{name}”, which is not in the library. Add it first.");
                return Err(Error::new(ErrorCode::NotFound, message));
            }
            several => {
                let message = format!(
                    "The set asks about “{name}”, and the library has {} documents of that name. Choose a collection with one.",
                    several.len()
                );
                return Err(Error::new(ErrorCode::Ambiguous, message));
            }
        };
        let file = file_name(&document.uri);
        if let Some(id) = document.document_id.clone() {
            names.insert(name.clone(), Document { id, file });
        }
    }
    Ok(names)
}

/// The outcomes that are there already. A last line that was cut off is removed.
fn continued(folder: &Path, manifest: &Manifest) -> Result<Vec<Outcome>> {
    let (path, outcomes) = (folder.join(MANIFEST), folder.join(OUTCOMES));
    let new = serde_json::to_string_pretty(manifest)
        .map_err(|error| Error::internal(format!("The manifest cannot be written: {error}.")))?;
    let Ok(old) = std::fs::read_to_string(&path) else {
        std::fs::write(&path, format!("{new}\n")).map_err(|error| unwritable(&path, &error))?;
        return Ok(Vec::new());
    };
    if serde_json::from_str::<Manifest>(&old).ok().as_ref() != Some(manifest) {
        let message = format!(
            "{} holds results of another set, configuration, library or version of Recto. Choose another folder.",
            folder.display()
        );
        return Err(Error::new(ErrorCode::InvalidArgument, message));
    }
    let text = std::fs::read_to_string(&outcomes).unwrap_or_default();
    let done: Vec<Outcome> = text.lines().map_while(|line| serde_json::from_str(line).ok()).collect();
    if done.len() != text.lines().count() || !(text.is_empty() || text.ends_with('\n')) {
        let mut whole = String::new();
        for line in text.lines().take(done.len()) {
            whole += line;
            whole.push('\n');
        }
        std::fs::write(&outcomes, whole).map_err(|error| unwritable(&outcomes, &error))?;
    }
    Ok(done)
}

async fn timed<T>(work: impl Future<Output = T>) -> (T, u32) {
    let started = Instant::now();
    let done = work.await;
    (done, u32::try_from(started.elapsed().as_millis()).unwrap_or(u32::MAX))
}

fn unwritable(path: &Path, error: &std::io::Error) -> Error {
    Error::internal(format!("{} cannot be written: {error}.", path.display()))
}

fn file_name(uri: &str) -> String {
    Path::new(uri)
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
