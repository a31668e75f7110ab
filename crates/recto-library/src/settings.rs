//! `settings.toml` of a library, overridden by environment variables.
//!
//! A key `workers` of section `[ingest]` is overridden by `RECTO_INGEST_WORKERS`. Unknown keys and values out of range
//! are errors that name their path, so that a typing error never silently means "default". No secret is ever in the
//! file: the chat model's key is named by the environment variable that holds it.

use crate::Error;
use std::ops::RangeInclusive;
use std::path::Path;
use toml::{Table, Value};

/// The names of providers of chat models.
pub const PROVIDERS: [&str; 5] = ["ollama", "openai-compatible", "openai", "anthropic", "gemini"];

/// All settings of a library.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    /// `[model]`: the chat model.
    pub model: ModelSettings,
    /// `[embedding]`: the local embedding model.
    pub embedding: EmbeddingSettings,
    /// `[ingest]`: reading files.
    pub ingest: IngestSettings,
    /// `[search]`: finding.
    pub search: SearchSettings,
    /// `[storage]`: caches of the collections.
    pub storage: StorageSettings,
}

/// The chat model. Without a `name`, or without both `provider` and `base_url`, there is none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelSettings {
    /// Whose interface the server speaks, one of [`PROVIDERS`]; with a `base_url` alone, `openai-compatible`.
    pub provider: Option<String>,
    /// Root of the server's interface: `http://localhost:1234/v1`. `None` for the provider's own.
    pub base_url: Option<String>,
    /// The model's name there.
    pub name: Option<String>,
    /// The environment variable that holds the key.
    pub api_key_env: Option<String>,
    /// Tokens of context the model has; `None` where unknown.
    pub context_tokens: Option<u32>,
}

/// The local embedding model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EmbeddingSettings {
    /// Sessions of one thread each; `None` means as many as the machine has physical cores.
    pub threads: Option<u32>,
}

/// Reading files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IngestSettings {
    /// Worker processes; `None` means as many as the machine has physical cores.
    pub workers: Option<u32>,
    /// Memory ceiling of a worker, MiB.
    pub worker_memory_mb: u32,
    /// Documents committed together, at most.
    pub batch_documents: u32,
    /// Larger files are refused, MiB.
    pub max_file_mb: u32,
}

impl Default for IngestSettings {
    fn default() -> Self {
        Self {
            workers: None,
            worker_memory_mb: 2048,
            batch_documents: 64,
            max_file_mb: 2048,
        }
    }
}

/// Finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchSettings {
    /// Passages returned where the caller names no limit.
    pub limit: u32,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self { limit: 5 }
    }
}

/// Caches that all collections share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StorageSettings {
    /// Index pages, MiB.
    pub index_cache_mb: u32,
    /// Table metadata, MiB.
    pub metadata_cache_mb: u32,
}

impl Default for StorageSettings {
    fn default() -> Self {
        Self {
            index_cache_mb: 512,
            metadata_cache_mb: 128,
        }
    }
}

