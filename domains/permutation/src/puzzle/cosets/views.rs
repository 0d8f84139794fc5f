//! Computes the entries of states in the table of a coset pattern, for each of its views.

use super::coordinate::{SlotCoordinate, symbol};
#[cfg(target_arch = "x86_64")]
use super::lanes::Sight;
use super::pattern::CosetPattern;
use crate::puzzle::relabelling::Relabelling;
use crate::puzzle::slots::slot_number;
#[cfg(target_arch = "x86_64")]
use crate::puzzle::vector::{self, Lanes, LocateBySums, SUMS};
use crate::puzzle::{GroupElement, GroupPuzzle, PuzzleGroup};
use pdb::coset::{Coordinate, Cosets, Product, SymmetryReduced, locate_each};
use pdb::rank::ClassWords;
use search::{Lookup, Op, OpSet, TwoSidedState};

/// Most views of a pattern.
pub(super) const MOST: usize = 4;

/// Finds the entries of a state in the table of a [`CosetPattern`]. Each symmetry of the puzzle
/// maps the subgroup of the pattern to an image. Each different image is a view.
///
/// At most four views are used, the subgroup itself first. Each next view is the one that contains
/// the most operators that no earlier view contains.
///
/// Memory: 4 bytes for each word of the first colouring, and 2 for each symmetry and word of the
/// others.
#[derive(Debug)]
pub struct SlotViews<const N: usize> {
    maps: Maps,
    /// The same data for vector instructions. `None` if words are computed slot by slot.
    #[cfg(target_arch = "x86_64")]
    wide: Option<(vector::Avx2<N>, Vec<Sight<N>>)>,
}

/// The tables that find entries, for puzzles of any size.
#[derive(Debug)]
struct Maps {
    views: Vec<[Reader; 3]>,
    /// Number of bits of a twist.
    shift: u32,
    words: [Option<ClassWords>; 3],
    /// For each word of the first colouring: `class << 8 | symmetry`.
    classes: Vec<u32>,
    /// Indexed by symmetry, then word: the conjugated word of the middle colouring. `last` is the
    /// same table for the last colouring.
    middle: Vec<u16>,
    last: Vec<u16>,
    middles: u32,
    lasts: u32,
}

/// Tables that compute the number of a word from the slots of a state.
#[derive(Clone, Debug, Default)]
struct Reader {
    /// For each place of the word: its slot, and the index of its first entry in `symbols`.
    slots: Vec<(u8, u32)>,
    /// Indexed by place, then piece and twist: the symbol times the place's scale.
    symbols: Vec<u8>,
}

impl Reader {
    fn new(
        group: &PuzzleGroup,
        coordinate: &SlotCoordinate,
        symmetry: &Relabelling,
        shift: u32,
    ) -> Self {
        let (colouring, words) = (&coordinate.colouring, &coordinate.words);
        let scales = words.scales();
        let slots = &colouring.slots;
        // The slots of the view. Their pieces may be those of another component.
        let sources = symmetry.sources(slots);
        let span = sources.iter().max().map_or(0, |most| most + 1);
        let stride = span << shift;
        let mut symbols = vec![0; stride * slots.len()];
        for (place, &from) in sources.iter().enumerate() {
            for &home in &sources {
                let Ok(piece) = u8::try_from(home) else { continue };
                for twist in 0..group.twists(from) {
                    let (piece, twisted) = symmetry.image(from, piece, twist, group.twists(from));
                    let shown = symbol(colouring, words, usize::from(piece), twisted).unwrap_or(0);
                    let index = (home << shift) + usize::from(twist);
                    if let Some(entry) = symbols[place * stride..].get_mut(index) {
                        *entry = shown * scales[place];
                    }
                }
            }
        }

        let begin =
            |place: usize| u32::try_from(place * stride).expect("at most 64 slots of 2^15 codes");
        let slots = sources.iter().enumerate();
        let slots = slots.map(|(place, &slot)| (slot_number(slot), begin(place))).collect();
        Self { slots, symbols }
    }

    #[inline(always)]
    fn rank<const N: usize>(&self, words: &ClassWords, codes: &[u16; N]) -> u32 {
        // The mask spares the bounds check.
        let mask = const { N - 1 };
        words.rank_of(&self.slots, |&(slot, offset)| {
            let index = offset as usize + usize::from(codes[usize::from(slot) & mask]);
            self.symbols.get(index).copied().unwrap_or(0)
        })
    }
}

