//! The definition of a cube that distinguishes only what a goal asks for: [`Shape`].

use crate::puzzles::permutation::allowed_operators;
use crate::settings::ConfigureError;
use cube::notation::{AxisMoves, Pairs};
use cube::partial::{CubeLabels, Ignored, KINDS, LabelRow, PartialCube};
use cube::{Cube, FACES, symmetry};
use permutation::{
    Complaint, Definition, IgnoredSlots, MoveMetric, MoveRef, Operator, Operators, Orbit,
    OrbitState, Orbits, PuzzleState, Transformation,
};
use search::Cost;

/// Most goals of a definition.
const MOST_GOALS: usize = 1000;

/// A turn of a face: the number of the face, and quarters clockwise.
pub(super) type FaceTurn = (usize, u8);

/// The contents of a definition. Goals that differ only in colours, or in how the cube is held,
/// have the same shape.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Shape {
    /// By kind and class: the number of turns that count.
    turns: [Vec<u8>; KINDS],
    goals: Vec<LabelRow>,
    ignored: Ignored,
    /// The turns of faces that are allowed, each with all its powers. `None` allows all.
    turned: Option<Vec<FaceTurn>>,
    /// By number of [`AxisMoves`]: what the move costs.
    costs: Vec<Cost>,
}

/// The moves that plans may make, and what they cost.
pub(super) struct Moves {
    /// All moves of the metric.
    pub(super) all: AxisMoves,
    /// The turns of faces that are allowed, each with all its powers. `None` allows all.
    pub(super) turned: Option<Vec<FaceTurn>>,
    /// For each of `all`: its cost.
    pub(super) costs: Vec<Cost>,
}

/// The image of a goal under a symmetry of the cube: its shape, the symmetry, and its labels.
#[derive(Clone)]
pub(super) struct GoalImage {
    pub(super) shape: Shape,
    pub(super) symmetry: usize,
    pub(super) labels: CubeLabels,
}

/// Of the images of a goal under the symmetries of the cube, the one with the least shape.
///
/// A cube in any of the `sets` has reached the goal.
///
/// # Errors
/// If a set is empty, every cube is a goal, or there are more than [`MOST_GOALS`] goals.
pub(super) fn least_image(sets: &[PartialCube], moves: &Moves) -> Result<GoalImage, String> {
    let mut best: Option<GoalImage> = None;
    for symmetry in 0..symmetry::COUNT {
        let sets: Vec<PartialCube> = sets.iter().map(|set| set.image(symmetry)).collect();
        let labels = CubeLabels::new(&sets).map_err(|error| error.to_string())?;
        let (goals, ignored) =
            labels.goals(&sets, MOST_GOALS).map_err(|error| error.to_string())?;
        if goals.len() > MOST_GOALS {
            return Err(format!(
                "the goal stands for more than {MOST_GOALS}: expected more of its stickers"
            ));
        }
        if !(0..KINDS).any(|kind| labels.tells(kind)) {
            return Err("every cube is a goal: expected a goal that asks for something".to_owned());
        }
        // A quarter turn and its inverse have the same powers.
        let image = |&turn| {
            let (face, quarters) = turn_image(symmetry, turn);
            (face, if quarters == 3 { 1 } else { quarters })
        };
        let turned = moves.turned.as_ref().map(|turned| {
            let mut turned: Vec<FaceTurn> = turned.iter().map(image).collect();
            turned.sort_unstable();
            turned.dedup();
            turned
        });
        let mut costs = moves.costs.clone();
        for (number, &cost) in moves.costs.iter().enumerate() {
            costs[moves.all.image(symmetry, number)] = cost;
        }
        let turns = [0, 1].map(|kind| labels.turns(kind).to_vec());
        let shape = Shape { turns, goals, ignored, turned, costs };
        if best.as_ref().is_none_or(|best| shape < best.shape) {
            best = Some(GoalImage { shape, symmetry, labels });
        }
    }
    best.ok_or_else(|| "the cube has symmetries".to_owned())
}

