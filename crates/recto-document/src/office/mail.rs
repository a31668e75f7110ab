//! E-mail: who wrote to whom, what, and which files are with it.

use super::{backend, finish};
use crate::error::{Error, Result};
use crate::format::Format;
use crate::import::{self, Hints, Imported, Layout};
use crate::open::{Options, Sink};
use crate::text::{self, decode};
use docling::{ArchiveLimits, DocumentConverter, EmailAttachments, InputFormat, SourceDocument};
use mail_parser::{Address, HeaderName, Message, MessageParser};
use recto_core::{Attachment, Document, DocumentInfo, Item, Label, Locator};
use recto_worker::ParseLimits;

/// Media type of a message as sent.
const MESSAGE: &str = "message/rfc822";
/// Media type of a message as Outlook keeps it.
const OUTLOOK: &str = "application/vnd.ms-outlook";
/// The name of the part that is the message's own text.
const BODY: &str = "body";
/// The name of the part that says from whom, to whom and when.
const HEADERS: &str = "headers";

/// Reads a message as it was sent.
pub(crate) fn read(bytes: &[u8], options: &Options, sink: &mut dyn Sink) -> Result<Document> {
    let imported = backend::guarded("e-mail message", || {
        let message = MessageParser::default().parse(bytes).ok_or_else(|| Error::Damaged {
            what: "it is not a readable e-mail message".into(),
        })?;
        let (body, images) = body(&message, options)?;
        Ok(Imported {
            items: import::renumber(vec![headers(&message), with_part(body, BODY)]),
            images,
            ..Imported::default()
        })
    })?;
    finish(MESSAGE, imported, None, info(bytes, &options.limits)?, sink)
}

/// Reads a message as Outlook keeps it.
pub(crate) fn read_outlook(bytes: &[u8], options: &Options, sink: &mut dyn Sink) -> Result<Document> {
    let imported = backend::guarded("Outlook message", || {
        let source = SourceDocument::from_bytes("document", InputFormat::Email, bytes.to_vec());
        let converted = DocumentConverter::new().convert(source).map_err(|_| Error::Damaged {
            what: "it is not a readable Outlook message".into(),
        })?;
        let source = backend::source_of(&converted.document)?;
        let mut imported = import::document(&source, Layout::Flow, &Hints::default(), &options.limits)?;
        // What says who and when stands at the beginning.
        let heads = imported.items.iter().take_while(|item| is_head(item)).count();
        let body = imported.items.split_off(heads);
        imported.items = with_part(imported.items, HEADERS);
        imported.items.extend(with_part(body, BODY));
        Ok(imported)
    })?;
    finish(OUTLOOK, imported, None, info(bytes, &options.limits)?, sink)
}

fn is_head(item: &Item) -> bool {
    let names = ["From: ", "To: ", "Cc: ", "Date: "];
    item.label == Label::Title || names.iter().any(|name| item.text.starts_with(name))
}

/// The files with a message and their bytes; images that its text shows are part of the text and not among them.
pub(crate) fn attachments(bytes: &[u8], limits: &ParseLimits) -> Result<Vec<(Attachment, Vec<u8>)>> {
    let opened = opened(bytes, limits)?;
    Ok(opened
        .entries()
        .iter()
        .filter(|entry| !entry.inline)
        .filter_map(|entry| {
            let data = opened.data(entry.index)?;
            let attachment = Attachment {
                name: entry.name.clone(),
                bytes: data.len() as u64,
            };
            Some((attachment, data.to_vec()))
        })
        .collect())
}

fn opened(bytes: &[u8], limits: &ParseLimits) -> Result<EmailAttachments> {
    let limits = ArchiveLimits {
        max_entry_size: limits.max_bytes,
        max_total_size: limits.max_unpacked_bytes,
        ..ArchiveLimits::default()
    };
    backend::guarded("e-mail message", || {
        EmailAttachments::open(bytes, &limits).map_err(|_| Error::Damaged {
            what: "it is not a readable e-mail message".into(),
        })
    })
}

