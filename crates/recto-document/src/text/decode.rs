//! Bytes to text.

/// Decodes UTF-8, UTF-16 and UTF-32 by their byte order marks, UTF-16 without one where every other byte is null,
/// legacy encodings of other scripts where the bytes speak for one, and otherwise Windows-1252, which gives every byte
/// a meaning. UTF-8 with a few broken bytes stays UTF-8.
pub(crate) fn text(bytes: &[u8]) -> String {
    if let Some(rest) = bytes.strip_prefix(b"\xef\xbb\xbf") {
        return String::from_utf8_lossy(rest).into_owned();
    }
    if let Some(order) = utf16(bytes) {
        let start = if order.marked { 2 } else { 0 };
        let units: Vec<u16> = bytes[start..]
            .chunks_exact(2)
            .map(|pair| (order.unit)([pair[0], pair[1]]))
            .collect();
        return String::from_utf16_lossy(&units);
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.to_owned();
    }
    if is_broken_utf8(bytes) {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let source = docling::SourceDocument::from_bytes("text", docling::InputFormat::Text, bytes.to_vec());
    match source.text() {
        Ok(text) => text.into_owned(),
        Err(_) => bytes.iter().map(|byte| windows_1252(*byte)).collect(),
    }
}

/// Text as it is shown: without escape sequences of terminals and other control characters.
pub(crate) fn shown(text: String) -> String {
    let is_control = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{c}');
    if !text.contains(is_control) {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character == '\u{1b}' && characters.next_if_eq(&'[').is_some() {
            // Parameters, and the letter that ends the sequence.
            while characters.next_if(|c| matches!(c, ' '..='?')).is_some() {}
            characters.next_if(|c| matches!(c, '@'..='~'));
        } else if !is_control(character) {
            out.push(character);
        }
    }
    out
}

/// How UTF-16 is written.
pub(crate) struct Utf16 {
    marked: bool,
    unit: fn([u8; 2]) -> u16,
}

/// Bytes looked at for the order of UTF-16 without a mark.
const UTF16_SAMPLE: usize = 4096;

/// The order of the bytes, where they are UTF-16.
pub(crate) fn utf16(bytes: &[u8]) -> Option<Utf16> {
    let (little, big) = (
        u16::from_le_bytes as fn([u8; 2]) -> u16,
        u16::from_be_bytes as fn([u8; 2]) -> u16,
    );
    if bytes.starts_with(b"\xff\xfe") {
        return Some(Utf16 {
            marked: true,
            unit: little,
        });
    }
    if bytes.starts_with(b"\xfe\xff") {
        return Some(Utf16 {
            marked: true,
            unit: big,
        });
    }
    // Western text has a null in nearly every pair, always on the same side, and no other control characters.
    let sample = &bytes[..bytes.len().min(UTF16_SAMPLE)];
    let pairs = sample.len() / 2;
    if pairs < 4 {
        return None;
    }
    let side = |at: usize| sample.chunks_exact(2).filter(|pair| pair[at] == 0).count();
    let printable = |at: usize| {
        let plain = |b: u8| b >= 0x20 || matches!(b, b'\n' | b'\r' | b'\t');
        sample.chunks_exact(2).all(|pair| pair[1 - at] != 0 || plain(pair[at]))
    };
    let (even, odd) = (side(0), side(1));
    if odd * 10 >= pairs * 7 && even == 0 && printable(0) {
        Some(Utf16 {
            marked: false,
            unit: little,
        })
    } else if even * 10 >= pairs * 7 && odd == 0 && printable(1) {
        Some(Utf16 {
            marked: false,
            unit: big,
        })
    } else {
        None
    }
}

/// Whether most characters over ASCII are whole UTF-8 sequences.
fn is_broken_utf8(bytes: &[u8]) -> bool {
    let (mut whole, mut broken) = (0usize, 0usize);
    for chunk in bytes.utf8_chunks() {
        whole += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    whole > broken
}

fn windows_1252(byte: u8) -> char {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘',
        '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
        other => char::from(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_gives_the_same_text() {
        assert_eq!(text("né €".as_bytes()), "né €");
        assert_eq!(text(b"n\xe9 \x80"), "né €");
        assert_eq!(text(b"\xff\xfen\0\xe9\0"), "né");
        assert_eq!(text(b"\xfe\xff\0n\0\xe9"), "né");
        assert_eq!(text("\u{feff}né".as_bytes()), "né");
        let wide: Vec<u8> = "plain né".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(text(&wide), "plain né");
    }

    #[test]
    fn one_broken_byte_does_not_turn_utf8_into_another_encoding() {
        let mut bytes = "café, naïve, über".as_bytes().to_vec();
        bytes.push(0xff);
        assert_eq!(text(&bytes), "café, naïve, über\u{fffd}");
    }

    #[test]
    fn a_legacy_encoding_of_another_script_is_recognised() {
        // "Привет, это обычный текст на русском языке." in Windows-1251.
        let russian: Vec<u8> = "Привет, это обычный текст на русском языке."
            .chars()
            .map(|c| match u32::from(c) {
                0x410..=0x44f => u8::try_from(u32::from(c) - 0x410 + 0xc0).expect("fits"),
                other => u8::try_from(other).expect("fits"),
            })
            .collect();
        assert_eq!(text(&russian), "Привет, это обычный текст на русском языке.");
    }

    #[test]
    fn terminal_escapes_and_control_characters_are_not_shown() {
        assert_eq!(shown("a\u{1b}[1;31mred\u{1b}[0m\0b\tc\n".into()), "aredb\tc\n");
        assert_eq!(shown("plain".into()), "plain");
    }
}
