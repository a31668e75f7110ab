//! Markers that begin list entries and headings: bullets, numbers, letters.

const BULLETS: &[char] = &[
    '•', '▪', '◦', '‣', '●', '○', '■', '□', '➢', '►', '▸', '▶', '✓', '✔', '⁃', '∙', '·', '–', '—', '-', '*', '❖', '◆',
    '◊', '➤', '⮚', // The same in the symbol fonts of word processors, which have no characters of their own.
    '\u{f0b7}', '\u{f0a7}', '\u{f0d8}', '\u{f076}', '\u{f0fc}',
];

/// Whether a word is a bullet that is nothing else: no dash, no asterisk.
pub(crate) fn is_bullet(word: &str) -> bool {
    let mut characters = word.chars();
    matches!((characters.next(), characters.next()), (Some(c), None) if BULLETS.contains(&c) && !"–—-*·".contains(c))
}

/// The bullet at the start of `text`, white space not included.
pub(crate) fn bullet(text: &str) -> Option<&str> {
    let first = text.chars().next()?;
    let rest = &text[first.len_utf8()..];
    // The hollow bullet of word processors is a letter; as a word it would not begin a sentence before a capital.
    let hollow = first == 'o' && rest.trim_start().starts_with(char::is_uppercase);
    ((BULLETS.contains(&first) || hollow)
        && rest.starts_with(char::is_whitespace)
        && rest.contains(char::is_alphanumeric))
    .then(|| &text[..first.len_utf8()])
}

/// The number or letter of a list entry at the start of `text`: `1.`, `2)`, `(a)`, `iv.`.
pub(crate) fn numbered(text: &str) -> Option<&str> {
    let end = text.find(char::is_whitespace)?;
    let marker = &text[..end];
    if !text[end..].contains(char::is_alphabetic) {
        return None;
    }
    let inner = marker.strip_prefix('(').unwrap_or(marker);
    let inner = inner.strip_suffix([')', '.']).filter(|_| marker.len() > 1)?;
    let closes = marker.ends_with(')') || !marker.starts_with('(');
    (closes && is_ordinal(inner)).then_some(marker)
}

fn is_ordinal(text: &str) -> bool {
    if text.is_empty() || text.len() > 4 {
        return false;
    }
    let digits = text.len() <= 3 && text.chars().all(|c| c.is_ascii_digit());
    let letter = text.len() == 1 && text.chars().all(|c| c.is_ascii_alphabetic());
    let roman = |set: &str| text.chars().all(|c| set.contains(c));
    digits || letter || roman("ivx") || roman("IVX")
}

/// Whether a marker of any kind begins `text`, headings included: bullets, list numbers, `1.2`, `Item 7.`, `Note 3`.
pub(crate) fn leads(text: &str) -> bool {
    bullet(text).is_some() || numbered(text).is_some() || heading_number(text).is_some()
}

/// The value of a number without a full stop that begins `text`: "3 Collect results".
pub(crate) fn bare_number(text: &str) -> Option<u32> {
    let (number, rest) = text.split_once(char::is_whitespace)?;
    let digits = (1..=2).contains(&number.len()) && number.chars().all(|c| c.is_ascii_digit());
    if !digits || !rest.trim_start().starts_with(char::is_alphabetic) {
        return None;
    }
    number.parse().ok().filter(|value| *value > 0)
}

/// Whether a word is the mark of a note: a small number, or a sign that is set before notes to tables.
pub(crate) fn is_note_mark(word: &str) -> bool {
    let bare = word.trim_start_matches('(').trim_end_matches([')', '.']);
    let number = (1..=3).contains(&bare.len()) && bare.chars().all(|c| c.is_ascii_digit());
    number || !bare.is_empty() && bare.chars().count() <= 4 && bare.chars().all(is_note_sign)
}

fn is_note_sign(c: char) -> bool {
    matches!(
        c,
        '*' | '†' | '‡' | '§' | '¶' | '^' | '~' | '¹' | '²' | '³' | '⁴' | '⁵' | '⁶' | '⁷' | '⁸' | '⁹'
    )
}

/// Whether a text begins with the sign of a note, apart from its words or glued to them: "* As restated", "^FY 2014",
/// "–* No data".
pub(crate) fn leads_note(text: &str) -> bool {
    let signs = text.trim_start_matches(['–', '—', '-']);
    let rest = signs.trim_start_matches(is_note_sign);
    let dashes = text.chars().count() - signs.chars().count();
    let count = signs.chars().count() - rest.chars().count();
    dashes <= 1 && (1..=3).contains(&count) && rest.trim_start().starts_with(char::is_alphabetic)
}

