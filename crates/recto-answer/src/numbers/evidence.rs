//! The cited evidence as figures can be looked up in it.

use super::dates;
use super::direction::{is_of_changes, is_outgoing, label_drift, without_brackets};
use super::figure::{Amount, Drift, Figure, Nearness, Reading, Sign, Unit, When};
use super::layout::{Line, Scope, lines, scope};
use super::measure::{dimension, same_currency, stem, unit_of};
use super::scan::{rounding, scan};
use recto_core::visible;
use std::collections::BTreeSet;

/// A figure rounded to one digit says little; it must not be further off than this share of its value.
const MOST_OFF: f64 = 0.10;
/// The same where the claim says "about".
const MOST_OFF_ABOUT: f64 = 0.25;
/// Without a caption the digits of a cell decide, where there are enough of them.
const TELLING_DIGITS: i32 = 3;

/// What figures can be looked up in: the cited evidence.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    pub(super) figures: Vec<Here>,
    pub(super) lines: Vec<Words>,
    years: Vec<u32>,
    quarters_ended: Vec<When>,
    stems: BTreeSet<String>,
}

/// The words of a line.
#[derive(Debug, Clone)]
pub(super) struct Words {
    pub(super) text: String,
    pub(super) stems: BTreeSet<String>,
    pub(super) row: bool,
}

/// A figure of the evidence with what its place says about it.
#[derive(Debug, Clone)]
pub(super) struct Here {
    pub(super) figure: Figure,
    /// What its digits may be multiplied with where no scale is written beside them, the likeliest first.
    pub(super) scales: Vec<f64>,
    /// The currency of the table.
    currency: Option<&'static str>,
    /// Its column is one of percentages.
    percent: bool,
    /// It may be a percentage.
    maybe_percent: bool,
    maybe_points: bool,
    label: Drift,
    outgoing: bool,
    /// Units that its label and the head of its column name.
    units: Vec<Unit>,
    pub(super) line: usize,
    /// Which figure of its line, or which column.
    pub(super) column: usize,
    /// The year over its column.
    pub(super) year: Option<u32>,
    /// Where it stands in its line.
    pub(super) place: std::ops::Range<usize>,
}

