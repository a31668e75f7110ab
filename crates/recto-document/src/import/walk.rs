//! The tree of a Docling document, walked in reading order.

use super::cells::Cells;
use super::source::{Source, cells_of};
use super::wording::{Inline, comment_text, joined, with_marker};
use super::{Hints, Layout, picture, table};
use crate::error::{Error, Result};
use crate::gallery::Gallery;
use recto_core::{Image, Item, Label, Locator, TableGrid};
use recto_worker::ParseLimits;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// Nesting of nodes followed at most. Each level takes less than a kilobyte of the reading thread's stack.
const MAX_DEPTH: u32 = 2_000;
/// Children of nodes looked at, in relation to all nodes: each belongs to one parent, and captions are named twice.
const MAX_VISITS_PER_NODE: usize = 4;

/// What the walk finds.
pub(super) struct Walked {
    pub(super) items: Vec<Item>,
    pub(super) images: Vec<Image>,
    pub(super) title: Option<String>,
}

/// Walks the body and then the furniture.
pub(super) fn walk(source: &Source, layout: Layout, hints: &Hints, limits: &ParseLimits) -> Result<Walked> {
    let document = &source.json;
    let mut walk = Walk {
        document,
        source,
        layout,
        hints,
        limits,
        items: Vec::new(),
        gallery: Gallery::default(),
        title: None,
        seen: HashSet::new(),
        owners: owners(document),
        visits_left: visits(document),
    };
    let context = Context::default();
    walk.children(&document["body"], &context)?;
    // Older documents keep their furniture in a tree of its own.
    walk.children(&document["furniture"], &context)?;
    Ok(Walked {
        images: walk.gallery.referred_to(&walk.items),
        items: walk.items,
        title: walk.title,
    })
}

/// What is known from the nodes above.
#[derive(Debug, Clone, Copy, Default)]
struct Context<'d> {
    depth: u32,
    /// The item that nodes below belong to.
    owner: Option<&'d str>,
    list_depth: u32,
    furniture: Option<Label>,
    place: Place<'d>,
    /// In a sheet or slide that is not shown: its content is read all the same, other hidden content is not.
    hidden_place: bool,
}

#[derive(Debug, Clone, Copy, Default)]
enum Place<'d> {
    #[default]
    None,
    Slide(u32),
    Sheet(&'d str),
}

struct Walk<'d> {
    document: &'d Value,
    source: &'d Source,
    layout: Layout,
    hints: &'d Hints,
    limits: &'d ParseLimits,
    items: Vec<Item>,
    gallery: Gallery,
    title: Option<String>,
    seen: HashSet<&'d str>,
    /// Captions and footnotes by the table, picture or code they belong to.
    owners: HashMap<&'d str, &'d str>,
    visits_left: usize,
}

fn list<'d>(document: &'d Value, kind: &str) -> impl Iterator<Item = &'d Value> {
    document[kind].as_array().into_iter().flatten()
}

fn owners(document: &Value) -> HashMap<&str, &str> {
    let mut owners = HashMap::new();
    for kind in ["tables", "pictures", "texts"] {
        for node in list(document, kind) {
            let Some(owner) = node["self_ref"].as_str() else {
                continue;
            };
            for part in ["captions", "footnotes"] {
                for caption in list(node, part).filter_map(|caption| caption["$ref"].as_str()) {
                    owners.entry(caption).or_insert(owner);
                }
            }
        }
    }
    owners
}

/// A tree whose nodes name each other in a circle, or ever again, must not be walked for ever.
fn visits(document: &Value) -> usize {
    let nodes: usize = document
        .as_object()
        .into_iter()
        .flat_map(|members| members.values())
        .filter_map(|member| member.as_array().map(Vec::len))
        .sum();
    (nodes + 16) * MAX_VISITS_PER_NODE
}

