//! Chooses the specs whose tables save the most nodes for their size.
//!
//! A *candidate* is a [`PatternSpec`] that keeps something of one kind of pieces, of two kinds, or
//! of all kinds. Its worth comes from the mean of `b^-h` over the distances `h` of its entries. The
//! nodes of a search with this table alone are nearly proportional to that mean: Richard Korf,
//! Michael Reid and Stefan Edelkamp, "Time complexity of iterative-deepening-A*", Artificial
//! Intelligence 129, 2001.
//!
//! The distances are estimated. The layouts near the goals are counted by cost, at least 2,048 if
//! there are so many (see [`Near`]). Further layers are assumed to grow at the same rate until all
//! entries are reached. `b` is the branching factor of the puzzle, measured near the goals.
//!
//! The best candidate that fits in the memory is taken first. Each further step takes the candidate
//! that leaves the fewest expected nodes together with those taken before, as if bounds were
//! independent. It must distinguish something that the others do not, and save a quarter of the
//! nodes. Nothing is random: the same definition and memory give the same tables.

use super::abstraction::{MOST_STEPS, SpecPattern};
use super::kinds::Kinds;
use super::layouts::goals;
use super::parts::{self, Part, TurnDetail};
use super::structure::PuzzleStructure;
use super::tables::MOST_TABLES;
use super::walk::{Near, near};
use super::words::{PatternSpec, Words};
use search::CancelToken;
use search::predict::Distribution;

/// Most entries of a table.
const MOST_ENTRIES: u128 = 1 << 28;
/// Number of layouts near the goals from which a candidate is judged.
const NEAR: usize = 1 << 11;
/// Number of states near the goals from which the branching factor is measured.
const NEAR_STATES: usize = 1 << 13;
/// Most candidates that are judged because they are the largest.
const MOST_JUDGED: usize = 120;
/// Most smaller candidates that are judged besides them, evenly spaced by size.
const MOST_SMALLER: usize = 40;
/// A further table is taken only if at most this share of the nodes remains.
const SAVING: f64 = 0.75;
/// Largest estimated distance for which a table gets four bits an entry. Four bits hold distances
/// up to 14, but the estimate may be too small.
const SHALLOW: usize = 12;

/// A spec for which a table can be built.
#[derive(Clone, Debug)]
pub struct SpecCandidate {
    /// The spec.
    pub spec: PatternSpec,
    parts: Vec<Part>,
    /// Most entries that its table can have.
    pub entries: u64,
    /// Bytes of its table and of the data that finds its entries, approximately.
    pub bytes: u64,
    /// Whether its distances are expected to fit four bits.
    pub shallow: bool,
    /// Estimated distance of its states from the goals, in operators. Larger is better.
    pub worth: f64,
    /// Whether the choice takes this candidate.
    pub taken: bool,
    distribution: Distribution,
}

/// The distribution of distances over this many entries, if layers continue to grow as near the
/// goals. Also returns the growth from layer to layer.
fn grown(near: &Near, entries: u64) -> (Distribution, f64) {
    let sums: Vec<f64> = near
        .layers
        .iter()
        .scan(0.0, |sum, &layer| {
            *sum += layer as f64;
            Some(*sum)
        })
        .collect();
    let (last, half) = (sums.len() - 1, (sums.len() - 1) / 2);
    let steps = (last - half).max(1) as f64;
    let growth = (sums[last] / sums[half]).powf(1.0 / steps).max(1.05);
    let mut weights: Vec<f64> = near.layers.iter().map(|&layer| layer as f64).collect();
    let mut sum = sums[last];
    while !near.whole && sum < entries as f64 && weights.len() < 250 {
        let layer = (sum * (growth - 1.0)).min(entries as f64 - sum);
        weights.push(layer);
        sum += layer;
    }
    (Distribution::from_weights(&weights), growth)
}

/// The mean of `branching^-h` over the distances `h` of a distribution.
fn share(distribution: &Distribution, branching: f64) -> f64 {
    let shares = (0_i32..).zip(distribution.shares());
    shares.map(|(h, share)| share * branching.powi(-h)).sum()
}

/// A spec, the parts it consists of, its number of entries, and the bytes of the data that finds
/// them.
struct Fitting {
    entries: u64,
    finds: u64,
    spec: PatternSpec,
    parts: Vec<Part>,
}

/// The spec that consists of these parts. `None` if its table is too large.
fn fitting(
    structure: &PuzzleStructure,
    kinds: &Kinds,
    parts: &[Part],
    memory: u64,
) -> Option<Fitting> {
    let spec = parts::spec(structure, kinds, parts)?;
    let rows = parts::rows(structure, kinds, &spec);
    let entries = rows.saturating_mul(parts::columns(structure, &spec));
    let steps = rows.saturating_mul(structure.costs.len() as u128);
    // A word for each layout, and 8 bytes for each step.
    let words = rows.saturating_mul(spec.slots.len() as u128);
    let finds = steps.saturating_mul(8).saturating_add(words);
    let least = finds.saturating_add(entries / 2);
    let fits = entries <= MOST_ENTRIES && steps <= MOST_STEPS as u128 && least <= memory.into();
    let small = |number: u128| u64::try_from(number).ok();
    let (entries, finds) = (small(entries)?, small(finds)?);
    fits.then(|| Fitting { entries, finds, spec, parts: parts.to_vec() })
}