fn info(bytes: &[u8], limits: &ParseLimits) -> Result<DocumentInfo> {
    let attachments = attachments(bytes, limits)?;
    Ok(DocumentInfo {
        attachments: attachments.into_iter().map(|(attachment, _)| attachment).collect(),
        ..DocumentInfo::default()
    })
}

fn headers(message: &Message<'_>) -> Vec<Item> {
    let mut items = Vec::new();
    if let Some(subject) = message.subject().map(str::trim).filter(|subject| !subject.is_empty()) {
        items.push(item(Label::Title, subject.to_owned()));
    }
    let named = [
        ("From", message.from()),
        ("To", message.to()),
        ("Cc", message.cc()),
        ("Reply-To", message.reply_to()),
    ];
    for (name, addresses) in named {
        let listed = addresses.map(listed).unwrap_or_default();
        if !listed.is_empty() {
            items.push(item(Label::Text, format!("{name}: {listed}")));
        }
    }
    if let Some(raw) = message
        .header_raw(HeaderName::Date)
        .map(str::trim)
        .filter(|raw| !raw.is_empty())
    {
        // As it was written, with its time zone.
        items.push(item(Label::Text, format!("Date: {raw}")));
    }
    with_part(import::renumber(vec![items]), HEADERS)
}

fn listed(addresses: &Address<'_>) -> String {
    let written = |address: &mail_parser::Addr<'_>| match (address.name(), address.address()) {
        (Some(name), Some(address)) => format!("{name} <{address}>"),
        (Some(only), None) | (None, Some(only)) => only.to_owned(),
        (None, None) => String::new(),
    };
    let all: Vec<String> = addresses.iter().map(written).filter(|one| !one.is_empty()).collect();
    all.join(", ")
}

/// The message's text. Most messages carry it twice; the plain one is taken unless it leaves out what the HTML says,
/// as the stub "your program cannot show this message" does.
fn body(message: &Message<'_>, options: &Options) -> Result<(Vec<Item>, Vec<recto_core::Image>)> {
    let plain: Vec<String> = (0..message.text_body_count())
        .filter(|index| {
            is(message, message.text_body.get(*index), |part| {
                part.is_text() && !part.is_text_html()
            })
        })
        .filter_map(|index| Some(message.body_text(index)?.into_owned()))
        .collect();
    let html: Vec<String> = (0..message.html_body_count())
        .filter(|index| is(message, message.html_body.get(*index), |part| part.is_text_html()))
        .filter_map(|index| Some(message.body_html(index)?.into_owned()))
        .collect();
    let plain = plain.join("\n\n");
    if html.is_empty() {
        return Ok((text::paragraphs(&decode::shown(plain)), Vec::new()));
    }
    let mut parts = Vec::new();
    let mut images = Vec::new();
    for page in html {
        let (imported, _) = backend::convert_here(page.into_bytes(), Format::Html, options)?;
        parts.push(imported.items);
        images.extend(imported.images);
    }
    let rich = import::renumber(parts);
    let words = |text: &str| text.split_whitespace().count();
    let said: usize = rich.iter().map(|item| words(&item.text)).sum();
    let has_table = rich.iter().any(|item| item.table.is_some());
    if words(&plain) * 10 >= said * 8 && !plain.trim().is_empty() && !has_table {
        return Ok((text::paragraphs(&decode::shown(plain)), Vec::new()));
    }
    Ok((rich, images))
}

fn is(
    message: &Message<'_>,
    id: Option<&mail_parser::MessagePartId>,
    wanted: fn(&mail_parser::MessagePart<'_>) -> bool,
) -> bool {
    id.and_then(|id| message.part(*id)).is_some_and(wanted)
}

fn item(label: Label, text: String) -> Item {
    Item {
        label,
        text,
        ..Item::default()
    }
}

fn with_part(mut items: Vec<Item>, part: &str) -> Vec<Item> {
    for item in &mut items {
        item.locator = Some(Locator::Part { name: part.into() });
    }
    items
}
