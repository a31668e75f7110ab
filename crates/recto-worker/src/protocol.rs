//! What the application and a worker say to each other.
//!
//! One request is answered by zero or more streamed replies and then exactly one closing reply; [`Reply::is_closing`]
//! tells which is which. A worker handles one request at a time. Messages are postcard. A message travels as frames of
//! at most [`MAX_FRAME_BYTES`], laid out as `tokio_util::codec::LengthDelimitedCodec` does by default: four bytes of
//! length, big-endian, then the payload. The first payload byte says whether more of the message follows, so a message
//! may be larger than a frame without either side having to care.
//!
//! Bitmaps and exports never travel here: the worker writes them to the file the request names.

use recto_core::{
    Attachment, CitedBox, DocumentInfo, Error, ErrorCode, Gap, Item, LocateHint, Page, QuoteMatch, Rect, Result,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};
use std::path::PathBuf;

/// Largest payload of a frame in bytes, the continuation byte included.
pub const MAX_FRAME_BYTES: usize = 4 * 1024 * 1024;

/// Largest message in bytes. A worker that sends more is taken for broken.
pub const MAX_MESSAGE_BYTES: usize = 256 * 1024 * 1024;

const LAST: u8 = 0;
const MORE: u8 = 1;

/// What a worker is asked to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Read a file; answered by `Info`, `Page`, `Gap`, `Progress`, `Items` and then `Done`, or by `Scanned`.
    Parse(ParseRequest),
    /// Recognise the text of one page and write it into a file; answered by `Progress` and then `Recognised`.
    Recognise(RecogniseRequest),
    /// Draw a page into a file; answered by `Rendered`.
    Render(RenderRequest),
    /// Find a quote in stored text; answered by `Located`.
    Locate(LocateRequest),
    /// Find a quote in a file; answered by `Located`.
    LocateInFile(LocateInFileRequest),
    /// Export a file; answered by `Progress` and then `Converted`.
    Convert(ConvertRequest),
    /// Look at a file without reading its text; answered by `Probed`.
    Probe(ProbeRequest),
    /// Write the files inside a file into a folder; answered by `Detached`.
    Detach(DetachRequest),
}

/// How much of a file is read at most. Exceeding a limit is `too_large`, and the message names the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParseLimits {
    /// Size of the file in bytes.
    pub max_bytes: u64,
    /// Number of pages.
    pub max_pages: u32,
    /// Pixels of one image.
    pub max_image_pixels: u64,
    /// Unpacked bytes of an archive.
    pub max_unpacked_bytes: u64,
    /// Unpacked size of an archive by its packed size.
    pub max_expansion: u32,
}

impl Default for ParseLimits {
    fn default() -> Self {
        Self {
            max_bytes: 2 << 30,
            max_pages: 20_000,
            max_image_pixels: 100_000_000,
            max_unpacked_bytes: 4 << 30,
            max_expansion: 200,
        }
    }
}

/// Asks for a file's pages and items.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ParseRequest {
    /// The file. It may be stored under its hash, so nothing is read from this name.
    pub path: PathBuf,
    /// The file's name where it came from; its extension tells text formats apart.
    pub file_name: String,
    /// The user password.
    pub password: Option<String>,
    /// 1-based first page to send; 0 and 1 both mean from the beginning. Larger after a crash: the pages before it
    /// have been received. The worker reads them once more for the structure of the whole, but sends a `Progress` in
    /// place of each, so that the pool knows which page to blame should it crash again.
    pub first_page: u32,
    /// 1-based pages, ascending, at which an earlier worker crashed or hung. The worker leaves them alone and does not
    /// report them: the pool records them as gaps itself.
    pub skip_pages: Vec<u32>,
    /// How much is read at most.
    pub limits: ParseLimits,
    /// Who recognises the text of its scanned pages.
    pub recognition: Recognition,
}

/// Who recognises the text of scanned pages.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Recognition {
    /// The worker that reads the file, one page after the other.
    #[default]
    Here,
    /// Several workers: where more than one page needs it, the request ends with `Scanned` at the first of them.
    Elsewhere,
    /// It has been done, and is in this folder: a file for each page, written by a [`RecogniseRequest`] and named by
    /// [`recognised_file`]. A page without one is recognised by the worker that reads.
    Done(PathBuf),
}