impl Settings {
    /// Reads `settings.toml` in the library's folder, which may be absent, and applies `environment`.
    ///
    /// # Errors
    /// [`Error::Setting`] for anything unknown, malformed or out of range; [`Error::Io`] when the file cannot be read.
    pub fn load(folder: &Path, environment: impl IntoIterator<Item = (String, String)>) -> Result<Self, Error> {
        let path = folder.join("settings.toml");
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(source) => {
                return Err(Error::Io {
                    operation: "read",
                    path,
                    source,
                });
            }
        };
        Self::parse(&text, environment)
    }

    /// Reads settings from TOML text and applies `environment`.
    ///
    /// # Errors
    /// [`Error::Setting`] for anything unknown, malformed or out of range.
    pub fn parse(text: &str, environment: impl IntoIterator<Item = (String, String)>) -> Result<Self, Error> {
        let file = text.parse::<Table>().map_err(|error| Error::Setting {
            path: "settings.toml".to_owned(),
            problem: error.message().to_owned(),
        })?;
        let environment: Vec<(String, String)> = environment
            .into_iter()
            .filter(|(name, _)| name.starts_with("RECTO_"))
            .collect();
        let mut reader = Reader { file, environment };

        let mut section = reader.section("model")?;
        let model = ModelSettings {
            provider: section.one_of("provider", &PROVIDERS)?,
            base_url: section.url("base_url")?,
            name: section.text("name")?,
            api_key_env: section.variable("api_key_env")?,
            context_tokens: section.number("context_tokens", 512..=10_000_000)?,
        };
        section.finish()?;

        let mut section = reader.section("embedding")?;
        let embedding = EmbeddingSettings {
            threads: section.number("threads", 1..=64)?,
        };
        section.finish()?;

        let mut section = reader.section("ingest")?;
        let default = IngestSettings::default();
        let ingest = IngestSettings {
            workers: section.number("workers", 1..=8)?,
            worker_memory_mb: section
                .number("worker_memory_mb", 256..=65_536)?
                .unwrap_or(default.worker_memory_mb),
            batch_documents: section
                .number("batch_documents", 1..=64)?
                .unwrap_or(default.batch_documents),
            max_file_mb: section
                .number("max_file_mb", 1..=65_536)?
                .unwrap_or(default.max_file_mb),
        };
        section.finish()?;

        let mut section = reader.section("search")?;
        let search = SearchSettings {
            limit: section
                .number("limit", 1..=100)?
                .unwrap_or(SearchSettings::default().limit),
        };
        section.finish()?;

        let mut section = reader.section("storage")?;
        let default = StorageSettings::default();
        let storage = StorageSettings {
            index_cache_mb: section
                .number("index_cache_mb", 16..=65_536)?
                .unwrap_or(default.index_cache_mb),
            metadata_cache_mb: section
                .number("metadata_cache_mb", 16..=65_536)?
                .unwrap_or(default.metadata_cache_mb),
        };
        section.finish()?;

        reader.finish()?;
        Ok(Self {
            model,
            embedding,
            ingest,
            search,
            storage,
        })
    }

    /// Writes `settings.toml` in the library's folder, as a whole or not at all. Values equal to the default are left
    /// out.
    ///
    /// # Errors
    /// [`Error::Io`] when it cannot be written.
    pub fn save(&self, folder: &Path) -> Result<(), Error> {
        let path = folder.join("settings.toml");
        let temporary = folder.join("settings.toml.new");
        let write = || -> std::io::Result<()> {
            use std::io::Write as _;
            let mut file = std::fs::File::create(&temporary)?;
            file.write_all(self.to_toml().as_bytes())?;
            file.sync_all()?;
            std::fs::rename(&temporary, &path)
        };
        write().map_err(|source| Error::Io {
            operation: "write",
            path: path.clone(),
            source,
        })
    }

    /// The settings as TOML text that [`Self::parse`] reads back.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let text = |value: &Option<String>| value.clone().map(Value::String);
        let optional = |value: Option<u32>| value.map(|number| Value::Integer(number.into()));
        let unless = |value: u32, default: u32| optional((value != default).then_some(value));
        let ingest = IngestSettings::default();
        let storage = StorageSettings::default();
        let sections: [(&str, Vec<Entry>); 5] = [
            (
                "model",
                vec![
                    ("provider", text(&self.model.provider)),
                    ("base_url", text(&self.model.base_url)),
                    ("name", text(&self.model.name)),
                    ("api_key_env", text(&self.model.api_key_env)),
                    ("context_tokens", optional(self.model.context_tokens)),
                ],
            ),
            ("embedding", vec![("threads", optional(self.embedding.threads))]),
            (
                "ingest",
                vec![
                    ("workers", optional(self.ingest.workers)),
                    (
                        "worker_memory_mb",
                        unless(self.ingest.worker_memory_mb, ingest.worker_memory_mb),
                    ),
                    (
                        "batch_documents",
                        unless(self.ingest.batch_documents, ingest.batch_documents),
                    ),
                    ("max_file_mb", unless(self.ingest.max_file_mb, ingest.max_file_mb)),
                ],
            ),
            (
                "search",
                vec![("limit", unless(self.search.limit, SearchSettings::default().limit))],
            ),
            (
                "storage",
                vec![
                    (
                        "index_cache_mb",
                        unless(self.storage.index_cache_mb, storage.index_cache_mb),
                    ),
                    (
                        "metadata_cache_mb",
                        unless(self.storage.metadata_cache_mb, storage.metadata_cache_mb),
                    ),
                ],
            ),
        ];
        let mut document = Table::new();
        for (name, entries) in sections {
            let table: Table = entries
                .into_iter()
                .filter_map(|(key, value)| Some((key.to_owned(), value?)))
                .collect();
            if !table.is_empty() {
                document.insert(name.to_owned(), Value::Table(table));
            }
        }
        document.to_string()
    }
}

