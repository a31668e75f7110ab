//! Figures that do not stand in the evidence but follow from figures that do: differences, sums, ratios, changes in per
//! cent.
//!
//! Among many figures some two always happen to give a third. So only figures that belong together are tried: those the
//! claim itself names and the evidence holds, those of one sentence, one row or one column, and of these only the rows and
//! sentences that speak of what the claim speaks of; and only what the words of the claim say was done: a sum where it
//! speaks of a total, a difference where it speaks of a change. A row of a table computes nothing.

use super::evidence::{Evidence, Here, stems};
use super::figure::{Amount, Drift, Figure, Nearness, Sign, Unit};
use super::scan::rounding;
use regex::Regex;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

/// With so few amounts in the evidence all of them belong together.
const FEW: usize = 6;
/// Most figures of a line, or rows of a column, that are tried with one another.
const MOST: usize = 48;
/// Most rows that add up to one.
const LONGEST_SUM: usize = 8;

/// With so many digits a figure is hardly met by chance.
const TELLING_DIGITS: i32 = 3;

/// A figure that others may be computed from.
#[derive(Debug, Clone)]
struct Operand {
    written: String,
    value: f64,
    unit: Unit,
    /// Which of two is the later can be told from these.
    year: Option<u32>,
    line: usize,
    place: Range<usize>,
}

/// Which of two operands is the later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Later {
    First,
    Second,
    Unknown,
}

/// How `wanted` follows from figures of the evidence, or of the claim as far as the evidence holds them: `(120 − 100) ÷ 100`.
pub(super) fn computed(wanted: &Figure, claim: &str, found: &[&Figure], evidence: &Evidence) -> Option<String> {
    let amount = wanted
        .amount
        .as_ref()
        .filter(|_| wanted.when.is_none() && !wanted.in_row)?;
    let amount = &Wanted {
        amount,
        adds: ADDS.is_match(claim),
        subtracts: is_change(amount) || amount.sign != Sign::None || SUBTRACTS.is_match(claim),
    };
    let named: Vec<Operand> = found
        .iter()
        .filter_map(|figure| {
            let amount = figure.amount.as_ref().filter(|_| figure.when.is_none())?;
            Some(Operand {
                written: figure.written.clone(),
                value: signed(amount, amount.value()),
                unit: amount.unit,
                year: None,
                line: 0,
                place: figure.start..figure.end,
            })
        })
        .collect();
    let in_claim = |a: &Operand, b: &Operand| later(claim, &a.place, &b.place);
    from_pairs(amount, &named, &in_claim)
        .or_else(|| from_all(amount, &named))
        .or_else(|| from_evidence(amount, claim, evidence))
}

/// A figure of the claim and what its words say was done.
struct Wanted<'a> {
    amount: &'a Amount,
    adds: bool,
    subtracts: bool,
}

#[expect(clippy::expect_used, reason = "the patterns are constants")]
static ADDS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:total\w*|sum(?:s|med)?|combined|together|altogether|overall|aggregate\w*|jointly|cumulative\w*|collectively|in\s+all|both|plus|add(?:s|ed)?|insgesamt|zusammen|gesamt\w*|au\s+total|ensemble)\b",
    )
    .expect("BUG: the pattern of sums is valid")
});

#[expect(clippy::expect_used, reason = "the patterns are constants")]
static SUBTRACTS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:differ\w*|chang\w*|gap|net|remain\w*|left|leaving|leaves|more|less|fewer|higher|lower|exceed\w*|increas\w*|decreas\w*|declin\w*|grew|grow\w*|rose|rise\w*|rising|fell|fall\w*|drop\w*|reduc\w*|improv\w*|widen\w*|narrow\w*|spread|margin|gained|lost|up|down|above|below|after|ahead|behind|step-?(?:up|down)|swing|swung|shift\w*|surplus|deficit|shortfall|headroom|profit|gross|later|earlier|longer|shorter|between|differenz|veränder\w*|rückgang|anstieg|stieg|sank|écart|hausse|baisse)\b",
    )
    .expect("BUG: the pattern of differences is valid")
});

