//! `ask --pages DIR`: every cited page as a picture with its highlights.

use crate::failure::Failure;
use crate::output::Output;
use crate::output::json::PageFile;
use crate::output::terminal::{one_line, slug};
use recto_engine::contract::{Answer, Citation, CitationBox};
use recto_engine::{Engine, ImageFormat, PageImageRequest};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Pixels across a page: an A4 page at 150 dots per inch.
pub(crate) const PAGE_WIDTH: u32 = 1240;

/// A cited page, with all that the answer cites on it.
#[derive(Debug, PartialEq)]
struct Picture<'a> {
    /// The first citation that names the page.
    citation: &'a Citation,
    page: u32,
    highlights: Vec<CitationBox>,
    /// Numbers of the citations.
    citations: Vec<u32>,
}

/// Writes the pictures into `folder`, which is made where it is missing. Stops at the first failure; what was written
/// until then is returned beside it.
pub(crate) async fn write(
    engine: &Arc<Engine>,
    answer: &Answer,
    folder: &Path,
    output: &Output,
) -> (Vec<PageFile>, Option<Failure>) {
    let mut files = Vec::new();
    let failure = write_all(engine, answer, folder, output, &mut files).await.err();
    (files, failure)
}

async fn write_all(
    engine: &Arc<Engine>,
    answer: &Answer,
    folder: &Path,
    output: &Output,
    files: &mut Vec<PageFile>,
) -> Result<(), Failure> {
    for citation in answer
        .citations
        .iter()
        .filter(|citation| cited_pages(citation).is_empty())
    {
        let title = one_line(&citation.title);
        output.note(&format!("[{}] is not drawn: “{title}” has no pages.", citation.index));
    }
    let pictures = plan(&answer.citations);
    if pictures.is_empty() {
        return Ok(());
    }
    std::fs::create_dir_all(folder).map_err(|error| Failure::write(folder, &error))?;
    for (picture, name) in pictures.iter().zip(names(&pictures)) {
        let image = engine
            .page_image(PageImageRequest {
                collection: picture.citation.collection.clone(),
                document_id: picture.citation.document_id.clone(),
                sha256: Some(picture.citation.sha256.clone()).filter(|sha256| !sha256.is_empty()),
                page: picture.page,
                width_px: PAGE_WIDTH,
                crop: None,
                highlights: picture.highlights.clone(),
                format: ImageFormat::Png,
            })
            .await?;
        let path = folder.join(name);
        std::fs::write(&path, &image.bytes).map_err(|error| Failure::write(&path, &error))?;
        files.push(PageFile {
            path: Some(path.to_string_lossy().into_owned()),
            document_id: Some(picture.citation.document_id.clone()),
            page: picture.page,
            width: image.width,
            height: image.height,
            citations: picture.citations.clone(),
        });
    }
    Ok(())
}

/// The pages of a citation, each once, ascending.
fn cited_pages(citation: &Citation) -> BTreeSet<u32> {
    citation.pages.iter().map(|page| page.number).collect()
}

/// One picture for each cited page, in the order they are first cited. Two citations of a page share its picture.
fn plan(citations: &[Citation]) -> Vec<Picture<'_>> {
    let mut pictures: Vec<Picture<'_>> = Vec::new();
    for citation in citations {
        for page in cited_pages(citation) {
            let at = pictures
                .iter()
                .position(|picture| picture.page == page && same_file(picture.citation, citation));
            let at = at.unwrap_or_else(|| {
                pictures.push(Picture {
                    citation,
                    page,
                    highlights: Vec::new(),
                    citations: Vec::new(),
                });
                pictures.len() - 1
            });
            let Some(picture) = pictures.get_mut(at) else {
                continue;
            };
            for highlight in citation.boxes.iter().filter(|highlight| highlight.page == page) {
                if !picture.highlights.contains(highlight) {
                    picture.highlights.push(*highlight);
                }
            }
            picture.citations.push(citation.index);
        }
    }
    pictures
}

