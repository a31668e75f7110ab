//! What a figure in a text is.

/// A figure in a text: an amount, a share, a date, a period.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// As written, with its currency sign, scale word or per cent sign.
    pub written: String,
    /// Where it stands, in bytes.
    pub start: usize,
    pub(super) end: usize,
    pub(super) when: Option<When>,
    /// A bare year has an amount too, as a cell of a table may hold the count 2022.
    pub(super) amount: Option<Amount>,
    /// `3rd`.
    pub(super) ordinal: Option<u32>,
    /// Written out in letters: `twelve`.
    pub(super) in_words: bool,
    /// Spoken of as known: "the two companies".
    pub(super) definite: bool,
    /// The words beside it speak of what goes out, so that brackets in a table are no contradiction.
    pub(super) outgoing: bool,
    /// In a row of a table, where scales stand over it rather than beside it.
    pub(super) in_row: bool,
}

impl Figure {
    pub(super) fn new(text: &str, start: usize, end: usize) -> Self {
        Self {
            written: text[start..end].split_whitespace().collect::<Vec<_>>().join(" "),
            start,
            end,
            when: None,
            amount: None,
            ordinal: None,
            in_words: false,
            definite: false,
            outgoing: false,
            in_row: false,
        }
    }
}

/// A day, month, year, or part of a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct When {
    pub(super) year: Option<u32>,
    /// The second year of `2021/22`.
    pub(super) until: Option<u32>,
    pub(super) month: Option<u32>,
    pub(super) day: Option<u32>,
    /// `03/04/2022` may be March or April.
    pub(super) swaps: bool,
    pub(super) part: Option<Part>,
}

/// A part of a fiscal or calendar year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Quarter(u32),
    Half(u32),
}

/// A number with what it counts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Amount {
    /// What the digits can mean; two where the marks of thousands and decimals cannot be told apart.
    pub(super) readings: Vec<Reading>,
    /// 1, a thousand, a million … from a word or letter behind it.
    pub(super) scale: Option<f64>,
    pub(super) unit: Unit,
    /// The words behind it that may name what is counted.
    pub(super) nouns: Vec<String>,
    pub(super) sign: Sign,
    pub(super) drift: Drift,
    /// On top of another rate, so that its direction is none of a change.
    pub(super) spread: bool,
    pub(super) nearness: Nearness,
}

/// One meaning of the digits, without sign and scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Reading {
    pub(super) value: f64,
    /// What one unit of the last written digit is worth.
    pub(super) step: f64,
}

impl Reading {
    /// Digits from the first to the last written one, zeros at the end included.
    pub(super) fn digits(self) -> i32 {
        let steps = (self.value / self.step).round();
        let mut digits = 1;
        let mut bound = 10.0;
        while steps >= bound && digits < 18 {
            digits += 1;
            bound *= 10.0;
        }
        digits
    }
}

impl Amount {
    pub(super) fn value(&self) -> f64 {
        self.readings.first().map_or(0.0, |reading| reading.value) * self.scale.unwrap_or(1.0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Bare,
    Percent,
    /// Percentage points.
    Points,
    /// Hundredths of a percentage point.
    Basis,
    /// A currency by its code; `$` is any dollar.
    Money(&'static str),
    /// `2.5x`.
    Times,
    /// Time, length, mass and the like: never the same as something else.
    Measure(&'static str),
    /// People, shops, shares.
    Count(&'static str),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    None,
    Minus,
    Plus,
    /// In brackets that may be a minus or an aside.
    Either,
}

/// What the words beside a figure say about its direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Drift {
    None,
    /// "increased by".
    Rise,
    /// "decreased by".
    Fall,
    /// "a profit of".
    Gain,
    /// "a loss of".
    Loss,
}

/// How exactly a figure wants to be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nearness {
    AsWritten,
    About,
    Over,
    Under,
}

impl Figure {
    /// Whether it is an amount or a share, and no date or year.
    #[must_use]
    pub fn is_amount(&self) -> bool {
        self.amount.is_some() && self.when.is_none()
    }

    /// Whether both are amounts of one kind, shares or not, that differ by at most `tolerance`, a share of this one. Signs
    /// must not contradict; a scale that only one of them has is not held against the other.
    #[must_use]
    pub fn is_near(&self, other: &Self, tolerance: f64) -> bool {
        let (Some(a), Some(b)) = (&self.amount, &other.amount) else {
            return false;
        };
        let is_share = |amount: &Amount| matches!(amount.unit, Unit::Percent | Unit::Points | Unit::Basis);
        let contradict =
            (a.sign == Sign::Minus) != (b.sign == Sign::Minus) && ![a.sign, b.sign].contains(&Sign::Either);
        if is_share(a) != is_share(b) || contradict {
            return false;
        }
        let scales = |amount: &Amount, alone: bool| match amount.scale {
            Some(scale) if alone => vec![scale, 1.0],
            scale => vec![scale.unwrap_or(1.0)],
        };
        let alone = a.scale.is_none() != b.scale.is_none();
        let values = |amount: &Amount| -> Vec<f64> {
            let readings = amount.readings.iter().map(|reading| reading.value);
            readings
                .flat_map(|value| scales(amount, alone).into_iter().map(move |scale| value * scale))
                .collect()
        };
        let theirs = values(b);
        values(a).into_iter().any(|value| {
            theirs
                .iter()
                .any(|other| (value - other).abs() <= tolerance * value.abs())
        })
    }
}
