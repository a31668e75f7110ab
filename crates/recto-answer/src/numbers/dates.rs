//! Days, months, years and parts of years, as people write them.

use super::figure::{Figure, Part, When};
use regex::{Captures, Regex};
use std::sync::LazyLock;

const MONTH: &str = "january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec\
    |januar|jänner|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|fevrier|mars|avril|juin|juillet|août|aout|septembre|octobre|novembre|décembre\
    |enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre";
const YEAR: &str = r"(?:19|20)[0-9][0-9]";
const FISCAL: &str = r"(?:(?:the\s+)?(?:fiscal|calendar|financial)(?:\s+year)?|FYE?|CY|year)";
const NTH: &str = "first|second|third|fourth|1st|2nd|3rd|4th";

#[expect(clippy::expect_used, reason = "the patterns are constants")]
fn regex(pattern: &str) -> Regex {
    Regex::new(&format!("(?i){pattern}")).expect("BUG: the date pattern is valid")
}

/// The patterns, the more telling ones first: what one has taken the next does not see.
static PATTERNS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        format!(r"(?-u:\b)(?P<y>{YEAR})[-/.](?P<m>[0-9]{{1,2}})[-/.](?P<d>[0-9]{{1,2}})(?-u:\b)"),
        format!(r"(?-u:\b)(?P<a>[0-9]{{1,2}})(?P<s>[./-])(?P<b>[0-9]{{1,2}})[./-](?P<y>{YEAR}|[0-9][0-9])(?-u:\b)"),
        format!(r"(?P<y>{YEAR})年(?:(?P<m>[0-9]{{1,2}})月(?:(?P<d>[0-9]{{1,2}})日)?)?"),
        format!(
            r"(?-u:\b)(?P<month>{MONTH})(?-u:\b)\.?\s+(?P<d>[0-9]{{1,2}})(?:st|nd|rd|th)?(?-u:\b)(?:\s*,?\s*(?P<y>{YEAR})(?-u:\b))?"
        ),
        format!(
            r"(?-u:\b)(?P<d>[0-9]{{1,2}})(?:st|nd|rd|th|er|\.)?\s+(?:of\s+|de\s+|day\s+of\s+)?(?P<month>{MONTH})(?-u:\b)\.?(?:\s*,?\s*(?:de\s+)?(?P<y>{YEAR})(?-u:\b))?"
        ),
        format!(
            r"(?-u:\b)(?P<day>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|fifteenth|twentieth|thirtieth|thirty-first|last)\s+day\s+of\s+(?P<month>{MONTH})(?-u:\b)(?:\s*,?\s*(?P<y>{YEAR})(?-u:\b))?"
        ),
        format!(r"(?-u:\b)(?P<month>{MONTH})(?-u:\b)(?:\.?\s*,?\s*(?:of\s+|de\s+)?(?P<y>{YEAR})|[-’']\s?(?P<yy>[0-9][0-9]))(?-u:\b)"),
        // Q3 2022, Q3 FY22, Q3 of fiscal 2022, 2022 Q3, Q3'22
        format!(
            r"(?:(?-u:\b)(?:FY\s?)?(?P<y2>{YEAR})[\s-]+)?(?-u:\b)Q(?P<q>[1-4])(?-u:\b)(?:\s*(?:of\s+|in\s+)?[-/,]?\s*(?:{FISCAL}\s*)?(?P<y>{YEAR})(?-u:\b)|\s?(?:of\s+)?(?:FY\s?[’']?|[’'])(?P<yy>[0-9][0-9])(?-u:\b))?"
        ),
        format!(r"(?-u:\b)(?P<q>[1-4])Q(?:[\s’'-]?(?:FY)?\s?(?P<y>{YEAR})|[’'-]?(?:FY)?(?P<yy>[0-9][0-9]))?(?-u:\b)"),
        format!(
            r"(?-u:\b)(?:(?:{FISCAL}\s+)?(?P<y2>{YEAR})\s+)?(?P<nth>{NTH})[\s-]+(?:(?:fiscal|calendar)[\s-]+)?(?P<kind>quarter|half)(?-u:\b)(?:\s*(?:of|in|,)?\s*(?:{FISCAL}\s*)?(?P<y>{YEAR})(?-u:\b)|\s+(?:of\s+)?FY\s?[’']?(?P<yy>[0-9][0-9])(?-u:\b))?"
        ),
        format!(r"(?-u:\b)H(?P<h>[12])(?-u:\b)(?:\s*(?:of\s+|in\s+)?[-/,]?\s*(?:{FISCAL}\s*)?(?P<y>{YEAR})(?-u:\b)|\s?(?:FY\s?[’']?|[’'])(?P<yy>[0-9][0-9])(?-u:\b))?"),
        format!(r"(?-u:\b)(?P<h>[12])H(?:[\s’'-]?(?:FY)?\s?(?P<y>{YEAR})|[’'-]?(?:FY)?(?P<yy>[0-9][0-9]))?(?-u:\b)"),
        format!(r"(?-u:\b)(?:{FISCAL}\s*)?(?P<y>{YEAR})\s?[/–-]\s?(?P<until>[0-9][0-9])(?-u:\b)"),
        format!(r"(?-u:\b){FISCAL}\s*[’']?(?P<y>{YEAR})(?-u:\b)"),
        r"(?-u:\b)(?:FYE?\s?[’']?|fiscal\s+[’'])(?P<yy>[0-9][0-9])(?-u:\b)".to_owned(),
    ]
    .iter()
    .map(|pattern| regex(pattern))
    .collect()
});

