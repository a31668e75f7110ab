//! The worker: one request after the other, each answered or refused in words.
//!
//! The process is expendable. It opens untrusted files, and a crash in native code is the pool's business; a panic in
//! ours is caught here and becomes an error like any other.

mod output;

use crate::error::{Error, Result};
use crate::layers::{self, SheetFormat};
use crate::open::{self, Options, Sink, Step};
use crate::render::{self, Drawing};
use crate::{export, locate};
use recto_core::{Document, DocumentInfo};
use recto_worker::server::Connection;
use recto_worker::{
    ConvertFormat, ConvertRequest, Converted, DetachRequest, Layer, LocateInFileRequest, LocateRequest, PageSize,
    ParseRequest, Probe, ProbeRequest, RecogniseRequest, RenderRequest, Rendered, Reply, Request, Stage,
};
use std::io;
use std::panic::{self, AssertUnwindSafe};

/// Items sent in one reply.
const ITEMS_PER_REPLY: usize = 500;

/// Serves requests until there are no more.
///
/// # Errors
/// When the application can no longer be talked to.
pub fn serve(connection: &mut Connection) -> io::Result<()> {
    while let Some(request) = connection.next_request() {
        let mut replies = Replies {
            connection: &mut *connection,
            broken: None,
        };
        let outcome = panic::catch_unwind(AssertUnwindSafe(|| handle(&request, &mut replies)));
        let broken = replies.broken.take();
        let closing = match outcome {
            Ok(Ok(reply)) => reply,
            Ok(Err(error)) => Reply::Failed(error.into()),
            Err(_) => Reply::Failed(recto_core::Error::internal(
                "A fault in the reader of this file; other files are not affected.",
            )),
        };
        if let Some(error) = broken {
            return Err(error);
        }
        connection.send(&closing)?;
    }
    Ok(())
}

/// Where streamed replies go.
struct Replies<'c> {
    connection: &'c mut Connection,
    broken: Option<io::Error>,
}

impl Replies<'_> {
    fn send(&mut self, reply: &Reply) -> Result<()> {
        match self.connection.send(reply) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(Error::TooLarge {
                what: "a page or an item does not fit into a message".into(),
            }),
            Err(error) => {
                self.broken = Some(error);
                Err(Error::Cancelled)
            }
        }
    }
}

fn handle(request: &Request, replies: &mut Replies<'_>) -> Result<Reply> {
    match request {
        Request::Parse(request) => parse(request, replies),
        Request::Recognise(request) => recognise(request, replies),
        Request::Render(request) => draw(request),
        Request::Locate(request) => Ok(find(request)),
        Request::LocateInFile(request) => find_in_file(request, replies),
        Request::Convert(request) => convert(request, replies),
        Request::Probe(request) => probe(request),
        Request::Detach(request) => detach(request),
    }
}

fn parse(request: &ParseRequest, replies: &mut Replies<'_>) -> Result<Reply> {
    let bytes = open::load(&request.path, &request.limits)?;
    let options = Options {
        file_name: request.file_name.clone(),
        password: request.password.clone(),
        pages: None,
        skip_pages: request.skip_pages.clone(),
        limits: request.limits,
        recognition: request.recognition.clone(),
    };
    let mut sent_info = None;
    let mut scanned = None;
    let read = open::read(
        &bytes,
        &options,
        &mut Stream {
            replies: &mut *replies,
            first_page: request.first_page,
            sent_info: &mut sent_info,
            scanned: &mut scanned,
        },
    );
    if let Some(pages) = scanned {
        return Ok(Reply::Scanned(pages));
    }
    let document = read?;
    if sent_info.as_ref() != Some(&document.info) {
        replies.send(&Reply::Info(document.info))?;
    }
    for items in document.items.chunks(ITEMS_PER_REPLY) {
        replies.send(&Reply::Items(items.to_vec()))?;
    }
    Ok(Reply::Done)
}

