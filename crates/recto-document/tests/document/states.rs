//! How reading a file can end, and what is said then. Named after the failures of other readers that they keep out.

use crate::fixture::{FixturePage, paragraph, pdf, text};
use crate::words;
use recto_core::{Document, ErrorCode};
use recto_document::open::{self, Options, Sink, Step};
use recto_document::{Error, Result};
use std::time::{Duration, Instant};

const SECRET: &str = "Only for those who know the word";

fn read(bytes: &[u8], password: Option<&str>) -> Result<Document> {
    let options = Options {
        file_name: "a.pdf".into(),
        password: password.map(str::to_owned),
        ..Options::default()
    };
    open::read(bytes, &options, &mut ())
}

#[test]
fn t59_an_encrypted_file_asks_for_its_password_and_opens_with_either() {
    for bytes in [
        &include_bytes!("files/user-password-aes256.pdf")[..],
        include_bytes!("files/user-password-rc4.pdf"),
    ] {
        let asked = read(bytes, None).expect_err("a password is needed");
        assert_eq!(asked.code(), ErrorCode::PasswordRequired);
        assert_eq!(asked.to_string(), "The file is protected with a password.");
        let wrong = read(bytes, Some("open barley")).expect_err("it is another one");
        assert_eq!(wrong.code(), ErrorCode::PasswordRequired, "the person may try again");
        assert_ne!(wrong.to_string(), asked.to_string(), "and is told that it was wrong");
        for password in ["open sesame", "owner"] {
            let document = read(bytes, Some(password)).expect("opens");
            assert_eq!(document.pages[0].text, SECRET);
        }
    }
}

#[test]
fn t59_a_file_whose_owner_forbids_copying_opens_without_a_password() {
    let bytes = include_bytes!("files/owner-password-only-aes128.pdf");
    assert_eq!(read(bytes, None).expect("opens").pages[0].text, SECRET);
    // A password where none is needed does no harm.
    assert_eq!(read(bytes, Some("whatever")).expect("opens").pages[0].text, SECRET);
}

#[test]
fn t59_encrypted_corrupt_empty_and_unsupported_are_told_apart() {
    let state = |bytes: &[u8]| {
        let error = read(bytes, None).expect_err("is refused");
        (error.code(), error.to_string())
    };
    let states = [
        state(include_bytes!("files/user-password-rc4.pdf")),
        state(b"%PDF-1.7\nnothing that could be read"),
        state(b""),
        state(b"\x7fELF\x02\x01\x01"),
    ];
    let codes: Vec<ErrorCode> = states.iter().map(|(code, _)| *code).collect();
    assert_eq!(
        codes,
        [
            ErrorCode::PasswordRequired,
            ErrorCode::Damaged,
            ErrorCode::Empty,
            ErrorCode::UnsupportedType
        ]
    );
    for (_, sentence) in states {
        assert!(
            sentence.ends_with('.') && sentence.len() > 15,
            "a whole sentence: {sentence}"
        );
    }
}

/// Notes which pages were told, and when the last of them was.
struct Told {
    pages: Vec<u32>,
    longest_silence: Duration,
    last: Instant,
}

impl Sink for Told {
    fn step(&mut self, step: Step<'_>) -> Result<()> {
        self.longest_silence = self.longest_silence.max(self.last.elapsed());
        self.last = Instant::now();
        if let Step::Page { page, total } = step {
            assert_eq!(total, 300);
            self.pages.push(page.number);
        }
        Ok(())
    }
}

