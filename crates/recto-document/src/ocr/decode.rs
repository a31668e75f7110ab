//! From the steps of recognition to letters with places (connectionist temporal classification: a letter is a run of
//! steps of one class, and class 0 lies between two of the same letter).

use super::models::{Models, Steps};

/// A letter of a strip.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Letter {
    pub(crate) text: String,
    /// Middle of the letter, in steps from the beginning of the strip.
    pub(crate) at: f32,
    /// How sure the model is, 0 to 1.
    pub(crate) confidence: f32,
}

/// Letters without a space between them.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Letters(pub(crate) Vec<Letter>);

impl Letters {
    pub(crate) fn text(&self) -> String {
        self.0.iter().map(|letter| letter.text.as_str()).collect()
    }

    pub(crate) fn confidence(&self) -> f32 {
        let count = self.0.len().max(1) as f32;
        self.0.iter().map(|letter| letter.confidence).sum::<f32>() / count
    }
}

/// The words of a strip, in order.
pub(crate) fn words(models: &Models, steps: &Steps) -> Vec<Letters> {
    decode(&steps.best, |class| models.character(class))
}

fn decode<'a>(best: &[(usize, f32)], character: impl Fn(usize) -> &'a str) -> Vec<Letters> {
    let mut out = vec![Letters::default()];
    let mut index = 0;
    for run in best.chunk_by(|a, b| a.0 == b.0) {
        let first = index;
        index += run.len();
        let class = run[0].0;
        if class == 0 {
            continue;
        }
        let text = character(class);
        if text.trim().is_empty() {
            out.push(Letters::default());
            continue;
        }
        let confidence = run.iter().map(|step| step.1).fold(0.0, f32::max);
        if let Some(word) = out.last_mut() {
            word.0.push(Letter {
                text: text.to_owned(),
                at: first as f32 + run.len() as f32 / 2.0,
                confidence,
            });
        }
    }
    out.retain(|word| !word.0.is_empty());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_letters_and_spaces_part_words() {
        let classes = [1, 1, 0, 1, 2, 2, 3, 0, 2];
        let best: Vec<(usize, f32)> = classes.iter().map(|class| (*class, 0.9)).collect();
        let words = decode(&best, |class| ["", "l", "o", " "][class]);
        let texts: Vec<String> = words.iter().map(Letters::text).collect();
        assert_eq!(texts, ["llo", "o"], "nothing between two of the same letter keeps both");
        assert_eq!(words[0].0[2].at, 5.0);
        assert!((words[1].confidence() - 0.9).abs() < 1e-6);
    }
}