/// The specs to judge: the largest ones that fit, and some of the smaller ones. `None` if
/// cancelled.
fn specs(
    structure: &PuzzleStructure,
    kinds: &Kinds,
    memory: u64,
    cancel: &CancelToken,
) -> Option<Vec<Fitting>> {
    let fitting = |parts: &[Part]| fitting(structure, kinds, parts, memory);
    let whole: Vec<Part> =
        numbers(kinds).map(|kind| parts::whole(structure, kinds, kind)).collect();
    let mut found: Vec<Fitting> = fitting(&whole).into_iter().collect();
    // A part that does not fit alone does not fit with another.
    let alone = |kind: u8| {
        let all = parts::parts(structure, kinds, kind).into_iter();
        all.filter_map(|part| fitting(&[part])).collect::<Vec<Fitting>>()
    };
    let each: Vec<Vec<Fitting>> = numbers(kinds).map(alone).collect();
    for (number, first) in each.iter().enumerate() {
        for a in first {
            if cancel.is_cancelled() {
                return None;
            }
            let others = each[number + 1..].iter().flatten();
            found.extend(others.filter_map(|b| fitting(&[&a.parts[..], &b.parts[..]].concat())));
        }
    }
    found.extend(each.into_iter().flatten());
    found.sort_by_key(|one| std::cmp::Reverse(one.entries));
    found.dedup_by(|a, b| a.spec == b.spec);
    let smaller = found.split_off(found.len().min(MOST_JUDGED));
    let apart = smaller.len().div_ceil(MOST_SMALLER).max(1);
    found.extend(smaller.into_iter().step_by(apart));
    Some(found)
}

/// First, the candidates by bytes, each worth more than all smaller ones. Second, the patterns of
/// those that are taken. `None` if cancelled.
///
/// The tables of the taken candidates need at most `memory` bytes together.
///
/// Time: some milliseconds for each of at most 160 candidates, and a hash for each layout and
/// operator of the taken ones.
pub fn candidates(
    structure: &PuzzleStructure,
    memory: u64,
    cancel: &CancelToken,
) -> Option<(Vec<SpecCandidate>, Vec<SpecPattern>)> {
    let kinds = Kinds::new(structure, cancel);
    let branching = branching(structure, &kinds, cancel)?;
    let mut judged = Vec::new();
    for Fitting { entries, finds, spec, parts } in specs(structure, &kinds, memory, cancel)? {
        let words = spec.unfilled().and_then(|spec| Words::new(structure, &spec));
        let Some(words) = words else { continue };
        let near = near(&words, &goals(structure, &words), NEAR, cancel);
        if cancel.is_cancelled() {
            return None;
        }
        let (distribution, _) = grown(&near, entries);
        let shallow = distribution.largest() <= SHALLOW;
        let bytes = finds + if shallow { entries.div_ceil(2) } else { entries };
        let worth = -share(&distribution, branching).ln() / branching.ln();
        let taken = false;
        let one =
            SpecCandidate { spec, parts, entries, bytes, shallow, worth, taken, distribution };
        judged.push(one);
    }
    judged.retain(|one| one.bytes <= memory && one.worth > 0.0);
    let patterns = take(structure, &mut judged, memory, branching, cancel)?;
    judged.sort_by(|a, b| a.bytes.cmp(&b.bytes).then(b.worth.total_cmp(&a.worth)));
    let mut best = 0.0;
    judged.retain(|one| {
        let better = one.worth > best;
        best = one.worth.max(best);
        better || one.taken
    });
    Some((judged, patterns))
}

fn numbers(kinds: &Kinds) -> std::ops::RangeInclusive<u8> {
    0..=kinds.of.iter().max().copied().unwrap_or(0)
}

/// The factor by which the number of states near the goals grows with each unit of cost. `None` if
/// cancelled.
fn branching(structure: &PuzzleStructure, kinds: &Kinds, cancel: &CancelToken) -> Option<f64> {
    let every = PatternSpec {
        slots: (0..structure.component.len()).collect(),
        group: structure.class.clone(),
        turns: structure.turns.clone(),
        colour: vec![0; structure.class.len()],
    };
    // Symbols are bytes. If these are too few for all turns, ignore turns. If they are still too
    // few, count kinds in place of classes. There are at most 256 kinds.
    let flat = PatternSpec { turns: vec![1; structure.class.len()], ..every.clone() };
    let kinds = PatternSpec { group: kinds.of.clone(), ..flat.clone() };
    let words = [every, flat, kinds].iter().find_map(|spec| Words::new(structure, spec))?;
    let near = near(&words, &goals(structure, &words), NEAR_STATES, cancel);
    (!cancel.is_cancelled()).then(|| grown(&near, 0).1)
}

