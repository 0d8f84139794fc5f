//! Moves that turn one layer of an axis or two: [`AxisMoves`].

use super::{Layer, Move, ROTATIONS, SLICED, turns_of_moves};
use crate::symmetry;

/// Number of face turns.
const TURNS: usize = 18;

/// Which pairs of turns of opposite faces count as one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pairs {
    /// None.
    None,
    /// Turns that are the turn of a slice, such as `R L'`, which is `M`.
    Slices,
    /// All: `(U D')` turns both layers at once.
    All,
}

/// The moves of a metric, on a cube whose centres do not move.
///
/// Move numbers below 18 are the face turns `3 * face + quarter turns - 1`. Then follow the pairs,
/// axis by axis, in the order U-D, R-L, F-B. A pair of turns of `q` and `r` quarters has the number
/// `q - 1` within its axis if it is a slice, and `3 * (q - 1) + r - 1` if all pairs are moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AxisMoves {
    kind: Pairs,
    /// The pairs: a turn of U, R or F, and one of the opposite face.
    pairs: Vec<[usize; 2]>,
}

impl AxisMoves {
    /// All face turns, and these pairs.
    pub fn new(kind: Pairs) -> Self {
        let mut pairs = Vec::new();
        for (axis, q, r) in (0..27).map(|number| (number / 9, number / 3 % 3, number % 3)) {
            // Both layers beside a slice turn the same way, seen from one side.
            let counts = match kind {
                Pairs::None => false,
                Pairs::Slices => q + r == 2,
                Pairs::All => true,
            };
            if counts {
                pairs.push([3 * axis + q, 3 * (axis + 3) + r]);
            }
        }
        Self { kind, pairs }
    }

    /// Which pairs are moves.
    pub const fn kind(&self) -> Pairs {
        self.kind
    }

    /// The number of moves: 18, 27 or 45.
    #[expect(clippy::len_without_is_empty, reason = "never empty")]
    pub fn len(&self) -> usize {
        TURNS + self.pairs.len()
    }

    /// The one or two face turns of a move.
    ///
    /// # Panics
    /// If there is no such move.
    pub fn turns(&self, number: usize) -> (usize, Option<usize>) {
        match number.checked_sub(TURNS) {
            None => (number, None),
            Some(pair) => (self.pairs[pair][0], Some(self.pairs[pair][1])),
        }
    }

    /// Whether a move is the half turn of one face.
    pub const fn is_half_turn(&self, number: usize) -> bool {
        number < TURNS && number % 3 == 1
    }

    /// The number of the move that makes these face turns, in any order.
    pub fn find(&self, first: usize, second: Option<usize>) -> Option<usize> {
        let Some(second) = second else { return (first < TURNS).then_some(first) };
        let pair = [first.min(second), first.max(second)];
        Some(TURNS + self.pairs.iter().position(|own| *own == pair)?)
    }

    /// The move that does what a move does if it is made several times. `None` if that is nothing.
    ///
    /// # Panics
    /// If there is no such move.
    pub fn power(&self, number: usize, times: i32) -> Option<usize> {
        let times = usize::try_from(times.rem_euclid(4)).unwrap_or(0);
        let power = |turn: usize| match (turn % 3 + 1) * times % 4 {
            0 => None,
            quarters => Some(turn / 3 * 3 + quarters - 1),
        };
        let (first, second) = self.turns(number);
        let mut turns = [Some(first), second].into_iter().flatten().filter_map(power);
        self.find(turns.next()?, turns.next())
    }

    /// The image of a move under a symmetry.
    ///
    /// # Panics
    /// If there is no such move or symmetry.
    pub fn image(&self, symmetry: usize, number: usize) -> usize {
        let (first, second) = self.turns(number);
        let image = |turn| symmetry::relabel_turn(symmetry, turn);
        self.find(image(first), second.map(image))
            .unwrap_or_else(|| unreachable!("symmetries map slices to slices, axes to axes"))
    }

    /// The moves that a sequence makes, apart from rotations of the whole cube.
    ///
    /// If all pairs are moves, a turn and the next turn of the opposite face are one. If slices
    /// are, `M`, `E` and `S` are one. Otherwise they are two turns.
    pub fn read(&self, moves: &[Move]) -> Vec<usize> {
        let mut all: Vec<usize> = Vec::with_capacity(moves.len());
        for turns in turns_of_moves(moves).0 {
            if let (Pairs::Slices, [Some(first), Some(second)]) = (self.kind, turns) {
                all.extend(self.find(first, Some(second)));
                continue;
            }
            all.extend(turns.into_iter().flatten());
        }
        if self.kind == Pairs::All { self.joined(&all) } else { all }
    }

    /// A plan in which each turn and the next of the opposite face are one move, if they are a pair
    /// of the metric.
    pub fn joined(&self, plan: &[usize]) -> Vec<usize> {
        let mut all: Vec<usize> = Vec::with_capacity(plan.len());
        for &turn in plan {
            let last = all.last_mut();
            match last.and_then(|last| Some((self.find(*last, Some(turn))?, last))) {
                Some((pair, last)) => *last = pair,
                None => all.push(turn),
            }
        }
        all
    }

