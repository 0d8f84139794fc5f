//! Permutation puzzles that users define in a file, for the fewest search engine.
//!
//! ```
//! use fewest_permutation::{Definition, MoveMetric, ReadLimits};
//!
//! let text = "\
//! Set BEADS 4 1
//! Solved
//! BEADS
//! 1 2 3 3
//! End
//! Move TURN
//! BEADS
//! 2 3 4 1
//! End
//! Move SWAP
//! BEADS
//! 2 1 3 4
//! End
//! ";
//! let puzzle = Definition::from_tws(text, &ReadLimits::default()).unwrap();
//! let operators = puzzle.operators(MoveMetric::Turn).unwrap();
//! let names: Vec<&str> = operators.list.iter().map(|operator| operator.name.as_str()).collect();
//! assert_eq!(names, ["TURN", "TURN2", "TURN'", "SWAP"]);
//! let state = puzzle.parse_state("(TURN SWAP)2 TURN'").unwrap();
//! assert_eq!(state.pieces(0), [2, 2, 1, 0]);
//! assert_eq!(Definition::from_kpuzzle(&puzzle.to_kpuzzle(), &ReadLimits::default()), Ok(puzzle));
//! ```
//!
//! # Definitions of lines and words (`.tws`, `.def`)
//!
//! Words are separated by blanks; a line whose very first character is `#` is a comment. Upper and lower case differ. A *block* is a line
//! with the name of a set, a line with a number for each of its slots, if need be a line with an orientation for each, the same for other
//! sets, and a line `End`; sets that are left out stay as they are.
//!
//! | line | says |
//! |---|---|
//! | `Name NAME` | the name: all that follows on the line |
//! | `Set SET PIECES ORIENTATIONS` | so many slots with pieces that can be turned in so many ways; all Sets come first |
//! | `Solved` and a block | the solved state: pieces from 1, orientations by slot; pieces that look alike have the same number, `?` is an orientation that is unknown |
//! | `StartState` and a block | the same, but pieces from 0 |
//! | `Move NAME` and a block | slot `i` gets what was in slot `p[i]`, counted from 1; **orientations are listed by piece**: the `j`-th is by how much what was in slot `j` turns |
//! | `MoveTransformation NAME` and a block | the same, but slots from 0 and orientations by slot: the `i`-th is by how much what comes into slot `i` turns |
//! | `MoveAlias NEW MOVE`, `MoveSequence NEW MOVES` | another name for a move, a name for moves one after another; in any order |
//! | `Illegal SET SLOT PIECES` | these pieces may not lie in the slot, all counted from 1 |
//! | `Ignore` and a block of 0 and 1 | slots of which the goal does not ask about the piece, and about its orientation |
//! | `Block` and a block of pieces | pieces from 1 that are tied together: a move of the file takes all of them or none |
//! | `ForbiddenPairs`, lines of two moves, `End` | the second may not directly follow the first |
//! | `ForbiddenGroups`, lines of moves, `End` | none of a line may directly follow another of it |
//! | `MoveLimits`, lines such as `F2 1` or `F* 2`, `End` | F2 at most once, all turns of F together at most twice |
//! | `ParallelMoves`, `Multiplicators`, lines, `End` | read and left out: both are derived |
//!
//! Ours, which other programs do not read:
//!
//! | line | says |
//! |---|---|
//! | `Goal` or `GoalState` and a block | one more goal, pieces from 1 or from 0 |
//! | `MoveCost MOVE COST` | what a turn costs, from 1 to 250; 1 if nothing is said |
//! | `MoveKind MOVE turn` or `rotation` | whether a search makes the move, whatever its name says |
//! | `A?D` in place of an orientation | it is known to be A modulo D |
//!
//! Moves named `x`, `y` or `z`, also with `2` or `'`, or in capitals (and `_`) with a `v` at the end, are rotations: no search makes them.
//! Powers are derived: `U` alone defines `U2` and `U'`.
//!
//! # KPuzzle JSON (`.json`)
//!
//! `name`, `orbits`, `defaultPattern`, `moves` and `derivedMoves` as standards.cubing.net defines them (draft 3); all numbers count from 0, all
//! orientations are by slot. The order of moves is that of the file. Keys that begin with `experimental` are passed over, others refused. Ours:
//!
//! | key | example |
//! |---|---|
//! | `goals` | a list of further goals, each as `defaultPattern` |
//! | `illegal` | `[{"orbit": "A", "slot": 0, "pieces": [1, 2]}]` |
//! | `ignore` | `{"A": {"pieces": [0, 1], "orientation": [0, 0]}}`, 0 or 1 for each slot |
//! | `blocks` | `[{"A": [0, 1], "B": [4]}]`, pieces that are tied together |
//! | `moveCosts` | `{"R": 2}` |
//! | `moveKinds` | `{"x": "turn", "T": "rotation"}` |
//! | `forbiddenPairs` | `[["R", "L2"]]` |
//! | `moveLimits` | `{"F2": 1, "F*": 2}` |

mod definition;
mod error;
mod format;
mod puzzle;

pub use definition::{
    BaseMove, Definition, DerivedMove, DuplicatePair, IgnoredSlots, IllegalPieces, LARGEST_PIECE,
    LONGEST_NAME, LimitedMoves, MOST_ORIENTATIONS, MOST_SLOTS, MoveKind, MoveMetric, MoveRef,
    MoveSet, Note, Operator, Operators, Orbit, OrbitState, OrbitTransformation, Orbits, PieceBlock,
    PuzzleState, Rules, Transformation, Turn, is_rotation_name,
};
pub use error::{Complaint, DefinitionError, Hint, TextFormat};
pub use format::{ReadLimits, Scramble, ScrambleFile, ScrambleState, read_text};
pub use puzzle::{
    GeneralPuzzle, GroupElement, GroupPuzzle, Homes, LabelState, Labels, NotAGroup, NotSearchable,
    PieceNumbers, PieceSet, PieceTable, PieceTables, PuzzleSize, ReferencePuzzle, ReferenceState,
    SlotState, cosets, spec,
};
