//! Replies that try to mislead the parser of citation markers, each cut in every way.

use proptest::prelude::*;
use recto_answer::markers::{MarkerParser, Piece};

/// Numbers that were supplied; the evidence prints `[7]` itself.
const SUPPLIED: [u32; 6] = [1, 2, 3, 4, 7, 12];
const PRINTED: [u32; 1] = [7];

#[derive(Debug, Clone, PartialEq, Eq)]
struct Read {
    /// The text with markers as `⟨n⟩`, so that they are told from brackets that stayed.
    shown: String,
    invalid: u32,
    any: bool,
}

fn read(pieces: impl IntoIterator<Item = String>) -> Read {
    let mut parser = MarkerParser::new(SUPPLIED.into(), PRINTED.into());
    let mut out: Vec<Piece> = pieces.into_iter().flat_map(|piece| parser.push(&piece)).collect();
    out.extend(parser.finish());
    let shown = out
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Marker(numbers) => numbers.iter().map(|number| format!("⟨{number}⟩")).collect(),
        })
        .collect();
    Read {
        shown,
        invalid: parser.invalid(),
        any: parser.any_marker(),
    }
}

fn cut(text: &[char], at: &[usize]) -> Vec<String> {
    let mut start = 0;
    at.iter()
        .chain([&text.len()])
        .map(|end| {
            let piece = text[start..*end].iter().collect();
            start = *end;
            piece
        })
        .collect()
}

