//! The decompositions of Martin (2016): lists of augmenting subgoals, and macros for the last one.

use super::subgoal::{ALL_SLOTS, CORNER_SLOTS, Condition, EDGE_SLOTS, Slots, Status, Subgoal};
use crate::cube::{CORNER_NAMES, EDGE_NAMES};
use crate::notation::parse_moves;
use crate::two_phase::FaceTurns;
use search::random::Random;
use search::{Op, WithMacros};

/// A list of subgoals, each with the conditions of the ones before it ("augmenting"). White is the
/// face D, where all of them but [`MartinList::Random`] and [`MartinList::Parallel`] begin, and
/// yellow is U.
///
/// We know the lists by their description, not word by word. What we chose ourselves is said for
/// each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MartinList {
    /// How beginners solve the cube: 14 subgoals. The white cross (1); the white corners (2 to 5)
    /// and the edges between the layers (6 to 9), one after the other; the yellow cross (10) and
    /// its edges at home (11); one yellow corner at home, twisted or not (12), and all of them
    /// (13); the solved cube (14).
    ///
    /// The order of pieces within 2 to 5 and 6 to 9 is ours. So is the split of the last layer into
    /// five.
    Beginner,
    /// Piece by piece, in a random order: 20 subgoals. The number is the seed of the order.
    Random(u64),
    /// At least 1, 2 .. 17 solved pieces, whichever they are; all edges; all corners at home,
    /// twisted or not; the solved cube: 20 subgoals.
    Parallel,
    /// The beginners' list with larger steps: 12 subgoals. The white cross (1); the white corners,
    /// each with the edge above it (2 to 5); two yellow edges that show yellow (6), and all four
    /// (7); two adjacent yellow edges at home (8), and all four (9); one yellow corner at home,
    /// twisted or not (10), and all of them (11); the solved cube (12).
    ///
    /// We chose the cross as one subgoal, the order of the pairs, and the steps 7, 9 and 11.
    Improved,
}

const YELLOW_CORNERS: Slots = 0xf;
const YELLOW_EDGES: Slots = 0xf00;
const WHITE_EDGES: Slots = 0xf000;
/// The white corners, and the edge above each.
const PAIRS: [(usize, usize); 4] = [(4, 8), (5, 9), (6, 10), (7, 11)];

/// Collects augmenting subgoals.
#[derive(Default)]
struct List(Vec<Subgoal>);

impl List {
    fn add(&mut self, name: impl Into<String>, condition: Condition) {
        let last = self.0.last().cloned().unwrap_or_default();
        self.0.push(last.augmented(name, condition));
    }
    fn solved(&mut self, name: impl Into<String>, slots: Slots) {
        self.add(name, Condition::all(Status::Solved, slots));
    }
}

impl MartinList {
    /// The subgoals, in their order. The last one is the solved cube.
    pub fn subgoals(self) -> Vec<Subgoal> {
        let mut list = List::default();
        let first_layers = |list: &mut List, together: bool| {
            list.solved("white cross", WHITE_EDGES);
            if together {
                for (corner, edge) in PAIRS {
                    let name = format!("pair {}", CORNER_NAMES[corner]);
                    list.solved(name, 1 << corner | 1 << (8 + edge));
                }
                return;
            }
            for (corner, _) in PAIRS {
                list.solved(format!("corner {}", CORNER_NAMES[corner]), 1 << corner);
            }
            for (_, edge) in PAIRS {
                list.solved(format!("edge {}", EDGE_NAMES[edge]), 1 << (8 + edge));
            }
        };
        let last_corners = |list: &mut List| {
            let one = Condition::some(Status::Placed, YELLOW_CORNERS, 1);
            list.add("one yellow corner placed", one);
            let all = Condition::all(Status::Placed, YELLOW_CORNERS);
            list.add("yellow corners placed", all);
        };
        match self {
            Self::Beginner => {
                first_layers(&mut list, false);
                list.add("yellow cross", Condition::all(Status::Oriented, YELLOW_EDGES));
                list.solved("yellow edges", YELLOW_EDGES);
                last_corners(&mut list);
            }
            Self::Random(seed) => {
                let mut slots: Vec<usize> = (0..20).collect();
                Random::new(seed).shuffle(&mut slots);
                for slot in slots {
                    let names = CORNER_NAMES.iter().chain(&EDGE_NAMES);
                    list.solved(names.copied().nth(slot).unwrap_or_default(), 1 << slot);
                }
                return list.0;
            }
            Self::Parallel => {
                for count in 1..=17 {
                    let name = format!("{count} solved");
                    list.add(name, Condition::some(Status::Solved, ALL_SLOTS, count));
                }
                list.solved("edges", EDGE_SLOTS);
                list.add("corners placed", Condition::all(Status::Placed, CORNER_SLOTS));
            }
            Self::Improved => {
                first_layers(&mut list, true);
                let some = Condition::some(Status::Oriented, YELLOW_EDGES, 2);
                list.add("two edges yellow", some);
                list.add("yellow cross", Condition::all(Status::Oriented, YELLOW_EDGES));
                let sets = vec![0x300, 0x600, 0xc00, 0x900];
                let pair = Condition { status: Status::Solved, sets, at_least: 2 };
                list.add("two adjacent yellow edges", pair);
                list.solved("yellow edges", YELLOW_EDGES);
                last_corners(&mut list);
            }
        }
        list.solved("solved", ALL_SLOTS);
        list.0
    }
}

