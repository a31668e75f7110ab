//! What stands before and behind a numeral: currency, sign, scale, per cent, units.

use super::figure::{Sign, Unit};
use regex::Regex;
use std::sync::LazyLock;

const CURRENCY: &str = r"(?:US\$|AU?\$|CA?\$|HK\$|NZ\$|S\$|R\$|\$|€|£|¥|₹|₩|(?-u:\b)(?:USD|EUR|GBP|CHF|JPY|CNY|RMB|INR|SEK|NOK|DKK|AUD|CAD|HKD|NZD|SGD|KRW|BRL|Rs\.?|TEUR|TCHF|TUSD|kEUR)|T€|k€)";

#[expect(clippy::expect_used, reason = "the patterns are constants")]
fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("BUG: the pattern is valid")
}

static BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    regex(&format!(
        r"(?P<open>\()?(?P<gap>\s)?(?P<minus>[-−–‑+])?(?P<gap2>\s)?(?P<currency>{CURRENCY})?\s?(?P<open2>\()?\s?(?P<minus2>[-−‑+])?[~≈]?$"
    ))
});

static PERCENT: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?xi)^[\s-]?(?:
          (?P<points> (?:percentage|percent|per\s?cent|%)[\s-]?points?(?-u:\b) | %-punkte? | prozentpunkte?n?(?-u:\b) | points?\s+de\s+pourcentage(?-u:\b) | ppts?(?-u:\b) | pp(?-u:\b) | p\.p\. )
        | (?P<basis> basis[\s-]points?(?-u:\b) | basispunkte?n?(?-u:\b) | bps?(?-u:\b) )
        | (?P<percent> % | percent(?-u:\b) | per\s+cent(?-u:\b) | pct(?-u:\b) | prozent(?-u:\b) | pour\s+cent(?-u:\b) | por\s+ciento(?-u:\b) ) )",
    )
});

static SCALE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?xi)^(?:
          [\s-]? (?P<word> hundred | thousands? | millions? | billions? | trillions? | crores? | lakhs? | millionen | milliarden? | tausend | milliards? | milliers | millones | mille | miljoen | bn | mn | tn )(?-u:\b)
        | [\s-]? (?P<short> mio | mrd | tsd | mln | mld )(?-u:\b)\.?
        | \s? (?P<cjk> 百万 | 千万 | 十億 | 億 | 亿 | 万 | 萬 | 兆 )
        | (?P<attached> k | m | b | bn | mm | t )(?-u:\b)
        | \s (?P<letter> k | m | b | mm )(?-u:\b) )",
    )
});

static MONEY_BEHIND: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?xi)^\s?(?:d[’'e]\s?|of\s)?(?P<currency>
          (?: US\s?dollars? | dollars? | euros? | pounds?\s+sterling | swiss\s+francs? | francs? | yen | yuan | renminbi | rupees? | kr | cents?
            | USD | EUR | GBP | CHF | JPY | CNY | RMB | INR | SEK | NOK | DKK | AUD | CAD | HKD | NZD | SGD | KRW | BRL
            | TEUR | TCHF | TUSD | kEUR )(?-u:\b)
        | US\$ | AU?\$ | CA?\$ | HK\$ | NZ\$ | S\$ | R\$ | T€ | k€ | \$ | € | £ | ¥ | ₹ | ₩ | 円 | 元 )",
    )
});

static TIMES: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?i)^(?:\s?x(?-u:\b)|[\s-]?fold(?-u:\b)|\s?×|\stimes(?-u:\b))"));

static WORD: LazyLock<Regex> = LazyLock::new(|| regex(r"^[\s-]?(?P<word>[\p{L}°µ][\p{L}\p{M}°’'/²³-]*)"));

/// What stands before a numeral.
#[derive(Debug, Clone, Copy)]
pub(super) struct Before {
    /// Where it begins; the numeral's own start if nothing belongs to it.
    pub(super) start: usize,
    pub(super) open: bool,
    /// The currency stands outside the bracket: `$(12)`.
    pub(super) accounting: bool,
    pub(super) sign: Sign,
    pub(super) currency: Option<&'static str>,
    pub(super) scale: Option<f64>,
}

