//! The strategy with tools: the model searches and reads by itself until it has what it cites.

use crate::calls::{Calls, Place};
use crate::documents::{self, Candidate, Loaded};
use crate::prompt::Naming;
use crate::run::Run;
use crate::{budget, generate, json, passages, prompt};
use recto_core::{
    ChatMessage, ChatRequest, ChatRole, Error, ErrorCode, Grounding, Passage, Result, SearchMode, SearchRequest, Tool,
    ToolCall,
};
use recto_retrieval::{FoundPassage, retrieve};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Uses of each tool for one question.
const SEARCHES: u32 = 5;
const OUTLINES: u32 = 5;
const READS: u32 = 10;
/// Requests after which only `cite` is left, and how many more there may be then.
const REQUESTS: u32 = 12;
const LAST_REQUESTS: u32 = 2;
/// Passages of one search.
const PER_SEARCH: usize = 5;
/// Documents named at the start.
const LISTED: usize = 30;

/// What has been seen, under its numbers.
struct Desk {
    documents: Vec<Candidate>,
    loaded: BTreeMap<usize, Loaded>,
    evidence: Vec<FoundPassage>,
    numbers: Vec<u32>,
    numbering: crate::Numbering,
    room: usize,
    left: BTreeMap<&'static str, u32>,
}

/// How the work ends.
struct Cited {
    answer: String,
    sources: Vec<u32>,
    /// Whether the model said itself which sources there are, be it none.
    declared: bool,
}

pub(crate) async fn run(run: &mut Run<'_>) -> Result<()> {
    let calls = run.calls()?;
    if calls.limits().tools == Some(false) {
        return Err(Error::new(
            ErrorCode::ModelRejected,
            "This model cannot use tools. Choose another model, or another strategy.",
        ));
    }
    let documents = documents::in_scope(run.context, &run.request.scope.filter);
    if documents.is_empty() {
        run.refuse(&[]);
        return Ok(());
    }
    let mut desk = Desk {
        documents,
        loaded: BTreeMap::new(),
        evidence: Vec::new(),
        numbers: Vec::new(),
        numbering: run.request.numbering.clone(),
        room: budget::content(&run.request.options, calls.limits()),
        left: BTreeMap::from([("search", SEARCHES), ("outline", OUTLINES), ("read", READS)]),
    };
    let ended = converse(run, &calls, &mut desk).await?;
    run.count_documents(&desk.evidence);
    finish(run, &desk, ended).await
}

/// Lets the model work until it cites, answers without a tool, or has no requests left.
async fn converse(run: &mut Run<'_>, calls: &Arc<Calls>, desk: &mut Desk) -> Result<Cited> {
    let named = desk.documents.iter().take(LISTED).enumerate();
    let named: Vec<(u32, String)> = named
        .map(|(at, one)| match run.context.naming() {
            Naming::Document => (number_of(at), one.title.clone()),
            Naming::Collection => (number_of(at), format!("{} | collection: {}", one.title, one.collection)),
        })
        .collect();
    let mut messages = prompt::agent(&run.question, &named);
    let mut reminded = false;
    for request in 0..REQUESTS + LAST_REQUESTS {
        run.stage(
            "read",
            usize::try_from(request).unwrap_or(0),
            usize::try_from(REQUESTS).unwrap_or(0),
        );
        let only_cite = request >= REQUESTS;
        let chat = ChatRequest {
            messages: messages.clone(),
            max_tokens: run.request.options.max_tokens,
            tools: tools(only_cite),
            ..ChatRequest::default()
        };
        let place = Place::new(1, "read");
        let reply = calls.chat(place, chat, &mut |_| {}).await?;
        run.tell_usage();
        if reply.tool_calls.is_empty() {
            let text = reply.text.trim();
            let sources = json::marked(text, &desk.numbers);
            // Once asked to cite, a text without a tool is taken as the answer.
            if !text.is_empty() && (reminded || !sources.is_empty() || only_cite) {
                return Ok(Cited {
                    answer: text.to_owned(),
                    sources,
                    declared: false,
                });
            }
            reminded = true;
            messages.push(ChatMessage::new(ChatRole::Assistant, reply.text.clone()));
            messages.push(ChatMessage::new(
                ChatRole::User,
                "Give the same answer by calling `cite` with the numbers of its sources, or use a tool first.",
            ));
            continue;
        }
        messages.push(ChatMessage {
            tool_calls: reply.tool_calls.clone(),
            ..ChatMessage::new(ChatRole::Assistant, reply.text.clone())
        });
        let mut ended = None;
        // Sources named beside a call for more text were named without having read it.
        let gathers = !only_cite
            && reply
                .tool_calls
                .iter()
                .any(|call| desk.left.contains_key(call.name.as_str()));
        for call in &reply.tool_calls {
            let arguments = json::decode(&call.arguments).unwrap_or(Value::Null);
            let said = match call.name.as_str() {
                "cite" if gathers => {
                    "Not yet: first read what the other tools of this message return, then call `cite` again."
                        .to_owned()
                }
                "cite" => match cited(&arguments, &reply.text, desk) {
                    Ok(done) => {
                        ended.get_or_insert(done);
                        "Cited.".to_owned()
                    }
                    Err(why) => why,
                },
                name if only_cite && desk.left.contains_key(name) => {
                    "No requests are left. Call `cite` now.".to_owned()
                }
                name => use_tool(run, desk, name, &arguments).await?,
            };
            run.recorder.decide(place, told(call, &said));
            messages.push(ChatMessage {
                tool_call_id: Some(call.id.clone()),
                ..ChatMessage::new(ChatRole::Tool, said)
            });
        }
        if let Some(ended) = ended {
            return Ok(ended);
        }
    }
    Err(Error::transient(
        ErrorCode::ModelRejected,
        "The model came to no answer within its requests. Try another strategy, or another model.",
    ))
}

