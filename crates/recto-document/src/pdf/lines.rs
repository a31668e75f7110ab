//! From words to lines: what stands on one baseline, from left to right.

use super::glyphs::Space;
use super::words::{self, RawWord};
use crate::text::marker;
use recto_core::Rect;

/// A line of words in its reading frame.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    /// From left to right.
    pub(crate) words: Vec<RawWord>,
    pub(crate) rect: Rect,
    pub(crate) baseline: f32,
    /// Font size of most of its characters.
    pub(crate) size: f32,
    /// Face and colour of most of its characters.
    pub(crate) face: u32,
    pub(crate) colour: u32,
}

impl Line {
    /// A line of these words, put in order and their fragments joined.
    pub(crate) fn new(mut words: Vec<RawWord>) -> Self {
        words.sort_by(|a, b| a.rect.left.total_cmp(&b.rect.left).then(a.sequence.cmp(&b.sequence)));
        Self::of(if runs_backwards(&words) {
            backwards(words)
        } else {
            join_spaced_letters(join_fragments(words))
        })
    }

    /// A line of these words as they are.
    pub(crate) fn of(words: Vec<RawWord>) -> Self {
        let rect = words
            .iter()
            .map(|w| w.rect)
            .reduce(|a, b| a.union(&b))
            .unwrap_or_default();
        // The widest word decides: it is neither a superscript nor a bullet.
        let main = words.iter().max_by(|a, b| a.rect.width().total_cmp(&b.rect.width()));
        let (baseline, size) = main.map_or((rect.bottom, 0.0), |w| (w.baseline, w.size));
        Self {
            rect,
            baseline,
            size,
            face: most(&words, |w| w.face),
            colour: most(&words, |w| w.colour),
            words,
        }
    }

    /// Whether most characters are in a heavy face.
    pub(crate) fn is_bold(&self) -> bool {
        self.share(|w| w.bold) > 0.9
    }

    pub(crate) fn is_italic(&self) -> bool {
        self.share(|w| w.italic) > 0.9
    }

    /// Whether it begins with the raised mark of a footnote.
    pub(crate) fn starts_note(&self) -> bool {
        self.words.first().is_some_and(|word| {
            word.size < 0.8 * self.size
                && word.baseline < self.baseline - 0.15 * self.size
                && marker::is_note_mark(&word.text)
        })
    }

    fn share(&self, has: impl Fn(&RawWord) -> bool) -> f32 {
        let count = |words: &mut dyn Iterator<Item = &RawWord>| words.map(|w| w.text.len()).sum::<usize>();
        let all = count(&mut self.words.iter());
        let some = count(&mut self.words.iter().filter(|w| has(w)));
        if all == 0 { 0.0 } else { some as f32 / all as f32 }
    }

    /// Number of stretches of words between wide gaps: more than one makes the line look like a row of a table.
    pub(crate) fn cells(&self) -> usize {
        1 + self
            .words
            .windows(2)
            .filter(|pair| pair[1].rect.left - pair[0].rect.right > 1.5 * self.size)
            .count()
    }
}

/// What most characters of the words have.
fn most(words: &[RawWord], what: impl Fn(&RawWord) -> u32) -> u32 {
    let mut counts: Vec<(u32, usize)> = Vec::new();
    for word in words {
        match counts.iter_mut().find(|(value, _)| *value == what(word)) {
            Some((_, count)) => *count += word.text.len(),
            None => counts.push((what(word), word.text.len())),
        }
    }
    // The first of equals, as written.
    counts
        .iter()
        .rev()
        .max_by_key(|(_, count)| *count)
        .map_or(0, |(value, _)| *value)
}

