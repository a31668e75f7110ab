//! Diagrams: text in filled boxes that stand apart from each other, as in organisation and flow charts. It is read box by
//! box; across the page it would make no sense.

use super::graphics::{Fill, is_white};
use super::lines::{self, Line};
use super::words::RawWord;
use crate::text::marker;
use recto_core::Rect;

/// Most filled areas of a page that are looked at; a page of more is a picture.
const MOST_BOXES: usize = 400;
/// Fewest boxes of a diagram.
const LEAST_BOXES: usize = 3;
/// White space around a box, as a multiple of the font size: cells of a table touch, and rows of one have text between
/// their bands.
const APART: f32 = 0.4;
/// Farthest boxes of one diagram, as a multiple of the font size.
const REACH: f32 = 6.0;
/// Largest part of a page's width that a box takes.
const WIDEST: f32 = 0.6;

/// The boxes of one diagram in reading order.
pub(crate) struct Diagram {
    pub(crate) boxes: Vec<Vec<Line>>,
    pub(crate) rect: Rect,
}

struct Card {
    rect: Rect,
    words: Vec<usize>,
}

/// Takes the diagrams out of the words of a page.
pub(crate) fn take(words: Vec<RawWord>, fills: &[Fill], page: Rect) -> (Vec<Diagram>, Vec<RawWord>) {
    if fills.len() < LEAST_BOXES || words.is_empty() {
        return (Vec::new(), words);
    }
    let size = median_size(&words);
    let cards = cards(&words, &candidates(fills, page, size), size);
    let clusters = clusters(cards, size);
    let mut diagram_of: Vec<Option<usize>> = vec![None; words.len()];
    let mut kept: Vec<Vec<Card>> = Vec::new();
    for cluster in clusters {
        if is_diagram(&cluster, &words) {
            for &word in cluster.iter().flat_map(|card| &card.words) {
                diagram_of[word] = Some(kept.len());
            }
            kept.push(cluster);
        }
    }
    if kept.is_empty() {
        return (Vec::new(), words);
    }
    let diagrams = kept
        .into_iter()
        .filter_map(|cluster| {
            let rect = hull(&cluster)?;
            let boxes = in_order(cluster).iter().map(|card| lines_of(card, &words)).collect();
            Some(Diagram { boxes, rect })
        })
        .collect();
    let rest = words
        .into_iter()
        .zip(diagram_of)
        .filter_map(|(word, diagram)| diagram.is_none().then_some(word))
        .collect();
    (diagrams, rest)
}

fn median_size(words: &[RawWord]) -> f32 {
    let mut sizes: Vec<f32> = words.iter().map(|word| word.size).collect();
    sizes.sort_by(f32::total_cmp);
    sizes[sizes.len() / 2].max(1.0)
}

/// Filled areas that can be boxes: of the size of a few words, none within or touching another.
fn candidates(fills: &[Fill], page: Rect, size: f32) -> Vec<Rect> {
    let mut out: Vec<Rect> = Vec::new();
    for fill in fills.iter().filter(|fill| !is_white(fill.colour)) {
        let rect = fill.rect;
        let fits = rect.width() >= 3.0 * size
            && rect.height() >= 1.5 * size
            && rect.width() <= WIDEST * page.width()
            && rect.height() <= 0.5 * page.height();
        // The same area is often painted twice.
        if fits && !out.iter().any(|known| is_same(known, &rect)) {
            out.push(rect);
        }
        if out.len() > MOST_BOXES {
            return Vec::new();
        }
    }
    let alone = |rect: &Rect| {
        out.iter()
            .all(|other| other == rect || is_within(rect, other) || !touches(rect, other, APART * size))
    };
    // What holds a box is its ground and no box.
    let holds = |rect: &Rect| out.iter().any(|other| other != rect && is_within(other, rect));
    out.iter().copied().filter(|rect| !holds(rect) && alone(rect)).collect()
}

