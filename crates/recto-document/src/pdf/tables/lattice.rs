//! Tables whose rules cross: plumb and level lines, drawn or the edges of filled cells, make a grid.

use super::super::graphics::Rule;
use super::super::lines::{self, Line};
use super::super::words::RawWord;
use super::atoms;
use super::grid::{Cell, Table};
use super::rows::{self, RowLine};
use super::rules::{Rules, is_edge};
use recto_core::Rect;
use std::ops::Range;

/// Rules this near to each other meet, in points.
const TOUCH: f32 = 2.5;
/// Lines nearer than this are one boundary, in points: the two sides of a gap between filled cells, double rules.
const SAME: f32 = 4.0;
/// Most boundaries in one direction.
const MAX_TRACKS: usize = 220;
/// Most words a cell holds on average before the boxes are taken for a page's layout.
const MAX_CELL_WORDS: usize = 60;

/// Rows and columns as rules make them.
struct Lattice {
    xs: Vec<f32>,
    ys: Vec<f32>,
    /// Rows and columns of each cell.
    cells: Vec<(Range<usize>, Range<usize>)>,
    /// Whether lines part its columns, not only colour.
    drawn: bool,
}

impl Lattice {
    fn rect(&self) -> Rect {
        Rect::new(
            self.xs[0],
            self.ys[0],
            self.xs[self.xs.len() - 1],
            self.ys[self.ys.len() - 1],
        )
    }
}

/// Takes the words of ruled tables out of the words of a page.
pub(crate) fn take(words: Vec<RawWord>, rules: &Rules) -> (Vec<Table>, Vec<RawWord>) {
    let mut rest = words;
    let mut tables: Vec<Table> = Vec::new();
    if rules.plumb.is_empty() || rules.level.is_empty() {
        return (tables, rest);
    }
    let mut lattices: Vec<Lattice> = components(rules)
        .into_iter()
        .filter_map(|c| lattice(rules, &c))
        .collect();
    lattices.sort_by(|a, b| b.cells.len().cmp(&a.cells.len()).then(a.ys[0].total_cmp(&b.ys[0])));
    for lattice in lattices {
        let rect = lattice.rect();
        let (inside, outside): (Vec<RawWord>, Vec<RawWord>) = rest.into_iter().partition(|word| {
            let (x, y) = word.rect.centre();
            x > rect.left - 1.0 && x < rect.right + 1.0 && y > rect.top - 1.0 && y < rect.bottom + 1.0
        });
        let whole = lattice.drawn || !goes_on_beside(&rect, &inside, &outside);
        match whole.then(|| table(&lattice, &inside, rules)).flatten() {
            Some((table, unused)) => {
                tables.push(table);
                rest = outside;
                rest.extend(unused);
            }
            None => {
                rest = outside;
                rest.extend(inside);
            }
        }
    }
    rest.sort_by_key(|word| word.sequence);
    (tables, rest)
}

/// Rules that hang together: indices of level and plumb ones.
fn components(rules: &Rules) -> Vec<(Vec<usize>, Vec<usize>)> {
    let levels = rules.level.len();
    let mut parent: Vec<usize> = (0..levels + rules.plumb.len()).collect();
    for (index, plumb) in rules.plumb.iter().enumerate() {
        let first = rules.level.partition_point(|rule| rule.at < plumb.from - TOUCH);
        for (offset, level) in rules.level[first..].iter().enumerate() {
            if level.at > plumb.to + TOUCH {
                break;
            }
            if level.from <= plumb.at + TOUCH && level.to >= plumb.at - TOUCH {
                unite(&mut parent, first + offset, levels + index);
            }
        }
    }
    let mut out: std::collections::BTreeMap<usize, (Vec<usize>, Vec<usize>)> = std::collections::BTreeMap::new();
    for index in 0..parent.len() {
        let root = find(&mut parent, index);
        let entry = out.entry(root).or_default();
        if index < levels {
            entry.0.push(index);
        } else {
            entry.1.push(index - levels);
        }
    }
    out.into_values()
        .filter(|(l, p)| l.len() >= 2 && !p.is_empty())
        .collect()
}

fn find(parent: &mut [usize], mut index: usize) -> usize {
    while parent[index] != index {
        parent[index] = parent[parent[index]];
        index = parent[index];
    }
    index
}

