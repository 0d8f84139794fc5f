//! Words: what a spec keeps of each slot, how operators change it, and which words are legal.

use super::structure::PuzzleStructure;
use crate::puzzle::slots::slot_number;
use search::Cost;
use smallvec::SmallVec;

/// A word: one symbol for each slot. Up to 24 symbols need no allocation.
pub(super) type Word = SmallVec<[u8; 24]>;

/// What a pattern keeps of a state: for each piece its group and its colour in the group, and for
/// some pieces the turn.
///
/// Labels of one class have the same group and colour. The slots are whole components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternSpec {
    /// The slots that are kept, ascending.
    pub(super) slots: Vec<usize>,
    /// For each label: its group.
    pub(super) group: Vec<u8>,
    /// For each label: the number of turns that are distinguished. It divides that of the
    /// [`PuzzleStructure`] and is the same within a group.
    pub(super) turns: Vec<u8>,
    /// For each label: its colour within its group, from 0.
    pub(super) colour: Vec<u8>,
}

impl PatternSpec {
    /// Whether the spec keeps everything, so that it distinguishes all classes and turns.
    pub(super) fn keeps_all(&self, structure: &PuzzleStructure) -> bool {
        let alike = |a: usize, b: usize| {
            (self.group[a], self.colour[a]) == (self.group[b], self.colour[b])
                && structure.class[a] != structure.class[b]
        };
        let labels = self.group.len();
        let apart = (0..labels).all(|a| (0..a).all(|b| !alike(a, b)));
        let label = |slot: usize| usize::from(structure.goals[0][slot].0);
        // A component whose pieces are all alike and do not turn always looks the same.
        let plain = |slot: usize| {
            let same = |&other: &usize| structure.component[other] == structure.component[slot];
            let mut others = (0..structure.component.len()).filter(same);
            structure.turns[label(slot)] == 1
                && others.all(|other| structure.class[label(other)] == structure.class[label(slot)])
        };
        let mut slots = 0..structure.component.len();
        let seen = slots.all(|slot| self.slots.binary_search(&slot).is_ok() || plain(slot));
        apart && seen && self.turns == structure.turns
    }

    /// The same spec with each colour as a group of its own, so that layouts show all colours.
    /// `None` if there are more than 256 groups.
    pub(super) fn unfilled(&self) -> Option<Self> {
        let pairs: Vec<(u8, u8)> =
            self.group.iter().copied().zip(self.colour.iter().copied()).collect();
        let mut all = pairs.clone();
        all.sort_unstable();
        all.dedup();
        let group = |pair: &(u8, u8)| {
            u8::try_from(all.binary_search(pair).expect("every pair is there")).ok()
        };
        let group = pairs.iter().map(group).collect::<Option<Vec<u8>>>()?;
        Some(Self { colour: vec![0; group.len()], group, ..self.clone() })
    }
}

/// The words of a spec: one symbol for each slot, which shows the group and turn of the piece but
/// not its colour.
#[derive(Clone, Debug)]
pub(super) struct Words {
    pub(super) slots: Vec<usize>,
    /// For each label: its first symbol, and its number of turns.
    first: Vec<(u8, u8)>,
    /// For each symbol: its group.
    pub(super) group: Vec<u8>,
    /// Indexed by twist, then symbol: the symbol turned backward.
    back: Vec<Vec<u8>>,
    /// Indexed by operator, then place: the place that its symbol comes from, and by how much it
    /// turns.
    steps: Vec<Vec<(u8, u8)>>,
    pub(super) costs: Vec<Cost>,
    /// For each rule: a place, and for each symbol whether it may not lie there.
    illegal: Vec<(usize, Vec<bool>)>,
    /// For each block: the groups of its pieces.
    blocks: Vec<Vec<u8>>,
    /// Indexed by operator, then place: whether the operator's move changes it.
    moved: Vec<Vec<bool>>,
}

