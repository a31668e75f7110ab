//! The arguments, declared once for the parser and its help.

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Ask your own documents. Every answer cites the page and the words that prove it.
#[derive(Debug, Parser)]
#[command(name = "recto", version, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options every command takes.
#[derive(Debug, Args)]
pub(crate) struct Global {
    /// The library's folder [default: the platform's data folder]
    #[arg(
        long,
        global = true,
        env = "RECTO_LIBRARY",
        value_name = "DIR",
        help_heading = "Global options"
    )]
    pub(crate) library: Option<PathBuf>,
    /// Work on this collection only; may be repeated
    #[arg(
        long = "collection",
        global = true,
        value_name = "NAME",
        help_heading = "Global options"
    )]
    pub(crate) collections: Vec<String>,
    /// Print JSON instead of text; errors too, on standard error
    #[arg(long, global = true, help_heading = "Global options")]
    pub(crate) json: bool,
    /// Open the library for reading only
    #[arg(long, global = true, help_heading = "Global options")]
    pub(crate) read_only: bool,
    /// Say more: error codes and warnings; -vv steps, -vvv details
    #[arg(short, long, global = true, action = ArgAction::Count, help_heading = "Global options")]
    pub(crate) verbose: u8,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Add files and folders to a collection and wait until they are ready
    Add(Add),
    /// List the documents and where each stands
    List,
    /// Show all that is known about a document
    Show {
        /// The document's id, or enough of its beginning
        #[arg(value_name = "ID")]
        document: String,
    },
    /// Print a document's sections with their numbers, pages and first sentences
    Outline {
        /// The document's id, or enough of its beginning
        #[arg(value_name = "DOC")]
        document: String,
    },
    /// Print the whole text of a section, everything below it included
    Section {
        /// The document's id, or enough of its beginning
        #[arg(value_name = "DOC")]
        document: String,
        /// The section's number, as `outline` shows it
        #[arg(value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
        number: u32,
    },
    /// Delete documents: they leave search, lists and disk
    Delete {
        /// The documents' ids, or enough of their beginnings
        #[arg(value_name = "ID", required = true)]
        documents: Vec<String>,
    },
    /// Find passages
    Search(Search),
    /// Ask a question and get an answer whose every citation can be checked
    Ask(Ask),
    /// Put a set of questions with known answers, and say how many come out right
    Eval(Eval),
    /// Show how an answer came about: what models were asked, what they replied, what followed
    Trace {
        /// The answer's id, or enough of its beginning
        #[arg(value_name = "ANSWER")]
        answer: String,
        /// Make the answer again from what was kept, without asking a model; exit status 1 when it comes out differently
        #[arg(long)]
        replay: bool,
    },
    /// Draw a page as a PNG picture, with a quote highlighted
    Page(Page),
    /// Find the place of a quote in a document
    Locate(Locate),
    /// Read a file and print what is in it; needs no library
    Convert(Convert),
    /// List, create, rename and remove collections
    Collections {
        #[command(subcommand)]
        action: Option<CollectionsAction>,
    },
    /// Say which models are used and where questions go, or set them up
    #[command(args_conflicts_with_subcommands = true)]
    Models {
        /// Do not ask the chat model's server whether it is there
        #[arg(long)]
        no_probe: bool,
        #[command(subcommand)]
        action: Option<ModelsAction>,
    },
    /// Check the library; exit status 1 when something is wrong
    Doctor,
    /// Look at the files that wait to be read
    Queue {
        #[command(subcommand)]
        action: Option<QueueAction>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Add {
    /// Files and folders; folders are walked
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// The title of the document, for a single file
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// A property to keep with every document; may be repeated
    #[arg(long = "meta", value_name = "KEY=VALUE", value_parser = key_value)]
    pub(crate) metadata: Vec<(String, String)>,
    /// A tag for every document; may be repeated
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// Read a password for encrypted files from standard input; it is not stored
    #[arg(long)]
    pub(crate) password_stdin: bool,
    /// Exit with status 1 when a file could not be added
    #[arg(long)]
    pub(crate) strict: bool,
}

/// Conditions on the documents searched.
#[derive(Debug, Args)]
pub(crate) struct Filters {
    /// Only this document, by id or enough of its beginning; may be repeated
    #[arg(long = "document", value_name = "ID", help_heading = "Which documents")]
    pub(crate) documents: Vec<String>,
    /// Only documents carrying this tag; may be repeated, and all must be there
    #[arg(long = "tag", value_name = "TAG", help_heading = "Which documents")]
    pub(crate) tags: Vec<String>,
    /// Only documents whose file lies below this folder
    #[arg(long, value_name = "DIR", help_heading = "Which documents")]
    pub(crate) folder: Option<PathBuf>,
    /// Only documents of this type: pdf, markdown, text, or a media type such as application/pdf or text/
    #[arg(long = "type", value_name = "TYPE", value_parser = media_type, help_heading = "Which documents")]
    pub(crate) media_type: Option<String>,
    /// Only documents added on or after this day or moment (2026-03-31, 2026-03-31T12:00:00Z)
    #[arg(long, value_name = "DATE", help_heading = "Which documents")]
    pub(crate) since: Option<String>,
    /// Only documents added up to this day, or before this moment
    #[arg(long, value_name = "DATE", help_heading = "Which documents")]
    pub(crate) until: Option<String>,
    /// Leave out collections that cannot be opened, and say which, instead of stopping
    #[arg(long, help_heading = "Which documents")]
    pub(crate) partial: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Search {
    /// What to look for
    pub(crate) query: String,
    /// Most passages to print
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) limit: u32,
    /// By words and meaning, by meaning, or by words
    #[arg(long, value_enum, default_value_t = Mode::Hybrid)]
    pub(crate) mode: Mode,
    /// Show each hit with its surroundings
    #[arg(long)]
    pub(crate) expand: bool,
    #[command(flatten)]
    pub(crate) filters: Filters,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Mode {
    /// Words and vectors together
    Hybrid,
    /// Vectors only
    Vector,
    /// Words only
    Fts,
}

#[derive(Debug, Args)]
pub(crate) struct Ask {
    /// The question
    pub(crate) question: String,
    /// How the answer is made
    #[arg(long, value_enum, default_value_t = Strategy::Auto)]
    pub(crate) strategy: Strategy,
    /// The chat model to use instead of the configured one
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Go on with this conversation: what "it" and "there" mean is taken from its questions
    #[arg(long, value_name = "ID")]
    pub(crate) conversation: Option<String>,
    /// With --json: print every event as it happens, one per line
    #[arg(long)]
    pub(crate) stream: bool,
    /// Show also what models were asked, what they replied and what followed
    #[arg(long)]
    pub(crate) trace: bool,
    /// Write every cited page, with its highlights, as a PNG picture into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) pages: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) filters: Filters,
}

/// How much may be read and called for a question
#[derive(Debug, Args)]
pub(crate) struct Limits {
    /// Most documents looked at one by one; 0 for all
    #[arg(long, value_name = "N")]
    pub(crate) max_docs: Option<u32>,
    /// Most sections or pages read; 0 for all that are relevant
    #[arg(long, value_name = "N")]
    pub(crate) max_sections: Option<u32>,
    /// Most steps of a walk through one document; 0 for the usual number
    #[arg(long, value_name = "N")]
    pub(crate) max_depth: Option<u32>,
    /// Most tokens of passages given to the model with --strategy passages [default: 3000, or 10000 for a model elsewhere]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) evidence_tokens: Option<u32>,
    /// Most seconds for the whole question
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) seconds: Option<u32>,
    /// With --strategy outline: answer from each document by itself, then put the answers together
    #[arg(long)]
    pub(crate) per_document: bool,
    /// Hold a written answer to sources that were offered, where the model's server can do that
    #[arg(long)]
    pub(crate) constrained: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Eval {
    /// The questions: a file with one JSON object per line (see docs/evaluation.md)
    #[arg(value_name = "SET")]
    pub(crate) set: PathBuf,
    /// Keep every outcome in this folder, and go on where an earlier run stopped
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// How answers are made
    #[arg(long, value_enum, default_value_t = Strategy::Auto)]
    pub(crate) strategy: Strategy,
    /// The chat model to use instead of the configured one
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Search only the documents that each question names
    #[arg(long)]
    pub(crate) given: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Strategy {
    /// Quotes without a model; with one what suits the question and its documents
    Auto,
    /// Verbatim quotes; no model is called
    Quotes,
    /// A model writes the answer from numbered passages
    Passages,
    /// A model picks sections from each document's outline and writes the answer from their full text
    Outline,
    /// A model walks each document by its outline and pages; the answers are put together
    Walk,
    /// A model judges sections and pages, and writes the answer from those that bear on the question
    Judge,
    /// A model searches and reads with tools
    Agent,
}

#[derive(Debug, Args)]
pub(crate) struct Page {
    /// A document's id, or a file's path (then no library is needed)
    #[arg(value_name = "DOC")]
    pub(crate) document: String,
    /// The page's position in the file, from 1
    #[arg(value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) page: u32,
    /// Words to highlight
    #[arg(long)]
    pub(crate) quote: Option<String>,
    /// Where to write the picture; `-` for standard output [default: <title>-p<N>.png]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Width of the picture in pixels
    #[arg(long, value_name = "PX", default_value_t = 1240, value_parser = clap::value_parser!(u32).range(16..=5_100))]
    pub(crate) width: u32,
    /// Read the file's password from the first line of standard input
    #[arg(long)]
    pub(crate) password_stdin: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Locate {
    /// A document's id, or a file's path (then no library is needed)
    #[arg(value_name = "DOC")]
    pub(crate) document: String,
    /// The words to find
    #[arg(long)]
    pub(crate) quote: String,
    /// The page they are expected on: a hint, other places are found too
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) page: Option<u32>,
    /// Read the file's password from the first line of standard input
    #[arg(long)]
    pub(crate) password_stdin: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Convert {
    /// The file to read
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// What to print [default: md, or json with --json]
    #[arg(long, value_enum)]
    pub(crate) to: Option<Format>,
    /// What svg and png draw over the pages [default: items]
    #[arg(long, value_enum)]
    pub(crate) layer: Option<Layer>,
    /// Where to write: a file, or for svg and png a folder, which is made if need be
    #[arg(short, long, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    /// Only these pages: 3, 3-7, 3-
    #[arg(long, value_name = "A-B", value_parser = page_range)]
    pub(crate) pages: Option<(u32, u32)>,
    /// Read the file's password from the first line of standard input
    #[arg(long)]
    pub(crate) password_stdin: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Pages, words and items as Recto keeps them
    Json,
    /// Markdown
    Md,
    /// Docling's document JSON
    Docling,
    /// Words with their boxes
    Words,
    /// Plain text
    Text,
    /// What was understood, drawn over every page, as SVG with tooltips
    Svg,
    /// The same as pictures
    Png,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Layer {
    /// Words; recognised ones by confidence
    Words,
    /// Lines, numbered
    Lines,
    /// Blocks of lines, numbered
    Blocks,
    /// Items by label
    Items,
    /// Tables with their cells
    Tables,
    /// The reading order
    Order,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CollectionsAction {
    /// List the collections
    List,
    /// Create an empty collection
    Create {
        /// Its name
        name: String,
    },
    /// Search a collection of another library too; it is only read
    Attach {
        /// Its folder: collections/… of the other library
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        /// The name it has here [default: its folder's]
        #[arg(long)]
        name: Option<String>,
    },
    /// Give a collection another name
    Rename {
        /// Its name
        from: String,
        /// Its new name
        to: String,
    },
    /// Remove a collection with everything in it; the files it was made from stay where they are. An attached one is only
    /// forgotten
    Remove {
        /// Its name
        name: String,
        /// Do not ask first
        #[arg(long, short)]
        yes: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelsAction {
    /// Set a model up; it is looked at first, and nothing is changed when it cannot be used
    Use {
        #[command(flatten)]
        model: ModelChoice,
        /// Set it up without looking at it; embedding models and rerankers are looked at all the same
        #[arg(long)]
        no_probe: bool,
    },
    /// Look at a model without setting it up
    Probe {
        #[command(flatten)]
        model: ModelChoice,
    },
    /// Do without a model: quotes instead of a chat model, the bundled embedding model, no reranker
    Remove {
        /// Which one
        #[arg(value_enum)]
        what: ModelKind,
    },
}

/// Which model to use, and for what.
#[derive(Debug, Args)]
pub(crate) struct ModelChoice {
    /// What it is for
    #[arg(value_enum)]
    pub(crate) what: ModelKind,
    /// Its name at the server
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Whose interface the server speaks: ollama, openai-compatible, openai, anthropic, gemini
    #[arg(long, value_name = "NAME")]
    pub(crate) provider: Option<String>,
    /// The server's address, where it is not the provider's own
    #[arg(long, value_name = "URL")]
    pub(crate) address: Option<String>,
    /// The environment variable that holds the key
    #[arg(long, value_name = "VARIABLE")]
    pub(crate) key_env: Option<String>,
    /// Tokens a chat model reads at a time, where its server does not say
    #[arg(long, value_name = "N")]
    pub(crate) context_tokens: Option<u32>,
    /// A reranker's ONNX file instead of a server
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// The tokenizer.json of that file [default: the one beside it]
    #[arg(long, value_name = "FILE", requires = "file")]
    pub(crate) tokenizer: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModelKind {
    /// Writes answers
    Chat,
    /// Makes a question that goes on from others understandable by itself, instead of the chat model
    Rewrite,
    /// Chooses sections from outlines, instead of the chat model
    Navigate,
    /// Judges sections and pages, instead of the chat model
    Judge,
    /// Makes the vectors of new collections
    Embedding,
    /// Ranks the passages found once more
    Reranker,
}

#[derive(Debug, Subcommand)]
pub(crate) enum QueueAction {
    /// List what waits, runs and failed
    List,
    /// Take jobs out of the queue; those that failed are forgotten
    Cancel {
        /// The jobs' numbers
        #[arg(value_name = "JOB", required = true)]
        jobs: Vec<String>,
    },
    /// Put failed jobs back into the queue
    Retry {
        /// The jobs' numbers
        #[arg(value_name = "JOB", required = true)]
        jobs: Vec<String>,
    },
    /// Stop taking jobs until `resume`
    Pause,
    /// Take jobs again
    Resume,
    /// Work through what waits, and come back when it is done
    Run,
}

fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().to_owned(), value.to_owned())),
        _ => Err("write it as KEY=VALUE".to_owned()),
    }
}

fn media_type(text: &str) -> Result<String, String> {
    let known = match text.to_ascii_lowercase().as_str() {
        "pdf" => "application/pdf",
        "md" | "markdown" => "text/markdown",
        "txt" | "text" => "text/plain",
        other if other.contains('/') => return Ok(other.to_owned()),
        _ => return Err("name one of pdf, markdown, text, or a media type such as application/pdf".to_owned()),
    };
    Ok(known.to_owned())
}

/// Reads `3`, `3-7` and `3-`; the last page of an open range is `u32::MAX`.
fn page_range(text: &str) -> Result<(u32, u32), String> {
    const FORM: &str = "write it as 3, 3-7 or 3-, with pages counted from 1";
    let number = |part: &str| part.trim().parse::<u32>().ok().filter(|page| *page > 0).ok_or(FORM);
    let range = match text.split_once('-') {
        None => (number(text)?, number(text)?),
        Some((first, last)) if last.trim().is_empty() => (number(first)?, u32::MAX),
        Some((first, last)) => (number(first)?, number(last)?),
    };
    if range.0 > range.1 {
        return Err("the first page comes after the last".to_owned());
    }
    Ok(range)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_declaration_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn global_options_stand_before_or_after_the_command() {
        for line in [
            ["recto", "--json", "--collection", "A", "list"],
            ["recto", "list", "--json", "--collection", "A"],
        ] {
            let cli = Cli::try_parse_from(line).expect("parses");
            assert!(cli.global.json);
            assert_eq!(cli.global.collections, ["A"]);
        }
    }

    #[test]
    fn page_ranges_are_read_and_nonsense_is_refused() {
        assert_eq!(page_range("3"), Ok((3, 3)));
        assert_eq!(page_range("3-7"), Ok((3, 7)));
        assert_eq!(page_range("3-"), Ok((3, u32::MAX)));
        for bad in ["", "0", "0-2", "-2", "7-3", "a-b", "1-2-3"] {
            assert!(page_range(bad).is_err(), "{bad:?} is no range");
        }
    }

    #[test]
    fn types_have_short_names() {
        assert_eq!(media_type("PDF").as_deref(), Ok("application/pdf"));
        assert_eq!(media_type("text/").as_deref(), Ok("text/"));
        assert!(media_type("spreadsheetish").is_err());
    }

    #[test]
    fn a_property_is_a_key_and_a_value() {
        assert_eq!(key_value("year=2023=a"), Ok(("year".to_owned(), "2023=a".to_owned())));
        assert!(key_value("year").is_err());
        assert!(key_value("=2023").is_err());
    }
}