impl Evidence {
    /// Reads the figures of a text, its headings included.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut evidence = Self::default();
        evidence.add(text);
        evidence
    }

    /// Reads a further text. A caption in one text says nothing about the tables of another.
    pub fn add(&mut self, text: &str) {
        // A figure broken by what nobody sees is the figure all the same.
        let seen = visible(text);
        let text = &*seen;
        let rows = lines(text);
        let figures = scan(text, &rows);
        let mut reader = Reader {
            text,
            lines: &rows,
            first_line: self.lines.len(),
            scope: None,
            percent: false,
            heads: Vec::new(),
            in_head: false,
            group: String::new(),
        };
        let mut next = 0;
        let mut read: Vec<Here> = Vec::new();
        for (index, line) in rows.iter().enumerate() {
            let end = line.range.end;
            let mut own = Vec::new();
            while let Some(figure) = figures.get(next).filter(|figure| figure.start < end) {
                own.push(figure.clone());
                next += 1;
            }
            reader.line(index, own, &mut read);
        }
        // A caption may stand under its table.
        if let Some(last) = reader.scope.filter(|scope| scope.scale.is_some()) {
            for here in read.iter_mut().filter(|here| {
                here.scales.len() > 1 && here.scales[0].to_bits() == FREE[0].to_bits() && here.figure.in_row
            }) {
                here.scales = last.scale.into_iter().collect();
                here.currency = here.currency.or(last.currency);
            }
        }
        for line in &rows {
            let words = &text[line.range.clone()];
            self.lines.push(Words {
                text: words.to_owned(),
                stems: stems(words),
                row: line.row,
            });
        }
        for when in figures.iter().filter_map(|figure| figure.when) {
            self.years.extend(when.year);
            self.years.extend(when.until);
        }
        self.years.sort_unstable();
        self.years.dedup();
        self.quarters_ended.extend(dates::quarters_ended(text));
        self.stems.extend(stems(text));
        self.figures.extend(read);
    }

    /// Whether a figure stands here.
    #[must_use]
    pub fn holds(&self, wanted: &Figure) -> bool {
        if let Some(when) = wanted.when {
            return self.holds_when(when);
        }
        self.figures.iter().any(|here| self.same(wanted, here))
    }

    /// The columns of the last line in which a figure stands: its own, and for a year those under it.
    #[must_use]
    pub fn columns_of_last_line(&self, wanted: &Figure) -> Vec<usize> {
        let last = self.lines.len().saturating_sub(1);
        self.figures
            .iter()
            .filter(|here| here.line == last && wanted.when.is_none() && self.same(wanted, here))
            .map(|here| here.column)
            .collect()
    }

    fn holds_when(&self, wanted: When) -> bool {
        let here = self.figures.iter().filter_map(|here| here.figure.when);
        if here.clone().any(|other| dates::holds(wanted, other, &self.years)) {
            return true;
        }
        // The quarter may be named by its last day only.
        let unnamed = here.clone().all(|other| other.part.is_none());
        wanted.part.is_some()
            && unnamed
            && self
                .quarters_ended
                .iter()
                .any(|other| dates::holds(wanted, *other, &self.years))
    }

    /// Whether the evidence has any word of `nouns`.
    pub(super) fn speaks_of(&self, nouns: &[String]) -> bool {
        nouns.iter().any(|noun| self.stems.contains(noun))
    }

    pub(super) fn same(&self, wanted: &Figure, here: &Here) -> bool {
        if wanted.ordinal.is_some() || here.figure.ordinal.is_some() {
            return wanted.ordinal == here.figure.ordinal || self.holds_ordinal(wanted);
        }
        let (Some(a), Some(b)) = (&wanted.amount, &here.figure.amount) else {
            return false;
        };
        if here.figure.when.is_some() && !here.figure.in_row && b.nouns.is_empty() {
            return false;
        }
        units_agree(wanted, a, here, b) && signs_agree(wanted, a, here, b) && values_agree(wanted, a, here, b)
    }

    fn holds_ordinal(&self, wanted: &Figure) -> bool {
        const NAMES: &[&str] = &[
            "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
            "twelfth",
        ];
        wanted
            .ordinal
            .and_then(|ordinal| usize::try_from(ordinal).ok()?.checked_sub(1))
            .and_then(|at| NAMES.get(at))
            .is_some_and(|name| self.stems.contains(*name))
    }
}

/// Scales of a cell under no caption. Statements are in thousands or millions.
const FREE: [f64; 3] = [1.0, 1e3, 1e6];

/// The words of a text that can tell what it is about.
pub(super) fn stems(text: &str) -> BTreeSet<String> {
    const COMMON: &[&str] = &[
        "the",
        "and",
        "was",
        "were",
        "for",
        "from",
        "with",
        "compared",
        "total",
        "net",
        "year",
        "quarter",
        "month",
        "ended",
        "increase",
        "increased",
        "decrease",
        "decreased",
        "million",
        "billion",
        "thousand",
        "percent",
        "that",
        "this",
        "than",
        "its",
        "are",
        "had",
        "has",
        "rose",
        "fell",
        "grew",
        "about",
        "over",
        "primarily",
        "due",
    ];
    text.split(|c: char| !c.is_alphabetic())
        .filter(|word| word.chars().count() > 2)
        .map(|word| stem(&word.to_lowercase()))
        .filter(|word| !COMMON.contains(&word.as_str()))
        .collect()
}

/// What stands over a column.
#[derive(Debug, Clone, Default)]
struct Head {
    text: String,
    lower: String,
    scope: Option<Scope>,
    year: Option<u32>,
    of_changes: bool,
    units: Vec<Unit>,
}