/// What every pattern needs some of: most texts have none of it.
static LIKELY: LazyLock<Regex> = LazyLock::new(|| {
    regex(&format!(
        r"(?-u:\b)(?:{MONTH})(?-u:\b)|{YEAR}|[0-9][./-][0-9]|quarter|half(?-u:\b)|(?-u:\b)q[1-4]|(?-u:\b)[1-4]q|(?-u:\b)h[12]|(?-u:\b)[12]h|(?-u:\b)fye?\s?[’']?[0-9]|fiscal"
    ))
});

/// The dates and periods of `text`, in order, none overlapping another. Bare years are not among them.
pub(super) fn dates(text: &str) -> Vec<Figure> {
    let mut found: Vec<Figure> = Vec::new();
    if !LIKELY.is_match(text) {
        return found;
    }
    for pattern in PATTERNS.iter() {
        for captures in pattern.captures_iter(text) {
            let Some(whole) = captures.get(0) else { continue };
            let taken = found
                .iter()
                .any(|date| date.start < whole.end() && whole.start() < date.end);
            if taken || is_inside_number(text, whole.start(), whole.end()) {
                continue;
            }
            if let Some(when) = when(&captures) {
                let mut figure = Figure::new(text, whole.start(), whole.end());
                figure.when = Some(when);
                found.push(figure);
            }
        }
    }
    found.sort_by_key(|date| date.start);
    found
}

/// `1,25.06.2022` or `4.25.06.22.1`: the digits go on before or behind.
fn is_inside_number(text: &str, start: usize, end: usize) -> bool {
    let starts = text[start..].starts_with(|c: char| c.is_ascii_digit());
    let ends = text[..end].ends_with(|c: char| c.is_ascii_digit());
    let mut before = text[..start].chars().rev();
    let joined = before
        .next()
        .is_some_and(|c| matches!(c, '.' | ',' | '/' | '-' | '$' | '€' | '£'))
        && before.next().is_some_and(|c| c.is_ascii_digit());
    let currency = text[..start].ends_with(['$', '€', '£', '¥']);
    let mut behind = text[end..].chars();
    let goes_on = behind.next().is_some_and(|c| matches!(c, '.' | ',' | '/' | '-'))
        && behind.next().is_some_and(|c| c.is_ascii_digit());
    (starts && (joined || currency)) || (ends && goes_on)
}