/// Reads backwards from `start`.
pub(super) fn before(text: &str, start: usize) -> Before {
    let mut from = start.saturating_sub(24);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let mut found = Before {
        start,
        open: false,
        accounting: false,
        sign: Sign::None,
        currency: None,
        scale: None,
    };
    // Most numbers follow a word and a space.
    let near = text[from..start].trim_end().chars().next_back();
    let telling = |c: char| !c.is_alphanumeric() && !matches!(c, '|' | ',' | ';' | ':') || c.is_uppercase();
    if !near.is_some_and(telling) && !text[from..start].trim_end().ends_with("Rs") {
        return found;
    }
    let Some(captures) = BEFORE.captures(&text[from..start]) else {
        return found;
    };
    let glued = |at: usize| text[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | '%' | '’'));
    if let Some(currency) = captures.name("currency") {
        let letters = currency.as_str().starts_with(char::is_alphabetic);
        if !(letters && text[..from + currency.start()].ends_with(char::is_alphanumeric)) {
            found.currency = currency_code(currency.as_str());
            found.start = from + currency.start();
            found.scale = scale_within(currency.as_str());
        }
    }
    for (name, gap) in [("minus2", None), ("minus", captures.name("gap2"))] {
        let Some(sign) = captures.name(name) else { continue };
        let at = from + sign.start();
        // A dash after a word or a number joins; one that stands alone is a dash.
        if glued(at)
            || gap.is_some()
            || (name == "minus" && found.currency.is_none() && captures.name("open2").is_some())
        {
            continue;
        }
        found.sign = if sign.as_str() == "+" { Sign::Plus } else { Sign::Minus };
        found.start = found.start.min(at);
    }
    let inner = captures.name("open2");
    let outer = captures.name("open").filter(|_| captures.name("gap").is_none());
    if let Some(open) = inner.or(outer) {
        let at = from + open.start();
        if !text[..at].ends_with(char::is_alphanumeric) || inner.is_some() {
            found.open = true;
            found.accounting = inner.is_some() && found.currency.is_some();
            found.start = found.start.min(at);
        }
    }
    found
}

/// What stands behind a numeral.
#[derive(Debug, Clone)]
pub(super) struct Behind {
    /// Bytes that belong to the figure.
    pub(super) length: usize,
    /// Whether the bracket opened before it closes here, and only then.
    pub(super) closed: bool,
    pub(super) scale: Option<f64>,
    pub(super) unit: Unit,
    pub(super) nouns: Vec<String>,
}

