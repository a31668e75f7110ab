//! Documents that Docling or Recto understood before, as JSON.

use super::{backend, finish};
use crate::error::{Error, Result};
use crate::import::{self, Hints, Source};
use crate::open::{Options, Sink};
use crate::sniff;
use crate::text::decode;
use recto_core::{Document, DocumentInfo};

/// Reads a Docling document as it was written.
pub(crate) fn read(bytes: &[u8], options: &Options, sink: &mut dyn Sink) -> Result<Document> {
    let text = decode::text(bytes);
    let (imported, name) = backend::guarded("Docling JSON", || {
        let source: Source = serde_json::from_str(&text).map_err(|error| Error::Damaged {
            what: match error.classify() {
                serde_json::error::Category::Data => "it is not laid out like a DoclingDocument".into(),
                _ => format!(
                    "it is not valid JSON at line {}, column {}",
                    error.line(),
                    error.column()
                ),
            },
        })?;
        import::check(&source)?;
        let layout = import::layout_of(&source);
        let imported = import::document(&source, layout, &Hints::default(), &options.limits)?;
        Ok((imported, source.name().map(str::to_owned)))
    })?;
    finish(sniff::DOCLING_JSON, imported, name, DocumentInfo::default(), sink)
}
