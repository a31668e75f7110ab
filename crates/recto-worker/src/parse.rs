//! Reading a file whatever becomes of the worker.
//!
//! A page at which a worker hangs, or at which two die, becomes a gap, and another worker goes on behind it. Items are
//! held back until all are there, so that a second attempt at the structure never mixes with the first. Where there are
//! several workers, they share the pages of a scan ([`crate::share`]).

use crate::pool::{WorkerPool, unexpected};
use crate::process::Stop;
use crate::protocol::{ParseRequest, Recognition, Reply, Request, Stage};
use crate::share;
use recto_core::{Document, DocumentInfo, Error, ErrorCode, Gap, Item, Page, Result};
use std::collections::BTreeSet;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// What is told while a file is read.
#[derive(Debug, Clone, PartialEq)]
pub enum ParseEvent {
    /// What is known about the file; may come again with more. Gaps are told apart, and all together at the end.
    Info(DocumentInfo),
    /// A finished page, in ascending order.
    Page(Page),
    /// A page that could not be read.
    Gap(Gap),
    /// Some items, in reading order. All come after the last page.
    Items(Vec<Item>),
    /// How far it is.
    Progress {
        /// Finished.
        done: u32,
        /// All; 0 when it is not known.
        total: u32,
        /// What is being done.
        stage: Stage,
    },
}

/// Receives [`ParseEvent`]s. It is called between replies of the worker and should not take long.
pub type OnParseEvent<'a> = dyn FnMut(ParseEvent) + Send + 'a;

impl WorkerPool {
    /// Reads a file. Events come as pages are finished; returned is what is known in the end, with all gaps by page.
    /// `first_page` and `skip_pages` of the request say where to begin, for a caller that has some pages already. Who
    /// recognises scanned pages is decided here, whatever the request says.
    ///
    /// # Errors
    /// The worker's own (`password_required`, `damaged`, `unsupported_type`, `too_large`, `empty`, …), or `cancelled`,
    /// `timed_out`, `out_of_memory`, or `damaged` when workers kept dying. No event follows an error.
    pub async fn parse(
        &self,
        request: ParseRequest,
        cancel: &CancellationToken,
        on_event: &mut OnParseEvent<'_>,
    ) -> Result<DocumentInfo> {
        let mut reading = Reading::new(ParseRequest {
            recognition: match self.options().workers {
                0 | 1 => Recognition::Here,
                _ => Recognition::Elsewhere,
            },
            ..request
        });
        // Kept until the file has been read.
        let mut recognised = None;
        loop {
            let loan = self.borrow(cancel).await?;
            let wire = Request::Parse(reading.request.clone());
            let options = self.options();
            let outcome = {
                let mut on_reply = |reply: Reply| {
                    reading.take(reply, on_event);
                    reading.patience(
                        options.page_deadline,
                        options.recognition_allowance,
                        options.deadline_per_100_pages,
                    )
                };
                self.exchange(loan, &wire, options.page_deadline, cancel, &mut on_reply)
                    .await?
            };
            match outcome {
                Ok(Reply::Done) => return reading.finish(on_event),
                Ok(Reply::Scanned(pages)) if reading.request.recognition == Recognition::Elsewhere => {
                    let folder = recognised.insert(share::folder()?).path();
                    let (total, mut left) = (reading.page_count(), u32::try_from(pages.len()).unwrap_or(u32::MAX));
                    let mut on_page = || {
                        left -= 1;
                        on_event(ParseEvent::Progress {
                            done: total.saturating_sub(left),
                            total,
                            stage: Stage::Recognising,
                        });
                    };
                    let lost = self
                        .recognise(&reading.request, &pages, folder, cancel, &mut on_page)
                        .await?;
                    reading.request.recognition = Recognition::Done(folder.to_owned());
                    reading.begin_again();
                    for (page, stop) in lost {
                        reading.at = page;
                        if !reading.give_up_page(lost_because(&stop), options.max_lost_pages, on_event) {
                            return Err(self.explain(stop));
                        }
                    }
                }
                Ok(other) => return Err(unexpected(&other)),
                Err(Stop::Died(reason)) => {
                    tracing::warn!(%reason, page = reading.at, "a worker died while reading");
                    if !reading.survives_death(options.max_lost_pages, on_event) {
                        return Err(self.explain(Stop::Died(reason)));
                    }
                }
                Err(Stop::TimedOut) => {
                    tracing::warn!(page = reading.at, "a worker hung while reading");
                    if !reading.survives_hang(options.max_lost_pages, on_event) {
                        return Err(self.explain(Stop::TimedOut));
                    }
                }
                Err(stop) => return Err(self.explain(stop)),
            }
        }
    }