fn unite(parent: &mut [usize], a: usize, b: usize) {
    let (a, b) = (find(parent, a), find(parent, b));
    parent[a.max(b)] = a.min(b);
}

/// Boundaries from places, near ones joined.
fn tracks(mut places: Vec<f32>) -> Vec<f32> {
    places.sort_by(f32::total_cmp);
    let mut out: Vec<(f32, f32, u32)> = Vec::new();
    for place in places {
        match out.last_mut() {
            Some((first, sum, count)) if place - *first <= SAME => {
                *sum += place;
                *count += 1;
            }
            _ => out.push((place, place, 1)),
        }
    }
    out.into_iter().map(|(_, sum, count)| sum / count as f32).collect()
}

fn lattice(rules: &Rules, (level, plumb): &(Vec<usize>, Vec<usize>)) -> Option<Lattice> {
    let (level, plumb) = drawn(
        level.iter().map(|&i| rules.level[i]).collect(),
        plumb.iter().map(|&i| rules.plumb[i]).collect(),
    );
    let (level, plumb) = (|| level.iter(), || plumb.iter());
    if level().len() < 2 || plumb().len() == 0 {
        return None;
    }
    let (left, right) = extent(level().map(|r| (r.from, r.to)));
    let (top, bottom) = extent(plumb().map(|r| (r.from, r.to)));
    let xs = tracks(plumb().map(|r| r.at).chain([left, right]).collect());
    let ys = tracks(level().map(|r| r.at).chain([top, bottom]).collect());
    if xs.len() < 3 || ys.len() < 3 || xs.len() > MAX_TRACKS || ys.len() > MAX_TRACKS {
        return None;
    }
    let (columns, rows) = (xs.len() - 1, ys.len() - 1);
    // Where rules run: for each boundary which tracks they pass along.
    let runs = |at: f32, from: f32, to: f32, places: &[f32], others: &[f32], out: &mut Vec<bool>, width: usize| {
        let Some(place) = (0..places.len()).min_by(|&a, &b| (places[a] - at).abs().total_cmp(&(places[b] - at).abs()))
        else {
            return;
        };
        for track in 0..width {
            let (start, end) = (others[track], others[track + 1]);
            let covered = to.min(end) - from.max(start);
            if covered >= 0.6 * (end - start) {
                out[place * width + track] = true;
            }
        }
    };
    let mut plumb_at = vec![false; xs.len() * rows];
    for rule in plumb() {
        runs(rule.at, rule.from, rule.to, &xs, &ys, &mut plumb_at, rows);
    }
    let mut level_at = vec![false; ys.len() * columns];
    for rule in level() {
        runs(rule.at, rule.from, rule.to, &ys, &xs, &mut level_at, columns);
    }
    if !is_shared(&level_at, &xs, rows) {
        return None;
    }
    let cells = merge(rows, columns, &plumb_at, &level_at);
    let drawn = plumb().any(|rule| !is_edge(rule));
    Some(Lattice { xs, ys, cells, drawn })
}

/// Whether columns share the boundaries of rows. The bars of a chart each end at a height of their own.
fn is_shared(level_at: &[bool], xs: &[f32], rows: usize) -> bool {
    let columns = xs.len() - 1;
    let width = |track: usize| xs[track + 1] - xs[track];
    let covered: f32 = (columns..rows * columns)
        .filter(|place| level_at[*place])
        .map(|place| width(place % columns))
        .sum();
    covered >= 0.25 * (rows - 1) as f32 * (xs[columns] - xs[0])
}

/// The first beginning and the last end.
fn extent(ends: impl Iterator<Item = (f32, f32)>) -> (f32, f32) {
    ends.fold((f32::INFINITY, f32::NEG_INFINITY), |o, e| (o.0.min(e.0), o.1.max(e.1)))
}

/// The length that stretches cover together.
fn covered(mut stretches: Vec<(f32, f32)>) -> f32 {
    stretches.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut length, mut end) = (0.0, f32::NEG_INFINITY);
    for (from, to) in stretches {
        length += (to - from.max(end)).max(0.0);
        end = end.max(to);
    }
    length
}

