//! Passwords of encrypted files. They are kept in memory while the engine runs, and nowhere else.

use crate::Engine;
use crate::contract::Changed;
use recto_core::{Error, ErrorCode, Result};
use recto_library::JobId;
use recto_worker::ProbeRequest;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use tokio_util::sync::CancellationToken;

/// A password. It is not shown where the value around it is logged.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(pub String);

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

/// What has been given so far.
#[derive(Default)]
pub(crate) struct Passwords {
    /// For files that wait to be read.
    of_jobs: Mutex<HashMap<JobId, Password>>,
    /// For files that opened with it, by the SHA-256 of their bytes.
    of_files: Mutex<HashMap<String, Password>>,
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Passwords {
    pub(crate) fn offer(&self, job: JobId, password: Password) {
        locked(&self.of_jobs).insert(job, password);
    }

    /// What to try for a job's file: what was given for it, else what opened the same bytes before.
    pub(crate) fn to_try(&self, job: JobId, sha256: &str) -> Option<String> {
        let given = locked(&self.of_jobs).get(&job).cloned();
        given.map(|password| password.0).or_else(|| self.of_file(sha256))
    }

    pub(crate) fn of_file(&self, sha256: &str) -> Option<String> {
        locked(&self.of_files).get(sha256).map(|password| password.0.clone())
    }

    /// The file opened with this password.
    pub(crate) fn opened(&self, sha256: &str, password: &str) {
        locked(&self.of_files).insert(sha256.to_owned(), Password(password.to_owned()));
    }
}

impl Engine {
    /// Gives the password of a file that failed for want of one, and tries it again.
    ///
    /// # Errors
    /// `not_found` or `read_only`.
    pub async fn unlock_job(&self, job_id: &str, password: Password) -> Result<()> {
        self.require_writer()?;
        if let Ok(id) = job_id.parse() {
            self.passwords.offer(JobId(id), password);
        }
        self.retry_job(job_id).await
    }

    /// Gives the password of a document whose pages are to be shown. It is tried before it is kept.
    ///
    /// # Errors
    /// `not_found`, `ambiguous`; `password_required` when it is wrong.
    pub async fn unlock_document(
        self: &Arc<Self>,
        collections: Option<&[String]>,
        document_id: &str,
        password: Password,
    ) -> Result<()> {
        let (open, row) = self.find_document(collections, document_id).await?;
        let path = open.originals().path(&row.sha256).ok_or_else(|| {
            Error::new(
                ErrorCode::NotFound,
                "The original file is no longer in the library. Add the document again to see its pages.",
            )
        })?;
        let request = ProbeRequest {
            path,
            password: Some(password.0.clone()),
            ..ProbeRequest::default()
        };
        self.readers().probe(request, &CancellationToken::new()).await?;
        self.passwords.opened(&row.sha256, &password.0);
        self.changed(Changed::Documents);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_written_out() {
        assert!(!format!("{:?}", Some(Password("hunter2".into()))).contains("hunter2"));
    }

    #[test]
    fn what_was_given_for_a_file_goes_before_what_opened_the_same_bytes() {
        let passwords = Passwords::default();
        assert_eq!(passwords.to_try(JobId(1), "aa"), None);
        passwords.opened("aa", "old");
        assert_eq!(passwords.to_try(JobId(1), "aa").as_deref(), Some("old"));
        passwords.offer(JobId(1), Password("new".into()));
        assert_eq!(passwords.to_try(JobId(1), "aa").as_deref(), Some("new"));
    }
}