/// What each reply is, what it says, how it is shown, and how many numbers in it were made up.
const CASES: &[(&str, &str, &str, u32)] = &[
    ("a plain marker", "Sales rose [3].", "Sales rose ⟨3⟩.", 0),
    ("a marker glued to its word", "Sales rose[3].", "Sales rose⟨3⟩.", 0),
    ("a marker behind the full stop", "Sales rose. [3]", "Sales rose. ⟨3⟩", 0),
    (
        "several numbers in one bracket",
        "Rose [1, 4; 12].",
        "Rose ⟨1⟩⟨4⟩⟨12⟩.",
        0,
    ),
    ("a range", "Rose [1-4].", "Rose ⟨1⟩⟨2⟩⟨3⟩⟨4⟩.", 0),
    ("a range with an en dash", "Rose [2–3].", "Rose ⟨2⟩⟨3⟩.", 0),
    ("a range and a number", "Rose [1-2, 12].", "Rose ⟨1⟩⟨2⟩⟨12⟩.", 0),
    ("a range half of which was made up", "Rose [3-6].", "Rose ⟨3⟩⟨4⟩.", 2),
    ("a range the wrong way round", "Rose [4-2].", "Rose [4-2].", 0),
    (
        "a range too wide to be one",
        "ids [1-200] exist",
        "ids [1-200] exist",
        0,
    ),
    ("an open range", "Rose [2-].", "Rose [2-].", 0),
    ("the same number twice", "Rose [3, 3][3].", "Rose ⟨3⟩⟨3⟩.", 0),
    ("an invented number", "Rose [99].", "Rose.", 1),
    ("an invented number between words", "Rose [99] again.", "Rose again.", 1),
    ("zero", "Rose [0].", "Rose.", 1),
    ("leading zeros", "Rose [003].", "Rose ⟨3⟩.", 0),
    ("an invented number beside a real one", "Rose [3][98].", "Rose ⟨3⟩.", 1),
    ("a year", "As in [2023] before.", "As in [2023] before.", 0),
    ("a year beside a marker", "As in [2023] [3].", "As in [2023] ⟨3⟩.", 0),
    ("a marker list with a year", "As in [1, 2023].", "As in [1, 2023].", 0),
    (
        "an amount in brackets",
        "It was [1,577] million.",
        "It was [1,577] million.",
        0,
    ),
    ("CJK brackets", "売上は増加した【3】。", "売上は増加した⟨3⟩。", 0),
    ("full-width brackets and digits", "増加［１，４］。", "増加⟨1⟩⟨4⟩。", 0),
    ("tortoise-shell brackets", "増加〔12〕", "増加⟨12⟩", 0),
    ("lenticular brackets with a dagger", "Rose【3†source】.", "Rose⟨3⟩.", 0),
    ("an unclosed dagger", "Rose【3†source\nnext", "Rose【3†source\nnext", 0),
    ("a code span", "Use `list[1]` here.", "Use `list[1]` here.", 0),
    (
        "a code span with two ticks",
        "Use ``a`[1]`` then [1].",
        "Use ``a`[1]`` then ⟨1⟩.",
        0,
    ),
    (
        "a fenced block",
        "```rust\nx[1]\n```\nDone [1].",
        "```rust\nx[1]\n```\nDone ⟨1⟩.",
        0,
    ),
    ("a fence of tildes", "~~~\n[1]\n~~~\n[2]", "~~~\n[1]\n~~~\n⟨2⟩", 0),
    (
        "a fence within a longer fence",
        "````\n```\n[1]\n````\n[2]",
        "````\n```\n[1]\n````\n⟨2⟩",
        0,
    ),
    ("a fence that is never closed", "```\nx[1]\n[2]", "```\nx[1]\n[2]", 0),
    ("a lone tick", "a ` tick\n\nRose [1].", "a ` tick\n\nRose ⟨1⟩.", 0),
    (
        "a block quote",
        "> as they say [1]\n\nRose [1].",
        "> as they say [1]\n\nRose ⟨1⟩.",
        0,
    ),
    ("an indented block quote", "  > said [2]\n", "  > said [2]\n", 0),
    ("a greater-than sign in a line", "a > b [1]", "a > b ⟨1⟩", 0),
    (
        "a printed number in a quotation",
        "It says \"see [7] above\".",
        "It says \"see [7] above\".",
        0,
    ),
    (
        "a printed number in curly quotes",
        "It says “see [7] above” [7].",
        "It says “see [7] above” ⟨7⟩.",
        0,
    ),
    (
        "a printed number in German quotes",
        "Es heißt „siehe [7] oben“ [7].",
        "Es heißt „siehe [7] oben“ ⟨7⟩.",
        0,
    ),
    (
        "a printed number in guillemets",
        "Il dit « voir [7] » [7].",
        "Il dit « voir [7] » ⟨7⟩.",
        0,
    ),
    (
        "a printed number in corner brackets",
        "「[7]を見よ」[7]",
        "「[7]を見よ」⟨7⟩",
        0,
    ),
    (
        "a marker inside a quotation",
        "He said \"it rose [3].\"",
        "He said \"it rose ⟨3⟩.\"",
        0,
    ),
    (
        "a foreign number in a quotation",
        "He said \"see [99].\"",
        "He said \"see [99].\"",
        0,
    ),
    ("an inch sign", "a 5\" pipe\nRose [7].", "a 5\" pipe\nRose ⟨7⟩.", 0),
    ("escaped brackets", "not \\[1\\] but [1]", "not \\[1\\] but ⟨1⟩", 0),
    ("an escaped backslash", "path \\\\[1]", "path \\\\⟨1⟩", 0),
    ("nested brackets", "Rose [[3]].", "Rose [⟨3⟩].", 0),
    ("a bracket in a bracket's text", "[see [3]]", "[see ⟨3⟩]", 0),
    (
        "a Markdown link",
        "[the page](https://example.org/a[1]) [2]",
        "[the page](https://example.org/a⟨1⟩) ⟨2⟩",
        0,
    ),
    (
        "a link whose text is a number",
        "see [3](https://example.org)",
        "see ⟨3⟩(https://example.org)",
        0,
    ),
    (
        "an image whose text is a number",
        "![3](https://example.org/x.png)",
        "!⟨3⟩(https://example.org/x.png)",
        0,
    ),
    ("a reference link", "[sales][3]", "[sales]⟨3⟩", 0),
    ("a footnote", "Rose [^1].\n\n[^1]: note", "Rose [^1].\n\n[^1]: note", 0),
    (
        "a task list",
        "- [ ] open\n- [x] done [1]",
        "- [ ] open\n- [x] done ⟨1⟩",
        0,
    ),
    (
        "a table",
        "| Sales | 5 [1] |\n|---|---|\n| Costs | 4 [2][99] |",
        "| Sales | 5 ⟨1⟩ |\n|---|---|\n| Costs | 4 ⟨2⟩ |",
        1,
    ),
    (
        "a numbered list",
        "1. Sales [1]\n2. Costs [2]\n   1. Rent [3]",
        "1. Sales ⟨1⟩\n2. Costs ⟨2⟩\n   1. Rent ⟨3⟩",
        0,
    ),
    (
        "a deeply nested list is no code",
        "- a\n    - b [1]",
        "- a\n    - b ⟨1⟩",
        0,
    ),
    (
        "words in a bracket",
        "[source 3] and [1a] and [x, 1]",
        "[source 3] and [1a] and [x, 1]",
        0,
    ),
    ("empty brackets", "[] and [ ] and [,]", "[] and [ ] and [,]", 0),
    ("an open bracket at the end", "Rose [1", "Rose [1", 0),
    ("a closing bracket alone", "Rose 1] [1]", "Rose 1] ⟨1⟩", 0),
    ("brackets of two kinds", "Rose [3】.", "Rose ⟨3⟩.", 0),
    ("two numbers without a comma", "Rose [1 2].", "Rose [1 2].", 0),
    ("a zero-width space", "Rose [\u{200b}1].", "Rose [\u{200b}1].", 0),
    ("a line break in a bracket", "Rose [1\n].", "Rose [1\n].", 0),
    ("spaces in a bracket", "Rose [ 1 , 2 ].", "Rose ⟨1⟩⟨2⟩.", 0),
    ("a negative number", "Rose [-1].", "Rose [-1].", 0),
    ("a decimal", "Rose [1.5].", "Rose [1.5].", 0),
    (
        "text after a comma before an invented marker",
        "Rose, [99], and fell [1].",
        "Rose,, and fell ⟨1⟩.",
        1,
    ),
    (
        "an endless bracket",
        "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]",
        "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]",
        0,
    ),
];

