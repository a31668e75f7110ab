//! Running headers, footers and page numbers: lines at the edge of a page that come again on its neighbours.

use recto_core::{Page, Rect};
use std::collections::{HashMap, HashSet};

/// Lines at one edge that are looked at.
const DEPTH: usize = 4;
/// Part of the page's height, from an edge, that can hold furniture.
const ZONE: f32 = 0.16;
/// How far apart, in points, the same line may stand on two pages.
const DRIFT: f32 = 8.0;
/// The same for lines behind the outermost one: what stands at the foot of tables of about the same height drifts more.
const INNER_DRIFT: f32 = 2.0;
/// Pages on either side in which a line must come again.
const NEIGHBOURHOOD: usize = 4;

/// The edge a line of furniture belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Edge {
    Top,
    Bottom,
}

struct Candidate {
    page: usize,
    line: u32,
    edge: Edge,
    /// 0 is the outermost.
    rank: usize,
    distance: f32,
    /// Where the middle of the line stands from left to right.
    centre: f32,
    pattern: String,
    number: Option<i64>,
}

impl Candidate {
    /// Whether the line is a page number and nothing else.
    fn is_bare_number(&self) -> bool {
        self.number.is_some() && !self.pattern.chars().any(char::is_alphabetic)
    }

    /// Whether two lines take the same place on their pages. A number that is the last line of its page may stand right
    /// below the text, however far down that goes.
    fn is_placed_like(&self, other: &Self) -> bool {
        let drift = if self.rank == 0 { DRIFT } else { INNER_DRIFT };
        let last = |one: &Self| one.edge == Edge::Bottom && one.rank == 0 && one.is_bare_number();
        (other.distance - self.distance).abs() <= drift
            || last(self) && last(other) && (other.centre - self.centre).abs() <= DRIFT
    }
}

/// Finds the furniture of each page: line numbers (as in `Word::line`) with their edge.
pub(crate) fn find(pages: &[Page]) -> Vec<HashMap<u32, Edge>> {
    let lines: Vec<Vec<EdgeLine>> = pages.iter().map(lines).collect();
    let candidates: Vec<Candidate> = pages
        .iter()
        .zip(&lines)
        .enumerate()
        .flat_map(|(index, (page, lines))| candidates(index, page, lines))
        .collect();
    // How often a line stands in the middle of a page: headings that come again and again also begin pages.
    let mut inside: HashMap<String, usize> = HashMap::new();
    for (page, lines) in pages.iter().zip(&lines) {
        for line in lines {
            if line.rect.top > ZONE * page.height && line.rect.bottom < (1.0 - ZONE) * page.height {
                *inside.entry(pattern(&line.text)).or_default() += 1;
            }
        }
    }
    let mut by_pattern: HashMap<(Edge, &str), Vec<usize>> = HashMap::new();
    for (index, candidate) in candidates.iter().enumerate() {
        by_pattern
            .entry((candidate.edge, candidate.pattern.as_str()))
            .or_default()
            .push(index);
    }
    let repeats = if pages.len() <= 3 { 1 } else { 2 };
    let confirmed: HashSet<(usize, u32)> = candidates
        .iter()
        .filter(|candidate| {
            let same = &by_pattern[&(candidate.edge, candidate.pattern.as_str())];
            let wordy = candidate.pattern.chars().any(char::is_alphabetic);
            if wordy
                && inside
                    .get(&candidate.pattern)
                    .is_some_and(|inside| inside * 2 > same.len())
            {
                return false;
            }
            let others: HashSet<usize> = same
                .iter()
                .map(|&index| &candidates[index])
                .filter(|other| {
                    other.page != candidate.page
                        && other.page.abs_diff(candidate.page) <= NEIGHBOURHOOD
                        && candidate.is_placed_like(other)
                        && counts_alike(candidate, other)
                })
                .map(|other| other.page)
                .collect();
            others.len() >= repeats
        })
        .map(|candidate| (candidate.page, candidate.line))
        .collect();
    let mut out = vec![HashMap::new(); pages.len()];
    for edge in [Edge::Top, Edge::Bottom] {
        for (page, found) in out.iter_mut().enumerate() {
            let mut at_edge: Vec<&Candidate> = candidates.iter().filter(|c| c.page == page && c.edge == edge).collect();
            at_edge.sort_by_key(|c| c.rank);
            // Furniture is outermost: what lies behind a line of text is text.
            for candidate in at_edge.into_iter().take_while(|c| confirmed.contains(&(page, c.line))) {
                found.insert(candidate.line, edge);
            }
        }
    }
    keep_bodies(&mut out, &lines);
    out
}