/// Titles may be shared; what is the same file is told by collection, document and bytes.
fn same_file(one: &Citation, other: &Citation) -> bool {
    one.collection == other.collection && one.document_id == other.document_id && one.sha256 == other.sha256
}

/// A name for each picture, no two alike in a file system that ignores case: `<title>-p<page>.png`.
fn names(pictures: &[Picture<'_>]) -> Vec<String> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut names = Vec::new();
    for picture in pictures {
        let title = slug(&picture.citation.title);
        let page = picture.page;
        // The end of an id is the part that differs between documents added together.
        let id = &picture.citation.document_id;
        let tail = slug(id.get(id.len().saturating_sub(8)..).unwrap_or(id));
        let mut name = format!("{title}-p{page}.png");
        let mut attempt = 1;
        while !taken.insert(name.clone()) {
            name = match attempt {
                1 => format!("{title}-{tail}-p{page}.png"),
                _ => format!("{title}-{tail}-{attempt}-p{page}.png"),
            };
            attempt += 1;
        }
        names.push(name);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use recto_engine::contract::{BoxKind, Locator, Mark, NumberCheck, PageName, QuoteBy, Verdict};

    fn citation(index: u32, document_id: &str, title: &str, pages: &[u32]) -> Citation {
        Citation {
            index,
            collection: "Library".to_owned(),
            document_id: document_id.to_owned(),
            title: title.to_owned(),
            uri: "/files/a.pdf".to_owned(),
            section_title: None,
            headings: Vec::new(),
            section_ids: Vec::new(),
            pages: pages.iter().map(|&number| PageName { number, label: None }).collect(),
            chunk_ids: Vec::new(),
            doc_item_refs: Vec::new(),
            sha256: "00".to_owned(),
            locator: Locator::Heading { path: Vec::new() },
            quote: "words".to_owned(),
            quote_by: QuoteBy::Answer,
            verdict: Verdict::Verbatim,
            mark: Mark::Proven,
            numbers: NumberCheck::default(),
            boxes: pages
                .iter()
                .map(|&page| CitationBox {
                    page,
                    left: 1.0,
                    top: 1.0,
                    right: 2.0,
                    bottom: 2.0 + index as f32,
                    kind: BoxKind::Quote,
                })
                .collect(),
            spans: Vec::new(),
        }
    }

    #[test]
    fn two_citations_of_a_page_share_its_picture() {
        let citations = [citation(1, "a", "One", &[3, 4]), citation(2, "a", "One", &[3])];
        let pictures = plan(&citations);
        let summary: Vec<(u32, &[u32], usize)> = pictures
            .iter()
            .map(|picture| (picture.page, picture.citations.as_slice(), picture.highlights.len()))
            .collect();
        assert_eq!(summary, [(3, &[1, 2][..], 2), (4, &[1][..], 1)]);
    }

    #[test]
    fn documents_of_one_title_get_pictures_of_their_own() {
        let citations = [
            citation(1, "0190-aaaaaaaa", "Report", &[3]),
            citation(2, "0190-bbbbbbbb", "report!", &[3]),
            citation(3, "0191-bbbbbbbb", "Report", &[3]),
        ];
        let pictures = plan(&citations);
        assert_eq!(
            names(&pictures),
            ["report-p3.png", "report-bbbbbbbb-p3.png", "report-bbbbbbbb-2-p3.png"]
        );
    }

    #[test]
    fn a_hostile_title_stays_inside_the_folder() {
        let citations = [citation(1, "a", "../../etc/\u{0}passwd", &[1])];
        assert_eq!(names(&plan(&citations)), ["etc-passwd-p1.png"]);
    }

    #[test]
    fn a_document_without_pages_has_no_picture() {
        assert!(plan(&[citation(1, "a", "Notes", &[])]).is_empty());
    }
}