    /// The names of the moves of a plan, such as `R2`, `M'` or `(U D')`.
    ///
    /// After a slice, the centres lie elsewhere. Later moves name faces by where they are: the cube
    /// is held the same way all the time.
    pub fn names(&self, plan: &[usize]) -> Vec<String> {
        let mut held = 0;
        let name = |&number: &usize| match self.turns(number) {
            (turn, None) => face_turn(symmetry::relabel_turn(held, turn)).to_string(),
            (first, Some(_)) if self.kind == Pairs::Slices => {
                let (slice, rotation) = slice(symmetry::relabel_turn(held, first));
                held = (0..slice.quarters).fold(held, |held, _| symmetry::product(held, rotation));
                slice.to_string()
            }
            (first, Some(second)) => format!("({} {})", face_turn(first), face_turn(second)),
        };
        plan.iter().map(name).collect()
    }
}

/// The turn of a face with this number.
fn face_turn(turn: usize) -> Move {
    let byte = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
    Move { layer: Layer::Face(byte(turn / 3)), quarters: byte(turn % 3 + 1) }
}

/// If this face and the opposite one turn the same way about their axis, the cube looks as if the
/// slice between them had turned the other way: the turn of that slice. Also the rotation of the
/// whole cube by which its quarter turn differs from theirs.
fn slice(turn: usize) -> (Move, usize) {
    let (face, quarters) = (turn / 3, turn % 3 + 1);
    // M, E and S turn as L, D and F do.
    let index = SLICED.iter().position(|&own| own % 3 == face % 3).unwrap_or(0);
    let quarters = if face == SLICED[index] { 4 - quarters } else { quarters };
    let quarters = u8::try_from(quarters).unwrap_or(u8::MAX);
    let layer = Layer::Slice(u8::try_from(index).unwrap_or(u8::MAX));
    (Move { layer, quarters }, symmetry::by_faces(ROTATIONS[SLICED[index]]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cube;
    use crate::notation::parse_moves;
    use search::random::Random;

    const KINDS: [Pairs; 3] = [Pairs::None, Pairs::Slices, Pairs::All];

    fn read(kind: Pairs, text: &str) -> Vec<usize> {
        AxisMoves::new(kind).read(&parse_moves(text).unwrap())
    }

    fn number(random: &mut Random, end: usize) -> usize {
        usize::try_from(random.below(end as u64)).unwrap()
    }

    fn after(moves: &AxisMoves, plan: &[usize]) -> Cube {
        let turns = plan.iter().flat_map(|&number| {
            let (first, second) = moves.turns(number);
            [Some(first), second]
        });
        turns.flatten().fold(Cube::SOLVED, |cube, turn| cube.turned(turn))
    }

    #[test]
    fn a_plan_has_as_many_moves_as_its_metric_counts() {
        for (text, counts) in [
            ("", [0, 0, 0]),
            ("R U2 F'", [3, 3, 3]),
            ("M", [2, 1, 1]),
            ("R L'", [2, 2, 1]),
            ("(U D') R", [3, 3, 2]),
            ("U D U", [3, 3, 2]),
            ("Rw x y", [1, 1, 1]),
            ("M2 U E S'", [7, 4, 4]),
        ] {
            assert_eq!(KINDS.map(|kind| read(kind, text).len()), counts, "{text}");
        }
        assert_eq!(KINDS.map(|kind| AxisMoves::new(kind).len()), [18, 27, 45]);
    }

    #[test]
    fn names_read_as_the_same_plan() {
        let mut random = Random::new(3);
        for moves in KINDS.map(AxisMoves::new) {
            for _ in 0..200 {
                let plan: Vec<usize> = (0..12).map(|_| number(&mut random, moves.len())).collect();
                let text = moves.names(&plan).join(" ");
                let again = parse_moves(&text).unwrap();
                // Two turns of an axis may be read as one move.
                let same = moves.read(&again);
                assert!(same == plan || moves.kind() == Pairs::All, "{text}");
                assert_eq!(after(&moves, &same), after(&moves, &plan), "{text}");
            }
        }
    }

    #[test]
    fn slices_print_as_they_are_turned() {
        let moves = AxisMoves::new(Pairs::Slices);
        for text in ["M", "E", "S", "M'", "E2", "S'", "M U", "M U M' U2", "S R E' F2 M2 D"] {
            assert_eq!(moves.names(&read(Pairs::Slices, text)).join(" "), text);
        }
        assert_eq!(
            moves.names(&moves.joined(&read(Pairs::Slices, "L R' U R L"))).join(" "),
            "M' B R L"
        );
        let moves = AxisMoves::new(Pairs::All);
        assert_eq!(moves.names(&read(Pairs::All, "U D' R2 L F")).join(" "), "(U D') (R2 L) F");
    }

    #[test]
    fn powers_are_moves_made_several_times() {
        for moves in KINDS.map(AxisMoves::new) {
            for (number, times) in (0..moves.len()).flat_map(|n| (-4..=4).map(move |t| (n, t))) {
                let times_made = vec![number; usize::try_from((times + 4) % 4).unwrap()];
                let power: Vec<usize> = moves.power(number, times).into_iter().collect();
                assert_eq!(after(&moves, &power), after(&moves, &times_made));
            }
        }
    }

    #[test]
    fn images_of_moves_make_images_of_cubes() {
        for moves in KINDS.map(AxisMoves::new) {
            for (symmetry, number) in
                (0..symmetry::COUNT).flat_map(|s| (0..moves.len()).map(move |n| (s, n)))
            {
                let image = symmetry::conjugate(symmetry, &after(&moves, &[number]));
                assert_eq!(after(&moves, &[moves.image(symmetry, number)]), image);
            }
        }
    }
}
