//! Kinds: pieces that operators can put into each other's places, as far as the rules of the puzzle let them.
//!
//! Without rules, pieces whose slots exchange pieces are of one kind. With illegal states, pieces are told apart first by where they are illegal, and outlines
//! of these kinds are enumerated. Then two slots of two outlines belong together if an operator takes the piece of one to the other: pieces that
//! never meet in the same slot of the same outline are of different kinds. With the finer kinds this is done again, until nothing changes. So it is found out that
//! an edge of a puzzle that changes its shape never takes the place of half a corner.

use super::anatomy::Anatomy;
use super::outlines::{NOWHERE, Outlines};
use super::words::Sketch;
use search::CancelToken;
use std::collections::BTreeMap;

/// Steps of the outlines of kinds, at the most.
const MOST_STEPS: usize = 1 << 22;

/// The kinds of a puzzle's pieces.
#[derive(Clone, Debug)]
pub(super) struct Kinds {
    /// By label: its kind.
    pub(super) of: Vec<u8>,
    /// The slots that every sketch looks at because rules are about them: whole components.
    pub(super) always: Vec<usize>,
    /// How many outlines these slots have by kinds; 1 if there are none.
    pub(super) outlines: u64,
    /// Kinds whose pieces go along with those of a kind before: in every outline, operators rearrange both alike. Telling them apart tells nothing more.
    pub(super) tied: Vec<u8>,
}

impl Kinds {
    /// Those of a puzzle. Rules that would need too many outlines are left out.
    pub(super) fn new(anatomy: &Anatomy, cancel: &CancelToken) -> Self {
        let blocks = !anatomy.blocks.is_empty();
        let with_rules = (blocks || !anatomy.illegal.is_empty())
            .then(|| {
                let all = Self::by_rules(anatomy, true, cancel);
                let illegal = || blocks.then(|| Self::by_rules(anatomy, false, cancel)).flatten();
                all.or_else(illegal)
            })
            .flatten();
        with_rules.unwrap_or_else(|| {
            let key = |label: u8| vec![meeting(anatomy)[anatomy.homes(label)[0]]];
            Self { of: numbered(anatomy, key), always: Vec::new(), outlines: 1, tied: Vec::new() }
        })
    }

    /// With the slots of all rules, or of illegal states only; `None` if there are too many outlines.
    fn by_rules(anatomy: &Anatomy, blocks: bool, cancel: &CancelToken) -> Option<Self> {
        let meeting = meeting(anatomy);
        let bound: Vec<u8> = match blocks {
            true => anatomy.blocks.iter().flatten().copied().collect(),
            false => Vec::new(),
        };
        let home = |label: u8| meeting[anatomy.homes(label)[0]];
        let places = anatomy.illegal.iter().map(|(slot, _)| meeting[anatomy.component[*slot]]);
        let held: Vec<usize> = places.chain(bound.iter().map(|&label| home(label))).collect();
        let slots = 0..anatomy.component.len();
        let always: Vec<usize> =
            slots.filter(|&slot| held.contains(&meeting[anatomy.component[slot]])).collect();
        let mut kinds = numbered(anatomy, |label| {
            let bad =
                anatomy.illegal.iter().map(|(_, pieces)| usize::from(pieces.contains(&label)));
            let alone = if bound.contains(&label) { usize::from(label) + 1 } else { 0 };
            [home(label), alone].into_iter().chain(bad).collect()
        });
        loop {
            let sketch = Sketch {
                slots: always.clone(),
                turns: vec![1; kinds.len()],
                colour: vec![0; kinds.len()],
                group: kinds.clone(),
            };
            let outlines = Outlines::new(anatomy, &sketch, MOST_STEPS, cancel)?;
            let finer = refined(anatomy, &outlines, &kinds);
            if finer == kinds {
                let outlines = outlines.len() as u64;
                let tied = tied(anatomy, &sketch, cancel)?;
                return Some(Self { of: kinds, always, outlines, tied });
            }
            kinds = finer;
        }
    }
}

