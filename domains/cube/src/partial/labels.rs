//! Labels of pieces: what a goal distinguishes about them ([`CubeLabels`]).

use super::PartialCube;
use crate::cube::{CORNER_NAMES, Cube, EDGE_NAMES, Parts};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The number of kinds of pieces: corners (kind 0) and edges (kind 1).
pub const KINDS: usize = 2;

/// The numbers of orientations, called turns, of a corner and of an edge.
const TURNS: [usize; KINDS] = [3, 2];

/// What a goal distinguishes about the piece in a slot: its class and its turn.
pub type Label = (u16, u8);

/// A cube as labels: for each kind, the label in each slot.
pub type LabelRow = [Vec<Label>; KINDS];

/// By kind and slot: whether goals ignore the piece there, and whether they ignore its turn.
pub type Ignored = [Vec<(bool, bool)>; KINDS];

/// Why stickers have no labels.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabelsError {
    /// More slots than pieces allow only these pieces.
    #[error("the slots {} ask for the same piece: expected each piece once", .slots.join(", "))]
    SamePiece {
        /// The names of the slots.
        slots: Vec<&'static str>,
    },
    /// No cube has these stickers.
    #[error("the stickers do not go together: expected those of one cube")]
    NoCube,
    /// The stickers do not tell what a goal asks for.
    #[error(
        "the stickers leave open what lies in slot {slot}, and the goal depends on it: expected \
         more stickers, or a goal that asks for less"
    )]
    Open {
        /// The name of a slot.
        slot: &'static str,
    },
    /// A set tells pieces apart that goals do not tell apart.
    #[error("it asks for more than the goal tells apart: expected a goal that lies within it")]
    Finer,
}

/// For each piece of a cube: its class and its turn, as a goal distinguishes them.
///
/// Pieces are in one class if the goal wants them in the same slots with the same turns. Classes
/// are numbered in the order of these slots. So goals that differ only in colours have the same
/// classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CubeLabels {
    /// By kind and piece: its class, and the turn that is added to its own.
    pieces: [Vec<Label>; KINDS],
    /// By kind and class: the number of turns that the goal distinguishes, 1 if it ignores turns.
    turns: [Vec<u8>; KINDS],
}

/// For each kind and slot: the pieces and turns that a set allows. The bit of a piece and a turn is
/// `TURNS[kind] * piece + turn`.
fn rows(set: &PartialCube) -> [&[u32]; KINDS] {
    [set.corners(), set.edges()]
}

/// The turns of a piece that a slot allows, one bit for each turn.
fn turns_of(allowed: u32, kind: usize, piece: usize) -> u32 {
    allowed >> (TURNS[kind] * piece) & ((1 << TURNS[kind]) - 1)
}

/// The turns of a set, each increased by `more` modulo `all`.
fn turned(set: u32, more: usize, all: usize) -> u32 {
    (0..all)
        .filter(|turn| set >> turn & 1 == 1)
        .fold(0, |set, turn| set | 1 << ((turn + more) % all))
}

/// Removes pieces that other slots need: if as many slots as pieces allow only these pieces, no
/// other slot keeps them.
///
/// # Errors
/// If more slots than pieces allow only these pieces.
fn narrowed(row: &[u32], kind: usize) -> Result<Vec<u32>, LabelsError> {
    let mut row = row.to_vec();
    let bits = |pieces: u32| {
        let one = (1 << TURNS[kind]) - 1;
        let of =
            |piece: usize| if pieces >> piece & 1 == 1 { one << (TURNS[kind] * piece) } else { 0 };
        (0..row_len(kind)).fold(0_u32, |all, piece| all | of(piece))
    };
    let pieces_in = |allowed: u32| {
        (0..row_len(kind))
            .fold(0_u32, |all, piece| all | u32::from(turns_of(allowed, kind, piece) != 0) << piece)
    };
    loop {
        let pieces: Vec<u32> = row.iter().map(|&allowed| pieces_in(allowed)).collect();
        let before = row.clone();
        for &set in &pieces {
            let within = |slot: usize| pieces[slot] & !set == 0;
            let slots = (0..row.len()).filter(|&slot| within(slot)).count();
            if slots > set.count_ones() as usize {
                let names =
                    (0..row.len()).filter(|&slot| within(slot)).map(|slot| name(kind, slot));
                return Err(LabelsError::SamePiece { slots: names.collect() });
            }
            if slots == set.count_ones() as usize {
                let others = (0..row.len()).filter(|&slot| !within(slot)).collect::<Vec<_>>();
                others.into_iter().for_each(|slot| row[slot] &= !bits(set));
            }
        }
        if row == before {
            return Ok(row);
        }
    }
}

