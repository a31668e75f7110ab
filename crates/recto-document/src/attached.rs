//! Names of files inside files.

use std::collections::HashSet;

/// Characters of a name at most; file systems allow 255 bytes.
const MAX_CHARACTERS: usize = 120;

/// Makes names fit to be shown and told apart: no paths, nothing invisible, none twice.
pub(crate) fn unique_names<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let mut taken: HashSet<String> = HashSet::new();
    names
        .enumerate()
        .map(|(index, name)| {
            let safe = safe_name(name, index);
            let (stem, extension) = match safe.rsplit_once('.') {
                Some((stem, extension)) if !stem.is_empty() => (stem.to_owned(), format!(".{extension}")),
                _ => (safe.clone(), String::new()),
            };
            let mut unique = safe;
            let mut number = 2;
            while !taken.insert(unique.to_lowercase()) {
                unique = format!("{stem}-{number}{extension}");
                number += 1;
            }
            unique
        })
        .collect()
}

/// The last part of a path, without control characters and those that turn the direction of text.
fn safe_name(name: &str, index: usize) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let turns = |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let shown: String = last
        .chars()
        .filter(|c| !c.is_control() && !turns(*c))
        .take(MAX_CHARACTERS)
        .collect();
    match shown.trim().trim_start_matches('.') {
        "" => format!("attachment-{}", index + 1),
        shown => shown.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_paths_and_none_comes_twice() {
        let names = [
            "../../etc/passwd",
            "a.pdf",
            "C:\\x\\A.pdf",
            "",
            "..",
            "a\u{202e}fdp.exe",
        ];
        assert_eq!(
            unique_names(names.into_iter()),
            ["passwd", "a.pdf", "A-2.pdf", "attachment-4", "attachment-5", "afdp.exe"]
        );
    }
}
