//! Where a key may be: environment, else keychain, else a file of one's own.

use super::{ApiKey, CommandKeychain, Keychain};
use recto_core::{Error, ErrorCode, Result};
use std::fmt;
use std::path::{Path, PathBuf};

/// A key is a line; whatever is longer is another file.
const MOST_BYTES: u64 = 16 * 1024;

/// Where to look for the key of a model server.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeyPlaces {
    /// Environment variables, the first that is set counts.
    pub variables: Vec<String>,
    /// The account in the keychain.
    pub account: Option<String>,
    /// A file that holds nothing but the key and that only its owner may read.
    pub file: Option<PathBuf>,
}

/// Where a key was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySource {
    /// This environment variable.
    Environment(String),
    /// This account of the keychain.
    Keychain(String),
    /// This file.
    File(PathBuf),
}

impl fmt::Display for KeySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Environment(variable) => write!(f, "the environment variable {variable}"),
            Self::Keychain(account) => write!(f, "the keychain (account {account})"),
            Self::File(path) => write!(f, "the file {}", path.display()),
        }
    }
}

/// A key, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundKey {
    /// The key.
    pub key: ApiKey,
    /// Where it was.
    pub source: KeySource,
}

impl KeyPlaces {
    /// The first key there is, or `None`.
    ///
    /// # Errors
    /// `model_not_configured` when the file is there but cannot be used, `timed_out` when the keychain hangs and no
    /// file is named; the messages say what to do.
    pub async fn find(&self) -> Result<Option<FoundKey>> {
        let variable = |name: &str| std::env::var(name).ok();
        self.find_in(variable, &CommandKeychain::default()).await
    }

    /// The same with another environment and keychain.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub async fn find_in(
        &self,
        variable: impl Fn(&str) -> Option<String>,
        keychain: &dyn Keychain,
    ) -> Result<Option<FoundKey>> {
        for name in &self.variables {
            if let Some(key) = variable(name).and_then(|text| clean(&text)) {
                let source = KeySource::Environment(name.clone());
                return Ok(Some(FoundKey { key, source }));
            }
        }
        let mut silent = None;
        if let Some(account) = &self.account {
            match keychain.read(account).await {
                Ok(Some(key)) => {
                    let source = KeySource::Keychain(account.clone());
                    return Ok(Some(FoundKey { key, source }));
                }
                Ok(None) => {}
                Err(error) => silent = Some(error),
            }
        }
        if let Some(path) = &self.file {
            let owned = path.clone();
            let read = tokio::task::spawn_blocking(move || from_file(&owned));
            let key = read
                .await
                .map_err(|error| Error::internal(format!("Reading the key was interrupted: {error}.")))??;
            if let Some(key) = key {
                let source = KeySource::File(path.clone());
                return Ok(Some(FoundKey { key, source }));
            }
        }
        silent.map_or(Ok(None), Err)
    }
}

fn clean(text: &str) -> Option<ApiKey> {
    let key = text.trim();
    (!key.is_empty()).then(|| ApiKey::new(key.to_owned()))
}

