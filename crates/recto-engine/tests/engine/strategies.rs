//! Outlines, answers made from them by a scripted model, and how they came about.

use crate::support::{COLLECTION, Desk, asking, harbour_report};
use recto_engine::contract::{AnswerStatus, AskLimits, Finding, Strategy};
use recto_testkit::{ScriptedModel, ScriptedReply};
use tokio_util::sync::CancellationToken;

const QUESTION: &str = "How high was the highest tide of the year at Eskmouth?";

#[tokio::test(flavor = "multi_thread")]
async fn a_document_has_an_outline_and_each_section_its_whole_text() {
    let desk = Desk::new().await;
    let report = desk.add(&[harbour_report()]).await;
    let id = &report.added[0].document_id;
    let names = [COLLECTION.to_owned()];
    let outline = desk.engine.outline(Some(&names), id).await.expect("an outline");
    assert!(outline.sections.len() >= 5, "{outline:?}");
    let numbers: Vec<u32> = outline.sections.iter().map(|section| section.number).collect();
    assert_eq!(numbers, (1..=outline.sections.len() as u32).collect::<Vec<_>>());
    assert!(outline.text.starts_with("# Tide Gauges of the Northern Harbours\n"));
    let mut whole = String::new();
    for section in outline.sections.iter().filter(|section| section.level == 1) {
        let read = desk.engine.section(None, id, section.number).await.expect("a section");
        assert_eq!(&read.section, section);
        assert_eq!(read.headings, std::slice::from_ref(&section.title));
        whole.push_str(&read.text);
    }
    assert!(
        whole.contains("4.87 metres"),
        "the outermost sections hold the whole text"
    );
    let missing = desk.engine.section(None, id, 999).await.expect_err("no such section");
    assert_eq!(missing.code.as_str(), "not_found");
    let notes = desk
        .add(&[desk.file("notes.txt", "No heading here.\n\nOnly two paragraphs.")])
        .await;
    let notes = desk
        .engine
        .outline(None, &notes.added[0].document_id)
        .await
        .expect("an outline");
    assert_eq!(notes.sections.len(), 1, "a text without headings can be named too");
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_from_outlines_is_stored_with_what_the_model_saw_and_said() {
    let model = ScriptedModel::responding(|request, _| {
        let prompt = request.prompt();
        if prompt.contains("Choose the sections") {
            let line = prompt
                .lines()
                .find(|line| line.contains("tide") || line.contains("Tide"))
                .unwrap_or_default();
            let number: String = line
                .chars()
                .skip_while(|c| *c != '[')
                .skip(1)
                .take_while(char::is_ascii_digit)
                .collect();
            let number = if number.is_empty() { "1".to_owned() } else { number };
            return ScriptedReply::text(&format!(
                "{{\"relevant\": [{number}, 1, 2, 3, 4, 5, 6], \"confidence\": 0.9}}"
            ));
        }
        ScriptedReply::text("The highest tide reached 4.87 metres [1].")
    });
    let settings = format!("[model]\nbase_url = \"{}\"\nname = \"scripted\"\n", model.base_url());
    let desk = Desk::with_settings(&settings).await;
    desk.add(&[harbour_report()]).await;
    let mut request = asking(QUESTION, Strategy::Outline);
    request.limits = AskLimits {
        documents: Some(0),
        ..AskLimits::default()
    };
    let answer = desk
        .engine
        .ask(request, CancellationToken::new(), &mut |_| {})
        .await
        .expect("asked");
    assert_eq!(
        (answer.status, answer.strategy),
        (AnswerStatus::Answered, Strategy::Outline),
        "{:?}",
        answer.error
    );
    assert_eq!(
        answer.findings.iter().map(|one| one.finding).collect::<Vec<_>>(),
        [Finding::Answered]
    );
    let id = answer.answer_id.clone().expect("stored");
    let desk = desk.reopen().await;
    let trace = desk.engine.trace(&id[..8]).await.expect("kept");
    assert_eq!(
        (trace.answer_id.as_str(), trace.strategy),
        (id.as_str(), Strategy::Outline)
    );
    let sent: Vec<String> = model
        .requests()
        .iter()
        .map(recto_testkit::RecordedRequest::prompt)
        .collect();
    let kept: Vec<String> = trace
        .calls
        .iter()
        .map(|call| {
            call.messages
                .iter()
                .map(|message| message.content.as_str())
                .collect::<Vec<_>>()
                .join("\n\n")
        })
        .collect();
    assert_eq!(kept, sent, "exactly what was sent");
    assert!(trace.calls[0].schema.is_some() && trace.calls[0].document_id.is_some());
    assert_eq!(trace.calls[1].reply, "The highest tide reached 4.87 metres [1].");
    assert!(trace.calls.iter().all(|call| call.complete) && !trace.decisions.is_empty());
    let asked = model.requests().len();
    let replayed = desk.engine.replay(&id[..8]).await.expect("made again");
    assert_eq!(
        (replayed.answer_id.as_str(), replayed.differing.len()),
        (id.as_str(), 0),
        "byte for byte"
    );
    assert_eq!(replayed.answer, answer);
    assert_eq!(model.requests().len(), asked, "no model was asked again");
    // Once the document has changed, what was asked then is not what would be asked now.
    let documents = desk.engine.list(None).await.expect("listed").documents;
    let document = documents[0].document_id.clone().expect("committed");
    desk.engine.delete(None, &document).await.expect("deleted");
    let replayed = desk.engine.replay(&id).await.expect("tried");
    assert!(
        replayed.differing.contains(&"text".to_owned()),
        "{:?}",
        replayed.differing
    );
    let unknown = desk.engine.trace("ffffffff-ffff").await.expect_err("no such answer");
    assert_eq!(unknown.code.as_str(), "not_found");
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_goes_on_from_the_one_before_it_in_its_conversation() {
    let desk = Desk::new().await;
    desk.add(&[harbour_report()]).await;
    desk.ask(QUESTION, Strategy::Quotes).await;
    let conversation = desk.engine.conversations().await.expect("kept")[0]
        .conversation_id
        .clone();
    let mut request = asking("And when was it?", Strategy::Quotes);
    request.conversation_id = Some(conversation);
    let answer = desk
        .engine
        .ask(request, CancellationToken::new(), &mut |_| {})
        .await
        .expect("asked");
    assert_eq!(answer.status, AnswerStatus::Answered);
    assert!(
        answer
            .citations
            .iter()
            .any(|citation| citation.quote.contains("4.87 metres")),
        "{}",
        answer.text
    );
    let trace = desk
        .engine
        .trace(answer.answer_id.as_deref().expect("stored"))
        .await
        .expect("kept");
    assert!(trace.calls.is_empty());
    assert!(
        trace.decisions[0].what.contains("highest tide"),
        "{:?}",
        trace.decisions
    );
    desk.engine.shutdown().await;
}