/// The name of the file with the recognised text of a page.
#[must_use]
pub fn recognised_file(page: u32) -> String {
    format!("page-{page}")
}

/// Asks for the text of a page that is in its pixels.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RecogniseRequest {
    /// The file.
    pub path: PathBuf,
    /// The file's name where it came from.
    pub file_name: String,
    /// The user password.
    pub password: Option<String>,
    /// How much is read at most.
    pub limits: ParseLimits,
    /// 1-based page number.
    pub page: u32,
    /// The file to write, for the worker that reads the whole. It appears whole or not at all.
    pub output: PathBuf,
}

/// How large a page is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum RenderSize {
    /// Pixels per point: 1.0 is 72 dots per inch.
    Scale(f32),
    /// Pixels across the whole page, also when only a part is drawn.
    Width(u32),
}

/// How a bitmap is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ImageFormat {
    /// PNG.
    Png,
    /// Windows bitmap, 24 or 32 bits.
    Bmp,
    /// Rows of RGBA bytes from the top, without padding or header.
    Raw,
}

/// Asks for a picture of a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RenderRequest {
    /// The file.
    pub path: PathBuf,
    /// The user password.
    pub password: Option<String>,
    /// 1-based page number.
    pub page: u32,
    /// How large.
    pub size: RenderSize,
    /// Boxes to draw over the page, in points of the displayed page. Those of other pages are ignored.
    pub highlights: Vec<CitedBox>,
    /// The part to draw, in points of the displayed page; `None` is the whole page.
    pub crop: Option<Rect>,
    /// How it is written.
    pub format: ImageFormat,
    /// The file to write. It appears whole or not at all.
    pub output: PathBuf,
}

/// Asks for the places of a quote in text that has been parsed before.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct LocateRequest {
    /// The pages to look at, in order; empty for formats without pages.
    pub pages: Vec<Page>,
    /// For formats without pages: `self_ref` and text of each item, in reading order.
    pub items: Vec<(String, String)>,
    /// The words to find.
    pub quote: String,
    /// Where to prefer a match.
    pub hint: LocateHint,
}

/// Asks for the places of a quote in a file.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct LocateInFileRequest {
    /// The file.
    pub path: PathBuf,
    /// The file's name where it came from.
    pub file_name: String,
    /// The user password.
    pub password: Option<String>,
    /// The words to find.
    pub quote: String,
    /// Where to prefer a match.
    pub hint: LocateHint,
    /// How much is read at most.
    pub limits: ParseLimits,
}

/// What a file is exported to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ConvertFormat {
    /// The document as Recto understands it.
    Json,
    /// Markdown.
    Md,
    /// Docling's document, boxes from the bottom left.
    Docling,
    /// The words of each page with their boxes.
    Words,
    /// Plain text of each page.
    Text,
    /// What was understood, drawn over every page: `output` is a folder, which must exist, and gets a file per page,
    /// `page-0003.svg`.
    Svg(Layer),
    /// The same as pictures, `page-0003.png`.
    Png(Layer),
}

/// What is drawn over the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// Words; recognised ones by confidence.
    Words,
    /// Lines, numbered.
    Lines,
    /// Blocks of lines, numbered.
    Blocks,
    /// Items by label.
    Items,
    /// Tables with their cells.
    Tables,
    /// The reading order.
    Order,
}

/// Asks for an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConvertRequest {
    /// The file.
    pub path: PathBuf,
    /// The file's name where it came from.
    pub file_name: String,
    /// The user password.
    pub password: Option<String>,
    /// The format to write.
    pub to: ConvertFormat,
    /// 1-based first and last page, both included; `None` is the whole file.
    pub pages: Option<(u32, u32)>,
    /// How much is read at most.
    pub limits: ParseLimits,
    /// The file to write, or the folder to write drawings into. Files appear whole or not at all.
    pub output: PathBuf,
}

/// Asks what a file is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ProbeRequest {
    /// The file.
    pub path: PathBuf,
    /// The file's name where it came from.
    pub file_name: String,
    /// The user password.
    pub password: Option<String>,
    /// How much is read at most.
    pub limits: ParseLimits,
}

