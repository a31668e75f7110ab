//! Lines of a text: which are rows of tables, and what stands over them.

use super::figure::Unit;
use super::measure::{currency_code, scale_of};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// A line.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    pub(super) range: Range<usize>,
    /// A row of a table or of a list of figures, rather than a sentence.
    pub(super) row: bool,
    /// Its cells are separated by `|`.
    pub(super) piped: bool,
    /// The cells, in bytes of the text.
    pub(super) cells: Vec<Range<usize>>,
    /// What stands before its first figure.
    pub(super) label: Range<usize>,
}

#[expect(clippy::expect_used, reason = "the patterns are constants")]
fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("BUG: the pattern is valid")
}

static VERB: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)(?-u:\b)(?:was|were|is|are|had|has|have|rose|fell|grew|increased|decreased|declined|amounted|reached|totall?ed|spent|spend|paid|earned|reported|generated|stood|came|employs?|employed|betrug|lag|stieg|sank|wurde|est|sont|fut|opened|issued|will|shall|compared)(?-u:\b)",
    )
});

static NUMBERS: LazyLock<Regex> = LazyLock::new(|| regex(r"[0-9][0-9.,'’]*"));

/// The lines of `text`.
pub(super) fn lines(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut start = 0;
    for piece in text.split_inclusive('\n') {
        let content = piece.trim_end_matches(['\n', '\r']);
        lines.push(line(text, start..start + content.len(), start + piece.len()));
        start += piece.len();
    }
    lines
}

fn line(text: &str, content: Range<usize>, end: usize) -> Line {
    let words = &text[content.clone()];
    let piped = words.contains('|') || words.contains('\t');
    let mut cells = Vec::new();
    let mut start = content.start;
    if piped {
        for cell in words.split_inclusive(['|', '\t']) {
            let length = cell.trim_end_matches(['|', '\t']).len();
            cells.push(start..start + length);
            start += cell.len();
        }
        // What stands before a leading bar is no cell.
        if words.trim_start().starts_with('|') {
            cells.remove(0);
        }
    } else {
        cells.push(content.clone());
    }
    let first = words
        .find(|c: char| c.is_ascii_digit())
        .map_or(content.end, |at| content.start + at);
    let label = if piped {
        cells.first().cloned().unwrap_or(content.start..content.start)
    } else {
        content.start..first
    };
    Line {
        row: piped || is_row(words),
        piped,
        cells,
        label,
        range: content.start..end,
    }
}

/// A label and figures without a verb: "Total net sales 82,959 81,434".
fn is_row(line: &str) -> bool {
    let trimmed = line.trim();
    let figures = NUMBERS.find_iter(trimmed).count();
    if figures == 0 || VERB.is_match(trimmed) {
        return false;
    }
    let words = trimmed
        .split_whitespace()
        .filter(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 1)
        .count();
    let stopped =
        trimmed.ends_with(['.', '!', '?', ';', '。']) && !trimmed.ends_with("Mio.") && !trimmed.ends_with("Mrd.");
    let closed =
        trimmed.ends_with(|c: char| c.is_ascii_digit() || matches!(c, ')' | '%' | '—' | '–' | '-' | '€' | '$'));
    let wide = trimmed.contains("  ");
    !stopped && words <= 10 && closed && (wide || figures >= 2 && words <= 6 || words <= 5)
}

/// What a line such as "(in millions of euros, except per share amounts)" says about the figures under it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scope {
    pub(super) scale: Option<f64>,
    pub(super) currency: Option<&'static str>,
    pub(super) percent: bool,
    /// Some figures are excepted, mostly those per share.
    pub(super) except: bool,
    /// "shares in thousands".
    pub(super) shares: Option<f64>,
    /// It says so of all amounts, not only of a table's.
    pub(super) declared: bool,
}

const SCALES: &str = r"thousands?|millions?|billions?|lakhs?|crores?|millionen|milliarden|tausend|milliers|milliards|millones|mio|mrd|tsd|mln|bn|mn|mm|[’']000s?|000s";
const MONEY: &str = r"US\s?\$|U\.S\.\s?\$|A\$|C\$|HK\$|\$|€|£|¥|₹|USD|EUR|GBP|CHF|JPY|CNY|RMB|INR|SEK|NOK|DKK|AUD|CAD|U\.S\.\s+dollars?|US\s+dollars?|dollars?|euros?|pounds\s+sterling|swiss\s+francs?|yen|yuan|rupees?";

static IN_SCALE: LazyLock<Regex> = LazyLock::new(|| {
    regex(&format!(
        r"(?i)(?:(?P<money0>{MONEY})\s+(?:amounts\s+)?)?(?-u:\b)(?:in|en)\s+(?:(?P<money>{MONEY})\s?)?(?P<scale>{SCALES})(?:(?-u:\b)|\.)\.?(?:\s+(?:of\s+|d[’'e]\s?)?(?P<money2>{MONEY}))?"
    ))
});
/// `($m)`, `€ million`, `(millions)`, `TEUR`, `EUR'000` as a caption or in a header cell.
static SHORT_SCALE: LazyLock<Regex> = LazyLock::new(|| {
    regex(&format!(
        r"(?i)(?:(?P<money>{MONEY})\s?(?P<scale>{SCALES}|m|k|bn?)(?-u:\b)\.?|\(\s*(?P<scale2>{SCALES})\s*(?:of\s+)?(?P<money2>{MONEY})?\s*\)|(?-u:\b)(?P<scale3>mio|mrd|tsd)\.?\s?(?P<money3>{MONEY})|(?-u:\b)(?P<t>T)(?P<money4>€|EUR|CHF|USD)|(?-u:\b)k(?P<money5>€|EUR)|(?P<cjk>百万|億|亿|万)(?P<money6>円|元))"
    ))
});
static SHARES_IN: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"(?i)(?-u:\b)shares?(?-u:\b)[^.;()\n]{0,60}?(?-u:\b)in\s+(?P<scale>thousands|millions|billions)(?-u:\b)")
});
static IN_PERCENT: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)(?:(?-u:\b)in\s+(?:%|per\s?cent(?-u:\b)|percent(?:ages?)?(?-u:\b)|prozent(?-u:\b))|\(\s*(?:%|percent|percentages?|as a percentage[^)]*)\s*\)|%)",
    )
});
static DECLARED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)(?-u:\b)(?:all|amounts?|figures|values|numbers|tabular|dollars|expressed|presented|stated|shown|angaben|alle|sauf|montants)(?-u:\b)",
    )
});