/// Groups the words of one column into lines, from top to bottom.
pub(crate) fn group(mut words: Vec<RawWord>) -> Vec<Line> {
    words.sort_by(|a, b| a.baseline.total_cmp(&b.baseline).then(a.sequence.cmp(&b.sequence)));
    let mut rows: Vec<Row> = Vec::new();
    for word in words {
        // Rows are few and the last ones are the near ones.
        let near = rows
            .iter_mut()
            .rev()
            .take(6)
            .find(|row| (word.baseline - row.baseline).abs() <= 0.25 * word.size.min(row.size).max(2.0));
        match near {
            Some(row) => row.push(word),
            None => rows.push(Row::new(word)),
        }
    }
    attach_scripts(&mut rows);
    let mut lines: Vec<Line> = rows.into_iter().map(|row| Line::new(row.words)).collect();
    lines.sort_by(|a, b| {
        a.baseline
            .total_cmp(&b.baseline)
            .then(a.rect.left.total_cmp(&b.rect.left))
    });
    lines
}

struct Row {
    words: Vec<RawWord>,
    baseline: f32,
    size: f32,
    rect: Rect,
}

impl Row {
    fn new(word: RawWord) -> Self {
        Self {
            baseline: word.baseline,
            size: word.size,
            rect: word.rect,
            words: vec![word],
        }
    }

    fn push(&mut self, word: RawWord) {
        if word.size > self.size {
            self.size = word.size;
            self.baseline = word.baseline;
        }
        self.rect = self.rect.union(&word.rect);
        self.words.push(word);
    }
}

/// Superscripts, subscripts and the small print beside a big number join the line they overlap.
fn attach_scripts(rows: &mut Vec<Row>) {
    let mut index = 0;
    while index < rows.len() {
        let host = host_of(&rows[index], rows, index);
        if let Some(host) = host {
            let row = rows.remove(index);
            let host = if host > index { host - 1 } else { host };
            for word in row.words {
                rows[host].rect = rows[host].rect.union(&word.rect);
                rows[host].words.push(word);
            }
        } else {
            index += 1;
        }
    }
}

/// Widest white space between the raised mark of a footnote and its text, as a multiple of the font's size.
const MARK_GAP: f32 = 6.0;

fn host_of(row: &Row, rows: &[Row], index: usize) -> Option<usize> {
    let characters: usize = row.words.iter().map(|w| w.text.chars().count()).sum();
    if characters > 40 * row.words.len() {
        return None;
    }
    let window = index.saturating_sub(3)..(index + 4).min(rows.len());
    window
        .filter(|&other| other != index)
        .filter(|&other| {
            let host = &rows[other];
            if row.size > 0.85 * host.size {
                return false;
            }
            let middle = row.baseline - 0.3 * row.size;
            let inside = middle > host.baseline - 0.95 * host.size && middle < host.baseline + 0.15 * host.size;
            // The mark of a footnote stands in front of its line, with white space between the two.
            let gap = host.rect.left - row.rect.right;
            let marks = row.words.len() == 1
                && marker::is_note_mark(&row.words[0].text)
                && (0.0..MARK_GAP * host.size).contains(&gap);
            // Every word of another script must sit beside a word of the line.
            inside
                && (marks
                    || row.words.iter().all(|small| {
                        host.words.iter().any(|big| {
                            let gap = (small.rect.left - big.rect.right).max(big.rect.left - small.rect.right);
                            gap < 0.6 * host.size && gap > -0.8 * host.size.max(small.rect.width())
                        })
                    }))
        })
        .min_by(|&a, &b| {
            let distance = |i: usize| (rows[i].baseline - row.baseline).abs();
            distance(a).total_cmp(&distance(b)).then(a.cmp(&b))
        })
}

/// Whether most letters of a line are read from right to left.
fn runs_backwards(words: &[RawWord]) -> bool {
    let letters = || words.iter().flat_map(|w| w.text.chars()).filter(|c| c.is_alphabetic());
    let backwards = letters().filter(|c| words::runs_backwards(*c)).count();
    backwards > 0 && backwards * 2 > letters().count()
}

