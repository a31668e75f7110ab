//! A short document given to the model whole.

use crate::calls::Place;
use crate::document_units::DocumentUnits;
use crate::documents::Loaded;
use crate::generate;
use crate::run::Run;
use recto_core::{PassageRole, Result, Span};
use recto_retrieval::{FoundPassage, RankedUnit, assemble};
use std::collections::BTreeMap;

/// One generation over every unit of `document`: those the search found first, best first, the others in order. Nothing
/// is left out or cut.
pub(crate) async fn run(run: &mut Run<'_>, document: &Loaded) -> Result<()> {
    let options = run.request.options;
    let found = run.retrieve(options.passages, options.passage_chars).await?.passages;
    let units = DocumentUnits::of(run.context, document);
    if units.units.is_empty() {
        run.refuse(&found);
        return Ok(());
    }
    let evidence = ranked(&units, &found);
    let (order, stats) = assemble(
        &evidence,
        &[],
        &|number: &u32| units.beside(*number),
        Some(&units.numbers()),
        evidence.len(),
    );
    run.draft.unit_stats = stats;
    let passages: Vec<FoundPassage> = order
        .into_iter()
        .filter_map(|unit| {
            let mut found = units.get(unit.unit)?.clone();
            found.passage.role = unit.role;
            if let (PassageRole::Evidence, Some(score)) = (unit.role, unit.score) {
                found.passage.score = score;
            }
            Some(found)
        })
        .collect();
    run.count_documents(&passages);
    generate::over(run, Place::new(1, "generate"), passages).await
}

/// The units that hold the chunks that were found, each once and by its best chunk, best first; equal ones in order. What
/// stands around a chunk in its passage does not count: a passage may reach over pages.
fn ranked(units: &DocumentUnits, found: &[FoundPassage]) -> Vec<RankedUnit<u32>> {
    let mut holders: BTreeMap<&str, Vec<(u32, &Span)>> = BTreeMap::new();
    for (number, unit) in &units.units {
        for span in &unit.passage.spans {
            holders.entry(&span.self_ref).or_default().push((*number, span));
        }
    }
    let mut best: BTreeMap<u32, f32> = BTreeMap::new();
    for chunk in found.iter().flat_map(|found| &found.matched) {
        for span in &chunk.spans {
            for (number, held) in holders.get(span.self_ref.as_str()).into_iter().flatten() {
                if held.start < span.end && span.start < held.end {
                    let score = best.entry(*number).or_insert(chunk.score);
                    *score = score.max(chunk.score);
                }
            }
        }
    }
    let mut ranked: Vec<RankedUnit<u32>> = best
        .into_iter()
        .map(|(unit, score)| RankedUnit {
            unit,
            score: Some(score),
        })
        .collect();
    ranked.sort_by(|a, b| {
        b.score
            .unwrap_or(0.0)
            .total_cmp(&a.score.unwrap_or(0.0))
            .then(a.unit.cmp(&b.unit))
    });
    ranked
}