/// Where lines are drawn, colour only decorates: short edges of filled areas that lie on none of the lines go.
fn drawn(level: Vec<Rule>, plumb: Vec<Rule>) -> (Vec<Rule>, Vec<Rule>) {
    let lines = |rules: &[Rule]| tracks(rules.iter().filter(|r| !is_edge(r)).map(|r| r.at).collect());
    // Colour under every other row shows rows; columns it shows only where it parts most of them.
    let height = extent(plumb.iter().map(|r| (r.from, r.to)));
    let mut parted: Vec<(f32, Vec<(f32, f32)>)> = Vec::new();
    for rule in &plumb {
        match parted.last_mut() {
            Some((at, ends)) if rule.at - *at <= SAME => ends.push((rule.from, rule.to)),
            _ => parted.push((rule.at, vec![(rule.from, rule.to)])),
        }
    }
    let parted: Vec<(f32, f32)> = parted.into_iter().map(|(at, ends)| (at, covered(ends))).collect();
    let kept = |at: f32| {
        parted
            .iter()
            .any(|(first, length)| at >= *first && at - first <= SAME && *length >= 0.85 * (height.1 - height.0))
    };
    let plumb: Vec<Rule> = plumb
        .into_iter()
        .filter(|rule| !is_edge(rule) || kept(rule.at))
        .collect();
    let (levels, plumbs) = (lines(&level), lines(&plumb));
    if levels.len() < 3 || plumbs.len() < 2 {
        return (level, plumb);
    }
    let keep = |rules: Vec<Rule>, lines: &[f32]| -> Vec<Rule> {
        let (from, to) = extent(rules.iter().map(|r| (r.from, r.to)));
        rules
            .into_iter()
            .filter(|rule| {
                !is_edge(rule)
                    || rule.length() > 0.6 * (to - from)
                    || lines.iter().any(|at| (at - rule.at).abs() <= SAME)
            })
            .collect()
    };
    (keep(level, &levels), keep(plumb, &plumbs))
}

/// Cells that no rule parts are one. What would not be a rectangle is parted by rows.
fn merge(rows: usize, columns: usize, plumb: &[bool], level: &[bool]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut parent: Vec<usize> = (0..rows * columns).collect();
    let open_right = |r: usize, c: usize| c + 1 < columns && !plumb[(c + 1) * rows + r];
    let open_below = |r: usize, c: usize| r + 1 < rows && !level[(r + 1) * columns + c];
    for r in 0..rows {
        for c in 0..columns {
            if open_right(r, c) {
                unite(&mut parent, r * columns + c, r * columns + c + 1);
            }
            if open_below(r, c) {
                unite(&mut parent, r * columns + c, (r + 1) * columns + c);
            }
        }
    }
    let mut groups: std::collections::BTreeMap<usize, Vec<usize>> = std::collections::BTreeMap::new();
    for index in 0..parent.len() {
        let root = find(&mut parent, index);
        groups.entry(root).or_default().push(index);
    }
    let mut out = Vec::new();
    for members in groups.into_values() {
        let (mut r0, mut r1, mut c0, mut c1) = (usize::MAX, 0, usize::MAX, 0);
        for index in &members {
            let (r, c) = (index / columns, index % columns);
            (r0, r1, c0, c1) = (r0.min(r), r1.max(r + 1), c0.min(c), c1.max(c + 1));
        }
        if (r1 - r0) * (c1 - c0) == members.len() {
            out.push((r0..r1, c0..c1));
            continue;
        }
        let mut start = 0;
        for at in 1..=members.len() {
            let joined = members.get(at).is_some_and(|&next| {
                let last = members[at - 1];
                next == last + 1 && next % columns != 0 && open_right(last / columns, last % columns)
            });
            if !joined {
                let (first, last) = (members[start], members[at - 1]);
                let r = first / columns;
                out.push((r..r + 1, first % columns..last % columns + 1));
                start = at;
            }
        }
    }
    out.sort_by_key(|(r, c)| (r.start, c.start));
    out
}

