//! In which order units are read: pages of documents, or stretches of those that have none.
//!
//! The one place where the rules of whole documents and of neighbours are; every strategy that reads units goes through it.

use recto_core::{PassageRole, UnitStats};

/// A unit with the score that put it in its place; `None` where none was given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankedUnit<K> {
    /// Which.
    pub unit: K,
    /// Its score.
    pub score: Option<f32>,
}

/// A unit in its place.
#[derive(Debug, Clone, PartialEq)]
pub struct AssembledUnit<K> {
    /// Which.
    pub unit: K,
    /// Why it is here.
    pub role: PassageRole,
    /// Its score, kept where it has one, whatever the role.
    pub score: Option<f32>,
    /// The unit it stands beside, for neighbours.
    pub neighbour_of: Option<K>,
}

/// Puts units in order.
///
/// Normally: `evidence`, best first; then, in slots left open, the unit after and the unit before the best evidence, which
/// `beside` names in this order; then `runner_ups`; never more than `cap`. A neighbour is never evidence, and one that is
/// evidence already is none.
///
/// Where `whole` gives all units of a short document in order, every one of them is returned past any cap: evidence,
/// runner-ups, then the rest in the document's order.
///
/// No unit is returned twice; a second mention of one is dropped.
pub fn assemble<K: Ord + Clone>(
    evidence: &[RankedUnit<K>],
    runner_ups: &[RankedUnit<K>],
    beside: &dyn Fn(&K) -> Vec<K>,
    whole: Option<&[K]>,
    cap: usize,
) -> (Vec<AssembledUnit<K>>, UnitStats) {
    let mut taken: Vec<AssembledUnit<K>> = Vec::new();
    let most = if whole.is_some() { usize::MAX } else { cap };
    let mut take = |unit: AssembledUnit<K>| {
        if taken.len() < most && !taken.iter().any(|other| other.unit == unit.unit) {
            taken.push(unit);
        }
    };
    let ranked = |ranked: &RankedUnit<K>, role| AssembledUnit {
        unit: ranked.unit.clone(),
        role,
        score: ranked.score,
        neighbour_of: None,
    };
    for unit in evidence {
        take(ranked(unit, PassageRole::Evidence));
    }
    if let (None, Some(anchor)) = (whole, evidence.first()) {
        for unit in beside(&anchor.unit) {
            let score = runner_ups
                .iter()
                .find(|other| other.unit == unit)
                .and_then(|other| other.score);
            take(AssembledUnit {
                unit,
                role: PassageRole::Neighbour,
                score,
                neighbour_of: Some(anchor.unit.clone()),
            });
        }
    }
    for unit in runner_ups {
        take(ranked(unit, PassageRole::RunnerUp));
    }
    for unit in whole.unwrap_or_default() {
        take(AssembledUnit {
            unit: unit.clone(),
            role: PassageRole::WholeDocument,
            score: None,
            neighbour_of: None,
        });
    }
    let count = |role: PassageRole| {
        let of_role = taken.iter().filter(|unit| unit.role == role).count();
        u32::try_from(of_role).unwrap_or(u32::MAX)
    };
    let stats = UnitStats {
        evidence: count(PassageRole::Evidence),
        neighbours: count(PassageRole::Neighbour),
        runner_ups: count(PassageRole::RunnerUp),
        whole_documents: count(PassageRole::WholeDocument),
        returned: u32::try_from(taken.len()).unwrap_or(u32::MAX),
        cap: u32::try_from(cap).unwrap_or(u32::MAX),
    };
    (taken, stats)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ranked(units: &[u32]) -> Vec<RankedUnit<u32>> {
        let score = |at: usize| Some(1.0 - f32::from(u8::try_from(at).unwrap_or(u8::MAX)) / 100.0);
        units
            .iter()
            .enumerate()
            .map(|(at, unit)| RankedUnit {
                unit: *unit,
                score: score(at),
            })
            .collect()
    }

    /// Pages 1 to 9.
    fn beside(page: &u32) -> Vec<u32> {
        [page + 1, page - 1]
            .into_iter()
            .filter(|page| (1..=9).contains(page))
            .collect()
    }

    fn shown(evidence: &[u32], runner_ups: &[u32], whole: Option<&[u32]>, cap: usize) -> Vec<(u32, PassageRole)> {
        let (units, stats) = assemble(&ranked(evidence), &ranked(runner_ups), &beside, whole, cap);
        assert_eq!(stats.returned as usize, units.len());
        units.into_iter().map(|unit| (unit.unit, unit.role)).collect()
    }

    use PassageRole::{Evidence, Neighbour, RunnerUp, WholeDocument};

    #[test]
    fn a_short_document_is_whole_past_the_cap_with_what_was_ranked_first() {
        let all: Vec<u32> = (1..=6).collect();
        assert_eq!(
            shown(&[4, 2], &[6], Some(&all), 2),
            [
                (4, Evidence),
                (2, Evidence),
                (6, RunnerUp),
                (1, WholeDocument),
                (3, WholeDocument),
                (5, WholeDocument)
            ]
        );
    }

    #[test]
    fn neighbours_come_after_all_evidence_next_before_previous_and_before_runner_ups() {
        assert_eq!(
            shown(&[5, 8], &[1, 2], None, 5),
            [
                (5, Evidence),
                (8, Evidence),
                (6, Neighbour),
                (4, Neighbour),
                (1, RunnerUp)
            ]
        );
    }

    #[test]
    fn with_one_open_slot_only_the_next_page_is_a_neighbour() {
        assert_eq!(
            shown(&[5, 8], &[1], None, 3),
            [(5, Evidence), (8, Evidence), (6, Neighbour)]
        );
        assert_eq!(
            shown(&[5, 8], &[1], None, 2),
            [(5, Evidence), (8, Evidence)],
            "evidence fills the cap"
        );
    }

    #[test]
    fn the_first_and_the_last_page_have_one_neighbour() {
        assert_eq!(shown(&[1], &[], None, 5), [(1, Evidence), (2, Neighbour)]);
        assert_eq!(shown(&[9], &[], None, 5), [(9, Evidence), (8, Neighbour)]);
    }

    #[test]
    fn a_neighbour_that_is_evidence_is_none_and_a_runner_up_keeps_its_score() {
        assert_eq!(
            shown(&[5, 6], &[], None, 5),
            [(5, Evidence), (6, Evidence), (4, Neighbour)]
        );
        let (units, stats) = assemble(&ranked(&[5]), &ranked(&[4, 3]), &beside, None, 9);
        let order: Vec<_> = units.iter().map(|unit| unit.unit).collect();
        assert_eq!(order, [5, 6, 4, 3]);
        assert_eq!(
            (units[1].score, units[1].neighbour_of),
            (None, Some(5)),
            "nobody read it"
        );
        assert_eq!((units[2].score, units[2].role), (Some(1.0), Neighbour));
        assert_eq!(
            (
                stats.evidence,
                stats.neighbours,
                stats.runner_ups,
                stats.whole_documents
            ),
            (1, 2, 1, 0)
        );
    }

    #[test]
    fn nothing_found_has_no_neighbours() {
        assert_eq!(shown(&[], &[3], None, 5), [(3, RunnerUp)]);
    }

    proptest! {
        #[test]
        fn every_unit_stands_once_and_roles_stand_in_order(
            evidence in prop::collection::vec(1_u32..10, 0..6),
            runner_ups in prop::collection::vec(1_u32..10, 0..6),
            whole in any::<bool>(),
            cap in 0_usize..12,
        ) {
            let all: Vec<u32> = (1..=9).collect();
            let shown = shown(&evidence, &runner_ups, whole.then_some(&all), cap);
            let mut seen: Vec<u32> = shown.iter().map(|(unit, _)| *unit).collect();
            seen.sort_unstable();
            let count = seen.len();
            seen.dedup();
            prop_assert_eq!(seen.len(), count);
            let complete = seen == all;
            prop_assert!(complete || (!whole && count <= cap));
            let place = |role: PassageRole| [Evidence, Neighbour, RunnerUp, WholeDocument].iter().position(|other| *other == role);
            prop_assert!(shown.windows(2).all(|pair| place(pair[0].1) <= place(pair[1].1)));
        }
    }
}