/// By component: the least of those that share a label with it, directly or not.
fn meeting(anatomy: &Anatomy) -> Vec<usize> {
    let components = anatomy.component.iter().max().map_or(0, |&most| most + 1);
    let mut join = Join::new(components);
    for label in (0..=u8::MAX).take(anatomy.class.len()) {
        let same = (0..=u8::MAX).zip(&anatomy.class).filter(|&(_, class)| *class == label);
        let homes: Vec<usize> = same.flat_map(|(other, _)| anatomy.homes(other)).collect();
        homes.windows(2).for_each(|pair| join.unite(pair[0], pair[1]));
    }
    (0..components).map(|component| join.find(component)).collect()
}

/// Numbers by label, from 0: the same for labels of one class, or with the same key.
fn numbered(anatomy: &Anatomy, key: impl Fn(u8) -> Vec<usize>) -> Vec<u8> {
    let mut numbers: BTreeMap<Vec<usize>, u8> = BTreeMap::new();
    let mut number = |&class: &u8| {
        // No more kinds than labels.
        let next = u8::try_from(numbers.len()).unwrap_or(u8::MAX);
        *numbers.entry(key(class)).or_insert(next)
    };
    anatomy.class.iter().map(&mut number).collect()
}

/// Kinds by which slots of which outlines their pieces come to; numbered anew only if there are more.
fn refined(anatomy: &Anatomy, outlines: &Outlines, kinds: &[u8]) -> Vec<u8> {
    let (words, length) = (&outlines.words, outlines.words.slots.len());
    let mut join = Join::new(outlines.len() * length + kinds.len());
    for row in 0..outlines.len() {
        for op in 0..words.costs.len() {
            let step = outlines.step(row, op);
            if step.row == NOWHERE {
                continue;
            }
            for (slot, from) in words.sources(op).enumerate() {
                join.unite(step.row as usize * length + slot, row * length + from);
            }
        }
    }
    // Each class has a node of its own, joined to where its pieces lie in the goals.
    let classes = outlines.len() * length;
    for goal in &anatomy.goals {
        let mut word = Vec::new();
        words.of(&mut word, |slot| goal[slot]);
        let Some(row) = outlines.find(&word) else { continue };
        for (place, &slot) in words.slots.iter().enumerate() {
            let class = anatomy.class[usize::from(goal[slot].0)];
            join.unite(row as usize * length + place, classes + usize::from(class));
        }
    }
    let made = numbered(anatomy, |class| {
        let class = usize::from(class);
        vec![kinds[class].into(), join.root(classes + class)]
    });
    let count = |kinds: &[u8]| kinds.iter().max().copied();
    if count(&made) > count(kinds) { made } else { kinds.to_vec() }
}

/// The groups of a sketch of kinds whose pieces are always rearranged as those of a group before.
fn tied(anatomy: &Anatomy, sketch: &Sketch, cancel: &CancelToken) -> Option<Vec<u8>> {
    let colour = (0..sketch.group.len()).map(|label| {
        let before = sketch.group[..label].iter().filter(|&&of| of == sketch.group[label]);
        u8::try_from(before.count()).unwrap_or(u8::MAX)
    });
    let apart = Sketch { colour: colour.collect(), ..sketch.clone() };
    let outlines = Outlines::new(anatomy, &apart, MOST_STEPS, cancel)?;
    let starts = outlines.filled.iter().scan(0, |next, &(group, pieces)| {
        let start = *next;
        *next += pieces;
        Some((group, start, pieces))
    });
    let filled: Vec<(u8, usize, usize)> = starts.collect();
    let alike = |&(_, a, pieces): &(u8, usize, usize), &(_, b, others): &(u8, usize, usize)| {
        let same = |order: &Vec<u8>| order[a..a + pieces] == order[b..b + pieces];
        pieces == others && outlines.orders.iter().all(same)
    };
    let later = filled.iter().enumerate();
    let tied = later.filter(|&(at, one)| filled[..at].iter().any(|before| alike(before, one)));
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