/// The table in a lattice and the words of titles and notes that only share its frame; `None` when it is none.
fn table(lattice: &Lattice, words: &[RawWord], rules: &Rules) -> Option<(Table, Vec<RawWord>)> {
    let size = words.first().map_or(10.0, |w| w.size);
    if words.len() < 4 || rules.is_chart(&lattice.rect(), size) {
        return None;
    }
    let columns = lattice.xs.len() - 1;
    let rows = lattice.ys.len() - 1;
    let mut owner: Vec<usize> = vec![usize::MAX; rows * columns];
    for (index, (r, c)) in lattice.cells.iter().enumerate() {
        for row in r.clone() {
            for column in c.clone() {
                owner[row * columns + column] = index;
            }
        }
    }
    let track = |places: &[f32], at: f32| places.partition_point(|p| *p < at).clamp(1, places.len() - 1) - 1;
    let mut held: Vec<Vec<RawWord>> = vec![Vec::new(); lattice.cells.len()];
    for word in words {
        let (x, y) = word.rect.centre();
        let index = owner[track(&lattice.ys, y) * columns + track(&lattice.xs, x)];
        held[index].push(word.clone());
    }
    // A frame may hold the title above and the notes below.
    let full = |index: usize| lattice.cells[index].1.len() == columns;
    let filled_rows = |index: usize| lattice.cells[index].0.clone();
    let mut first_row = 0;
    let mut last_row = rows;
    // A line over all columns that comes again further down heads a section.
    let sections = (0..held.len())
        .filter(|i| full(*i) && filled_rows(*i).end < rows && is_one_line(&held[*i]))
        .count();
    for (index, words) in held.iter().enumerate() {
        if sections > 1 && is_one_line(words) {
            break;
        }
        if full(index) && filled_rows(index).start == first_row {
            first_row = filled_rows(index).end;
        } else {
            break;
        }
    }
    for index in (0..held.len()).rev() {
        let blank_row = filled_rows(index).end == last_row
            && lattice
                .cells
                .iter()
                .zip(&held)
                .all(|((r, _), words)| r.end != last_row || words.is_empty());
        if (full(index) && filled_rows(index).end == last_row) || (blank_row && filled_rows(index).len() == 1) {
            last_row = filled_rows(index).start;
        } else if filled_rows(index).end <= last_row {
            break;
        }
    }
    if last_row < first_row + 2 {
        return None;
    }
    let mut unused = Vec::new();
    for (index, (r, _)) in lattice.cells.iter().enumerate() {
        if r.start < first_row || r.end > last_row {
            unused.append(&mut held[index]);
        }
    }
    let filled = held.iter().filter(|w| !w.is_empty()).count();
    let total = lattice
        .cells
        .iter()
        .filter(|(r, _)| r.start >= first_row && r.end <= last_row)
        .count();
    let count: usize = held.iter().map(Vec::len).sum();
    if filled < 4 || filled * if lattice.drawn { 4 } else { 2 } < total || count > filled * MAX_CELL_WORDS {
        return None;
    }
    // The lines of a chart part what is not there to be parted.
    let bare = |track: &dyn Fn(usize) -> Range<usize>, count: usize| {
        let mut text = vec![false; count];
        for index in (0..held.len()).filter(|i| !held[*i].is_empty()) {
            text[track(index)].fill(true);
        }
        text.iter().filter(|t| !**t).count() * 2 > count
    };
    if bare(&|i| lattice.cells[i].0.clone(), rows) || bare(&|i| lattice.cells[i].1.clone(), columns) {
        return None;
    }
    let size = median_size(&held)?;
    // Columns that text makes within ruled ones.
    let mut seps: Vec<Vec<f32>> = vec![Vec::new(); columns];
    for (column, seps) in seps.iter_mut().enumerate() {
        let mut lines: Vec<Line> = Vec::new();
        for (index, (_, c)) in lattice.cells.iter().enumerate() {
            if *c == (column..column + 1) && !held[index].is_empty() {
                lines.extend(lines::group(held[index].clone()));
            }
        }
        let atoms: Vec<Vec<atoms::Atom>> = lines.iter().map(atoms::of).collect();
        *seps = inner_separators(&atoms, size);
    }
    let all_seps: Vec<f32> = (0..columns)
        .flat_map(|column| {
            let edge = (column > 0).then_some(lattice.xs[column]);
            edge.into_iter().chain(seps[column].iter().copied())
        })
        .collect();
    // Rows that text makes within ruled ones.
    let ys: Vec<Vec<f32>> = (0..rows)
        .map(|row| {
            let mut inside: Vec<RawWord> = Vec::new();
            for (index, (r, _)) in lattice.cells.iter().enumerate() {
                if *r == (row..row + 1) {
                    inside.extend(held[index].iter().cloned());
                }
            }
            inner_rows(inside, &all_seps, rules)
        })
        .collect();
    let mut column_of = vec![0usize];
    for seps in &seps {
        column_of.push(column_of[column_of.len() - 1] + seps.len() + 1);
    }
    let mut row_of = vec![0usize];
    for ys in &ys {
        row_of.push(row_of[row_of.len() - 1] + ys.len() + 1);
    }
    let mut cells: Vec<Cell> = Vec::new();
    for (index, (r, c)) in lattice.cells.iter().enumerate() {
        if held[index].is_empty() {
            continue;
        }
        let own_seps: &[f32] = if c.len() == 1 { &seps[c.start] } else { &[] };
        let own_ys: &[f32] = if r.len() == 1 { &ys[r.start] } else { &[] };
        for line in lines::group(std::mem::take(&mut held[index])) {
            let rows = if r.len() == 1 {
                let at = row_of[r.start] + own_ys.partition_point(|y| *y < line.rect.centre().1);
                at..at + 1
            } else {
                row_of[r.start]..row_of[r.end]
            };
            if own_seps.is_empty() {
                for (columns, words) in spread(&line, &lattice.xs[c.start..=c.end]) {
                    let columns = column_of[c.start + columns.start]..column_of[c.start + columns.end];
                    push(&mut cells, rows.clone(), columns, Line::new(line.words[words].to_vec()));
                }
                continue;
            }
            let atoms = atoms::of(&line);
            for piece in atoms::pieces(&line, &atoms, own_seps) {
                let columns = column_of[c.start] + piece.columns.start..column_of[c.start] + piece.columns.end;
                push(
                    &mut cells,
                    rows.clone(),
                    columns,
                    Line::new(line.words[piece.words].to_vec()),
                );
            }
        }
    }
    let header_rows = header_rows(lattice, first_row, &row_of, &cells);
    let mut table = Table::new(cells)?;
    let wide_rows = (0..table.rows)
        .filter(|row| table.cells.iter().filter(|c| c.rows.contains(row)).count() >= 2)
        .count();
    if table.columns < 2 || table.rows < 2 || wide_rows < 2 {
        return None;
    }
    table.mark_headers(header_rows.min(table.rows - 1));
    Some((table, unused))
}