fn signed(amount: &Amount, value: f64) -> f64 {
    if amount.sign == Sign::Minus { -value } else { value }
}

fn from_evidence(amount: &Wanted<'_>, claim: &str, evidence: &Evidence) -> Option<String> {
    let about = stems(claim);
    let amounts: Vec<&Here> = evidence
        .figures
        .iter()
        .filter(|here| here.figure.amount.is_some() && here.figure.when.is_none())
        .collect();
    let few = amounts.len() <= FEW;
    let telling = amount
        .amount
        .readings
        .first()
        .is_some_and(|reading| reading.digits() >= TELLING_DIGITS);
    // Where there is little to compute from, the digits speak for themselves.
    let amount = &Wanted {
        amount: amount.amount,
        adds: amount.adds || (few && telling),
        subtracts: amount.subtracts || (few && telling),
    };
    let shared = |line: usize| {
        evidence
            .lines
            .get(line)
            .map_or(0, |words| words.stems.intersection(&about).count())
    };
    let most = amounts.iter().map(|here| shared(here.line)).max().unwrap_or(0);
    let operand = |here: &&Here| {
        let amount = here.figure.amount.as_ref();
        let scale = amount
            .and_then(|amount| amount.scale)
            .or(here.scales.first().copied())
            .unwrap_or(1.0);
        let value = amount
            .and_then(|amount| amount.readings.first())
            .map_or(0.0, |reading| reading.value);
        Operand {
            written: here.figure.written.clone(),
            value: amount.map_or(0.0, |amount| signed(amount, value * scale)),
            unit: amount.map_or(Unit::Bare, |amount| amount.unit),
            year: here.year,
            line: here.line,
            place: here.place.clone(),
        }
    };
    // By the years over their columns, else by the words between them.
    let order = |a: &Operand, b: &Operand| match (a.year, b.year) {
        (Some(x), Some(y)) if x > y => Later::First,
        (Some(x), Some(y)) if x < y => Later::Second,
        _ if a.line != b.line => Later::Unknown,
        _ => evidence
            .lines
            .get(a.line)
            .filter(|line| !line.row)
            .map_or(Later::Unknown, |line| later(&line.text, &a.place, &b.place)),
    };
    // One sentence, or one row.
    let lines: BTreeSet<usize> = amounts.iter().map(|here| here.line).collect();
    for line in lines
        .iter()
        .copied()
        .filter(|line| few || (most > 0 && shared(*line) == most))
    {
        let here: Vec<Operand> = amounts
            .iter()
            .filter(|here| here.line == line)
            .take(MOST)
            .map(operand)
            .collect();
        if let Some(how) = from_pairs(amount, &here, &order) {
            return Some(how);
        }
    }
    // One column, or lines under one another.
    let columns: BTreeSet<usize> = amounts.iter().map(|here| here.column).collect();
    for column in columns {
        let here: Vec<&Here> = amounts
            .iter()
            .copied()
            .filter(|here| here.column == column && (here.figure.in_row || few))
            .take(MOST)
            .collect();
        let bearing: Vec<Operand> = here
            .iter()
            .filter(|here| few || shared(here.line) > 0)
            .map(operand)
            .collect();
        if let Some(how) = from_pairs(amount, &bearing, &order) {
            return Some(how);
        }
        let all: Vec<Operand> = here.iter().map(operand).collect();
        if telling && let Some(how) = from_runs(amount, &all) {
            return Some(how);
        }
    }
    // Two sentences of a short text.
    if few {
        let all: Vec<Operand> = amounts.iter().map(operand).collect();
        return from_pairs(amount, &all, &order).or_else(|| from_all(amount, &all));
    }
    None
}