/// Reads what stands behind a numeral. `money` tells that a currency stands before it.
pub(super) fn behind(text: &str, money: bool) -> Behind {
    let mut at = 0;
    let mut closed = false;
    let close = |at: &mut usize, closed: &mut bool| {
        if text[*at..].starts_with(')') {
            *at += 1;
            *closed = true;
        }
    };
    close(&mut at, &mut closed);
    let mut found = Behind {
        length: at,
        closed,
        scale: None,
        unit: Unit::Bare,
        nouns: Vec::new(),
    };
    // Most numbers of a table or a list have nothing behind them.
    if text[at..]
        .chars()
        .next()
        .is_none_or(|c| matches!(c, '|' | ',' | ';' | ':' | '\n' | '.' | '('))
        || text[at..].starts_with(" |")
    {
        return found;
    }
    if let Some(percent) = PERCENT.captures(&text[at..]) {
        found.unit = if percent.name("points").is_some() {
            Unit::Points
        } else if percent.name("basis").is_some() {
            Unit::Basis
        } else {
            Unit::Percent
        };
        at += percent.get(0).map_or(0, |whole| whole.end());
        close(&mut at, &mut closed);
        found.length = at;
        found.closed = closed;
        return found;
    }
    if let Some(power) = POWER.captures(&text[at..]) {
        // 3.2 × 10^6
        at += power.get(0).map_or(0, |whole| whole.end());
        found.scale = power_of_ten(&power[1]);
    } else if let Some(scale) = scale_behind(&text[at..], money) {
        at += scale.1;
        found.scale = Some(scale.0);
        close(&mut at, &mut closed);
    }
    if !money && let Some(currency) = MONEY_BEHIND.captures(&text[at..]) {
        let name = currency.name("currency").map_or("", |name| name.as_str());
        if let Some(code) = currency_code(name) {
            found.unit = Unit::Money(code);
            found.scale = found.scale.or(scale_within(name));
            at += currency.get(0).map_or(0, |whole| whole.end());
            close(&mut at, &mut closed);
        }
    }
    found.length = at;
    found.closed = closed;
    if matches!(found.unit, Unit::Money(_)) || money {
        return found;
    }
    if let Some(times) = TIMES.find(&text[at..]) {
        found.unit = Unit::Times;
        found.length = at + times.end();
        return found;
    }
    found.nouns = nouns(&text[at..]);
    let unit = found.nouns.iter().enumerate().find_map(|(place, noun)| {
        // Symbols of units stand directly behind their number.
        unit_of(noun).filter(|_| place == 0 || noun.chars().count() > 3)
    });
    if let Some(unit) = unit {
        found.unit = unit;
    }
    found
}

static POWER: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^\s?[×x·*]\s?10\s?\^?\s?([-−⁻]?(?:[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}|[0-9]{1,2}))"));

fn power_of_ten(exponent: &str) -> Option<f64> {
    let plain: String = exponent
        .chars()
        .filter_map(|c| match c {
            '⁻' | '−' => Some('-'),
            '¹' => Some('1'),
            '²' => Some('2'),
            '³' => Some('3'),
            '⁰' => Some('0'),
            '⁴'..='⁹' => char::from_digit(u32::from(c) - u32::from('⁰'), 10),
            c => Some(c),
        })
        .collect();
    plain.parse().ok().map(|exponent: i32| 10_f64.powi(exponent))
}

fn scale_behind(text: &str, money: bool) -> Option<(f64, usize)> {
    let captures = SCALE.captures(text)?;
    let whole = captures.get(0)?;
    let name = captures
        .name("word")
        .or(captures.name("short"))
        .or(captures.name("cjk"))
        .or(captures.name("attached"))
        .or(captures.name("letter").filter(|_| money))?;
    // Beside a number without currency these are metres, millimetres and tonnes.
    if !money && matches!(name.as_str(), "mm" | "t" | "mille") {
        return None;
    }
    // "12 thousandths", "5m²".
    if text[whole.end()..].starts_with(['²', '³', '/']) {
        return None;
    }
    Some((scale_of(name.as_str())?, whole.end()))
}

/// What a scale word multiplies with.
pub(super) fn scale_of(word: &str) -> Option<f64> {
    Some(match word.to_lowercase().trim_end_matches('.') {
        "hundred" => 1e2,
        "thousand" | "thousands" | "tausend" | "tsd" | "milliers" | "mille" | "k" | "'000" | "’000" | "000"
        | "000s" => 1e3,
        "lakh" | "lakhs" => 1e5,
        "million" | "millions" | "millionen" | "millones" | "miljoen" | "mio" | "mln" | "mn" | "mm" | "m" | "百万" => {
            1e6
        }
        "crore" | "crores" | "千万" => 1e7,
        "億" | "亿" => 1e8,
        "万" | "萬" => 1e4,
        "billion" | "billions" | "milliarde" | "milliarden" | "milliard" | "milliards" | "mrd" | "mld" | "bn" | "b"
        | "十億" => 1e9,
        "trillion" | "trillions" | "tn" | "t" | "兆" => 1e12,
        _ => return None,
    })
}