/// Shows the answer with what was seen as its evidence.
async fn finish(run: &mut Run<'_>, desk: &Desk, ended: Cited) -> Result<()> {
    let marked = json::marked(&ended.answer, &desk.numbers);
    if marked.is_empty() && ended.sources.is_empty() {
        let nearest: Vec<FoundPassage> = desk.evidence.clone();
        // An empty list of sources is a statement: nothing that was read bears the answer.
        run.draft.grounding = ended.declared.then_some(Grounding::Ungrounded);
        run.end_without(&nearest, ended.answer.trim());
        return Ok(());
    }
    let mut text = ended.answer.trim().to_owned();
    if marked.is_empty() {
        let markers: String = ended.sources.iter().map(|number| format!("[{number}]")).collect();
        let stop = text.pop().filter(|last| matches!(last, '.' | '!' | '?'));
        text = match stop {
            Some(stop) => format!("{} {markers}{stop}", text.trim_end()),
            None => format!("{} {markers}", ended.answer.trim()),
        };
    }
    let passages: Vec<Passage> = desk.evidence.iter().map(|found| found.passage.clone()).collect();
    let numbers = run.show_evidence(&passages);
    debug_assert_eq!(numbers, desk.numbers);
    run.stage("generate", 1, 1);
    generate::shown(run, &text, &desk.evidence, &numbers).await
}

fn cited(arguments: &Value, beside: &str, desk: &Desk) -> std::result::Result<Cited, String> {
    let answer = arguments
        .get("answer")
        .and_then(Value::as_str)
        .unwrap_or(beside)
        .trim()
        .to_owned();
    if answer.is_empty() {
        return Err("The answer is missing. Call `cite` with the answer and its sources.".to_owned());
    }
    let named = ["sources", "cited", "numbers"]
        .iter()
        .find_map(|name| arguments.get(*name));
    let named = named.and_then(json::numbers).unwrap_or_default();
    let sources: Vec<u32> = named
        .iter()
        .copied()
        .filter(|number| desk.numbers.contains(number))
        .collect();
    if sources.is_empty() && !named.is_empty() {
        return Err(
            "None of these numbers was shown. Call `cite` with numbers in square brackets that a tool returned."
                .to_owned(),
        );
    }
    Ok(Cited {
        answer,
        sources,
        declared: true,
    })
}

fn told(call: &ToolCall, said: &str) -> String {
    let said: String = said.chars().take(120).collect();
    format!("{}({}): {}", call.name, call.arguments, prompt::one_line(&said))
}

async fn use_tool(run: &mut Run<'_>, desk: &mut Desk, name: &str, arguments: &Value) -> Result<String> {
    let Some(left) = desk.left.get_mut(name) else {
        return Ok(format!("There is no tool `{}`.", prompt::one_line(name)));
    };
    if *left == 0 {
        return Ok(format!(
            "`{name}` is used up for this question. Use another tool, or call `cite`."
        ));
    }
    *left -= 1;
    match name {
        "search" => search(run, desk, arguments).await,
        "outline" => outline(run, desk, arguments).await,
        _ => read(run, desk, arguments).await,
    }
}

async fn search(run: &mut Run<'_>, desk: &mut Desk, arguments: &Value) -> Result<String> {
    let query = arguments.get("query").and_then(Value::as_str).unwrap_or_default();
    if !query.chars().any(char::is_alphanumeric) {
        return Ok("Say what to search for: {\"query\": \"…\"}.".to_owned());
    }
    let request = SearchRequest {
        query: query.to_owned(),
        mode: SearchMode::Hybrid,
        limit: PER_SEARCH,
        filter: run.request.scope.filter.clone(),
        expand: true,
    };
    let options = run.context.search_options(run.request.options.passage_chars);
    let found = retrieve(
        &run.context.sources,
        run.context.embedder.as_deref(),
        &request,
        &options,
    )
    .await?;
    if found.passages.is_empty() {
        return Ok("Nothing was found. Try other words.".to_owned());
    }
    let shown = found
        .passages
        .into_iter()
        .map(|found| desk.show(run, found))
        .collect::<Vec<_>>();
    Ok(shown.join("\n"))
}