/// Which of two figures of a text is the later, from the words between and before them.
fn later(text: &str, first: &Range<usize>, second: &Range<usize>) -> Later {
    let Some(between) = text.get(first.end..second.start.max(first.end)).map(str::to_lowercase) else {
        return Later::Unknown;
    };
    let before = text[..first.start].trim_end().to_lowercase();
    let word = |wanted: &str| between.split(|c: char| !c.is_alphabetic()).any(|word| word == wanted);
    if before.trim_end_matches(['$', '€', '£']).trim_end().ends_with("from") && word("to") {
        return Later::Second;
    }
    let base = [
        "compared",
        "versus",
        "vs",
        "against",
        "from",
        "auf von",
        "nach",
        "gegenüber",
    ];
    if base.iter().any(|wanted| word(wanted)) || between.contains("prior year") || between.contains("year earlier") {
        return Later::First;
    }
    Later::Unknown
}

/// Whether `other` is the amount at the precision it is written with.
fn meets(amount: &Amount, other: f64) -> bool {
    let Some(reading) = amount.readings.first() else {
        return false;
    };
    let scale = amount.scale.unwrap_or(1.0);
    let value = reading.value * scale;
    let step = rounding(*reading, amount.nearness) * scale * (1.0 + 1e-9);
    let off = other.abs() - value;
    other.is_finite()
        && match amount.nearness {
            Nearness::AsWritten | Nearness::About => off.abs() <= (step / 2.0).min(value.abs() * 0.25) + 1e-9,
            Nearness::Over => (0.0..step).contains(&off),
            Nearness::Under => (0.0..step).contains(&-off),
        }
}

/// Whether two figures are of a kind, so that they can be added or compared.
fn alike(a: Unit, b: Unit) -> bool {
    match (a, b) {
        (Unit::Money(x), Unit::Money(y)) => super::measure::same_currency(x, y),
        (Unit::Money(_) | Unit::Count(_), Unit::Bare) | (Unit::Bare, Unit::Money(_) | Unit::Count(_)) => true,
        (a, b) => a == b,
    }
}

/// Whether figures of a kind give one of the kind of the claim when they are added or subtracted.
fn gives(wanted: Unit, operand: Unit) -> bool {
    match (wanted, operand) {
        (Unit::Points | Unit::Basis, Unit::Percent) => true,
        (Unit::Percent | Unit::Points | Unit::Basis | Unit::Times, _) => wanted == operand && wanted != Unit::Times,
        (Unit::Count(_) | Unit::Measure(_), Unit::Bare) => true,
        (wanted, operand) => alike(wanted, operand),
    }
}

fn from_pairs(
    amount: &Wanted<'_>,
    operands: &[Operand],
    later: &dyn Fn(&Operand, &Operand) -> Later,
) -> Option<String> {
    for (i, a) in operands.iter().enumerate() {
        for b in &operands[i + 1..] {
            if !alike(a.unit, b.unit) || (a.value == b.value && a.written == b.written) {
                continue;
            }
            if let Some(how) = from_pair(amount, a, b, later(a, b)) {
                return Some(how);
            }
        }
    }
    None
}

