//! Cutting text into the tokens of the bundled sentence model.

use recto_assets::Assets;
use recto_core::{Error, Result, TokenCounter};
use std::sync::Arc;
use tokenizers::Tokenizer;

/// Most tokens of one text, the two special ones included.
pub const TOKEN_LIMIT: usize = 256;

const TOKENIZER: &str = "minilm/tokenizer.json";

/// The tokenizer of all-MiniLM-L6-v2. Cloning is cheap.
#[derive(Debug, Clone)]
pub struct MiniLmTokens {
    tokenizer: Arc<Tokenizer>,
}

impl MiniLmTokens {
    /// Loads the tokenizer. Blocks for some tens of milliseconds.
    ///
    /// # Errors
    /// `asset_missing`.
    pub fn load(assets: &Assets) -> Result<Self> {
        let mut tokenizer = Tokenizer::from_bytes(assets.read(TOKENIZER)?)
            .map_err(|error| Error::internal(format!("The tokenizer could not be loaded: {error}.")))?;
        // As shipped, the file pads and truncates every text to 128 tokens.
        tokenizer.with_padding(None);
        tokenizer
            .with_truncation(None)
            .map_err(|error| Error::internal(format!("The tokenizer could not be set up: {error}.")))?;
        Ok(Self {
            tokenizer: Arc::new(tokenizer),
        })
    }

    /// Ids of `text` with the special tokens around them, at most [`TOKEN_LIMIT`]: what is too long loses its end,
    /// not the closing token.
    pub(crate) fn truncated_ids(&self, text: &str) -> Result<Vec<i64>> {
        let encoding = self
            .tokenizer
            .encode_fast(text, true)
            .map_err(|error| Error::internal(format!("A text could not be cut into tokens: {error}.")))?;
        let mut ids: Vec<i64> = encoding.get_ids().iter().map(|&id| i64::from(id)).collect();
        if ids.len() > TOKEN_LIMIT {
            let closing = ids.pop();
            ids.truncate(TOKEN_LIMIT - 1);
            ids.extend(closing);
        }
        Ok(ids)
    }
}

impl TokenCounter for MiniLmTokens {
    fn count(&self, text: &str) -> usize {
        // WordPiece takes any text, so this has no way to fail; were it to, the words are the nearest to a count.
        self.tokenizer
            .encode_fast(text, true)
            .map_or_else(|_| text.split_whitespace().count() + 2, |encoding| encoding.len())
    }

    fn limit(&self) -> usize {
        TOKEN_LIMIT
    }
}