/// The numbers of symmetries that give different images of the pattern's subgroup, the identity
/// first. At most [`MOST`] of them.
pub(super) fn sides(group: &PuzzleGroup, pattern: &CosetPattern) -> Vec<usize> {
    let all = group.relabellings();
    let operators = || (0..group.list().list.len()).map(Op::new);
    let images = |by: &dyn Fn(Op) -> Op| operators().map(by).collect::<Vec<Op>>();
    let known: Vec<Vec<Op>> = all.iter().map(|one| images(&|op| one.operator(op))).collect();
    let (mut covered, mut sides) = (vec![false; all.len()], Vec::new());
    for side in 0..all.len() {
        if covered[side] {
            continue;
        }
        sides.push(side);
        for &kept in &pattern.symmetries {
            let both = images(&|op| all[kept].operator(all[side].operator(op)));
            if let Some(number) = known.iter().position(|other| *other == both) {
                covered[number] = true;
            }
        }
    }
    let home =
        |op: Op| pattern.coordinates().all(|one| one.moved(one.solved(), op) == one.solved());
    let mut chosen = Vec::new();
    let mut outside: Vec<Op> = operators().collect();
    while chosen.len() < MOST && !sides.is_empty() {
        let inside =
            |side: usize| outside.iter().filter(|&&op| home(all[side].operator(op))).count();
        // Of equally good views, the first is taken. The identity always comes first.
        let best = (0..sides.len()).rev().max_by_key(|&at| inside(sides[at])).unwrap_or(0);
        let side = sides.remove(if chosen.is_empty() { 0 } else { best });
        outside.retain(|&op| !home(all[side].operator(op)));
        chosen.push(side);
    }
    chosen
}

impl Maps {
    /// The tables of a reduced pattern. `None` if a coordinate has more words than the tables can
    /// number.
    fn new(
        group: &PuzzleGroup,
        reduced: &SymmetryReduced<CosetPattern>,
        sides: &[usize],
    ) -> Option<Self> {
        let pattern = reduced.product();
        let coordinates = pattern.parts();
        if pattern.first.size() > 1 << 24 {
            return None;
        }
        let twists = (0..group.slots()).map(|slot| group.twists(slot)).max().unwrap_or(1);
        let shift = twists.next_power_of_two().trailing_zeros();
        let reader = |side: usize, coordinate: Option<&SlotCoordinate>| {
            let symmetry = &group.relabellings()[sides[side]];
            coordinate.map_or_else(Reader::default, |one| Reader::new(group, one, symmetry, shift))
        };
        let classes = (0..pattern.first.size()).map(|word| {
            let (class, symmetry) = reduced.class(word);
            class << 8 | u32::try_from(symmetry).expect("at most 256 symmetries")
        });
        let table = |coordinate: &dyn Coordinate| -> Option<Vec<u16>> {
            let symmetries = 0..pattern.symmetries();
            let words = symmetries.flat_map(|s| (0..coordinate.size()).map(move |word| (s, word)));
            words.map(|(s, word)| u16::try_from(coordinate.conjugate(word, s)).ok()).collect()
        };
        Some(Self {
            views: (0..sides.len()).map(|side| coordinates.map(|one| reader(side, one))).collect(),
            shift,
            words: coordinates.map(|one| one.map(|one| one.words.clone())),
            classes: classes.collect(),
            middle: table(&pattern.middle)?,
            last: table(&pattern.last)?,
            middles: pattern.middle.size(),
            lasts: pattern.last.size(),
        })
    }

    /// Row and column of the entry, from the numbers of the three words.
    #[inline(always)]
    fn entry(&self, [first, middle, last]: [u32; 3]) -> (u32, u32) {
        let entry = self.classes[first as usize];
        let (class, symmetry) = (entry >> 8, entry & 255);
        let middle = self.middle[(symmetry * self.middles + middle) as usize];
        let last = self.last[(symmetry * self.lasts + last) as usize];
        (class * self.middles + u32::from(middle), last.into())
    }
}

impl<const N: usize> SlotViews<N> {
    /// The views of a reduced pattern. `None` if its first colouring has more than 2^24 words, or
    /// another more than 2^16.
    pub fn new<O: OpSet>(
        puzzle: &GroupPuzzle<N, O>,
        reduced: &SymmetryReduced<CosetPattern>,
    ) -> Option<Self> {
        Self::of_sides(puzzle, reduced, &sides(puzzle.group(), reduced.product()))
    }