fn from_pair(wanted_amount: &Wanted<'_>, a: &Operand, b: &Operand, order: Later) -> Option<String> {
    let Wanted {
        amount,
        adds,
        subtracts,
    } = *wanted_amount;
    let wanted = match (amount.sign, amount.drift) {
        (Sign::Minus, _) | (_, Drift::Fall) => Some(false),
        (Sign::Plus, _) | (_, Drift::Rise) => Some(true),
        _ => None,
    };
    // The earlier and the later of the two, as far as that is known or the claim's direction allows it.
    let orders: Vec<(&Operand, &Operand)> = match order {
        Later::First => vec![(b, a)],
        Later::Second => vec![(a, b)],
        Later::Unknown => vec![(a, b), (b, a)],
    };
    for (from, to) in orders {
        let rise = to.value > from.value;
        if wanted.is_some_and(|wanted| wanted != rise) {
            continue;
        }
        let change = to.value - from.value;
        let factor = match amount.unit {
            Unit::Basis => 100.0,
            _ => 1.0,
        };
        let differs =
            subtracts && gives(amount.unit, a.unit) && amount.unit != Unit::Percent && matters(amount, a, b, factor);
        if differs && meets(amount, change * factor) {
            let (high, low) = if rise { (to, from) } else { (from, to) };
            return Some(format!("{} − {}", high.written, low.written));
        }
        let shares = matches!(a.unit, Unit::Percent | Unit::Points | Unit::Basis);
        let changes = amount.unit == Unit::Percent && subtracts && from.value != 0.0 && (!shares || wanted.is_some());
        if changes && meets(amount, change / from.value.abs() * 100.0) {
            return Some(format!("({} − {}) ÷ {}", to.written, from.written, from.written));
        }
    }
    if wanted.is_some() {
        return None;
    }
    let adds = adds
        && gives(amount.unit, a.unit)
        && gives(amount.unit, b.unit)
        && !matches!(amount.unit, Unit::Points | Unit::Basis);
    if adds && matters(amount, a, b, 1.0) && meets(amount, a.value + b.value) {
        return Some(format!("{} + {}", a.written, b.written));
    }
    for (part, whole) in [(a, b), (b, a)] {
        if whole.value == 0.0 || matches!(a.unit, Unit::Percent | Unit::Points | Unit::Basis) {
            continue;
        }
        let ratio = part.value / whole.value;
        let is_ratio = amount.unit == Unit::Times
            || (amount.unit == Unit::Bare
                && amount.nouns.is_empty()
                && amount.scale.is_none()
                && amount.readings.first().is_some_and(|reading| reading.step < 1.0));
        let share = amount.unit == Unit::Percent && meets(amount, ratio * 100.0);
        if share || (is_ratio && meets(amount, ratio)) {
            return Some(format!("{} ÷ {}", part.written, whole.written));
        }
    }
    None
}

/// Whether both operands make a difference at the precision of the amount: 3.2 million is no sum of 3.2 million and 0.25.
fn matters(amount: &Amount, a: &Operand, b: &Operand, factor: f64) -> bool {
    let step = amount
        .readings
        .first()
        .map_or(1.0, |reading| rounding(*reading, amount.nearness))
        * amount.scale.unwrap_or(1.0);
    a.value.abs().min(b.value.abs()) * factor > step / 2.0
}

/// The sum of all operands of the claim's kind.
fn from_all(wanted: &Wanted<'_>, operands: &[Operand]) -> Option<String> {
    let Wanted { amount, adds, .. } = *wanted;
    let fitting: Vec<&Operand> = operands
        .iter()
        .filter(|operand| gives(amount.unit, operand.unit))
        .collect();
    let possible = adds && !is_change(amount) && !matches!(amount.unit, Unit::Points | Unit::Basis);
    if !possible || !(3..=LONGEST_SUM).contains(&fitting.len()) {
        return None;
    }
    sum(amount, &fitting)
}

/// The sum of rows that stand under one another.
fn from_runs(wanted: &Wanted<'_>, operands: &[Operand]) -> Option<String> {
    let Wanted { amount, adds, .. } = *wanted;
    if !adds || is_change(amount) || matches!(amount.unit, Unit::Points | Unit::Basis) {
        return None;
    }
    for start in 0..operands.len() {
        for length in 3..=LONGEST_SUM.min(operands.len() - start) {
            let run: Vec<&Operand> = operands[start..start + length].iter().collect();
            if run
                .iter()
                .all(|operand| gives(amount.unit, operand.unit) && alike(operand.unit, run[0].unit))
                && let Some(how) = sum(amount, &run)
            {
                return Some(how);
            }
        }
    }
    None
}

fn is_change(amount: &Amount) -> bool {
    matches!(amount.drift, Drift::Rise | Drift::Fall)
}

fn sum(amount: &Amount, operands: &[&Operand]) -> Option<String> {
    let total: f64 = operands.iter().map(|operand| operand.value).sum();
    meets(amount, total).then(|| {
        operands
            .iter()
            .map(|operand| operand.written.as_str())
            .collect::<Vec<_>>()
            .join(" + ")
    })
}
