//! Kinds of text, told apart by how they begin and then by their extension.

use super::Kind;
use crate::format::Format;

/// Names that begin lines at the head of a message.
const MAIL_HEADERS: &[&str] = &[
    "from",
    "to",
    "cc",
    "subject",
    "date",
    "received",
    "return-path",
    "message-id",
    "mime-version",
    "content-type",
    "delivered-to",
    "sender",
    "reply-to",
    "x-unsent",
    "snapshot-content-location",
];

/// `start` is the beginning of the text without leading white space.
pub(super) fn detect(bytes: &[u8], start: &str, extension: &str) -> Kind {
    let lower: String = start.chars().take(2048).flat_map(char::to_lowercase).collect();
    let code = code_type(extension);
    if code.is_none()
        && let Some(kind) = by_beginning(bytes, start, &lower, extension)
    {
        return kind;
    }
    match extension {
        "md" | "markdown" | "mdown" | "mkd" | "mdx" | "qmd" | "rmd" => Kind::Declared(Format::Markdown),
        "htm" | "html" | "xhtml" => Kind::Declared(Format::Html),
        "csv" | "tsv" | "tab" | "psv" => Kind::Declared(Format::Csv),
        "adoc" | "asciidoc" | "asc" => Kind::Declared(Format::Asciidoc),
        "tex" | "latex" | "ltx" => Kind::Declared(Format::Latex),
        "eml" | "email" => Kind::Mail,
        "mht" | "mhtml" => Kind::Declared(Format::Mhtml),
        "xml" | "nxml" | "rss" | "atom" | "rdf" | "svg" => xml(&lower),
        "json" | "jsonl" | "ndjson" | "ipynb" | "geojson" => Kind::Code("application/json"),
        _ => code.map_or(Kind::Text, Kind::Code),
    }
}

fn by_beginning(bytes: &[u8], start: &str, lower: &str, extension: &str) -> Option<Kind> {
    if lower.starts_with('<') {
        let root = root(lower);
        if lower.starts_with("<!doctype html") || root == "html" || lower.contains("<html") {
            return Some(Kind::Declared(Format::Html));
        }
        if lower.starts_with("<?xml") {
            return Some(xml(lower));
        }
    }
    if start.starts_with(['{', '['])
        && !is_markdown(extension)
        && let Some(kind) = json(bytes)
    {
        return Some(kind);
    }
    if lower.starts_with("webvtt") {
        return Some(Kind::Declared(Format::Vtt));
    }
    if start.starts_with('\\') && (lower.contains("\\documentclass") || lower.contains("\\begin{document}")) {
        return Some(Kind::Declared(Format::Latex));
    }
    let headers = mail_headers(lower);
    if headers >= 2 && !is_markdown(extension) {
        let web = matches!(extension, "mht" | "mhtml") || lower.contains("snapshot-content-location:");
        return Some(if web { Kind::Declared(Format::Mhtml) } else { Kind::Mail });
    }
    None
}

fn is_markdown(extension: &str) -> bool {
    matches!(extension, "md" | "markdown" | "mdown" | "mkd")
}

/// The name of the first element.
fn root(lower: &str) -> &str {
    let mut rest = lower;
    loop {
        rest = rest.trim_start();
        let Some(inner) = rest.strip_prefix('<') else {
            return "";
        };
        let end = if inner.starts_with("!--") {
            inner.find("-->").map(|at| at + 3)
        } else if inner.starts_with(['!', '?']) {
            inner.find('>').map(|at| at + 1)
        } else {
            let name = inner.split(|c: char| c.is_whitespace() || c == '>' || c == '/').next();
            return name.unwrap_or_default();
        };
        let Some(end) = end else {
            return "";
        };
        rest = &inner[end..];
    }
}

/// XML that a backend knows is read by it; all other as text with its names.
fn xml(lower: &str) -> Kind {
    let root = root(lower);
    let root = root.rsplit(':').next().unwrap_or(root);
    let known = matches!(
        root,
        "article"
            | "us-patent-grant"
            | "us-patent-application"
            | "patent-application-publication"
            | "rss"
            | "feed"
            | "rdf"
            | "xbrl"
            | "html"
            | "risdok"
    ) || lower.contains("<!doctype patdoc")
        || lower.contains("<!doctype article")
        || lower.contains("<!doctype pap");
    match root {
        "html" => Kind::Declared(Format::Html),
        _ if known => Kind::Declared(Format::KnownXml),
        _ => Kind::Xml,
    }
}

fn json(bytes: &[u8]) -> Option<Kind> {
    let has = |word: &[u8]| memchr::memmem::find(bytes, word).is_some();
    let head = &bytes[..bytes.len().min(64 << 10)];
    if memchr::memmem::find(head, b"\"DoclingDocument\"").is_some()
        && memchr::memmem::find(head, b"\"schema_name\"").is_some()
    {
        return Some(Kind::DoclingJson);
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    serde_json::from_slice::<serde::de::IgnoredAny>(bytes).ok()?;
    Some(if has(b"\"DoclingDocument\"") && has(b"\"schema_name\"") {
        Kind::DoclingJson
    } else if has(b"\"nbformat\"") && has(b"\"cells\"") {
        Kind::Declared(Format::Notebook)
    } else {
        Kind::Code("application/json")
    })
}

/// How many lines at the beginning are headers of a message; none if the first is not one.
fn mail_headers(lower: &str) -> usize {
    let mut known = 0;
    for (index, line) in lower.lines().enumerate() {
        if line.trim().is_empty() {
            break;
        }
        if line.starts_with([' ', '\t']) && index > 0 {
            continue;
        }
        let name = line.split_once(':').map(|(name, _)| name).filter(|name| {
            !name.is_empty()
                && name
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
        });
        match name {
            Some(name) if MAIL_HEADERS.contains(&name) || name.starts_with("x-") => known += 1,
            Some(_) => {}
            None => return 0,
        }
    }
    known
}

/// Media type of a language by its extension.
fn code_type(extension: &str) -> Option<&'static str> {
    Some(match extension {
        "rs" => "text/x-rust",
        "py" | "pyi" => "text/x-python",
        "js" | "mjs" | "cjs" | "jsx" => "text/javascript",
        "ts" | "tsx" => "text/x-typescript",
        "java" => "text/x-java",
        "kt" | "kts" | "scala" | "groovy" | "gradle" => "text/x-kotlin",
        "c" | "h" => "text/x-c",
        "cc" | "cpp" | "cxx" | "hh" | "hpp" => "text/x-c++",
        "cs" | "fs" | "vb" => "text/x-csharp",
        "go" => "text/x-go",
        "rb" | "pl" | "php" | "lua" | "r" | "jl" | "swift" | "m" | "dart" | "hs" | "ml" | "ex" | "exs" | "erl"
        | "clj" | "lisp" | "vue" | "svelte" => "text/x-source",
        "sh" | "bash" | "zsh" | "fish" | "ps1" | "bat" | "cmd" => "text/x-shellscript",
        "sql" => "application/sql",
        "css" | "scss" | "less" => "text/css",
        "toml" | "ini" | "cfg" | "conf" | "properties" | "env" => "text/x-configuration",
        "yaml" | "yml" => "application/yaml",
        "proto" | "graphql" | "tf" | "cmake" | "mk" | "diff" | "patch" => "text/x-source",
        _ => return None,
    })
}
