//! Tables: where they are found, how they are cut, and where none may be seen.

use crate::fixture::{FixturePage, bold, paragraph, pdf, text};
use crate::ink::assert_cells_hold_their_words;
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

/// Thirteen columns of small print, a space and a half apart.
#[test]
fn t71_a_wide_table_keeps_its_columns_and_its_rows() {
    let row = |y: f32, label: &str, first: u32| {
        (0..12u16).fold(text(6.0, 36.0, y, label), |out, column| {
            let x = 110.0 + 40.0 * f32::from(column);
            out + &text(
                6.0,
                x,
                y,
                &format!("{},{:03}", first + u32::from(column), 100 + 7 * column),
            )
        })
    };
    let mut content = (0..12u16).fold(String::new(), |out, column| {
        out + &bold(
            6.0,
            110.0 + 40.0 * f32::from(column),
            700.0,
            &format!("{}", 2008 + column),
        )
    });
    for (index, label) in ["Containers", "Bulk", "Vehicles", "Timber", "Grain", "Fish"]
        .into_iter()
        .enumerate()
    {
        content += &row(690.0 - 9.0 * index as f32, label, 20 * (index as u32 + 1));
    }
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    assert_cells_hold_their_words(&document);
    let tables: Vec<_> = document.items.iter().filter_map(|item| item.table.as_ref()).collect();
    assert_eq!(tables.len(), 1);
    assert_eq!(
        (tables[0].rows, tables[0].columns),
        (7, 13),
        "neither rows nor columns are merged"
    );
}

/// Two columns of text with a table in the first and a picture's caption of two lines in the second.
#[test]
fn t71_what_stands_in_two_columns_is_read_column_by_column_and_captions_line_by_line() {
    let left: Vec<String> = (0..8)
        .map(|n| format!("left line {n} of words that fill the column"))
        .collect();
    // The last of them ends a sentence.
    let left: Vec<String> = left.into_iter().chain(["that ends here.".to_owned()]).collect();
    let right: Vec<String> = (0..20)
        .map(|n| format!("right line {n} of words that fill it as well"))
        .collect();
    let lines =
        |x: f32, top: f32, lines: &[String]| paragraph(x, top, &lines.iter().map(String::as_str).collect::<Vec<_>>());
    let content = lines(72.0, 700.0, &left)
        + &text(9.0, 72.0, 574.0, "Table 1. Catches of the fleet by species in")
        + &text(9.0, 72.0, 563.0, "each year of the report, in tonnes")
        + &rules(&[72.0, 172.0, 222.0, 272.0], &[552.0, 536.0, 520.0, 504.0])
        + &cells(540.0, &[76.0, 176.0, 226.0], &["Species", "2022", "2023"])
        + &cells(524.0, &[76.0, 176.0, 226.0], &["Cod", "812", "790"])
        + &cells(508.0, &[76.0, 176.0, 226.0], &["Herring", "91", "104"])
        + &lines(330.0, 700.0, &right);
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    let texts: Vec<&str> = document.items.iter().map(|item| item.text.as_str()).collect();
    let caption = "Table 1. Catches of the fleet by species in each year of the report, in tonnes";
    assert_eq!(texts.len(), 4, "{texts:?}");
    assert!(texts[0].starts_with("left line 0") && texts[3].starts_with("right line 0"));
    assert_eq!((texts[1], document.items[1].label), (caption, Label::Caption));
    assert_eq!(
        document.items[1].parent.as_deref(),
        Some(document.items[2].self_ref.as_str())
    );
}

