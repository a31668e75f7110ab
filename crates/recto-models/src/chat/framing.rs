//! Telling the pieces of a reply apart while its bytes come in.
//!
//! Each byte is looked at once, however the bytes are cut up and however long a piece is.

use futures::stream::{self, BoxStream};
use futures::{Stream, StreamExt};
use serde_json::Value;
use std::collections::VecDeque;

/// Longer replies are broken off: no model says that much, so it is no model.
pub(super) const MOST_BYTES: usize = 64 << 20;

/// How the pieces of a reply are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Framing {
    /// Server-sent events.
    Events,
    /// A JSON object on each line.
    Lines,
}

/// The data of each piece; `None` is a broken connection, or too much.
pub(super) type Pieces = BoxStream<'static, Option<String>>;

/// The pieces of a body; an error among `bytes` is a broken connection.
pub(super) fn pieces<B: AsRef<[u8]> + Send + 'static>(
    framing: Framing,
    bytes: impl Stream<Item = Result<B, ()>> + Send + Unpin + 'static,
) -> Pieces {
    let state = (bytes, Some(Cutter::new(framing)), VecDeque::new());
    stream::unfold(state, |(mut bytes, mut cutter, mut ready)| async move {
        loop {
            if let Some(piece) = ready.pop_front() {
                return Some((piece, (bytes, cutter, ready)));
            }
            let cutting = cutter.as_mut()?;
            match bytes.next().await {
                Some(Ok(more)) if cutting.read + more.as_ref().len() <= MOST_BYTES => {
                    cutting.push(more.as_ref(), &mut ready);
                }
                Some(_) => {
                    cutter = None;
                    ready.push_back(None);
                }
                None => {
                    ready.extend(cutting.finish());
                    cutter = None;
                }
            }
        }
    })
    .boxed()
}

struct Cutter {
    framing: Framing,
    read: usize,
    line: Vec<u8>,
    /// The line before ended in a carriage return, so that a line feed now belongs to it.
    is_after_return: bool,
    /// The data of the event so far.
    data: Option<Vec<u8>>,
}

impl Cutter {
    fn new(framing: Framing) -> Self {
        Self {
            framing,
            read: 0,
            line: Vec::new(),
            is_after_return: false,
            data: None,
        }
    }

    fn push(&mut self, bytes: &[u8], ready: &mut VecDeque<Option<String>>) {
        self.read += bytes.len();
        for part in bytes.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')) {
            let end = part.last().filter(|byte| matches!(byte, b'\n' | b'\r'));
            let content = &part[..part.len() - usize::from(end.is_some())];
            if content.is_empty() && end == Some(&b'\n') && self.is_after_return {
                self.is_after_return = false;
                continue;
            }
            self.line.extend_from_slice(content);
            self.is_after_return = end == Some(&b'\r');
            if end.is_some() {
                let line = std::mem::take(&mut self.line);
                ready.extend(self.take(line).map(Some));
            }
        }
    }

    /// What a line completes.
    fn take(&mut self, line: Vec<u8>) -> Option<String> {
        if self.framing == Framing::Lines {
            return (!line.is_empty()).then(|| text(&line));
        }
        if line.is_empty() {
            return self.data.take().map(|data| text(&data));
        }
        // Names and ids of events say nothing that the data does not.
        let value = line.strip_prefix(b"data")?;
        let value = match value {
            [] => value,
            [b':', b' ', value @ ..] | [b':', value @ ..] => value,
            _ => return None,
        };
        match &mut self.data {
            Some(data) => {
                data.push(b'\n');
                data.extend_from_slice(value);
            }
            None => self.data = Some(value.to_vec()),
        }
        None
    }

    /// What is left when nothing more comes: a piece without its end is taken if it is whole, else it was cut.
    fn finish(&mut self) -> Option<Option<String>> {
        let line = std::mem::take(&mut self.line);
        let last = self.take(line).or_else(|| self.data.take().map(|data| text(&data)))?;
        let is_whole = last.trim() == "[DONE]" || serde_json::from_str::<Value>(&last).is_ok();
        Some(is_whole.then_some(last))
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(framing: Framing, chunks: &[&[u8]]) -> Vec<Option<String>> {
        let chunks: Vec<Result<Vec<u8>, ()>> = chunks.iter().map(|chunk| Ok(chunk.to_vec())).collect();
        futures::executor::block_on(pieces(framing, stream::iter(chunks)).collect())
    }

    fn all(framing: Framing, body: &str) -> Vec<Option<String>> {
        let whole = of(framing, &[body.as_bytes()]);
        for at in 0..=body.len() {
            let (head, tail) = body.as_bytes().split_at(at);
            assert_eq!(of(framing, &[head, tail]), whole, "cut at {at}");
        }
        let bytes: Vec<&[u8]> = body.as_bytes().chunks(1).collect();
        assert_eq!(of(framing, &bytes), whole, "byte by byte");
        whole
    }

    fn texts(expected: &[&str]) -> Vec<Option<String>> {
        expected.iter().map(|&text| Some(text.to_owned())).collect()
    }

    #[test]
    fn events_are_the_same_however_lines_end_and_chunks_are_cut() {
        for end in ["\n", "\r\n", "\r"] {
            let body =
                ": hello\n\nevent: x\nid: 1\ndata: é1\n\ndata:2\ndata:  3\n\ndata\n\ndatum: 4\n\n".replace('\n', end);
            assert_eq!(all(Framing::Events, &body), texts(&["é1", "2\n 3", ""]), "{end:?}");
        }
    }

    #[test]
    fn lines_are_the_same_however_chunks_are_cut() {
        let body = "{\"é\":1}\r\n\n{\"b\":2}\n{\"c\":3}";
        assert_eq!(
            all(Framing::Lines, body),
            texts(&["{\"é\":1}", "{\"b\":2}", "{\"c\":3}"])
        );
    }

    #[test]
    fn half_a_piece_at_the_end_is_a_broken_connection() {
        assert_eq!(
            all(Framing::Lines, "{\"a\":1}\n{\"b\":"),
            [Some("{\"a\":1}".to_owned()), None]
        );
        assert_eq!(all(Framing::Events, "data: {\"a\""), [None]);
        assert_eq!(all(Framing::Events, "data: {\"a\":1}"), texts(&["{\"a\":1}"]));
        assert_eq!(all(Framing::Events, "data: [DONE]\n"), texts(&["[DONE]"]));
        assert_eq!(all(Framing::Events, ""), []);
    }

    #[test]
    fn a_broken_connection_ends_the_pieces() {
        let chunks = vec![Ok(b"data: 1\n\ndata: 2".to_vec()), Err(()), Ok(b"\n\n".to_vec())];
        let pieces: Vec<_> = futures::executor::block_on(pieces(Framing::Events, stream::iter(chunks)).collect());
        assert_eq!(pieces, [Some("1".to_owned()), None]);
    }

    #[test]
    fn no_more_is_read_than_a_model_can_say() {
        let chunks = (0..70).map(|_| Ok(vec![b'x'; 1 << 20]));
        let pieces: Vec<_> = futures::executor::block_on(pieces(Framing::Events, stream::iter(chunks)).collect());
        assert_eq!(pieces, [None]);
    }
}
