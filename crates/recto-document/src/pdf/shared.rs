//! What was recognised on a page, on its way from the worker that did it to the one that reads the whole file.

use super::graphics::Graphics;
use super::recognised::Frames;
use crate::error::{Error, Result};
use crate::open::Options;
use recto_core::TextSource;
use recto_worker::Recognition;
use recto_worker::protocol::recognised_file;
use serde::{Deserialize, Serialize};

/// The text of a page whose pixels were read.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Recognised {
    /// Those of the text layer that were kept are among them.
    pub(crate) words: Frames,
    /// Rules and areas seen in the pixels.
    pub(crate) traced: Graphics,
    pub(crate) source: TextSource,
}

impl Recognised {
    pub(crate) fn encode(recognised: Option<&Self>) -> Result<Vec<u8>> {
        postcard::to_stdvec(&recognised).map_err(|error| Error::Internal {
            what: format!("A recognised page could not be encoded: {error}."),
        })
    }

    /// What another worker has found on this page, if one has been there.
    pub(crate) fn done(options: &Options, page: u32) -> Option<Self> {
        let Recognition::Done(folder) = &options.recognition else {
            return None;
        };
        // What cannot be read is recognised again.
        let bytes = std::fs::read(folder.join(recognised_file(page))).ok()?;
        postcard::from_bytes::<Option<Self>>(&bytes).ok().flatten()
    }
}