/// A statement as filings set it: stripes of colour filled cell by cell, lines under single columns, labels without
/// figures, a currency sign at the edge of its column.
#[test]
fn a_statement_on_stripes_with_lines_under_its_columns_is_one_table() {
    let columns = [(300.0, 366.0), (374.0, 440.0), (448.0, 514.0)];
    let mut content = String::new();
    let mut row = |index: u8, label: &str, sign: &str, figures: [&str; 3], summed: bool| {
        let y = 660.0 - 13.0 * f32::from(index);
        // Cells of the column, of the gap before it, and thin ones for the bracket behind the figure.
        let shade = if index.is_multiple_of(2) {
            "0.88 0.94 0.85"
        } else {
            "1 1 1"
        };
        let _ = writeln!(content, "{shade} rg 60 {} 234 13 re f", y - 3.5);
        for (left, right) in columns {
            for (x, width) in [(left - 6.0, 6.0), (left, 64.4), (right - 1.6, 1.6)] {
                let _ = writeln!(content, "{x} {} {width} 13 re f", y - 3.5);
            }
            let _ = writeln!(content, "{right} {} 2 13 re f", y - 3.5);
        }
        content += "0 g\n";
        content += &text(10.0, 62.0, y, label);
        for ((left, right), figure) in columns.into_iter().zip(figures) {
            if !figure.is_empty() {
                content += &text(10.0, left + 2.0, y, sign);
                // Digits are 5.56 points wide, commas and brackets 2.78 and 3.33.
                let width: f32 = figure
                    .chars()
                    .map(|c| match c {
                        ',' | '.' => 2.78,
                        '(' | ')' => 3.33,
                        _ => 5.56,
                    })
                    .sum();
                let figure = figure.replace('(', "\\(").replace(')', "\\)");
                content += &text(10.0, right - 4.0 - width, y, &figure);
            }
            if summed {
                let _ = writeln!(content, "{left} {} {} 0.7 re f", y - 3.8, right - left);
            }
        }
    };
    row(0, "Revenue", "$", ["5,931", "7,103", "20,923"], false);
    row(1, "Cost of revenue", "", ["2,754", "2,472", "9,400"], true);
    row(2, "Gross profit", "", ["3,177", "4,631", "11,523"], false);
    row(3, "Operating expenses", "", ["", "", ""], false);
    row(4, "Research", "", ["1,945", "1,403", "5,387"], false);
    row(
        5,
        "Interest and a label that reaches the first sign",
        "",
        ["(65)", "(62)", "(198)"],
        true,
    );
    row(6, "Income", "", ["601", "2,671", "2,968"], false);
    row(7, "", "", ["", "", ""], false);
    row(8, "Per share:", "", ["", "", ""], false);
    row(
        9,
        "Basic, with all that was issued in the meantime",
        "$",
        ["0.27", "0.99", "1.18"],
        true,
    );
    row(10, "Diluted", "$", ["0.27", "0.97", "1.17"], true);
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    let found = tables(&document);
    assert_eq!(found.len(), 1, "one statement, one table");
    let table = found[0];
    assert_eq!((grid(table).rows, grid(table).columns), (10, 4));
    assert_eq!(row_of(table, "Revenue"), ["Revenue", "$5,931", "$7,103", "$20,923"]);
    assert_eq!(row_of(table, "Operating"), ["Operating expenses", "", "", ""]);
    assert_eq!(row_of(table, "Interest")[1..], ["(65)", "(62)", "(198)"]);
    assert_eq!(
        row_of(table, "Basic"),
        [
            "Basic, with all that was issued in the meantime",
            "$0.27",
            "$0.99",
            "$1.18"
        ]
    );
    assert_covered(&document, table);
}

fn row_of<'t>(table: &'t Item, label: &str) -> Vec<&'t str> {
    (0..grid(table).rows)
        .map(|index| row(table, index))
        .find(|cells| cells[0].starts_with(label))
        .unwrap_or_else(|| panic!("a row {label:?}"))
}

/// The same head over the figures of another year begins another table.
#[test]
fn a_head_that_comes_again_begins_another_table() {
    let half = |top: f32, date: &str| {
        bold(9.0, 330.0, top, date)
            + &line(280.0, top - 4.0, 460.0, top - 4.0)
            + &bold(9.0, 280.0, top - 14.0, "Cost")
            + &bold(9.0, 350.0, top - 14.0, "Gains")
            + &bold(9.0, 420.0, top - 14.0, "Value")
            + &line(280.0, top - 18.0, 460.0, top - 18.0)
            + &cells(top - 30.0, &[72.0, 280.0, 350.0, 420.0], &["Cash", "128", "0", "128"])
            + &cells(top - 43.0, &[72.0, 280.0, 350.0, 420.0], &["Bonds", "391", "12", "403"])
            + &cells(
                top - 56.0,
                &[72.0, 280.0, 350.0, 420.0],
                &["Shares", "210", "45", "255"],
            )
    };
    let document = read(&pdf(&[FixturePage::letter(
        &(half(700.0, "June 2023") + &half(622.0, "June 2022")),
    )]));
    let found = tables(&document);
    assert_eq!(found.len(), 2);
    assert_eq!((grid(found[0]).rows, grid(found[1]).rows), (5, 5));
    assert!(found[1].text.starts_with("| | June 2022"), "{}", found[1].text);
}

#[test]
fn a_number_alone_on_its_line_takes_the_title_below_it_into_its_caption() {
    let page = paragraph(72.0, 740.0, &PROSE)
        + &bold(10.0, 72.0, 660.0, "Figure 2")
        + &text(10.0, 72.0, 640.0, "Landings of the fleet by month, in tonnes")
        + "100 400 m 160 450 l 220 420 l 280 570 l S\n"
        + &paragraph(72.0, 360.0, &PROSE);
    let document = read(&pdf(&[FixturePage::letter(&page)]));
    let captions: Vec<&str> = document
        .items
        .iter()
        .filter(|item| item.label == Label::Caption)
        .map(|item| item.text.as_str())
        .collect();
    assert_eq!(captions, ["Figure 2 Landings of the fleet by month, in tonnes"]);
}