type Entry = (&'static str, Option<Value>);

/// What has not been read yet: whatever is left at the end is unknown.
struct Reader {
    file: Table,
    environment: Vec<(String, String)>,
}

impl Reader {
    fn section(&mut self, name: &'static str) -> Result<Section<'_>, Error> {
        let table = match self.file.remove(name) {
            None => Table::new(),
            Some(Value::Table(table)) => table,
            Some(_) => {
                return Err(Error::Setting {
                    path: name.to_owned(),
                    problem: format!("is a section, write [{name}]"),
                });
            }
        };
        Ok(Section {
            name,
            table,
            environment: &self.environment,
        })
    }

    fn finish(self) -> Result<(), Error> {
        match self.file.keys().next() {
            None => Ok(()),
            Some(key) => Err(unknown(key.clone())),
        }
    }
}

struct Section<'a> {
    name: &'static str,
    table: Table,
    environment: &'a [(String, String)],
}

impl Section<'_> {
    /// The value of `key`, and the name to blame: the environment variable's where that decides.
    fn take(&mut self, key: &str) -> Option<(String, Value)> {
        let in_file = self.table.remove(key);
        let variable = format!("RECTO_{}_{}", self.name, key).to_uppercase();
        let overridden = self.environment.iter().find(|(name, _)| *name == variable);
        match overridden {
            Some((_, value)) => Some((variable, Value::String(value.clone()))),
            None => in_file.map(|value| (format!("{}.{key}", self.name), value)),
        }
    }

    fn text(&mut self, key: &str) -> Result<Option<String>, Error> {
        match self.take(key) {
            None => Ok(None),
            Some((_, Value::String(text))) => Ok(Some(text).filter(|text| !text.is_empty())),
            Some((path, _)) => Err(wrong(path, "is a text, write it in quotes")),
        }
    }

    fn one_of(&mut self, key: &str, names: &[&str]) -> Result<Option<String>, Error> {
        let path = format!("{}.{key}", self.name);
        match self.text(key)? {
            Some(name) if !names.contains(&name.as_str()) => {
                Err(wrong(path, &format!("is one of {}", names.join(", "))))
            }
            found => Ok(found),
        }
    }

    fn url(&mut self, key: &str) -> Result<Option<String>, Error> {
        let path = format!("{}.{key}", self.name);
        let Some(url) = self.text(key)? else {
            return Ok(None);
        };
        let Some(rest) = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://")) else {
            return Err(wrong(path, "begins with http:// or https://"));
        };
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if authority.contains('@') {
            return Err(wrong(
                path,
                "must not hold a name or password; name the key's variable in model.api_key_env",
            ));
        }
        if authority.is_empty() {
            return Err(wrong(path, "names no host"));
        }
        Ok(Some(url.trim_end_matches('/').to_owned()))
    }

    /// The name of an environment variable. A key pasted here by mistake is refused, and not repeated in the error.
    fn variable(&mut self, key: &str) -> Result<Option<String>, Error> {
        let path = format!("{}.{key}", self.name);
        let Some(name) = self.text(key)? else {
            return Ok(None);
        };
        let usable = name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
            && name
                .chars()
                .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        if usable {
            return Ok(Some(name));
        }
        Err(wrong(
            path,
            "is the name of the environment variable that holds the key (capital letters, digits and _), not the key",
        ))
    }

    fn number(&mut self, key: &str, range: RangeInclusive<u32>) -> Result<Option<u32>, Error> {
        let Some((path, value)) = self.take(key) else {
            return Ok(None);
        };
        let number = match value {
            Value::Integer(number) => Some(number),
            Value::String(text) if path.starts_with("RECTO_") => text.trim().parse().ok(),
            _ => None,
        };
        let fits = number
            .and_then(|number| u32::try_from(number).ok())
            .filter(|number| range.contains(number));
        match fits {
            Some(number) => Ok(Some(number)),
            None => Err(wrong(
                path,
                &format!("is a whole number from {} to {}", range.start(), range.end()),
            )),
        }
    }

    fn finish(self) -> Result<(), Error> {
        match self.table.keys().next() {
            None => Ok(()),
            Some(key) => Err(unknown(format!("{}.{key}", self.name))),
        }
    }
}