/// The numbering that begins a heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum HeadingNumber {
    /// `1`, `1.2`, `A.3`: how many parts.
    Decimal(u32),
    /// `PART I`.
    Part,
    /// `Chapter 2`, `Article V`, `Appendix A`.
    Chapter,
    /// `Item 7A.`
    Item,
    /// `Note 12`.
    Note,
    /// `Section 4`.
    Section,
}

/// Reads the numbering at the start of a heading; the number must be followed by a title, except for parts.
pub(crate) fn heading_number(text: &str) -> Option<HeadingNumber> {
    let mut words = text.split_whitespace();
    let first = words.next()?;
    let second = words.next();
    let short_number = |w: &str| {
        let w = w.trim_end_matches(['.', ':', ')', '—', '–', '-']);
        !w.is_empty()
            && w.len() <= 5
            && w.chars().any(|c| c.is_ascii_digit() || "IVXLABCDEFGH".contains(c))
            && w.chars().all(|c| c.is_ascii_alphanumeric())
            && w.chars().all(|c| c.is_ascii_digit() || c.is_ascii_uppercase())
    };
    let keyword = match first.to_lowercase().as_str() {
        "part" => Some(HeadingNumber::Part),
        "chapter" | "article" | "appendix" | "annex" | "schedule" => Some(HeadingNumber::Chapter),
        "item" => Some(HeadingNumber::Item),
        "note" => Some(HeadingNumber::Note),
        "section" => Some(HeadingNumber::Section),
        _ => None,
    };
    if let Some(kind) = keyword {
        return (first.starts_with(char::is_uppercase) && second.is_some_and(short_number)).then_some(kind);
    }
    let number = first.trim_end_matches('.');
    let parts: Vec<&str> = number.split('.').collect();
    let decimal = parts.iter().enumerate().all(|(index, part)| {
        let digits = !part.is_empty() && part.len() <= 2 && part.chars().all(|c| c.is_ascii_digit());
        let letter = index == 0 && parts.len() > 1 && part.len() == 1 && part.chars().all(|c| c.is_ascii_uppercase());
        digits || letter
    });
    let titled = second.is_some_and(|w| w.starts_with(char::is_uppercase));
    (decimal && titled).then(|| HeadingNumber::Decimal(u32::try_from(parts.len()).unwrap_or(1)))
}

/// Whether up to three words in capitals or with one are followed by a number and a colon or dash: "Strategic Goal 2:".
pub(crate) fn labelled_number(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let mut labels = 0;
    while let Some(word) = words.next() {
        // Kerning takes "1.1:" apart: "1 .1:".
        let part = |next: &str| next.starts_with('.') && next.ends_with([':', '–', '—']);
        let whole = word.chars().all(|c| c.is_ascii_digit());
        if labels > 0 && whole && words.clone().next().is_some_and(part) {
            return true;
        }
        let bare = word.trim_end_matches([':', '–', '—']);
        let number = !bare.is_empty()
            && (bare.chars().all(|c| c.is_ascii_digit() || c == '.') && bare.starts_with(|c: char| c.is_ascii_digit())
                || bare.chars().all(|c| "IVX".contains(c)));
        if number {
            let closed = bare.len() < word.len() || words.next().is_some_and(|next| matches!(next, ":" | "–" | "—"));
            return labels > 0 && closed;
        }
        labels += 1;
        if labels > 3 || !word.starts_with(char::is_uppercase) {
            return false;
        }
    }
    false
}

/// What a caption stands with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CaptionOf {
    Table,
    Picture,
}