fn recognise(request: &RecogniseRequest, replies: &mut Replies<'_>) -> Result<Reply> {
    let bytes = open::load(&request.path, &request.limits)?;
    let options = Options {
        file_name: request.file_name.clone(),
        password: request.password.clone(),
        limits: request.limits,
        ..Options::default()
    };
    let recognised = open::recognise(&bytes, &options, request.page, &mut Ticker(replies))?;
    output::write(&request.output, &recognised)?;
    Ok(Reply::Recognised)
}

/// Sends pages as they are finished.
struct Stream<'s, 'c> {
    replies: &'s mut Replies<'c>,
    first_page: u32,
    sent_info: &'s mut Option<DocumentInfo>,
    /// Set where the reading was stopped because others are to recognise these pages first.
    scanned: &'s mut Option<Vec<u32>>,
}

impl Sink for Stream<'_, '_> {
    fn step(&mut self, step: Step<'_>) -> Result<()> {
        match step {
            Step::Info(info) => {
                *self.sent_info = Some(info.clone());
                self.replies.send(&Reply::Info(info.clone()))
            }
            Step::Page { page, .. } if page.number >= self.first_page => self.replies.send(&Reply::Page(page.clone())),
            Step::Page { page, total } => self.replies.send(&progress(page.number, total, Stage::Reading)),
            Step::Recognising { page, total } => self.replies.send(&progress(page - 1, total, Stage::Recognising)),
            Step::Scanned(pages) => {
                *self.scanned = Some(pages.to_vec());
                Err(Error::Cancelled)
            }
            Step::Gap(gap) if gap.page >= self.first_page => self.replies.send(&Reply::Gap(gap.clone())),
            Step::Gap(_) => Ok(()),
            Step::Structuring => self.replies.send(&progress(0, 0, Stage::Structuring)),
        }
    }
}

fn progress(done: u32, total: u32, stage: Stage) -> Reply {
    Reply::Progress { done, total, stage }
}

/// Reports progress only.
struct Ticker<'s, 'c>(&'s mut Replies<'c>);

impl Sink for Ticker<'_, '_> {
    fn step(&mut self, step: Step<'_>) -> Result<()> {
        match step {
            Step::Page { page, total } => self.0.send(&progress(page.number, total, Stage::Reading)),
            Step::Recognising { page, total } => self.0.send(&progress(page - 1, total, Stage::Recognising)),
            Step::Structuring => self.0.send(&progress(0, 0, Stage::Structuring)),
            Step::Info(_) | Step::Gap(_) | Step::Scanned(_) => Ok(()),
        }
    }
}

fn draw(request: &RenderRequest) -> Result<Reply> {
    let bytes = open::load(&request.path, &recto_worker::ParseLimits::default())?;
    let picture = render::page(
        &bytes,
        request.password.as_deref(),
        &Drawing {
            page: request.page,
            size: request.size,
            highlights: &request.highlights,
            crop: request.crop,
        },
    )?;
    output::write(&request.output, &picture.encode(request.format)?)?;
    Ok(Reply::Rendered(Rendered {
        width: picture.width,
        height: picture.height,
    }))
}

fn find(request: &LocateRequest) -> Reply {
    Reply::Located(locate::locate(
        &request.pages,
        &request.items,
        &request.quote,
        &request.hint,
    ))
}

fn find_in_file(request: &LocateInFileRequest, replies: &mut Replies<'_>) -> Result<Reply> {
    let bytes = open::load(&request.path, &request.limits)?;
    let options = Options {
        file_name: request.file_name.clone(),
        password: request.password.clone(),
        limits: request.limits,
        ..Options::default()
    };
    let document = open::read(&bytes, &options, &mut Ticker(replies))?;
    let items: Vec<(String, String)> = match document.pages.is_empty() {
        true => document
            .items
            .into_iter()
            .map(|item| (item.self_ref, item.text))
            .collect(),
        false => Vec::new(),
    };
    Ok(Reply::Located(locate::locate(
        &document.pages,
        &items,
        &request.quote,
        &request.hint,
    )))
}