/// Whether most lines inside go on right outside: colour then marks a part of a table only.
fn goes_on_beside(rect: &Rect, inside: &[RawWord], outside: &[RawWord]) -> bool {
    let size = inside.first().map_or(10.0, |w| w.size);
    let mut beside: Vec<f32> = outside
        .iter()
        .filter(|w| w.rect.bottom > rect.top && w.rect.top < rect.bottom)
        .filter(|w| w.rect.left < rect.right + 12.0 * size && w.rect.right > rect.left - 12.0 * size)
        .map(|w| w.baseline)
        .collect();
    beside.sort_by(f32::total_cmp);
    let mut lines: Vec<f32> = inside.iter().map(|w| w.baseline).collect();
    lines.sort_by(f32::total_cmp);
    lines.dedup_by(|a, b| (*a - *b).abs() < 2.0);
    let shared = lines
        .iter()
        .filter(|line| {
            let next = beside.partition_point(|b| *b < **line - 1.5);
            beside.get(next).is_some_and(|b| *b < **line + 1.5)
        })
        .count();
    shared * 2 > lines.len()
}

fn is_one_line(words: &[RawWord]) -> bool {
    words.first().is_some_and(|first| {
        words
            .iter()
            .all(|w| (w.baseline - first.baseline).abs() < 0.4 * first.size)
    })
}