    /// Reads a file and returns all of it at once.
    ///
    /// # Errors
    /// As for [`parse`](Self::parse).
    pub async fn parse_document(&self, request: ParseRequest, cancel: &CancellationToken) -> Result<Document> {
        let mut pages = Vec::new();
        let mut items = Vec::new();
        let info = self
            .parse(request, cancel, &mut |event| match event {
                ParseEvent::Page(page) => pages.push(page),
                ParseEvent::Items(batch) => items.extend(batch),
                ParseEvent::Info(_) | ParseEvent::Gap(_) | ParseEvent::Progress { .. } => {}
            })
            .await?;
        Ok(Document {
            info,
            pages,
            items,
            ..Document::default()
        })
    }
}

const STOPPED: &str = "The reader stopped unexpectedly at this page.";
const TOO_LONG: &str = "Reading this page took too long.";

/// What is said of a page that was given up when workers stopped at it.
fn lost_because(stop: &Stop) -> &'static str {
    match stop {
        Stop::TimedOut => TOO_LONG,
        Stop::Died(_) | Stop::OutOfMemory | Stop::Cancelled => STOPPED,
    }
}

/// The state of reading one file over several workers.
struct Reading {
    request: ParseRequest,
    info: Option<DocumentInfo>,
    gaps: Vec<Gap>,
    items: Vec<Vec<Item>>,
    stage: Stage,
    /// 1-based page the worker is at, the one to blame.
    at: u32,
    /// 1-based page the last worker died at, and where it stood when there was no page to blame.
    died_at: Option<(u32, Where)>,
    deaths: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Where {
    Opening,
    Page,
    AfterPages,
}

impl Reading {
    fn new(request: ParseRequest) -> Self {
        let at = request.first_page.max(1);
        Self {
            request: ParseRequest {
                first_page: at,
                ..request
            },
            info: None,
            gaps: Vec::new(),
            items: Vec::new(),
            stage: Stage::Reading,
            at,
            died_at: None,
            deaths: 0,
        }
    }

    fn take(&mut self, reply: Reply, on_event: &mut OnParseEvent<'_>) {
        match reply {
            Reply::Info(info) => {
                for gap in &info.gaps {
                    self.record(gap.clone(), on_event);
                }
                self.info = Some(info.clone());
                on_event(ParseEvent::Info(info));
            }
            Reply::Page(page) => {
                self.stage = Stage::Reading;
                self.at = page.number + 1;
                // A worker that reads earlier pages again may send them in spite of what it was told.
                if page.number >= self.request.first_page {
                    self.request.first_page = page.number + 1;
                    on_event(ParseEvent::Page(page));
                }
            }
            Reply::Gap(gap) => {
                self.at = gap.page + 1;
                self.record(gap, on_event);
            }
            Reply::Items(batch) => {
                self.stage = Stage::Structuring;
                self.items.push(batch);
            }
            Reply::Progress { done, total, stage } => {
                self.stage = stage;
                if stage == Stage::Reading {
                    self.at = done + 1;
                }
                on_event(ParseEvent::Progress { done, total, stage });
            }
            // Closing replies do not come here.
            Reply::Done
            | Reply::Scanned(_)
            | Reply::Recognised
            | Reply::Rendered(_)
            | Reply::Located(_)
            | Reply::Converted(_)
            | Reply::Probed(_)
            | Reply::Detached(_)
            | Reply::Failed(_) => {}
        }
    }