fn unknown(path: String) -> Error {
    wrong(path, "there is no such setting")
}

fn wrong(path: String, problem: &str) -> Error {
    Error::Setting {
        path,
        problem: problem.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str, environment: &[(&str, &str)]) -> String {
        let environment = environment.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
        Settings::parse(text, environment)
            .expect_err("must be refused")
            .to_string()
    }

    #[test]
    fn an_absent_file_means_defaults() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let settings = Settings::load(folder.path(), []).expect("defaults");
        assert_eq!(settings, Settings::default());
        assert_eq!(settings.search.limit, 5);
        assert!(std::fs::read_dir(folder.path()).expect("readable").next().is_none());
    }

    #[test]
    fn mistakes_are_named_by_their_path() {
        assert!(problem("[ingest]\nworkerz = 2", &[]).contains("ingest.workerz"));
        assert!(problem("[ingestion]\nworkers = 2", &[]).contains("ingestion"));
        assert!(problem("[ingest]\nworkers = 9", &[]).contains("ingest.workers: is a whole number from 1 to 8"));
        assert!(problem("[ingest]\nworkers = \"2\"", &[]).contains("ingest.workers"));
        assert!(problem("[search]\nlimit = -1", &[]).contains("search.limit"));
        assert!(problem("ingest = 3", &[]).contains("ingest"));
        assert!(problem("[model]\nprovider = \"bard\"", &[]).contains("model.provider: is one of ollama"));
        assert!(problem("", &[("RECTO_SEARCH_LIMIT", "many")]).contains("RECTO_SEARCH_LIMIT"));
    }

    #[test]
    fn a_secret_is_refused_and_not_repeated() {
        for text in [
            "[model]\napi_key_env = \"sk-verysecret\"",
            "[model]\nbase_url = \"https://me:sk-verysecret@host/v1\"",
        ] {
            assert!(!problem(text, &[]).contains("verysecret"));
        }
        assert!(problem("[model]\napi_key = \"sk-verysecret\"", &[]).contains("model.api_key"));
    }

    #[test]
    fn the_environment_overrides_the_file() {
        let environment = [
            ("RECTO_INGEST_WORKERS".to_owned(), "3".to_owned()),
            ("RECTO_MODEL_NAME".to_owned(), "small".to_owned()),
            ("RECTO_LIBRARY".to_owned(), "elsewhere".to_owned()),
        ];
        let settings = Settings::parse("[ingest]\nworkers = 2\n[search]\nlimit = 7", environment).expect("valid");
        assert_eq!(settings.ingest.workers, Some(3));
        assert_eq!(settings.model.name.as_deref(), Some("small"));
        assert_eq!(settings.search.limit, 7);
    }

    #[test]
    fn saved_settings_are_read_back_as_they_were() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let mut settings = Settings::default();
        settings.model.provider = Some("openai-compatible".to_owned());
        settings.model.base_url = Some("http://localhost:11434/v1".to_owned());
        settings.model.name = Some("say \"cheese\"\n[search]".to_owned());
        settings.model.api_key_env = Some("MY_KEY".to_owned());
        settings.ingest.workers = Some(2);
        settings.search.limit = 9;
        settings.save(folder.path()).expect("saved");
        assert_eq!(Settings::load(folder.path(), []).expect("valid"), settings);
    }
}
