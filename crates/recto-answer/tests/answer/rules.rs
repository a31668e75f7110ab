//! What people reported of other programs, as it concerns answering; the numbers are those of the list of reports.

use super::*;
use recto_core::{Chunk, ErrorCode, Mark};
use std::sync::Mutex;

fn chunks_of(id: DocumentId, document: &Document) -> Vec<Chunk> {
    let row = MemorySource::row(id, document);
    recto_retrieval::chunk_document(document, id, &row.revision, &row.title, &WhitespaceCounter::default())
}

/// A source of the given documents, each with vectors for its first `embedded` chunks.
fn source(name: &str, documents: &[(u32, Document, usize)], embedder: &FakeEmbedder) -> MemorySource {
    let mut source = MemorySource::new(name);
    for (number, document, embedded) in documents {
        let id = document_id(*number);
        let chunks = chunks_of(id, document);
        let vectors: Vec<Vec<f32>> = chunks
            .iter()
            .take(*embedded)
            .map(|chunk| embedder.vector(&chunk.embedded_text()))
            .collect();
        let mut row = MemorySource::row(id, document);
        row.embedded = *embedded >= chunks.len();
        source.add(row, document.items.clone(), &chunks, &vectors);
    }
    source
}

fn context_of(
    sources: Vec<MemorySource>,
    embedder: Arc<dyn Embedder>,
    locator: Arc<dyn QuoteLocator>,
) -> AnswerContext {
    let sources: Vec<Arc<dyn ChunkSource>> = sources
        .into_iter()
        .map(|source| Arc::new(source) as Arc<dyn ChunkSource>)
        .collect();
    AnswerContext {
        sources: finished(recto_retrieval::open(&sources)).unwrap(),
        embedder: Some(embedder),
        locator,
        ..setup().context
    }
}

fn pages_of(documents: &[(u32, Document, usize)], collection: &str) -> PageLocator {
    let mut pages = PageLocator::new();
    for (number, document, _) in documents {
        pages.add(
            &CollectionName(collection.into()),
            document_id(*number),
            document.clone(),
        );
    }
    pages
}

// T53: what is not embedded yet is answered from by its words.
#[tokio::test]
async fn t53_a_document_waiting_for_its_vectors_is_answered_from() {
    let documents = [(1, alpha(), 0), (2, beta(), usize::MAX)];
    let embedder = Arc::new(FakeEmbedder::default());
    let context = context_of(
        vec![source(COLLECTION, &documents, &embedder)],
        embedder,
        Arc::new(pages_of(&documents, COLLECTION)),
    );
    let (answer, _) = run(
        &context,
        &request("What were Alpha's total net sales?", Strategy::Quotes),
    )
    .await;
    assert_eq!(answer.status, AnswerStatus::Answered);
    assert_eq!(answer.citations[0].document_id, document_id(1));
    assert_eq!(answer.citations[0].mark(), Mark::Proven);
}

/// Cannot read the pages of one document.
struct OneBroken {
    broken: DocumentId,
    pages: PageLocator,
}

#[async_trait]
impl QuoteLocator for OneBroken {
    async fn locate(
        &self,
        collection: &CollectionName,
        document: DocumentId,
        quote: &str,
        hint: &LocateHint,
    ) -> Result<Vec<QuoteMatch>> {
        if document == self.broken {
            return Err(Error::new(ErrorCode::Damaged, "The file is damaged."));
        }
        self.pages.locate(collection, document, quote, hint).await
    }
}