/// The scale that some names of currencies carry themselves.
fn scale_within(currency: &str) -> Option<f64> {
    match currency {
        "TEUR" | "TCHF" | "TUSD" | "kEUR" | "T€" | "k€" => Some(1e3),
        "cent" | "cents" => Some(1e-2),
        _ => None,
    }
}

/// The code of a currency; `$` where it may be any dollar.
pub(super) fn currency_code(name: &str) -> Option<&'static str> {
    let upper = name.to_uppercase();
    Some(match upper.split_whitespace().collect::<Vec<_>>().join(" ").as_str() {
        "$" | "DOLLAR" | "DOLLARS" => "$",
        "CENT" | "CENTS" => "cent",
        "US$" | "USD" | "TUSD" | "US DOLLAR" | "US DOLLARS" | "USDOLLARS" | "U.S. DOLLARS" | "U.S. DOLLAR"
        | "U.S.$" | "U.S. $" => "USD",
        "A$" | "AU$" | "AUD" => "AUD",
        "C$" | "CA$" | "CAD" => "CAD",
        "HK$" | "HKD" => "HKD",
        "NZ$" | "NZD" => "NZD",
        "S$" | "SGD" => "SGD",
        "R$" | "BRL" => "BRL",
        "€" | "EUR" | "EURO" | "EUROS" | "TEUR" | "KEUR" | "T€" | "K€" => "EUR",
        "£" | "GBP" | "POUND STERLING" | "POUNDS STERLING" => "GBP",
        "CHF" | "TCHF" | "SWISS FRANC" | "SWISS FRANCS" | "FRANC" | "FRANCS" => "CHF",
        "¥" => "¥",
        "JPY" | "YEN" | "円" => "JPY",
        "CNY" | "RMB" | "YUAN" | "RENMINBI" | "元" => "CNY",
        "₹" | "INR" | "RS" | "RS." | "RUPEE" | "RUPEES" => "INR",
        "₩" | "KRW" => "KRW",
        "SEK" | "KR" => "SEK",
        "NOK" => "NOK",
        "DKK" => "DKK",
        _ => return None,
    })
}

/// Whether two currencies can be the same.
pub(super) fn same_currency(a: &str, b: &str) -> bool {
    let dollar = |code: &str| matches!(code, "USD" | "AUD" | "CAD" | "HKD" | "NZD" | "SGD");
    let yen = |code: &str| matches!(code, "JPY" | "CNY");
    a == b || (a == "$" && dollar(b)) || (b == "$" && dollar(a)) || (a == "¥" && yen(b)) || (b == "¥" && yen(a))
}

/// Words that end what may be counted.
const FUNCTION_WORDS: &[&str] = &[
    "a",
    "an",
    "the",
    "in",
    "of",
    "and",
    "or",
    "to",
    "for",
    "from",
    "at",
    "on",
    "by",
    "with",
    "as",
    "per",
    "than",
    "that",
    "which",
    "who",
    "while",
    "when",
    "where",
    "is",
    "are",
    "was",
    "were",
    "be",
    "been",
    "has",
    "have",
    "had",
    "will",
    "would",
    "during",
    "compared",
    "versus",
    "vs",
    "against",
    "respectively",
    "due",
    "because",
    "between",
    "through",
    "until",
    "before",
    "after",
    "under",
    "over",
    "above",
    "below",
    "into",
    "about",
    "up",
    "down",
    "each",
    "it",
    "its",
    "this",
    "these",
    "those",
    "their",
    "our",
    "we",
    "they",
    "but",
    "not",
    "if",
    "both",
    "also",
    "primarily",
    "mainly",
    "largely",
    "higher",
    "lower",
    "more",
    "less",
    "fewer",
    "only",
    "increase",
    "decrease",
    "decline",
    "year-over-year",
    "including",
    "excluding",
    "within",
    "since",
    "across",
    "so",
    "plus",
    "minus",
    "net",
    "could",
    "can",
    "may",
    "im",
    "in",
    "der",
    "die",
    "das",
    "und",
    "von",
    "auf",
    "bis",
    "le",
    "la",
    "les",
    "de",
    "des",
    "du",
    "en",
    "au",
    "et",
];

