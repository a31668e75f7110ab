use super::*;
use recto_core::{PageRect, Rect, Word};

/// A page of lines, each letter five points wide, each line twelve points high.
fn page(number: u32, lines: &[&str]) -> Page {
    let mut page = Page {
        number,
        width: 600.0,
        height: 800.0,
        ..Page::default()
    };
    for (line, text) in lines.iter().enumerate() {
        if line > 0 {
            page.text.push('\n');
        }
        let top = 300.0 + 12.0 * line as f32;
        let mut left = 50.0;
        for (index, word) in text.split(' ').enumerate() {
            if index > 0 {
                page.text.push(' ');
                left += 5.0;
            }
            let start = page.text.len() as u32;
            page.text.push_str(word);
            let right = left + 5.0 * word.chars().count() as f32;
            page.words.push(Word {
                start,
                end: page.text.len() as u32,
                rect: Rect::new(left, top, right, top + 10.0),
                line: line as u32,
                font_size: 10.0,
                bold: false,
                italic: false,
                confidence: None,
            });
            left = right;
        }
    }
    page
}

fn find(pages: &[Page], quote: &str) -> Vec<QuoteMatch> {
    locate(pages, &[], quote, &LocateHint::default())
}

#[test]
fn a_quote_over_two_lines_has_one_box_per_line_around_its_words_only() {
    let pages = [page(1, &["The total net sales", "rose by 8% in 2022. More"])];
    let found = find(&pages, "net sales rose by 8% in 2022.");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].kind, MatchKind::Verbatim);
    let rects: Vec<Rect> = found[0].rects.iter().map(|r| r.rect).collect();
    assert_eq!(
        rects,
        [
            Rect::new(100.0, 300.0, 145.0, 310.0),
            Rect::new(50.0, 312.0, 145.0, 322.0)
        ]
    );
}

#[test]
fn ligatures_quotes_dashes_case_and_hyphenation_do_not_hide_a_quote() {
    let pages = [page(1, &["The “ﬁrst” inter-", "national oﬀer — accepted"])];
    let found = find(&pages, "the \"first\" international offer - accepted");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].kind, MatchKind::Normalised);
    assert_eq!(found[0].rects.len(), 2);
}

#[test]
fn a_word_broken_at_a_line_end_is_quoted_whole_and_verbatim() {
    let pages = [page(
        1,
        &[
            "The notes out-",
            "standing are long-",
            "term debt, as well-",
            "being goes",
        ],
    )];
    let whole = "notes outstanding are long-term debt, as wellbeing goes";
    let found = find(&pages, whole);
    assert_eq!((found[0].kind, found[0].text.as_str()), (MatchKind::Verbatim, whole));
    // Within a line a hyphen is a matter of spelling.
    let pages = [page(1, &["The long-term notes"])];
    let found = find(&pages, "The longterm notes");
    assert_eq!(
        (found[0].kind, found[0].text.as_str()),
        (MatchKind::Normalised, "The long-term notes")
    );
}

#[test]
fn a_dollar_sign_set_apart_is_the_same_amount() {
    let pages = [page(1, &["Total net sales $ 82,959 $ 81,434"])];
    assert_eq!(find(&pages, "Total net sales $82,959 $81,434").len(), 1);
    assert_eq!(find(&pages, "82,959").len(), 1);
}

#[test]
fn a_number_is_never_found_inside_another() {
    let pages = [page(1, &["It was 182,959 and -5 and 3.14 of 2019-2020"])];
    for quote in ["82,959", "2,959", "182", "5", "3.1", "14"] {
        assert!(find(&pages, quote).is_empty(), "{quote}");
    }
    assert_eq!(find(&pages, "2020").len(), 1);
}

#[test]
fn a_near_match_needs_every_number_to_agree() {
    let pages = [page(
        1,
        &["Operating income increased to 23,076 million in the third quarter of 2022"],
    )];
    let near = find(
        &pages,
        "Operating incomes increased to 23,076 million in the 3rd quarter of 2022",
    );
    assert!(near.is_empty(), "3rd is a number the document does not have");
    let near = find(
        &pages,
        "Operating incomes increased to 23,076 millions in the third quarter of 2022",
    );
    assert_eq!(near.len(), 1);
    assert_eq!(near[0].kind, MatchKind::Fuzzy);
    let other = find(
        &pages,
        "Operating income increased to 23,078 million in the third quarter of 2022",
    );
    assert!(other.is_empty(), "another figure is not the same statement");
}

#[test]
fn words_that_are_not_there_are_not_marked() {
    let pages = [page(1, &["The quick brown fox jumps over the lazy dog"])];
    assert!(find(&pages, "The slow green turtle sleeps under the busy cat").is_empty());
    assert!(find(&pages, "").is_empty());
    assert!(find(&pages, " — ").is_empty());
}

