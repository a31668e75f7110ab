//! Tables: where they are found, how they are cut, and where none may be seen.

use crate::fixture::{FixturePage, bold, paragraph, pdf, text};
use crate::read;
use recto_core::{Document, Item, Label, TableGrid};
use recto_document::export;
use std::fmt::Write;

fn tables(document: &Document) -> Vec<&Item> {
    document
        .items
        .iter()
        .filter(|item| item.label == Label::Table)
        .collect()
}

fn grid(item: &Item) -> &TableGrid {
    item.table.as_ref().expect("a table has a grid")
}

/// The texts of a row; cells that begin in another row or column are blank.
fn row(item: &Item, row: u32) -> Vec<&str> {
    let grid = grid(item);
    let mut out = vec![""; grid.columns as usize];
    for cell in grid.cells.iter().filter(|cell| cell.row == row) {
        out[cell.column as usize] = &cell.text;
    }
    out
}

fn line(x0: f32, y0: f32, x1: f32, y1: f32) -> String {
    format!("{x0} {y0} m {x1} {y1} l S\n")
}

/// Lines at these places, over the whole of the other direction.
fn rules(xs: &[f32], ys: &[f32]) -> String {
    let mut out = String::new();
    let (left, right) = (xs[0], xs[xs.len() - 1]);
    let (bottom, top) = (ys[ys.len() - 1], ys[0]);
    for y in ys {
        out += &line(left, *y, right, *y);
    }
    for x in xs {
        out += &line(*x, bottom, *x, top);
    }
    out
}

/// Cells of one row, each at its place.
fn cells(y: f32, places: &[f32], texts: &[&str]) -> String {
    places
        .iter()
        .zip(texts)
        .filter(|(_, words)| !words.is_empty())
        .fold(String::new(), |out, (x, words)| out + &text(10.0, *x, y, words))
}

const PROSE: [&str; 4] = [
    "A paragraph before the table, which has to stay a paragraph although the table",
    "follows closely and has words that stand on baselines of their own, as words in",
    "tables do. It has several lines, so that its end can be told from the beginning",
    "of what comes next.",
];

/// Every character of the item's text is covered by a word with the same text, or is a separator.
fn assert_covered(document: &Document, item: &Item) {
    let mut end = 0;
    for span in &item.words {
        let between = &item.text[end..span.start as usize];
        assert!(
            between.chars().all(|c| matches!(c, ' ' | '|' | '-' | '\n')),
            "only separators lie between words, not {between:?}"
        );
        let page = document
            .pages
            .iter()
            .find(|p| p.number == span.page)
            .expect("the page is there");
        let word = &page.words[span.word as usize];
        assert_eq!(
            &item.text[span.start as usize..span.end as usize],
            &page.text[word.start as usize..word.end as usize]
        );
        end = span.end as usize;
    }
}

#[test]
fn a_ruled_table_has_its_rows_columns_and_boxes_and_text_around_it_stays_text() {
    let content = paragraph(72.0, 740.0, &PROSE)
        + &rules(&[72.0, 200.0, 300.0, 400.0], &[680.0, 660.0, 640.0])
        + &cells(666.0, &[76.0, 204.0, 304.0], &["Name", "Colour", "Weight"])
        + &cells(646.0, &[76.0, 204.0, 304.0], &["Apple", "red", "120 g"])
        + &paragraph(72.0, 600.0, &["A paragraph after the table."]);
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    let labels: Vec<Label> = document.items.iter().map(|item| item.label).collect();
    assert_eq!(labels, [Label::Text, Label::Table, Label::Text]);
    let table = &document.items[1];
    assert_eq!((grid(table).rows, grid(table).columns), (2, 3));
    assert_eq!(row(table, 0), ["Name", "Colour", "Weight"]);
    assert_eq!(row(table, 1), ["Apple", "red", "120 g"]);
    assert_covered(&document, table);
    for cell in &grid(table).cells {
        let at = cell.at.expect("a cell has a box");
        assert_eq!(at.page, 1);
        assert!(
            at.rect.top > 112.0 && at.rect.bottom < 152.0,
            "{at:?} lies between the rules"
        );
    }
    assert!(
        document.pages[0]
            .text
            .contains("\n\nName Colour Weight\nApple red 120 g\n\n")
    );
}