/// A document whose pages all say the same still has a body: where furniture leaves most pages nothing, only what counts
/// pages stays furniture.
fn keep_bodies(found: &mut [HashMap<u32, Edge>], lines: &[Vec<EdgeLine>]) {
    let emptied = |(found, lines): &(&HashMap<u32, Edge>, &Vec<EdgeLine>)| {
        !lines.is_empty() && lines.iter().all(|line| found.contains_key(&line.number))
    };
    let filled = lines.iter().filter(|lines| !lines.is_empty()).count();
    if found.iter().zip(lines).filter(emptied).count() * 2 <= filled {
        return;
    }
    for (found, lines) in found.iter_mut().zip(lines) {
        for line in lines {
            if line.text.chars().filter(|c| c.is_alphabetic()).count() > 6 {
                found.remove(&line.number);
            }
        }
    }
}

/// A line without letters is a page number only if it counts pages.
fn counts_alike(a: &Candidate, b: &Candidate) -> bool {
    if a.pattern.chars().any(char::is_alphabetic) {
        return true;
    }
    match (a.number, b.number) {
        (Some(x), Some(y)) => x - a.page as i64 == y - b.page as i64,
        _ => false,
    }
}

struct EdgeLine {
    number: u32,
    rect: Rect,
    text: String,
}

fn lines(page: &Page) -> Vec<EdgeLine> {
    let mut lines: Vec<EdgeLine> = Vec::new();
    for word in &page.words {
        let text = page
            .text
            .get(word.start as usize..word.end as usize)
            .unwrap_or_default();
        match lines.last_mut() {
            Some(line) if line.number == word.line => {
                line.rect = line.rect.union(&word.rect);
                line.text.push(' ');
                line.text.push_str(text);
            }
            _ => lines.push(EdgeLine {
                number: word.line,
                rect: word.rect,
                text: text.to_owned(),
            }),
        }
    }
    lines
}

fn candidates(index: usize, page: &Page, lines: &[EdgeLine]) -> Vec<Candidate> {
    let mut out = Vec::new();
    for edge in [Edge::Top, Edge::Bottom] {
        let distance = |rect: &Rect| match edge {
            Edge::Top => rect.top,
            Edge::Bottom => page.height - rect.bottom,
        };
        let mut near: Vec<&EdgeLine> = lines
            .iter()
            .filter(|line| distance(&line.rect) <= ZONE * page.height)
            .collect();
        near.sort_by(|a, b| {
            distance(&a.rect)
                .total_cmp(&distance(&b.rect))
                .then(a.number.cmp(&b.number))
        });
        let last = lines.iter().max_by(|a, b| a.rect.bottom.total_cmp(&b.rect.bottom));
        if edge == Edge::Bottom && near.is_empty() {
            near.extend(last.filter(|line| pattern(&line.text).chars().all(|c| !c.is_alphabetic())));
        }
        for (rank, line) in near.into_iter().take(DEPTH).enumerate() {
            out.push(Candidate {
                centre: line.rect.centre().0,
                page: index,
                line: line.number,
                edge,
                rank,
                distance: distance(&line.rect),
                pattern: pattern(&line.text),
                number: only_number(&line.text),
            });
        }
    }
    out
}

/// The text with its numbers masked, for comparing lines that differ in the page number.
fn pattern(text: &str) -> String {
    let mut out = String::new();
    for character in text.to_lowercase().chars() {
        match character {
            c if c.is_ascii_digit() => {
                if !out.ends_with('#') {
                    out.push('#');
                }
            }
            c if c.is_whitespace() => {}
            c => out.push(c),
        }
    }
    // Roman page numbers count too.
    if !out.is_empty() && out.chars().all(|c| "ivxlc".contains(c)) {
        "#".into()
    } else {
        out
    }
}

