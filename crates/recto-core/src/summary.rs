//! The two lines under an answer: what was verified about it, and what was searched for it.

use crate::{Answer, Citation, Coverage, Verdict};

impl Answer {
    /// What was verified: "2 quotes verbatim · 1 matched by meaning · 1 figure not found". `None` without citations.
    #[must_use]
    pub fn verdict_summary(&self) -> Option<String> {
        let with = |verdict: Verdict| {
            self.citations
                .iter()
                .filter(|citation| citation.verdict == verdict)
                .count()
        };
        let missing = self.citations.iter().map(missing).sum();
        let parts: Vec<String> = [
            (with(Verdict::Verbatim), "quote verbatim", "quotes verbatim"),
            (with(Verdict::Normalised), "quote normalised", "quotes normalised"),
            (with(Verdict::Fuzzy), "nearly the same words", "nearly the same words"),
            (with(Verdict::Aligned), "matched by meaning", "matched by meaning"),
            (with(Verdict::NotLocated), "not located", "not located"),
            (missing, "figure not found", "figures not found"),
        ]
        .into_iter()
        .filter(|(number, ..)| *number > 0)
        .map(|(number, one, many)| counted(number, one, many))
        .collect();
        (!parts.is_empty()).then(|| parts.join(" · "))
    }

    /// What was searched: "Searched 1 234 of 1 240 documents; 6 not searched; 9 passages read, 3 cited."
    #[must_use]
    pub fn coverage_sentence(&self) -> String {
        let cited = self.evidence.iter().filter(|evidence| evidence.cited).count();
        format!(
            "{}; {} read, {} cited.",
            self.coverage.searched(),
            counted(self.evidence.len(), "passage", "passages"),
            grouped(cited)
        )
    }
}

fn missing(citation: &Citation) -> usize {
    citation.numbers.missing.len()
}

impl Coverage {
    /// "Searched 1 234 of 1 240 documents; 6 not searched", without a full stop.
    #[must_use]
    pub fn searched(&self) -> String {
        let number = |count: u32| usize::try_from(count).unwrap_or(usize::MAX);
        let mut sentence = format!(
            "Searched {} of {}",
            grouped(number(self.documents_searched)),
            counted(number(self.documents_total), "document", "documents")
        );
        if !self.not_searched.is_empty() {
            sentence.push_str(&format!("; {} not searched", grouped(self.not_searched.len())));
        }
        sentence
    }
}

fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// Thousands set apart by spaces.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CollectionName, Locator, Mark, NotSearched, NumberCheck, QuoteBy};

    fn citation(verdict: Verdict, quote_by: QuoteBy, missing: &[&str]) -> Citation {
        Citation {
            index: 1,
            collection: CollectionName("reports".into()),
            document_id: crate::DocumentId(uuid::Uuid::nil()),
            title: String::new(),
            uri: String::new(),
            sha256: String::new(),
            headings: Vec::new(),
            pages: Vec::new(),
            page_labels: Vec::new(),
            locator: Locator::Page { pages: Vec::new() },
            chunk_ids: Vec::new(),
            doc_item_refs: Vec::new(),
            quote: String::new(),
            quote_by,
            verdict,
            numbers: NumberCheck {
                missing: missing.iter().map(|&figure| figure.to_owned()).collect(),
                ..NumberCheck::default()
            },
            boxes: Vec::new(),
            spans: Vec::new(),
        }
    }

    #[test]
    fn a_chip_is_proven_by_a_verbatim_quote_or_by_all_figures_in_the_boxes() {
        let mark = |verdict, by, missing: &[&str]| citation(verdict, by, missing).mark();
        assert_eq!(mark(Verdict::Verbatim, QuoteBy::Answer, &[]), Mark::Proven);
        assert_eq!(mark(Verdict::Normalised, QuoteBy::Answer, &[]), Mark::Near);
        assert_eq!(mark(Verdict::Fuzzy, QuoteBy::Answer, &[]), Mark::Near);
        assert_eq!(
            mark(Verdict::Aligned, QuoteBy::Recto, &[]),
            Mark::Near,
            "alignment alone proves nothing"
        );
        assert_eq!(mark(Verdict::NotLocated, QuoteBy::Answer, &[]), Mark::Open);
        assert_eq!(mark(Verdict::Verbatim, QuoteBy::Answer, &["12 %"]), Mark::Open);
        let mut aligned = citation(Verdict::Aligned, QuoteBy::Recto, &[]);
        aligned.numbers.within_quote = true;
        assert_eq!(aligned.mark(), Mark::Proven);
        aligned.verdict = Verdict::NotLocated;
        assert_eq!(aligned.mark(), Mark::Open);
    }

    #[test]
    fn a_check_stored_before_marks_were_kept_is_read() {
        let stored = r#"{"found":["5"],"missing":[],"computed":[]}"#;
        let check: NumberCheck = serde_json::from_str(stored).expect("an older check");
        assert!(!check.within_quote && check.found == ["5"]);
    }

    #[test]
    fn the_coverage_names_what_was_not_searched() {
        let mut coverage = Coverage {
            documents_searched: 1_234,
            documents_total: 1_240,
            ..Coverage::default()
        };
        assert_eq!(coverage.searched(), "Searched 1 234 of 1 240 documents");
        coverage.not_searched = vec![
            NotSearched {
                document_id: None,
                title: String::new(),
                reason: String::new(),
            };
            6
        ];
        assert_eq!(coverage.searched(), "Searched 1 234 of 1 240 documents; 6 not searched");
    }
}
