//! What speaks for a block being a heading and what speaks against it.

use super::super::words::runs_backwards;
use super::blocks::Block;
use super::style::{Body, lightness, saturation};
use crate::text::marker::{self, HeadingNumber};
use std::collections::HashSet;

/// How much speaks for a heading.
pub(super) fn evidence(blocks: &[Block<'_>], index: usize, body: &Body, repeated: &HashSet<String>) -> f32 {
    let block = &blocks[index];
    let text = block.text.trim();
    let words = text.split_whitespace().count();
    let ratio = block.size() / body.size;
    let style = block.style();
    let mut score = match ratio {
        r if r >= 1.3 => 3.0,
        r if r >= 1.12 => 2.0,
        r if r >= 1.04 => 0.5,
        r if r < 0.85 => -2.0,
        r if r < 0.93 => -1.5,
        _ => 0.0,
    };
    if style.bold && !body.mostly_bold {
        score += 2.25;
    } else if style.face != body.face && ratio >= 0.97 && !style.italic {
        // Another face than that of the text: the usual sign where headings are not bold.
        score += 1.25;
    }
    if style.caps {
        score += 1.0;
    }
    if style.italic {
        score += 0.5;
        // Titles in italics are written like titles; words stressed in a text are not alone on their line.
        if block.lines.len() == 1 && words <= 10 && is_title_case(text) && leads_paragraph(blocks, index) {
            score += 1.25;
        }
    }
    if style.colour != body.colour {
        // White on a dark bar, or coloured. White on nothing is there to be found by machines only.
        if block.unseen {
            score -= 4.0;
        } else if lightness(style.colour) > 0.85 && lightness(body.colour) < 0.6 {
            // The same bar stands over tables.
            score += if leads_rows(blocks, index) { -1.5 } else { 1.0 };
        } else if saturation(style.colour) > 0.25 && !is_link(block) {
            score += 0.75;
        }
    }
    let number = marker::heading_number(text);
    match number {
        Some(HeadingNumber::Part | HeadingNumber::Item | HeadingNumber::Chapter) => score += 1.5,
        Some(HeadingNumber::Decimal(depth)) if depth > 1 => score += 1.5,
        Some(_) => score += 1.0,
        // "Strategic Goal 2: …", "Phase II – …"
        None if marker::labelled_number(text) => score += 1.0,
        None => {}
    }
    let labelled = number.is_some() || marker::labelled_number(text);
    let emphasised = style.bold || style.caps || ratio >= 1.04 || style.face != body.face;
    if number.is_some() && (!emphasised || is_link(block)) && (block.lines.len() > 1 || words > MAX_PLAIN) {
        // Entries of lists are numbered like headings: exhibits, clauses.
        score -= 2.5;
    }
    if block.above > 0.6 * block.size() {
        score += 0.5;
    }
    if block.below > 0.25 * block.size() {
        score += 0.25;
    }
    if leads_paragraph(blocks, index) {
        score += 0.75;
    }
    if text.contains(['<', '>', '{', '}', '=', '_', '|']) {
        score -= 2.0;
    }
    if repeated.contains(text) && leads_text(blocks, index) {
        score += 0.75;
    }
    if block.rows {
        score -= 1.0;
    }
    if text
        .chars()
        .find(|c| c.is_alphanumeric())
        .is_some_and(char::is_lowercase)
    {
        score -= 3.0;
    }
    if text.ends_with(['.', ',', ';']) && !text.ends_with("Inc.") && !labelled {
        let titled = style.bold && is_title_case(text.trim_end_matches(['.', ' '])) && leads_paragraph(blocks, index);
        score -= match (text.ends_with('.') && words <= MAX_PLAIN, titled) {
            (true, true) => 0.5,
            (true, false) if words <= 8 => 1.0,
            _ => 2.5,
        };
    }
    if is_address(text) || ends_in_identifier(text) {
        score -= 3.0;
    }
    if signs(blocks, index) || heads_column(blocks, index) {
        score -= 3.0;
    }
    if text.ends_with(':') {
        // A colon without a paragraph below it announces a list or names a table.
        let announces = !leads_paragraph(blocks, index) && !labelled && ratio < 1.12;
        score -= if ratio < 0.97 || announces { 1.75 } else { 0.75 };
    }
    if text.starts_with(['(', '☐', '☒', '☑', '$', '*', '†']) {
        score -= 2.5;
    }
    if words > 30 {
        score -= if words > 45 { 2.0 } else { 0.75 };
    }
    if block.on_bar && !leads_rows(blocks, index) {
        score += 0.75;
    }
    // Nothing below it: no section begins here.
    if !leads_text(blocks, index) && number.is_none() && ratio < 1.3 {
        score -= 0.5;
    }
    score
}

/// Most words of a numbered line in the look of the text that may still be a heading.
const MAX_PLAIN: usize = 12;

/// Whether a block is a link: coloured for that, and not for being a heading.
fn is_link(block: &Block<'_>) -> bool {
    block.page.links.iter().any(|link| {
        link.rect
            .intersection(&block.rect)
            .is_some_and(|common| common.area() > 0.2 * block.rect.area())
    })
}

/// Whether a text ends like an address: "Washington, D.C. 20549".
fn is_address(text: &str) -> bool {
    let mut words = text.split_whitespace().rev();
    let (Some(code), Some(state)) = (words.next(), words.next()) else {
        return false;
    };
    let digits = |part: &str| part.chars().all(|c| c.is_ascii_digit());
    let zip = match code.split_once('-') {
        Some((five, four)) => five.len() == 5 && four.len() == 4 && digits(five) && digits(four),
        None => code.len() == 5 && digits(code),
    };
    let named = state.starts_with(char::is_uppercase);
    let behind_comma = words.next().is_some_and(|town| town.ends_with(','));
    zip && named && behind_comma
}

/// Whether a text ends in the number of a file or a telephone: six digits and more that are no years.
fn ends_in_identifier(text: &str) -> bool {
    let Some(last) = text.split_whitespace().next_back() else {
        return false;
    };
    let years = last
        .split('-')
        .all(|part| part.len() == 4 && (part.starts_with("19") || part.starts_with("20")));
    let digits = last.chars().filter(char::is_ascii_digit).count();
    digits >= 6 && !years && last.chars().all(|c| c.is_ascii_digit() || c == '-')
}

/// Whether a block is the name below a signature.
fn signs(blocks: &[Block<'_>], index: usize) -> bool {
    let block = &blocks[index];
    blocks[index.saturating_sub(2)..index].iter().any(|before| {
        let text = before.text.trim_start();
        let signature = text.starts_with("By:") || text.starts_with("/s/") || text.contains(" /s/ ");
        signature
            && before.page_index == block.page_index
            && block.rect.top - before.rect.bottom < 3.0 * block.size()
            && block.overlaps_across(&before.rect)
    })
}

/// Whether a block stands over a column of the table below it: not at the table's edge, and not over its middle.
fn heads_column(blocks: &[Block<'_>], index: usize) -> bool {
    let block = &blocks[index];
    let size = block.size();
    // Read from right to left, the right edge is where headings stand.
    if block.text.chars().any(runs_backwards) {
        return false;
    }
    let below = blocks[index + 1..].iter().take(4).find(|next| next.table.is_some());
    below.is_some_and(|table| {
        let (left, width) = (table.rect.left, table.rect.width());
        let off_centre = (block.rect.centre().0 - table.rect.centre().0).abs() > 0.1 * width;
        table.page_index == block.page_index
            && table.rect.top - block.rect.bottom < 4.0 * size
            && table.rect.top > block.rect.top
            && block.rect.left > left + 0.25 * width
            && block.rect.right < table.rect.right + size
            && off_centre
    })
}

/// Whether all longer words of a text begin with a capital, and nothing ends a sentence.
fn is_title_case(text: &str) -> bool {
    let mut long = text
        .split_whitespace()
        .filter(|word| word.chars().count() >= 4)
        .peekable();
    long.peek().is_some()
        && long.all(|word| word.starts_with(|c: char| !c.is_lowercase()))
        && !text.ends_with(['.', ',', ';', ':'])
}

/// Whether text follows that a heading can stand over.
fn leads_text(blocks: &[Block<'_>], index: usize) -> bool {
    blocks[index + 1..]
        .iter()
        .filter(|next| next.edge.is_none())
        .take(3)
        .any(|next| next.upright && next.text.split_whitespace().count() >= 6)
}

/// Whether a paragraph in a lighter face begins right below, at the same edge.
fn leads_paragraph(blocks: &[Block<'_>], index: usize) -> bool {
    let block = &blocks[index];
    let Some(next) = blocks[index + 1..].iter().find(|next| next.edge.is_none()) else {
        return false;
    };
    let gap = next.rect.top - block.rect.bottom;
    let slanted = block.italic() && !next.italic();
    let plainer = block.bold() || block.style().face != next.style().face || block.size() > next.size();
    let lighter = !next.bold() && (slanted || plainer);
    lighter
        && !next.rows
        && next.page_index == block.page_index
        && (-0.5 * block.size()..2.0 * block.size()).contains(&gap)
        && (next.rect.left - block.rect.left).abs() < 3.0 * block.size()
        && next.text.split_whitespace().count() >= 8
}

/// Whether rows of figures follow close below.
fn leads_rows(blocks: &[Block<'_>], index: usize) -> bool {
    let block = &blocks[index];
    blocks[index + 1..]
        .iter()
        .take(3)
        .take_while(|next| {
            next.page_index == block.page_index && next.rect.top - block.rect.bottom < 5.0 * block.size()
        })
        .any(|next| next.rows)
}
