//! The size of each page's user unit.
//!
//! PDFium draws a page whose unit is not 1/72 inch, but knows nothing of the unit, so page sizes and boxes would be too
//! small. It has no call to read the page's dictionary either; this reads just as much of the file as is needed. Files
//! that use it are rare, so everything else is left as soon as the name does not occur.

use flate2::read::ZlibDecoder;
use regex::bytes::Regex;
use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Unpacked bytes of object streams looked at.
const MAX_UNPACKED: usize = 32 << 20;
/// Bytes of an object looked at; page dictionaries are small.
const MAX_OBJECT: usize = 64 << 10;

/// User units by page, 1.0 unless the file says otherwise.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct UserUnits(HashMap<u32, f64>);

impl UserUnits {
    /// The unit of the page with this 0-based index, in points.
    pub(crate) fn get(&self, index: u32) -> f64 {
        self.0.get(&index).copied().unwrap_or(1.0)
    }
}

/// Reads the user units of a file with `page_count` pages.
pub(crate) fn of(bytes: &[u8], page_count: u32) -> UserUnits {
    // Pages of one file are drawn one after the other, each from the bytes.
    static LAST: Mutex<Option<(u64, UserUnits)>> = Mutex::new(None);
    let key = fingerprint(bytes);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((known, units)) = last.as_ref()
        && *known == key
    {
        return units.clone();
    }
    let units = read(bytes, page_count);
    *last = Some((key, units.clone()));
    units
}

fn fingerprint(bytes: &[u8]) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    bytes.len().hash(&mut hasher);
    bytes[..bytes.len().min(4096)].hash(&mut hasher);
    bytes[bytes.len().saturating_sub(16384)..].hash(&mut hasher);
    hasher.finish()
}

fn read(bytes: &[u8], page_count: u32) -> UserUnits {
    let unpacked = if contains(bytes, b"/ObjStm") {
        object_streams(bytes)
    } else {
        Vec::new()
    };
    if !contains(bytes, b"/UserUnit") && !unpacked.iter().any(|s| contains(&s.bytes, b"/UserUnit")) {
        return UserUnits::default();
    }
    let mut objects: HashMap<u32, &[u8]> = HashMap::new();
    for found in object_regex().captures_iter(bytes) {
        let (Some(number), Some(whole)) = (number(&found[1]), found.get(0)) else {
            continue;
        };
        let body = &bytes[whole.end()..bytes.len().min(whole.end() + MAX_OBJECT)];
        let end = find(body, b"endobj").unwrap_or(body.len());
        // A later definition replaces an earlier one.
        objects.insert(number, &body[..end]);
    }
    for stream in &unpacked {
        for (number, body) in stream.objects() {
            objects.entry(number).or_insert(body);
        }
    }
    let Some(root) = objects
        .iter()
        .filter(|(_, body)| contains(body, b"/Catalog"))
        .filter_map(|(number, body)| Some((*number, reference(body, b"/Pages")?)))
        .max()
        .map(|(_, pages)| pages)
    else {
        return UserUnits::default();
    };
    let mut units = UserUnits::default();
    let mut index = 0;
    walk(root, &objects, &mut HashSet::new(), &mut index, page_count, &mut units);
    units
}

fn walk(
    node: u32,
    objects: &HashMap<u32, &[u8]>,
    seen: &mut HashSet<u32>,
    index: &mut u32,
    page_count: u32,
    units: &mut UserUnits,
) {
    if *index >= page_count || seen.len() > 200_000 || !seen.insert(node) {
        return;
    }
    let Some(body) = objects.get(&node) else {
        *index += 1;
        return;
    };
    let Some(kids) = find(body, b"/Kids") else {
        if let Some(unit) = find(body, b"/UserUnit").and_then(|at| decimal(&body[at + b"/UserUnit".len()..]))
            && unit > 0.0
            && unit <= 1000.0
        {
            units.0.insert(*index, unit);
        }
        *index += 1;
        return;
    };
    let list = &body[kids..];
    let list = &list[..find(list, b"]").unwrap_or(list.len())];
    let kids: Vec<u32> = reference_regex()
        .captures_iter(list)
        .filter_map(|found| number(&found[1]))
        .collect();
    for kid in kids {
        walk(kid, objects, seen, index, page_count, units);
    }
}

struct ObjectStream {
    bytes: Vec<u8>,
    count: usize,
    first: usize,
}

impl ObjectStream {
    fn objects(&self) -> Vec<(u32, &[u8])> {
        let header = &self.bytes[..self.first.min(self.bytes.len())];
        let numbers: Vec<usize> = header
            .split(u8::is_ascii_whitespace)
            .filter(|part| !part.is_empty())
            .map_while(|part| std::str::from_utf8(part).ok()?.parse().ok())
            .take(self.count.saturating_mul(2))
            .collect();
        let entries: Vec<(u32, usize)> = numbers
            .chunks_exact(2)
            .filter_map(|pair| Some((u32::try_from(pair[0]).ok()?, self.first.checked_add(pair[1])?)))
            .collect();
        entries
            .iter()
            .enumerate()
            .filter_map(|(index, &(number, start))| {
                let end = entries.get(index + 1).map_or(self.bytes.len(), |next| next.1);
                Some((number, self.bytes.get(start..end)?))
            })
            .collect()
    }
}