fn row_len(kind: usize) -> usize {
    [8, 12][kind]
}

fn name(kind: usize, slot: usize) -> &'static str {
    if kind == 0 { CORNER_NAMES[slot] } else { EDGE_NAMES[slot] }
}

impl CubeLabels {
    /// The labels for goals: a cube in any of these sets is a goal.
    ///
    /// # Errors
    /// If a set is empty, because several slots ask for the same piece.
    pub fn new(goals: &[PartialCube]) -> Result<Self, LabelsError> {
        let mut labels = Self { pieces: Default::default(), turns: Default::default() };
        for (kind, &all) in TURNS.iter().enumerate() {
            let goals: Vec<Vec<u32>> = goals
                .iter()
                .map(|goal| narrowed(rows(goal)[kind], kind))
                .collect::<Result<_, _>>()?;
            // For each piece: the turns that each slot of each goal allows. All turns of a piece
            // are increased by the same number, so that the result does not depend on its colours.
            let wanted = |piece: usize| {
                let sets = goals.iter().flatten().map(|&set| turns_of(set, kind, piece));
                let sets: Vec<u32> = sets.collect();
                let after = |more| -> Vec<u32> {
                    sets.iter().map(|&set| turned(set, more, all).reverse_bits()).collect()
                };
                // Turn 0 in an early slot comes first.
                let best = (0..all).map(|more| (Reverse(after(more)), more)).min();
                let (wanted, more) = best.unwrap_or_default();
                (wanted, after(0) == after(1), more)
            };
            let wanted: Vec<_> = (0..row_len(kind)).map(wanted).collect();
            let classes: BTreeSet<_> =
                wanted.iter().map(|(wanted, free, _)| (wanted, free)).collect();
            for (wanted, free, more) in &wanted {
                let at = classes.iter().position(|class| *class == (wanted, free)).unwrap_or(0);
                let more = if *free { 0 } else { *more };
                labels.pieces[kind].push((small(at), small(more)));
            }
            let turns = |free| if free { 1 } else { small(all) };
            labels.turns[kind] = classes.iter().map(|(_, free)| turns(**free)).collect();
        }
        Ok(labels)
    }

    /// For each class of a kind: the number of turns that the goals distinguish, 1 if they ignore
    /// turns.
    pub fn turns(&self, kind: usize) -> &[u8] {
        &self.turns[kind]
    }

    /// Whether the goals distinguish pieces of a kind, or turns of them.
    pub fn tells(&self, kind: usize) -> bool {
        self.turns[kind] != [1]
    }

    /// The label of a piece in a turn.
    fn label(&self, kind: usize, piece: usize, turn: usize) -> Label {
        let (class, more) = self.pieces[kind][piece];
        let turn = (turn + usize::from(more)) % usize::from(self.turns[kind][usize::from(class)]);
        (class, small(turn))
    }

    /// For each slot of a kind: the labels that a set allows.
    fn options(&self, set: &PartialCube, kind: usize) -> Result<Vec<Vec<Label>>, LabelsError> {
        let turns = TURNS[kind];
        let labels = |allowed: &u32| {
            let bits = (0..24).filter(|bit| allowed >> bit & 1 == 1);
            let labels: BTreeSet<Label> =
                bits.map(|bit| self.label(kind, bit / turns, bit % turns)).collect();
            labels.into_iter().collect()
        };
        Ok(narrowed(rows(set)[kind], kind)?.iter().map(labels).collect())
    }

    /// By kind and slot: the labels that a set allows. The set has all cubes with such labels.
    ///
    /// # Errors
    /// If no cube is in the set, or a slot of it allows only some of the cubes with a label there.
    pub fn allowed(&self, set: &PartialCube) -> Result<[Vec<Vec<Label>>; KINDS], LabelsError> {
        let mut all: [Vec<Vec<Label>>; KINDS] = Default::default();
        for (kind, all) in all.iter_mut().enumerate() {
            *all = self.options(set, kind)?;
            let turns = TURNS[kind];
            let with = |labels: &Vec<Label>| {
                let bits = 0..turns * row_len(kind);
                let of = |bit: usize| self.label(kind, bit / turns, bit % turns);
                bits.filter(|&bit| labels.contains(&of(bit))).fold(0, |all, bit| all | 1 << bit)
            };
            let wide: Vec<u32> = all.iter().map(with).collect();
            let [wide, own] = [narrowed(&wide, kind)?, narrowed(rows(set)[kind], kind)?];
            if wide != own {
                return Err(LabelsError::Finer);
            }
        }
        Ok(all)
    }

