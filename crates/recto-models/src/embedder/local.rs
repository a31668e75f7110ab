//! The bundled sentence model, run in this process.
//!
//! The graph is all-MiniLM-L6-v2 with int8 weights and activations. Each session has one thread, because threads of
//! several sessions that wait by spinning take the cores from each other; there are as many sessions as cores instead.
//! Texts are embedded one by one: padding a batch to its longest text costs more than batching saves.

use crate::onnx::{environment, on_blocking_thread};
use crate::tokens::MiniLmTokens;
use async_trait::async_trait;
use futures::{StreamExt, TryStreamExt, stream};
use ort::session::Session;
use ort::value::Tensor;
use recto_assets::Assets;
use recto_core::{Embedder, EmbedderInfo, Error, Result, TokenCounter};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OnceCell, Semaphore};

const MODEL: &str = "minilm/model-fused.onnx";
const DIMENSION: usize = 384;

/// all-MiniLM-L6-v2 on this machine's processor. The files are loaded when the first text is embedded.
#[derive(Debug)]
pub struct LocalEmbedder {
    info: EmbedderInfo,
    assets: Assets,
    sessions: usize,
    tokens: Mutex<Option<MiniLmTokens>>,
    engine: OnceCell<Arc<Engine>>,
}

#[derive(Debug)]
struct Engine {
    tokens: MiniLmTokens,
    sessions: Mutex<Vec<Session>>,
    free: Arc<Semaphore>,
    count: usize,
}

impl LocalEmbedder {
    /// An embedder that computes up to `sessions` texts at a time, each on one core.
    #[must_use]
    pub fn new(assets: Assets, sessions: usize) -> Self {
        Self {
            info: EmbedderInfo {
                provider: "local".into(),
                name: "all-MiniLM-L6-v2-int8".into(),
                dimension: DIMENSION as u32,
            },
            assets,
            sessions: sessions.max(1),
            tokens: Mutex::default(),
            engine: OnceCell::new(),
        }
    }

    /// The model's token counter. Loads the tokenizer the first time, which blocks for some tens of milliseconds.
    ///
    /// # Errors
    /// `asset_missing`.
    pub fn token_counter(&self) -> Result<Arc<dyn TokenCounter>> {
        Ok(Arc::new(self.tokens()?))
    }

    /// Loads the model, so that the first text need not wait for it, or to see whether it can be loaded.
    ///
    /// # Errors
    /// `asset_missing`.
    pub async fn load(&self) -> Result<()> {
        self.engine().await.map(drop)
    }

    fn tokens(&self) -> Result<MiniLmTokens> {
        let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tokens) = &*tokens {
            return Ok(tokens.clone());
        }
        let loaded = MiniLmTokens::load(&self.assets)?;
        *tokens = Some(loaded.clone());
        Ok(loaded)
    }

    async fn engine(&self) -> Result<Arc<Engine>> {
        let load = || async {
            let tokens = self.tokens()?;
            let (assets, count) = (self.assets.clone(), self.sessions);
            on_blocking_thread(move || Engine::load(&assets, tokens, count))
                .await
                .map(Arc::new)
        };
        self.engine.get_or_try_init(load).await.cloned()
    }
}

#[async_trait]
impl Embedder for LocalEmbedder {
    fn info(&self) -> &EmbedderInfo {
        &self.info
    }

    /// Dropping the future stops after the texts being computed, a few milliseconds each. A single text waits for at
    /// most one text of a larger call, so a question is not held up by an import.
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let engine = self.engine().await?;
        let count = engine.count;
        stream::iter(texts.to_vec())
            .map(|text| embed_one(Arc::clone(&engine), text))
            .buffered(count)
            .try_collect()
            .await
    }
}

async fn embed_one(engine: Arc<Engine>, text: String) -> Result<Vec<f32>> {
    let permit = Arc::clone(&engine.free)
        .acquire_owned()
        .await
        .map_err(|_| Error::internal("The embedding model was closed."))?;
    on_blocking_thread(move || {
        let _permit = permit;
        let ids = engine.tokens.truncated_ids(&text)?;
        let mut session = engine
            .sessions()
            .pop()
            .ok_or_else(|| Error::internal("A session of the embedding model was lost."))?;
        let vector = run(&mut session, ids);
        engine.sessions().push(session);
        vector
    })
    .await
}

impl Engine {
    fn load(assets: &Assets, tokens: MiniLmTokens, count: usize) -> Result<Self> {
        let model = assets.read(MODEL)?;
        let environment = environment(assets)?;
        let sessions = (0..count)
            .map(|_| {
                Session::builder(&environment)
                    .map_err(|error| failed("session", &error))?
                    .with_intra_threads(1)
                    .map_err(|error| failed("threads", &error))?
                    .commit_from_memory(&model)
                    .map_err(|error| failed("graph", &error))
            })
            .collect::<Result<Vec<_>>>()?;
        Ok(Self {
            tokens,
            sessions: Mutex::new(sessions),
            free: Arc::new(Semaphore::new(count)),
            count,
        })
    }

    fn sessions(&self) -> std::sync::MutexGuard<'_, Vec<Session>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn failed(what: &str, error: &dyn std::fmt::Display) -> Error {
    Error::internal(format!("The embedding model could not be loaded ({what}): {error}."))
}

/// The vector of one text from its ids, L2-normalised.
fn run(session: &mut Session, ids: Vec<i64>) -> Result<Vec<f32>> {
    let failed = |error: ort::Error| Error::internal(format!("A text could not be embedded: {error}."));
    let shape = [1, ids.len()];
    let mask = Tensor::from_array((shape, vec![1i64; ids.len()])).map_err(failed)?;
    let ids = Tensor::from_array((shape, ids)).map_err(failed)?;
    let outputs = session
        .run(ort::inputs!["input_ids" => ids, "attention_mask" => mask])
        .map_err(failed)?;
    let output = outputs
        .get("last_hidden_state")
        .ok_or_else(|| Error::internal("The embedding model has no output of the expected name."))?;
    let (_, states) = output.try_extract_tensor::<f32>().map_err(failed)?;
    Ok(normalised_mean(states))
}

/// The mean over the tokens' states, scaled to length 1. Without padding every token is under the mask.
fn normalised_mean(states: &[f32]) -> Vec<f32> {
    let mut sum = vec![0f32; DIMENSION];
    for state in states.chunks_exact(DIMENSION) {
        for (total, value) in sum.iter_mut().zip(state) {
            *total += value;
        }
    }
    // The number of tokens falls out with the length.
    let length = sum.iter().map(|x| x * x).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
    sum.iter_mut().for_each(|x| *x /= length);
    sum
}