impl Head {
    fn push(&mut self, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        self.text.push(' ');
        self.text.push_str(text);
        self.lower = self.text.to_lowercase();
        self.scope = scope(&self.text);
        self.year = head_year(&self.text);
        self.of_changes = is_of_changes(&self.text);
        self.units = units_named(&self.text);
    }
}

/// What the label of a line says about its figures.
struct Label {
    lower: String,
    scope: Option<Scope>,
    year: Option<u32>,
    drift: Drift,
    outgoing: bool,
    of_changes: bool,
    units: Vec<Unit>,
}

/// Reads lines one after the other, keeping what stands over them.
struct Reader<'a> {
    text: &'a str,
    lines: &'a [Line],
    first_line: usize,
    scope: Option<Scope>,
    percent: bool,
    /// What stands over each column.
    heads: Vec<Head>,
    in_head: bool,
    group: String,
}

impl Reader<'_> {
    fn line(&mut self, index: usize, figures: Vec<Figure>, read: &mut Vec<Here>) {
        let line = &self.lines[index];
        let words = &self.text[line.range.clone()];
        let counts = figures.iter().any(|figure| figure.when.is_none());
        let rule = line.piped
            && words
                .chars()
                .all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\n' | '\t' | '\r'))
            && words.contains("--");
        let first_of_table = line.piped && index.checked_sub(1).is_none_or(|above| !self.lines[above].piped);
        if first_of_table {
            self.heads.clear();
            self.in_head = true;
            self.group.clear();
        }
        if rule {
            self.in_head = false;
            return;
        }
        let ruled_below = line.piped
            && self.lines[index + 1..]
                .iter()
                .take(3)
                .take_while(|line| line.piped)
                .any(|line| {
                    let below = &self.text[line.range.clone()];
                    below.contains("--") && !below.contains(|c: char| c.is_alphanumeric())
                });
        let own = scope(words);
        let head = line.piped && self.in_head && (!counts || ruled_below);
        if head {
            for (column, cell) in line.cells.iter().enumerate() {
                if self.heads.len() <= column {
                    self.heads.push(Head::default());
                }
                self.heads[column].push(&self.text[cell.clone()]);
            }
        } else if line.piped {
            self.in_head = false;
        }
        if let Some(own) = own {
            let of_column = head
                && line
                    .cells
                    .iter()
                    .skip(1)
                    .any(|cell| scope(&self.text[cell.clone()]).is_some());
            if !counts && own.scale.is_some() && !(of_column && own.currency.is_some() && self.scope.is_some()) {
                self.scope = Some(own);
                self.percent = false;
            } else if !counts && own.percent && !line.piped {
                self.percent = true;
            }
        }
        if line.row && !counts && !head {
            self.group = words.to_owned();
        }
        if figures.is_empty() && !line.piped {
            return;
        }
        let label = self.label(line, own);
        for (place, figure) in figures.into_iter().enumerate() {
            let here = self.here(index, place, figure, &label);
            read.push(here);
        }
        if line.piped && !head {
            self.dashes(index, &label, read);
        }
    }

    fn label(&self, line: &Line, own: Option<Scope>) -> Label {
        let text = if line.row { &self.text[line.label.clone()] } else { "" };
        let around = format!("{text} {}", self.group);
        Label {
            scope: if line.piped { scope(text) } else { own },
            year: head_year(text),
            drift: label_drift(text),
            outgoing: is_outgoing(&without_brackets(text)),
            of_changes: line.row && is_of_changes(&around),
            units: if line.row { units_named(&around) } else { Vec::new() },
            lower: around.to_lowercase(),
        }
    }

    fn here(&self, index: usize, place: usize, figure: Figure, label: &Label) -> Here {
        let line = &self.lines[index];
        let column = if line.piped {
            line.cells.partition_point(|cell| cell.end < figure.start)
        } else {
            place
        };
        let head = self.heads.get(column).filter(|_| line.piped);
        let column_scope = head.and_then(|head| head.scope);
        let label_scope = label.scope;
        let has = |word: &str| label.lower.contains(word) || head.is_some_and(|head| head.lower.contains(word));
        let near_scope = label_scope
            .filter(|scope| scope.scale.is_some())
            .or(column_scope.filter(|scope| scope.scale.is_some()));
        let over = near_scope.or(self.scope);
        let amount = figure.amount.as_ref();
        let reading = amount.and_then(|amount| amount.readings.first().copied());
        let scales = match over.and_then(|over| Some((over, over.scale?))) {
            _ if amount.is_none_or(|amount| amount.scale.is_some()) => vec![1.0],
            Some((over, scale)) if line.row => {
                let of_shares = over.shares.filter(|_| has("shares"));
                let mut scales = vec![of_shares.unwrap_or(scale)];
                let decimals = reading.is_some_and(|reading| reading.step < 1.0);
                let each = [
                    "per share",
                    "per-share",
                    "per unit",
                    "ratio",
                    "percent",
                    "%",
                    "par value",
                ]
                .iter()
                .any(|word| has(word));
                if each || (over.except && decimals) {
                    scales.push(1.0);
                }
                scales
            }
            Some((over, scale)) if over.declared => vec![1.0, scale],
            None if line.row && reading.is_some_and(|reading| reading.digits() >= TELLING_DIGITS) => FREE.to_vec(),
            _ => vec![1.0],
        };
        let small = reading.is_some_and(|reading| reading.value < 1e3);
        let percent = small && line.piped && column_scope.is_some_and(|scope| scope.unit() == Unit::Percent);
        let rate = [
            "percent", "%", "margin", "rate", "yield", "share of", "anteil", "quote", "marge",
        ]
        .iter()
        .any(|word| has(word));
        Here {
            scales,
            currency: over.and_then(|over| over.currency),
            percent,
            maybe_percent: line.row && small && (percent || rate || self.percent),
            maybe_points: line.row && ["points", " pp", "bps", "(pp", "punkte"].iter().any(|word| has(word)),
            label: match label.drift {
                Drift::None if label.of_changes || (line.row && head.is_some_and(|head| head.of_changes)) => {
                    Drift::Rise
                }
                drift => drift,
            },
            outgoing: label.outgoing,
            units: label
                .units
                .iter()
                .chain(head.iter().flat_map(|head| &head.units))
                .copied()
                .collect(),
            line: self.first_line + index,
            column,
            year: head.and_then(|head| head.year).or(label.year),
            place: figure.start - line.range.start..figure.end.saturating_sub(line.range.start),
            figure,
        }
    }

    /// A cell with nothing but a dash is nothing: 0.
    fn dashes(&self, index: usize, label: &Label, read: &mut Vec<Here>) {
        let line = &self.lines[index];
        for cell in line.cells.iter().skip(1) {
            let words = self.text[cell.clone()]
                .trim()
                .trim_start_matches(['$', '€', '£'])
                .trim();
            if !matches!(words, "—" | "–" | "-" | "−" | "nil") {
                continue;
            }
            let mut figure = Figure::new(self.text, cell.start, cell.end);
            figure.in_row = true;
            figure.amount = Some(Amount {
                readings: vec![Reading { value: 0.0, step: 1.0 }],
                scale: None,
                unit: Unit::Bare,
                nouns: Vec::new(),
                sign: Sign::None,
                drift: Drift::None,
                spread: false,
                nearness: Nearness::AsWritten,
            });
            let mut here = self.here(index, 0, figure, label);
            here.maybe_percent = true;
            here.scales = vec![1.0];
            read.push(here);
        }
    }
}