async fn outline(run: &mut Run<'_>, desk: &mut Desk, arguments: &Value) -> Result<String> {
    let limits = run.calls().map(|calls| calls.limits()).unwrap_or_default();
    let most = budget::outline(&run.request.options, limits);
    match desk.document(run, arguments).await? {
        Ok(document) => {
            let title = &document.candidate.title;
            Ok(prompt::fenced("outline of", title, &document.outline.render(most).text))
        }
        Err(why) => Ok(why),
    }
}

async fn read(run: &mut Run<'_>, desk: &mut Desk, arguments: &Value) -> Result<String> {
    let context = run.context;
    let section = arguments
        .get("section")
        .and_then(json::numbers)
        .and_then(|list| list.first().copied());
    let found = match desk.document(run, arguments).await? {
        Ok(document) => section.and_then(|number| document.section(context, number)),
        Err(why) => return Ok(why),
    };
    Ok(match found {
        Some(found) => desk.show(run, found),
        None => "There is no such section. `outline` shows the numbers of a document's sections.".to_owned(),
    })
}

impl Desk {
    /// Takes a text in as evidence, as far as there is room, and shows it under its number. What was shown before is
    /// only named again.
    fn show(&mut self, run: &Run<'_>, found: FoundPassage) -> String {
        let same = |other: &FoundPassage| {
            other.passage.collection == found.passage.collection
                && other.passage.document_id == found.passage.document_id
                && other.passage.text == found.passage.text
        };
        if let Some(at) = self.evidence.iter().position(same) {
            return format!("[{}] was shown before.", self.numbers[at]);
        }
        let tokens = |text: &str| budget::tokens(run.context, text);
        let fits = tokens(&found.passage.text) <= self.room;
        let fitted = if fits {
            Some(found)
        } else {
            passages::cut(&found, self.room, &tokens)
        };
        let Some(found) = fitted else {
            return "There is no room for more text. Answer from what you have.".to_owned();
        };
        self.room = self.room.saturating_sub(tokens(&found.passage.text));
        let number = self.numbering.number(&found.passage, &self.numbers);
        let shown = prompt::source(number, &found.as_read(), run.context.naming());
        self.numbers.push(number);
        self.evidence.push(found);
        shown.trim().to_owned()
    }

    /// The document that a call names by its number or title.
    async fn document(&mut self, run: &Run<'_>, arguments: &Value) -> Result<std::result::Result<&Loaded, String>> {
        let named = arguments.get("document");
        let number = named.and_then(json::numbers).and_then(|list| list.first().copied());
        let title = named.and_then(Value::as_str).map(str::trim).unwrap_or_default();
        let mut titled = self.documents.iter().enumerate();
        let mut titled = titled.by_ref().filter(|(_, one)| one.title.eq_ignore_ascii_case(title));
        let by_title = titled.next().map(|(at, _)| at);
        if let (Some(first), Some((second, _))) = (by_title, titled.next()) {
            return Ok(Err(format!(
                "Several documents have this title, among them {} and {}. Name the one that is meant by its number.",
                number_of(first),
                number_of(second)
            )));
        }
        let by_number = number
            .and_then(|number| usize::try_from(number).ok()?.checked_sub(1))
            .filter(|at| *at < self.documents.len());
        let only = (self.documents.len() == 1).then_some(0);
        let Some(at) = by_title.or(by_number).or(only) else {
            return Ok(Err(
                "There is no such document. Name it by its number or title.".to_owned()
            ));
        };
        if !self.loaded.contains_key(&at) {
            let loaded = documents::load(run.context, self.documents[at].clone()).await?;
            self.loaded.insert(at, loaded);
        }
        Ok(Ok(&self.loaded[&at]))
    }
}

fn number_of(at: usize) -> u32 {
    u32::try_from(at + 1).unwrap_or(u32::MAX)
}

fn tools(only_cite: bool) -> Vec<Tool> {
    let tool = |name: &str, description: &str, properties: Value, required: &[&str]| Tool {
        name: name.to_owned(),
        description: description.to_owned(),
        parameters: json!({"type": "object", "properties": properties, "required": required}),
    };
    let document = json!({"type": "string", "description": "number or title of the document"});
    let cite = tool(
        "cite",
        "Ends the work with the answer and the numbers of the sources it rests on.",
        json!({
            "answer": {"type": "string", "description": "the answer, each statement with its source in square brackets"},
            "sources": {"type": "array", "items": {"type": "integer"}},
        }),
        &["answer", "sources"],
    );
    if only_cite {
        return vec![cite];
    }
    vec![
        tool(
            "search",
            "Finds passages in all documents by words and meaning.",
            json!({"query": {"type": "string"}}),
            &["query"],
        ),
        tool(
            "outline",
            "Shows the numbered sections of a document.",
            json!({"document": document}),
            &["document"],
        ),
        tool(
            "read",
            "Gives the whole text of a section of a document.",
            json!({"document": document, "section": {"type": "integer", "description": "number in the outline"}}),
            &["document", "section"],
        ),
        cite,
    ]
}
