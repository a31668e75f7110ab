//! The numbers of a text: what must never differ between a quote and its place.

/// Maximal runs of digits with the points and commas inside them, in order.
pub(crate) fn numbers(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut current = String::new();
    for character in text.chars().chain([' ']) {
        let continues = character.is_ascii_digit() || (matches!(character, '.' | ',') && !current.is_empty());
        if continues {
            current.push(character);
        } else if !current.is_empty() {
            let number = current.trim_end_matches(['.', ',']);
            out.push(number.to_owned());
            current.clear();
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_separators_and_lose_the_sentence() {
        assert_eq!(numbers("$82,959 in 2022, or 3.5%."), ["82,959", "2022", "3.5"]);
        assert!(numbers("none").is_empty());
    }
}
