//! Which specs are worth their bytes, and which of them a search takes.
//!
//! A *candidate* keeps something of one kind of pieces, of two, or of all. What it is worth is told by the mean of `b^-h` over its entries, to which the nodes of a
//! search with it alone are nearly proportional (Richard Korf, Michael Reid and Stefan Edelkamp, "Time complexity of iterative-deepening-A*",
//! Artificial Intelligence 129, 2001): its words near the goals are counted by cost, at least 2,048 of them if there are so many, and layers are taken to
//! grow on as they did until all entries are there. `b` is the growth of the puzzle's own states. Of the candidates that fit the memory the best one is taken, then
//! the one that together with it promises the fewest nodes, as if they were independent, as long as it tells something apart that the others do not
//! and saves a quarter. Nothing is random: the same definition and memory give the same tables.

use super::abstraction::{MOST_STEPS, SpecPattern};
use super::kinds::Kinds;
use super::layouts::goals;
use super::parts::{self, Part, Turned};
use super::structure::PuzzleStructure;
use super::tables::MOST_TABLES;
use super::walk::{Near, near};
use super::words::{PatternSpec, Words};
use search::{CancelToken, Distribution};

/// Entries of a table, at the most.
const MOST_ENTRIES: u128 = 1 << 28;
/// Words near the goals that a candidate is judged by.
const NEAR: usize = 1 << 11;
/// States near the goals that the growth of the puzzle is told by.
const NEAR_STATES: usize = 1 << 13;
/// CosetCandidates that are judged, at the most: the largest.
const MOST_JUDGED: usize = 120;
/// And of the smaller ones, evenly spaced by their size.
const MOST_SMALLER: usize = 40;
/// A further table leaves at most this share of the nodes.
const SAVING: f64 = 0.75;
/// Distances that are expected to fit four bits: a guess may be too small.
const SHALLOW: usize = 12;

/// A spec that a table can be built of.
#[derive(Clone, Debug)]
pub struct SpecCandidate {
    /// The spec.
    pub spec: PatternSpec,
    parts: Vec<Part>,
    /// Entries of its table, at the most.
    pub entries: u64,
    /// Bytes of its table and of what finds its entries, nearly.
    pub bytes: u64,
    /// Whether its distances are expected to fit four bits.
    pub shallow: bool,
    /// About how many operators its states lie from the goals: what nodes are predicted by.
    pub worth: f64,
    /// Whether the search takes it.
    pub taken: bool,
    distribution: Distribution,
}

/// How often each distance occurs in so many entries, if layers grow on as they did near the goals; and the growth.
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

/// The mean of `branching^-h`.
fn share(distribution: &Distribution, branching: f64) -> f64 {
    let shares = (0_i32..).zip(distribution.shares());
    shares.map(|(h, share)| share * branching.powi(-h)).sum()
}

/// A spec with its parts, its entries, and bytes of what finds these.
struct Fitting {
    entries: u64,
    finds: u64,
    spec: PatternSpec,
    parts: Vec<Part>,
}

/// The spec of these parts, unless its table is too large.
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

/// The specs that are judged: the largest that fit, and some of the smaller ones. `None` if cancelled.
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
    // What does not fit alone does not with another.
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

/// The specs of a puzzle that are worth more than all that take fewer bytes, by bytes, with those marked that a search takes whose tables have
/// at most so many bytes together; and the patterns of these. `None` if cancelled.
///
/// Time: some milliseconds for each of at most 160 candidates, and a hash for each layout and operator of those that are taken.
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

/// By what factor the states of the puzzle grow with cost, near the goals; `None` if cancelled.
fn branching(structure: &PuzzleStructure, kinds: &Kinds, cancel: &CancelToken) -> Option<f64> {
    let every = PatternSpec {
        slots: (0..structure.component.len()).collect(),
        group: structure.class.clone(),
        turns: structure.turns.clone(),
        colour: vec![0; structure.class.len()],
    };
    // Where symbols do not suffice for all turns, without them; and kinds are at most 256.
    let flat = PatternSpec { turns: vec![1; structure.class.len()], ..every.clone() };
    let kinds = PatternSpec { group: kinds.of.clone(), ..flat.clone() };
    let words = [every, flat, kinds].iter().find_map(|spec| Words::new(structure, spec))?;
    let near = near(&words, &goals(structure, &words), NEAR_STATES, cancel);
    (!cancel.is_cancelled()).then(|| grown(&near, 0).1)
}

/// What parts tell apart: classes, and turns of classes.
fn told(structure: &PuzzleStructure, one: &SpecCandidate) -> Vec<(u8, bool)> {
    let mut all = Vec::new();
    for part in &one.parts {
        all.extend(part.kept.iter().map(|&class| (class, false)));
        let of = |label: u8| match part.turned {
            Turned::None => false,
            Turned::Kept => part.kept.contains(&structure.class[usize::from(label)]),
            Turned::All => true,
        };
        let labels = (0..=u8::MAX).take(structure.class.len());
        let turned = labels.filter(|&label| one.spec.turns[usize::from(label)] > 1 && of(label));
        all.extend(turned.map(|label| (structure.class[usize::from(label)], true)));
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// Marks what is taken, one after another; answers the patterns. A candidate whose layouts turn out to be too large is passed over.
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
        // The least table that tells all classes apart, if there is one: no other knows more.
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
        // Now it is known what finds the entries, and that there are no more of these than was thought.
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
    /// Whether a pattern is that of this candidate.
    pub fn is_of(&self, pattern: &SpecPattern) -> bool {
        pattern.spec() == &self.spec
    }

    /// In words: of each kind that is looked at closer the pieces that are told apart, by their numbers in the definition from 0, how many others are alike, and which are
    /// told how they are turned.
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
                Turned::Kept if turned => ", turns of these",
                Turned::All if turned => ", all turns",
                _ => "",
            };
            format!("{set} {{{apart} apart{alike}{turned}}}")
        };
        self.parts.iter().map(told).collect::<Vec<String>>().join(" x ")
    }
}
