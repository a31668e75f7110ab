//! Benchmarks. Each measures Recto beside a peer or a floor in the same run; results go to `bench/results/`.
//!
//! Data comes from `RECTO_BENCH_DATA`; see bench/README.md.
#![allow(clippy::print_stdout)]

mod bm25;
mod data;
mod grow;
mod ingest;
mod latency;
mod locate;
mod pages;
mod report;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Measures Recto.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Ingest the filings: pages per second until searchable by words and until embedded, peak memory, share of embedding.
    Ingest,
    /// Locate the sampled sentences: right page, and the words inside the boxes beside another tool's words.
    Locate {
        /// Print every sentence that is missed or boxed wrongly.
        #[arg(long)]
        misses: bool,
    },
    /// Find pages without a model: the filings' questions with the filing given and over all twelve, the right filing, and
    /// headings of reports, beside BM25 over pages and plain rank fusion.
    Pages {
        /// Print every question with the pages found.
        #[arg(long)]
        questions: bool,
        /// Keep the library in this folder and use it again the next time, as it was ingested then.
        #[arg(long)]
        library: Option<std::path::PathBuf>,
    },
    /// Render pages and search, beside bare PDFium and LanceDB's own hybrid query.
    Latency {
        /// Timed repetitions of each.
        #[arg(long, default_value_t = 5)]
        rounds: usize,
        /// Sizes of the collection searched, in chunks; those beyond the filings' own are made of copies.
        #[arg(long, value_delimiter = ',', default_value = "1000,10000")]
        chunks: Vec<usize>,
        /// Keep the library of filings in this folder and use it again the next time.
        #[arg(long)]
        library: Option<std::path::PathBuf>,
    },
}

#[tokio::main]
async fn main() -> Result<()> {
    match Arguments::parse().command {
        Command::Ingest => ingest::run().await,
        Command::Locate { misses } => locate::run(misses),
        Command::Pages { questions, library } => pages::run(questions, library).await,
        Command::Latency {
            rounds,
            chunks,
            library,
        } => latency::run(rounds, &chunks, library).await,
    }
}