#[test]
fn t48_a_long_document_is_told_page_by_page_and_never_goes_silent() {
    let line = "Control enhancements are numbered and stand in a catalogue that goes on for hundreds of pages";
    let pages: Vec<FixturePage> = (0..300)
        .map(|number| {
            let lines: Vec<String> = (0..50).map(|row| format!("{number}.{row} {line}")).collect();
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            FixturePage::letter(&(paragraph(72.0, 740.0, &lines) + &text(9.0, 300.0, 40.0, &number.to_string())))
        })
        .collect();
    let mut told = Told {
        pages: Vec::new(),
        longest_silence: Duration::ZERO,
        last: Instant::now(),
    };
    let document = open::read(&pdf(&pages), &Options::default(), &mut told).expect("reads");
    assert_eq!(told.pages, (1..=300).collect::<Vec<u32>>());
    assert_eq!(document.pages.len(), 300);
    // A quarter of a second per page would already be thirty times too slow, and a reader whose work grows with the
    // square of the pages shows here first.
    assert!(
        told.longest_silence < Duration::from_secs(20),
        "{:?}",
        told.longest_silence
    );
}

#[test]
fn t48_a_page_of_very_many_words_takes_no_longer_than_its_words_need() {
    // Twenty thousand words on a sheet: a reader that compares all pairs never comes back from it.
    let mut content = String::new();
    for row in 0..200u8 {
        let words = "thirteen words of small print stand side by side in every one of ".repeat(8);
        content += &text(3.0, 20.0, 1200.0 - 5.0 * f32::from(row), &words);
    }
    let bytes = pdf(&[FixturePage::new(1600, 1250, &content)]);
    let started = Instant::now();
    let document = read(&bytes, None).expect("reads");
    assert!(document.pages[0].words.len() > 20_000);
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

#[test]
fn t48_glyphs_piled_upon_one_spot_do_not_hang_the_reader() {
    // Each letter is as wide as the pen then goes back.
    let pile = format!("({}) ", "a".repeat(1000)).repeat(150);
    let pile = format!("BT /F1 10 Tf -5.56 Tc 72 700 Td [{pile}] TJ 0 Tc ET");
    let bytes = pdf(&[FixturePage::letter(
        &(pile + "\n" + &text(10.0, 72.0, 600.0, "and a word")),
    )]);
    let started = Instant::now();
    let document = read(&bytes, None).expect("reads");
    assert!(
        document.pages[0].text.ends_with("and a word"),
        "{} bytes",
        document.pages[0].text.len()
    );
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

/// A small generator of the same numbers every time (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).expect("BUG: less than the limit")
    }
}

#[test]
fn t72_damaged_bytes_end_in_a_document_or_in_words() {
    let good = pdf(&[
        FixturePage::letter(
            &(text(12.0, 72.0, 700.0, "A heading") + &paragraph(72.0, 650.0, &["Some text", "goes on"])),
        ),
        FixturePage::with_entries(
            "/MediaBox [0 0 300 200] /Rotate 90 /UserUnit 2",
            &text(9.0, 20.0, 100.0, "more"),
        ),
    ]);
    let mut dice = Dice(0x5EED);
    let (mut opened, mut refused) = (0, 0);
    for _ in 0..400 {
        let mut bytes = good.clone();
        match dice.below(3) {
            0 => bytes.truncate(dice.below(bytes.len())),
            1 => {
                for _ in 0..=dice.below(8) {
                    let at = dice.below(bytes.len());
                    bytes[at] = u8::try_from(dice.below(256)).expect("BUG: a byte");
                }
            }
            _ => {
                let from = dice.below(bytes.len());
                let to = (from + dice.below(200)).min(bytes.len());
                bytes.drain(from..to);
            }
        }
        let started = Instant::now();
        match read(&bytes, None) {
            Ok(document) => {
                opened += 1;
                assert!(!document.pages.is_empty(), "an empty document is no success");
            }
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().is_empty());
            }
        }
        assert!(started.elapsed() < Duration::from_secs(5), "no file hangs the reader");
    }
    assert!(
        opened > 50 && refused > 10,
        "both endings occur: {opened} and {refused}"
    );
}