/// What `text` says about the scale of figures under or beside it. A line that says so and holds a figure itself is about
/// its own figure.
pub(super) fn scope(text: &str) -> Option<Scope> {
    let plain = text.replace('|', " ");
    let shares = SHARES_IN
        .captures(&plain)
        .and_then(|captures| scale_of(captures.name("scale")?.as_str()));
    let main = IN_SCALE.captures_iter(&plain).find(|captures| {
        // The scale of shares is not that of the amounts.
        let at = captures.get(0).map_or(0, |whole| whole.start());
        !SHARES_IN
            .find_iter(&plain)
            .any(|other| other.start() < at && at < other.end())
    });
    let named = |captures: &regex::Captures<'_>, names: &[&str]| {
        names
            .iter()
            .find_map(|name| captures.name(name))
            .map(|found| found.as_str().to_owned())
    };
    let (scale, currency) = if let Some(captures) = &main {
        (
            named(captures, &["scale"]).and_then(|word| scale_of(&word)),
            named(captures, &["money", "money2", "money0"]),
        )
    } else if let Some(captures) = SHORT_SCALE.captures(&plain).filter(|found| is_caption(&plain, found)) {
        let word = named(&captures, &["scale", "scale2", "scale3", "cjk"]);
        let thousand = captures.name("t").is_some() || captures.name("money5").is_some();
        (
            word.and_then(|word| scale_of(&word)).or(thousand.then_some(1e3)),
            named(&captures, &["money", "money2", "money3", "money4", "money5", "money6"]),
        )
    } else {
        (None, None)
    };
    let percent = scale.is_none() && IN_PERCENT.is_match(&plain);
    (scale.is_some() || percent || shares.is_some()).then(|| Scope {
        scale,
        currency: currency.as_deref().and_then(currency_code),
        percent,
        except: plain.to_lowercase().contains("except"),
        shares,
        declared: DECLARED.is_match(&plain),
    })
}

/// "€ million" is a caption where no number stands before it: in "€ 5 million" it is part of a figure.
fn is_caption(text: &str, captures: &regex::Captures<'_>) -> bool {
    captures.get(0).is_some_and(|whole| {
        !text[..whole.start()].trim_end().ends_with(|c: char| c.is_ascii_digit())
            && !text[whole.end()..]
                .trim_start()
                .starts_with(|c: char| c.is_ascii_digit() && text[..whole.start()].trim().is_empty())
    })
}

impl Scope {
    pub(super) fn unit(&self) -> Unit {
        if self.percent {
            return Unit::Percent;
        }
        self.currency.map_or(Unit::Bare, Unit::Money)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_told_from_sentences() {
        for row in [
            "Total net sales 82,959 81,434",
            "| Products | $63,355 |",
            "Other (12) 4",
            "Sales\t5",
            "(In millions) Purchases 1,577",
        ] {
            assert!(lines(row)[0].row, "{row}");
        }
        for sentence in [
            "Sales were 82,959 in 2022",
            "It grew 5%.",
            "purchases were $1,577 thousand",
            "The company opened 12 new stores in 2023",
        ] {
            assert!(!lines(sentence)[0].row, "{sentence}");
        }
    }

    #[test]
    fn a_caption_scales_what_stands_under_it() {
        for (text, scale, currency) in [
            ("(in millions)", 1e6, None),
            ("(In millions, except per share amounts)", 1e6, None),
            ("(in thousands of euros)", 1e3, Some("EUR")),
            ("($ in millions)", 1e6, Some("$")),
            ("Revenue ($m)", 1e6, Some("$")),
            ("(€ million)", 1e6, Some("EUR")),
            ("in Mio. EUR", 1e6, Some("EUR")),
            ("TEUR", 1e3, Some("EUR")),
            ("£'000", 1e3, Some("GBP")),
            ("en millions d'euros", 1e6, Some("EUR")),
            ("(in US$ thousands)", 1e3, Some("USD")),
            ("Angaben in Tsd. CHF", 1e3, Some("CHF")),
        ] {
            let scope = scope(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(
                (scale, currency),
                (scope.scale.unwrap_or(1.0), scope.currency),
                "{text}"
            );
        }
        let apple = scope("(In millions, except number of shares which are reflected in thousands and par value)")
            .expect("a scope");
        assert_eq!((apple.scale, apple.shares, apple.except), (Some(1e6), Some(1e3), true));
        assert!(scope("Sales were $5 million.").is_none());
        assert!(scope("Change (in %)").expect("percent").percent);
    }
}
