//! The text of items whose words lie in several nodes or in another form.

use serde_json::Value;

/// A piece of a paragraph in one format.
pub(super) struct Inline<'d> {
    pub(super) self_ref: &'d str,
    pub(super) text: &'d str,
    /// Set above or below the line.
    pub(super) raised: bool,
}

/// The pieces as one line. White space between them is lost in a Docling document, so it is put back where words
/// would otherwise run into each other.
pub(super) fn joined(parts: &[Inline<'_>]) -> String {
    let mut out = String::new();
    for part in parts {
        let closes = part
            .text
            .starts_with(['.', ',', ';', ':', ')', ']', '!', '?', '’', '”', '%']);
        let opened = out.ends_with(['(', '[', '“', '‘', '/']) || out.is_empty();
        if !(closes || opened || part.raised) {
            out.push(' ');
        }
        out.push_str(part.text);
    }
    out
}

/// A numbered entry begins with its number, as it is read.
pub(super) fn with_marker(node: &Value, text: String) -> String {
    let marker = node["marker"].as_str().unwrap_or_default().trim();
    let numbered = node["enumerated"] == true && marker.contains(char::is_alphanumeric);
    if numbered && !text.starts_with(marker) {
        format!("{marker} {text}")
    } else {
        text
    }
}

/// `[author: Ann, time: 2026-01-04T05:48:07]: Why?` as `Comment by Ann, 2026-01-04: Why?`.
pub(super) fn comment_text(text: &str) -> String {
    let Some((head, message)) = text.strip_prefix('[').and_then(|rest| rest.split_once("]: ")) else {
        return text.to_owned();
    };
    let (author, time) = match head.split_once("time: ") {
        Some((author, time)) => (author.trim_end_matches(", "), Some(time)),
        None => (head, None),
    };
    let mut out = String::from("Comment");
    if let Some(author) = author.strip_prefix("author: ") {
        out.push_str(" by ");
        out.push_str(author);
    }
    if let Some(day) = time.and_then(|time| time.split('T').next()) {
        out.push_str(", ");
        out.push_str(day);
    }
    format!("{out}: {message}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_name_their_author_and_day() {
        assert_eq!(
            comment_text("[author: Ann (A), time: 2026-01-04T05:48:07]: Why?"),
            "Comment by Ann (A), 2026-01-04: Why?"
        );
        assert_eq!(
            comment_text("[time: 2026-01-04T05:48:07]: Why?"),
            "Comment, 2026-01-04: Why?"
        );
        assert_eq!(comment_text("[author: Ann]: Why?"), "Comment by Ann: Why?");
        assert_eq!(comment_text("Why?"), "Why?");
    }
}