/// Whether a text begins like a caption, and of what: "Figure 3.", "Table 2-1", "Exhibit A:". "Table 2 shows that …" is a
/// sentence.
pub(crate) fn caption(text: &str) -> Option<CaptionOf> {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace)?;
    if !word.starts_with(char::is_uppercase) {
        return None;
    }
    let of = match word.trim_end_matches('.').to_lowercase().as_str() {
        "table" | "tab" => CaptionOf::Table,
        "figure" | "fig" | "exhibit" | "chart" | "graph" | "box" | "map" | "photo" | "plate" | "diagram" | "scheme"
        | "illustration" | "listing" | "algorithm" => CaptionOf::Picture,
        _ => return None,
    };
    let rest = rest.trim_start();
    let (number, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let bare = number.trim_end_matches(['.', ':', ')', '-', '–', '—', '|']);
    let is_number = !bare.is_empty()
        && bare.len() <= 8
        && bare
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | '–') || c.is_ascii_uppercase())
        && (bare.chars().any(|c| c.is_ascii_digit()) || bare.len() == 1 || bare.chars().all(|c| "IVX".contains(c)));
    if !is_number {
        return None;
    }
    let closed = bare.len() < number.len();
    let after = after.trim_start();
    let titled = after.starts_with(|c: char| !c.is_lowercase());
    (closed || after.is_empty() || titled).then_some(of)
}

/// Whether a text begins like a caption of any kind.
pub(crate) fn captioned(text: &str) -> bool {
    caption(text).is_some()
}

/// Whether a word is the number of an entry that is nothing else: `3.`, `(4)`.
pub(crate) fn is_number(word: &str) -> bool {
    let inner = word.trim_start_matches('(').trim_end_matches(['.', ')']);
    inner.len() < word.len() && (1..=2).contains(&inner.len()) && inner.chars().all(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bullets_and_numbers_are_markers_and_figures_are_not() {
        assert_eq!(bullet("• Net sales"), Some("•"));
        assert_eq!(bullet("-12 percent"), None);
        assert_eq!(bullet("o Under this domain"), Some("o"));
        assert_eq!(bullet("o mesmo"), None);
        assert_eq!(bullet("— —"), None);
        assert_eq!(numbered("(a) Evaluation"), Some("(a)"));
        assert_eq!(numbered("iv. Fourth"), Some("iv."));
        assert_eq!(numbered("2019. That year"), None);
        assert_eq!(numbered("1,234 units"), None);
        assert_eq!(numbered("(12) 34"), None);
    }

    #[test]
    fn words_with_a_number_and_a_colon_name_a_section() {
        assert!(labelled_number("Strategic Goal 2: Lead"));
        assert!(labelled_number("Strategy 4.03 – Implement"));
        assert!(labelled_number("Phase II: Review"));
        assert!(labelled_number("Objective 1 .1: Review"));
        assert!(!labelled_number("2019: nothing"));
        assert!(!labelled_number("the goal 2: lead"));
        assert!(!labelled_number("Goal 2 leads"));
    }

    #[test]
    fn notes_begin_with_signs_and_texts_do_not() {
        assert!(leads_note("* As restated"));
        assert!(leads_note("^FY 2014 result revised"));
        assert!(leads_note("–* No data"));
        assert!(!leads_note("– a dash"));
        assert!(!leads_note("**** 12"));
        assert!(is_note_mark("34") && is_note_mark("†") && !is_note_mark("2019") && !is_note_mark("a"));
        assert_eq!(bare_number("3 Collect results:"), Some(3));
        assert_eq!(bare_number("2019 was a year"), None);
    }

    #[test]
    fn heading_numbers_are_read_with_their_depth() {
        assert_eq!(heading_number("1.2 Methods"), Some(HeadingNumber::Decimal(2)));
        assert_eq!(heading_number("3 Results"), Some(HeadingNumber::Decimal(1)));
        assert_eq!(heading_number("Item 7A. Market risk"), Some(HeadingNumber::Item));
        assert_eq!(heading_number("PART II"), Some(HeadingNumber::Part));
        assert_eq!(heading_number("Note 12 – Leases"), Some(HeadingNumber::Note));
        assert_eq!(heading_number("part of the plan"), None);
        assert_eq!(heading_number("82.9 percent"), None);
        assert_eq!(heading_number("2023 Annual Report"), None);
    }

    #[test]
    fn captions_begin_with_a_kind_and_a_number_and_sentences_about_them_do_not() {
        assert_eq!(caption("Table 2-1. Staff by grade"), Some(CaptionOf::Table));
        assert_eq!(caption("TABLE 1.03B"), Some(CaptionOf::Table));
        assert_eq!(caption("Fig. 3 The plant"), Some(CaptionOf::Picture));
        assert_eq!(caption("Exhibit A: Terms"), Some(CaptionOf::Picture));
        assert_eq!(caption("Table 2 shows the staff by grade."), None);
        assert_eq!(caption("Figure skating is popular."), None);
        assert_eq!(caption("Table of contents"), None);
    }
}