fn convert(request: &ConvertRequest, replies: &mut Replies<'_>) -> Result<Reply> {
    if request.pages.is_some_and(|(first, last)| first == 0 || first > last) {
        return Err(Error::InvalidArgument {
            what: "The range of pages must go from a first page, at least 1, to a last page.".into(),
        });
    }
    let bytes = open::load(&request.path, &request.limits)?;
    // Drawings show what is understood of the whole file, on the pages asked for.
    let drawn = matches!(request.to, ConvertFormat::Svg(_) | ConvertFormat::Png(_));
    let options = Options {
        file_name: request.file_name.clone(),
        password: request.password.clone(),
        pages: if drawn { None } else { request.pages },
        skip_pages: Vec::new(),
        limits: request.limits,
        ..Options::default()
    };
    let document = open::read(&bytes, &options, &mut Ticker(replies))?;
    replies.send(&progress(0, 0, Stage::Writing))?;
    write(&document, &bytes, request, replies)?;
    Ok(Reply::Converted(Converted {
        pages: u32::try_from(document.pages.len()).unwrap_or(u32::MAX),
        gaps: document.info.gaps,
    }))
}

fn draw_layer(
    bytes: &[u8],
    document: &Document,
    request: &ConvertRequest,
    layer: Layer,
    format: SheetFormat,
    replies: &mut Replies<'_>,
) -> Result<()> {
    let source = layers::Source {
        document,
        bytes,
        file_name: &request.file_name,
        password: request.password.as_deref(),
        pages: request.pages,
    };
    layers::draw(&source, layer, format, &mut |page, sheet| {
        output::write(&request.output.join(format.file_name(page)), &sheet)?;
        replies.send(&progress(page, document.info.page_count, Stage::Writing))
    })
}

fn write(document: &Document, bytes: &[u8], request: &ConvertRequest, replies: &mut Replies<'_>) -> Result<()> {
    let json = |value: serde_json::Result<String>| {
        value.map_err(|error| Error::Internal {
            what: format!("The document could not be written as JSON: {error}."),
        })
    };
    let text = match request.to {
        ConvertFormat::Json => json(serde_json::to_string(document))?,
        ConvertFormat::Md => export::markdown(document),
        ConvertFormat::Docling => {
            let name = request
                .file_name
                .rsplit_once('.')
                .map_or(request.file_name.as_str(), |(stem, _)| stem);
            json(serde_json::to_string(&export::docling(document, name)))?
        }
        ConvertFormat::Words => json(serde_json::to_string(&export::words(document)))?,
        ConvertFormat::Text => export::text(document),
        ConvertFormat::Svg(layer) => return draw_layer(bytes, document, request, layer, SheetFormat::Svg, replies),
        ConvertFormat::Png(layer) => return draw_layer(bytes, document, request, layer, SheetFormat::Png, replies),
    };
    output::write(&request.output, text.as_bytes())
}

fn detach(request: &DetachRequest) -> Result<Reply> {
    let bytes = open::load(&request.path, &request.limits)?;
    let options = Options {
        file_name: request.file_name.clone(),
        password: request.password.clone(),
        limits: request.limits,
        ..Options::default()
    };
    let mut attachments = Vec::new();
    for (number, (attachment, bytes)) in open::attachments(&bytes, &options)?.into_iter().enumerate() {
        output::write(&request.folder.join(number.to_string()), &bytes)?;
        attachments.push(attachment);
    }
    Ok(Reply::Detached(attachments))
}

fn probe(request: &ProbeRequest) -> Result<Reply> {
    let bytes = open::load(&request.path, &request.limits)?;
    let options = Options {
        file_name: request.file_name.clone(),
        password: request.password.clone(),
        limits: request.limits,
        ..Options::default()
    };
    let (info, pages) = open::probe(&bytes, &options)?;
    let pages = pages
        .into_iter()
        .map(|page| PageSize {
            number: page.number,
            label: page.label,
            width: page.width,
            height: page.height,
        })
        .collect();
    Ok(Reply::Probed(Probe { info, pages }))
}