/// Asks for the files inside a file: attachments of a PDF or a message.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DetachRequest {
    /// The file.
    pub path: PathBuf,
    /// The file's name where it came from.
    pub file_name: String,
    /// The user password.
    pub password: Option<String>,
    /// How much is read at most.
    pub limits: ParseLimits,
    /// An existing folder. The files are written there as `0`, `1` and so on in the order of the answer: names come
    /// from the file and are never used as paths. Each appears whole or not at all.
    pub folder: PathBuf,
}

/// What the worker is busy with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Reading pages; `done` is the number of the last page finished.
    Reading,
    /// Recognising text from pixels.
    Recognising,
    /// Making items out of pages.
    Structuring,
    /// Writing the output.
    Writing,
}

/// Displayed size of a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageSize {
    /// 1-based page number.
    pub number: u32,
    /// Printed label, where it is known.
    pub label: Option<String>,
    /// Width in points, after crop box, rotation and user unit.
    pub width: f32,
    /// Height in points.
    pub height: f32,
}

/// What a file is, without its text.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Probe {
    /// Title, type, page count, bookmarks.
    pub info: DocumentInfo,
    /// One entry per page, in order.
    pub pages: Vec<PageSize>,
}

/// Size of a drawn picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rendered {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// What an export holds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Converted {
    /// Pages read; 0 for formats without pages.
    pub pages: u32,
    /// Pages that could not be read.
    pub gaps: Vec<Gap>,
}

/// What a worker answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Reply {
    /// What is known about the file. Sent once before the first page; may be sent again later, for example with a
    /// title found among the headings, and then replaces the first.
    Info(DocumentInfo),
    /// A finished page. Pages come in ascending order.
    Page(Page),
    /// A page the worker could not read, in its place in the order of the pages.
    Gap(Gap),
    /// Some items, in reading order; several batches in a row.
    Items(Vec<Item>),
    /// Work goes on. Any reply renews the deadline; this one is sent when nothing else is.
    Progress {
        /// Finished, in units of the stage.
        done: u32,
        /// All there is to do; 0 when it is not known.
        total: u32,
        /// With what.
        stage: Stage,
    },
    /// Closes a `Parse`.
    Done,
    /// Closes a `Parse` whose scanned pages are to be recognised elsewhere: their 1-based numbers, ascending, from the
    /// first one that was not sent.
    Scanned(Vec<u32>),
    /// Closes a `Recognise`.
    Recognised,
    /// Closes a `Render`.
    Rendered(Rendered),
    /// Closes a `Locate` or `LocateInFile`: best first, empty when nothing is near enough.
    Located(Vec<QuoteMatch>),
    /// Closes a `Convert`.
    Converted(Converted),
    /// Closes a `Probe`.
    Probed(Probe),
    /// Closes a `Detach`: the files in the order of their numbers.
    Detached(Vec<Attachment>),
    /// Closes any request that failed. The worker is fit for the next one.
    Failed(Error),
}

impl Reply {
    /// Whether this reply ends its request.
    #[must_use]
    pub fn is_closing(&self) -> bool {
        match self {
            Self::Info(_) | Self::Page(_) | Self::Gap(_) | Self::Items(_) | Self::Progress { .. } => false,
            Self::Done
            | Self::Scanned(_)
            | Self::Recognised
            | Self::Rendered(_)
            | Self::Located(_)
            | Self::Converted(_)
            | Self::Probed(_)
            | Self::Detached(_)
            | Self::Failed(_) => true,
        }
    }
}