impl<'d> Walk<'d> {
    fn resolve(&self, reference: &'d Value) -> Result<(&'d str, &'d Value)> {
        let path = reference["$ref"].as_str().ok_or_else(|| Error::Damaged {
            what: "a child in it is not a reference".into(),
        })?;
        path.strip_prefix('#')
            .and_then(|pointer| self.document.pointer(pointer))
            .filter(|node| node.is_object())
            .map(|node| (path, node))
            .ok_or_else(|| Error::Damaged {
                what: "it refers to an item that is not there".into(),
            })
    }

    fn children(&mut self, node: &'d Value, context: &Context<'d>) -> Result<()> {
        self.children_but(node, context, |_| false)
    }

    /// Walks the children of a node, those that are known already left out.
    fn children_but(&mut self, node: &'d Value, context: &Context<'d>, known: impl Fn(&Value) -> bool) -> Result<()> {
        if context.depth > MAX_DEPTH {
            return Err(Error::Damaged {
                what: format!("its items are nested more than {MAX_DEPTH} deep"),
            });
        }
        let below = Context {
            depth: context.depth + 1,
            ..*context
        };
        for child in list(node, "children") {
            self.visits_left = self.visits_left.checked_sub(1).ok_or_else(|| Error::Damaged {
                what: "its items refer to each other in a circle".into(),
            })?;
            let (self_ref, child) = self.resolve(child)?;
            if !known(child) {
                self.node(self_ref, child, &below)?;
            }
        }
        Ok(())
    }

    fn node(&mut self, self_ref: &'d str, node: &'d Value, context: &Context<'d>) -> Result<()> {
        let mut context = *context;
        match node["content_layer"].as_str() {
            Some("furniture" | "background") if context.furniture.is_none() => {
                context.furniture = self.furniture(node);
            }
            Some("invisible") if !context.hidden_place && !is_place(node) => return Ok(()),
            _ => {}
        }
        match self_ref.split('/').nth(1) {
            Some("groups") => self.group(self_ref, node, &context),
            Some("tables") => self.table(self_ref, node, &context),
            Some("pictures") => self.picture(self_ref, node, &context),
            Some("field_items") => self.field(self_ref, node, &context),
            Some("texts") => self.text(self_ref, node, &context),
            _ => self.children(node, &context),
        }
    }

    /// The label of what lies in the furniture layer; nothing where it is text after all.
    fn furniture(&self, node: &'d Value) -> Option<Label> {
        let name = node["name"].as_str().unwrap_or_default();
        match node["label"].as_str() {
            Some("page_header") => Some(Label::PageHeader),
            Some("page_footer") => Some(Label::PageFooter),
            Some("footnote") => None,
            _ if name.contains("footer") => Some(Label::PageFooter),
            _ if name.contains("header") => Some(Label::PageHeader),
            // Before the first heading of a web page lies its navigation, but often its first paragraphs as well.
            // Links alone are navigation.
            _ if self.layout == Layout::Web => self.is_all_links(node, 0).then_some(Label::PageHeader),
            _ => Some(Label::PageHeader),
        }
    }

    fn is_all_links(&self, node: &'d Value, depth: u32) -> bool {
        if node["label"]
            .as_str()
            .is_some_and(|label| label.starts_with("checkbox"))
        {
            return true;
        }
        let own = node["text"].as_str().unwrap_or_default();
        if !own.trim().is_empty() {
            return node["hyperlink"].is_string();
        }
        let mut children = list(node, "children")
            .filter_map(|child| self.resolve(child).ok())
            .peekable();
        children.peek().is_some() && depth < 8 && children.all(|(_, child)| self.is_all_links(child, depth + 1))
    }

