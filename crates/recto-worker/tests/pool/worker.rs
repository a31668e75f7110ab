//! A worker that does what the file name of its request says, for the tests of the pool: `pages:5 crash:3`.

#![allow(clippy::print_stdout)]

use recto_core::{Attachment, DocumentInfo, Error, ErrorCode, Gap, Item, Label, Page, QuoteMatch};
use recto_worker::protocol::recognised_file;
use recto_worker::server::{self, Connection};
use recto_worker::{Converted, ParseRequest, Probe, RecogniseRequest, Recognition, Rendered, Reply, Request, Stage};
use std::path::Path;
use std::thread;
use std::time::Duration;

fn main() {
    let mut connection = Connection::take_over().expect("takes over the connection");
    if let Some(bytes) = server::memory_limit_from(std::env::args()) {
        server::limit_memory(bytes).expect("limits memory");
    }
    // A library that prints must not disturb the protocol.
    println!("noise on standard output");
    while let Some(request) = connection.next_request() {
        let mut send = |reply: Reply| connection.send(&reply).expect("sends");
        match request {
            Request::Parse(request) => parse(&request, &mut send),
            Request::Recognise(request) => recognise(&request, &mut send),
            Request::Render(request) => {
                if request.page == 666 {
                    thread::sleep(Duration::from_secs(3600));
                }
                // The process id stands in for the width, so that a test can tell processes apart.
                let rendered = Rendered {
                    width: std::process::id(),
                    height: request.page,
                };
                send(Reply::Rendered(rendered));
            }
            Request::Locate(request) => {
                let found = QuoteMatch {
                    kind: recto_core::MatchKind::Verbatim,
                    text: format!("{} in {} pages", request.quote, request.pages.len()),
                    rects: Vec::new(),
                    spans: Vec::new(),
                };
                send(Reply::Located(vec![found]));
            }
            Request::LocateInFile(_) => send(Reply::Located(Vec::new())),
            Request::Convert(_) => {
                for done in 1..=3 {
                    send(Reply::Progress {
                        done,
                        total: 3,
                        stage: Stage::Writing,
                    });
                }
                send(Reply::Converted(Converted {
                    pages: 3,
                    gaps: Vec::new(),
                }));
            }
            Request::Probe(_) => send(Reply::Probed(Probe::default())),
            Request::Detach(request) => {
                let attachment = Attachment {
                    name: request.folder.display().to_string(),
                    bytes: 0,
                };
                send(Reply::Detached(vec![attachment]));
            }
        }
    }
}

/// The numbers of all `name:number` in the script.
fn values(script: &str, name: &str) -> Vec<u32> {
    script
        .split(' ')
        .filter_map(|word| word.split_once(':'))
        .filter(|(key, _)| *key == name)
        .filter_map(|(_, value)| value.parse().ok())
        .collect()
}

fn parse(request: &ParseRequest, send: &mut dyn FnMut(Reply)) {
    let script = request.file_name.as_str();
    let has = |name: &str, page: u32| values(script, name).contains(&page);
    if script.contains("refuse") {
        return send(Reply::Failed(Error::new(
            ErrorCode::PasswordRequired,
            "A password is needed.",
        )));
    }
    if script.contains("hang-open") {
        thread::sleep(Duration::from_secs(3600));
    }
    let pages = values(script, "pages").first().copied().unwrap_or(1);
    send(Reply::Info(DocumentInfo {
        page_count: pages,
        ..DocumentInfo::default()
    }));
    for number in 1..=pages {
        if request.skip_pages.contains(&number) {
            continue;
        }
        if has("crash", number) || (has("crash-once", number) && first_time(&request.path)) {
            std::process::abort();
        }
        if has("hang", number) {
            thread::sleep(Duration::from_secs(3600));
        }
        let mut text = format!("page {number}");
        if has("scan", number) {
            send(Reply::Progress {
                done: number - 1,
                total: pages,
                stage: Stage::Recognising,
            });
            let mut scanned = values(script, "scan");
            scanned.retain(|page| *page >= number && !request.skip_pages.contains(page));
            text = match &request.recognition {
                Recognition::Elsewhere if scanned.len() > 1 => {
                    if script.contains("crash-looking-ahead") {
                        std::process::abort();
                    }
                    if script.contains("hang-looking-ahead") {
                        thread::sleep(Duration::from_secs(3600));
                    }
                    return send(Reply::Scanned(scanned));
                }
                Recognition::Done(folder) => std::fs::read_to_string(folder.join(recognised_file(number))).ok(),
                Recognition::Elsewhere | Recognition::Here => None,
            }
            .unwrap_or_else(|| "here".into());
        }
        if has("eat", number) {
            eat();
        }
        if has("grab", number) {
            // One allocation far over the limit of the address space.
            let grabbed: Vec<u8> = Vec::with_capacity(1 << 40);
            println!("{}", grabbed.capacity());
        }
        if let Some(&delay) = values(script, "slow").first() {
            thread::sleep(Duration::from_millis(delay.into()));
        }
        if has("unreadable", number) {
            send(Reply::Gap(Gap {
                page: number,
                reason: "The page is damaged.".into(),
            }));
        } else if number < request.first_page {
            send(Reply::Progress {
                done: number,
                total: pages,
                stage: Stage::Reading,
            });
        } else {
            println!("page {number} goes out");
            send(Reply::Page(Page {
                number,
                text,
                ..Page::default()
            }));
        }
    }
    send(Reply::Progress {
        done: 0,
        total: 1,
        stage: Stage::Structuring,
    });
    send(Reply::Items(vec![item(0)]));
    if script.contains("crash-structure") && first_time(&request.path) {
        std::process::abort();
    }
    if script.contains("always-crash-structure") {
        std::process::abort();
    }
    send(Reply::Items(vec![item(1)]));
    send(Reply::Done);
}

/// Leaves its process id as the text of the page.
fn recognise(request: &RecogniseRequest, send: &mut dyn FnMut(Reply)) {
    let script = request.file_name.as_str();
    let has = |name: &str| values(script, name).contains(&request.page);
    if has("recognise-fail") {
        return send(Reply::Failed(Error::new(ErrorCode::AssetMissing, "No models.")));
    }
    if has("recognise-crash") || (has("recognise-crash-once") && first_time(&request.path)) {
        std::process::abort();
    }
    if has("recognise-hang") {
        thread::sleep(Duration::from_secs(3600));
    }
    // Long enough for the other worker to take a page as well.
    thread::sleep(Duration::from_millis(150));
    std::fs::write(&request.output, std::process::id().to_string()).expect("writes");
    send(Reply::Recognised);
}

fn item(position: u32) -> Item {
    Item {
        position,
        self_ref: format!("#/texts/{position}"),
        label: Label::Text,
        level: 0,
        text: "Text.".into(),
        ..Item::default()
    }
}

/// Whether the marker file is not there yet; puts it there.
fn first_time(marker: &Path) -> bool {
    std::fs::File::create_new(marker).is_ok()
}

fn eat() {
    let mut eaten: Vec<Vec<u8>> = Vec::new();
    loop {
        eaten.push(vec![1; 4 << 20]);
        thread::sleep(Duration::from_millis(2));
    }
}
