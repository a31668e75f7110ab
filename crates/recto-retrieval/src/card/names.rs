//! Whom a document is about.

use crate::lexicon::Lexicon;
use crate::phrase::plain_words;
use crate::terms::Language;

/// Ends of organisations' names that people leave out when they ask.
const SUFFIXES: &[&str] = &[
    "inc",
    "incorporated",
    "corp",
    "corporation",
    "co",
    "company",
    "companies",
    "ltd",
    "limited",
    "llc",
    "llp",
    "lp",
    "plc",
    "ag",
    "se",
    "gmbh",
    "kg",
    "sa",
    "nv",
    "bv",
    "ab",
    "oyj",
    "asa",
    "spa",
    "srl",
    "holdings",
    "holding",
    "group",
    "com",
    "the",
    "trust",
    "bancorp",
    "partners",
];

/// Words in a line that make it the name of an organisation.
const MARKERS: &[&str] = &[
    "inc",
    "incorporated",
    "corp",
    "corporation",
    "ltd",
    "limited",
    "llc",
    "llp",
    "plc",
    "ag",
    "gmbh",
    "holdings",
    "university",
    "department",
    "ministry",
    "agency",
    "bureau",
    "commission",
    "institute",
    "foundation",
    "association",
];

/// What a cover says below or beside the name of who files it.
const ISSUER: &[&str] = &[
    "exact name of registrant",
    "name of registrant as specified",
    "exact name of company",
];

/// Words in file names and titles that name nobody.
const COMMON: &[&str] = &[
    "report",
    "reports",
    "annual",
    "quarterly",
    "monthly",
    "final",
    "draft",
    "copy",
    "version",
    "form",
    "page",
    "pages",
    "document",
    "file",
    "new",
    "scan",
    "untitled",
    "fiscal",
    "year",
    "quarter",
    "financial",
    "statement",
    "statements",
    "results",
    "presentation",
    "release",
    "press",
    "performance",
    "summary",
    "table",
    "contents",
    "part",
    "item",
    "table",
    "united",
    "states",
    "securities",
    "exchange",
    "washington",
    "introduction",
    "chapter",
    "section",
    "appendix",
    "data",
    "information",
    "management",
    "strategic",
    "plan",
    "budget",
    "guide",
    "manual",
    "user",
    "paper",
    "study",
    "review",
    "full",
    "text",
    "note",
    "notes",
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "net",
    "total",
    "income",
    "sales",
    "revenue",
    "cash",
];

const MOST_NAMES: usize = 8;
/// A name has at most so many words; a longer line is a sentence.
const MOST_WORDS: usize = 8;

/// The names on a document, the surest first.
pub(super) fn names(first: &str, title: &str, file: &str, lexicon: &Lexicon) -> Vec<String> {
    let lines: Vec<&str> = first.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let mut found: Vec<String> = Vec::new();
    let is_issuer = |line: &str| ISSUER.iter().any(|words| line.to_lowercase().contains(words));
    for (at, line) in lines.iter().enumerate() {
        if is_issuer(line) {
            // The nearest line above that is more than a rule.
            let above = lines[..at]
                .iter()
                .rev()
                .find(|line| line.chars().any(char::is_alphabetic));
            push(&mut found, above.copied().unwrap_or_default());
        }
    }
    if !lexicon.names_only_a_kind(title) {
        push(&mut found, title);
    }
    for line in lines.iter().take(40) {
        let words = plain_words(line);
        if words.len() <= MOST_WORDS
            && words.len() > 1
            && words.iter().skip(1).any(|word| MARKERS.contains(&word.as_str()))
            && line.chars().next().is_some_and(char::is_uppercase)
            && !words.iter().any(|word| {
                Language::English.is_stop_word(word) && !matches!(word.as_str(), "of" | "and" | "the" | "for")
            })
            && !lexicon.names_only_a_kind(line)
            && !is_authority(line)
        {
            push(&mut found, line);
        }
    }
    for line in &lines {
        for symbol in listed(line) {
            push(&mut found, symbol);
        }
    }
    for word in file.split(|c: char| !(c.is_alphanumeric() || c == '&')) {
        let has_letters = word.chars().filter(|c| c.is_alphabetic()).count() >= 2;
        let is_period = !crate::period::mentions(word).is_empty();
        if has_letters && !is_period && !is_common(&word.to_lowercase()) && !lexicon.names_only_a_kind(word) {
            push(&mut found, word);
        }
    }
    found.truncate(MOST_NAMES);
    found
}

/// Whether a word (lower case) names nobody by itself.
pub(crate) fn is_common(word: &str) -> bool {
    COMMON.contains(&word) || Language::English.is_stop_word(word) || SUFFIXES.contains(&word)
}

/// Trading symbols in a line about a listing: "Common Stock, $0.001 par value NVDA The Nasdaq Global Select Market".
fn listed(line: &str) -> impl Iterator<Item = &str> {
    let lower = line.to_lowercase();
    let is_listing = ["nasdaq", "stock exchange", "nyse"]
        .iter()
        .any(|market| lower.contains(market));
    line.split(|c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')' | ':'))
        .filter(move |word| {
            let length = word.len();
            is_listing
                && (2..=5).contains(&length)
                && word.bytes().all(|b| b.is_ascii_uppercase())
                && !matches!(*word, "NYSE" | "LLC" | "INC" | "THE" | "NASDA" | "CORP" | "ADS")
        })
}

/// Authorities stand on the covers of what others file with them.
fn is_authority(line: &str) -> bool {
    let words = plain_words(line);
    ["securities and exchange commission", "commission file"]
        .iter()
        .any(|authority| words.join(" ").contains(authority))
}

fn push(found: &mut Vec<String>, name: &str) {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = name.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | ')'));
    let key = Name::new(name).key;
    if !key.is_empty() && !found.iter().any(|known| Name::new(known).key == key) {
        found.push(name.to_owned());
    }
}

/// A name made comparable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name {
    /// Its words that people use when they ask.
    pub(crate) words: Vec<String>,
    /// These words without spaces.
    pub(crate) key: String,
    initials: String,
}

impl Name {
    pub(crate) fn new(text: &str) -> Self {
        let mut words = plain_words(text);
        while words.len() > 1 && words.last().is_some_and(|word| SUFFIXES.contains(&word.as_str())) {
            words.pop();
        }
        while words.len() > 1 && words.first().is_some_and(|word| word == "the") {
            words.remove(0);
        }
        let initials = words
            .iter()
            .filter(|word| !matches!(word.as_str(), "of" | "and" | "the" | "for"))
            .filter_map(|word| word.chars().next())
            .collect();
        Self {
            key: words.concat(),
            words,
            initials,
        }
    }

    /// Whether `asked`, lower-case words of a question, mean this name: all of it, its beginning, or its initials where
    /// they were typed in capitals.
    pub(crate) fn is_meant_by(&self, asked: &[String], in_capitals: bool) -> bool {
        let key = asked.concat();
        let is_word = |word: &String| !is_common(word) && word.chars().any(char::is_alphabetic);
        if !asked.iter().any(is_word) {
            return false;
        }
        let is_whole = key == self.key && key.chars().count() >= 2;
        let is_beginning =
            self.words.len() > asked.len() && self.words[..asked.len()] == *asked && key.chars().count() >= 4;
        let is_initials = in_capitals && asked.len() == 1 && self.initials.chars().count() >= 3 && key == self.initials;
        is_whole || is_beginning || is_initials
    }
}