fn units_named(text: &str) -> Vec<Unit> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '°'))
        .filter_map(|word| unit_of(&stem(&word.to_lowercase())))
        .collect()
}

fn head_year(head: &str) -> Option<u32> {
    if !head.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let rows = lines(head);
    scan(head, &rows).iter().rev().find_map(|figure| figure.when?.year)
}

fn units_agree(wanted: &Figure, a: &Amount, here: &Here, b: &Amount) -> bool {
    let row = here.figure.in_row;
    let counted = |nouns_a: &[String], nouns_b: &[String]| {
        nouns_a.is_empty() || nouns_b.is_empty() || nouns_a.iter().any(|noun| nouns_b.contains(noun))
    };
    // A rate can be said in either; a change of a rate cannot.
    let level = (a.drift == Drift::None || a.spread) && (b.drift == Drift::None || b.spread);
    match (a.unit, b.unit) {
        (Unit::Percent, Unit::Percent) => true,
        (Unit::Percent, Unit::Basis) | (Unit::Basis, Unit::Percent) => level && a.sign == Sign::None,
        (Unit::Percent, Unit::Bare) => row && here.maybe_percent && b.scale.is_none(),
        (Unit::Points | Unit::Basis, Unit::Points | Unit::Basis) => true,
        (Unit::Points | Unit::Basis, Unit::Bare) => row && here.maybe_points,
        (Unit::Money(x), Unit::Money(y)) => same_currency(x, y),
        (Unit::Money(x), Unit::Bare) => {
            !here.percent && here.currency.is_none_or(|y| same_currency(x, y)) && (row || b.nouns.is_empty())
        }
        (Unit::Times, Unit::Times) => true,
        (Unit::Times, Unit::Bare) => b.nouns.is_empty() && !here.percent,
        (Unit::Measure(x), Unit::Measure(y)) => {
            dimension(x).0 == dimension(y).0
                && !(qualified(a, WORKING) && qualified(b, CALENDAR))
                && !(qualified(a, CALENDAR) && qualified(b, WORKING))
        }
        (Unit::Count(x), Unit::Count(y)) => x == y,
        (Unit::Measure(_), Unit::Bare) => row && here.units.contains(&a.unit),
        (Unit::Count(_), Unit::Bare) => {
            let named = here.units.iter().any(|unit| matches!(unit, Unit::Count(_)));
            !here.percent && counted(&a.nouns, &b.nouns) && (!row || !named || here.units.contains(&a.unit))
        }
        (Unit::Bare, Unit::Bare) => (!here.percent || wanted.in_row) && counted(&a.nouns, &b.nouns),
        (Unit::Bare, Unit::Money(_)) => a.nouns.is_empty() || wanted.in_row,
        (Unit::Bare, Unit::Measure(_) | Unit::Count(_)) => {
            a.nouns.is_empty() || a.nouns.iter().any(|noun| b.nouns.contains(noun))
        }
        (Unit::Bare, Unit::Times) => a.nouns.is_empty(),
        _ => false,
    }
}

