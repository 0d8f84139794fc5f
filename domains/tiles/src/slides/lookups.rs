//! [`SlideTables`]: the greatest value of several tables, for the board and its reflection.

use super::domain::{Slides, direction_and_count};
use super::placements::place;
use crate::board::{Board, BoardWord};
use crate::patterns::{TilePattern, by_tiles};
use pdb::PackedTable;
use pdb::rank::Combinations;
use search::{Claims, Cost, Domain, Evaluation, Heuristic, Op, Verdict};

/// The greatest value of tables of [`SlidePlacements`](crate::SlidePlacements). If the puzzle
/// reflects, each table is also read for the reflected board.
///
/// Admissible: yes. Each value is an exact distance of an abstraction in which every slide costs 1.
/// Slides of a reflected board are slides, and the goal is its own reflection. Consistent: yes, as
/// each value is. An entry that reaches no goal proves a dead end.
///
/// Time: one lookup for each table and reflection, until one is above the limit.
#[derive(Debug)]
pub struct SlideTables {
    members: Vec<Member>,
    /// For each square: the mirrored square.
    image: [u8; 64],
}

/// A table that is read for the board or for its reflection.
#[derive(Debug)]
struct Member {
    table: PackedTable,
    reflected: bool,
    /// The labels of the tiles, in the order of the pattern.
    labels: Vec<u8>,
    sets: Combinations,
}

/// For each label: its square.
pub type SlideIndex = [u8; 32];

impl SlideTables {
    /// The tables of some patterns, as [`pdb::build`](pdb::build()) makes them for their
    /// placements. The goal of each pattern must be that of `domain`.
    pub fn new<W: BoardWord>(
        domain: &Slides<W>,
        tables: impl Iterator<Item = (TilePattern, PackedTable)>,
    ) -> Self {
        let (tiles, image) = (domain.tiles(), domain.tiles().shape().by_columns);
        let tables: Vec<_> = tables.collect();
        let sides = [false, true].into_iter().take(1 + usize::from(tiles.reflects()));
        let member = |reflected: bool, (pattern, table): &(TilePattern, PackedTable)| {
            let home = |&goal: &u8| if reflected { image[usize::from(goal)] } else { goal };
            let label = |goal: &u8| tiles.label_at_home(home(goal).into()) as u8;
            let labels: Vec<u8> = pattern.goals.iter().map(label).collect();
            let sets = Combinations::new(tiles.squares() as u32 - 1, labels.len() as u32);
            Member { table: table.clone(), reflected, labels, sets }
        };
        let members =
            sides.flat_map(|reflected| tables.iter().map(move |table| member(reflected, table)));
        Self { members: members.collect(), image }
    }

    /// The entry of a member whose pattern has `K` tiles.
    #[inline(always)]
    fn entry_of<const K: usize>(&self, index: &SlideIndex, member: &Member) -> u64 {
        let square = |label: u8| {
            let square = index[usize::from(label & 31)];
            if member.reflected { self.image[usize::from(square & 63)] } else { square }
        };
        let blank = square(0);
        let squares: [u8; K] = std::array::from_fn(|tile| square(member.labels[tile]));
        let set = squares
            .iter()
            .fold(0_u32, |set, &square| set | 1 << (place(square.into(), blank.into()) & 31));
        let row = u64::from(blank) * member.sets.size() + member.sets.rank(set);
        // The rank of the order: each digit counts the later tiles on lower squares.
        (0..K).fold(row, |entry, tile| {
            let below: u8 = squares[tile..].iter().map(|&s| u8::from(s < squares[tile])).sum();
            entry * (K - tile) as u64 + u64::from(below)
        })
    }

    fn entry(&self, index: &SlideIndex, member: &Member) -> u64 {
        by_tiles!(member.labels.len(), self.entry_of(index, member))
    }
}

impl<W: BoardWord> Heuristic<Slides<W>> for SlideTables {
    type Carry = SlideIndex;
    const CLAIMS: Claims = Claims::DEAD_ENDS.and_consistent();
    const EVALUATION: Evaluation = Evaluation::STAGED;

    fn root(&self, domain: &Slides<W>, board: &Board<W>) -> SlideIndex {
        let mut index = [0; 32];
        for square in 0..domain.tiles().squares() {
            index[board.label(square) & 31] = square as u8;
        }
        index
    }
    #[inline(always)]
    fn child(
        &self,
        domain: &Slides<W>,
        from: &Board<W>,
        carry: &SlideIndex,
        op: Op,
        to: &Board<W>,
    ) -> SlideIndex {
        let ((way, count), mut index) = (direction_and_count(op), *carry);
        let mut blank = from.blank();
        for _ in 0..count {
            let square = domain.tiles().target(blank, way);
            index[from.label(square) & 31] = blank as u8;
            blank = square;
        }
        index[0] = to.blank() as u8;
        if let Some(member) = self.members.first() {
            member.table.prefetch(self.entry(&index, member));
        }
        index
    }
    #[inline(always)]
    fn bound(
        &self,
        _: &Slides<W>,
        _: &Board<W>,
        carry: &mut SlideIndex,
        limit: Cost,
    ) -> Verdict<<Slides<W> as Domain>::Ops> {
        let mut h = 0;
        for member in &self.members {
            h = h.max(member.table.get(self.entry(carry, member)));
            if h > limit {
                break;
            }
        }
        Verdict::bound(h)
    }
}
