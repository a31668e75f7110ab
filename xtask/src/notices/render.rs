//! The notices as one Markdown document: tables first, then each distinct licence text once.

use std::collections::HashMap;
use std::fmt::Write;

use super::Part;

pub(super) fn markdown(sections: &[(&str, Vec<Part>)]) -> String {
    let mut texts: Vec<(&str, Vec<String>)> = Vec::new();
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut out = String::from(
        "# Third-party notices\n\nRecto is distributed with the following software and models, each under its own licence. \
         Numbers in brackets refer to the texts at the end.\n",
    );
    for (title, parts) in sections {
        let _ = write!(
            out,
            "\n## {title}\n\n| name | version | licence | origin | texts |\n|---|---|---|---|---|\n"
        );
        for part in parts {
            let mut numbers = Vec::new();
            for (_, text) in &part.texts {
                let text = text.trim();
                let index = *seen.entry(text).or_insert_with(|| {
                    texts.push((text, Vec::new()));
                    texts.len() - 1
                });
                texts[index].1.push(format!("{} {}", part.name, part.version));
                numbers.push(format!("[{}]", index + 1));
            }
            let Part {
                name,
                version,
                licence,
                origin,
                ..
            } = part;
            let _ = writeln!(
                out,
                "| {name} | {version} | {licence} | {origin} | {} |",
                numbers.join(" ")
            );
        }
    }
    out.push_str("\n## Licence texts\n");
    for (index, (text, users)) in texts.iter().enumerate() {
        let _ = write!(out, "\n### [{}] {}\n\n", index + 1, users.join(", "));
        // Indented, so that nothing inside is taken for Markdown.
        for line in text.lines() {
            let _ = writeln!(out, "    {}", line.trim_end());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(name: &str, text: &str) -> Part {
        Part {
            name: name.to_owned(),
            version: "1.0".to_owned(),
            licence: "MIT".to_owned(),
            origin: String::new(),
            texts: vec![("LICENSE".to_owned(), text.to_owned())],
        }
    }

    #[test]
    fn equal_texts_are_printed_once_and_name_all_their_users() {
        let document = markdown(&[(
            "Rust crates",
            vec![part("a", "Permission\n"), part("b", "Permission"), part("c", "Other")],
        )]);
        assert_eq!(document.matches("    Permission").count(), 1);
        assert!(document.contains("### [1] a 1.0, b 1.0\n"), "{document}");
        assert!(document.contains("| c | 1.0 | MIT |  | [2] |"), "{document}");
    }
}