impl Words {
    /// The words of a spec. `None` if there are more than 256 symbols.
    pub(super) fn new(structure: &PuzzleStructure, spec: &PatternSpec) -> Option<Self> {
        let slots = spec.slots.clone();
        let groups = spec.group.iter().max().map_or(0, |&most| usize::from(most) + 1);
        let mut starts = vec![None; groups];
        let (mut group, mut next) = (Vec::new(), Vec::new());
        for (&of, &turns) in spec.group.iter().zip(&spec.turns) {
            if starts[usize::from(of)].is_none() {
                let start = u8::try_from(group.len()).ok()?;
                starts[usize::from(of)] = Some(start);
                group.extend(std::iter::repeat_n(of, turns.into()));
                next.extend(std::iter::repeat_n((usize::from(start), turns), turns.into()));
            }
        }
        if group.len() > 256 {
            return None;
        }
        let most = structure.steps.iter().flatten().map(|&(_, delta)| delta).max().unwrap_or(0);
        let row = |delta: usize| {
            let turn = |(symbol, &(start, turns)): (usize, &(usize, u8))| {
                let turns = usize::from(turns);
                let by = turns - delta % turns;
                u8::try_from(start + (symbol - start + by) % turns).expect("at most 256 symbols")
            };
            next.iter().enumerate().map(turn).collect::<Vec<u8>>()
        };
        let place = |slot: usize| slots.binary_search(&slot).ok();
        let source = |step: &Vec<(u8, u8)>| {
            // A spec keeps whole components, so each source slot has a place in the word.
            let of = |&slot: &usize| {
                let (from, delta) = step[slot];
                let from = place(from.into()).expect("components are whole");
                (slot_number(from), delta)
            };
            slots.iter().map(of).collect()
        };
        let kept = |moved: &Vec<bool>| slots.iter().map(|&slot| moved[slot]).collect();
        let mut made = Self {
            first: spec
                .group
                .iter()
                .zip(&spec.turns)
                .map(|(&of, &turns)| {
                    (starts[usize::from(of)].expect("every group has symbols"), turns)
                })
                .collect(),
            group,
            back: (0..=usize::from(most)).map(row).collect(),
            steps: structure.steps.iter().map(source).collect(),
            costs: structure.costs.clone(),
            illegal: Vec::new(),
            blocks: Vec::new(),
            moved: structure.moved.iter().map(kept).collect(),
            slots: slots.clone(),
        };
        made.keep_rules(structure, spec);
        Some(made)
    }

    /// Takes over the rules that a word can decide.
    ///
    /// A word decides a rule about a slot for each group whose pieces are all illegal there. It
    /// decides a block if all pieces of the block are distinguished.
    fn keep_rules(&mut self, structure: &PuzzleStructure, spec: &PatternSpec) {
        let labels = || (0..=u8::MAX).zip(&spec.group);
        let there = |label: u8| {
            let slots = structure.homes(label);
            spec.slots.iter().any(|&slot| slots.contains(&structure.component[slot]))
        };
        for (slot, pieces) in &structure.illegal {
            let Ok(place) = spec.slots.binary_search(slot) else { continue };
            let of = |group: u8| {
                let same = labels().filter(|&(label, &of)| of == group && there(label));
                let mut bad = same.map(|(label, _)| pieces.contains(&label));
                let first = bad.next();
                (first.unwrap_or(false), bad.all(|other| Some(other) == first))
            };
            let rows: Vec<(bool, bool)> = self.group.iter().map(|&group| of(group)).collect();
            // In a group with legal and illegal pieces, all are taken as legal.
            let forbidden: Vec<bool> = rows.iter().map(|&(bad, whole)| bad && whole).collect();
            if forbidden.contains(&true) {
                self.illegal.push((place, forbidden));
            }
        }
        for block in &structure.blocks {
            let alone = |&label: &u8| {
                let group = spec.group[usize::from(label)];
                let same = labels().filter(|&(_, &of)| of == group).count();
                (same == 1 && structure.count(label) == 1 && there(label)).then_some(group)
            };
            let groups: Option<Vec<u8>> = block.iter().map(alone).collect();
            self.blocks.extend(groups);
        }
    }

