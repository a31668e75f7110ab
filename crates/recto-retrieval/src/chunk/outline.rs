//! Items grouped under their heading paths.

use super::split::Piece;
use recto_core::{Item, Label};

/// Consecutive items under one heading path.
#[derive(Debug)]
pub(crate) struct Section<'a> {
    /// From the outermost to the innermost.
    pub(crate) headings: Vec<&'a Item>,
    /// Items with text, headings and furniture excluded; or one heading that nothing follows.
    pub(crate) items: Vec<&'a Item>,
}

/// Pieces kept together where possible.
#[derive(Debug)]
pub(crate) struct Unit<'a> {
    pub(crate) pieces: Vec<Piece<'a>>,
    /// Whether a caption names it, so that it says of itself what it is: it is never put behind something else.
    pub(crate) is_captioned: bool,
}

impl<'a> Section<'a> {
    /// A run of list items is one unit, so is a table or picture with its captions; any other item is one by itself.
    pub(crate) fn units(&self) -> Vec<Unit<'a>> {
        let mut units: Vec<Unit<'a>> = Vec::new();
        let mut before: Option<&Item> = None;
        for item in &self.items {
            let Some(piece) = Piece::whole(item) else { continue };
            let (is_list, is_captioned) = match before {
                Some(before) => (
                    before.label == Label::ListItem && item.label == Label::ListItem,
                    is_caption_of(before, item) || is_caption_of(item, before) || is_second_caption(before, item),
                ),
                None => (false, false),
            };
            match units.last_mut() {
                Some(unit) if is_list || is_captioned => {
                    unit.pieces.push(piece);
                    unit.is_captioned |= is_captioned;
                }
                _ => units.push(Unit {
                    pieces: vec![piece],
                    is_captioned: false,
                }),
            }
            before = Some(item);
        }
        units
    }
}

fn is_caption_of(caption: &Item, item: &Item) -> bool {
    caption.label == Label::Caption && caption.parent.as_deref() == Some(item.self_ref.as_str())
}

fn is_second_caption(first: &Item, second: &Item) -> bool {
    first.label == Label::Caption
        && second.label == Label::Caption
        && first.parent.is_some()
        && first.parent == second.parent
}

struct Open<'a> {
    item: &'a Item,
    used: bool,
}

/// The sections of a document, in reading order.
pub(crate) fn sections(items: &[Item]) -> Vec<Section<'_>> {
    let mut stack: Vec<Open<'_>> = Vec::new();
    let mut found: Vec<Section<'_>> = Vec::new();
    let mut open: Vec<&Item> = Vec::new();
    for item in items {
        if item.label.is_furniture() || item.text.trim().is_empty() {
            continue;
        }
        if item.label.is_heading() {
            flush(&mut stack, &mut open, &mut found);
            while stack.last().is_some_and(|heading| depth(heading.item) >= depth(item)) {
                close(&mut stack, &mut found);
            }
            stack.push(Open { item, used: false });
        } else {
            open.push(item);
        }
    }
    flush(&mut stack, &mut open, &mut found);
    while !stack.is_empty() {
        close(&mut stack, &mut found);
    }
    found
}

/// A title stands above every heading, whatever level it carries.
fn depth(item: &Item) -> u32 {
    if item.label == Label::Title {
        0
    } else {
        item.level.max(1)
    }
}

fn flush<'a>(stack: &mut [Open<'a>], open: &mut Vec<&'a Item>, found: &mut Vec<Section<'a>>) {
    if open.is_empty() {
        return;
    }
    for heading in stack.iter_mut() {
        heading.used = true;
    }
    found.push(Section {
        headings: stack.iter().map(|heading| heading.item).collect(),
        items: std::mem::take(open),
    });
}

/// Takes the innermost heading off; where nothing stood under it, it is content itself.
fn close<'a>(stack: &mut Vec<Open<'a>>, found: &mut Vec<Section<'a>>) {
    let Some(heading) = stack.pop() else { return };
    if heading.used {
        return;
    }
    let mut alone = vec![heading.item];
    flush(stack, &mut alone, found);
}
