//! How long reading a PDF takes beside what nobody can avoid: PDFium handing out the bare text of every page.
//!
//! ```sh
//! cargo run -p recto-document --example read_speed -- [--runs 5] [--json] FILE...
//! ```
//!
//! Every measurement is a process of its own, in turns, so that both sides meet the same machine; medians are compared.
//! What is compared is time on the processor, where the system tells it (Linux), because a busy machine stretches the
//! time on the clock. Loading the library, checking it and reading the file are left out on both sides. Then two
//! processes read the first file at once, for the scaling with cores, and one reads five hundred pages made of it, for
//! the memory.
#![allow(clippy::print_stdout, unsafe_code)]

use anyhow::{Context, bail, ensure};
use pdfium_render::prelude::*;
use recto_assets::Assets;
use recto_document::open::{self, Options};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Pages of the document whose memory is measured.
const MANY_PAGES: u16 = 500;

fn main() -> anyhow::Result<()> {
    let mut files = Vec::new();
    let (mut runs, mut as_json) = (5, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().with_context(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--raw" => return measure(raw, Path::new(&value()?)),
            "--read" => return measure(read, Path::new(&value()?)),
            "--runs" => runs = value()?.parse()?,
            "--json" => as_json = true,
            _ => files.push(PathBuf::from(argument)),
        }
    }
    ensure!(!files.is_empty() && runs > 0, "which files?");
    let mut rows = Vec::new();
    for file in &files {
        rows.push(compare(file, runs)?);
    }
    let result = json!({
        "files": rows,
        "scaling": scaling(&files[0], runs)?,
        "memory": memory(&files[0])?,
    });
    let report = json!({
        "benchmark": "read",
        "version": env!("CARGO_PKG_VERSION"),
        "profile": if cfg!(debug_assertions) { "dev (dependencies and parser optimised)" } else { "release" },
        "cores": std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        "processor": processor(),
        "result": result,
    });
    println!(
        "{}",
        if as_json {
            serde_json::to_string_pretty(&report)?
        } else {
            readable(&report)
        }
    );
    Ok(())
}

/// One measurement, as a process reports it.
#[derive(Debug, Clone, Copy)]
struct Measured {
    /// Seconds on the processor, else on the clock.
    seconds: f64,
    pages: u64,
    /// Largest resident memory of the whole process, in MiB.
    peak_mib: f64,
}

fn measure(work: fn(&[u8], &str) -> anyhow::Result<u64>, file: &Path) -> anyhow::Result<()> {
    let bytes = std::fs::read(file)?;
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let started = Instant::now();
    let (pages, seconds) = (|| {
        let before = on_processor();
        let pages = work(&bytes, &name)?;
        let seconds = match (before, on_processor()) {
            (Some(before), Some(after)) => after - before,
            _ => started.elapsed().as_secs_f64(),
        };
        anyhow::Ok((pages, seconds - WARMED.with(std::cell::Cell::get)))
    })()?;
    println!("{seconds} {pages} {}", peak_mib().unwrap_or(0.0));
    Ok(())
}

thread_local! {
    /// Seconds that went into getting ready, which do not count.
    static WARMED: std::cell::Cell<f64> = const { std::cell::Cell::new(0.0) };
}

/// Runs `ready` and leaves its time out of the measurement.
fn uncounted<T>(ready: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    let (before, clock) = (on_processor(), Instant::now());
    let out = ready()?;
    let spent = match (before, on_processor()) {
        (Some(before), Some(after)) => after - before,
        _ => clock.elapsed().as_secs_f64(),
    };
    WARMED.with(|warmed| warmed.set(warmed.get() + spent));
    Ok(out)
}

/// Parsing and structure, as `recto convert` does it.
fn read(bytes: &[u8], name: &str) -> anyhow::Result<u64> {
    let options = Options {
        file_name: name.into(),
        ..Options::default()
    };
    // Loads and checks the library.
    uncounted(|| Ok(open::probe(bytes, &options)?))?;
    let document = open::read(bytes, &options, &mut ())?;
    Ok(document.pages.len() as u64)
}

/// The text of every page and nothing else.
fn raw(bytes: &[u8], _: &str) -> anyhow::Result<u64> {
    let library = uncounted(|| {
        let library = Pdfium::bind_to_library(Assets::find()?.library("pdfium")?)?;
        // SAFETY: called once, before any other function of the library.
        unsafe { library.FPDF_InitLibrary() };
        Ok(library)
    })?;
    // SAFETY: all handles are checked and closed; the buffer holds a unit more than there are characters.
    unsafe {
        let document = library.FPDF_LoadMemDocument64(bytes, None);
        ensure!(!document.is_null(), "PDFium does not open the file");
        let pages = library.FPDF_GetPageCount(document);
        let mut units: Vec<u16> = Vec::new();
        let mut length = 0;
        for index in 0..pages {
            let page = library.FPDF_LoadPage(document, index);
            if page.is_null() {
                continue;
            }
            let text = library.FPDFText_LoadPage(page);
            let count = library.FPDFText_CountChars(text).max(0);
            units.resize(count as usize + 1, 0);
            length += library.FPDFText_GetText(text, 0, count, units.as_mut_ptr());
            library.FPDFText_ClosePage(text);
            library.FPDF_ClosePage(page);
        }
        library.FPDF_CloseDocument(document);
        std::hint::black_box(length);
        Ok(u64::try_from(pages)?)
    }
}