#[test]
fn t73_a_damaged_table_of_objects_is_repaired() {
    let bytes = pdf(&[FixturePage::letter(&text(10.0, 72.0, 700.0, "rescued words"))]);
    let rescued = |damaged: &[u8], how: &str| {
        let document = read(damaged, None).unwrap_or_else(|error| panic!("{how}: {error}"));
        assert_eq!(words(&document.pages[0]), ["rescued", "words"], "{how}");
    };
    let mut shifted = b"%PDF-1.7\n% something in the way\n".to_vec();
    shifted.extend(&bytes);
    rescued(&shifted, "no offset is right any more");
    let text = String::from_utf8(bytes).expect("a fixture is text");
    let table = text.find("xref\n").expect("has a table");
    let start = text.find("startxref").expect("has a start");
    rescued(text.replace("0000000", "9999999").as_bytes(), "offsets beyond the end");
    rescued(
        (text[..table].to_owned() + &text[start..]).as_bytes(),
        "neither table nor trailer",
    );
    rescued(&text.as_bytes()[..start], "no word of where the table is");
    rescued(&text.as_bytes()[..table], "cut off before its table");
    let without_catalog = text.replace("/Type /Catalog", "/Type /Nonsense");
    rescued(
        &without_catalog.as_bytes()[..table + 1],
        "cut off, and its catalog lost",
    );
}

#[test]
fn t73_what_cannot_be_repaired_is_called_damaged() {
    let bytes = pdf(&[FixturePage::letter(&text(10.0, 72.0, 700.0, "lost words"))]);
    let text = String::from_utf8(bytes).expect("a fixture is text");
    let error = read(text.replace(" obj", " ojb").as_bytes(), None).expect_err("nothing is left of it");
    assert_eq!(error.code(), ErrorCode::Damaged);
}

#[test]
fn a_page_that_is_broken_leaves_a_gap_with_its_reason_and_the_others_are_read() {
    let page = |word: &str| FixturePage::letter(&text(10.0, 72.0, 700.0, word));
    let bytes = String::from_utf8(pdf(&[page("first"), page("second"), page("third")])).expect("a fixture is text");
    // The second page's object (the seventh) turns into something that is no page.
    let broken = bytes.replacen("7 0 obj\n<< /Type /Page ", "7 0 obj\n[ /Type /Page ", 1);
    assert_ne!(broken, bytes);
    let document = read(broken.as_bytes(), None).expect("is read");
    let numbers: Vec<u32> = document.pages.iter().map(|page| page.number).collect();
    let gaps: Vec<u32> = document.info.gaps.iter().map(|gap| gap.page).collect();
    assert_eq!((numbers, gaps), (vec![1, 3], vec![2]));
    assert!(document.info.gaps[0].reason.ends_with('.'));
}

#[test]
fn a_page_beyond_the_end_is_an_error_that_names_the_last_one() {
    let bytes = pdf(&[FixturePage::letter(""), FixturePage::letter("")]);
    let with = |pages: (u32, u32)| {
        let options = Options {
            pages: Some(pages),
            ..Options::default()
        };
        open::read(&bytes, &options, &mut ())
    };
    let error = with((77, 77)).expect_err("there is none");
    assert!(matches!(error, Error::NoSuchPage { page: 77, count: 2 }));
    assert_eq!(error.to_string(), "There is no page 77; the document has 2.");
    assert_eq!(
        with((2, u32::MAX)).expect("reads").pages.len(),
        1,
        "an open end is fine"
    );
}

#[test]
fn reading_stops_when_the_one_who_asked_wants_it_to() {
    struct Stop;
    impl Sink for Stop {
        fn step(&mut self, step: Step<'_>) -> Result<()> {
            match step {
                Step::Page { .. } => Err(Error::Cancelled),
                _ => Ok(()),
            }
        }
    }
    let bytes = pdf(&[FixturePage::letter(""), FixturePage::letter("")]);
    let error = open::read(&bytes, &Options::default(), &mut Stop).expect_err("stops");
    assert_eq!(error.code(), ErrorCode::Cancelled);
}
