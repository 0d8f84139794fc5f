//! Kinds of pieces. Pieces are of one kind if operators can put them into each other's places, as
//! far as the rules allow.
//!
//! Without rules, pieces whose slots exchange pieces are of one kind. With illegal states, pieces
//! are first divided by the slots in which they are illegal. Then the layouts of these kinds are
//! listed. Two slots of two layouts are joined if an operator takes the piece of one to the other.
//! Pieces that never meet in the same slot of the same layout are of different kinds. This is
//! repeated with the finer kinds until nothing changes.
//!
//! For example, this finds that an edge of Square-1 never takes the place of half a corner.

use super::factors::NOWHERE;
use super::layouts::Layouts;
use super::structure::PuzzleStructure;
use super::walk::OFTEN;
use super::words::PatternSpec;
use petgraph::unionfind::UnionFind;
use search::CancelToken;
use std::collections::BTreeMap;

/// The greatest number of steps of layouts that may be computed to find kinds.
const MOST_STEPS: usize = 1 << 22;

/// The kinds of a puzzle's pieces.
#[derive(Clone, Debug)]
pub(super) struct Kinds {
    /// For each label: its kind.
    pub(super) of: Vec<u8>,
    /// The slots that every spec must keep because rules name them. They are whole components.
    pub(super) always: Vec<usize>,
    /// The number of layouts of these slots by kinds. 1 if there are no such slots.
    pub(super) layouts: u64,
    /// Kinds that give no information beyond an earlier kind: in every layout, operators permute
    /// the pieces of both alike.
    pub(super) tied: Vec<u8>,
}

impl Kinds {
    /// The kinds of a puzzle. Ignores rules that would need too many layouts.
    pub(super) fn new(structure: &PuzzleStructure, cancel: &CancelToken) -> Self {
        let blocks = !structure.blocks.is_empty();
        let with_rules = (blocks || !structure.illegal.is_empty())
            .then(|| {
                let all = Self::by_rules(structure, true, cancel);
                let illegal = || blocks.then(|| Self::by_rules(structure, false, cancel)).flatten();
                all.or_else(illegal)
            })
            .flatten();
        with_rules.unwrap_or_else(|| {
            let key = |label: u8| vec![meeting(structure)[structure.homes(label)[0]]];
            Self { of: numbered(structure, key), always: Vec::new(), layouts: 1, tied: Vec::new() }
        })
    }

    /// The kinds under all rules, or without `blocks` under the rules about illegal states alone.
    /// `None` if there are too many layouts, or if cancelled.
    fn by_rules(structure: &PuzzleStructure, blocks: bool, cancel: &CancelToken) -> Option<Self> {
        let meeting = meeting(structure);
        let bound: Vec<u8> = match blocks {
            true => structure.blocks.iter().flatten().copied().collect(),
            false => Vec::new(),
        };
        let home = |label: u8| meeting[structure.homes(label)[0]];
        let places = structure.illegal.iter().map(|(slot, _)| meeting[structure.component[*slot]]);
        let held: Vec<usize> = places.chain(bound.iter().map(|&label| home(label))).collect();
        let slots = 0..structure.component.len();
        let always: Vec<usize> =
            slots.filter(|&slot| held.contains(&meeting[structure.component[slot]])).collect();
        let mut kinds = numbered(structure, |label| {
            let bad =
                structure.illegal.iter().map(|(_, pieces)| usize::from(pieces.contains(&label)));
            let alone = if bound.contains(&label) { usize::from(label) + 1 } else { 0 };
            [home(label), alone].into_iter().chain(bad).collect()
        });
        loop {
            let spec = PatternSpec {
                slots: always.clone(),
                turns: vec![1; kinds.len()],
                colour: vec![0; kinds.len()],
                group: kinds.clone(),
            };
            let layouts = Layouts::new(structure, &spec, MOST_STEPS, cancel)?;
            let finer = refined(structure, &layouts, &kinds, cancel)?;
            if finer == kinds {
                let layouts = layouts.len() as u64;
                let tied = tied(structure, &spec, cancel)?;
                return Some(Self { of: kinds, always, layouts, tied });
            }
            kinds = finer;
        }
    }
}

