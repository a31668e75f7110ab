//! `models`: which models are used, where questions go, and setting them up.

use crate::args::{ModelChoice, ModelKind, ModelsAction};
use crate::context::{Context, Need};
use crate::failure::{Ending, Failure, Result};
use crate::output::{Output, human};
use recto_core::{Error, ErrorCode};
use recto_engine::Engine;
use recto_engine::contract::{ChatModelSettings, EmbeddingModelSettings, ModelReport, RerankerSettings, Stage};
use std::path::Path;

pub(crate) async fn run(
    context: &Context,
    output: &Output,
    probe: bool,
    action: Option<ModelsAction>,
) -> Result<Ending> {
    match action {
        None => status(context, output, probe).await,
        Some(ModelsAction::Use { model, no_probe }) => {
            let wanted = Wanted::of(model)?;
            context
                .with_engine(Need::Create, async |engine| set(engine, wanted, !no_probe).await)
                .await?;
            status(context, output, false).await
        }
        Some(ModelsAction::Remove { what }) => {
            let wanted = Wanted::nothing(what);
            context
                .with_engine(Need::Create, async |engine| set(engine, wanted, false).await)
                .await?;
            status(context, output, false).await
        }
        Some(ModelsAction::Probe { model }) => {
            let wanted = Wanted::of(model)?;
            let report = context
                .with_engine(Need::Look, async |engine| look(engine, wanted).await)
                .await?;
            output.result(&report, |view| human::model_report(&report, view))?;
            Ok(if report.usable {
                Ending::Done
            } else {
                Ending::Unsuccessful
            })
        }
    }
}

async fn status(context: &Context, output: &Output, probe: bool) -> Result<Ending> {
    let status = context
        .with_engine(Need::Look, async |engine| Ok(engine.models(probe).await))
        .await?;
    output.result(&status, |view| human::models(&status, view))?;
    Ok(Ending::Done)
}

/// A model to set up, and what it is for.
enum Wanted {
    Chat(Option<Stage>, ChatModelSettings),
    Embedding(EmbeddingModelSettings),
    Reranker(RerankerSettings),
}

impl Wanted {
    fn of(choice: ModelChoice) -> Result<Self> {
        let usage = |message: &str| Err(Failure::Usage(message.to_owned()));
        let of_chat = Wanted::stage(choice.what).is_some();
        if choice.context_tokens.is_some() && !of_chat {
            return usage("--context-tokens is for chat models.");
        }
        if choice.file.is_some() && choice.what != ModelKind::Reranker {
            return usage("--file is for a reranker; other models are a server's.");
        }
        if choice.name.is_none() && choice.file.is_none() {
            return usage("Name the model: recto models use chat NAME --provider ollama.");
        }
        if choice.provider.is_some() && choice.what == ModelKind::Reranker {
            return usage("A reranker needs no --provider: all speak one interface. Name its --address.");
        }
        Ok(match (choice.what, Wanted::stage(choice.what)) {
            (ModelKind::Reranker, _) => Self::Reranker(RerankerSettings {
                base_url: choice.address,
                name: choice.name,
                api_key_env: choice.key_env,
                model_file: choice.file.as_deref().map(absolute).transpose()?,
                tokenizer_file: choice.tokenizer.as_deref().map(absolute).transpose()?,
            }),
            (_, Some(stage)) => Self::Chat(
                stage,
                ChatModelSettings {
                    provider: choice.provider,
                    base_url: choice.address,
                    name: choice.name,
                    api_key_env: choice.key_env,
                    context_tokens: choice.context_tokens,
                },
            ),
            (_, None) => Self::Embedding(EmbeddingModelSettings {
                provider: choice.provider,
                base_url: choice.address,
                name: choice.name,
                api_key_env: choice.key_env,
                dimension: None,
            }),
        })
    }

    fn nothing(what: ModelKind) -> Self {
        match (what, Wanted::stage(what)) {
            (ModelKind::Reranker, _) => Self::Reranker(RerankerSettings::default()),
            (_, Some(stage)) => Self::Chat(stage, ChatModelSettings::default()),
            (_, None) => Self::Embedding(EmbeddingModelSettings::default()),
        }
    }

    /// The step of a chat model; the outer `None` for what is no chat model.
    fn stage(what: ModelKind) -> Option<Option<Stage>> {
        match what {
            ModelKind::Chat => Some(None),
            ModelKind::Rewrite => Some(Some(Stage::Rewrite)),
            ModelKind::Navigate => Some(Some(Stage::Navigate)),
            ModelKind::Judge => Some(Some(Stage::Judge)),
            ModelKind::Embedding | ModelKind::Reranker => None,
        }
    }
}

/// Files are found again from anywhere.
fn absolute(path: &Path) -> Result<String> {
    let whole = std::path::absolute(path)
        .map_err(|error| Failure::Usage(format!("{} is no usable path: {error}.", path.display())))?;
    match whole.to_str() {
        Some(text) => Ok(text.to_owned()),
        None => Err(Failure::Usage("The file's name is not valid Unicode.".to_owned())),
    }
}

/// Sets the model up. The engine looks at embedding models and rerankers itself.
async fn set(engine: &Engine, wanted: Wanted, probe: bool) -> Result<()> {
    match wanted {
        Wanted::Chat(stage, model) => {
            if probe {
                let report = engine
                    .probe_chat_model(whole(engine, stage, &model).await?, false)
                    .await?;
                let unwell = report.checks.iter().find(|check| check.is_well == Some(false));
                if let Some(check) = unwell.filter(|_| !report.usable) {
                    let message = format!("{} Nothing was changed.", check.sentence);
                    return Err(Error::new(ErrorCode::ModelRejected, message).into());
                }
            }
            match stage {
                None => engine.set_chat_model(model).await?,
                Some(stage) => engine.set_stage_model(stage, model).await?,
            }
        }
        Wanted::Embedding(model) => engine.set_embedding_model(model).await?,
        Wanted::Reranker(reranker) => engine.set_reranker(reranker).await?,
    };
    Ok(())
}

async fn look(engine: &Engine, wanted: Wanted) -> Result<ModelReport> {
    Ok(match wanted {
        Wanted::Chat(stage, model) => {
            let model = whole(engine, stage, &model).await?;
            engine.probe_chat_model(model, true).await?
        }
        Wanted::Embedding(model) => engine.probe_embedding_model(model).await?,
        Wanted::Reranker(reranker) => engine.probe_reranker(reranker).await?,
    })
}

/// The model of a step with the server it is asked at: without one of its own that of the chat model.
async fn whole(engine: &Engine, stage: Option<Stage>, model: &ChatModelSettings) -> Result<ChatModelSettings> {
    if stage.is_none() || model.provider.is_some() || model.base_url.is_some() {
        return Ok(model.clone());
    }
    Ok(ChatModelSettings {
        name: model.name.clone(),
        context_tokens: model.context_tokens,
        ..engine.settings_view().await?.model
    })
}
