//! Web pages without what leads away from them.

/// The page without its `nav` elements. Scripts, styles and hidden elements are left out by the backend; navigation is
/// not, and its links would stand before every page's text.
pub(super) fn without_navigation(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut kept_from = 0;
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'<', &bytes[at..]) {
        let start = at + found;
        let rest = &bytes[start..];
        if rest.starts_with(b"<!--") {
            at = memchr::memmem::find(rest, b"-->").map_or(bytes.len(), |end| start + end + 3);
            continue;
        }
        if depth == 0 && ["script", "style", "textarea"].iter().any(|name| opens(rest, name)) {
            // What looks like an element in there is none.
            let name = if opens(rest, "script") {
                "script"
            } else if opens(rest, "style") {
                "style"
            } else {
                "textarea"
            };
            at = raw_end(bytes, start + 1, name);
            continue;
        }
        if opens(rest, "nav") {
            if depth == 0 {
                out.extend_from_slice(&bytes[kept_from..start]);
            }
            depth += 1;
        } else if closes(rest, "nav") && depth > 0 {
            depth -= 1;
            if depth == 0 {
                kept_from = memchr::memchr(b'>', rest).map_or(bytes.len(), |end| start + end + 1);
            }
        }
        at = start + 1;
    }
    if depth > 0 {
        // Never closed: it is not known where it ends, so nothing is left out.
        return bytes.to_vec();
    }
    out.extend_from_slice(&bytes[kept_from..]);
    out
}

fn raw_end(bytes: &[u8], from: usize, name: &str) -> usize {
    let mut at = from;
    while let Some(found) = memchr::memmem::find(&bytes[at..], b"</") {
        at += found;
        if closes(&bytes[at..], name) {
            return at + 2;
        }
        at += 2;
    }
    bytes.len()
}

fn opens(rest: &[u8], name: &str) -> bool {
    named(rest.get(1..).unwrap_or_default(), name)
}

fn closes(rest: &[u8], name: &str) -> bool {
    rest.get(1) == Some(&b'/') && named(rest.get(2..).unwrap_or_default(), name)
}

fn named(tag: &[u8], name: &str) -> bool {
    let ends = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_whitespace() || matches!(b, b'>' | b'/'));
    tag.get(..name.len())
        .is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
        && ends(tag.get(name.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(page: &str) -> String {
        String::from_utf8(without_navigation(page.as_bytes())).expect("is text")
    }

    #[test]
    fn navigation_is_left_out_however_it_is_nested() {
        assert_eq!(
            cleaned("<p>a</p><NAV class='x'><nav>b</nav>c</nav><p>d</p>"),
            "<p>a</p><p>d</p>"
        );
        assert_eq!(cleaned("<navigator>a</navigator>"), "<navigator>a</navigator>");
    }

    #[test]
    fn navigation_without_an_end_takes_nothing_with_it() {
        assert_eq!(cleaned("<nav><p>all of the page"), "<nav><p>all of the page");
    }

    #[test]
    fn scripts_and_comments_do_not_open_navigation() {
        let page = "<script>'<nav>'</script><!-- <nav> --><p>a</p>";
        assert_eq!(cleaned(page), page);
    }
}
