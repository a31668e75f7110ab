//! Bytes to text.

/// Decodes UTF-8, UTF-16 with a byte order mark, and otherwise Windows-1252, which gives every byte a meaning.
pub(crate) fn text(bytes: &[u8]) -> String {
    if let Some(rest) = bytes.strip_prefix(b"\xef\xbb\xbf") {
        return String::from_utf8_lossy(rest).into_owned();
    }
    for (mark, unit) in [
        (b"\xff\xfe", u16::from_le_bytes as fn([u8; 2]) -> u16),
        (b"\xfe\xff", u16::from_be_bytes),
    ] {
        if let Some(rest) = bytes.strip_prefix(mark) {
            let units: Vec<u16> = rest.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
            return String::from_utf16_lossy(&units);
        }
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| windows_1252(*byte)).collect(),
    }
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
    }
}
