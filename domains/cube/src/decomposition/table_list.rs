//! The lists of subgoals that have tables: [`TableList`].

use super::subgoal::{ALL_SLOTS, CORNER_SLOTS, Condition, EDGE_SLOTS, Slots, Status, Subgoal};

/// A list of subgoals for [`TableDecomposition`](super::TableDecomposition).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TableList {
    /// Four large subgoals, ours:
    ///
    /// | subgoal | solved then |
    /// |---|---|
    /// | 2x2x3 block | two corners and five edges |
    /// | two layers but a pair | three corners and seven edges |
    /// | all but a cycle | all edges, and all corners but a cycle of three, or all |
    /// | solved | all |
    ///
    /// Three corners that are only twisted in their places are no cycle: they need up to 16 moves,
    /// a cycle at most 11.
    #[default]
    Blocks,
    /// The four steps of Jessica Fridrich, as Joe Fowler describes them ("Algorithmic approaches to
    /// solving the Rubik's cube", master's thesis, University of Colorado at Denver, 2002). The
    /// first layer is D.
    ///
    /// | step | subgoals | solved then |
    /// |---|---|---|
    /// | cross | 1 | the edges of the first layer |
    /// | pairs | 4 | one corner of the first layer with the edge above it, then two, three, four |
    /// | orientation | 1 | two layers, and the last layer shows its colour |
    /// | permutation | 1 | all |
    ///
    /// People know the moves of the last two steps by heart, and choose pairs by sight. Here each
    /// subgoal is reached with the fewest moves, whichever pairs those solve.
    Fridrich,
}

/// The pieces of a table, and the number of the subgoal from which its goals derive.
pub(super) struct Pieces {
    pub(super) corners: &'static [u8],
    pub(super) edges: &'static [u8],
    pub(super) subgoal: usize,
}

/// How a subgoal reads tables: the bound of a cube is the greatest of these. Tables have the
/// numbers of [`TableList::pieces`].
pub(super) struct Read {
    /// The tables that are read for the cube, in this order.
    pub(super) own: &'static [usize],
    /// The tables that are read for the inverse of a cube, too. The edges alone form a group, so
    /// they need as many moves as their inverse. Both bounds differ, for a table has only six
    /// edges.
    pub(super) of_inverse: &'static [usize],
    /// A table, and a number from 1 to 4. The table is read for the cube turned about the axis of U
    /// and D in four ways. The bound is the entry with this number, the least first.
    pub(super) turned: Option<(usize, usize)>,
    /// Whether the distances of the corners to an oriented last layer are read.
    pub(super) last_layer: bool,
}

const CROSS: Slots = 0xf000;
/// The corners of the first layer in the order around it, and the edge above each.
const PAIRS: [Slots; 4] = [1 << 4 | 1 << 16, 1 << 5 | 1 << 17, 1 << 6 | 1 << 18, 1 << 7 | 1 << 19];
const LAST_LAYER: Slots = 0xf0f;

fn solved(slots: Slots) -> Condition {
    Condition::all(Status::Solved, slots)
}

