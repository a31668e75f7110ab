//! Where a command works: the library, the collections chosen, and how the engine is opened for it.

use crate::args::Global;
use crate::failure::{Failure, Result};
use recto_core::{Error, ErrorCode};
use recto_engine::contract::CollectionSummary;
use recto_engine::{Access, Engine, EngineOptions};
use std::path::PathBuf;
use std::sync::Arc;

/// The collection that is made when documents are added to a library without any.
const FIRST_COLLECTION: &str = "Library";

/// What a command does to the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// Says something even where there is no library.
    Look,
    /// Reads it.
    Read,
    /// Reads it, and keeps the answer where it may.
    Answer,
    /// Changes what is there.
    Change,
    /// Changes it, and makes it where it is missing.
    Create,
}

/// The global options, read.
#[derive(Debug)]
pub(crate) struct Context {
    library: PathBuf,
    read_only: bool,
    collections: Vec<String>,
}

impl Context {
    pub(crate) fn new(global: Global) -> Self {
        let mut collections: Vec<String> = Vec::new();
        for name in global.collections {
            if !collections.contains(&name) {
                collections.push(name);
            }
        }
        Self {
            library: global
                .library
                .filter(|path| !path.as_os_str().is_empty())
                .unwrap_or_else(recto_engine::default_library),
            read_only: global.read_only,
            collections,
        }
    }

    /// The collections named on the command line; `None` means all.
    pub(crate) fn selected(&self) -> Option<&[String]> {
        (!self.collections.is_empty()).then_some(self.collections.as_slice())
    }

    /// Whether there is no library to read from. `list` and `search` then find nothing, and make none. Where a
    /// collection is named, a missing library is an error like a missing collection.
    pub(crate) fn is_missing(&self) -> bool {
        self.collections.is_empty() && !self.library_exists()
    }

    fn library_exists(&self) -> bool {
        self.library.join("library.db").exists()
    }

    /// Opens the engine, does `work` with it and shuts it down again, whatever came of the work.
    pub(crate) async fn with_engine<T>(
        &self,
        need: Need,
        work: impl AsyncFnOnce(&Arc<Engine>) -> Result<T>,
    ) -> Result<T> {
        let engine = self.open(need).await?;
        let result = match self.check_selected(&engine).await {
            Ok(()) => work(&engine).await,
            Err(failure) => Err(failure),
        };
        engine.shutdown().await;
        result
    }

    async fn open(&self, need: Need) -> Result<Arc<Engine>> {
        if self.read_only && matches!(need, Need::Change | Need::Create) {
            let message = "This command changes the library, and --read-only forbids that.";
            return Err(Failure::Failed(Error::new(ErrorCode::ReadOnly, message)));
        }
        if !matches!(need, Need::Create | Need::Look) && !self.library_exists() {
            return Err(self.no_library());
        }
        let mut options = EngineOptions::new(self.library.clone());
        options.access = match need {
            Need::Look | Need::Read => Access::ReadOnly,
            Need::Answer if self.read_only => Access::ReadOnly,
            Need::Answer => Access::Prefer,
            Need::Change | Need::Create => Access::ReadWrite,
        };
        Ok(Engine::open(options).await?)
    }

    fn no_library(&self) -> Failure {
        Failure::not_found(format!(
            "There is no library at {}. Add documents first: recto add PATH.",
            self.library.display()
        ))
    }

    /// Fails where a collection was named that is not there.
    async fn check_selected(&self, engine: &Arc<Engine>) -> Result<()> {
        if self.collections.is_empty() {
            return Ok(());
        }
        let known = engine.collections().await?;
        for name in &self.collections {
            check_name(name, &known)?;
        }
        Ok(())
    }

    /// The one collection a changing command works on.
    ///
    /// Several to choose from is a usage error that names them. Where there is none, `create` makes the first one.
    pub(crate) async fn one_collection(&self, engine: &Arc<Engine>, create: bool) -> Result<String> {
        match self.collections.as_slice() {
            [name] => return Ok(name.clone()),
            [] => {}
            several => {
                return Err(Failure::Usage(format!(
                    "This command changes one collection; {} were named: {}.",
                    several.len(),
                    quoted(several.iter())
                )));
            }
        }
        let known = engine.collections().await?;
        match known.as_slice() {
            [only] => Ok(only.name.clone()),
            [] if create => {
                engine.create_collection(FIRST_COLLECTION).await?;
                Ok(FIRST_COLLECTION.to_owned())
            }
            [] => Err(Failure::not_found("The library has no collection yet.")),
            several => Err(Failure::Usage(format!(
                "There are {} collections; name one with --collection: {}.",
                several.len(),
                quoted(several.iter().map(|collection| &collection.name))
            ))),
        }
    }
}

/// Fails, naming what there is, where `name` is not among `known`.
pub(crate) fn check_name(name: &str, known: &[CollectionSummary]) -> Result<()> {
    if known.iter().any(|collection| collection.name == name) {
        return Ok(());
    }
    let there_is = match known {
        [] => "There is none yet".to_owned(),
        some => format!("There is {}", quoted(some.iter().map(|collection| &collection.name))),
    };
    Err(Failure::not_found(format!(
        "There is no collection named “{name}”. {there_is}; `recto collections create` makes one."
    )))
}

fn quoted<'a>(names: impl Iterator<Item = &'a String>) -> String {
    names.map(|name| format!("“{name}”")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collection(name: &str) -> CollectionSummary {
        CollectionSummary {
            name: name.to_owned(),
            documents: 0,
            ready: 0,
            error: None,
            embedding_model: None,
            location: None,
        }
    }

    #[test]
    fn an_unknown_collection_is_not_found_and_the_known_ones_are_named() {
        let known = [collection("Filings"), collection("Papers")];
        assert!(check_name("Papers", &known).is_ok());
        let Err(Failure::Failed(error)) = check_name("papers", &known) else {
            panic!("a name in other case is another name");
        };
        assert_eq!(error.code, ErrorCode::NotFound);
        assert!(error.message.contains("“Filings”, “Papers”"), "{}", error.message);
    }

    #[test]
    fn a_collection_named_twice_counts_once() {
        let context = Context::new(Global {
            library: Some(PathBuf::from("/nowhere")),
            collections: vec!["A".to_owned(), "A".to_owned()],
            json: false,
            read_only: false,
            verbose: 0,
        });
        assert_eq!(context.selected(), Some(&["A".to_owned()][..]));
    }
}
