//! A cross-encoder that the person has as a file, run in this process.

use crate::onnx::{environment, on_blocking_thread};
use async_trait::async_trait;
use ort::session::Session;
use ort::value::Tensor;
use recto_assets::Assets;
use recto_core::{Error, ErrorCode, Reranker, Result};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tokenizers::{Tokenizer, TruncationDirection, TruncationParams, TruncationStrategy};
use tokio::sync::OnceCell;

/// Most tokens of query and text together, what models of this kind are trained with.
const MOST_TOKENS: usize = 512;

/// A cross-encoder: an ONNX graph that takes `input_ids`, `attention_mask` and perhaps `token_type_ids`, and gives one
/// logit, or one for "no" and one for "yes". The files are loaded when it is first used.
#[derive(Debug)]
pub struct CrossEncoder {
    name: String,
    model: PathBuf,
    tokenizer: PathBuf,
    assets: Assets,
    engine: OnceCell<Arc<Engine>>,
}

#[derive(Debug)]
struct Engine {
    tokenizer: Tokenizer,
    session: Mutex<Session>,
    has_types: bool,
}

impl CrossEncoder {
    /// The model in the file `model`, with its `tokenizer.json`. ONNX Runtime itself is among `assets`.
    #[must_use]
    pub fn new(model: &Path, tokenizer: &Path, assets: Assets) -> Self {
        let name = model.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Self {
            name,
            model: model.into(),
            tokenizer: tokenizer.into(),
            assets,
            engine: OnceCell::new(),
        }
    }

    /// Loads the files, to see whether they can be.
    ///
    /// # Errors
    /// `asset_missing` when ONNX Runtime is, `invalid_argument` when one of the files is none.
    pub async fn load(&self) -> Result<()> {
        self.engine().await.map(drop)
    }

    async fn engine(&self) -> Result<Arc<Engine>> {
        let load = || async {
            let (model, tokenizer, assets) = (self.model.clone(), self.tokenizer.clone(), self.assets.clone());
            on_blocking_thread(move || Engine::load(&model, &tokenizer, &assets))
                .await
                .map(Arc::new)
        };
        self.engine.get_or_try_init(load).await.cloned()
    }
}

#[async_trait]
impl Reranker for CrossEncoder {
    fn name(&self) -> &str {
        &self.name
    }

    /// Dropping the future stops after the text being scored.
    async fn rank(&self, query: &str, texts: &[String]) -> Result<Vec<f32>> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let engine = self.engine().await?;
        let mut scores = Vec::with_capacity(texts.len());
        for text in texts {
            let (engine, query, text) = (Arc::clone(&engine), query.to_owned(), text.clone());
            scores.push(on_blocking_thread(move || engine.score(query, text)).await?);
        }
        Ok(scores)
    }
}

impl Engine {
    fn load(model: &Path, tokenizer: &Path, assets: &Assets) -> Result<Self> {
        let unusable = |path: &Path, what: &str, why: &dyn std::fmt::Display| {
            Error::new(
                ErrorCode::InvalidArgument,
                format!("The file {} cannot be used as {what}: {why}.", path.display()),
            )
        };
        let mut loaded =
            Tokenizer::from_file(tokenizer).map_err(|error| unusable(tokenizer, "the reranker's tokenizer", &error))?;
        loaded.with_padding(None);
        loaded
            .with_truncation(Some(TruncationParams {
                max_length: MOST_TOKENS,
                // The query stays whole.
                strategy: TruncationStrategy::OnlySecond,
                direction: TruncationDirection::Right,
                stride: 0,
            }))
            .map_err(|error| unusable(tokenizer, "the reranker's tokenizer", &error))?;
        let graph = |error: &dyn std::fmt::Display| unusable(model, "a reranker", error);
        let session = Session::builder(&environment(assets)?)
            .map_err(|error| graph(&error))?
            .commit_from_file(model)
            .map_err(|error| graph(&error))?;
        let takes = |name: &str| session.inputs().iter().any(|input| input.name() == name);
        if !takes("input_ids") || !takes("attention_mask") {
            return Err(graph(&"it does not take input_ids and attention_mask"));
        }
        Ok(Self {
            has_types: takes("token_type_ids"),
            tokenizer: loaded,
            session: Mutex::new(session),
        })
    }

    /// The raw score: what it is in the model's own range says more than after a squashing that makes all good texts
    /// equal.
    fn score(&self, query: String, text: String) -> Result<f32> {
        let failed = |error: &dyn std::fmt::Display| Error::internal(format!("A text could not be ranked: {error}."));
        let encode = |query: String| self.tokenizer.encode((query, text.as_str()), true);
        // A query that leaves no room for the text is an error of the tokenizer; its beginning has to do.
        let encoding = encode(query.clone())
            .or_else(|_| encode(query.chars().take(MOST_TOKENS / 2).collect()))
            .map_err(|error| failed(&error))?;
        let row = |values: &[u32]| {
            let values: Vec<i64> = values.iter().map(|&value| i64::from(value)).collect();
            Tensor::from_array(([1, values.len()], values)).map_err(|error| failed(&error))
        };
        let ids = row(encoding.get_ids())?;
        let mask = row(encoding.get_attention_mask())?;
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let outputs = if self.has_types {
            let types = row(encoding.get_type_ids())?;
            session.run(ort::inputs!["input_ids" => ids, "attention_mask" => mask, "token_type_ids" => types])
        } else {
            session.run(ort::inputs!["input_ids" => ids, "attention_mask" => mask])
        }
        .map_err(|error| failed(&error))?;
        let (_, logits) = outputs[0].try_extract_tensor::<f32>().map_err(|error| failed(&error))?;
        let score = match logits {
            [score] => *score,
            [no, yes] => yes - no,
            _ => return Err(failed(&"the model gives neither one score nor two")),
        };
        if score.is_finite() {
            Ok(score)
        } else {
            Err(failed(&"the score is no number"))
        }
    }
}