/// Encodes a message as the payloads of its frames; each is at most [`MAX_FRAME_BYTES`] and begins with the
/// continuation byte.
///
/// # Errors
/// `too_large` over [`MAX_MESSAGE_BYTES`].
pub fn encode<M: Serialize>(message: &M) -> Result<Vec<Vec<u8>>> {
    let bytes = postcard::to_stdvec(message)
        .map_err(|error| Error::internal(format!("A message for the worker could not be encoded: {error}.")))?;
    if bytes.len() > MAX_MESSAGE_BYTES {
        return Err(Error::new(
            ErrorCode::TooLarge,
            format!("A message of {} MiB is over the limit of 256 MiB.", bytes.len() >> 20),
        ));
    }
    let parts = bytes.chunks(MAX_FRAME_BYTES - 1);
    let last = parts.len().saturating_sub(1);
    let frames: Vec<Vec<u8>> = parts
        .enumerate()
        .map(|(index, part)| {
            let mut payload = Vec::with_capacity(part.len() + 1);
            payload.push(if index == last { LAST } else { MORE });
            payload.extend_from_slice(part);
            payload
        })
        .collect();
    // A message without bytes still needs its one frame.
    Ok(if frames.is_empty() { vec![vec![LAST]] } else { frames })
}

/// Puts the payloads of frames together again.
#[derive(Debug, Default)]
pub struct Assembler {
    bytes: Vec<u8>,
}

impl Assembler {
    /// Takes the payload of the next frame; returns the message once it is whole.
    ///
    /// # Errors
    /// `internal` when the bytes are no message or the message is over [`MAX_MESSAGE_BYTES`]; the peer is then broken.
    pub fn push<M: DeserializeOwned>(&mut self, payload: &[u8]) -> Result<Option<M>> {
        let Some((&continuation, part)) = payload.split_first() else {
            return Err(Error::internal("The worker protocol was broken by an empty frame."));
        };
        if self.bytes.len() + part.len() > MAX_MESSAGE_BYTES {
            return Err(Error::internal(
                "The worker protocol was broken by an oversized message.",
            ));
        }
        let decode = |bytes: &[u8]| {
            postcard::from_bytes(bytes).map_err(|error| {
                Error::internal(format!(
                    "The worker protocol was broken by an unreadable message: {error}."
                ))
            })
        };
        match (continuation, self.bytes.is_empty()) {
            (LAST, true) => decode(part).map(Some),
            (LAST, false) => {
                self.bytes.extend_from_slice(part);
                decode(&std::mem::take(&mut self.bytes)).map(Some)
            }
            (MORE, _) => {
                self.bytes.extend_from_slice(part);
                Ok(None)
            }
            _ => Err(Error::internal("The worker protocol was broken by an unknown frame.")),
        }
    }
}

/// Writes a message, and flushes.
///
/// # Errors
/// Those of the writer; `InvalidData` for a message that is too large.
pub fn write_message<M: Serialize>(writer: &mut impl Write, message: &M) -> io::Result<()> {
    let frames = encode(message).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    for payload in frames {
        let length = u32::try_from(payload.len()).expect("BUG: a frame is at most 4 MiB");
        writer.write_all(&length.to_be_bytes())?;
        writer.write_all(&payload)?;
    }
    writer.flush()
}