impl TableList {
    /// The word in the names of table files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Blocks => "subgoal",
            Self::Fridrich => "fridrich",
        }
    }

    /// The subgoals, in their order. The last one is the solved cube.
    pub fn subgoals(self) -> Vec<Subgoal> {
        match self {
            Self::Blocks => blocks(),
            Self::Fridrich => fridrich(),
        }
    }

    /// The tables.
    pub(super) fn pieces(self) -> &'static [Pieces] {
        const SOME: &[u8] = &[0, 1, 2, 3, 8, 9];
        const OTHERS: &[u8] = &[4, 5, 6, 7, 10, 11];
        const SEVEN: &[u8] = &[0, 1, 2, 3, 4, 5, 7];
        match self {
            // 285,313,536 entries.
            Self::Blocks => &[
                Pieces { corners: &[6, 5], edges: &[6, 9, 10], subgoal: 0 },
                Pieces { corners: &[6, 5], edges: &[6, 5, 7], subgoal: 0 },
                Pieces { corners: &[], edges: &[6, 9, 10, 5, 7], subgoal: 0 },
                Pieces { corners: &[5, 6, 7], edges: &[4, 11], subgoal: 1 },
                Pieces { corners: &[5, 6], edges: &[6, 4, 11], subgoal: 1 },
                Pieces { corners: &[], edges: SOME, subgoal: 2 },
                Pieces { corners: &[], edges: OTHERS, subgoal: 2 },
                Pieces { corners: SEVEN, edges: &[], subgoal: 2 },
                Pieces { corners: SEVEN, edges: &[], subgoal: 3 },
            ],
            // 246,516,480 entries.
            Self::Fridrich => &[
                Pieces { corners: &[], edges: &[4, 5, 6, 7], subgoal: 0 },
                Pieces { corners: &[4], edges: &[4, 5, 6, 7, 8], subgoal: 4 },
                Pieces { corners: &[], edges: SOME, subgoal: 6 },
                Pieces { corners: &[], edges: OTHERS, subgoal: 6 },
                Pieces { corners: SEVEN, edges: &[], subgoal: 6 },
            ],
        }
    }

    /// For each subgoal, how it reads tables.
    pub(super) fn reads(self) -> &'static [Read] {
        const NONE: Read = Read { own: &[], of_inverse: &[], turned: None, last_layer: false };
        match self {
            Self::Blocks => &[
                Read { own: &[0, 1, 2], ..NONE },
                Read { own: &[3, 4, 0, 1], ..NONE },
                Read { own: &[5, 6, 7], of_inverse: &[5, 6], ..NONE },
                Read { own: &[8, 5, 6], of_inverse: &[5, 6], ..NONE },
            ],
            Self::Fridrich => &[
                Read { own: &[0], ..NONE },
                Read { turned: Some((1, 1)), ..NONE },
                Read { turned: Some((1, 2)), ..NONE },
                Read { turned: Some((1, 3)), ..NONE },
                Read { turned: Some((1, 4)), ..NONE },
                Read { turned: Some((1, 4)), last_layer: true, ..NONE },
                Read { own: &[4, 2, 3], of_inverse: &[2, 3], turned: Some((1, 4)), ..NONE },
            ],
        }
    }
}

fn blocks() -> Vec<Subgoal> {
    let block = Subgoal::default().augmented("2x2x3 block", solved(0x6_e060));
    let pair = block.augmented("two layers but a pair", solved(0x8_1080));
    let cycle = "all but a cycle";
    let edges = pair
        .augmented(cycle, solved(EDGE_SLOTS))
        .augmented(cycle, Condition::all(Status::Untwisted, CORNER_SLOTS))
        .augmented(cycle, Condition::some(Status::Solved, CORNER_SLOTS, 5));
    let all = edges.augmented("solved", solved(ALL_SLOTS));
    vec![block, pair, edges, all]
}

fn fridrich() -> Vec<Subgoal> {
    let cross = Subgoal::default().augmented("cross", solved(CROSS));
    let mut goals = vec![cross.clone()];
    for (count, name) in (1..4).zip(["one pair", "two pairs", "three pairs"]) {
        let of = |chosen: usize| (0..4).filter(move |pair| chosen >> pair & 1 > 0);
        let sets = (0..16).filter(|&chosen| of(chosen).count() == count);
        let sets = sets.map(|chosen| of(chosen).fold(0, |all, pair| all | PAIRS[pair])).collect();
        let at_least = 2 * u32::try_from(count).unwrap_or(0);
        let pairs = Condition { status: Status::Solved, sets, at_least };
        goals.push(cross.augmented(name, pairs));
    }
    let pairs = cross.augmented("four pairs", solved(PAIRS.iter().fold(0, |all, pair| all | pair)));
    let shown =
        pairs.augmented("last layer oriented", Condition::all(Status::Oriented, LAST_LAYER));
    let all = shown.augmented("solved", solved(ALL_SLOTS));
    goals.extend([pairs, shown, all]);
    goals
}