    fn group(&mut self, self_ref: &'d str, node: &'d Value, context: &Context<'d>) -> Result<()> {
        let name = node["name"].as_str().unwrap_or_default();
        let hidden = node["content_layer"] == "invisible";
        match node["label"].as_str().unwrap_or_default() {
            "inline" => {
                let parts = self.inline(node);
                let text = self.hints.spaced(joined(&parts));
                self.push(self_ref, node, Label::Text, 0, text, context);
                for part in parts {
                    self.notes_of(part.self_ref, self_ref, context)?;
                }
                Ok(())
            }
            "list" | "ordered_list" => self.children(
                node,
                &Context {
                    list_depth: context.list_depth + 1,
                    ..*context
                },
            ),
            "chapter" if name.starts_with("slide-") => {
                let slide = name["slide-".len()..].parse::<u32>().unwrap_or(0).saturating_add(1);
                let place = Place::Slide(slide);
                self.children(
                    node,
                    &Context {
                        place,
                        hidden_place: hidden,
                        ..*context
                    },
                )
            }
            "comment_section" => self.comment(self_ref, node, context),
            label if label == "sheet" || self.layout == Layout::Sheets && name.starts_with("sheet: ") => self.sheet(
                self_ref,
                node,
                name.strip_prefix("sheet: ").unwrap_or(name),
                hidden,
                context,
            ),
            _ => self.children(node, context),
        }
    }

    /// A sheet's name heads what is in it.
    fn sheet(
        &mut self,
        self_ref: &'d str,
        node: &'d Value,
        name: &'d str,
        hidden: bool,
        context: &Context<'d>,
    ) -> Result<()> {
        let context = Context {
            place: Place::Sheet(name),
            hidden_place: hidden,
            ..*context
        };
        let heading = self.items.len();
        let shown = if hidden {
            format!("{name} (hidden sheet)")
        } else {
            name.to_owned()
        };
        self.push(self_ref, node, Label::SectionHeader, 1, shown, &context);
        self.children(node, &context)?;
        let boxes = self.items.get(heading + 1..).unwrap_or_default().iter();
        let ranges: Vec<Cells> = boxes
            .filter_map(|item| match &item.locator {
                Some(Locator::Sheet { range, .. }) => Cells::parse(range),
                _ => None,
            })
            .collect();
        match ranges.into_iter().reduce(Cells::around) {
            Some(all) => {
                if let Some(item) = self.items.get_mut(heading) {
                    item.locator = Some(Locator::Sheet {
                        name: name.to_owned(),
                        range: all.to_string(),
                    });
                }
            }
            // Nothing is on it.
            None => self.items.truncate(heading),
        }
        Ok(())
    }

    fn table(&mut self, self_ref: &'d str, node: &'d Value, context: &Context<'d>) -> Result<()> {
        if self.seen.contains(self_ref) {
            return Ok(());
        }
        let cells = self.source.cells.get(self_ref).map(Vec::as_slice).unwrap_or_default();
        let grid = table::grid(cells.iter().map(|cell| cell.cell.clone()).collect())?;
        // One cell alone is not a table but a frame around what is in it.
        if let [only] = grid.cells.as_slice() {
            if list(node, "children").next().is_some() {
                self.children(node, context)?;
            } else {
                self.push(self_ref, node, Label::Text, 0, only.text.clone(), context);
            }
            return self.attached(self_ref, node, context);
        }
        let text = table::markdown_grid(&grid);
        if !grid.cells.is_empty() {
            let label = match node["label"].as_str() {
                Some("document_index") => Label::DocumentIndex,
                _ => Label::Table,
            };
            self.push_table(self_ref, node, label, text.clone(), grid, context);
        }
        self.attached(self_ref, node, context)?;
        let below = Context {
            owner: Some(self_ref),
            ..*context
        };
        self.inside_cells(node, &text, &below)
    }