/// Kinds of days that are not the same days.
const WORKING: &[&str] = &["business", "working", "trading", "banking"];
const CALENDAR: &[&str] = &["calendar", "consecutive"];

fn qualified(amount: &Amount, kind: &[&str]) -> bool {
    amount.nouns.iter().any(|noun| kind.contains(&noun.as_str()))
}

fn signs_agree(wanted: &Figure, a: &Amount, here: &Here, b: &Amount) -> bool {
    if a.sign == Sign::Either || b.sign == Sign::Either {
        return !matches!(
            (direction(a.sign, a.drift), direction(b.sign, b.drift)),
            (Drift::Rise | Drift::Gain, Drift::Fall | Drift::Loss)
                | (Drift::Fall | Drift::Loss, Drift::Rise | Drift::Gain)
        );
    }
    let zero = a.value() == 0.0;
    let ours = direction(a.sign, a.drift);
    // What a label says holds for figures without a sign of their own.
    let theirs = match (b.sign, b.drift) {
        (Sign::None, Drift::None) => here.label,
        _ => direction(b.sign, b.drift),
    };
    let negative = b.sign == Sign::Minus;
    match ours {
        _ if zero => true,
        Drift::Fall => {
            if a.sign == Sign::Minus {
                negative || matches!(theirs, Drift::Fall | Drift::Loss)
            } else {
                negative
                    || !matches!(theirs, Drift::Rise)
                    || (here.figure.in_row && b.sign == Sign::None && theirs == Drift::Gain)
            }
        }
        Drift::Loss => {
            negative || matches!(theirs, Drift::Loss | Drift::Fall) || (theirs == Drift::None && b.sign == Sign::None)
        }
        Drift::Rise => !negative && !matches!(theirs, Drift::Fall | Drift::Loss),
        Drift::Gain => !negative && !matches!(theirs, Drift::Loss),
        Drift::None => !negative || here.outgoing || wanted.outgoing,
    }
}