fn object_streams(bytes: &[u8]) -> Vec<ObjectStream> {
    let mut out = Vec::new();
    let mut unpacked = 0;
    let mut from = 0;
    while let Some(at) = find(&bytes[from..], b"/ObjStm").map(|at| at + from) {
        from = at + 7;
        let head = &bytes[at.saturating_sub(512)..bytes.len().min(at + 512)];
        let head_end = find(&bytes[at..], b"stream").map(|offset| at + offset);
        let Some(stream) = head_end else { break };
        // The dictionary may name the entries before or after the type.
        let dictionary_start = head.len().min(at - at.saturating_sub(512));
        let open = head[..dictionary_start]
            .windows(2)
            .rposition(|pair| pair == b"<<")
            .unwrap_or(0);
        let dictionary = &bytes[at.saturating_sub(512) + open..stream];
        let integer = |name: &[u8]| {
            let at = find(dictionary, name)? + name.len();
            decimal(&dictionary[at..]).map(|value| value as usize)
        };
        let (Some(count), Some(first)) = (integer(b"/N "), integer(b"/First")) else {
            continue;
        };
        let mut data = &bytes[stream + b"stream".len()..];
        data = data.strip_prefix(b"\r").unwrap_or(data);
        data = data.strip_prefix(b"\n").unwrap_or(data);
        let mut content = Vec::new();
        let room = MAX_UNPACKED.saturating_sub(unpacked) as u64;
        // What was unpacked before an error is still good.
        let _ = ZlibDecoder::new(data).take(room).read_to_end(&mut content);
        unpacked += content.len();
        out.push(ObjectStream {
            bytes: content,
            count,
            first,
        });
        if unpacked >= MAX_UNPACKED {
            break;
        }
    }
    out
}

fn object_regex() -> &'static Regex {
    static REGEX: OnceLock<Regex> = OnceLock::new();
    REGEX.get_or_init(|| Regex::new(r"(?-u)(\d{1,9})\s+\d{1,5}\s+obj\b").expect("BUG: the expression is valid"))
}

fn reference_regex() -> &'static Regex {
    static REGEX: OnceLock<Regex> = OnceLock::new();
    REGEX.get_or_init(|| Regex::new(r"(?-u)(\d{1,9})\s+\d{1,5}\s+R\b").expect("BUG: the expression is valid"))
}

fn reference(body: &[u8], name: &[u8]) -> Option<u32> {
    let at = find(body, name)? + name.len();
    let found = reference_regex().captures(body.get(at..(at + 32).min(body.len()))?)?;
    number(&found[1])
}

fn number(digits: &[u8]) -> Option<u32> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

fn decimal(text: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(&text[..text.len().min(32)]).ok().map_or_else(
        || String::from_utf8_lossy(&text[..text.len().min(32)]).into_owned(),
        str::to_owned,
    );
    let text = text.trim_start();
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    text[..end].parse().ok()
}

fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    find(haystack, needle).is_some()
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    memchr::memmem::find(haystack, needle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::write::ZlibEncoder;
    use std::io::Write;

    #[test]
    fn the_unit_is_read_by_page_also_from_packed_objects() {
        let objects = b"1 0 2 40 3 80                           \
<</Type/Catalog/Pages 2 0 R>>           <</Type/Pages/Kids[4 0 R 3 0 R]>>       <</Type/Page/Parent 2 0 R/UserUnit 2.5>>";
        let text = std::str::from_utf8(objects).expect("is text");
        let first = text.find("<<").expect("has one");
        let at = |needle: &str| text.find(needle).expect("has it") - first;
        let header = format!("1 0 2 {} 3 {} ", at("<</Type/Pages"), at("<</Type/Page/"));
        let content = format!("{header:<first$}{}", &text[first..]);
        let mut packed = ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        packed.write_all(content.as_bytes()).expect("packs");
        let packed = packed.finish().expect("packs");
        let mut file = format!("%PDF-1.5\n4 0 obj\n<</Type/Page/Parent 2 0 R>>\nendobj\n5 0 obj\n<</Type/ObjStm/N 3/First {first}/Filter/FlateDecode/Length {}>>stream\n", packed.len()).into_bytes();
        file.extend(packed);
        file.extend(b"\nendstream\nendobj\n");
        let units = read(&file, 2);
        assert_eq!(units.get(0), 1.0);
        assert_eq!(units.get(1), 2.5);
    }

    #[test]
    fn a_page_tree_that_runs_in_circles_ends() {
        let file = b"1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Kids[2 0 R 3 0 R 2 0 R]>>endobj 3 0 obj<</UserUnit 3>>endobj";
        assert_eq!(read(file, 5).get(0), 3.0);
    }
}