    /// What is in the cells is in their text, except for pictures and, in some formats, tables.
    fn inside_cells(&mut self, node: &'d Value, text: &str, context: &Context<'d>) -> Result<()> {
        if context.depth > MAX_DEPTH {
            return Ok(());
        }
        let below = Context {
            depth: context.depth + 1,
            ..*context
        };
        for child in list(node, "children") {
            let Some(left) = self.visits_left.checked_sub(1) else {
                return Ok(());
            };
            self.visits_left = left;
            let (self_ref, child) = self.resolve(child)?;
            match self_ref.split('/').nth(1) {
                Some("pictures") => self.picture(self_ref, child, &below)?,
                Some("tables") => {
                    let cells = self.source.cells.get(self_ref).map(Vec::as_slice).unwrap_or_default();
                    if cells.iter().any(|cell| !text.contains(cell.cell.text.trim())) {
                        self.table(self_ref, child, &below)?;
                    }
                }
                _ => self.inside_cells(child, text, &below)?,
            }
        }
        Ok(())
    }

    fn picture(&mut self, self_ref: &'d str, node: &'d Value, context: &Context<'d>) -> Result<()> {
        if self.seen.contains(self_ref) {
            return Ok(());
        }
        let described = &node["meta"]["description"]["text"];
        let text = described.as_str().unwrap_or_default().trim().to_owned();
        let picture = picture::keep(&mut self.gallery, &node["image"], self.limits);
        let chart = table::grid(cells_of(&node["meta"]["tabular_chart"]["chart_data"]))?;
        let has_captions = list(node, "captions").next().is_some();
        let has_place = list(node, "prov").next().is_some();
        // A picture that neither shows nor says anything is a spacer or an image that lies elsewhere.
        if picture.is_some() || !text.is_empty() || has_captions || !chart.cells.is_empty() || has_place {
            self.seen.insert(self_ref);
            let mut item = self.item(self_ref, node, Label::Picture, 0, text, context);
            item.picture = picture;
            self.items.push(item);
        }
        self.attached(self_ref, node, context)?;
        if !chart.cells.is_empty() {
            let text = table::markdown_grid(&chart);
            let mut item = self.item(&format!("{self_ref}/chart"), node, Label::Table, 0, text, context);
            item.parent = Some(self_ref.to_owned());
            item.table = Some(chart);
            self.items.push(item);
        }
        self.children(
            node,
            &Context {
                owner: Some(self_ref),
                ..*context
            },
        )
    }

    /// Captions, footnotes and comments of a node, after it.
    fn attached(&mut self, self_ref: &'d str, node: &'d Value, context: &Context<'d>) -> Result<()> {
        for part in ["captions", "footnotes"] {
            for caption in list(node, part) {
                let (caption_ref, caption) = self.resolve(caption)?;
                self.text(caption_ref, caption, context)?;
            }
        }
        self.comments(self_ref, node, context)
    }

    fn comments(&mut self, self_ref: &'d str, node: &'d Value, context: &Context<'d>) -> Result<()> {
        let owned = Context {
            owner: Some(self_ref),
            depth: context.depth + 1,
            ..*context
        };
        for comment in list(node, "comments") {
            let (comment_ref, comment) = self.resolve(comment)?;
            self.comment(comment_ref, comment, &owned)?;
        }
        Ok(())
    }