fn when(captures: &Captures<'_>) -> Option<When> {
    let number = |name: &str| captures.name(name).and_then(|found| found.as_str().parse::<u32>().ok());
    let long = |year: u32| {
        if year < 100 {
            if year < 70 { 2000 + year } else { 1900 + year }
        } else {
            year
        }
    };
    let mut when = When {
        year: number("y").or(number("y2")).or(number("yy")).map(long),
        month: number("m"),
        day: number("d"),
        ..When::default()
    };
    if let Some(month) = captures.name("month") {
        when.month = Some(month_number(&month.as_str().to_lowercase())?);
    }
    if let Some(day) = captures.name("day") {
        when.day = Some(day_number(&day.as_str().to_lowercase(), when.month?)?);
    }
    if let (Some(a), Some(b)) = (number("a"), number("b")) {
        let european = captures.name("s").is_some_and(|mark| mark.as_str() == ".");
        let (day, month) = match (european, a > 12, b > 12) {
            (true, ..) | (_, true, false) => (a, b),
            _ => (b, a),
        };
        when.day = Some(day);
        when.month = Some(month);
        when.swaps = !european && a <= 12 && b <= 12;
    }
    if let Some(until) = number("until") {
        let year = when.year?;
        // 2021/22, not the month in 2021-06.
        if until != (year + 1) % 100 {
            return None;
        }
        when.until = Some(year + 1);
    }
    let nth = captures
        .name("nth")
        .map(|nth| match nth.as_str().to_lowercase().as_str() {
            "first" | "1st" => 1,
            "second" | "2nd" => 2,
            "third" | "3rd" => 3,
            _ => 4,
        });
    let half = captures
        .name("kind")
        .is_some_and(|kind| kind.as_str().eq_ignore_ascii_case("half"));
    when.part = match (
        number("q").or(nth.filter(|_| !half)),
        number("h").or(nth.filter(|_| half)),
    ) {
        (Some(quarter), _) => Some(Part::Quarter(quarter)),
        (None, Some(half @ 1..=2)) => Some(Part::Half(half)),
        (None, Some(_)) => return None,
        _ => None,
    };
    let possible =
        when.month.is_none_or(|month| (1..=12).contains(&month)) && when.day.is_none_or(|day| (1..=31).contains(&day));
    possible.then_some(when)
}

/// "the first day of April", as contracts write.
fn day_number(name: &str, month: u32) -> Option<u32> {
    const NAMES: &[(&str, u32)] = &[
        ("first", 1),
        ("second", 2),
        ("third", 3),
        ("fourth", 4),
        ("fifth", 5),
        ("sixth", 6),
        ("seventh", 7),
        ("eighth", 8),
        ("ninth", 9),
        ("tenth", 10),
        ("fifteenth", 15),
        ("twentieth", 20),
        ("thirtieth", 30),
        ("thirty-first", 31),
    ];
    if name == "last" {
        return match month {
            2 => None,
            4 | 6 | 9 | 11 => Some(30),
            _ => Some(31),
        };
    }
    NAMES.iter().find(|(other, _)| *other == name).map(|(_, day)| *day)
}

fn month_number(name: &str) -> Option<u32> {
    const STARTS: &[(&str, u32)] = &[
        ("jan", 1),
        ("jän", 1),
        ("ener", 1),
        ("feb", 2),
        ("fév", 2),
        ("fev", 2),
        ("juil", 7),
        ("juin", 6),
        ("mar", 3),
        ("mär", 3),
        ("apr", 4),
        ("avr", 4),
        ("abr", 4),
        ("may", 5),
        ("mai", 5),
        ("jun", 6),
        ("jul", 7),
        ("aug", 8),
        ("aoû", 8),
        ("aou", 8),
        ("ago", 8),
        ("sep", 9),
        ("oct", 10),
        ("okt", 10),
        ("nov", 11),
        ("dec", 12),
        ("déc", 12),
        ("dez", 12),
        ("dic", 12),
    ];
    STARTS
        .iter()
        .find(|(start, _)| name.starts_with(start))
        .map(|(_, month)| *month)
}