    fn record(&mut self, gap: Gap, on_event: &mut OnParseEvent<'_>) {
        if self.gaps.iter().all(|known| known.page != gap.page) {
            self.gaps.push(gap.clone());
            on_event(ParseEvent::Gap(gap));
        }
    }

    fn page_count(&self) -> u32 {
        self.info.as_ref().map_or(0, |info| info.page_count)
    }

    fn position(&mut self) -> Where {
        while self.request.skip_pages.contains(&self.at) {
            self.at += 1;
        }
        if self.info.is_none() {
            Where::Opening
        } else if matches!(self.stage, Stage::Structuring | Stage::Writing) || self.at > self.page_count() {
            Where::AfterPages
        } else {
            Where::Page
        }
    }

    /// How long the next reply may take.
    fn patience(&mut self, page: Duration, recognition: Duration, per_100_pages: Duration) -> Duration {
        match (self.position(), self.stage) {
            (_, Stage::Recognising) => page + recognition,
            (Where::AfterPages, _) => per_100_pages * self.page_count().div_ceil(100).max(1),
            (Where::Opening | Where::Page, _) => page,
        }
    }

    /// After a worker died: whether another one should try. The first death at a place may have had other reasons
    /// than the file, so the page is tried once more before it is given up.
    fn survives_death(&mut self, max_lost_pages: usize, on_event: &mut OnParseEvent<'_>) -> bool {
        self.deaths += 1;
        // Deaths at ever other places would otherwise go on for ever.
        if self.deaths > 2 * max_lost_pages + 2 {
            return false;
        }
        let place = self.position();
        let here = Some((self.at, place));
        if self.died_at == here {
            self.died_at = None;
            return place == Where::Page && self.give_up_page(STOPPED, max_lost_pages, on_event);
        }
        self.died_at = here;
        self.recognise_here();
        self.begin_again();
        true
    }

    /// A worker that looked ahead for scanned pages may have come to grief at any of them; one that reads page by page
    /// shows at which.
    fn recognise_here(&mut self) -> bool {
        let looked_ahead = self.stage == Stage::Recognising && self.request.recognition == Recognition::Elsewhere;
        if looked_ahead {
            self.request.recognition = Recognition::Here;
        }
        looked_ahead
    }

    /// After a worker hung: whether another one should go on behind the page.
    fn survives_hang(&mut self, max_lost_pages: usize, on_event: &mut OnParseEvent<'_>) -> bool {
        if self.recognise_here() {
            self.begin_again();
            return true;
        }
        self.position() == Where::Page && self.give_up_page(TOO_LONG, max_lost_pages, on_event)
    }

    fn give_up_page(&mut self, reason: &str, max_lost_pages: usize, on_event: &mut OnParseEvent<'_>) -> bool {
        let lost: BTreeSet<u32> = self.request.skip_pages.iter().copied().chain([self.at]).collect();
        if lost.len() > max_lost_pages {
            return false;
        }
        self.request.skip_pages = lost.into_iter().collect();
        let gap = Gap {
            page: self.at,
            reason: reason.into(),
        };
        self.record(gap, on_event);
        // Otherwise the page would be asked for again.
        if self.at == self.request.first_page {
            self.request.first_page += 1;
        }
        self.begin_again();
        true
    }

    fn begin_again(&mut self) {
        self.items.clear();
        self.stage = Stage::Reading;
        self.at = self.request.first_page;
    }

    fn finish(mut self, on_event: &mut OnParseEvent<'_>) -> Result<DocumentInfo> {
        let Some(mut info) = self.info else {
            return Err(Error::new(
                ErrorCode::Internal,
                "A worker finished a file without saying what it is.",
            ));
        };
        for batch in self.items {
            on_event(ParseEvent::Items(batch));
        }
        self.gaps.sort_by_key(|gap| gap.page);
        info.gaps = self.gaps;
        Ok(info)
    }
}
