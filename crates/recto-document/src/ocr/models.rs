//! The three models and the process that computes them: ONNX Runtime, loaded when the first page needs it.
//!
//! One thread without spinning for each session, because there is a worker for every core. The arena allocator is off:
//! every page and line has another shape, and an arena would keep the largest of each.

use super::raster::Patch;
use crate::error::{Error, Result};
use ort::ep;
use ort::session::Session;
use ort::value::Tensor;
use recto_assets::Assets;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

const DETECTION: &str = "ppocr/detection.onnx";
const DIRECTION: &str = "ppocr/direction.onnx";
const RECOGNITION: &str = "ppocr/recognition.onnx";

/// Rows of the strips that recognition and direction read.
pub(crate) const STRIP_ROWS: usize = 48;

/// The loaded models.
pub(crate) struct Models {
    detection: Session,
    direction: Session,
    recognition: Session,
    /// What the classes of recognition stand for; class 0 is "nothing here".
    alphabet: Vec<String>,
}

/// What recognition says about a strip: for each step along it, the best class and how sure it is.
#[derive(Debug)]
pub(crate) struct Steps {
    pub(crate) best: Vec<(usize, f32)>,
}

/// The models of this process, for one caller at a time.
///
/// # Errors
/// [`Error::AssetMissing`] when they cannot be loaded.
pub(crate) fn models() -> Result<MutexGuard<'static, Models>> {
    static MODELS: OnceLock<Result<Mutex<Models>, String>> = OnceLock::new();
    let models = MODELS.get_or_init(|| {
        Models::load().map(Mutex::new).map_err(|error| match error {
            Error::AssetMissing { what } => what,
            other => other.to_string(),
        })
    });
    match models {
        // A panic elsewhere left the sessions as they were: they keep nothing between runs.
        Ok(mutex) => Ok(mutex.lock().unwrap_or_else(PoisonError::into_inner)),
        Err(what) => Err(Error::AssetMissing { what: what.clone() }),
    }
}

fn missing(what: &str, error: &dyn std::fmt::Display) -> Error {
    Error::AssetMissing {
        what: format!("Recognition of text could not be started ({what}): {error}."),
    }
}

fn failed(error: &dyn std::fmt::Display) -> Error {
    Error::Internal {
        what: format!("Text could not be recognised: {error}."),
    }
}

impl Models {
    fn load() -> Result<Self> {
        let absent = |error: recto_core::Error| Error::AssetMissing { what: error.message };
        let assets = Assets::find().map_err(absent)?;
        let library = assets.library("onnxruntime").map_err(absent)?;
        let environment = ort::init_from(library)
            .map_err(|error| missing("library", &error))?
            .with_telemetry(false)
            .build()
            .map_err(|error| missing("environment", &error))?;
        let session = |name: &str| -> Result<Session> {
            let model = assets.read(name).map_err(absent)?;
            let settings = |error: &dyn std::fmt::Display| missing("settings", error);
            Session::builder(&environment)
                .map_err(|error| settings(&error))?
                .with_intra_threads(1)
                .map_err(|error| settings(&error))?
                .with_intra_op_spinning(false)
                .map_err(|error| settings(&error))?
                .with_memory_pattern(false)
                .map_err(|error| settings(&error))?
                .with_execution_providers([ep::CPU::default().with_arena_allocator(false).build()])
                .map_err(|error| settings(&error))?
                .commit_from_memory(&model)
                .map_err(|error| missing(name, &error))
        };
        let recognition = session(RECOGNITION)?;
        let alphabet = alphabet(&recognition)?;
        Ok(Self {
            detection: session(DETECTION)?,
            direction: session(DIRECTION)?,
            recognition,
            alphabet,
        })
    }

    pub(crate) fn character(&self, class: usize) -> &str {
        self.alphabet.get(class).map_or("", String::as_str)
    }

    /// For every pixel, how likely it is part of a line of text. `planes` are three of `width` × `height`.
    pub(crate) fn detect(&mut self, width: usize, height: usize, planes: Vec<f32>) -> Result<Vec<f32>> {
        run(&mut self.detection, width, height, planes, |values, _| values.to_vec())
    }

    /// How likely it is that the text of a strip stands on its head.
    pub(crate) fn upside_down(&mut self, patch: &Patch, columns: usize) -> Result<f32> {
        run(
            &mut self.direction,
            columns,
            patch.rows,
            patch.padded(columns),
            |values, _| values.get(1).copied().unwrap_or_default(),
        )
    }

    /// Reads a strip, which is made at least `columns` wide.
    pub(crate) fn read(&mut self, patch: &Patch, columns: usize) -> Result<Steps> {
        let columns = columns.max(patch.columns);
        run(
            &mut self.recognition,
            columns,
            patch.rows,
            patch.padded(columns),
            |values, classes| {
                let best = values.chunks_exact(classes.max(1)).map(|step| {
                    let mut best = (0, f32::MIN);
                    for (class, value) in step.iter().enumerate() {
                        if *value > best.1 {
                            best = (class, *value);
                        }
                    }
                    best
                });
                Steps { best: best.collect() }
            },
        )
    }
}

/// The characters, one a line in the model's metadata, between "nothing" and the space.
fn alphabet(recognition: &Session) -> Result<Vec<String>> {
    let listed = recognition
        .metadata()
        .map_err(|error| missing("alphabet", &error))?
        .custom("character")
        .ok_or_else(|| missing("alphabet", &"it is not in the model"))?;
    let mut alphabet = vec![String::new()];
    alphabet.extend(listed.split('\n').map(str::to_owned));
    alphabet.push(" ".into());
    Ok(alphabet)
}

/// Runs a model on one picture; `take` gets its output and the length of the last dimension.
fn run<T>(
    session: &mut Session,
    width: usize,
    height: usize,
    planes: Vec<f32>,
    take: impl FnOnce(&[f32], usize) -> T,
) -> Result<T> {
    let input = Tensor::from_array(([1, 3, height, width], planes)).map_err(|error| failed(&error))?;
    let outputs = session.run(ort::inputs![input]).map_err(|error| failed(&error))?;
    let (shape, values) = outputs[0].try_extract_tensor::<f32>().map_err(|error| failed(&error))?;
    let last = shape.last().copied().unwrap_or_default();
    Ok(take(values, usize::try_from(last).unwrap_or_default()))
}
