//! A colouring of pieces as a coordinate of cosets. Its value is the number of the word that a
//! state shows. Tables say how operators and symmetries change words.

use super::colouring::{Colouring, MOST_SLOTS};
use crate::puzzle::PuzzleGroup;
use crate::puzzle::relabelling::Relabelling;
use pdb::coset::Coordinate;
use pdb::rank::ClassWords;
use search::Op;

/// How an operator or a symmetry changes a word.
#[derive(Clone, Debug)]
struct Step {
    /// For each place of a word: the place that its symbol comes from.
    from: Vec<u8>,
    /// Indexed by place, then symbol: the symbol after the step.
    symbols: Vec<Vec<u8>>,
}

/// The coordinate of a colouring. Its value is the number of the word that a state shows.
#[derive(Clone, Debug)]
pub(super) struct SlotCoordinate {
    pub(super) colouring: Colouring,
    pub(super) words: ClassWords,
    scales: Vec<u8>,
    operators: Vec<Step>,
    symmetries: Vec<Step>,
    solved: u32,
}

impl SlotCoordinate {
    /// The coordinate of a colouring. `symmetries` are the numbers of symmetries that must keep the
    /// colouring. `None` if one of them does not.
    pub(super) fn new(
        group: &PuzzleGroup,
        colouring: Colouring,
        words: ClassWords,
        symmetries: &[usize],
    ) -> Option<Self> {
        let operators =
            (0..group.list().list.len()).map(|op| step(group, &colouring, &words, op)).collect();
        let symmetries = symmetries
            .iter()
            .map(|&number| conjugation(group, &colouring, &words, &group.relabellings()[number]))
            .collect::<Option<Vec<Step>>>()?;
        let scales = words.scales();
        let symbol = |place: usize| symbol(&colouring, &words, colouring.slots[place], 0);
        let solved = words.rank(|place| symbol(place).unwrap_or(0) * scales[place]);
        Some(Self { colouring, words, scales, operators, symmetries, solved })
    }

    fn stepped(&self, value: u32, step: &Step) -> u32 {
        let mut before = [0; MOST_SLOTS];
        self.words.unrank(value, &mut before);
        self.words.rank(|place| {
            let symbol = before[usize::from(step.from[place])];
            step.symbols[place][usize::from(symbol)] * self.scales[place]
        })
    }
}

/// The symbol of the piece at home in slot `home`, with this twist. `None` if the colouring does
/// not have the slot.
pub(super) fn symbol(
    colouring: &Colouring,
    words: &ClassWords,
    home: usize,
    twist: u8,
) -> Option<u8> {
    let (class, turn) = colouring.shows(home, twist)?;
    Some(words.symbol(class, turn))
}

fn place_of(colouring: &Colouring, slot: usize) -> Option<u8> {
    let place = colouring.slots.binary_search(&slot).ok()?;
    u8::try_from(place).ok()
}

fn step(group: &PuzzleGroup, colouring: &Colouring, words: &ClassWords, op: usize) -> Step {
    let moved = group.step(op);
    let from = |&slot: &usize| place_of(colouring, usize::from(moved.piece[slot])).unwrap_or(0);
    let turned = |&slot: &usize| {
        let symbols = (0..=u8::MAX).take(words.symbols());
        symbols
            .map(|symbol| {
                let (class, turn) = words.class(symbol);
                words.symbol(class, turn + moved.twist[slot])
            })
            .collect()
    };
    Step {
        from: colouring.slots.iter().map(from).collect(),
        symbols: colouring.slots.iter().map(turned).collect(),
    }
}

/// Whether a symmetry keeps the colouring. It must map the slots to themselves, and pieces that
/// look the same to pieces that look the same.
pub(super) fn conjugation_of(
    group: &PuzzleGroup,
    colouring: &Colouring,
    words: &ClassWords,
    symmetry: &Relabelling,
) -> bool {
    conjugation(group, colouring, words, symmetry).is_some()
}

/// How a symmetry changes words. `None` if it does not keep the colouring.
fn conjugation(
    group: &PuzzleGroup,
    colouring: &Colouring,
    words: &ClassWords,
    symmetry: &Relabelling,
) -> Option<Step> {
    let places = colouring.slots.len();
    let (mut from, mut symbols) = (vec![0; places], vec![Vec::new(); places]);
    for (place, &slot) in (0..=u8::MAX).zip(&colouring.slots) {
        let there = usize::from(place_of(colouring, usize::from(symmetry.to[slot]))?);
        from[there] = place;
        let mut after = vec![None; words.symbols()];
        for &home in &colouring.slots {
            let piece = u8::try_from(home).ok()?;
            for twist in 0..group.twists(slot) {
                let before = symbol(colouring, words, home, twist)?;
                let (piece, twist) = symmetry.image(slot, piece, twist, group.twists(slot));
                let image = symbol(colouring, words, usize::from(piece), twist)?;
                let known = after[usize::from(before)].get_or_insert(image);
                if *known != image {
                    return None;
                }
            }
        }
        symbols[there] = after.into_iter().map(|symbol| symbol.unwrap_or(0)).collect();
    }
    Some(Step { from, symbols })
}

impl Coordinate for SlotCoordinate {
    fn size(&self) -> u32 {
        self.words.words()
    }
    fn solved(&self) -> u32 {
        self.solved
    }
    fn moved(&self, value: u32, op: Op) -> u32 {
        self.stepped(value, &self.operators[op.index()])
    }
    fn conjugate(&self, value: u32, symmetry: usize) -> u32 {
        self.stepped(value, &self.symmetries[symmetry])
    }
}