/// What a candidate distinguishes: `(class, false)` for a class, `(class, true)` for its turns.
fn told(structure: &PuzzleStructure, one: &SpecCandidate) -> Vec<(u8, bool)> {
    let mut all = Vec::new();
    for part in &one.parts {
        all.extend(part.kept.iter().map(|&class| (class, false)));
        let of = |label: u8| match part.turned {
            TurnDetail::None => false,
            TurnDetail::Kept => part.kept.contains(&structure.class[usize::from(label)]),
            TurnDetail::All => true,
        };
        let labels = (0..=u8::MAX).take(structure.class.len());
        let turned = labels.filter(|&label| one.spec.turns[usize::from(label)] > 1 && of(label));
        all.extend(turned.map(|label| (structure.class[usize::from(label)], true)));
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// Takes one candidate after another, marks it, and returns the patterns. Drops a candidate whose
/// pattern turns out to be too large. `None` if cancelled.
fn take(
    structure: &PuzzleStructure,
    judged: &mut Vec<SpecCandidate>,
    memory: u64,
    branching: f64,
    cancel: &CancelToken,
) -> Option<Vec<SpecPattern>> {
    let (mut patterns, mut members, mut known) = (Vec::new(), Vec::new(), Vec::new());
    let (mut left, mut nodes) = (memory, 1.0);
    let exact = |one: &SpecCandidate| one.spec.keeps_all(structure);
    while patterns.len() < MOST_TABLES && !judged.iter().any(|one| one.taken && exact(one)) {
        // The bytes of the smallest table that keeps everything, if there is one. No other table
        // knows more.
        let smallest = judged.iter().filter(|one| exact(one)).map(|one| one.bytes).min();
        let promise = |one: &SpecCandidate| {
            let members: Vec<Distribution> =
                [&members[..], std::slice::from_ref(&one.distribution)].concat();
            share(&Distribution::max_of(&members), branching)
        };
        let new = |one: &SpecCandidate| {
            let tells = || told(structure, one).iter().any(|it| !known.contains(it));
            let best = smallest.is_none_or(|bytes| exact(one) && one.bytes == bytes);
            !one.taken && one.bytes <= left && best && tells()
        };
        let promises = judged.iter().enumerate().filter(|(_, one)| new(one));
        let promises = promises.map(|(at, one)| (at, promise(one), one.bytes));
        let best = promises.min_by(|a, b| a.1.total_cmp(&b.1).then(a.2.cmp(&b.2)));
        let Some((at, promised, _)) = best.filter(|&(_, promised, _)| promised < SAVING * nodes)
        else {
            break;
        };
        let pattern = SpecPattern::new(structure, &judged[at].spec, cancel);
        if cancel.is_cancelled() {
            return None;
        }
        // Only the pattern knows its entries and the bytes that find them.
        let shallow = judged[at].shallow;
        let bytes = |pattern: &SpecPattern| {
            let entries = pattern.entries();
            pattern.bytes() + if shallow { entries.div_ceil(2) } else { entries }
        };
        let Some(pattern) = pattern.filter(|pattern| bytes(pattern) <= left) else {
            judged.remove(at);
            continue;
        };
        let one = &mut judged[at];
        (one.entries, one.bytes) = (pattern.entries(), bytes(&pattern));
        one.taken = true;
        (left, nodes) = (left - one.bytes, promised);
        members.push(one.distribution.clone());
        known.extend(told(structure, &judged[at]));
        patterns.push(pattern);
    }
    Some(patterns)
}

impl SpecCandidate {
    /// Whether a pattern has the spec of this candidate.
    pub fn is_of(&self, pattern: &SpecPattern) -> bool {
        pattern.spec() == &self.spec
    }

    /// A description of the candidate for users. `sets` are the names of the sets.
    ///
    /// For each kind of pieces it lists the pieces that are distinguished, by their numbers from 0.
    /// Then it says how many others look alike, and whose turns are kept.
    pub fn explained(&self, structure: &PuzzleStructure, sets: &[&str]) -> String {
        let told = |part: &Part| {
            let name = |class: u8| {
                let (set, piece) = structure.names[usize::from(class)];
                (set, piece.to_string())
            };
            let kept: Vec<String> = part.kept.iter().map(|&class| name(class).1).collect();
            let of = |label: &u8| structure.names[usize::from(*label)].0;
            let kind = &part.labels;
            let set = kind.first().map_or("", |label| sets.get(of(label)).copied().unwrap_or(""));
            let pieces: usize = kind.iter().map(|&label| structure.count(label)).sum();
            let here: usize = part.kept.iter().map(|&class| parts::count(structure, class)).sum();
            let apart = if kept.is_empty() { "none".to_owned() } else { kept.join(" ") };
            let alike = match pieces - here {
                0 => String::new(),
                others => format!(", {others} alike"),
            };
            let turned = kind.iter().any(|&label| self.spec.turns[usize::from(label)] > 1);
            let turned = match part.turned {
                TurnDetail::Kept if turned => ", turns of these",
                TurnDetail::All if turned => ", all turns",
                _ => "",
            };
            format!("{set} {{{apart} apart{alike}{turned}}}")
        };
        self.parts.iter().map(told).collect::<Vec<String>>().join(" x ")
    }
}