fn is_same(a: &Rect, b: &Rect) -> bool {
    [a.left - b.left, a.top - b.top, a.right - b.right, a.bottom - b.bottom]
        .iter()
        .all(|difference| difference.abs() < 2.0)
}

fn is_within(inner: &Rect, outer: &Rect) -> bool {
    inner.left >= outer.left - 1.0
        && inner.right <= outer.right + 1.0
        && inner.top >= outer.top - 1.0
        && inner.bottom <= outer.bottom + 1.0
}

fn touches(a: &Rect, b: &Rect, margin: f32) -> bool {
    a.left < b.right + margin && b.left < a.right + margin && a.top < b.bottom + margin && b.top < a.bottom + margin
}

/// The boxes that hold whole words, and no word across or close to their edge.
fn cards(words: &[RawWord], boxes: &[Rect], size: f32) -> Vec<Card> {
    let mut out = Vec::new();
    for &rect in boxes {
        let mut inside = Vec::new();
        let mut whole = true;
        for (index, word) in words.iter().enumerate() {
            if !touches(&word.rect, &rect, 0.3 * size) {
                continue;
            }
            let (x, y) = word.rect.centre();
            whole &= word.table.is_none() && rect.contains(x, y) && is_within(&word.rect, &rect);
            inside.push(index);
        }
        if !whole || inside.is_empty() {
            continue;
        }
        let card = Card { rect, words: inside };
        // Columns within a box are a table or a page of their own.
        let flows = |line: &Line| {
            let entry = line.words.first().is_some_and(|word| marker::is_bullet(&word.text));
            line.cells() == 1 || entry && line.cells() == 2
        };
        if lines_of(&card, words).iter().all(flows) {
            out.push(card);
        }
    }
    out
}

fn lines_of(card: &Card, words: &[RawWord]) -> Vec<Line> {
    lines::group(card.words.iter().map(|&index| words[index].clone()).collect())
}

/// Boxes that stand near each other.
fn clusters(cards: Vec<Card>, size: f32) -> Vec<Vec<Card>> {
    let mut out: Vec<Vec<Card>> = Vec::new();
    for card in cards {
        let near = |cluster: &Vec<Card>| {
            cluster
                .iter()
                .any(|other| touches(&card.rect, &other.rect, REACH * size))
        };
        let (joined, rest): (Vec<Vec<Card>>, Vec<Vec<Card>>) = out.into_iter().partition(near);
        let mut cluster: Vec<Card> = joined.into_iter().flatten().collect();
        cluster.push(card);
        out = rest;
        out.push(cluster);
    }
    out.sort_by(|a, b| {
        top_left(a)
            .0
            .total_cmp(&top_left(b).0)
            .then(top_left(a).1.total_cmp(&top_left(b).1))
    });
    out
}

fn top_left(cards: &[Card]) -> (f32, f32) {
    let least = |edge: fn(&Rect) -> f32| cards.iter().map(|card| edge(&card.rect)).fold(f32::INFINITY, f32::min);
    (least(|rect| rect.top), least(|rect| rect.left))
}

fn hull(cards: &[Card]) -> Option<Rect> {
    cards.iter().map(|card| card.rect).reduce(|a, b| a.union(&b))
}

/// Whether boxes are a diagram: several, some side by side, with hardly any text between them.
fn is_diagram(cards: &[Card], words: &[RawWord]) -> bool {
    let beside = cards.iter().any(|card| {
        cards.iter().any(|other| {
            let common = card.rect.bottom.min(other.rect.bottom) - card.rect.top.max(other.rect.top);
            other.rect != card.rect && common > 0.5 * card.rect.height().min(other.rect.height())
        })
    });
    let Some(hull) = hull(cards).filter(|_| beside && cards.len() >= LEAST_BOXES) else {
        return false;
    };
    let boxed: usize = cards.iter().map(|card| card.words.len()).sum();
    let covered = words
        .iter()
        .filter(|word| {
            let (x, y) = word.rect.centre();
            hull.contains(x, y)
        })
        .count();
    (covered - boxed) * 5 <= boxed
}