#[test]
fn misleading_replies_are_read_as_meant() {
    assert!(CASES.len() >= 40);
    for (name, text, shown, invalid) in CASES {
        let whole = read([(*text).to_owned()]);
        assert_eq!((whole.shown.as_str(), whole.invalid), (*shown, *invalid), "{name}");
        let marked = shown.contains('⟨') || *invalid > 0;
        assert_eq!(whole.any, marked, "{name}: whether the reply tried to cite");
    }
}

#[test]
fn misleading_replies_are_read_the_same_for_every_two_cuts() {
    for (name, text, ..) in CASES {
        let whole = read([(*text).to_owned()]);
        let letters: Vec<char> = text.chars().collect();
        for first in 0..=letters.len() {
            for second in first..=letters.len() {
                assert_eq!(
                    read(cut(&letters, &[first, second])),
                    whole,
                    "{name}, cut at {first} and {second}"
                );
            }
        }
        assert_eq!(
            read(letters.iter().map(char::to_string)),
            whole,
            "{name}, letter by letter"
        );
    }
}

proptest! {
    #[test]
    fn misleading_replies_are_read_the_same_for_any_cuts(
        picked in prop::collection::vec(any::<prop::sample::Index>(), 1..4),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let text: String = picked.iter().map(|at| CASES[at.index(CASES.len())].1).collect();
        let letters: Vec<char> = text.chars().collect();
        let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(letters.len() + 1)).collect();
        at.sort_unstable();
        prop_assert_eq!(read(cut(&letters, &at)), read([text]));
    }
}