#[test]
fn t69_words_at_a_page_join_stay_two_words() {
    let pages = [page(1, &["it was said by the"]), page(2, &["rapist of the story"])];
    assert!(
        find(&pages, "therapist").is_empty(),
        "the last word of a page is not glued to the first of the next"
    );
    let found = find(&pages, "by the rapist of");
    assert_eq!(found.len(), 1);
    let on: Vec<u32> = found[0].rects.iter().map(|r| r.page).collect();
    assert_eq!(on, [1, 2]);
    assert_eq!(found[0].text, "by the rapist of");
}

#[test]
fn furniture_between_pages_does_not_break_a_sentence() {
    let footed = |number: u32, lines: &[&str]| {
        let mut page = page(number, lines);
        let foot = format!("Acme Report {number}");
        page.text.push('\n');
        for word in foot.split(' ') {
            let start = page.text.len() as u32;
            page.text.push_str(word);
            page.words.push(Word {
                start,
                end: page.text.len() as u32,
                rect: Rect::new(50.0, 770.0, 90.0, 780.0),
                line: 99,
                font_size: 8.0,
                bold: false,
                italic: false,
                confidence: None,
            });
            page.text.push(' ');
        }
        page
    };
    let pages = [
        footed(1, &["alpha beta gamma"]),
        footed(2, &["delta epsilon zeta"]),
        footed(3, &["eta theta"]),
    ];
    let found = find(&pages, "gamma delta epsilon");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].text, "gamma delta epsilon");
    assert_eq!(find(&pages, "Acme Report 2").len(), 1, "furniture can be quoted too");
}

#[test]
fn repeats_are_ordered_by_nearness_to_the_hint_then_by_place() {
    let lines = ["same words here", "other text", "same words here"];
    let pages = [page(1, &lines), page(2, &lines)];
    let tops = |hint: &LocateHint| -> Vec<(u32, f32)> {
        locate(&pages, &[], "same words here", hint)
            .iter()
            .map(|m| (m.rects[0].page, m.rects[0].rect.top))
            .collect()
    };
    let none = tops(&LocateHint::default());
    assert_eq!(none, [(1, 300.0), (1, 324.0), (2, 300.0), (2, 324.0)]);
    let by_page = tops(&LocateHint {
        pages: vec![2],
        ..LocateHint::default()
    });
    assert_eq!(by_page[0], (2, 300.0));
    let by_box = tops(&LocateHint {
        boxes: vec![PageRect {
            page: 2,
            rect: Rect::new(50.0, 330.0, 60.0, 340.0),
        }],
        ..LocateHint::default()
    });
    assert_eq!(by_box[0], (2, 324.0));
}

#[test]
fn words_in_the_order_of_another_extractor_are_found_piece_by_piece() {
    let pages = [page(
        1,
        &[
            "Net sales of services Gross margin of products",
            "rose in all regions fell in most regions",
        ],
    )];
    let found = find(
        &pages,
        "Net sales of services rose in all regions Gross margin of products fell in most regions",
    );
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].kind, MatchKind::Fuzzy);
    assert_eq!(found[0].rects.len(), 2);
}

#[test]
fn documents_without_pages_give_spans() {
    let items = [
        ("#/texts/0".to_owned(), "First paragraph here.".to_owned()),
        ("#/texts/1".to_owned(), "Second one, with an Übung.".to_owned()),
    ];
    let found = locate(&[], &items, "with an übung", &LocateHint::default());
    assert_eq!(found.len(), 1);
    assert!(found[0].rects.is_empty());
    let span = &found[0].spans[0];
    assert_eq!(span.self_ref, "#/texts/1");
    assert_eq!(&items[1].1[span.start as usize..span.end as usize], "with an Übung.");
}

#[test]
fn the_row_of_a_table_is_found_though_the_page_has_bars_of_its_own() {
    let lines = [
        "Net sales:",
        "Products $ 73,929 $ 77,457",
        "Total net sales 94,836 97,278 (3)%",
        "Alpha Inc. | Q2 2023 Form 10-Q | 1",
    ];
    let pages = [page(1, &lines)];
    for (quote, line) in [
        ("| Total net sales | 94,836 | 97,278 | (3)% |", 2),
        ("Total net sales | 94,836", 2),
        ("|Products|$73,929|$77,457|", 1),
        ("Alpha Inc. | Q2 2023 Form 10-Q | 1", 3),
    ] {
        let found = find(&pages, quote);
        assert_eq!(found.len(), 1, "{quote}");
        assert_eq!(found[0].kind, MatchKind::Verbatim, "{quote}");
        assert_eq!(found[0].rects[0].rect.top, 300.0 + 12.0 * line as f32, "{quote}");
    }
    let rows = find(
        &pages,
        "| Products | $73,929 | $77,457 |\n| --- | --- | --- |\n| Total net sales | 94,836 | 97,278 | (3)% |",
    );
    assert_eq!(rows[0].rects.len(), 2, "two rows, the rule between them is no word");
}