#[test]
fn a_cell_over_several_columns_or_rows_of_a_ruled_table_is_one_cell() {
    // The head: "Item" over two rows, "Sales" over two columns.
    let mut content = rules(&[72.0, 200.0, 300.0, 400.0], &[700.0, 660.0, 640.0, 620.0]);
    content = content.replace(&line(300.0, 620.0, 300.0, 700.0), &line(300.0, 620.0, 300.0, 680.0));
    content += &line(200.0, 680.0, 400.0, 680.0);
    content += &cells(686.0, &[240.0], &["Sales by year"]);
    content += &cells(676.0, &[76.0], &["Item"]);
    content += &cells(666.0, &[204.0, 304.0], &["2022", "2023"]);
    content += &cells(646.0, &[76.0, 204.0, 304.0], &["Phones", "12", "13"]);
    content += &cells(626.0, &[76.0, 204.0, 304.0], &["Tablets", "7", "5"]);
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    let table = tables(&document)[0];
    let cell = |text: &str| {
        grid(table)
            .cells
            .iter()
            .find(|c| c.text == text)
            .expect("the cell is there")
    };
    assert_eq!(
        (cell("Sales by year").column, cell("Sales by year").column_span),
        (1, 2)
    );
    assert_eq!((cell("Item").row, cell("Item").row_span), (0, 2));
    assert!(cell("Item").column_header && cell("2022").column_header && !cell("12").column_header);
    assert!(cell("Phones").row_header && !cell("12").row_header);
    assert_eq!(row(table, 2), ["Phones", "12", "13"]);
}

#[test]
fn lines_of_one_ruled_cell_are_one_cell() {
    let content = rules(&[72.0, 200.0, 400.0], &[700.0, 680.0, 640.0, 600.0])
        + &cells(686.0, &[76.0, 204.0], &["Term", "Meaning"])
        + &cells(666.0, &[76.0, 204.0], &["Alpha", "The first letter, which begins"])
        + &cells(654.0, &[204.0], &["the alphabet."])
        + &cells(626.0, &[76.0, 204.0], &["Omega", "The last letter, which ends it"])
        + &cells(614.0, &[204.0], &["after all."]);
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    let table = tables(&document)[0];
    assert_eq!(grid(table).rows, 3);
    assert_eq!(row(table, 1), ["Alpha", "The first letter, which begins the alphabet."]);
}

#[test]
fn figures_below_each_other_are_a_table_and_signs_join_their_number() {
    let places = [72.0, 300.0, 312.0, 400.0, 412.0];
    let content = bold(10.0, 72.0, 740.0, "Table 1. Results of the group")
        + &text(10.0, 72.0, 726.0, "\\(in millions\\)")
        + &cells(706.0, &[312.0, 412.0], &["2023", "2022"])
        + &cells(692.0, &[72.0], &["Revenue:"])
        + &cells(678.0, &places, &["Products", "$", "1,577", "$", "1,403"])
        + &cells(664.0, &places, &["Services", "", "(12", "", "8"])
        + &text(10.0, 331.0, 664.0, "\\)")
        + &cells(650.0, &places, &["Total", "$", "1,565", "$", "1,411"])
        + &paragraph(
            72.0,
            610.0,
            &["Figures are rounded to the next million, so sums may differ in their last digit."],
        );
    let content = content.replace("((12)", "(\\(12)");
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    let found = tables(&document);
    assert_eq!(found.len(), 1);
    let table = found[0];
    assert_eq!(row(table, 0), ["", "2023", "2022"]);
    assert_eq!(row(table, 1), ["Revenue:", "", ""]);
    assert_eq!(row(table, 2), ["Products", "$1,577", "$1,403"]);
    assert_eq!(row(table, 3), ["Services", "(12)", "8"]);
    assert_eq!(row(table, 4), ["Total", "$1,565", "$1,411"]);
    assert!(grid(table).cells.iter().filter(|c| c.row == 0).all(|c| c.column_header));
    assert_covered(&document, table);
    let texts: Vec<&str> = document.items.iter().map(|item| item.text.as_str()).collect();
    assert!(
        texts.iter().any(|t| t.contains("Table 1. Results")),
        "the title stays outside"
    );
    assert!(
        texts.iter().any(|t| t.starts_with("Figures are rounded")),
        "the note stays outside"
    );
}

