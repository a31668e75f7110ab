//! Sheets as SVG: the page as an embedded PNG, the shapes with tooltips.
//!
//! All text in it comes from a stranger's document, so it is escaped, and nothing in the file points outside of it.

use super::shapes::{Colour, Shape, Side};
use recto_core::Page;
use std::fmt::Write;

/// Font size of tags in points.
const TAG_SIZE: f32 = 6.0;
/// Width of a character of a monospaced font by its size.
const PITCH: f32 = 0.62;

/// The sheet of a page whose picture is `png`.
pub(super) fn write(page: &Page, png: &[u8], shapes: &[Shape]) -> Vec<u8> {
    let (width, height) = (page.width, page.height);
    let mut out = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}pt" height="{height}pt" viewBox="0 0 {width} {height}">
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="context-stroke"/></marker></defs>
<image width="{width}" height="{height}" preserveAspectRatio="none" href="data:image/png;base64,"#
    );
    base64(png, &mut out);
    out.push_str("\"/>\n");
    for shape in shapes {
        // Writing to a string cannot fail.
        let _ = draw(shape, &mut out);
    }
    out.push_str("</svg>\n");
    out.into_bytes()
}

fn draw(shape: &Shape, out: &mut String) -> std::fmt::Result {
    match shape {
        Shape::Frame {
            rect,
            colour,
            veil,
            weight,
            title,
        } => {
            let veil = f32::from(*veil) / 100.0;
            write!(
                out,
                r#"<rect x="{:.2}" y="{:.2}" width="{:.2}" height="{:.2}" fill="{colour}" fill-opacity="{veil}" stroke="{colour}" stroke-width="{weight}"><title>"#,
                rect.left,
                rect.top,
                rect.width(),
                rect.height(),
                colour = Hex(*colour),
            )?;
            escape(title, out);
            out.push_str("</title></rect>\n");
            Ok(())
        }
        Shape::Tag { at, side, text, colour } => {
            let width = text.chars().count() as f32 * TAG_SIZE * PITCH + 2.0;
            let (left, bottom) = match side {
                Side::Above => (at.0, at.1),
                Side::Before => (at.0 - width, at.1 + TAG_SIZE + 1.0),
            };
            let (left, bottom) = (left.max(0.0), bottom.max(TAG_SIZE + 1.0));
            write!(
                out,
                r##"<rect x="{left:.2}" y="{:.2}" width="{width:.2}" height="{}" fill="{}"/><text x="{:.2}" y="{:.2}" font-family="monospace" font-size="{TAG_SIZE}" fill="#fff">"##,
                bottom - TAG_SIZE - 1.0,
                TAG_SIZE + 1.0,
                Hex(*colour),
                left + 1.0,
                bottom - 1.6,
            )?;
            escape(text, out);
            out.push_str("</text>\n");
            Ok(())
        }
        Shape::Arrow { from, to, colour } => writeln!(
            out,
            r#"<line x1="{:.2}" y1="{:.2}" x2="{:.2}" y2="{:.2}" stroke="{}" stroke-width="1" marker-end="url(#head)"/>"#,
            from.0,
            from.1,
            to.0,
            to.1,
            Hex(*colour),
        ),
    }
}

/// `#1f5abe`.
struct Hex(Colour);

impl std::fmt::Display for Hex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

/// Text between tags. Characters that XML cannot hold at all are left out.
fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => {}
            c => out.push(c),
        }
    }
}

/// Appends the base 64 of `bytes` (RFC 4648, section 4).
fn base64(bytes: &[u8], out: &mut String) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    out.reserve(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, index| {
            bits << 8 | u32::from(group.get(index).copied().unwrap_or(0))
        });
        for place in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * place) & 63) as usize];
            out.push(if place <= group.len() { char::from(digit) } else { '=' });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recto_core::Rect;

    #[test]
    fn base64_is_that_of_the_standard() {
        for (bytes, expected) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
        ] {
            let mut out = String::new();
            base64(bytes.as_bytes(), &mut out);
            assert_eq!(out, expected);
        }
    }

    #[test]
    fn a_documents_text_cannot_leave_its_place() {
        let page = Page {
            width: 10.0,
            height: 10.0,
            ..Page::default()
        };
        let shape = Shape::Frame {
            rect: Rect::new(0.0, 0.0, 1.0, 1.0),
            colour: [255, 0, 16],
            veil: 10,
            weight: 1.0,
            title: "</title><script>\u{0}&".into(),
        };
        let svg = String::from_utf8(write(&page, b"", &[shape])).expect("is text");
        assert!(
            svg.contains("<title>&lt;/title&gt;&lt;script&gt;&amp;</title>"),
            "{svg}"
        );
        assert!(svg.contains(r##"stroke="#ff0010""##), "{svg}");
        assert!(!svg.contains("<script"));
    }
}