// T54: one bad file costs its own citations their boxes, and nothing else.
#[tokio::test]
async fn t54_one_damaged_document_leaves_the_citations_of_others_verified() {
    let documents = [(1, alpha(), usize::MAX), (2, beta(), usize::MAX)];
    let embedder = Arc::new(FakeEmbedder::default());
    let locator = OneBroken {
        broken: document_id(1),
        pages: pages_of(&documents, COLLECTION),
    };
    let context = context_of(
        vec![source(COLLECTION, &documents, &embedder)],
        embedder,
        Arc::new(locator),
    );
    let question = "What were Alpha's total net sales, and was a lawsuit about patents settled?";
    let (answer, _) = run(&context, &request(question, Strategy::Quotes)).await;
    assert_eq!(answer.status, AnswerStatus::Answered);
    for citation in &answer.citations {
        let broken = citation.document_id == document_id(1);
        assert_eq!(citation.mark() == Mark::Open, broken, "{}", citation.title);
        assert!(
            !citation.quote.is_empty(),
            "the words stand though the page cannot be shown"
        );
    }
    assert!(
        answer
            .citations
            .iter()
            .any(|citation| citation.document_id == document_id(2))
    );
    let failed: Vec<_> = answer
        .documents_failed
        .iter()
        .map(|failure| failure.reason.as_str())
        .collect();
    assert_eq!(failed, ["The file is damaged."]);
}

/// Gives a vector too few, or one too short, once it is asked about several texts.
struct FaultyEmbedder {
    inner: FakeEmbedder,
    short: bool,
}

