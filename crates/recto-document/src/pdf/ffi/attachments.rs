//! Files inside a PDF.

use super::{Pdf, utf16};
use std::ffi::{c_int, c_ulong};
use std::ptr;

/// Files looked at in one document.
const MAX_ATTACHMENTS: c_int = 10_000;

/// A file inside a PDF, by its place in the file's list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Embedded {
    index: c_int,
    /// The name it was given; it may be anything.
    pub(crate) name: String,
    /// Its size once unpacked.
    pub(crate) bytes: u64,
}

impl Pdf<'_> {
    /// The files inside the document, in its order. A file without readable bytes is left out.
    pub(crate) fn attachments(&self) -> Vec<Embedded> {
        // SAFETY: the document is open.
        let count = unsafe { self.api().FPDFDoc_GetAttachmentCount(self.handle) };
        (0..count.min(MAX_ATTACHMENTS))
            .filter_map(|index| {
                let mut length: c_ulong = 0;
                // SAFETY: the index is below the count; a null buffer asks for the length alone. The buffer of the
                // name is as long as we say.
                let (name, known) = unsafe {
                    let attachment = self.api().FPDFDoc_GetAttachment(self.handle, index);
                    if attachment.is_null() {
                        return None;
                    }
                    let name =
                        utf16(|buffer, length| self.api().FPDFAttachment_GetName(attachment, buffer.cast(), length));
                    let known = self
                        .api()
                        .FPDFAttachment_GetFile(attachment, ptr::null_mut(), 0, &raw mut length);
                    (name, known)
                };
                // The library's long is 32 bits on Windows.
                #[allow(clippy::useless_conversion)]
                let bytes = u64::from(length);
                (known != 0).then_some(Embedded { index, name, bytes })
            })
            .collect()
    }

    /// The bytes of a file inside the document.
    pub(crate) fn attached(&self, file: &Embedded) -> Option<Vec<u8>> {
        let mut bytes = vec![0u8; usize::try_from(file.bytes).ok()?];
        let length = c_ulong::try_from(bytes.len()).ok()?;
        let mut written: c_ulong = 0;
        // SAFETY: the index came from this document; the buffer is as long as we say.
        let read = unsafe {
            let attachment = self.api().FPDFDoc_GetAttachment(self.handle, file.index);
            if attachment.is_null() {
                return None;
            }
            let buffer = bytes.as_mut_ptr().cast();
            self.api()
                .FPDFAttachment_GetFile(attachment, buffer, length, &raw mut written)
        };
        (read != 0 && written <= length).then_some(bytes)
    }
}
