//! Computes the words of a view, 32 slots at a time. A vector lookup gives the symbol of each slot.
//! The symbols are multiplied by weights and added up for each chunk of a word.

use super::coordinate::SlotCoordinate;
use crate::puzzle::PuzzleGroup;
use crate::puzzle::relabelling::Relabelling;
use crate::puzzle::vector::{GROUP, Lanes, SUMS};
use pdb::rank::ClassWords;

/// Most registers that a view needs.
const MOST: usize = 2;
/// A piece's shift (see [`Lanes`]) and the first symbol of its class are below these limits, so
/// that one byte can describe a piece.
const SHIFTS: u8 = 8;
const SYMBOLS: usize = 16;

/// Computes the words of a view from the slots of a state, 32 slots at once.
#[derive(Clone, Debug)]
pub(super) struct Sight<const N: usize> {
    lanes: Vec<Lanes<N>>,
    /// For each of the three words: the index of its first sum among the sums of all lanes.
    first: [usize; 3],
}

impl<const N: usize> Sight<N> {
    /// The tables that compute the words of these coordinates for the view of a symmetry.
    ///
    /// `None` in these cases:
    /// - There are too many slots.
    /// - A piece has more than 8 twists.
    /// - A word has more than 16 symbols.
    /// - A class shows only some of its turns.
    pub(super) fn new(
        group: &PuzzleGroup,
        coordinates: [Option<&SlotCoordinate>; 3],
        symmetry: &Relabelling,
    ) -> Option<Self> {
        let made = Self { lanes: Vec::new(), first: [0; 3] };
        let free = group.slots();
        let mut builder = Builder { group, symmetry, made, sums: 0, named: Vec::new(), free };
        for (part, coordinate) in coordinates.into_iter().enumerate() {
            if let Some(coordinate) = coordinate {
                builder.add(part, coordinate)?;
            }
        }
        Some(builder.made)
    }

    /// The ranks of the words, from the sums of each register.
    #[inline(always)]
    pub(super) fn ranks(
        &self,
        words: &[Option<ClassWords>; 3],
        sums: impl Fn(&Lanes<N>) -> [u32; SUMS],
    ) -> [u32; 3] {
        let mut all = [[0; SUMS]; MOST];
        for (lanes, out) in self.lanes.iter().zip(&mut all) {
            *out = sums(lanes);
        }
        let rank = |part: usize| match (&words[part], all.as_flattened().get(self.first[part]..)) {
            (Some(words), Some(sums)) => words.rank_of_sums(sums.iter().copied()),
            _ => 0,
        };
        [rank(0), rank(1), rank(2)]
    }
}

struct Builder<'a, const N: usize> {
    group: &'a PuzzleGroup,
    symmetry: &'a Relabelling,
    made: Sight<N>,
    /// Number of sums used so far, in all registers.
    sums: usize,
    /// The slots whose pieces have an entry in [`Lanes::pieces`] of the last register.
    named: Vec<usize>,
    /// The first free index of [`Lanes::pieces`] of the last register.
    free: usize,
}