/// The image of a turn of a face under a symmetry.
pub(super) fn turn_image(symmetry: usize, (face, quarters): FaceTurn) -> FaceTurn {
    let (face, back) = symmetry::relabel_face(symmetry, face);
    (face, if back { 4 - quarters } else { quarters })
}

/// The moves of which all moves are powers: quarter turns of faces, then pairs of turns.
fn generators(all: &AxisMoves) -> Vec<usize> {
    let is_generator = |&number: &usize| match all.turns(number) {
        (turn, None) => turn % 3 == 0,
        (first, Some(second)) => match first % 3 {
            0 => true,
            // A half turn with a quarter turn is no power of two quarter turns. Two half turns are,
            // but these may be all that is allowed.
            1 => all.kind() == Pairs::All && second % 3 < 2,
            _ => false,
        },
    };
    (0..all.len()).filter(is_generator).collect()
}

/// The name of a generator in the definition: a face, or two faces with the quarters of each in
/// letters, such as `UaDc`.
fn move_name(all: &AxisMoves, number: usize) -> String {
    let quarters = |turn: usize| format!("{}{}", FACES[turn / 3], ["a", "b", "c"][turn % 3]);
    match all.turns(number) {
        (turn, None) => FACES[turn / 3].to_string(),
        (first, Some(second)) => quarters(first) + &quarters(second),
    }
}

/// The move of an operator of the definition. `None` if it is of no generator.
pub(super) fn move_of(all: &AxisMoves, operator: &Operator) -> Option<usize> {
    let MoveRef::Base(index) = operator.turn.of else { return None };
    all.power(*generators(all).get(index)?, operator.turn.amount)
}

/// The part of a table's name that marks a table for a goal. It follows the name of the cube.
const GOAL_MARK: &str = "_goal";

/// Whether a table has the name of a table for a goal of this cube.
pub(in crate::puzzles) fn is_for_goal(puzzle: &str, table: &str) -> bool {
    let rest = table.strip_prefix(puzzle).and_then(|rest| rest.strip_prefix(GOAL_MARK));
    rest.is_some_and(|rest| rest.starts_with('-'))
}

impl Shape {
    /// The definition and its operators. `puzzle` is the name of the cube.
    pub(super) fn definition(
        &self,
        puzzle: &str,
        metric: MoveMetric,
        all: &AxisMoves,
    ) -> Result<(Definition, Operators), ConfigureError> {
        let made = self.make(&format!("{puzzle}{GOAL_MARK}"), all);
        let wrong = |error: &dyn std::fmt::Display| ConfigureError::invalid(error);
        let definition = made.map_err(|complaint| wrong(&complaint))?;
        let operators = match &self.turned {
            None => definition.operators(metric).map_err(|complaint| wrong(&complaint)),
            Some(turned) => {
                let turns = turned
                    .iter()
                    .map(|&(face, quarters)| all.names(&[3 * face + usize::from(quarters) - 1]));
                let pairs = generators(all).into_iter().map(|pair| {
                    let name = move_name(all, pair);
                    match all.power(pair, 2) {
                        _ if self.allows(all, pair) => vec![name],
                        // A slice of which only the half turn is allowed.
                        Some(half) if all.kind() == Pairs::Slices && self.allows(all, half) => {
                            vec![name + "2"]
                        }
                        _ => Vec::new(),
                    }
                });
                let names: Vec<String> = turns.chain(pairs).flatten().collect();
                allowed_operators(&definition, metric, &names.join(","))
                    .map_err(|error| wrong(&error))
            }
        };
        Ok((definition, operators?))
    }

    /// Whether both turns of a pair are allowed. False for a turn of one face.
    fn allows(&self, all: &AxisMoves, pair: usize) -> bool {
        let (first, Some(second)) = all.turns(pair) else { return false };
        let allows = |turn: usize| {
            let own =
                |&(face, quarters): &FaceTurn| face == turn / 3 && (quarters != 2 || turn % 3 == 1);
            self.turned.as_ref().is_none_or(|turned| turned.iter().any(own))
        };
        allows(first) && allows(second)
    }

