//! Which licences may be shipped. Everything permissive is allowed, and MPL-2.0, whose terms end at the file.

/// Identifiers that may be shipped, with `WITH` exceptions spelt out.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-1-Clause",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    // For fonts only: it asks that a changed font keep it under another name, and nothing of what the font is used in.
    "OFL-1.1",
    "Unicode-3.0",
    "Unicode-DFS-2016",
    "Unlicense",
    "Zlib",
    "bzip2-1.0.6",
];

/// `None` when something under this SPDX expression may be shipped, else why not.
pub(super) fn problem(expression: &str) -> Option<String> {
    if expression.trim().is_empty() {
        return Some("no licence is declared".to_owned());
    }
    let tokens = tokens(expression);
    let mut parser = Parser {
        tokens: &tokens,
        next: 0,
    };
    match parser.either() {
        Some(allowed) if parser.next == tokens.len() => {
            (!allowed).then(|| format!("`{expression}` is neither permissive nor MPL-2.0"))
        }
        _ => Some(format!("`{expression}` is not an SPDX expression")),
    }
}

/// Words and parentheses. Old manifests write `MIT/Apache-2.0` for `MIT OR Apache-2.0`.
fn tokens(expression: &str) -> Vec<String> {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    spaced.split_whitespace().map(str::to_owned).collect()
}

/// Evaluates while it parses: each method returns whether its part may be shipped, or `None` on a syntax error.
struct Parser<'a> {
    tokens: &'a [String],
    next: usize,
}

impl Parser<'_> {
    /// `a OR b`: one allowed side is enough, for the user may choose it. `AND` binds tighter.
    fn either(&mut self) -> Option<bool> {
        let mut allowed = self.all()?;
        while self.take("OR") {
            allowed |= self.all()?;
        }
        Some(allowed)
    }

    fn all(&mut self) -> Option<bool> {
        let mut allowed = self.one()?;
        while self.take("AND") {
            allowed &= self.one()?;
        }
        Some(allowed)
    }

    fn one(&mut self) -> Option<bool> {
        if self.take("(") {
            let allowed = self.either()?;
            return self.take(")").then_some(allowed);
        }
        let name = self.word()?;
        if !self.take("WITH") {
            return Some(ALLOWED.contains(&name.as_str()));
        }
        let exception = self.word()?;
        Some(ALLOWED.contains(&format!("{name} WITH {exception}").as_str()))
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.tokens.get(self.next).is_some_and(|next| next == token);
        self.next += usize::from(found);
        found
    }

    fn word(&mut self) -> Option<String> {
        let word = self.tokens.get(self.next)?;
        if ["OR", "AND", "WITH", "(", ")"].contains(&word.as_str()) {
            return None;
        }
        self.next += 1;
        Some(word.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::problem;

    #[test]
    fn permissive_expressions_pass() {
        for expression in [
            "MIT",
            "MIT OR Apache-2.0",
            "MIT/Apache-2.0",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
            "MPL-2.0",
            "Apache-2.0 AND ISC",
        ] {
            assert_eq!(problem(expression), None, "{expression}");
        }
    }

    #[test]
    fn a_choice_that_includes_copyleft_passes_by_its_other_side() {
        assert_eq!(problem("MIT OR GPL-3.0-only"), None);
    }

    #[test]
    fn copyleft_that_cannot_be_avoided_is_refused() {
        for expression in [
            "GPL-3.0-only",
            "MIT AND LGPL-2.1-or-later",
            "(MIT OR ISC) AND AGPL-3.0-only",
            "SSPL-1.0",
        ] {
            assert!(
                problem(expression).is_some_and(|text| text.contains("neither permissive")),
                "{expression}"
            );
        }
    }

    #[test]
    fn and_binds_tighter_than_or() {
        assert_eq!(problem("MIT OR ISC AND GPL-3.0-only"), None);
        assert!(problem("GPL-3.0-only OR ISC AND GPL-2.0-only").is_some());
    }

    #[test]
    fn an_exception_counts_only_where_it_is_listed() {
        assert!(problem("GPL-2.0-only WITH Classpath-exception-2.0").is_some());
    }

    #[test]
    fn a_missing_or_broken_expression_is_refused() {
        assert!(problem(" ").is_some_and(|text| text.contains("no licence")));
        for expression in ["MIT OR", "(MIT", "MIT Apache-2.0", "AND MIT", "MIT WITH"] {
            assert!(
                problem(expression).is_some_and(|text| text.contains("not an SPDX")),
                "{expression}"
            );
        }
    }
}