/// The number of a line that holds no other, Roman ones included.
pub(crate) fn only_number(text: &str) -> Option<i64> {
    let mut numbers = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|part| !part.is_empty())
        .map(|part| part.parse::<i64>().ok());
    match (numbers.next(), numbers.next()) {
        (Some(number), None) => number,
        (None, _) => roman(text.trim()),
        _ => None,
    }
}

pub(crate) fn roman(text: &str) -> Option<i64> {
    let value = |c: char| match c.to_ascii_lowercase() {
        'i' => Some(1),
        'v' => Some(5),
        'x' => Some(10),
        'l' => Some(50),
        'c' => Some(100),
        _ => None,
    };
    if text.is_empty() || text.len() > 9 {
        return None;
    }
    let values = text.chars().map(value).collect::<Option<Vec<i64>>>()?;
    let sum = values.iter().enumerate().fold(0, |sum, (index, &v)| {
        if values.get(index + 1).is_some_and(|&next| next > v) {
            sum - v
        } else {
            sum + v
        }
    });
    Some(sum)
}

/// A number in small Roman letters; nothing for numbers below one.
pub(crate) fn to_roman(number: i64) -> String {
    const PARTS: [(i64, &str); 9] = [
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    let mut rest = number.clamp(0, 5_000);
    let mut out = String::new();
    for (value, letters) in PARTS {
        while rest >= value {
            out.push_str(letters);
            rest -= value;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use recto_core::Word;

    /// A page whose lines stand at the given heights.
    fn page(number: u32, lines: &[(f32, &str)]) -> Page {
        let mut page = Page {
            number,
            width: 600.0,
            height: 800.0,
            ..Page::default()
        };
        for (line, (top, text)) in lines.iter().enumerate() {
            if !page.text.is_empty() {
                page.text.push('\n');
            }
            let start = page.text.len() as u32;
            page.text.push_str(text);
            page.words.push(Word {
                start,
                end: page.text.len() as u32,
                rect: Rect::new(50.0, *top, 200.0, top + 10.0),
                line: line as u32,
                font_size: 10.0,
                bold: false,
                italic: false,
                confidence: None,
            });
        }
        page
    }

    #[test]
    fn repeated_headers_and_counting_page_numbers_are_furniture_and_text_is_not() {
        let pages: Vec<Page> = (1..=5)
            .map(|n| {
                page(
                    n,
                    &[
                        (30.0, &format!("Annual report {n}")),
                        (
                            60.0,
                            &format!("chapter {}", ["one", "two", "three", "four", "five"][n as usize - 1]),
                        ),
                        (770.0, &format!("{}", n + 10)),
                    ],
                )
            })
            .collect();
        for found in find(&pages) {
            assert_eq!(found, HashMap::from([(0, Edge::Top), (2, Edge::Bottom)]));
        }
    }

    #[test]
    fn a_number_at_the_foot_that_does_not_count_pages_is_text() {
        let pages: Vec<Page> = [7, 7, 9, 1]
            .iter()
            .enumerate()
            .map(|(i, n)| page(i as u32 + 1, &[(770.0, &n.to_string())]))
            .collect();
        assert!(find(&pages).iter().all(HashMap::is_empty));
    }

    #[test]
    fn page_numbers_right_below_text_of_any_length_are_furniture() {
        let pages: Vec<Page> = [(1, 770.0), (2, 700.0), (3, 420.0), (4, 655.0)]
            .into_iter()
            .map(|(n, top)| page(n, &[(100.0, "Some text of the page"), (top, &format!("{}", n + 1))]))
            .collect();
        for found in find(&pages) {
            assert_eq!(found, HashMap::from([(1, Edge::Bottom)]));
        }
    }

    #[test]
    fn roman_numbers_are_read() {
        assert_eq!(roman("xiv"), Some(14));
        assert_eq!(to_roman(14), "xiv");
        assert_eq!(only_number("– 12 –"), Some(12));
        assert_eq!(only_number("12 of 40"), None);
    }
}