/// Reads a message; `None` when the peer closed the connection between two messages.
///
/// # Errors
/// Those of the reader; `UnexpectedEof` inside a message, `InvalidData` for bytes that are none.
pub fn read_message<M: DeserializeOwned>(reader: &mut impl Read) -> io::Result<Option<M>> {
    let mut assembler = Assembler::default();
    let mut payload = Vec::new();
    let mut begun = false;
    loop {
        let mut length = [0; 4];
        let first = loop {
            match reader.read(&mut length[..1]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other?,
            }
        };
        if first == 0 {
            return if begun {
                Err(io::ErrorKind::UnexpectedEof.into())
            } else {
                Ok(None)
            };
        }
        begun = true;
        reader.read_exact(&mut length[1..])?;
        let length = u32::from_be_bytes(length) as usize;
        if length > MAX_FRAME_BYTES {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "frame over the limit"));
        }
        payload.resize(length, 0);
        reader.read_exact(&mut payload)?;
        let message = assembler
            .push(&payload)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        if message.is_some() {
            return Ok(message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use recto_core::{Link, LinkTarget, Locator, Picture, TableGrid};

    /// Everything an item can carry survives the way between the processes.
    #[test]
    fn items_of_every_format_are_read_as_they_were_written() {
        let locators = [
            None,
            Some(Locator::Page { pages: vec![3, 4] }),
            Some(Locator::Slide { number: 2 }),
            Some(Locator::Sheet {
                name: "Sales".into(),
                range: "B3:D9".into(),
            }),
            Some(Locator::Heading {
                path: vec!["Notes".into()],
            }),
            Some(Locator::Part { name: "body".into() }),
        ];
        let items: Vec<Item> = locators
            .into_iter()
            .map(|locator| Item {
                text: "Text.".into(),
                parent: Some("#/tables/0".into()),
                continues: Some("#/tables/1".into()),
                picture: Some(Picture {
                    sha256: "ab".into(),
                    width: 64,
                    height: 80,
                }),
                table: Some(TableGrid::default()),
                locator,
                ..Item::default()
            })
            .collect();
        let links = [LinkTarget::Uri("https://example.org".into()), LinkTarget::Page(7)];
        let page = Page {
            number: 1,
            links: links
                .into_iter()
                .map(|target| Link {
                    rect: Rect::default(),
                    target,
                })
                .collect(),
            ..Page::default()
        };
        for reply in [Reply::Items(items), Reply::Page(page)] {
            let mut bytes = Vec::new();
            write_message(&mut bytes, &reply).expect("written");
            assert_eq!(read_message(&mut bytes.as_slice()).expect("read"), Some(reply));
        }
    }

    fn page(number: u32, text: String) -> Page {
        Page {
            number,
            width: 612.0,
            height: 792.0,
            text,
            ..Page::default()
        }
    }

    #[test]
    fn a_message_larger_than_a_frame_arrives_whole_in_frames_within_the_limit() {
        let request = Request::Locate(LocateRequest {
            pages: vec![
                page(1, "x".repeat(MAX_FRAME_BYTES)),
                page(2, "y".repeat(MAX_FRAME_BYTES)),
            ],
            quote: "xy".into(),
            ..LocateRequest::default()
        });
        let frames = encode(&request).expect("encodes");
        assert_eq!(frames.len(), 3);
        assert!(frames.iter().all(|frame| frame.len() <= MAX_FRAME_BYTES));

        let mut wire = Vec::new();
        write_message(&mut wire, &request).expect("writes");
        let back: Request = read_message(&mut wire.as_slice()).expect("reads").expect("is there");
        assert_eq!(back, request);
    }

    #[test]
    fn an_end_between_messages_is_quiet_and_an_end_inside_one_is_an_error() {
        let mut wire = Vec::new();
        write_message(&mut wire, &Reply::Done).expect("writes");
        let mut reader = wire.as_slice();
        assert_eq!(read_message(&mut reader).expect("reads"), Some(Reply::Done));
        assert_eq!(read_message::<Reply>(&mut reader).expect("ends"), None);

        write_message(&mut wire, &Reply::Page(page(1, "abc".into()))).expect("writes");
        for cut in 1..wire.len() {
            let mut reader = &wire[..cut];
            let outcome = loop {
                match read_message::<Reply>(&mut reader) {
                    Ok(Some(_)) => {}
                    other => break other,
                }
            };
            // Six bytes are the whole first message.
            assert_eq!(outcome.is_err(), cut != 6, "cut at byte {cut}");
        }
    }

    #[test]
    fn a_frame_that_claims_to_be_huge_is_refused_before_anything_is_allocated() {
        let wire = u32::MAX.to_be_bytes();
        let error = read_message::<Reply>(&mut wire.as_slice()).expect_err("refuses");
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_never_break_the_reader(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let mut reader = bytes.as_slice();
            while let Ok(Some(_)) = read_message::<Reply>(&mut reader) {}
        }

        #[test]
        fn every_reply_survives_the_wire(number in 1u32..9999, text in ".{0,80}", reason in ".{0,40}") {
            let replies = [
                Reply::Page(page(number, text.clone())),
                Reply::Gap(Gap { page: number, reason: reason.clone() }),
                Reply::Failed(Error::new(ErrorCode::PasswordRequired, reason)),
                Reply::Progress { done: number, total: 0, stage: Stage::Structuring },
            ];
            let mut wire = Vec::new();
            for reply in &replies {
                write_message(&mut wire, reply).expect("writes");
            }
            let mut reader = wire.as_slice();
            for reply in &replies {
                prop_assert_eq!(&read_message::<Reply>(&mut reader).expect("reads").expect("is there"), reply);
            }
        }
    }
}
