//! From text to tokens: the typed form of what stands between white spaces, and the forms it is also searched by.

use recto_core::visible;
use unicode_normalization::UnicodeNormalization;

/// What stands between two white spaces, without the punctuation around it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// As typed, in lower case.
    pub(crate) typed: String,
    /// Other forms, in lower case, none equal to `typed`.
    pub(crate) forms: Vec<String>,
    /// Typed in capitals throughout ("IT", "US"), so not the small word of the same letters.
    pub(crate) upper: bool,
}

const CURRENCIES: [char; 5] = ['$', '€', '£', '¥', '₹'];

/// The tokens of `text`, in order. None is empty or holds white space.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let normalised: String = visible(text).nfkc().map(plain_punctuation).collect();
    let mut found = Vec::new();
    for piece in normalised.split(|c: char| c.is_whitespace() || c.is_control() || is_separator(c)) {
        let core = trim_punctuation(piece);
        if core.is_empty() {
            continue;
        }
        if core.chars().any(is_unspaced) {
            push_unspaced(core, &mut found);
        } else {
            push_elided(core, &mut found);
        }
    }
    found
}

fn plain_punctuation(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2013}' | '\u{2212}' => '-',
        '’' | '‘' | '\u{2bc}' => '\'',
        _ => c,
    }
}

fn is_separator(c: char) -> bool {
    matches!(
        c,
        '—' | '―'
            | '…'
            | '|'
            | '"'
            | '“'
            | '”'
            | '„'
            | '«'
            | '»'
            | '•'
            | '·'
            | '<'
            | '>'
            | '='
            | ';'
            | '*'
            | '`'
    )
}

/// Strips what surrounds a word, but neither the signs that belong to a figure nor a bracket with its partner inside.
fn trim_punctuation(piece: &str) -> &str {
    let mut core = piece.trim_start_matches(|c: char| !(c.is_alphanumeric() || c == '§' || CURRENCIES.contains(&c)));
    loop {
        let Some(last) = core.chars().next_back() else {
            return core;
        };
        let belongs = last.is_alphanumeric()
            || matches!(last, '%' | '‰' | '§' | '+' | '#') && core.len() > last.len_utf8()
            || core == "§"
            || (last == ')' && core.contains('('));
        if belongs {
            return core;
        }
        core = &core[..core.len() - last.len_utf8()];
    }
}

/// Han, Kana, Hangul, Thai: scripts that write no space between words.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{e7f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Overlapping pairs of characters of unspaced runs; what lies between the runs as usual.
fn push_unspaced(core: &str, found: &mut Vec<Token>) {
    let chars: Vec<char> = core.chars().collect();
    for run in chars.chunk_by(|a, b| is_unspaced(*a) == is_unspaced(*b)) {
        if !is_unspaced(run[0]) {
            let text: String = run.iter().collect();
            let part = trim_punctuation(&text);
            if !part.is_empty() {
                found.push(token(part));
            }
        } else if run.len() == 1 {
            found.push(plain(run[0].to_string()));
        } else {
            found.extend(run.windows(2).map(|pair| plain(pair.iter().collect())));
        }
    }
}

/// French and Italian elisions ("l'entreprise", "d'affaires") are two words.
fn push_elided(core: &str, found: &mut Vec<Token>) {
    if let Some((before, after)) = core.split_once('\'')
        && (before.chars().count() == 1 || before.eq_ignore_ascii_case("qu"))
        && before.chars().all(char::is_alphabetic)
        && after.chars().count() > 2
        && after.chars().all(char::is_alphanumeric)
    {
        found.push(token(before));
        found.push(token(after));
    } else {
        found.push(token(core));
    }
}

fn plain(typed: String) -> Token {
    Token {
        typed,
        forms: Vec::new(),
        upper: false,
    }
}

fn token(core: &str) -> Token {
    let upper = core.chars().count() > 1 && core.chars().all(char::is_uppercase);
    let mut typed = core.to_lowercase();
    let mut forms = Vec::new();
    if let Some(acronym) = dotted_acronym(&typed) {
        typed = acronym;
    } else if let Some(word) = typed.strip_suffix("'s").filter(|word| !word.is_empty()) {
        typed = word.to_owned();
    }
    let bare = typed
        .trim_start_matches(|c| CURRENCIES.contains(&c) || c == '§')
        .trim_end_matches(['%', '‰'])
        .to_owned();
    forms.push(bare.clone());
    if typed.starts_with('§') {
        forms.push("§".to_owned());
    }
    if let Some((head, _)) = bare.split_once('(') {
        forms.push(trim_punctuation(head).to_owned());
    }
    if is_grouped_number(&bare) {
        forms.push(bare.replace(',', ""));
    }
    push_parts(&bare, &mut forms);
    let mut kept: Vec<String> = Vec::new();
    for form in forms {
        if !form.is_empty() && form != typed && !kept.contains(&form) {
            kept.push(form);
        }
    }
    Token {
        typed,
        forms: kept,
        upper,
    }
}

/// `u.s` or `u.s.a` without its stops.
fn dotted_acronym(word: &str) -> Option<String> {
    let parts: Vec<&str> = word.split('.').collect();
    let single = |part: &&str| part.chars().count() == 1 && part.chars().all(char::is_alphabetic);
    (parts.len() > 1 && parts.iter().all(single)).then(|| parts.concat())
}

/// `1,577` and `1,577.25`, but not `1,57`.
fn is_grouped_number(text: &str) -> bool {
    let whole = text.split('.').next().unwrap_or_default();
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    let digits = |group: &str| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit());
    let mut more = false;
    for group in groups {
        more = true;
        if group.len() != 3 || !digits(group) {
            return false;
        }
    }
    more && first.len() <= 3 && digits(first)
}

/// The parts of a compound that are worth finding alone, and the compound written as one word where it is short.
fn push_parts(bare: &str, forms: &mut Vec<String>) {
    let is_number = bare.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
    if is_number {
        return;
    }
    let parts: Vec<&str> = bare
        .split(|c: char| !c.is_alphanumeric())
        .filter(|part| !part.is_empty())
        .collect();
    if parts.len() > 1 {
        forms.extend(
            parts
                .iter()
                .filter(|part| worth_finding(part))
                .map(|part| (*part).to_owned()),
        );
        let hyphens_only = bare.chars().all(|c| c.is_alphanumeric() || c == '-');
        if hyphens_only && parts.len() == 2 && parts.iter().any(|part| part.chars().count() <= 2) {
            forms.push(parts.concat());
        }
    }
    // `fy2018`, `q32022`: the digits at the end.
    for part in parts {
        let letters = part.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = &part[letters.len()..];
        if !letters.is_empty() && digits.len() >= 3 {
            forms.push(digits.to_owned());
        }
    }
}

fn worth_finding(part: &str) -> bool {
    let length = part.chars().count();
    if part.chars().all(char::is_alphabetic) {
        length >= 2
    } else {
        length >= 3
    }
}
