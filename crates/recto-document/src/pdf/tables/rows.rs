//! Which lines of a table make one row.

use super::super::lines::Line;
use super::atoms::Piece;
use super::rules::Rules;
use recto_core::Rect;

/// What a line of a table holds.
pub(super) struct RowLine<'l> {
    pub(super) line: &'l Line,
    pub(super) pieces: Vec<Piece>,
}

impl RowLine<'_> {
    fn fills(&self, column: usize) -> bool {
        self.pieces.iter().any(|p| p.columns.contains(&column))
    }

    fn has_data_in(&self, columns: &[bool]) -> bool {
        self.pieces
            .iter()
            .any(|p| p.numeric && p.columns.len() == 1 && columns.get(p.columns.start) == Some(&true))
    }

    fn only_label(&self) -> bool {
        self.pieces.iter().all(|p| p.columns.start == 0)
    }

    fn label(&self) -> Option<&Piece> {
        self.pieces.first().filter(|p| p.columns.start == 0)
    }
}

/// Columns most of whose pieces are data.
pub(super) fn data_columns(lines: &[RowLine<'_>], columns: usize) -> Vec<bool> {
    (0..columns)
        .map(|column| {
            let pieces = || {
                lines
                    .iter()
                    .flat_map(|l| &l.pieces)
                    .filter(move |p| p.columns == (column..column + 1))
            };
            let numeric = pieces().filter(|p| p.numeric).count();
            numeric > 0 && numeric * 2 >= pieces().count()
        })
        .collect()
}

/// Where a new row begins: for each line whether it starts one. `bands` says that rules part the rows of this table,
/// so that lines between two rules belong together unless both hold figures.
pub(super) fn starts(lines: &[RowLine<'_>], columns: usize, rules: &Rules, rect: Rect, bands: bool) -> Vec<bool> {
    let data = data_columns(lines, columns);
    let has_data = data.iter().any(|d| *d);
    let label_right = lines
        .iter()
        .filter_map(|l| l.label().filter(|p| p.columns.len() == 1))
        .map(|p| p.right)
        .fold(f32::NEG_INFINITY, f32::max);
    let tight = tight_pitch(lines);
    let mut out = vec![true; lines.len()];
    let mut start = 0;
    for index in 1..lines.len() {
        let (above, below) = (&lines[index - 1], &lines[index]);
        let row = &lines[start..index];
        let size = below.line.size.max(1.0);
        let pitch = (below.line.baseline - above.line.baseline) / size;
        let ruled = rules.divides(
            above.line.baseline - 0.3 * size,
            below.line.baseline - 0.3 * size,
            rect.left,
            rect.right,
            0.5,
        );
        let joins = if ruled {
            false
        } else if bands {
            !conflict(row, below, &data, columns)
        } else if pitch > 1.3 * tight.max(1.0) && pitch > tight + 0.25 {
            false
        } else if has_data {
            continues_figures(row, below, &data, label_right, size)
        } else {
            continues_text(row, below, label_right, size)
        };
        out[index] = !joins;
        if !joins {
            start = index;
        }
    }
    out
}

/// The distance of lines that follow each other closely, in font sizes.
fn tight_pitch(lines: &[RowLine<'_>]) -> f32 {
    let mut pitches: Vec<f32> = lines
        .windows(2)
        .map(|pair| (pair[1].line.baseline - pair[0].line.baseline) / pair[1].line.size.max(1.0))
        .filter(|p| *p > 0.7)
        .collect();
    pitches.sort_by(f32::total_cmp);
    pitches.get(pitches.len() / 8).copied().unwrap_or(1.2).clamp(0.9, 1.6)
}

/// Whether two lines cannot be one row because both have figures in the same column.
fn conflict(row: &[RowLine<'_>], below: &RowLine<'_>, data: &[bool], columns: usize) -> bool {
    let figures = |line: &RowLine<'_>, column: usize| {
        line.pieces
            .iter()
            .any(|p| p.numeric && p.columns == (column..column + 1))
    };
    let both = (0..columns)
        .filter(|c| data[*c] && figures(below, *c) && row.iter().any(|l| figures(l, *c)))
        .count();
    let labels = below.fills(0) && row.iter().any(|l| l.fills(0));
    both >= 1 && (labels || data.first() == Some(&true) || both >= 2)
}

/// Whether the label of `below` goes on from the last label of `row`: the phrase is open, or what comes cannot begin a
/// label and had no room above.
fn label_goes_on(row: &[RowLine<'_>], below: &RowLine<'_>, label_right: f32, size: f32) -> bool {
    let Some(label) = below.label() else { return false };
    let Some((above, last)) = row.iter().rev().find_map(|l| l.label().map(|p| (l, p))) else {
        return false;
    };
    let first = below.line.words[label.words.start].text.as_str();
    let final_word = above.line.words[last.words.end - 1].text.as_str();
    if final_word.ends_with([':', '.', ';']) {
        return false;
    }
    // A line that ends in the middle of a phrase.
    let open = matches!(
        final_word.to_lowercase().as_str(),
        "of" | "and"
            | "the"
            | "to"
            | "for"
            | "in"
            | "from"
            | "or"
            | "with"
            | "by"
            | "on"
            | "a"
            | "&"
            | "per"
            | "than"
            | "under"
    ) || final_word.ends_with([',', '-', '–', '/', '(']);
    if open {
        return true;
    }
    let room = label_right - last.right;
    let width = below.line.words[label.words.start].rect.width();
    if first.starts_with(char::is_lowercase) {
        // Labels may begin in lower case, too, but then the line above was not full.
        return room < width + 0.25 * size || room < 0.4 * (label_right - last.left);
    }
    // An entry of a group stands below its label just as a second line does; only what cannot begin one tells.
    let rest = first.starts_with(['(', '[', '&', '/']) || first.starts_with(|c: char| c.is_ascii_digit());
    rest && width + 0.25 * size > room && label_right - last.left > 6.0 * size
}

fn continues_figures(row: &[RowLine<'_>], below: &RowLine<'_>, data: &[bool], label_right: f32, size: f32) -> bool {
    let row_has_data = row.iter().any(|l| l.has_data_in(data));
    match (row_has_data, below.has_data_in(data)) {
        (true, true) => false,
        // The figures stand beside the last line of their label.
        (false, true) => row.iter().all(RowLine::only_label) && label_goes_on(row, below, label_right, size),
        // The label goes on below its figures.
        (true, false) => {
            if below.fills(0) {
                label_goes_on(row, below, label_right, size)
            } else {
                // More of what is already there.
                below
                    .pieces
                    .iter()
                    .all(|p| row.iter().any(|l| l.fills(p.columns.start)))
            }
        }
        (false, false) => {
            if below.only_label() && row.iter().all(RowLine::only_label) {
                label_goes_on(row, below, label_right, size)
            } else {
                !below.fills(0)
            }
        }
    }
}

fn continues_text(row: &[RowLine<'_>], below: &RowLine<'_>, label_right: f32, size: f32) -> bool {
    if !below.fills(0) {
        return true;
    }
    // A label that goes on while other columns do, too.
    label_goes_on(row, below, label_right, size)
}
