//! Ranges of cells in sheets.

use serde_json::Value;

/// A block of cells, 0-based, ends not included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cells {
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
}

impl Cells {
    /// A box that counts cells.
    pub(super) fn of(bbox: &Value) -> Option<Self> {
        let side = |name: &str| bbox[name].as_f64().map(|n| n.clamp(0.0, 2e7).round() as u32);
        let (left, top, right, bottom) = (side("l")?, side("t")?, side("r")?, side("b")?);
        (right > left && bottom > top).then_some(Self {
            left,
            top,
            right,
            bottom,
        })
    }

    pub(super) fn around(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// `B3:D9` or `B3`.
    pub(super) fn parse(range: &str) -> Option<Self> {
        let (first, last) = range.split_once(':').unwrap_or((range, range));
        let ((left, top), (right, bottom)) = (corner(first)?, corner(last)?);
        Some(Self {
            left,
            top,
            right: right + 1,
            bottom: bottom + 1,
        })
    }
}

fn corner(cell: &str) -> Option<(u32, u32)> {
    let digits = cell.find(|c: char| c.is_ascii_digit())?;
    let (letters, row) = cell.split_at(digits);
    if letters.is_empty() || letters.len() > 3 || !letters.bytes().all(|b| b.is_ascii_uppercase()) {
        return None;
    }
    let column = letters.bytes().fold(0u32, |all, b| all * 26 + u32::from(b - b'A') + 1);
    Some((column - 1, row.parse::<u32>().ok()?.checked_sub(1)?))
}

impl std::fmt::Display for Cells {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", letters(self.left), self.top + 1)?;
        if (self.right, self.bottom) != (self.left + 1, self.top + 1) {
            write!(f, ":{}{}", letters(self.right - 1), self.bottom)?;
        }
        Ok(())
    }
}

/// 0 is A, 26 is AA.
fn letters(column: u32) -> String {
    let mut left = column + 1;
    let mut out = Vec::new();
    while left > 0 {
        left -= 1;
        out.push(char::from(b'A' + (left % 26) as u8));
        left /= 26;
    }
    out.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn boxes_that_count_cells_are_ranges() {
        let range = |l, t, r, b| {
            Cells::of(&json!({"l": f64::from(l), "t": f64::from(t), "r": f64::from(r), "b": f64::from(b)}))
                .map(|cells| cells.to_string())
        };
        assert_eq!(range(1, 2, 4, 9).as_deref(), Some("B3:D9"));
        assert_eq!(range(26, 0, 27, 1).as_deref(), Some("AA1"));
        assert_eq!(range(0, 0, 0, 0), None);
        assert_eq!(
            Cells::parse("AA10:AB12").map(|cells| cells.to_string()).as_deref(),
            Some("AA10:AB12")
        );
        assert_eq!(letters(701), "ZZ");
        assert_eq!(letters(702), "AAA");
    }
}