#[test]
fn a_label_of_two_lines_is_one_row_and_so_is_a_head_of_two_lines() {
    let content = line(72.0, 722.0, 460.0, 722.0)
        + &cells(710.0, &[310.0, 400.0], &["Fair", "Carrying"])
        + &cells(698.0, &[310.0, 400.0], &["value", "amount"])
        + &line(72.0, 692.0, 460.0, 692.0)
        + &cells(680.0, &[72.0, 310.0, 400.0], &["Cash", "15", "14"])
        + &cells(668.0, &[72.0], &["Bonds that are held to maturity and"])
        + &cells(656.0, &[80.0, 310.0, 400.0], &["notes of banks", "25", "24"])
        + &cells(644.0, &[72.0, 310.0, 400.0], &["Shares", "35", "34"])
        + &line(72.0, 638.0, 460.0, 638.0);
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    let table = tables(&document)[0];
    assert_eq!(row(table, 0), ["", "Fair value", "Carrying amount"]);
    assert_eq!(
        row(table, 2),
        ["Bonds that are held to maturity and notes of banks", "25", "24"]
    );
    assert_eq!(grid(table).rows, 4);
}

#[test]
fn a_name_over_a_rule_spans_the_columns_below_it() {
    let places = [72.0, 250.0, 310.0, 370.0, 430.0];
    let content = cells(712.0, &[262.0, 382.0], &["Last quarter", "This quarter"])
        + &line(250.0, 708.0, 335.0, 708.0)
        + &line(370.0, 708.0, 455.0, 708.0)
        + &cells(696.0, &places[1..], &["Plan", "Done", "Plan", "Done"])
        + &cells(682.0, &places, &["North", "10", "12", "14", "13"])
        + &cells(668.0, &places, &["South", "20", "22", "24", "23"])
        + &cells(654.0, &places, &["West", "30", "32", "34", "33"]);
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    let table = tables(&document)[0];
    let spans: Vec<(u32, u32)> = grid(table)
        .cells
        .iter()
        .filter(|c| c.row == 0)
        .map(|c| (c.column, c.column_span))
        .collect();
    assert_eq!(spans, [(1, 2), (3, 2)]);
    assert_eq!(row(table, 1), ["", "Plan", "Done", "Plan", "Done"]);
    assert!(export::markdown(&document).starts_with("| | Last quarter Plan | Last quarter Done |"));
}

#[test]
fn bands_of_colour_part_rows_of_text() {
    let mut content = String::new();
    for (index, y) in [700.0f32, 660.0, 620.0, 580.0].iter().enumerate() {
        let shade = if index % 2 == 0 { "0.9" } else { "0.8" };
        let _ = writeln!(content, "{shade} g 72 {} 400 40 re f 0 g", y - 40.0);
        content += &cells(
            y - 14.0,
            &[76.0, 220.0],
            &[["One", "Two", "Three", "Four"][index], "What this row means is said"],
        );
        content += &cells(y - 26.0, &[220.0], &["in two lines of text."]);
    }
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    let table = tables(&document)[0];
    assert_eq!((grid(table).rows, grid(table).columns), (4, 2));
    assert_eq!(
        row(table, 2),
        ["Three", "What this row means is said in two lines of text."]
    );
}

#[test]
fn table_over_two_pages() {
    let places = [72.0, 300.0, 400.0];
    let head = |y: f32| cells(y, &places, &["Station", "Opened", "Visitors"]) + &line(72.0, y - 4.0, 450.0, y - 4.0);
    let rows = |from: u32, to: u32, top: f32| {
        (from..to).fold(String::new(), |out, n| {
            let y = top - 14.0 * (n - from) as f32;
            let (name, year, count) = (
                format!("Stop {n}"),
                format!("{}", 1900 + n),
                format!("{},{:03}", n, 7 * n),
            );
            out + &cells(y, &places, &[&name, &year, &count])
        })
    };
    let first = paragraph(72.0, 740.0, &PROSE) + &head(660.0) + &rows(1, 41, 640.0);
    let second = head(740.0) + &rows(41, 61, 720.0) + &paragraph(72.0, 400.0, &PROSE);
    let document = read(&pdf(&[FixturePage::letter(&first), FixturePage::letter(&second)]));
    let found = tables(&document);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].page_numbers(), [1]);
    assert_eq!(found[1].page_numbers(), [2]);
    assert_eq!(found[0].continues, None);
    assert_eq!(found[1].continues.as_deref(), Some(found[0].self_ref.as_str()));
    assert_eq!((grid(found[0]).rows, grid(found[1]).rows), (41, 21));
    assert!(
        grid(found[1])
            .cells
            .iter()
            .filter(|c| c.row == 0)
            .all(|c| c.column_header)
    );
}