impl<const N: usize> Builder<'_, N> {
    fn add(&mut self, part: usize, coordinate: &SlotCoordinate) -> Option<()> {
        let sources = self.symmetry.sources(&coordinate.colouring.slots);
        let other = self.names(&sources)?;
        self.made.first[part] = self.sums;
        let scales = coordinate.words.scales();
        let mut places = sources.iter().zip(scales);
        let pieces = sources.iter().map(|&home| {
            let named = other.wrapping_add(u8::try_from(home).ok()?);
            Some((usize::from(named), self.piece(coordinate, home)?))
        });
        let pieces: Vec<(usize, u8)> = pieces.collect::<Option<_>>()?;
        for &slots in coordinate.words.chunks() {
            if slots > GROUP {
                return None;
            }
            let (register, group) = (self.sums / SUMS, self.sums % SUMS);
            if self.made.lanes.len() == register {
                self.made.lanes.push(Lanes::NONE);
            }
            let lanes = self.made.lanes.get_mut(register).filter(|_| register < MOST)?;
            for (place, (&slot, scale)) in (group * GROUP..).zip(places.by_ref().take(slots)) {
                let modulus = self.group.twists(slot);
                let (shift, mirrored) = self.symmetry.turn(slot);
                lanes.slots[place] = u8::try_from(slot).ok()?;
                lanes.other[place] = other;
                (lanes.sign[place], lanes.shift[place]) =
                    if mirrored { (u8::MAX, shift + modulus) } else { (1, shift) };
                lanes.modulus[place] = modulus;
                lanes.scale[place] = scale;
            }
            for &(named, piece) in &pieces {
                *lanes.pieces.get_mut(named)? = piece;
            }
            self.sums += 1;
        }
        Some(())
    }

    /// Reserves entries of [`Lanes::pieces`] for the pieces of these slots. Returns the offset of
    /// the entries. `None` if there are no slots, or the offset is too large. If the last register
    /// has no free entries, continues with a new one.
    fn names(&mut self, sources: &[usize]) -> Option<u8> {
        let (least, most) = (*sources.iter().min()?, *sources.iter().max()?);
        let mut other = 0;
        if sources.iter().any(|slot| self.named.contains(slot)) {
            let after = self.free + most + 1 - least;
            if after <= N {
                other = u8::try_from(self.free).ok()?.wrapping_sub(u8::try_from(least).ok()?);
                self.free = after;
            } else {
                self.sums = self.sums.next_multiple_of(SUMS);
                (self.named, self.free) = (Vec::new(), self.group.slots());
            }
        }
        self.named.extend(sources);
        Some(other)
    }

    /// The byte that describes a piece, given by its home slot.
    fn piece(&self, coordinate: &SlotCoordinate, home: usize) -> Option<u8> {
        let (colouring, words) = (&coordinate.colouring, &coordinate.words);
        let (modulus, (shift, _)) = (self.group.twists(home), self.symmetry.turn(home));
        let (class, turn) =
            colouring.shows(usize::from(self.symmetry.to[home]), modulus - shift)?;
        let turns = colouring.turns[usize::from(class)];
        let first = words.symbol(class, 0);
        let fits =
            modulus <= SHIFTS && words.symbols() <= SYMBOLS && (turns == 1 || turns == modulus);
        let shown = if turns == 1 { 0 } else { 1 << 3 };
        fits.then_some(first << 4 | shown | turn)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{SlotViews, candidates};
    use crate::MoveMetric;
    use crate::puzzle::vector::{Lanes, SUMS};
    use crate::puzzle::{GroupElement, GroupPuzzle};
    use crate::testing::group;
    use pdb::coset::{Cosets, SymmetryReduced};
    use search::random::Random;
    use search::{CancelToken, Domain, Group, Lookup, Op, TwoSided, TwoSidedState, VectorUnit};
    use std::cell::RefCell;

    /// How many views were compared, and how many of them had each of four features: mirrored
    /// twists, two registers, a word in both registers, pieces that two words show.
    #[derive(Default, Debug)]
    struct Seen {
        sights: usize,
        mirrored: usize,
        two_registers: usize,
        long_words: usize,
        named_twice: usize,
    }

    type GeneralPuzzle<const N: usize> = GroupPuzzle<N, u128>;

    /// Checks that all entries are the same as those computed slot by slot.
    fn agree<const N: usize>(
        views: &SlotViews<N>,
        states: &[TwoSidedState<GroupElement<N>>],
        seen: &mut Seen,
    ) {
        let count = u16::try_from(Cosets::<GeneralPuzzle<N>>::views(views)).unwrap();
        let sides = |child: u16| (0..2 * count).map(move |side| Lookup::new(child, side));
        let asked: Vec<Lookup> = (0..).zip(states).flat_map(|(child, _)| sides(child)).collect();
        let mut places = vec![0; asked.len()];
        let place = |row, column| u64::from(row) << 32 | u64::from(column);
        let asks = RefCell::new(Vec::new());
        let ask = |place| asks.borrow_mut().push(place);
        Cosets::<GeneralPuzzle<N>>::locate_all(views, states, &asked, &mut places, place, ask);
        assert_eq!(asks.take(), places);
        for (asked, &found) in asked.iter().zip(&places) {
            let both = &states[asked.child()];
            let of = [&both.position, &both.inverse][asked.what() % 2];
            let (row, column) = Cosets::<GeneralPuzzle<N>>::locate(views, asked.what() / 2, of);
            assert_eq!(found, place(row, column), "{asked:?}");
        }
        for sight in views.wide() {
            let lanes = || sight.lanes.iter();
            let turned =
                |at: usize| move |one: &Lanes<N>| one.sign[at] == 255 && one.modulus[at] > 2;
            seen.sights += 1;
            seen.mirrored += usize::from((0..32).any(|at| lanes().any(turned(at))));
            seen.two_registers += usize::from(lanes().len() == 2);
            let first = sight.first;
            let full = lanes().len() == 2 && first.iter().all(|&first| first < SUMS);
            seen.long_words += usize::from(full);
            seen.named_twice += usize::from(lanes().any(|one| one.other != [0; 32]));
        }
    }

    /// Compares views of candidates through the first and the last symmetries, on a random walk.
    fn compare<const N: usize>(name: &str, seen: &mut Seen) {
        let puzzle: GeneralPuzzle<N> = group(name, MoveMetric::Turn);
        let (two, mut random) = (TwoSided(puzzle.clone()), Random::new(5));
        let (mut states, mut state) = (Vec::new(), puzzle.identity());
        for _ in 0..64 {
            let (from, op) = (state, random.below(puzzle.operators() as u64));
            puzzle.apply_into(&from, Op::new(usize::try_from(op).unwrap()), &mut state);
            states.push(two.state(&state));
        }
        let all: Vec<usize> = (0..puzzle.group().relabellings().len()).collect();
        let found = candidates(puzzle.group(), 8 << 20, 8.0, &CancelToken::new()).unwrap().unwrap();
        for candidate in found.list.iter().filter(|one| one.cosets < 1 << 26).take(8) {
            let reduced = SymmetryReduced::new(found.pattern(puzzle.group(), candidate));
            for sides in [all.chunks(4).next(), all.rchunks(4).next()].into_iter().flatten() {
                agree(&SlotViews::of_sides(&puzzle, &reduced, sides).unwrap(), &states, seen);
            }
        }
    }

    #[test]
    fn words_are_read_side_by_side_as_slot_by_slot() {
        let mut seen = Seen::default();
        for name in ["2x2x2", "3x3x3", "skewb", "pyraminx-faces", "2x2x3"] {
            compare::<32>(name, &mut seen);
        }
        compare::<32>("burnt-pancake-6", &mut seen);
        compare::<64>("3x3x3", &mut seen);
        compare::<64>("megaminx", &mut seen);
        let Seen { sights, mirrored, two_registers, long_words, named_twice } = seen;
        let all = [sights, mirrored, two_registers, long_words, named_twice];
        assert!(VectorUnit::best() < VectorUnit::Narrow || !all.contains(&0), "{seen:?}");
    }
}