#[async_trait]
impl Embedder for FaultyEmbedder {
    fn info(&self) -> &recto_core::EmbedderInfo {
        self.inner.info()
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>> {
        let mut vectors = self.inner.embed(texts).await?;
        if texts.len() > 1 {
            if self.short {
                vectors[1].truncate(3);
            } else {
                vectors.remove(0);
            }
        }
        Ok(vectors)
    }
}

// T55: a vector too few, or of another length, is an error that says so, and no sentence gets another one's meaning.
#[tokio::test]
async fn t55_vectors_that_do_not_match_their_texts_are_an_error_that_says_so() {
    for (short, told) in [(false, "vectors for"), (true, "values")] {
        let mut setup = setup();
        setup.context.embedder = Some(Arc::new(FaultyEmbedder {
            inner: FakeEmbedder::default(),
            short,
        }));
        let (answer, _) = run(
            &setup.context,
            &request("What were Alpha's total net sales?", Strategy::Quotes),
        )
        .await;
        assert_eq!(answer.status, AnswerStatus::Failed);
        let error = answer.error.unwrap();
        assert!(error.message.contains(told), "{}", error.message);
        assert!(answer.citations.is_empty());
    }
}

// T56: chunks without a vector are searched by words, so none is lost.
#[tokio::test]
async fn t56_chunks_without_a_vector_are_still_found() {
    let documents = [(1, alpha(), 1)];
    let embedder = Arc::new(FakeEmbedder::default());
    let context = context_of(
        vec![source(COLLECTION, &documents, &embedder)],
        embedder,
        Arc::new(pages_of(&documents, COLLECTION)),
    );
    for (question, words) in [
        ("What were the total net sales?", "$1,577 million"),
        ("How much cash did operating activities generate?", "$420 million"),
        ("Where does the company lease its headquarters?", "Lisbon"),
    ] {
        let (answer, _) = run(&context, &request(question, Strategy::Quotes)).await;
        assert!(
            answer.citations.iter().any(|citation| citation.quote.contains(words)),
            "{question}: {}",
            answer.text
        );
    }
}

// T76: an answer says how much of the chosen file was read, and none is a refusal, never an answer without it.
#[tokio::test]
async fn t76_a_chosen_document_is_read_or_the_answer_is_refused() {
    let server = ScriptedModel::replying(vec![ScriptedReply::text("Beta employed 3,120 people.")]);
    let mut setup = setup();
    with_model(&mut setup, &server);
    let mut chosen = request("How many people are employed?", Strategy::Passages);
    chosen.scope.filter.document_ids = vec![document_id(2)];
    let (answer, _) = run(&setup.context, &chosen).await;
    assert!(!answer.evidence.is_empty());
    assert!(
        answer
            .evidence
            .iter()
            .all(|evidence| evidence.passage.document_id == document_id(2))
    );
    let read = answer.evidence.len();
    assert_eq!(answer.unit_stats.returned as usize, read, "passages read are counted");
    assert!(
        answer.coverage_sentence().contains(&format!("{read} passage")),
        "{}",
        answer.coverage_sentence()
    );

    chosen.scope.filter.document_ids = vec![document_id(9)];
    let (answer, _) = run(&setup.context, &chosen).await;
    assert_eq!(
        (answer.status, answer.coverage.documents_with_matches),
        (AnswerStatus::Refused, 0)
    );
    assert!(
        answer.text.starts_with("Nothing in the searched documents"),
        "{}",
        answer.text
    );
    assert_eq!(server.requests().len(), 1, "the model is not asked without evidence");
}

/// Remembers what it was asked to embed.
struct Watched {
    inner: FakeEmbedder,
    texts: Mutex<Vec<String>>,
}

#[async_trait]
impl Embedder for Watched {
    fn info(&self) -> &recto_core::EmbedderInfo {
        self.inner.info()
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>> {
        self.texts.lock().unwrap().extend_from_slice(texts);
        self.inner.embed(texts).await
    }
}

// T92: asking, and asking with other settings, indexes nothing: only the question and sentences beside it are embedded.
#[tokio::test]
async fn t92_asking_again_embeds_no_document_again() {
    let documents = [(1, alpha(), usize::MAX), (2, beta(), usize::MAX)];
    let plain = FakeEmbedder::default();
    let source = source(COLLECTION, &documents, &plain);
    let chunks: Vec<String> = documents
        .iter()
        .flat_map(|(number, document, _)| chunks_of(document_id(*number), document))
        .map(|chunk| chunk.embedded_text())
        .collect();
    let watched = Arc::new(Watched {
        inner: plain,
        texts: Mutex::default(),
    });
    let embedder = Arc::clone(&watched) as Arc<dyn Embedder>;
    let context = context_of(vec![source], embedder, Arc::new(pages_of(&documents, COLLECTION)));
    let mut question = request("What were Alpha's total net sales?", Strategy::Quotes);
    let mut counts = Vec::new();
    for quotes in [6, 3, 6] {
        question.options.quotes = quotes;
        run(&context, &question).await;
        let texts = std::mem::take(&mut *watched.texts.lock().unwrap());
        assert!(
            texts.iter().all(|text| !chunks.contains(text)),
            "no chunk is embedded by asking"
        );
        counts.push(texts.len());
    }
    assert!(
        counts.iter().all(|count| *count == counts[0] && *count <= 34),
        "{counts:?}"
    );
}

// A copied collection has the same ids: its passages stay their own, and each number means one of them.
#[tokio::test]
async fn a_chunk_that_is_in_two_collections_is_cited_as_two() {
    let documents = [(1, alpha(), usize::MAX)];
    let embedder = Arc::new(FakeEmbedder::default());
    let sources = ["reports", "copy"].map(|name| source(name, &documents, &embedder));
    let mut pages = pages_of(&documents, "reports");
    pages.add(&CollectionName("copy".into()), document_id(1), alpha());
    let server = ScriptedModel::responding(|request, _| {
        let prompt = request.prompt();
        let numbers: Vec<&str> = prompt
            .match_indices("<<<source [")
            .filter_map(|(at, open)| prompt[at + open.len()..].split(']').next())
            .collect();
        let cites: String = numbers.iter().map(|number| format!("[{number}]")).collect();
        ScriptedReply::text(&format!("Total net sales were $1,577 million {cites}."))
    });
    let mut setup = setup();
    with_model(&mut setup, &server);
    let mut context = context_of(sources.into(), embedder, Arc::new(pages));
    context.model = setup.context.model.clone();
    let (answer, _) = run(&context, &request(SALES, Strategy::Passages)).await;
    let places: std::collections::BTreeSet<_> = answer
        .evidence
        .iter()
        .map(|evidence| {
            (
                evidence.passage.collection.0.as_str(),
                evidence.passage.chunk_id.clone(),
            )
        })
        .collect();
    assert_eq!(places.len(), answer.evidence.len(), "no passage stands for another");
    let shared = answer.evidence.iter().any(|one| {
        answer.evidence.iter().any(|other| {
            one.index != other.index
                && one.passage.chunk_id == other.passage.chunk_id
                && one.passage.collection != other.passage.collection
        })
    });
    assert!(
        shared,
        "the same chunk of both collections was supplied under two numbers"
    );
    for citation in &answer.citations {
        let evidence = answer
            .evidence
            .iter()
            .find(|evidence| evidence.index == citation.index)
            .unwrap();
        assert_eq!(citation.collection, evidence.passage.collection);
    }
    let again = Numbering::after(std::slice::from_ref(&answer));
    let mut second = request(SALES, Strategy::Passages);
    second.numbering = again;
    let (second, _) = run(&context, &second).await;
    let numbers = |answer: &Answer| -> Vec<(String, u32)> {
        answer
            .evidence
            .iter()
            .map(|evidence| (evidence.passage.collection.0.clone(), evidence.index))
            .collect()
    };
    assert_eq!(numbers(&second), numbers(&answer), "each keeps its own number");
}

/// Knows no document any more.
struct Removed;

#[async_trait]
impl QuoteLocator for Removed {
    async fn locate(&self, _: &CollectionName, _: DocumentId, _: &str, _: &LocateHint) -> Result<Vec<QuoteMatch>> {
        Err(Error::new(ErrorCode::NotFound, "The document was removed."))
    }
}

#[tokio::test]
async fn a_document_removed_meanwhile_keeps_its_words_and_says_so() {
    let server = ScriptedModel::replying(vec![ScriptedReply::text("Sales were $1,577 million [1].")]);
    let mut setup = setup_with(&[(1, alpha())], Some(Arc::new(Removed)));
    with_model(&mut setup, &server);
    let (answer, _) = run(&setup.context, &request(SALES, Strategy::Passages)).await;
    let citation = &answer.citations[0];
    assert_eq!((citation.verdict, citation.mark()), (Verdict::NotLocated, Mark::Open));
    assert!(citation.quote.contains("$1,577 million"), "{}", citation.quote);
    assert_eq!(
        citation.numbers.found,
        ["$1,577 million"],
        "its figures were checked in what was read"
    );
    assert!(citation.boxes.iter().all(|at| at.kind == BoxKind::Passage));
    assert_eq!(answer.documents_failed[0].reason, "The document was removed.");
}

#[tokio::test]
async fn a_claim_whose_figures_and_names_are_all_boxed_is_proven() {
    let n = number_of("$1,577").await;
    let marks = [
        (
            "Total net sales of Alpha were $1.577 billion in the quarter",
            Mark::Proven,
        ),
        ("Total net sales of Alpha and Beta were $1.577 billion", Mark::Near),
        ("Total net sales rose by $204 million", Mark::Near),
        ("Total net sales rose", Mark::Near),
        ("Total net sales of Alpha were $1.577 trillion", Mark::Open),
    ];
    for (claim, mark) in marks {
        let (answer, ..) = ask_model(ScriptedReply::text(&format!("{claim} [{n}].")), SALES).await;
        let citation = &answer.citations[0];
        assert_eq!(citation.verdict, Verdict::Aligned, "{claim}");
        assert_eq!(citation.mark(), mark, "{claim}: {:?}", citation.numbers);
    }
    let (answer, ..) = ask_model(
        ScriptedReply::text(&format!("Sales rose by $204 million [{n}].")),
        SALES,
    )
    .await;
    let check = &answer.citations[0].numbers;
    assert_eq!(check.computed, ["$204 million"]);
    assert_eq!(
        check.operands,
        ["$1,577 million − $1,373 million"],
        "a computed figure shows its operands"
    );
    assert_eq!(answer.verdict_summary().unwrap(), "1 matched by meaning");
}