fn start(mode: &str, file: &Path) -> anyhow::Result<std::process::Child> {
    Ok(Command::new(std::env::current_exe()?)
        .arg(mode)
        .arg(file)
        .stdout(Stdio::piped())
        .spawn()?)
}

fn finish(child: std::process::Child) -> anyhow::Result<Measured> {
    let output = child.wait_with_output()?;
    ensure!(output.status.success(), "a measurement failed");
    let text = String::from_utf8(output.stdout)?;
    let mut parts = text.split_whitespace();
    let mut next = || parts.next().context("a measurement is incomplete");
    Ok(Measured {
        seconds: next()?.parse()?,
        pages: next()?.parse()?,
        peak_mib: next()?.parse()?,
    })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn compare(file: &Path, runs: usize) -> anyhow::Result<Value> {
    let (mut raw, mut read) = (Vec::new(), Vec::new());
    for _ in 0..runs {
        raw.push(finish(start("--raw", file)?)?);
        read.push(finish(start("--read", file)?)?);
    }
    let seconds = |all: &[Measured]| median(all.iter().map(|one| one.seconds).collect());
    let pages = read[0].pages;
    let (raw_seconds, read_seconds) = (seconds(&raw), seconds(&read));
    Ok(json!({
        "file": file.file_name().unwrap_or_default().to_string_lossy(),
        "pages": pages,
        "raw_ms_per_page": rounded(1000.0 * raw_seconds / pages as f64),
        "read_ms_per_page": rounded(1000.0 * read_seconds / pages as f64),
        "ratio": rounded(read_seconds / raw_seconds),
        "peak_mib": median(read.iter().map(|one| one.peak_mib).collect()).round(),
    }))
}

/// Pages per second of one process, and of two at once.
fn scaling(file: &Path, runs: usize) -> anyhow::Result<Value> {
    let rate = |processes: usize| -> anyhow::Result<f64> {
        let mut rates = Vec::new();
        for _ in 0..runs {
            let started = Instant::now();
            let children: Vec<_> = (0..processes)
                .map(|_| start("--read", file))
                .collect::<anyhow::Result<_>>()?;
            let mut pages = 0;
            for child in children {
                pages += finish(child)?.pages;
            }
            rates.push(pages as f64 / started.elapsed().as_secs_f64());
        }
        Ok(median(rates))
    };
    let (one, two) = (rate(1)?, rate(2)?);
    Ok(json!({
        "pages_per_second_1": rounded(one),
        "pages_per_second_2": rounded(two),
        "gain": rounded(two / one),
    }))
}

/// Peak memory of reading many pages.
fn memory(file: &Path) -> anyhow::Result<Value> {
    let long = tempfile::Builder::new().suffix(".pdf").tempfile()?;
    lengthen(file, long.path())?;
    let measured = finish(start("--read", long.path())?)?;
    Ok(json!({
        "pages": measured.pages,
        "file_mib": rounded(std::fs::metadata(long.path())?.len() as f64 / f64::from(1 << 20)),
        "peak_mib": measured.peak_mib.round(),
    }))
}

/// Writes a document that has the pages of `file` over and over.
fn lengthen(file: &Path, to: &Path) -> anyhow::Result<()> {
    let library = Pdfium::new(Pdfium::bind_to_library(Assets::find()?.library("pdfium")?)?);
    let source = library.load_pdf_from_file(file, None)?;
    let pages = source.pages().len();
    if pages == 0 {
        bail!("the file has no pages");
    }
    let mut long = library.create_new_pdf()?;
    let mut have = 0;
    while have < MANY_PAGES {
        let last = pages.min((MANY_PAGES - have).into()) - 1;
        long.pages_mut()
            .copy_page_range_from_document(&source, 0..=last, have.into())?;
        have += u16::try_from(last + 1)?;
    }
    long.save_to_file(to)?;
    Ok(())
}

fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// Seconds this process has been on a processor.
fn on_processor() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}

fn peak_mib() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kib / 1024.0)
}

fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name"));
    name.map_or("unknown", |name| name.trim_start_matches([' ', '\t', ':']))
        .into()
}

fn readable(report: &Value) -> String {
    let result = &report["result"];
    let mut out = format!(
        "{:<44} {:>5} {:>8} {:>8} {:>6} {:>6}\n",
        "", "pages", "raw ms", "read ms", "ratio", "MiB"
    );
    for row in result["files"].as_array().into_iter().flatten() {
        let number = |key: &str| row[key].as_f64().unwrap_or(f64::NAN);
        out += &format!(
            "{:<44} {:>5} {:>8.2} {:>8.2} {:>6.2} {:>6.0}\n",
            row["file"].as_str().unwrap_or_default(),
            row["pages"],
            number("raw_ms_per_page"),
            number("read_ms_per_page"),
            number("ratio"),
            number("peak_mib"),
        );
    }
    out + &format!("scaling {}\nmemory {}", result["scaling"], result["memory"])
}