/// Boxes in reading order: rows of boxes from top to bottom where they can be told apart, else columns from left to
/// right.
fn in_order(cards: Vec<Card>) -> Vec<Card> {
    if cards.len() < 2 {
        return cards;
    }
    let rows = cut(cards, |rect| (rect.top, rect.bottom));
    if rows.len() > 1 {
        return rows.into_iter().flat_map(in_order).collect();
    }
    let columns = cut(rows.into_iter().flatten().collect(), |rect| (rect.left, rect.right));
    if columns.len() > 1 {
        return columns.into_iter().flat_map(in_order).collect();
    }
    let mut cards: Vec<Card> = columns.into_iter().flatten().collect();
    cards.sort_by(|a, b| {
        a.rect
            .top
            .total_cmp(&b.rect.top)
            .then(a.rect.left.total_cmp(&b.rect.left))
    });
    cards
}

/// Boxes whose extents overlap, group by group along an axis.
fn cut(mut cards: Vec<Card>, extent: impl Fn(&Rect) -> (f32, f32)) -> Vec<Vec<Card>> {
    cards.sort_by(|a, b| extent(&a.rect).0.total_cmp(&extent(&b.rect).0));
    let mut out: Vec<Vec<Card>> = Vec::new();
    let mut end = f32::NEG_INFINITY;
    for card in cards {
        let (from, to) = extent(&card.rect);
        match out.last_mut() {
            Some(group) if from < end => group.push(card),
            _ => out.push(vec![card]),
        }
        end = end.max(to);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: Rect = Rect {
        left: 0.0,
        top: 0.0,
        right: 600.0,
        bottom: 800.0,
    };

    fn boxed(left: f32, top: f32, texts: &[&str]) -> (Fill, Vec<RawWord>) {
        let fill = Fill {
            rect: Rect::new(left, top, left + 100.0, top + 60.0),
            colour: [40, 40, 40, 255],
        };
        let words = texts.iter().zip(0u8..).map(|(text, line)| {
            let y = top + 10.0 + 14.0 * f32::from(line);
            RawWord::placed(
                (*text).to_owned(),
                Rect::new(left + 10.0, y, left + 60.0, y + 12.0),
                10.0,
                0,
            )
        });
        (fill, words.collect())
    }

    fn read(boxes: Vec<(Fill, Vec<RawWord>)>) -> Vec<String> {
        let (fills, words): (Vec<Fill>, Vec<Vec<RawWord>>) = boxes.into_iter().unzip();
        let (diagrams, _) = take(words.into_iter().flatten().collect(), &fills, PAGE);
        let texts = |lines: &Vec<Line>| -> Vec<String> {
            lines
                .iter()
                .flat_map(|line| line.words.iter().map(|word| word.text.clone()))
                .collect()
        };
        diagrams
            .iter()
            .flat_map(|diagram| diagram.boxes.iter().map(|lines| texts(lines).join(" ")))
            .collect()
    }

    #[test]
    fn boxes_of_a_chart_are_read_one_by_one_and_columns_of_unlike_heights_downwards() {
        let found = read(vec![
            boxed(50.0, 100.0, &["The", "head"]),
            boxed(50.0, 200.0, &["Left", "one"]),
            boxed(200.0, 220.0, &["Right", "one"]),
            boxed(50.0, 270.0, &["Left", "two"]),
            boxed(200.0, 310.0, &["Right", "two"]),
        ]);
        assert_eq!(found, ["The head", "Left one", "Left two", "Right one", "Right two"]);
    }

    #[test]
    fn boxes_that_touch_are_cells_and_no_diagram() {
        assert!(
            read(vec![
                boxed(50.0, 100.0, &["a"]),
                boxed(150.0, 100.0, &["b"]),
                boxed(250.0, 100.0, &["c"])
            ])
            .is_empty()
        );
    }
}