    /// The views that the symmetries with these numbers give, at most four.
    pub(super) fn of_sides<O: OpSet>(
        puzzle: &GroupPuzzle<N, O>,
        reduced: &SymmetryReduced<CosetPattern>,
        sides: &[usize],
    ) -> Option<Self> {
        let group = puzzle.group();
        Some(Self {
            maps: Maps::new(group, reduced, sides)?,
            #[cfg(target_arch = "x86_64")]
            wide: puzzle.unit().and_then(|unit| {
                let coordinates = reduced.product().parts();
                let symmetries = sides.iter().map(|&side| &group.relabellings()[side]);
                let all = symmetries.map(|symmetry| Sight::new(group, coordinates, symmetry));
                Some((unit, all.collect::<Option<Vec<Sight<N>>>>()?))
            }),
        })
    }

    /// For each view: how vector instructions compute its words. Empty if words are computed slot
    /// by slot.
    #[cfg(all(test, target_arch = "x86_64"))]
    pub(super) fn wide(&self) -> &[Sight<N>] {
        self.wide.as_ref().map_or(&[], |(_, sights)| sights)
    }

    /// Size of the data besides the table in bytes.
    pub fn bytes(&self) -> u64 {
        (self.maps.classes.len() * 4 + (self.maps.middle.len() + self.maps.last.len()) * 2) as u64
    }
}

impl<const N: usize> SlotViews<N> {
    #[inline(always)]
    fn ranks(&self, view: usize, state: &GroupElement<N>) -> [u32; 3] {
        let (codes, readers) = (state.codes(self.maps.shift), &self.maps.views[view]);
        [0, 1, 2].map(|part| {
            self.maps.words[part].as_ref().map_or(0, |words| readers[part].rank(words, &codes))
        })
    }
}

#[cfg(target_arch = "x86_64")]
impl<const N: usize> LocateBySums<N> for SlotViews<N> {
    #[inline(always)]
    fn locate_by(
        &self,
        states: &[TwoSidedState<GroupElement<N>>],
        asked: &[Lookup],
        places: &mut [u64],
        place: impl Fn(u32, u32) -> u64,
        ask: impl Fn(u64),
        sums: impl Fn(&Lanes<N>, &GroupElement<N>) -> [u32; SUMS],
    ) {
        let sights = self.wide.as_ref().map_or(&[][..], |(_, sights)| sights);
        // All ranks first, so that reads of large tables overlap. The first rank is below 2^24, the
        // others are below 2^16.
        let packed = |first, others| u64::from(first) << 32 | u64::from(others);
        locate_each(
            states,
            asked,
            places,
            packed,
            |_| (),
            |view, state| {
                let [first, middle, last] =
                    sights[view].ranks(&self.maps.words, |lanes| sums(lanes, state));
                (first, middle << 16 | last)
            },
        );
        for out in places.iter_mut().take(asked.len()) {
            #[expect(clippy::cast_possible_truncation, reason = "two halves")]
            let (first, others) = ((*out >> 32) as u32, *out as u32);
            let (row, column) = self.maps.entry([first, others >> 16, others & 0xffff]);
            *out = place(row, column);
            ask(*out);
        }
    }
}

impl<const N: usize, O: OpSet> Cosets<GroupPuzzle<N, O>> for SlotViews<N> {
    const VIEWS: usize = MOST;
    const FIXED: bool = false;

    fn views(&self) -> usize {
        self.maps.views.len()
    }

    #[inline(always)]
    fn locate(&self, view: usize, state: &GroupElement<N>) -> (u32, u32) {
        self.maps.entry(self.ranks(view, state))
    }

    #[inline(always)]
    fn locate_all(
        &self,
        states: &[TwoSidedState<GroupElement<N>>],
        asked: &[Lookup],
        places: &mut [u64],
        place: impl Fn(u32, u32) -> u64,
        ask: impl Fn(u64),
    ) {
        #[cfg(target_arch = "x86_64")]
        if let Some((unit, _)) = &self.wide {
            return vector::locate_all(*unit, self, states, asked, places, place, ask);
        }
        locate_each(states, asked, places, place, ask, |view, state| {
            self.maps.entry(self.ranks(view, state))
        });
    }
}
