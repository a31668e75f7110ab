use super::*;
use recto_testkit::DocumentBuilder;

fn card(first: &str, title: &str, uri: &str) -> DocumentCard {
    let document = Document {
        pages: vec![page(1, first)],
        ..Document::default()
    };
    describe(&document, title, uri, &Lexicon::standard())
}

fn page(number: u32, text: &str) -> Page {
    Page {
        number,
        text: text.to_owned(),
        ..Page::default()
    }
}

const COVER: &str = "UNITED STATES\nSECURITIES AND EXCHANGE COMMISSION\n\nFORM 10-Q\n\n\
    For the quarterly period ended June 25, 2022\n\nACME WIDGETS, INC.\n____\n\
    (Exact name of registrant as specified in its charter)\n\n\
    Common Stock, $0.001 par value ACMW The Nasdaq Stock Market LLC\n";

#[test]
fn a_cover_names_who_files_what_for_which_period() {
    let found = card(COVER, "FORM 10-Q", "/filings/2022 Q3 ACMW.pdf");
    assert_eq!(found.names[0], "ACME WIDGETS, INC.");
    assert!(found.names.contains(&"ACMW".to_owned()));
    assert!(
        !found
            .names
            .iter()
            .any(|name| name.contains("EXCHANGE") || name.contains("10-Q")),
        "{:?}",
        found.names
    );
    assert_eq!(found.kinds[0], "10-q");
    assert_eq!(
        found.periods[0],
        Period {
            year: 2022,
            quarter: Some(3)
        },
        "the file name is surest"
    );
    assert_eq!(found.ends.as_deref(), Some("2022-06-25"));
}

#[test]
fn a_name_and_a_year_are_read_off_a_file_name_alone() {
    let found = describe_name(
        "Annual Report",
        "C:\\reports\\Globex_annual_report_FY18.pdf",
        &Lexicon::standard(),
    );
    assert_eq!(found.names, ["Globex"]);
    assert_eq!(found.kinds, ["10-k", "annual report"]);
    assert_eq!(
        found.periods,
        [Period {
            year: 2018,
            quarter: None
        }]
    );
}

#[test]
fn the_title_before_chunks_says_who_and_when() {
    let found = card(COVER, "FORM 10-Q", "/filings/2022 Q3 ACMW.pdf");
    let standard = Lexicon::standard();
    assert_eq!(
        context_title("FORM 10-Q", &found, &standard),
        "ACME WIDGETS, INC. FORM 10-Q, Q3 2022"
    );
    assert_eq!(
        context_title("Report for Q3 2022", &found, &standard),
        "Report for Q3 2022"
    );
    assert_eq!(context_title("Notes", &DocumentCard::default(), &standard), "Notes");
}

const BALANCE: &str = "Acme Widgets, Inc.\nCONDENSED CONSOLIDATED BALANCE SHEETS (Unaudited)\n(In millions)\n\
    June 25, 2022 September 25, 2021\nCash and cash equivalents $ 27,502 $ 34,940\nInventories 5,433 6,580\n\
    Total current assets 112,292 134,836\nTotal assets 336,309 351,002\nAccounts payable 48,343 54,763\n\
    Total current liabilities 129,873 125,481\n";

fn kinds_of(text: &str) -> Vec<(String, bool)> {
    pages::tag(&[page(1, text)], &Lexicon::standard())
        .into_iter()
        .map(|tag| (tag.kind, tag.strength > 0.8))
        .collect()
}

#[test]
fn a_statement_is_told_by_its_title_and_its_rows() {
    assert_eq!(kinds_of(BALANCE), [("balance_sheet".to_owned(), true)]);
    let tags = pages::tag(&[page(1, BALANCE)], &Lexicon::standard());
    assert_eq!(tags[0].years, [2021, 2022]);
}

#[test]
fn a_page_that_only_talks_of_a_statement_is_none() {
    let prose = "Critical accounting estimates\nOur balance sheets include inventories and total assets. As the balance \
        sheets show, total current assets fell from the year before, which is discussed in note 4 and in note 5.\n";
    assert!(kinds_of(prose).iter().all(|(kind, _)| kind != "balance_sheet"));
}

#[test]
fn a_contents_page_is_none_of_what_it_lists() {
    let contents = "TABLE OF CONTENTS\nPage\nCondensed Consolidated Balance Sheets 3\nStatements of Operations 4\n\
        Statements of Cash Flows 5\nRisk Factors 21\nLegal Proceedings 20\nControls and Procedures 19\nSignatures 30\n";
    assert_eq!(kinds_of(contents), [("contents".to_owned(), true)]);
}

#[test]
fn pages_of_other_kinds_are_told_by_their_headings() {
    assert!(
        kinds_of("Appendix B\nWords follow here.\n")
            .iter()
            .any(|(kind, _)| kind == "appendix")
    );
    assert!(
        kinds_of("Item 1A. Risk Factors\nThe following may harm us.\n")
            .iter()
            .any(|(kind, _)| kind == "risk_factors")
    );
}

#[test]
fn abbreviations_come_from_the_document_itself() {
    let document = DocumentBuilder::new("Report")
        .page()
        .paragraph("Property, plant and equipment (PP&E) is stated at cost.")
        .build();
    let found = describe(&document, "Report", "/report.pdf", &Lexicon::standard());
    assert_eq!(found.abbreviations.len(), 1);
    assert_eq!(found.abbreviations[0].short, "PP&E");
    assert_eq!(found.abbreviations[0].long, "Property, plant and equipment");
}

#[test]
fn names_are_meant_by_their_words_their_beginning_and_their_initials() {
    let meant = |name: &str, asked: &str| {
        let capitals = !asked.chars().any(char::is_lowercase);
        Name::new(name).is_meant_by(&crate::phrase::plain_words(asked), capitals)
    };
    assert!(meant("AMAZON.COM, INC.", "Amazon"));
    assert!(meant("Advanced Micro Devices, Inc.", "advanced micro devices"));
    assert!(meant("Advanced Micro Devices, Inc.", "AMD"));
    assert!(meant("Johnson & Johnson", "Johnson"));
    assert!(
        !meant("Advanced Micro Devices, Inc.", "amd"),
        "initials are typed in capitals"
    );
    assert!(!meant("Report Holdings", "report"), "a common word names nobody");
    assert!(!meant("Apple Inc.", "inc"));
}
