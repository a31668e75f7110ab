//! `page`: a page as a picture, with a quote highlighted.

use crate::args::Page;
use crate::commands::target::{self, Target};
use crate::context::{Context, Need};
use crate::failure::{Ending, Failure, Result};
use crate::output::json::PageFile;
use crate::output::terminal::slug;
use crate::output::{Output, human};
use recto_engine::contract::{BoxKind, CitationBox, LocateMatch, LocateReport};
use recto_engine::{FileTools, ImageFormat, PageImage, PageImageRequest, Password};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The outcome of `page`.
#[derive(Debug, Serialize)]
struct PageReport {
    #[serde(flatten)]
    file: PageFile,
    /// The place that is highlighted; null where the words are not on this page, or none were given.
    highlighted: Option<LocateMatch>,
}

/// A drawn page, from wherever it came.
struct Drawn {
    title: String,
    document_id: Option<String>,
    image: Arc<PageImage>,
    found: Option<LocateReport>,
}

pub(crate) async fn run(context: &Context, output: &Output, arguments: Page) -> Result<Ending> {
    let to_stdout = arguments.output.as_deref() == Some(Path::new("-"));
    if to_stdout && output.is_json() {
        return Err(Failure::Usage(
            "--json and `-o -` both want standard output; choose one.".to_owned(),
        ));
    }
    let drawn = match target::read(&arguments.document)? {
        Target::File(path) => draw_file(&path, &arguments).await?,
        Target::Document(id) => draw_document(context, &id, &arguments).await?,
    };
    let highlighted = drawn
        .found
        .as_ref()
        .and_then(|found| best_on(found, arguments.page))
        .cloned();
    if let Some(found) = drawn.found.as_ref().filter(|_| highlighted.is_none()) {
        output.note(&elsewhere(found, arguments.page));
    }
    if to_stdout {
        output.raw(&drawn.image.bytes)?;
        return Ok(Ending::Done);
    }
    let path = arguments
        .output
        .unwrap_or_else(|| PathBuf::from(format!("{}-p{}.png", slug(&drawn.title), arguments.page)));
    if is_same_file(&path, Path::new(&arguments.document)) {
        return Err(Failure::Usage(format!(
            "{} is the document itself; name another file with -o.",
            path.display()
        )));
    }
    std::fs::write(&path, &drawn.image.bytes).map_err(|error| Failure::write(&path, &error))?;
    let report = PageReport {
        file: PageFile {
            path: Some(path.to_string_lossy().into_owned()),
            document_id: drawn.document_id,
            page: arguments.page,
            width: drawn.image.width,
            height: drawn.image.height,
            citations: Vec::new(),
        },
        highlighted,
    };
    output.result(&report, |_| path.to_string_lossy().into_owned())?;
    Ok(Ending::Done)
}

async fn draw_file(path: &Path, arguments: &Page) -> Result<Drawn> {
    let password = target::password(arguments.password_stdin)?;
    let tools = FileTools::new()?;
    let found = match &arguments.quote {
        Some(quote) => Some(
            tools
                .locate(path, password.as_deref(), quote, Some(arguments.page))
                .await?,
        ),
        None => None,
    };
    let highlights = highlights(found.as_ref(), arguments.page);
    let image = tools
        .page_image(
            path,
            password.as_deref(),
            arguments.page,
            arguments.width,
            highlights,
            ImageFormat::Png,
        )
        .await?;
    Ok(Drawn {
        title: path
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
            .unwrap_or_default(),
        document_id: None,
        image: Arc::new(image),
        found,
    })
}

async fn draw_document(context: &Context, id: &str, arguments: &Page) -> Result<Drawn> {
    let password = target::password(arguments.password_stdin)?.map(Password);
    context
        .with_engine(Need::Read, async |engine| {
            let document = engine.show(context.selected(), id).await?;
            let Some(document_id) = document.document_id else {
                return Err(Failure::not_found(format!("“{id}” cannot be shown yet.")));
            };
            let collections = [document.collection];
            if let Some(password) = password {
                engine
                    .unlock_document(Some(&collections), &document_id, password)
                    .await?;
            }
            let page = Some(arguments.page);
            let found = match &arguments.quote {
                Some(quote) => Some(engine.locate(Some(&collections), &document_id, quote, page).await?),
                None => None,
            };
            let [collection] = collections;
            let image = engine
                .page_image(PageImageRequest {
                    collection,
                    document_id: document_id.clone(),
                    sha256: None,
                    page: arguments.page,
                    width_px: arguments.width,
                    crop: None,
                    highlights: highlights(found.as_ref(), arguments.page),
                    format: ImageFormat::Png,
                })
                .await?;
            Ok(Drawn {
                title: document.title,
                document_id: Some(document_id),
                image,
                found,
            })
        })
        .await
}

/// The best match that has words on the page.
fn best_on(found: &LocateReport, page: u32) -> Option<&LocateMatch> {
    found
        .matches
        .iter()
        .find(|place| place.boxes.iter().any(|at| at.page == page))
}

fn highlights(found: Option<&LocateReport>, page: u32) -> Vec<CitationBox> {
    let Some(place) = found.and_then(|found| best_on(found, page)) else {
        return Vec::new();
    };
    let on_page = place.boxes.iter().filter(|at| at.page == page);
    on_page
        .map(|at| CitationBox {
            page,
            left: at.left,
            top: at.top,
            right: at.right,
            bottom: at.bottom,
            kind: BoxKind::Quote,
        })
        .collect()
}

/// What to say where the page is drawn without its quote.
fn elsewhere(found: &LocateReport, page: u32) -> String {
    let place = found.matches.first().and_then(|place| human::page_names(&place.pages));
    match place {
        Some(place) => format!("The quote is not on PDF {page}, but on {place}."),
        None => "The quote was not found; nothing is highlighted.".to_owned(),
    }
}

/// Whether both paths lead to the same existing file, through links or not.
pub(super) fn is_same_file(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use recto_engine::contract::{MatchKind, PageBox, PageName};

    fn place(pages: &[u32]) -> LocateMatch {
        LocateMatch {
            kind: MatchKind::Verbatim,
            pages: pages.iter().map(|&number| PageName { number, label: None }).collect(),
            text: "words".to_owned(),
            boxes: pages
                .iter()
                .map(|&page| PageBox {
                    page,
                    left: 1.0,
                    top: 2.0,
                    right: 3.0,
                    bottom: 4.0,
                })
                .collect(),
            spans: Vec::new(),
        }
    }

    #[test]
    fn only_the_best_match_on_the_page_is_highlighted() {
        let found = LocateReport {
            matches: vec![place(&[2]), place(&[3, 4]), place(&[3])],
        };
        let drawn = highlights(Some(&found), 3);
        assert_eq!(drawn.len(), 1);
        assert_eq!(drawn[0].page, 3);
        assert!(highlights(Some(&found), 9).is_empty());
    }

    #[test]
    fn a_quote_on_another_page_is_pointed_to() {
        let found = LocateReport {
            matches: vec![place(&[2])],
        };
        assert_eq!(elsewhere(&found, 3), "The quote is not on PDF 3, but on PDF 2.");
        assert!(elsewhere(&LocateReport::default(), 3).starts_with("The quote was not found"));
    }
}