/// The key in a file; `None` when there is no file.
fn from_file(path: &Path) -> Result<Option<ApiKey>> {
    use std::io::Read;
    let refused = |why: &str| {
        Error::new(
            ErrorCode::ModelNotConfigured,
            format!("The file {} with the key for the model {why}.", path.display()),
        )
    };
    let file = match std::fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(refused(&format!("cannot be read: {error}"))),
    };
    // Of the opened file, so that it cannot be exchanged in between.
    let metadata = file
        .metadata()
        .map_err(|error| refused(&format!("cannot be read: {error}")))?;
    if !metadata.is_file() || metadata.len() > MOST_BYTES {
        return Err(refused("is none: it should hold the key and nothing else"));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if metadata.permissions().mode() & 0o077 != 0 {
            return Err(refused(&format!(
                "can be read by others, so it is not used. Make it yours alone with: chmod 600 {}",
                path.display()
            )));
        }
    }
    let mut text = String::new();
    file.take(MOST_BYTES)
        .read_to_string(&mut text)
        .map_err(|_| refused("holds no text"))?;
    clean(&text).map(Some).ok_or_else(|| refused("is empty"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use async_trait::async_trait;

    /// Holds a key for `openai`, or hangs.
    struct Fake(Result<Option<ApiKey>>);

    #[async_trait]
    impl Keychain for Fake {
        async fn read(&self, account: &str) -> Result<Option<ApiKey>> {
            if account == "openai" { self.0.clone() } else { Ok(None) }
        }

        async fn write(&self, _: &str, _: &ApiKey) -> Result<()> {
            Ok(())
        }
    }

    fn key(text: &str) -> ApiKey {
        ApiKey::new(text.into())
    }

    fn file(folder: &tempfile::TempDir, text: &str, mode: u32) -> PathBuf {
        let path = folder.path().join("key");
        std::fs::write(&path, text).expect("writes");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("permits");
        }
        path
    }

    #[tokio::test]
    async fn the_environment_goes_before_the_keychain_and_that_before_the_file() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = file(&folder, "sk-file\n", 0o600);
        let places = KeyPlaces {
            variables: vec!["FIRST".into(), "SECOND".into()],
            account: Some("openai".into()),
            file: Some(path.clone()),
        };
        let full = Fake(Ok(Some(key("sk-chain"))));
        let empty = Fake(Ok(None));
        let set = |name: &str| (name == "SECOND").then(|| " sk-environment ".to_owned());
        let blank = |_: &str| Some(" ".to_owned());
        let found = |found: Result<Option<FoundKey>>| found.expect("no error").expect("a key");
        let one = found(places.find_in(set, &full).await);
        assert_eq!(
            (one.key, one.source),
            (key("sk-environment"), KeySource::Environment("SECOND".into()))
        );
        let two = found(places.find_in(blank, &full).await);
        assert_eq!(
            (two.key, two.source),
            (key("sk-chain"), KeySource::Keychain("openai".into()))
        );
        let three = found(places.find_in(blank, &empty).await);
        assert_eq!(
            (three.key.clone(), three.source.clone()),
            (key("sk-file"), KeySource::File(path))
        );
        assert!(!format!("{three:?} {}", three.source).contains("sk-"));
        assert_eq!(KeyPlaces::default().find_in(set, &full).await, Ok(None));
    }

    #[tokio::test]
    async fn a_keychain_that_hangs_is_an_error_only_where_nothing_else_has_the_key() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let hangs = Fake(Err(Error::transient(
            ErrorCode::TimedOut,
            "The keychain does not answer.",
        )));
        let mut places = KeyPlaces {
            account: Some("openai".into()),
            file: Some(file(&folder, "sk-file", 0o600)),
            ..KeyPlaces::default()
        };
        assert!(places.find_in(|_| None, &hangs).await.expect("no error").is_some());
        places.file = Some(folder.path().join("absent"));
        assert_eq!(
            places.find_in(|_| None, &hangs).await.expect_err("hangs").code,
            ErrorCode::TimedOut
        );
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_file_that_others_can_read_is_refused_with_the_remedy() {
        let folder = tempfile::tempdir().expect("temporary folder");
        for mode in [0o644, 0o640, 0o604, 0o620] {
            let places = KeyPlaces {
                file: Some(file(&folder, "sk-secret", mode)),
                ..KeyPlaces::default()
            };
            let error = places.find_in(|_| None, &Fake(Ok(None))).await.expect_err("is refused");
            assert_eq!(error.code, ErrorCode::ModelNotConfigured);
            assert!(
                error.message.contains("chmod 600") && !error.message.contains("sk-secret"),
                "{error}"
            );
        }
        let empty = KeyPlaces {
            file: Some(file(&folder, " \n", 0o400)),
            ..KeyPlaces::default()
        };
        let error = empty.find_in(|_| None, &Fake(Ok(None))).await.expect_err("is refused");
        assert!(error.message.contains("is empty"), "{error}");
    }
}