/// The direction of a figure: its sign first, then the words beside it.
fn direction(sign: Sign, drift: Drift) -> Drift {
    match (sign, drift) {
        (Sign::Minus, _) => Drift::Fall,
        (Sign::Plus, Drift::None) => Drift::Rise,
        (_, drift) => drift,
    }
}

fn values_agree(wanted: &Figure, a: &Amount, here: &Here, b: &Amount) -> bool {
    let factor = match (a.unit, b.unit) {
        (Unit::Basis, Unit::Points | Unit::Percent) => 100.0,
        (Unit::Points | Unit::Percent, Unit::Basis) => 0.01,
        (Unit::Measure(x), Unit::Measure(y)) => dimension(y).1 / dimension(x).1,
        _ => 1.0,
    };
    let ours = a.scale.unwrap_or(1.0);
    let single = [b.scale.unwrap_or(1.0)];
    let theirs: &[f64] = if b.scale.is_some() { &single } else { &here.scales };
    // As printed: a row quotes a table without its caption, and a count says what it counts itself.
    let printed = a.scale.is_none() && (wanted.in_row || !matches!(a.unit, Unit::Money(_)));
    // Under no caption, digits alone may be in thousands or millions only where the claim says so.
    let guessed = theirs.len() == FREE.len();
    a.readings.iter().any(|reading| {
        b.readings.iter().any(|other| {
            let near = |scale: f64| near(a, *reading, ours, other.value * scale * factor, other.step < 1.0);
            (printed && b.scale.is_none() && near(1.0))
                || (wanted.in_row && a.scale == b.scale && near(ours))
                || theirs
                    .iter()
                    .filter(|scale| !guessed || a.scale.is_some() || **scale < 2.0 || reading.digits() > 6)
                    .any(|scale| near(*scale))
        })
    })
}

/// Whether `other` is the figure at the precision it is written with.
fn near(a: &Amount, reading: Reading, scale: f64, other: f64, other_has_decimals: bool) -> bool {
    let value = reading.value * scale;
    let off = other - value;
    if off.abs() <= value.abs() * 1e-9 + 1e-12 {
        return true;
    }
    let share = matches!(a.unit, Unit::Percent | Unit::Points | Unit::Basis | Unit::Times);
    let coarse = a.nearness != Nearness::AsWritten
        || scale > 1.0
        || share
        || reading.step < 1.0
        || (other_has_decimals && reading.digits() >= TELLING_DIGITS);
    if !coarse {
        return false;
    }
    let step = rounding(reading, a.nearness) * scale * (1.0 + 1e-9);
    let most = value.abs()
        * if a.nearness == Nearness::AsWritten {
            MOST_OFF
        } else {
            MOST_OFF_ABOUT
        };
    if off.abs() > most {
        return false;
    }
    match a.nearness {
        Nearness::AsWritten | Nearness::About => off.abs() <= step / 2.0,
        Nearness::Over => (0.0..step).contains(&off),
        Nearness::Under => (0.0..step).contains(&-off),
    }
}
