//! Are quotes found, and do the boxes hold exactly their words?
//!
//! The sentences (`bench/locate/sentences.jsonl`) were read by another extractor. A sentence is *found* when the first
//! match lies on its page, and *boxed right* when the words that `pdftotext -bbox` has with their centres inside the
//! returned boxes are the sentence, white space and hyphens aside (an extractor that joins lines drops hyphens).

use crate::{data, report};
use anyhow::{Context, Result};
use recto_core::{LocateHint, PageRect, Rect};
use recto_document::locate::Index;
use recto_document::open;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

#[derive(Debug, Deserialize)]
struct Sentence {
    file: String,
    page: u32,
    quote: String,
}

#[derive(Debug, Default, Serialize)]
struct Outcome {
    files: usize,
    sentences: usize,
    right_page: usize,
    boxed_right: usize,
    right_page_share: f64,
    boxed_right_share: f64,
    median_ms: f64,
    longest_ms: f64,
}

/// Runs the benchmark. With `misses`, prints each sentence that is missed or boxed wrongly.
pub(crate) fn run(misses: bool) -> Result<()> {
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("locate/sentences.jsonl");
    let mut by_file: BTreeMap<String, Vec<Sentence>> = BTreeMap::new();
    for line in std::fs::read_to_string(list)?.lines() {
        let sentence: Sentence = serde_json::from_str(line)?;
        by_file.entry(sentence.file.clone()).or_default().push(sentence);
    }
    let folder = data::folder()?;
    let mut outcome = Outcome {
        files: by_file.len(),
        ..Outcome::default()
    };
    let mut times = Vec::new();
    for (file, sentences) in by_file {
        let path = folder.join(&file);
        let document = open::read(&std::fs::read(&path)?, &open::Options::default(), &mut ())
            .with_context(|| format!("cannot read {file}"))?;
        let index = Index::new(&document.pages, &[]);
        for sentence in sentences {
            outcome.sentences += 1;
            let started = Instant::now();
            let found = index.locate(&sentence.quote, &LocateHint::default());
            times.push(started.elapsed().as_secs_f64() * 1000.0);
            // The same words may stand on several pages; any of them is the right one.
            let on_page = found
                .iter()
                .find(|found| found.rects.iter().all(|at| at.page == sentence.page));
            let Some(best) = on_page.filter(|_| !found.is_empty()) else {
                if misses {
                    println!(
                        "missed  {file} p{} {:?}\n        found {:?}",
                        sentence.page,
                        sentence.quote,
                        found.first().map(|f| &f.text)
                    );
                }
                continue;
            };
            outcome.right_page += 1;
            let boxed = words_inside(&path, sentence.page, &best.rects)?;
            if normal(&boxed) == normal(&sentence.quote) {
                outcome.boxed_right += 1;
            } else if misses {
                println!(
                    "boxed   {file} p{} {:?} {:?}\n        holds {boxed:?}",
                    sentence.page, best.kind, sentence.quote
                );
            }
        }
    }
    outcome.right_page_share = outcome.right_page as f64 / outcome.sentences as f64;
    outcome.boxed_right_share = outcome.boxed_right as f64 / outcome.sentences as f64;
    outcome.longest_ms = times.iter().copied().fold(0.0, f64::max);
    outcome.median_ms = report::median(times);
    report::write("locate", &outcome)
}

/// The words that pdftotext has with their centres inside `boxes`, read along the boxes: one box is one line.
fn words_inside(file: &Path, page: u32, boxes: &[PageRect]) -> Result<String> {
    let number = page.to_string();
    let output = Command::new("pdftotext")
        .args(["-q", "-bbox", "-cropbox", "-f", &number, "-l", &number])
        .arg(file)
        .arg("-")
        .output()
        .context("pdftotext is not installed")?;
    let mut inside: Vec<(usize, f32, String)> = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Some((rect, word)) = word_of(line) else { continue };
        let (x, y) = rect.centre();
        if let Some(index) = boxes.iter().position(|at| at.rect.contains(x, y)) {
            inside.push((index, rect.left, word));
        }
    }
    inside.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let words: Vec<String> = inside.into_iter().map(|(_, _, word)| word).collect();
    Ok(words.join(" "))
}

/// A line `<word xMin="…" yMin="…" xMax="…" yMax="…">text</word>`.
fn word_of(line: &str) -> Option<(Rect, String)> {
    let number = |name: &str| -> Option<f32> {
        let from = line.find(name)? + name.len() + 2;
        line[from..].split('"').next()?.parse().ok()
    };
    let text = line
        .trim()
        .strip_prefix("<word")?
        .split_once('>')?
        .1
        .strip_suffix("</word>")?;
    let text = text
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&");
    Some((
        Rect::new(number("xMin")?, number("yMin")?, number("xMax")?, number("yMax")?),
        text,
    ))
}

fn normal(text: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    text.nfkc()
        .filter(|c| !c.is_whitespace() && !matches!(c, '-' | '\u{ad}' | '\u{2010}' | '\u{2011}'))
        .collect()
}