#[test]
fn prose_in_two_columns_is_no_table() {
    let left: Vec<String> = (0..20)
        .map(|n| format!("left line {n} of words that fill the column"))
        .collect();
    let right: Vec<String> = (0..20)
        .map(|n| format!("right line {n} of words that fill it as well"))
        .collect();
    let lines = |lines: &[String], x: f32| {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        paragraph(x, 700.0, &lines)
    };
    let content = lines(&left, 72.0) + &lines(&right, 330.0);
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    assert!(tables(&document).is_empty());
}

#[test]
fn a_printed_contents_page_is_no_table() {
    let entries = [
        "Letter to owners",
        "Our business",
        "Risks",
        "Results",
        "Statements",
        "Notes",
        "Signatures",
    ];
    let content = entries
        .iter()
        .zip(0u8..)
        .fold(bold(14.0, 250.0, 740.0, "Contents"), |out, (entry, n)| {
            let y = 700.0 - 16.0 * f32::from(n);
            out + &cells(y, &[72.0, 500.0], &[entry, &format!("{}", 3 + 11 * n)])
        });
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    assert!(tables(&document).is_empty());
}

#[test]
fn lists_boxed_prose_and_plots_are_no_tables() {
    let list = (0..5u8).fold(String::new(), |out, n| {
        out + &cells(
            700.0 - 14.0 * f32::from(n),
            &[72.0, 100.0],
            &[&format!("{}.", n + 1), "an entry of a list with a number"],
        )
    });
    let boxed = rules(&[66.0, 540.0], &[600.0, 540.0]) + &paragraph(72.0, 588.0, &PROSE);
    let plot = rules(&[100.0, 160.0, 220.0, 280.0], &[480.0, 440.0, 400.0])
        + "100 400 m 160 450 l 220 420 l 280 470 l S\n"
        + &cells(388.0, &[96.0, 156.0, 216.0, 276.0], &["2001", "2002", "2003", "2004"])
        + &cells(398.0, &[80.0], &["0"])
        + &cells(438.0, &[80.0], &["5"])
        + &cells(478.0, &[80.0], &["10"]);
    let document = read(&pdf(&[FixturePage::letter(&(list + &boxed + &plot))]));
    assert!(tables(&document).is_empty());
}

#[test]
fn cells_have_boxes_in_docling_json() {
    let content = rules(&[72.0, 200.0, 300.0], &[700.0, 680.0, 660.0])
        + &cells(686.0, &[76.0, 204.0], &["Name", "Count"])
        + &cells(666.0, &[76.0, 204.0], &["Apple", "3"]);
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    let json = export::docling(&document, "fixture");
    let table = &json["tables"][0];
    assert_eq!(table["label"], "table");
    let cell = &table["data"]["table_cells"][0];
    assert_eq!(cell["text"], "Name");
    let left = cell["bbox"]["l"].as_f64().expect("a number");
    assert!((left - 76.0).abs() < 2.0, "{left} is where the word begins");
}

/// The number of a table, its title in other letters, and the table: the title is the caption's, not a paragraph.
#[test]
fn the_title_between_a_table_s_number_and_the_table_is_its_caption() {
    let page = bold(10.0, 72.0, 700.0, "TABLE 1.03")
        + &text(10.0, 72.0, 687.0, "Percent of employees who took part")
        + &rules(&[70.0, 200.0, 300.0, 400.0], &[680.0, 660.0, 640.0, 620.0])
        + &cells(666.0, &[75.0, 205.0, 305.0], &["Year", "2014", "2015"])
        + &cells(646.0, &[75.0, 205.0, 305.0], &["Target", "80", "85"])
        + &cells(626.0, &[75.0, 205.0, 305.0], &["Result", "82", "84"])
        + &text(
            10.0,
            72.0,
            560.0,
            "A paragraph after it that says nothing of the table and is long enough.",
        );
    let document = read(&pdf(&[FixturePage::letter(&page)]));
    let table = tables(&document)[0];
    let caption = document
        .items
        .iter()
        .find(|item| item.label == Label::Caption)
        .expect("a caption");
    assert_eq!(caption.text, "TABLE 1.03 Percent of employees who took part");
    assert_eq!(caption.parent.as_deref(), Some(table.self_ref.as_str()));
}