/// Up to three words directly behind a number that may name what it counts, in lower case and singular.
fn nouns(text: &str) -> Vec<String> {
    let mut nouns = Vec::new();
    let mut at = 0;
    while nouns.len() < 3 {
        let Some(captures) = WORD.captures(&text[at..]) else {
            break;
        };
        let (Some(whole), Some(word)) = (captures.get(0), captures.name("word")) else {
            break;
        };
        if text[at..at + word.start()].contains('\n') {
            break;
        }
        let lower = word.as_str().trim_matches(['-', '’', '\'', '/']).to_lowercase();
        let verb = lower.len() > 4 && (lower.ends_with("ed") || lower.ends_with("ing"));
        if FUNCTION_WORDS.contains(&lower.as_str()) || (verb && nouns.is_empty()) {
            break;
        }
        at += whole.end();
        if nouns.is_empty() && lower.contains('-') && unit_of(&stem(&lower)).is_none() {
            // "10-year-old", "full-time"
            nouns.extend(lower.split('-').take(1).map(stem));
            continue;
        }
        // "cells/ml"
        nouns.push(stem(lower.split('/').next().unwrap_or(&lower)));
    }
    nouns
}

/// A word without the ending of its plural.
pub(super) fn stem(word: &str) -> String {
    if let Some(root) = word.strip_suffix("ies").filter(|root| root.len() > 2) {
        return format!("{root}y");
    }
    if word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us") {
        return word[..word.len() - 1].to_owned();
    }
    word.to_owned()
}

/// The unit a word (singular, lower case) names.
pub(super) fn unit_of(word: &str) -> Option<Unit> {
    let measure = match word {
        "second" | "sec" | "sekunde" | "seconde" => "second",
        "minute" | "min" => "minute",
        "hour" | "hr" | "h" | "stunde" | "stunden" | "heure" => "hour",
        "day" | "tag" | "tage" | "tagen" | "jour" => "day",
        "week" | "woche" | "wochen" | "semaine" => "week",
        "month" | "monat" | "monate" | "monaten" | "moi" | "mois" => "month",
        "quarter" => "quarter",
        "year" | "yr" | "jahr" | "jahre" | "jahren" | "an" | "année" => "year",
        "decade" => "decade",
        "mg" | "milligram" => "mg",
        "µg" | "μg" | "mcg" | "microgram" => "µg",
        "g" | "gram" => "g",
        "kg" | "kilogram" | "kilo" => "kg",
        "t" | "tonne" | "ton" => "t",
        "lb" | "pound" => "lb",
        "mm" | "millimetre" | "millimeter" => "mm",
        "cm" | "centimetre" | "centimeter" => "cm",
        "m" | "metre" | "meter" => "m",
        "km" | "kilometre" | "kilometer" => "km",
        "mile" => "mile",
        "ft" | "feet" | "foot" => "ft",
        "inch" | "inche" => "inch",
        "acre" => "acre",
        "hectare" | "ha" => "ha",
        "µl" | "μl" | "microlitre" | "microliter" => "µl",
        "ml" | "millilitre" | "milliliter" => "ml",
        "l" | "litre" | "liter" => "l",
        "barrel" | "bbl" => "barrel",
        "gallon" => "gallon",
        "°c" | "celsiu" | "celsius" => "°C",
        "°f" | "fahrenheit" => "°F",
        "w" | "watt" => "W",
        "kw" | "kilowatt" => "kW",
        "mw" | "megawatt" => "MW",
        "gw" | "gigawatt" => "GW",
        "kwh" => "kWh",
        "mwh" => "MWh",
        "gwh" => "GWh",
        "twh" => "TWh",
        "hz" => "Hz",
        "khz" => "kHz",
        "mhz" => "MHz",
        "ghz" => "GHz",
        "kb" => "KB",
        "mb" => "MB",
        "gb" | "gigabyte" => "GB",
        "tb" | "terabyte" => "TB",
        "kpa" => "kPa",
        "mpa" => "MPa",
        "bar" => "bar",
        "mmol" => "mmol",
        "mmhg" => "mmHg",
        "nm" => "nm",
        "ms" | "millisecond" => "ms",
        _ => "",
    };
    if !measure.is_empty() {
        return Some(Unit::Measure(measure));
    }
    Some(Unit::Count(match word {
        "employee" | "people" | "person" | "staff" | "worker" | "headcount" | "mitarbeiter" | "mitarbeitende"
        | "beschäftigte" | "employé" | "salarié" | "fte" => "people",
        "store" | "shop" | "outlet" | "restaurant" | "branch" | "branche" | "filiale" | "magasin" => "stores",
        "share" | "stock" | "aktie" | "aktien" => "shares",
        "patient" | "participant" | "subject" | "volunteer" => "patients",
        "customer" | "client" | "subscriber" | "user" | "kunde" | "kunden" => "customers",
        "country" | "market" => "countries",
        "unit" => "units",
        "vehicle" | "car" => "vehicles",
        "supplier" | "vendor" => "suppliers",
        "director" | "officer" => "directors",
        "segment" => "segments",
        "patent" => "patents",
        "lease" => "leases",
        "bank" | "lender" => "banks",
        "facility" => "facilities",
        _ => return None,
    }))
}