    /// Whether words can decide some rule.
    pub(super) fn restricted(&self) -> bool {
        !self.illegal.is_empty() || !self.blocks.is_empty()
    }

    /// Whether words can decide some block. Then the way back from a word may be forbidden.
    pub(super) fn directed(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// The symbol of a label and a twist.
    #[inline]
    pub(super) fn symbol(&self, label: u8, twist: u8) -> u8 {
        let (first, turns) = self.first[usize::from(label)];
        first + twist % turns
    }

    /// The group and the twist that a symbol shows.
    pub(super) fn read(&self, symbol: u8) -> (u8, u8) {
        let group = self.group[usize::from(symbol)];
        let first = self.group.iter().position(|&other| other == group);
        (group, symbol - u8::try_from(first.unwrap_or(0)).unwrap_or(symbol))
    }

    /// Overwrites `out` with the word of a state. `at` gives the label and twist in each slot.
    pub(super) fn of(&self, out: &mut Vec<u8>, at: impl Fn(usize) -> (u8, u8)) {
        out.clear();
        out.extend(self.slots.iter().map(|&slot| {
            let (label, twist) = at(slot);
            self.symbol(label, twist)
        }));
    }

    /// For each place of a word after an operator: the place that its symbol comes from.
    pub(super) fn sources(&self, op: usize) -> impl Iterator<Item = usize> {
        self.steps[op].iter().map(|&(from, _)| usize::from(from))
    }

    /// Overwrites `to` with the word that an operator turns into `from`. Both may be the same part
    /// of whole words, if no piece leaves it. The part begins at place `first`.
    pub(super) fn before(&self, from: &[u8], first: usize, op: usize, to: &mut Vec<u8>) {
        to.clear();
        to.resize(from.len(), 0);
        for (&symbol, &(source, delta)) in from.iter().zip(&self.steps[op][first..]) {
            to[usize::from(source) - first] = self.back[usize::from(delta)][usize::from(symbol)];
        }
    }

    /// Overwrites `out` with the order of the pieces of mixed groups after an operator. For each
    /// piece it has the piece's earlier place among the pieces of its group. `word` is the word
    /// before the operator. It may be a part of a whole word, as in [`Words::before`].
    pub(super) fn order(
        &self,
        word: &[u8],
        first: usize,
        op: usize,
        mixed: &[(u8, usize)],
        out: &mut Vec<u8>,
    ) {
        out.clear();
        let mut place = Word::from_elem(0, word.len());
        for &(group, _) in mixed {
            let of = |place: usize| self.group[usize::from(word[place])] == group;
            let mut count = 0;
            for (at, place) in place.iter_mut().enumerate() {
                *place = count;
                count += u8::from(of(at));
            }
            let steps = &self.steps[op][first..][..word.len()];
            let sources = steps.iter().map(|&(source, _)| usize::from(source) - first);
            out.extend(sources.filter(|&from| of(from)).map(|from| place[from]));
        }
    }

    /// Whether a word breaks no rule about illegal slots.
    pub(super) fn legal(&self, word: &[u8]) -> bool {
        self.illegal.iter().all(|(slot, forbidden)| !forbidden[usize::from(word[*slot])])
    }

    /// Whether blocks allow an operator on a word.
    pub(super) fn allowed(&self, word: &[u8], op: usize) -> bool {
        self.blocks.iter().all(|block| {
            let mut moved = block.iter().map(|group| {
                let of = |symbol: &u8| self.group[usize::from(*symbol)] == *group;
                word.iter().position(of).is_some_and(|slot| self.moved[op][slot])
            });
            let first = moved.next();
            moved.all(|moved| Some(moved) == first)
        })
    }
}