    /// For each class of a kind: the number of its pieces.
    fn counts(&self, kind: usize) -> Vec<usize> {
        let mut counts = vec![0; self.turns[kind].len()];
        self.pieces[kind].iter().for_each(|&(class, _)| counts[usize::from(class)] += 1);
        counts
    }

    /// For each slot: whether any remaining piece may lie there in any turn, and whether its turn
    /// is ignored.
    ///
    /// The remaining pieces are those that no slot with a fixed class needs.
    fn open(&self, options: &[Vec<Label>], kind: usize) -> Vec<(bool, bool)> {
        let only = |options: &Vec<Label>| {
            let first = options.first().map(|&(class, _)| class);
            first.filter(|first| options.iter().all(|(class, _)| class == first))
        };
        let mut left = self.counts(kind);
        for class in options.iter().filter_map(only) {
            left[usize::from(class)] = left[usize::from(class)].saturating_sub(1);
        }
        let turns = |class: u16| self.turns[kind][usize::from(class)];
        let classes = (0_u16..).zip(&left).filter(|(_, left)| **left > 0);
        let all = classes.flat_map(|(class, _)| (0..turns(class)).map(move |turn| (class, turn)));
        let all: Vec<Label> = all.collect();
        let open = |options: &Vec<Label>| match only(options) {
            Some(class) => (false, turns(class) > 1 && options.len() == usize::from(turns(class))),
            None => {
                let open = all.iter().all(|label| options.contains(label));
                (open, open)
            }
        };
        options.iter().map(open).collect()
    }

    /// The goals of some sets as labels. For each slot, also whether the goals ignore its piece,
    /// and whether they ignore its turn.
    ///
    /// Returns at most `most + 1` goals: `most + 1` means that there are too many.
    ///
    /// # Errors
    /// If no cube is in a set.
    pub fn goals(
        &self,
        sets: &[PartialCube],
        most: usize,
    ) -> Result<(Vec<LabelRow>, Ignored), LabelsError> {
        let mut goals: Vec<LabelRow> = Vec::new();
        let mut ignored = [0, 1].map(|kind| vec![(false, false); row_len(kind)]);
        for set in sets {
            let mut found: [Vec<Vec<Label>>; KINDS] = Default::default();
            for (kind, found) in found.iter_mut().enumerate() {
                let options = self.options(set, kind)?;
                if sets.len() == 1 {
                    ignored[kind] = self.open(&options, kind);
                }
                *found = self.fillings(options, &ignored[kind], kind, most + 1)?;
            }
            for corners in &found[0] {
                for edges in &found[1] {
                    let goal = [corners.clone(), edges.clone()];
                    if !goals.contains(&goal) {
                        goals.push(goal);
                    }
                    if goals.len() > most {
                        return Ok((goals, ignored));
                    }
                }
            }
        }
        goals.sort_unstable();
        Ok((goals, ignored))
    }

    /// Fills all slots: a result has one label of the options of each slot, and uses each piece
    /// once. Returns at most `most` results. Of results that differ only in ignored slots, one is
    /// enough.
    ///
    /// # Errors
    /// If no result exists.
    fn fillings(
        &self,
        mut options: Vec<Vec<Label>>,
        ignored: &[(bool, bool)],
        kind: usize,
        most: usize,
    ) -> Result<Vec<Vec<Label>>, LabelsError> {
        let turn =
            options.iter_mut().zip(ignored).filter(|(_, ignored)| **ignored == (false, true));
        turn.for_each(|(options, _)| options.truncate(1));
        let mut order: Vec<usize> = (0..options.len()).collect();
        order.sort_by_key(|&slot| (ignored[slot].0, options[slot].len()));
        let bound = order.iter().filter(|&&slot| !ignored[slot].0).count();
        let mut filling = Filling { options, order, bound, left: self.counts(kind), found: vec![] };
        let mut row = vec![(0, 0); filling.options.len()];
        filling.fill(0, &mut row, most);
        match filling.found.is_empty() {
            true => Err(LabelsError::NoCube),
            false => Ok(filling.found),
        }
    }