    /// What a reviewer wrote beside the text: a group of messages, or one message.
    fn comment(&mut self, self_ref: &'d str, node: &'d Value, context: &Context<'d>) -> Result<()> {
        let parts = match node["text"].as_str() {
            Some(_) => vec![(self_ref, node)],
            None => list(node, "children")
                .map(|child| self.resolve(child))
                .collect::<Result<Vec<_>>>()?,
        };
        // The name of a group ends in what it is about: `comment-Sheet1-B2`.
        let group = match node["text"].as_str() {
            Some(_) => node["parent"]["$ref"]
                .as_str()
                .and_then(|path| self.document.pointer(path.strip_prefix('#')?))
                .unwrap_or(node),
            None => node,
        };
        let about = group["name"].as_str().and_then(|name| name.rsplit_once('-'));
        for (part_ref, part) in parts {
            let text = comment_text(part["text"].as_str().unwrap_or_default());
            let before = self.items.len();
            self.push(part_ref, part, Label::Footnote, 0, text, context);
            let Some(item) = self.items.get_mut(before) else {
                continue;
            };
            item.parent = context.owner.map(str::to_owned);
            match (about, self.layout) {
                (Some((sheet, cell)), Layout::Sheets) => {
                    item.locator = Some(Locator::Sheet {
                        name: sheet.strip_prefix("comment-").unwrap_or(sheet).to_owned(),
                        range: cell.to_owned(),
                    });
                }
                (Some((slide, _)), Layout::Slides) => {
                    let slide = slide.rsplit_once("slide").and_then(|(_, number)| number.parse().ok());
                    item.locator = slide.map(|number| Locator::Slide { number });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// An entry of a form: its number, name and value on one line.
    fn field(&mut self, self_ref: &'d str, node: &'d Value, context: &Context<'d>) -> Result<()> {
        let mut text = String::new();
        for child in list(node, "children") {
            let (_, child) = self.resolve(child)?;
            let part = child["text"].as_str().unwrap_or_default().trim();
            if part.is_empty() {
                continue;
            }
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(part);
            if child["label"] == "field_key" && !part.ends_with(':') {
                text.push(':');
            }
        }
        self.push(self_ref, node, Label::Text, 0, text, context);
        Ok(())
    }

    fn text(&mut self, self_ref: &'d str, node: &'d Value, context: &Context<'d>) -> Result<()> {
        let own = node["text"].as_str().unwrap_or_default();
        // Formatted parts of a paragraph, entry or heading are its children, and its own text is then empty.
        let nested = own.trim().is_empty();
        let parts = if nested { self.inline_below(node) } else { Vec::new() };
        let mut text = if nested {
            self.hints.spaced(joined(&parts))
        } else {
            own.to_owned()
        };
        let level = node["level"].as_u64().and_then(|level| u32::try_from(level).ok());
        let (mut label, mut level) = match node["label"].as_str().unwrap_or_default() {
            "title" => self.title(self_ref, &text, context),
            "section_header" => (Label::SectionHeader, level.unwrap_or(1).max(1)),
            "list_item" => (Label::ListItem, context.list_depth.max(1)),
            "caption" => (Label::Caption, 0),
            "footnote" => (Label::Footnote, 0),
            "formula" => (Label::Formula, 0),
            "code" => (Label::Code, 0),
            "page_header" => (Label::PageHeader, 0),
            "page_footer" => (Label::PageFooter, 0),
            "document_index" => (Label::DocumentIndex, 0),
            "checkbox_selected" => {
                text = format!("☒ {text}");
                (Label::Text, 0)
            }
            "checkbox_unselected" => {
                text = format!("☐ {text}");
                (Label::Text, 0)
            }
            _ => (Label::Text, 0),
        };
        if label == Label::ListItem {
            text = with_marker(node, text);
        }
        if self.layout == Layout::Web && label == Label::Title && node["content_layer"] == "furniture" {
            // The title of the window, which is not on the page.
            self.title.get_or_insert(text);
            return Ok(());
        }
        if let Some(furniture) = context.furniture {
            (label, level) = (furniture, 0);
        }
        self.push(self_ref, node, label, level, text, context);
        for part in &parts {
            self.notes_of(part.self_ref, self_ref, context)?;
        }
        self.notes_of(self_ref, self_ref, context)?;
        self.attached(self_ref, node, context)?;
        let below = Context {
            owner: (label == Label::ListItem).then_some(self_ref),
            ..*context
        };
        self.children_but(node, &below, |child| nested && child["label"] == "inline")
    }

    /// Every slide has a title; the document has the first. The others head their slides, and so does the first once
    /// there is more than one.
    fn title(&self, self_ref: &str, text: &str, context: &Context<'_>) -> (Label, u32) {
        let another = self.items.iter().any(|item| item.label == Label::Title);
        let slides = self.layout == Layout::Slides || matches!(context.place, Place::Slide(_));
        let known = self.seen.contains(self_ref) || text.trim().is_empty();
        if slides && another && !known {
            (Label::SectionHeader, 1)
        } else {
            (Label::Title, 0)
        }
    }

    /// Notes that are called in the item `caller`, after `item`, which holds its text.
    fn notes_of(&mut self, caller: &str, item: &'d str, context: &Context<'d>) -> Result<()> {
        let hints = self.hints;
        for note in hints.notes.get(caller).into_iter().flatten() {
            let Some(node) = note
                .strip_prefix('#')
                .and_then(|pointer| self.document.pointer(pointer))
            else {
                continue;
            };
            let owned = Context {
                owner: Some(item),
                furniture: None,
                ..*context
            };
            self.text(note, node, &owned)?;
        }
        Ok(())
    }

    fn inline_below(&self, node: &'d Value) -> Vec<Inline<'d>> {
        list(node, "children")
            .filter_map(|child| self.resolve(child).ok())
            .filter(|(_, child)| child["label"] == "inline")
            .flat_map(|(_, child)| self.inline(child))
            .collect()
    }

    /// The parts of a formatted paragraph in order.
    fn inline(&self, node: &'d Value) -> Vec<Inline<'d>> {
        let mut parts = Vec::new();
        let mut stack: Vec<&'d Value> = vec![node];
        let mut visits = 0;
        while let Some(node) = stack.pop() {
            visits += 1;
            if visits > self.visits_left {
                break;
            }
            let (self_ref, text) = (node["self_ref"].as_str(), node["text"].as_str().map(str::trim));
            if let (Some(self_ref), Some(text)) = (self_ref, text.filter(|text| !text.is_empty())) {
                let script = node["formatting"]["script"].as_str();
                parts.push(Inline {
                    self_ref,
                    text,
                    raised: matches!(script, Some("sub" | "super")),
                });
            }
            let children: Vec<&'d Value> = list(node, "children")
                .filter_map(|child| self.resolve(child).ok())
                .map(|(_, child)| child)
                .collect();
            stack.extend(children.into_iter().rev());
        }
        parts
    }

    fn push(
        &mut self,
        self_ref: &'d str,
        node: &'d Value,
        label: Label,
        level: u32,
        text: String,
        context: &Context<'d>,
    ) {
        if text.trim().is_empty() || !self.seen.insert(self_ref) {
            return;
        }
        let item = self.item(self_ref, node, label, level, text, context);
        self.items.push(item);
    }

    fn push_table(
        &mut self,
        self_ref: &'d str,
        node: &'d Value,
        label: Label,
        text: String,
        grid: TableGrid,
        context: &Context<'d>,
    ) {
        if !self.seen.insert(self_ref) {
            return;
        }
        let mut item = self.item(self_ref, node, label, 0, text, context);
        item.table = Some(grid);
        self.items.push(item);
    }

    fn item(
        &self,
        self_ref: &str,
        node: &Value,
        label: Label,
        level: u32,
        text: String,
        context: &Context<'_>,
    ) -> Item {
        let parent = self.owners.get(self_ref).copied().or(context.owner);
        Item {
            position: u32::try_from(self.items.len()).unwrap_or(u32::MAX),
            self_ref: self_ref.to_owned(),
            label,
            level,
            text,
            parent: parent.map(str::to_owned),
            locator: match context.place {
                Place::None => None,
                Place::Slide(number) => Some(Locator::Slide { number }),
                Place::Sheet(name) => Some(Locator::Sheet {
                    name: name.to_owned(),
                    range: Cells::of(&node["prov"][0]["bbox"])
                        .map(|cells| cells.to_string())
                        .unwrap_or_default(),
                }),
            },
            ..Item::default()
        }
    }
}

/// Sheets and slides: what is in a hidden one is the person's own and is read.
fn is_place(node: &Value) -> bool {
    matches!(node["label"].as_str(), Some("sheet" | "chapter"))
        || node["name"].as_str().is_some_and(|name| name.starts_with("sheet: "))
}
