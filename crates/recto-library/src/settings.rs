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

/// The names of providers of embedding models; without one the bundled model is used.
pub const EMBEDDING_PROVIDERS: [&str; 3] = ["ollama", "openai-compatible", "openai"];

/// All settings of a library.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    /// `[model]`: the chat model.
    pub model: ModelSettings,
    /// `[model.rewrite]`, `[model.navigate]`, `[model.judge]`: chat models of single steps.
    pub stages: StageSettings,
    /// `[embedding]`: the embedding model of new collections.
    pub embedding: EmbeddingSettings,
    /// `[reranker]`: what ranks the passages found once more.
    pub reranker: RerankerSettings,
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

/// Chat models of single steps of answering; a step without one asks the chat model. Settings without a provider and an
/// address name another model of the chat model's server.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StageSettings {
    /// Making a question that goes on from others understandable by itself.
    pub rewrite: ModelSettings,
    /// Choosing sections from outlines.
    pub navigate: ModelSettings,
    /// Judging sections and pages.
    pub judge: ModelSettings,
}

impl StageSettings {
    /// The names of the steps.
    pub const NAMES: [&'static str; 3] = ["rewrite", "navigate", "judge"];

    /// The model of the step of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&ModelSettings> {
        match name {
            "rewrite" => Some(&self.rewrite),
            "navigate" => Some(&self.navigate),
            "judge" => Some(&self.judge),
            _ => None,
        }
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut ModelSettings> {
        match name {
            "rewrite" => Some(&mut self.rewrite),
            "navigate" => Some(&mut self.navigate),
            "judge" => Some(&mut self.judge),
            _ => None,
        }
    }
}

/// The embedding model that new collections use: the bundled one, or a server's. A collection keeps the one it was made
/// with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EmbeddingSettings {
    /// Sessions of the bundled model, of one thread each; `None` means as many as the machine has physical cores.
    pub threads: Option<u32>,
    /// Whose interface the server speaks, one of [`EMBEDDING_PROVIDERS`]; with a `base_url` alone, `openai-compatible`;
    /// without both, the bundled model.
    pub provider: Option<String>,
    /// Root of the server's interface. `None` for the provider's own.
    pub base_url: Option<String>,
    /// The model's name there.
    pub name: Option<String>,
    /// The environment variable that holds the key.
    pub api_key_env: Option<String>,
    /// Length of a vector; `None` to ask the server.
    pub dimension: Option<u32>,
}

impl EmbeddingSettings {
    /// Whether the bundled model is meant.
    #[must_use]
    pub fn is_bundled(&self) -> bool {
        self.provider.is_none() && self.base_url.is_none()
    }
}

