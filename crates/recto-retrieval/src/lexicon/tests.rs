use super::*;

fn related(question: &str) -> Vec<String> {
    let standard = Lexicon::standard();
    standard.read(question).related.into_iter().map(str::to_owned).collect()
}

#[test]
fn a_word_brings_its_synonyms_and_a_ratio_the_lines_it_is_computed_from() {
    assert!(related("What was the capex in FY2018?").contains(&"capital expenditures".to_owned()));
    assert!(related("purchases of property, plant & equipment").contains(&"capex".to_owned()));
    let lines = related("Is the quick ratio healthy?");
    for line in ["inventories", "total current liabilities"] {
        assert!(lines.contains(&line.to_owned()), "{line} in {lines:?}");
    }
    assert!(related("How do I terminate the agreement?").contains(&"cancel".to_owned()));
    assert!(related("What is the capital of France?").is_empty());
}

#[test]
fn what_the_question_says_itself_is_not_added() {
    let found = related("Does capex mean capital expenditures?");
    assert!(
        !found.is_empty()
            && !found
                .iter()
                .any(|phrase| phrase == "capex" || phrase == "capital expenditures")
    );
}

#[test]
fn a_question_names_or_implies_the_kind_of_page_it_is_answered_on() {
    let standard = Lexicon::standard();
    assert_eq!(
        standard.read("net income in the income statement").pages,
        ["income_statement"]
    );
    assert_eq!(standard.read("What is the current ratio?").pages, ["balance_sheet"]);
    assert_eq!(standard.read("What does the glossary say?").pages, ["glossary"]);
    assert!(standard.read("What is the capital of France?").pages.is_empty());
}

#[test]
fn a_question_says_whether_it_means_the_newest_or_several_documents() {
    let standard = Lexicon::standard();
    let broad = standard.read("How have sales changed over time?");
    assert!(broad.is_broad && !broad.latest);
    let latest = standard.read("What were sales in the most recent 10-Q?");
    assert!(latest.latest && !latest.is_broad);
    assert!(latest.documents.contains(&"10-q"));
}

#[test]
fn packs_of_ones_own_stand_beside_the_built_in_ones() {
    let pack = "[[term]]\nphrases = [\"widget\", \"gizmo\"]\n";
    let lexicon = Lexicon::with([pack]).expect("valid");
    assert_eq!(lexicon.read("gizmos sold").related, ["widget"]);
    assert!(!lexicon.read("capex").related.is_empty());
    assert!(Lexicon::with(["[[term]]\nphrase = [\"a slip\"]\n"]).is_err());
}