    /// The labels of a cube of which only some stickers are known.
    ///
    /// # Errors
    /// If its stickers do not go together, or do not tell what the goal asks for.
    pub fn row(&self, state: &PartialCube) -> Result<LabelRow, LabelsError> {
        let mut row = LabelRow::default();
        for (kind, row) in row.iter_mut().enumerate() {
            let options = self.options(state, kind)?;
            let mut found = self.fillings(options, &[(false, false); 12], kind, 2)?;
            if let [one, other] = &found[..] {
                let slot = (0..one.len()).find(|&slot| one[slot] != other[slot]).unwrap_or(0);
                return Err(LabelsError::Open { slot: name(kind, slot) });
            }
            *row = found.pop().unwrap_or_default();
        }
        Ok(row)
    }

    /// A cube with these labels that turns can solve. `None` if there is none.
    pub fn cube(&self, row: &LabelRow) -> Option<Cube> {
        let mut parts = Parts::SOLVED;
        let mut homes: [Vec<usize>; KINDS] = Default::default();
        for kind in 0..KINDS {
            let mut free: Vec<usize> = (0..row_len(kind)).collect();
            for &(class, _) in &row[kind] {
                let at = free.iter().position(|&piece| self.pieces[kind][piece].0 == class)?;
                homes[kind].push(free.remove(at));
            }
        }
        self.write(row, &homes, &mut parts);
        let cube = Cube::from_parts(&parts).ok()?;
        if cube.corners_odd() != cube.edges_odd() {
            // Exchanges two pieces that look alike, to correct the parity.
            let alike = |kind: usize| {
                (0..row_len(kind)).find_map(|a| {
                    let same = |&b: &usize| row[kind][a].0 == row[kind][b].0;
                    (a + 1..row_len(kind)).find(same).map(|b| (a, b))
                })
            };
            let (kind, (a, b)) = (0..KINDS).rev().find_map(|kind| Some((kind, alike(kind)?)))?;
            homes[kind].swap(a, b);
            self.write(row, &homes, &mut parts);
        }
        for kind in 0..KINDS {
            let turns = if kind == 0 { &mut parts.twists[..] } else { &mut parts.flips[..] };
            let all = small::<u8>(TURNS[kind]);
            let wrong = turns.iter().sum::<u8>() % all;
            if wrong != 0 {
                let free = |&(class, _): &Label| self.turns[kind][usize::from(class)] == 1;
                let slot = row[kind].iter().position(free)?;
                turns[slot] = (turns[slot] + all - wrong) % all;
            }
        }
        Cube::from_parts(&parts).ok()
    }

    /// Writes pieces and the turns that their labels have into `parts`. `homes` has the piece in
    /// each slot, by kind.
    fn write(&self, row: &LabelRow, homes: &[Vec<usize>; KINDS], parts: &mut Parts) {
        for kind in 0..KINDS {
            for (slot, &piece) in homes[kind].iter().enumerate() {
                let (own, turn) = (self.pieces[kind][piece].1, row[kind][slot].1);
                let all = small::<u8>(TURNS[kind]);
                let turn = (turn + all - own) % all;
                let piece = small(piece);
                if kind == 0 {
                    (parts.corners[slot], parts.twists[slot]) = (piece, turn);
                } else {
                    (parts.edges[slot], parts.flips[slot]) = (piece, turn);
                }
            }
        }
    }
}

/// A backtracking search: chooses a label for each slot, each class as often as it has pieces.
struct Filling {
    options: Vec<Vec<Label>>,
    /// The slots in the order in which they are filled.
    order: Vec<usize>,
    /// The number of slots that are not ignored. They come first in `order`.
    bound: usize,
    /// By class: the number of pieces that are left.
    left: Vec<usize>,
    found: Vec<Vec<Label>>,
}

impl Filling {
    /// Fills the slots from the one at `place` on.
    fn fill(&mut self, place: usize, row: &mut Vec<Label>, most: usize) {
        let Some(&slot) = self.order.get(place) else {
            return self.found.push(row.clone());
        };
        let before = self.found.len();
        for at in 0..self.options[slot].len() {
            let (class, turn) = self.options[slot][at];
            let done = place >= self.bound && self.found.len() > before;
            if done || self.found.len() >= most {
                return;
            }
            if self.left[usize::from(class)] > 0 {
                self.left[usize::from(class)] -= 1;
                row[slot] = (class, turn);
                self.fill(place + 1, row, most);
                self.left[usize::from(class)] += 1;
            }
        }
    }
}

/// A number of pieces, classes or turns in a smaller type.
fn small<T: TryFrom<usize>>(number: usize) -> T {
    T::try_from(number).unwrap_or_else(|_| unreachable!("a cube has at most 20 of each"))
}