/// A reranker: a server's, or a cross-encoder in a file. Without either there is none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RerankerSettings {
    /// The server's address, which ends before `/rerank`.
    pub base_url: Option<String>,
    /// The model's name there.
    pub name: Option<String>,
    /// The environment variable that holds the key.
    pub api_key_env: Option<String>,
    /// An ONNX file.
    pub model_file: Option<String>,
    /// Its `tokenizer.json`; `None` for the one beside it.
    pub tokenizer_file: Option<String>,
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

        let stages = StageSettings {
            rewrite: reader.model("model.rewrite")?,
            navigate: reader.model("model.navigate")?,
            judge: reader.model("model.judge")?,
        };
        let model = reader.model("model")?;

        let mut section = reader.section("embedding")?;
        let embedding = EmbeddingSettings {
            threads: section.number("threads", 1..=64)?,
            provider: section.one_of("provider", &EMBEDDING_PROVIDERS)?,
            base_url: section.url("base_url")?,
            name: section.text("name")?,
            api_key_env: section.variable("api_key_env")?,
            dimension: section.number("dimension", 1..=65_536)?,
        };
        section.finish()?;
        // Half a model would silently be the bundled one.
        if embedding.is_bundled() && embedding.name.is_some() {
            let problem = "needs embedding.provider or embedding.base_url beside it";
            return Err(wrong("embedding.name".to_owned(), problem));
        }
        if !embedding.is_bundled() && embedding.name.is_none() {
            return Err(wrong(
                "embedding.name".to_owned(),
                "names the server's model, and is missing",
            ));
        }

        let mut section = reader.section("reranker")?;
        let reranker = RerankerSettings {
            base_url: section.url("base_url")?,
            name: section.text("name")?,
            api_key_env: section.variable("api_key_env")?,
            model_file: section.text("model_file")?,
            tokenizer_file: section.text("tokenizer_file")?,
        };
        section.finish()?;
        match (&reranker.base_url, &reranker.name, &reranker.model_file) {
            (Some(_), _, Some(_)) => {
                let problem = "is one way to name a reranker and reranker.base_url another; keep one";
                return Err(wrong("reranker.model_file".to_owned(), problem));
            }
            (Some(_), None, None) => {
                return Err(wrong(
                    "reranker.name".to_owned(),
                    "names the server's model, and is missing",
                ));
            }
            (None, Some(_), None) => {
                return Err(wrong("reranker.name".to_owned(), "needs reranker.base_url beside it"));
            }
            (None, _, None) if reranker.tokenizer_file.is_some() => {
                let problem = "needs reranker.model_file beside it";
                return Err(wrong("reranker.tokenizer_file".to_owned(), problem));
            }
            _ => {}
        }

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
            stages,
            embedding,
            reranker,
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
        let model = |model: &ModelSettings| {
            vec![
                ("provider", text(&model.provider)),
                ("base_url", text(&model.base_url)),
                ("name", text(&model.name)),
                ("api_key_env", text(&model.api_key_env)),
                ("context_tokens", optional(model.context_tokens)),
            ]
        };
        let sections: [(&str, Vec<Entry>); 9] = [
            ("model", model(&self.model)),
            ("model.rewrite", model(&self.stages.rewrite)),
            ("model.navigate", model(&self.stages.navigate)),
            ("model.judge", model(&self.stages.judge)),
            (
                "embedding",
                vec![
                    ("threads", optional(self.embedding.threads)),
                    ("provider", text(&self.embedding.provider)),
                    ("base_url", text(&self.embedding.base_url)),
                    ("name", text(&self.embedding.name)),
                    ("api_key_env", text(&self.embedding.api_key_env)),
                    ("dimension", optional(self.embedding.dimension)),
                ],
            ),
            (
                "reranker",
                vec![
                    ("base_url", text(&self.reranker.base_url)),
                    ("name", text(&self.reranker.name)),
                    ("api_key_env", text(&self.reranker.api_key_env)),
                    ("model_file", text(&self.reranker.model_file)),
                    ("tokenizer_file", text(&self.reranker.tokenizer_file)),
                ],
            ),
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
            if table.is_empty() {
                continue;
            }
            match name.split_once('.') {
                None => document.insert(name.to_owned(), Value::Table(table)),
                // The outer section stands before its inner ones, or has nothing of its own.
                Some((outer, inner)) => {
                    let outer = document.entry(outer).or_insert_with(|| Value::Table(Table::new()));
                    outer
                        .as_table_mut()
                        .and_then(|outer| outer.insert(inner.to_owned(), Value::Table(table)))
                }
            };
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
    /// A chat model.
    fn model(&mut self, name: &'static str) -> Result<ModelSettings, Error> {
        let mut section = self.section(name)?;
        let model = ModelSettings {
            provider: section.one_of("provider", &PROVIDERS)?,
            base_url: section.url("base_url")?,
            name: section.text("name")?,
            api_key_env: section.variable("api_key_env")?,
            context_tokens: section.number("context_tokens", 512..=10_000_000)?,
        };
        section.finish()?;
        Ok(model)
    }

    /// A section, or one inside another: `model.judge`. Inner ones are read before the outer one.
    fn section(&mut self, name: &'static str) -> Result<Section<'_>, Error> {
        let found = match name.split_once('.') {
            None => self.file.remove(name),
            Some((outer, inner)) => match self.file.get_mut(outer) {
                Some(Value::Table(outer)) => outer.remove(inner),
                _ => None,
            },
        };
        let table = match found {
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
        let variable = format!("RECTO_{}_{key}", self.name.replace('.', "_")).to_uppercase();
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
                &format!(
                    "must not hold a name or password; name the key's variable in {}.api_key_env",
                    self.name
                ),
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
    fn half_a_model_is_refused_instead_of_meaning_the_bundled_one_or_none() {
        assert!(problem("[embedding]\nname = \"nomic\"", &[]).contains("embedding.name: needs embedding.provider"));
        assert!(problem("[embedding]\nprovider = \"ollama\"", &[]).contains("embedding.name"));
        assert!(problem("[embedding]\nprovider = \"gemini\"", &[]).contains("embedding.provider: is one of ollama"));
        assert!(problem("[reranker]\nname = \"x\"", &[]).contains("reranker.name: needs reranker.base_url"));
        assert!(problem("[reranker]\nbase_url = \"http://h/v1\"", &[]).contains("reranker.name"));
        assert!(problem("[reranker]\ntokenizer_file = \"t\"", &[]).contains("reranker.tokenizer_file"));
        let both = "[reranker]\nbase_url = \"http://h/v1\"\nname = \"x\"\nmodel_file = \"m.onnx\"";
        assert!(problem(both, &[]).contains("reranker.model_file"));
    }

    #[test]
    fn a_step_has_a_section_inside_that_of_the_model_and_variables_of_its_own() {
        let text = "[model]\nprovider = \"ollama\"\nname = \"big\"\n[model.navigate]\nname = \"small\"";
        let environment = [("RECTO_MODEL_JUDGE_NAME".to_owned(), "mid".to_owned())];
        let settings = Settings::parse(text, environment).expect("valid");
        assert_eq!(settings.model.name.as_deref(), Some("big"));
        assert_eq!(settings.stages.navigate.name.as_deref(), Some("small"));
        assert_eq!(settings.stages.judge.name.as_deref(), Some("mid"));
        assert_eq!(settings.stages.rewrite, ModelSettings::default());
        assert!(problem("[model.navigator]\nname = \"x\"", &[]).contains("model.navigator"));
        assert!(problem("[model]\njudge = \"x\"", &[]).contains("model.judge"));
        assert!(problem("[model.judge]\nnames = \"x\"", &[]).contains("model.judge.names"));
    }

    #[test]
    fn saved_settings_are_read_back_as_they_were() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let mut settings = Settings::default();
        settings.model.provider = Some("openai-compatible".to_owned());
        settings.model.base_url = Some("http://localhost:11434/v1".to_owned());
        settings.model.name = Some("say \"cheese\"\n[search]".to_owned());
        settings.model.api_key_env = Some("MY_KEY".to_owned());
        settings.stages.judge.name = Some("small".to_owned());
        settings.embedding.provider = Some("ollama".to_owned());
        settings.embedding.name = Some("nomic-embed-text".to_owned());
        settings.embedding.dimension = Some(768);
        settings.reranker.model_file = Some("/models/ms-marco.onnx".to_owned());
        settings.ingest.workers = Some(2);
        settings.search.limit = 9;
        settings.save(folder.path()).expect("saved");
        assert_eq!(Settings::load(folder.path(), []).expect("valid"), settings);
    }
}