/// For each component: a number. Components with a class in common have the same number, also if
/// they are connected by such components.
fn meeting(structure: &PuzzleStructure) -> Vec<usize> {
    let components = structure.component.iter().max().map_or(0, |&most| most + 1);
    let mut join = UnionFind::new(components);
    for label in (0..=u8::MAX).take(structure.class.len()) {
        let same = (0..=u8::MAX).zip(&structure.class).filter(|&(_, class)| *class == label);
        let homes: Vec<usize> = same.flat_map(|(other, _)| structure.homes(other)).collect();
        homes.windows(2).for_each(|pair| _ = join.union(pair[0], pair[1]));
    }
    (0..components).map(|component| join.find(component)).collect()
}

/// For each label: a number, from 0. Labels of one class, or with the same key, have the same
/// number.
fn numbered(structure: &PuzzleStructure, key: impl Fn(u8) -> Vec<usize>) -> Vec<u8> {
    let mut numbers: BTreeMap<Vec<usize>, u8> = BTreeMap::new();
    let mut number = |&class: &u8| {
        let next = u8::try_from(numbers.len()).expect("no more kinds than labels");
        *numbers.entry(key(class)).or_insert(next)
    };
    structure.class.iter().map(&mut number).collect()
}

/// Kinds refined by the slots and layouts that their pieces can reach. Returns `kinds` if none is
/// divided. `None` if cancelled.
fn refined(
    structure: &PuzzleStructure,
    layouts: &Layouts,
    kinds: &[u8],
    cancel: &CancelToken,
) -> Option<Vec<u8>> {
    let (words, length) = (&layouts.words, layouts.words.slots.len());
    let mut join = UnionFind::new(layouts.len() * length + kinds.len());
    for row in 0..layouts.len() {
        if row.is_multiple_of(OFTEN) && cancel.is_cancelled() {
            return None;
        }
        for op in 0..words.costs.len() {
            let step = layouts.step(row, op);
            if step.row == NOWHERE {
                continue;
            }
            for (slot, from) in words.sources(op).enumerate() {
                join.union(step.row as usize * length + slot, row * length + from);
            }
        }
    }
    // Each class has a node of its own, joined to the places of its pieces in the goals.
    let classes = layouts.len() * length;
    for goal in &structure.goals {
        let mut word = Vec::new();
        words.of(&mut word, |slot| goal[slot]);
        let Some(row) = layouts.find(&word) else { continue };
        for (place, &slot) in words.slots.iter().enumerate() {
            let class = structure.class[usize::from(goal[slot].0)];
            join.union(row as usize * length + place, classes + usize::from(class));
        }
    }
    let made = numbered(structure, |class| {
        let class = usize::from(class);
        vec![kinds[class].into(), join.find(classes + class)]
    });
    let count = |kinds: &[u8]| kinds.iter().max().copied();
    Some(if count(&made) > count(kinds) { made } else { kinds.to_vec() })
}

/// The groups of a spec whose pieces are always permuted in the same way as those of an earlier
/// group. `None` if there are too many layouts, or if cancelled.
fn tied(structure: &PuzzleStructure, spec: &PatternSpec, cancel: &CancelToken) -> Option<Vec<u8>> {
    let colour = (0..spec.group.len()).map(|label| {
        let before = spec.group[..label].iter().filter(|&&of| of == spec.group[label]);
        u8::try_from(before.count()).expect("at most 256 labels")
    });
    let apart = PatternSpec { colour: colour.collect(), ..spec.clone() };
    let layouts = Layouts::new(structure, &apart, MOST_STEPS, cancel)?;
    let starts = layouts.mixed.iter().scan(0, |next, &(group, pieces)| {
        let start = *next;
        *next += pieces;
        Some((group, start, pieces))
    });
    let mixed: Vec<(u8, usize, usize)> = starts.collect();
    let alike = |&(_, a, pieces): &(u8, usize, usize), &(_, b, others): &(u8, usize, usize)| {
        let same = |order: &Vec<u8>| order[a..a + pieces] == order[b..b + pieces];
        pieces == others && layouts.orders.iter().all(same)
    };
    let later = mixed.iter().enumerate();
    let tied = later.filter(|&(at, one)| mixed[..at].iter().any(|before| alike(before, one)));
    Some(tied.map(|(_, &(group, ..))| group).collect())
}