/// The wanted moment against one of the evidence. `years` are all the years the evidence speaks of: a table names the day
/// in one row of its header and the year in the next.
pub(super) fn holds(wanted: When, here: When, years: &[u32]) -> bool {
    let year = match (wanted.year, here.year) {
        (None, _) => true,
        (Some(year), None) => years.contains(&year),
        (Some(year), Some(other)) => year == other || here.until == Some(year),
    };
    let until = wanted
        .until
        .is_none_or(|until| here.until == Some(until) || here.year == Some(until) || years.contains(&until));
    let day = match (wanted.day, here.day) {
        (None, _) => wanted
            .month
            .is_none_or(|month| here.month == Some(month) || (here.swaps && here.day == Some(month))),
        (Some(_), None) => false,
        (Some(day), Some(other)) => {
            let straight = day == other && wanted.month == here.month;
            let crossed = wanted.month == Some(other) && here.month == Some(day);
            straight || (crossed && (wanted.swaps || here.swaps))
        }
    };
    let part = wanted.part.is_none_or(|part| here.part == Some(part));
    year && until && day && part && (here.year.is_some() || wanted.month.is_some() || wanted.part.is_some())
}

#[expect(clippy::expect_used, reason = "the patterns are constants")]
static QUARTER_END: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(
        r"(?i)(?-u:\b)(?:three\s+months|quarter(?:ly\s+period)?)\s+ended\s+(?P<month>{MONTH})(?-u:\b)\.?\s+[0-9]{{1,2}}\s*,?\s*(?P<y>{YEAR})?"
    ))
    .expect("BUG: the pattern is valid")
});

/// The quarters whose last day the text names, read as quarters of calendar years.
pub(super) fn quarters_ended(text: &str) -> Vec<When> {
    QUARTER_END
        .captures_iter(text)
        .filter_map(|captures| {
            let month = month_number(&captures.name("month")?.as_str().to_lowercase())?;
            (month % 3 == 0).then(|| When {
                year: captures.name("y").and_then(|year| year.as_str().parse().ok()),
                part: Some(Part::Quarter(month / 3)),
                ..When::default()
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &str) -> When {
        let found = dates(text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        found[0].when.expect("a date")
    }

    #[test]
    fn a_day_is_the_same_in_every_notation() {
        for text in [
            "June 25, 2022",
            "25 June 2022",
            "Jun. 25 2022",
            "June 25th, 2022",
            "the 25th of June 2022",
            "25.06.2022",
            "2022-06-25",
            "06/25/2022",
            "25/06/2022",
            "25. Juni 2022",
            "25 juin 2022",
            "2022年6月25日",
            "25.6.22",
        ] {
            let when = only(text);
            assert_eq!(
                (when.year, when.month, when.day),
                (Some(2022), Some(6), Some(25)),
                "{text}"
            );
        }
    }

    #[test]
    fn a_part_of_a_year_is_the_same_in_every_notation() {
        for text in [
            "Q3 2022",
            "Q3 FY22",
            "Q3 FY2022",
            "3Q22",
            "third quarter of 2022",
            "third quarter of fiscal 2022",
            "2022 Q3",
            "third-quarter 2022",
            "Q3'22",
            "fiscal 2022 third quarter",
            "the third fiscal quarter of 2022",
            "3Q 2022",
            "third quarter of fiscal year 2022",
        ] {
            let when = only(text);
            assert_eq!((when.year, when.part), (Some(2022), Some(Part::Quarter(3))), "{text}");
        }
        assert_eq!(only("first half of 2023").part, Some(Part::Half(1)));
        assert_eq!(only("H1 2023").part, Some(Part::Half(1)));
        assert_eq!(only("FY22").year, Some(2022));
        assert_eq!(only("fiscal year 2022").year, Some(2022));
        assert_eq!((only("2021/22").year, only("2021/22").until), (Some(2021), Some(2022)));
        assert_eq!(only("June 2022").month, Some(6));
        assert_eq!(only("Jun-22").year, Some(2022));
    }

    #[test]
    fn section_numbers_and_long_numbers_are_no_dates() {
        assert!(dates("section 4.2.1 and 1.234.567 and $12.10.22 and 10.0.0.1").is_empty());
    }
}