/// What a unit measures, and how many of its base unit it is: 500 µl are 0.5 ml.
pub(super) fn dimension(unit: &'static str) -> (&'static str, f64) {
    match unit {
        "µg" => ("g", 1e-6),
        "mg" => ("g", 1e-3),
        "kg" => ("g", 1e3),
        "t" => ("g", 1e6),
        "nm" => ("m", 1e-9),
        "mm" => ("m", 1e-3),
        "cm" => ("m", 1e-2),
        "km" => ("m", 1e3),
        "µl" => ("l", 1e-6),
        "ml" => ("l", 1e-3),
        "kW" => ("W", 1e3),
        "MW" => ("W", 1e6),
        "GW" => ("W", 1e9),
        "MWh" => ("kWh", 1e3),
        "GWh" => ("kWh", 1e6),
        "TWh" => ("kWh", 1e9),
        "kHz" => ("Hz", 1e3),
        "MHz" => ("Hz", 1e6),
        "GHz" => ("Hz", 1e9),
        "ms" => ("second", 1e-3),
        "minute" => ("second", 60.0),
        "hour" => ("second", 3_600.0),
        "day" => ("second", 86_400.0),
        "week" => ("second", 604_800.0),
        "year" => ("month", 12.0),
        "kPa" => ("Pa", 1e3),
        "MPa" => ("Pa", 1e6),
        other => (other, 1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_behind_is_scale_then_currency_then_what_is_counted() {
        assert_eq!(behind(" million in", true).scale, Some(1e6));
        let euros = behind(" Mio. € im", false);
        assert_eq!((euros.scale, euros.unit), (Some(1e6), Unit::Money("EUR")));
        assert_eq!(behind(" full-time employees.", false).unit, Unit::Count("people"));
        assert_eq!(behind("-day term", false).unit, Unit::Measure("day"));
        assert_eq!(behind(" percentage points", false).unit, Unit::Points);
        assert_eq!(behind(" bps", false).unit, Unit::Basis);
        assert_eq!(behind("m", false).scale, Some(1e6));
        assert_eq!(behind(" m", false).unit, Unit::Measure("m"));
    }

    #[test]
    fn a_dash_is_a_sign_only_where_nothing_stands_before_it() {
        let sign = |text: &str| before(text, text.len()).sign;
        assert_eq!(sign("was -"), Sign::Minus);
        assert_eq!(sign("was −$"), Sign::Minus);
        assert_eq!(sign("2018-"), Sign::None);
        assert_eq!(sign("sales - "), Sign::None);
        assert_eq!(sign("+"), Sign::Plus);
    }
}