/// The macros of the last subgoal, with their usual names. With the 15 turns that do not turn the
/// last face again, there are 24 operators, as Martin counts. His macros are not given; these are
/// ours.
///
/// | macros | what they do to the yellow layer |
/// |---|---|
/// | Sune and its inverse, also mirrored | turn three corners, and cycle three edges |
/// | T | swaps two corners and two edges |
/// | U and its inverse | cycles three edges |
/// | R' D' R D twice, and its inverse | twists one corner, and disturbs the lower layers |
pub const MACROS: [(&str, &str); 9] = [
    ("Sune", "R U R' U R U2 R'"),
    ("Antisune", "R U2 R' U' R U' R'"),
    ("left Sune", "L' U' L U' L' U2 L"),
    ("left Antisune", "L' U2 L U L' U L"),
    ("T", "R U R' U' R' F R2 U' R' U' R U R' F'"),
    ("U", "R2 U' R' U' R U R U R U' R"),
    ("U back", "R' U R' U' R' U' R' U R U R2"),
    ("twist", "R' D' R D R' D' R D"),
    ("twist back", "D' R' D R D' R' D R"),
];

/// The cube with [`MACROS`] as operators 18 to 26.
pub(super) fn with_macros(turns: FaceTurns) -> WithMacros<FaceTurns> {
    let halves = crate::Cube3::default();
    let ops = |(_, moves): &(&str, &str)| -> Vec<Op> {
        halves.plan(&parse_moves(moves).expect("moves")).to_vec()
    };
    WithMacros::new(turns, MACROS.iter().map(ops).collect()).expect("27 operators")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Cube;
    use crate::domain::CubeMetric;
    use search::Domain;

    const ALL: [MartinList; 4] =
        [MartinList::Beginner, MartinList::Random(1), MartinList::Parallel, MartinList::Improved];

    #[test]
    fn each_list_has_its_length_and_ends_solved() {
        let lengths = ALL.map(|list| list.subgoals().len());
        assert_eq!(lengths, [14, 20, 20, 12]);
        for list in ALL {
            let last = list.subgoals().pop().unwrap();
            assert_eq!(last.missing(&Cube::SOLVED), 0);
            for turn in 0..18 {
                assert_eq!(last.missing(&Cube::SOLVED.turned(turn)), 8);
            }
        }
        let names = |seed| {
            let goals = MartinList::Random(seed).subgoals();
            goals.iter().map(|goal| goal.name().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names(7), names(7));
        assert_ne!(names(7), names(8));
    }

    /// Goals of a subgoal are goals of all before it.
    #[test]
    fn subgoals_augment() {
        let mut random = Random::new(3);
        let mut met = 0;
        for list in ALL {
            let goals = list.subgoals();
            for _ in 0..2000 {
                let mut cube = Cube::SOLVED;
                for _ in 0..random.index(5) {
                    cube = cube.turned(random.index(18));
                }
                let missing: Vec<_> = goals.iter().map(|goal| goal.missing(&cube)).collect();
                let reached = missing.iter().take_while(|missing| **missing == 0).count();
                assert!(missing[reached..].iter().all(|missing| *missing > 0), "{missing:?}");
                met += usize::from(reached > 0 && reached < goals.len());
            }
        }
        assert!(met > 1000, "{met}");
    }

    #[test]
    fn macros_do_what_their_names_say() {
        let domain = with_macros(FaceTurns::new(CubeMetric::HalfTurn));
        let upper = Subgoal::default().augmented(
            "below",
            Condition::all(Status::Solved, ALL_SLOTS & !(YELLOW_CORNERS | YELLOW_EDGES)),
        );
        let mut to = Cube::SOLVED;
        let mut all = Vec::new();
        for op in (18..27).map(Op::new) {
            domain.apply_into(&Cube::SOLVED, op, &mut to);
            assert_eq!(upper.missing(&to) == 0, op.index() < 25, "{op}");
            all.push(to);
        }
        for (one, other) in [(0, 1), (2, 3), (4, 4), (5, 6), (7, 8)] {
            assert_eq!(all[one].inverse(), all[other]);
        }
        assert_eq!(crate::Cycles(&all[5]).to_string().matches('(').count(), 1);
        // The corner in the slot URF is twisted, and all else of the yellow layer is at home.
        let yellow = Condition::all(Status::Solved, 0xf0e);
        assert_eq!(Subgoal::default().augmented("", yellow).missing(&all[7]), 0);
        assert_eq!((all[7].corner(0), all[7].twist(0) > 0), (0, true));
    }
}