/// The words of a line in the order they are read in from right to left; what is Latin or a number keeps its own order.
fn backwards(mut words: Vec<RawWord>) -> Vec<RawWord> {
    words.sort_by(|a, b| b.rect.right.total_cmp(&a.rect.right).then(a.sequence.cmp(&b.sequence)));
    let forward = |word: &RawWord| {
        word.text
            .chars()
            .any(|c| c.is_alphanumeric() && !words::runs_backwards(c))
    };
    let mut start = 0;
    while start < words.len() {
        let run = words[start..].iter().take_while(|word| forward(word)).count();
        words[start..start + run].reverse();
        start += run.max(1);
    }
    // Some files say which bracket is meant, others how it looks; the first one opens.
    let first = words
        .iter()
        .flat_map(|word| word.text.chars())
        .find(|c| matches!(c, '(' | ')' | '[' | ']'));
    if first.is_some_and(|c| matches!(c, ')' | ']')) {
        for word in &mut words {
            word.text = word.text.chars().map(mirrored).collect();
        }
    }
    let mut out: Vec<RawWord> = Vec::with_capacity(words.len());
    for word in words {
        // Signs are written apart from the word they belong to.
        if let Some(last) = out.last_mut()
            && (is_sign(&last.text) || is_sign(&word.text))
            && (last.rect.left - word.rect.right).abs() < 0.15 * last.size.max(word.size)
        {
            absorb(last, word);
            continue;
        }
        out.push(word);
    }
    out
}

fn is_sign(text: &str) -> bool {
    text.chars().all(|c| {
        matches!(
            c,
            '.' | ',' | ':' | ';' | '!' | '?' | '،' | '؛' | '؟' | '(' | ')' | '[' | ']'
        )
    })
}

fn mirrored(character: char) -> char {
    match character {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        other => other,
    }
}

/// Joins pieces of a word that were written apart, as kerning programs do.
fn join_fragments(words: Vec<RawWord>) -> Vec<RawWord> {
    let mut out: Vec<RawWord> = Vec::with_capacity(words.len());
    for word in words {
        if let Some(last) = out.last_mut() {
            let size = last.size.max(word.size);
            let gap = word.start - last.end;
            let neighbours_in_file = word.sequence == last.sequence + 1;
            let touching = gap.abs() < 0.08 * size && (word.baseline - last.baseline).abs() < 0.05 * size;
            if touching && !neighbours_in_file && word.space != Space::Written {
                absorb(last, word);
                continue;
            }
        }
        out.push(word);
    }
    out
}

fn absorb(into: &mut RawWord, word: RawWord) {
    into.text.push_str(&word.text);
    into.rect = into.rect.union(&word.rect);
    into.end = into.end.max(word.end);
    into.size = into.size.max(word.size);
    into.bold &= word.bold;
    into.italic &= word.italic;
    into.sequence = into.sequence.max(word.sequence);
}

/// Fewest single letters in a row that are taken for one spaced-out heading.
const SPACED_LETTERS: usize = 4;

/// "A N N U A L  R E P O R T" becomes two words: single letters at equal distances, with wider gaps between words.
fn join_spaced_letters(words: Vec<RawWord>) -> Vec<RawWord> {
    let single = |w: &RawWord| {
        let mut characters = w.text.chars();
        characters.next().is_some_and(char::is_alphabetic) && characters.next().is_none()
    };
    if words.iter().filter(|w| single(w)).count() < SPACED_LETTERS {
        return words;
    }
    let mut out: Vec<RawWord> = Vec::with_capacity(words.len());
    let mut index = 0;
    while index < words.len() {
        let run = words[index..].iter().take_while(|w| single(w)).count();
        if run < SPACED_LETTERS {
            out.extend(words[index..index + run.max(1)].iter().cloned());
            index += run.max(1);
            continue;
        }
        let letters = &words[index..index + run];
        let gaps: Vec<f32> = letters.windows(2).map(|pair| pair[1].start - pair[0].end).collect();
        let narrow = gaps
            .iter()
            .copied()
            .fold(f32::INFINITY, f32::min)
            .max(0.05 * letters[0].size);
        let evenly = gaps.iter().filter(|gap| **gap <= 1.6 * narrow).count() * 2 >= gaps.len();
        for (position, letter) in letters.iter().enumerate() {
            let joins = position > 0 && evenly && gaps[position - 1] <= 1.6 * narrow;
            match out.last_mut() {
                Some(last) if joins => absorb(last, letter.clone()),
                _ => out.push(letter.clone()),
            }
        }
        index += run;
    }
    out
}
