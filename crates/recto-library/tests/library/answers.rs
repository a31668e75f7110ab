use super::{default_collection, writable};
use recto_core::{
    Answer, AnswerId, AnswerStatus, BoxKind, Citation, CitedBox, Coverage, DocumentId, Locator, NumberCheck, PageRect,
    QuoteBy, Rect, Scope, Strategy, Trace, TracedCall, UnitStats, Usage, Verdict,
};
use recto_library::Error;
use uuid::Uuid;

fn answer(number: u128, model: Option<&str>, tokens: Option<u32>) -> Answer {
    Answer {
        id: AnswerId(Uuid::from_u128(number)),
        question: "What was capex in FY2018?".to_owned(),
        strategy: Strategy::Quotes,
        model: model.map(str::to_owned),
        status: AnswerStatus::Answered,
        scope: Scope::default(),
        text: "$1,577 million [1]".to_owned(),
        uncited: false,
        grounding: None,
        citations: vec![Citation {
            index: 1,
            collection: default_collection(),
            document_id: DocumentId(Uuid::from_u128(7)),
            title: "Annual report".to_owned(),
            uri: "/reports/a.pdf".to_owned(),
            sha256: "ab".repeat(32),
            headings: vec!["Cash flows".to_owned()],
            pages: vec![60],
            page_labels: vec![Some("58".to_owned())],
            locator: Locator::Page { pages: vec![60] },
            chunk_ids: vec![],
            doc_item_refs: vec!["#/tables/4".to_owned()],
            quote: "Purchases of property, plant and equipment (1,577)".to_owned(),
            quote_by: QuoteBy::Recto,
            verdict: Verdict::Verbatim,
            numbers: NumberCheck::default(),
            boxes: vec![CitedBox {
                at: PageRect {
                    page: 60,
                    rect: Rect::new(72.1, 0.333_333_34, 401.7, 9.999_999),
                },
                kind: BoxKind::Quote,
            }],
            spans: vec![],
        }],
        evidence: vec![],
        nearest: vec![],
        unit_stats: UnitStats::default(),
        coverage: Coverage::default(),
        documents_failed: vec![],
        findings: vec![],
        sections_dropped: 0,
        invalid_markers: 0,
        usage: Usage {
            input_tokens: tokens,
            output_tokens: tokens,
            calls: 1,
        },
        error: None,
        elapsed_ms: 12,
    }
}

#[test]
fn a_reopened_answer_equals_what_was_stored() {
    let folder = tempfile::tempdir().unwrap();
    let conversation = Uuid::from_u128(1);
    let (first, second) = (answer(10, None, None), answer(9, None, None));
    {
        let library = writable(folder.path());
        library.create_conversation(conversation, "Capex", 1).unwrap();
        library.store_answer(conversation, &first, 2).unwrap();
        library.store_answer(conversation, &second, 3).unwrap();
        library.store_answer(conversation, &first, 4).unwrap();
    }
    let library = writable(folder.path());
    let stored: Vec<Answer> = library
        .answers(conversation)
        .unwrap()
        .into_iter()
        .map(|a| a.answer)
        .collect();
    assert_eq!(
        stored,
        [first.clone(), second],
        "in the order given, boxes equal to the last bit"
    );
    assert_eq!(library.answer(first.id).unwrap().unwrap().answer, first);
    let listed = library.conversations().unwrap();
    assert_eq!((listed[0].title.as_str(), listed[0].answers), ("Capex", 2));
}

#[test]
fn originals_are_held_by_stored_citations_until_the_conversation_goes() {
    let folder = tempfile::tempdir().unwrap();
    let library = writable(folder.path());
    let conversation = Uuid::from_u128(1);
    let document = DocumentId(Uuid::from_u128(7));
    library.create_conversation(conversation, "Capex", 1).unwrap();
    library
        .note_removed(&default_collection(), document, "Annual report", 1)
        .unwrap();
    assert!(
        library.removed_documents(&default_collection()).unwrap().is_empty(),
        "nobody cites it"
    );
    library.store_answer(conversation, &answer(10, None, None), 2).unwrap();
    assert!(library.is_cited(&default_collection(), &"ab".repeat(32)).unwrap());
    library
        .note_removed(&default_collection(), document, "Annual report", 3)
        .unwrap();
    assert_eq!(
        library.removed_documents(&default_collection()).unwrap().get(&document),
        Some(&3)
    );
    library.delete_conversation(conversation).unwrap();
    assert!(!library.is_cited(&default_collection(), &"ab".repeat(32)).unwrap());
    assert!(library.conversations().unwrap().is_empty());
    assert!(matches!(library.answers(conversation), Err(Error::UnknownConversation)));
}

