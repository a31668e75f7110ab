//! Protocol and client of the worker processes that handle untrusted bytes.
//!
//! Parsing, rendering and locating quotes run in child processes, because PDFium is C++, is not thread-safe and meets
//! hostile files: a crash, a hang or a memory blow-up must cost one page or one document, never the application.
//! [`protocol`] is the language both sides speak, [`server`] the worker's end of it, [`WorkerPool`] the client. No
//! parser is in here: the binary `recto-worker` belongs to `recto-document`.

mod options;
mod parse;
mod pool;
mod process;
pub mod protocol;
pub mod server;
mod share;

pub use options::{WORKER_VARIABLE, WorkerPoolOptions, find_worker};
pub use parse::{OnParseEvent, ParseEvent};
pub use pool::WorkerPool;
pub use protocol::{
    ConvertFormat, ConvertRequest, Converted, DetachRequest, ImageFormat, Layer, LocateInFileRequest, LocateRequest,
    PageSize, ParseLimits, ParseRequest, Probe, ProbeRequest, RecogniseRequest, Recognition, RenderRequest, RenderSize,
    Rendered, Reply, Request, Stage,
};