    fn make(&self, puzzle: &str, all: &AxisMoves) -> Result<Definition, Complaint> {
        let orbit = |&kind: &usize| match kind {
            0 => Orbit::new("CORNERS", 8, 3),
            _ => Orbit::new("EDGES", 12, 2),
        };
        let orbits = self.kinds().iter().map(orbit).collect::<Result<_, _>>()?;
        let orbits = Orbits::new(orbits)?;
        let states = self.goals.iter().map(|row| self.state_of(&orbits, row));
        let mut states = states.collect::<Result<Vec<_>, _>>()?.into_iter();
        let Some(first) = states.next() else {
            return Err(Complaint::new("no goal", "one or more"));
        };
        let mut definition = Definition::new(puzzle, &orbits, first)?;
        states.try_for_each(|goal| definition.add_goal(goal))?;
        let flags = |flag: fn(&(bool, bool)) -> bool| {
            let kinds = self.kinds().into_iter();
            kinds.flat_map(|kind| self.ignored[kind].iter().map(flag)).collect()
        };
        let (pieces, orientation) = (flags(|ignored| ignored.0), flags(|ignored| ignored.1));
        definition.ignore(IgnoredSlots { pieces, orientation });
        for number in generators(all) {
            let (first, second) = all.turns(number);
            let cube = Cube::SOLVED.turned(first);
            let parts = second.map_or(cube, |turn| cube.turned(turn)).parts();
            let wide = |row: &[u8]| row.iter().map(|&slot| slot.into()).collect();
            let row = |&kind: &usize| match kind {
                0 => Some((wide(&parts.corners), parts.twists.to_vec())),
                _ => Some((wide(&parts.edges), parts.flips.to_vec())),
            };
            let turn = Transformation::new(&orbits, self.kinds().iter().map(row).collect())?;
            let name = move_name(all, number);
            definition.add_move(&name, turn, 0)?;
            // The cost of a move is that of its turns, unless they have others.
            definition.set_cost(&name, self.costs[number].into())?;
            for (times, amount) in [(2, "2"), (3, "'")] {
                let power = all.power(number, times).map(|power| self.costs[power]);
                if let Some(cost) = power.filter(|&cost| cost != self.costs[number]) {
                    definition.set_cost(&format!("{name}{amount}"), cost.into())?;
                }
            }
        }
        Ok(definition)
    }

    /// The kinds of pieces that the goal asks for.
    pub(super) fn kinds(&self) -> Vec<usize> {
        (0..KINDS).filter(|&kind| self.turns[kind] != [1]).collect()
    }

    /// The state of the definition with these labels.
    pub(super) fn state(
        &self,
        definition: &Definition,
        row: &LabelRow,
    ) -> Result<PuzzleState, String> {
        self.state_of(definition.orbits(), row).map_err(|complaint| complaint.to_string())
    }

    fn state_of(&self, orbits: &Orbits, row: &LabelRow) -> Result<PuzzleState, Complaint> {
        let orbit = |&kind: &usize| {
            let mut state = OrbitState::default();
            for &(class, turn) in &row[kind] {
                let known = self.turns[kind][usize::from(class)];
                state.pieces.push(class);
                state.orientation.push(turn);
                // 0: all turns count.
                state.modulus.push(if known == 1 { 1 } else { 0 });
            }
            state
        };
        PuzzleState::new(orbits, self.kinds().iter().map(orbit).collect())
    }

    /// The labels of a state of the definition. Kinds that the definition leaves out get labels
    /// without turns.
    pub(super) fn row(&self, state: &PuzzleState) -> LabelRow {
        let mut row = [vec![(0, 0); 8], vec![(0, 0); 12]];
        for (orbit, kind) in self.kinds().into_iter().enumerate() {
            let pieces = state.pieces(orbit).iter().copied();
            row[kind] = pieces.zip(state.orientation(orbit).iter().copied()).collect();
        }
        row
    }
}