#[test]
fn unknown_usage_is_never_shown_as_a_sum() {
    let folder = tempfile::tempdir().unwrap();
    let library = writable(folder.path());
    let conversation = Uuid::from_u128(1);
    library.create_conversation(conversation, "Capex", 1).unwrap();
    for stored in [
        answer(1, Some("counted"), Some(10)),
        answer(2, Some("counted"), Some(5)),
        answer(3, Some("silent"), Some(10)),
        answer(4, Some("silent"), None),
    ] {
        library.store_answer(conversation, &stored, 2).unwrap();
    }
    let usage = library.usage().unwrap();
    assert_eq!(
        (usage[0].answers, usage[0].calls, usage[0].input_tokens),
        (2, 2, Some(15))
    );
    assert_eq!((usage[1].answers, usage[1].input_tokens), (2, None));
}

#[test]
fn a_hidden_conversation_holds_what_it_cites_until_it_is_purged() {
    let folder = tempfile::tempdir().unwrap();
    let library = writable(folder.path());
    let [kept, hidden] = [Uuid::from_u128(70), Uuid::from_u128(71)];
    for (id, number) in [(kept, 700), (hidden, 701)] {
        library.create_conversation(id, "Capital spending", 1).unwrap();
        library.store_answer(id, &answer(number, None, None), 2).unwrap();
    }
    library.hide_conversation(hidden, 100).unwrap();
    let listed = |words: &[String]| -> Vec<Uuid> {
        let found = library.conversations_with(words).unwrap();
        found.into_iter().map(|conversation| conversation.id).collect()
    };
    assert_eq!(listed(&["capital".to_owned()]), [kept]);
    assert!(matches!(
        library.hide_conversation(hidden, 101),
        Err(Error::UnknownConversation)
    ));

    assert_eq!(
        library.purge_conversations(109, 10).unwrap(),
        0,
        "it may still be brought back"
    );
    assert!(library.restore_conversation(hidden).unwrap());
    assert_eq!(
        library.purge_conversations(1_000, 10).unwrap(),
        0,
        "it was brought back"
    );
    assert_eq!(listed(&[]).len(), 2);

    library.hide_conversation(hidden, 200).unwrap();
    library.delete_conversation(kept).unwrap();
    let cited = |library: &recto_library::Library| library.is_cited(&default_collection(), &"ab".repeat(32)).unwrap();
    assert!(
        cited(&library),
        "a hidden conversation can still be opened after it is brought back"
    );
    assert_eq!(library.purge_conversations(210, 10).unwrap(), 1);
    assert!(!library.restore_conversation(hidden).unwrap(), "it is too late");
    assert!(!cited(&library));
    assert!(library.answer(AnswerId(Uuid::from_u128(701))).unwrap().is_none());
}

#[test]
fn an_answer_needs_its_conversation() {
    let folder = tempfile::tempdir().unwrap();
    let library = writable(folder.path());
    let stored = library.store_answer(Uuid::from_u128(5), &answer(1, None, None), 1);
    assert!(matches!(stored, Err(Error::UnknownConversation)));
}

#[test]
fn conversations_are_found_by_all_their_words_whatever_the_case() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let library = writable(folder.path());
    let (first, second) = (Uuid::from_u128(1), Uuid::from_u128(2));
    library.create_conversation(first, "Spending", 1).expect("created");
    library
        .create_conversation(second, "Über Schulden", 2)
        .expect("created");
    library.store_answer(first, &answer(11, None, None), 3).expect("stored");
    let found = |words: &[&str]| -> Vec<Uuid> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let found = library.conversations_with(&words).expect("read");
        found.into_iter().map(|conversation| conversation.id).collect()
    };
    assert_eq!(
        found(&["CAPEX", "1,577"]),
        [first],
        "a word of the question and one of the answer"
    );
    assert_eq!(found(&["spending", "million"]), [first]);
    assert_eq!(found(&["über"]), [second]);
    assert!(found(&["capex", "über"]).is_empty());
    assert!(found(&["question"]).is_empty(), "names of stored fields are no words");
    assert_eq!(found(&[]), [first, second], "all, the last used first");
}

#[test]
fn a_trace_is_kept_with_its_answer_and_goes_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let library = writable(folder.path());
    let conversation = Uuid::from_u128(1);
    library.create_conversation(conversation, "Capex", 1).expect("created");
    let one = answer(5, Some("small"), None);
    let trace = Trace {
        calls: vec![TracedCall {
            stage: "generate".to_owned(),
            model: "small".to_owned(),
            document_id: None,
            request: recto_core::ChatRequest::default(),
            events: vec![recto_core::ChatEvent::Delta("$1,577 million [1]".to_owned())],
            error: None,
        }],
        ..Trace::default()
    };
    assert!(library.store_trace(one.id, &trace).is_err(), "there is no such answer");
    library.store_answer(conversation, &one, 2).expect("stored");
    assert_eq!(library.trace(one.id).expect("read"), None);
    library.store_trace(one.id, &trace).expect("stored");
    assert_eq!(library.trace(one.id).expect("read"), Some(trace));
    assert_eq!(library.answer_ids("0000", 5).expect("read"), [one.id]);
    assert_eq!(library.answer_ids("%", 5).expect("read"), []);
    library.delete_conversation(conversation).expect("deleted");
    assert_eq!(library.trace(one.id).expect("read"), None);
}