/// Cuts what stands side by side in one ruled cell over several columns, as years do over pairs of columns: each
/// column goes to the nearest stretch.
fn spread(line: &Line, places: &[f32]) -> Vec<(Range<usize>, Range<usize>)> {
    let atoms = atoms::of(line);
    let mut stretches: Vec<(f32, f32, Range<usize>)> = Vec::new();
    for atom in &atoms {
        match stretches.last_mut() {
            Some((_, right, words)) if atom.left - *right < 1.5 * line.size.max(1.0) => {
                *right = atom.right;
                words.end = atom.words.end;
            }
            _ => stretches.push((atom.left, atom.right, atom.words.clone())),
        }
    }
    let columns = places.len() - 1;
    let whole = (0..columns, 0..line.words.len());
    if stretches.len() < 2 || stretches.len() > columns {
        return vec![whole];
    }
    let mut out: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for column in 0..columns {
        let centre = f32::midpoint(places[column], places[column + 1]);
        let distance = |index: &usize| (centre - f32::midpoint(stretches[*index].0, stretches[*index].1)).abs();
        let nearest = (0..stretches.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let Some(words) = nearest.map(|n| stretches[n].2.clone()) else {
            continue;
        };
        match out.last_mut() {
            Some((columns, known)) if *known == words => columns.end = column + 1,
            _ => out.push((column..column + 1, words)),
        }
    }
    if out.len() == stretches.len() { out } else { vec![whole] }
}

fn push(cells: &mut Vec<Cell>, rows: Range<usize>, columns: Range<usize>, line: Line) {
    // Lines come cell by cell: the cell is among the last.
    match cells
        .iter_mut()
        .rev()
        .take(64)
        .find(|c| c.rows == rows && c.columns == columns)
    {
        Some(cell) => cell.lines.push(line),
        None => cells.push(Cell {
            rows,
            columns,
            column_header: false,
            row_header: false,
            lines: vec![line],
        }),
    }
}

fn median_size(held: &[Vec<RawWord>]) -> Option<f32> {
    let mut sizes: Vec<f32> = held.iter().flatten().map(|w| w.size).collect();
    sizes.sort_by(f32::total_cmp);
    sizes.get(sizes.len() / 2).copied()
}

/// Columns within a ruled column need three lines that leave the gap, and most of those that reach over it.
fn inner_separators(atoms: &[Vec<atoms::Atom>], size: f32) -> Vec<f32> {
    let wide: Vec<&[atoms::Atom]> = atoms
        .iter()
        .filter(|a| atoms::stretches(a, size) >= 2)
        .map(Vec::as_slice)
        .collect();
    if wide.len() < 3 || wide.len() * 3 < atoms.len() {
        return Vec::new();
    }
    let all: Vec<&[atoms::Atom]> = atoms.iter().map(Vec::as_slice).collect();
    let seps = atoms::separators(&wide, &all, size);
    seps.into_iter()
        .filter(|x| {
            let over = atoms
                .iter()
                .filter(|line| line.iter().any(|a| a.left < *x && a.right > *x))
                .count();
            over * 4 <= atoms.len()
        })
        .collect()
}

/// Heights at which text begins a new row within one ruled row.
fn inner_rows(words: Vec<RawWord>, seps: &[f32], rules: &Rules) -> Vec<f32> {
    if words.len() < 4 {
        return Vec::new();
    }
    let lines = lines::group(words);
    if lines.len() < 2 {
        return Vec::new();
    }
    let atoms: Vec<Vec<atoms::Atom>> = lines.iter().map(atoms::of).collect();
    let rows: Vec<RowLine<'_>> = lines
        .iter()
        .zip(&atoms)
        .map(|(line, atoms)| RowLine {
            line,
            pieces: atoms::pieces(line, atoms, seps),
        })
        .collect();
    let columns = seps.len() + 1;
    let data = rows::data_columns(&rows, columns);
    if let Some(heights) = lines_of_figures(&rows, &data) {
        return heights;
    }
    let rect = atoms::hull(&lines.iter().flat_map(|l| l.words.iter().cloned()).collect::<Vec<_>>());
    let starts = rows::starts(&rows, columns, rules, rect, false);
    let labelled = |index: usize| rows[index].pieces.iter().any(|p| p.columns.start == 0);
    let beginnings: Vec<usize> = (1..rows.len()).filter(|i| starts[*i]).collect();
    // Rows within a ruled row are in doubt: each needs a label of its own ...
    if beginnings.is_empty() || !labelled(0) || !beginnings.iter().all(|i| labelled(*i)) {
        return Vec::new();
    }
    // ... and figures, or white space above.
    let figures = rows
        .iter()
        .filter(|l| {
            l.pieces
                .iter()
                .any(|p| p.numeric && p.columns.start > 0 && data.get(p.columns.start) == Some(&true))
        })
        .count();
    let mut bottom = f32::NEG_INFINITY;
    let gaps: Vec<f32> = lines
        .iter()
        .map(|line| {
            let gap = line.rect.top - bottom;
            bottom = bottom.max(line.rect.bottom);
            gap
        })
        .collect();
    let even = rows.iter().filter(|l| l.pieces.len() * 5 >= columns * 3).count();
    let filled = rows.len() >= 4 && even * 5 >= rows.len() * 4;
    beginnings
        .into_iter()
        .filter(|index| figures >= 3 || filled || gaps[*index] > 0.5 * lines[*index].size)
        .map(|index| f32::midpoint(lines[index - 1].rect.centre().1, lines[index].rect.centre().1))
        .collect()
}

/// Heights between lines that all have figures in the same columns, three at least: each is a row, also where one label
/// for all of them stands in the middle.
fn lines_of_figures(rows: &[RowLine<'_>], data: &[bool]) -> Option<Vec<f32>> {
    let figures = |row: &RowLine<'_>| -> Vec<usize> {
        row.pieces
            .iter()
            .filter(|p| p.numeric && p.columns.len() == 1 && data.get(p.columns.start) == Some(&true))
            .map(|p| p.columns.start)
            .collect()
    };
    let full: Vec<(f32, Vec<usize>)> = rows
        .iter()
        .map(|row| (row.line.rect.centre().1, figures(row)))
        .filter(|(_, columns)| columns.len() >= 3)
        .collect();
    let (first, last) = (full.first()?, full.last()?);
    let alike = full.len() >= 2 && full.iter().all(|(_, columns)| *columns == first.1);
    let between = rows.iter().all(|row| {
        let at = row.line.rect.centre().1;
        at >= first.0 && at <= last.0
    });
    (alike && between).then(|| {
        full.windows(2)
            .map(|pair| f32::midpoint(pair[0].0, pair[1].0))
            .collect()
    })
}

/// Rows of the head: the first ruled row, and as many as its tallest cell takes, when its text differs from the rest.
fn header_rows(lattice: &Lattice, first_row: usize, row_of: &[usize], cells: &[Cell]) -> usize {
    let mut end = first_row + 1;
    loop {
        let tallest = lattice
            .cells
            .iter()
            .filter(|(r, _)| r.start >= first_row && r.start < end)
            .map(|(r, _)| r.end)
            .max()
            .unwrap_or(end);
        let spans = lattice
            .cells
            .iter()
            .any(|(r, c)| r.end == end && c.len() > 1 && c.len() < lattice.xs.len() - 1);
        let next = tallest.max(end + usize::from(spans && end == first_row + 1));
        if next == end {
            break;
        }
        end = next;
    }
    if end >= row_of.len() {
        return 0;
    }
    let (from, to) = (row_of[first_row], row_of[end]);
    let head = || cells.iter().filter(|c| c.rows.start >= from && c.rows.start < to);
    let body = || cells.iter().filter(|c| c.rows.start >= to);
    let bold = |cells: &mut dyn Iterator<Item = &Cell>| {
        let (mut all, mut bold) = (0usize, 0usize);
        for cell in cells {
            all += 1;
            bold += usize::from(cell.lines.iter().all(Line::is_bold));
        }
        if all == 0 { 0.0 } else { bold as f32 / all as f32 }
    };
    let words = head().filter(|c| !c.is_data() || c.is_years()).count();
    let data_below = body().any(Cell::is_data);
    let heavier = bold(&mut head()) > 0.6 && bold(&mut body()) < 0.6;
    let wordy = words * 10 >= head().count() * 7;
    let shorter = head().map(Cell::word_count).sum::<usize>() * body().count().max(1)
        <= 3 * body().map(Cell::word_count).sum::<usize>().max(1) * head().count().max(1);
    if heavier || (wordy && (data_below || shorter)) {
        to - from
    } else {
        0
    }
}
