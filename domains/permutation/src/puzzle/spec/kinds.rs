//! Kinds: pieces that operators can put into each other's places, as far as the rules of the puzzle let them.
//!
//! Without rules, pieces whose slots exchange pieces are of one kind. With illegal states, pieces are told apart first by where they are illegal, and layouts
//! of these kinds are enumerated. Then two slots of two layouts belong together if an operator takes the piece of one to the other: pieces that
//! never meet in the same slot of the same layout are of different kinds. With the finer kinds this is done again, until nothing changes. So it is found out that
//! an edge of a puzzle that changes its shape never takes the place of half a corner.

use super::layouts::{Layouts, NOWHERE};
use super::structure::PuzzleStructure;
use super::words::PatternSpec;
use search::CancelToken;
use std::collections::BTreeMap;

/// Steps of the layouts of kinds, at the most.
const MOST_STEPS: usize = 1 << 22;

/// The kinds of a puzzle's pieces.
#[derive(Clone, Debug)]
pub(super) struct Kinds {
    /// By label: its kind.
    pub(super) of: Vec<u8>,
    /// The slots that every spec looks at because rules are about them: whole components.
    pub(super) always: Vec<usize>,
    /// How many layouts these slots have by kinds; 1 if there are none.
    pub(super) layouts: u64,
    /// Kinds whose pieces go along with those of a kind before: in every layout, operators rearrange both alike. Telling them apart tells nothing more.
    pub(super) tied: Vec<u8>,
}

impl Kinds {
    /// Those of a puzzle. Rules that would need too many layouts are left out.
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

    /// With the slots of all rules, or of illegal states only; `None` if there are too many layouts.
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
            let finer = refined(structure, &layouts, &kinds);
            if finer == kinds {
                let layouts = layouts.len() as u64;
                let tied = tied(structure, &spec, cancel)?;
                return Some(Self { of: kinds, always, layouts, tied });
            }
            kinds = finer;
        }
    }
}

/// By component: the least of those that share a label with it, directly or not.
fn meeting(structure: &PuzzleStructure) -> Vec<usize> {
    let components = structure.component.iter().max().map_or(0, |&most| most + 1);
    let mut join = Join::new(components);
    for label in (0..=u8::MAX).take(structure.class.len()) {
        let same = (0..=u8::MAX).zip(&structure.class).filter(|&(_, class)| *class == label);
        let homes: Vec<usize> = same.flat_map(|(other, _)| structure.homes(other)).collect();
        homes.windows(2).for_each(|pair| join.unite(pair[0], pair[1]));
    }
    (0..components).map(|component| join.find(component)).collect()
}

/// Numbers by label, from 0: the same for labels of one class, or with the same key.
fn numbered(structure: &PuzzleStructure, key: impl Fn(u8) -> Vec<usize>) -> Vec<u8> {
    let mut numbers: BTreeMap<Vec<usize>, u8> = BTreeMap::new();
    let mut number = |&class: &u8| {
        // No more kinds than labels.
        let next = u8::try_from(numbers.len()).unwrap_or(u8::MAX);
        *numbers.entry(key(class)).or_insert(next)
    };
    structure.class.iter().map(&mut number).collect()
}

/// Kinds by which slots of which layouts their pieces come to; numbered anew only if there are more.
fn refined(structure: &PuzzleStructure, layouts: &Layouts, kinds: &[u8]) -> Vec<u8> {
    let (words, length) = (&layouts.words, layouts.words.slots.len());
    let mut join = Join::new(layouts.len() * length + kinds.len());
    for row in 0..layouts.len() {
        for op in 0..words.costs.len() {
            let step = layouts.step(row, op);
            if step.row == NOWHERE {
                continue;
            }
            for (slot, from) in words.sources(op).enumerate() {
                join.unite(step.row as usize * length + slot, row * length + from);
            }
        }
    }
    // Each class has a node of its own, joined to where its pieces lie in the goals.
    let classes = layouts.len() * length;
    for goal in &structure.goals {
        let mut word = Vec::new();
        words.of(&mut word, |slot| goal[slot]);
        let Some(row) = layouts.find(&word) else { continue };
        for (place, &slot) in words.slots.iter().enumerate() {
            let class = structure.class[usize::from(goal[slot].0)];
            join.unite(row as usize * length + place, classes + usize::from(class));
        }
    }
    let made = numbered(structure, |class| {
        let class = usize::from(class);
        vec![kinds[class].into(), join.root(classes + class)]
    });
    let count = |kinds: &[u8]| kinds.iter().max().copied();
    if count(&made) > count(kinds) { made } else { kinds.to_vec() }
}

/// The groups of a spec of kinds whose pieces are always rearranged as those of a group before.
fn tied(structure: &PuzzleStructure, spec: &PatternSpec, cancel: &CancelToken) -> Option<Vec<u8>> {
    let colour = (0..spec.group.len()).map(|label| {
        let before = spec.group[..label].iter().filter(|&&of| of == spec.group[label]);
        u8::try_from(before.count()).unwrap_or(u8::MAX)
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

/// Disjoint sets of numbers.
struct Join(Vec<usize>);

impl Join {
    fn new(size: usize) -> Self {
        Self((0..size).collect())
    }
    fn root(&self, mut at: usize) -> usize {
        while self.0[at] != at {
            at = self.0[at];
        }
        at
    }
    /// The root, with the way to it made shorter.
    fn find(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }
    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
    }
}
