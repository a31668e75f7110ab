//! Telling the answer from the reasoning that some models write before it.

/// How reasoning is marked by models whose server does not take it apart. It counts only at the very start of a
/// reply: further on, the words are part of the answer.
const MARKS: [(&str, &str); 2] = [("<think>", "</think>"), ("<thinking>", "</thinking>")];

/// Lets through what is not reasoning.
#[derive(Debug, Default)]
pub(super) struct ThinkingFilter {
    state: State,
}

#[derive(Debug)]
enum State {
    /// Nothing but white space and the beginning of a mark so far.
    Start(String),
    /// Inside, waiting for the closing mark; with what may be its beginning.
    Inside(&'static str, String),
    /// Between reasoning and answer.
    Behind,
    /// In the answer.
    Through,
}

impl Default for State {
    fn default() -> Self {
        Self::Start(String::new())
    }
}

impl ThinkingFilter {
    /// The part of the answer in `text`, and of what was held back.
    pub(super) fn push(&mut self, text: &str) -> String {
        let mut text = text.to_owned();
        loop {
            match &mut self.state {
                State::Through => return text,
                State::Behind => {
                    let answer = text.trim_start();
                    if !answer.is_empty() {
                        let answer = answer.to_owned();
                        self.state = State::Through;
                        return answer;
                    }
                    return String::new();
                }
                State::Start(held) => {
                    held.push_str(&text);
                    let begun = held.trim_start();
                    if let Some((open, close)) = MARKS.into_iter().find(|(open, _)| begun.starts_with(open)) {
                        text = begun[open.len()..].to_owned();
                        self.state = State::Inside(close, String::new());
                    } else if MARKS.iter().any(|(open, _)| open.starts_with(begun)) {
                        return String::new();
                    } else {
                        let held = std::mem::take(held);
                        self.state = State::Through;
                        return held;
                    }
                }
                State::Inside(close, held) => {
                    held.push_str(&text);
                    let Some(end) = held.find(*close) else {
                        // Only what may be the beginning of the closing mark is kept.
                        let mut keep = held.len().saturating_sub(close.len() - 1);
                        while !held.is_char_boundary(keep) {
                            keep += 1;
                        }
                        held.drain(..keep);
                        return String::new();
                    };
                    text = held[end + close.len()..].to_owned();
                    self.state = State::Behind;
                }
            }
        }
    }

    /// What was held back and turned out to be the answer, when the reply is over.
    pub(super) fn finish(&mut self) -> String {
        match std::mem::replace(&mut self.state, State::Through) {
            State::Start(held) => held,
            State::Inside(..) | State::Behind | State::Through => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filtered(pieces: &[&str]) -> String {
        let mut filter = ThinkingFilter::default();
        let mut text: String = pieces.iter().map(|piece| filter.push(piece)).collect();
        text += &filter.finish();
        text
    }

    #[test]
    fn reasoning_at_the_start_is_left_out_however_it_is_split() {
        for (reply, answer) in [
            ("<think>Hm – 4 < 5 </thin k</think>\n\nYes [3].", "Yes [3]."),
            ("\n <thinking>\nHm\n</thinking> Yes.", "Yes."),
            ("<think></think>No.", "No."),
            ("<thin ice", "<thin ice"),
            ("<think", "<think"),
            ("  Yes, <think>said</think> he.", "  Yes, <think>said</think> he."),
            ("<think>never ends – é", ""),
            ("", ""),
            ("  ", "  "),
        ] {
            assert_eq!(filtered(&[reply]), answer);
            let characters: Vec<String> = reply.chars().map(String::from).collect();
            let pieces: Vec<&str> = characters.iter().map(String::as_str).collect();
            assert_eq!(filtered(&pieces), answer, "character by character: {reply}");
            for (at, _) in reply.char_indices() {
                assert_eq!(filtered(&[&reply[..at], &reply[at..]]), answer, "{reply} at {at}");
            }
        }
    }
}
