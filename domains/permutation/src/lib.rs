//! Permutation puzzles that users define in a file, for the fewest search engine.
//!
//! Use this crate for any puzzle whose moves permute and turn pieces: twisty puzzles, pancakes,
//! rings of beads. A file says what the moves do. The crate checks it, and derives what a search
//! needs: operators, symmetries, the group of the states, and pattern databases.
//!
//! ```
//! use fewest_permutation::{Definition, MoveMetric, ReadLimits};
//!
//! let text = "
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
//! End";
//! let beads = Definition::from_tws(text, &ReadLimits::default()).unwrap();
//! let operators = beads.operators(MoveMetric::Turn).unwrap();
//! let names: Vec<&str> = operators.list.iter().map(|operator| operator.name.as_str()).collect();
//! assert_eq!(names, ["TURN", "TURN2", "TURN'", "SWAP"]);
//! let state = beads.parse_state("(TURN SWAP)2 TURN'").unwrap();
//! assert_eq!(state.pieces(0), [2, 2, 1, 0]);
//! ```
//!
//! Look first at three types:
//! - [`Definition`]: one puzzle as its file says it, checked.
//! - [`GroupPuzzle`]: a search domain for puzzles whose states form a group. [`PieceTables`] and
//!   [`cosets`] are its heuristics.
//! - [`GeneralPuzzle`]: a search domain for every other definition. [`pattern_spec`] has its
//!   heuristic.
//!
//! [`shipped`] holds the definitions that come with the crate.
//!
//! # Definitions of lines and words (`.tws`, `.def`)
//!
//! Blanks separate words. A line whose very first character is `#` is a comment. Upper and lower
//! case differ. A *block* names some sets and ends with a line `End`. After the name of a set
//! comes a line with a number for each slot, and if needed a line with an orientation for each.
//! Sets that are left out stay as they are.
//!
//! - `Name NAME`: the name of the puzzle, up to the end of the line.
//! - `Set SET PIECES ORIENTATIONS`: a set of slots and the ways in which its pieces can turn. All
//!   Sets come first.
//! - `Solved` and a block: the solved state. Pieces count from 1. Orientations go by slot. Pieces
//!   that look alike have the same number. `?` is an unknown orientation.
//! - `StartState` and a block: the solved state, with pieces counted from 0.
//! - `Move NAME` and a block: slot `i` gets the piece of slot `p[i]`, counted from 1.
//!   **Orientations go by piece**: the `j`-th turns the piece that was in slot `j`.
//! - `MoveTransformation NAME` and a block: a move, with slots counted from 0 and orientations by
//!   slot. The `i`-th turns the piece that comes into slot `i`.
//! - `MoveAlias NEW MOVE`: another name for a move.
//! - `MoveSequence NEW MOVES`: a new move with the effect of these moves, which may be rotations.
//!   Searches make it, and it counts as one move. Such lines and aliases may stand in any order.
//! - `Illegal SET SLOT PIECES`: these pieces may not lie in the slot. All count from 1.
//! - `Ignore` and a block of 0 and 1: the slots whose piece the goal ignores, and those whose
//!   orientation it ignores.
//! - `Block` and a block of pieces: pieces that are tied together, counted from 1. Each move moves
//!   all of them or none.
//! - `ForbiddenPairs`, lines of two moves, `End`: the second may not directly follow the first.
//! - `ForbiddenGroups`, lines of moves, `End`: no move of a line may directly follow another of it.
//! - `MoveLimits`, lines such as `F2 1` or `F* 2`, `End`: a plan has F2 at most once. It has turns
//!   of F at most twice in all.
//! - `ParallelMoves`, `Multiplicators`, lines, `End`: ignored, because the crate derives both.
//!
//! Other programs do not read these words:
//!
//! - `Goal` and a block: one more goal, with pieces counted from 1. `GoalState`: counted from 0.
//! - `Goal NAME` or `GoalState NAME` and a block: a goal that searches may be asked for by name. It
//!   may have other pieces than the solved state: those with one number look alike, and `?` is any
//!   piece, turned in any way.
//! - `MoveCost MOVE COST`: the cost of a turn, from 1 to 250. [default: 1] `MoveCost R2 3` is for
//!   that turn alone, and wins over `MoveCost R 2`.
//! - `NamedSequence NEW MOVES`: a name that users may type for a sequence of moves. No search makes
//!   it.
//! - `MoveKind MOVE turn` or `rotation`: whether a search makes the move, whatever its name says.
//! - `A?D` in place of an orientation: it is known to be A modulo D.
//!
//! A *rotation* turns the whole puzzle, and no search makes it. Its name is `x`, `y` or `z`, also
//! with `2` or `'`. Or it has capitals (and `_`) with a `v` at the end, such as `Uv`. Powers are
//! derived: `U` defines `U2` and `U'`.
//!
//! # KPuzzle JSON (`.json`)
//!
//! `name`, `orbits`, `defaultPattern`, `moves` and `derivedMoves` are those of standards.cubing.net
//! (draft 3). All numbers count from 0, and all orientations go by slot. Moves keep the order of
//! the file. The reader ignores the following, and tells so in [`Definition::notes`]:
//!
//! - Unknown keys, such as `$schema`. Other capitals in a known key are an error. `null` means that
//!   an optional key is missing.
//! - Orbits in moves and states that are not in `orbits`. A move that changes only these is a
//!   rotation.
//! - A derived move that is in `moves` too.
//!
//! Searches make a derived move, as they make a `MoveSequence`: `"L": "[z: U]"`, `"Rw": "x L"`.
//! Three kinds are just names that users may type: names of one turn (`"l": "Lw"`), names of
//! rotations (`"y": "Dv'"`), and products that change nothing. If a rotation's name stands for one
//! move, that move is a rotation too. `moveKinds` can say otherwise.
//!
//! Files of older versions are read as well: `orbits` as an object, `startStateData` or
//! `startPieces`, `orientations`, `orientation_delta`, and `experimentalDerivedMoves`.
//!
//! These keys belong to this project, and other programs do not read them:
//!
//! | key | example |
//! |---|---|
//! | `goals` | a list of further goals, each like `defaultPattern` |
//! | `namedGoals` | `{"layer": ..}`, each like `defaultPattern`: goals to ask for by name |
//! | `illegal` | `[{"orbit": "A", "slot": 0, "pieces": [1, 2]}]` |
//! | `ignore` | `{"A": {"pieces": [0, 1], "orientation": [0, 0]}}`, 0 or 1 for each slot |
//! | `blocks` | `[{"A": [0, 1], "B": [4]}]`, pieces that are tied together |
//! | `moveCosts` | `{"R": 2, "R2": 3}` |
//! | `moveKinds` | `{"x": "turn", "T": "rotation", "Rw": "name"}`; `name`: users may type it, no
//! search makes it |
//! | `forbiddenPairs` | `[["R", "L2"]]` |
//! | `moveLimits` | `{"F2": 1, "F*": 2}` |

mod definition;
mod error;
mod format;
mod puzzle;
pub mod shipped;
#[cfg(test)]
mod testing;

pub use definition::{
    BaseMove, Definition, DerivedMove, DuplicatePair, FineDefinition, GoalMask, IgnoredSlots,
    IllegalPieces, LARGEST_PIECE, LONGEST_NAME, LimitedMoves, MOST_ORIENTATIONS, MOST_SLOTS,
    MoveKind, MoveMetric, MoveRef, MoveSet, Note, Operator, Operators, Orbit, OrbitState,
    OrbitTransformation, Orbits, PieceBlock, PuzzleState, Rules, Transformation, Turn,
    is_rotation_name, write_out,
};
pub use error::{Complaint, DefinitionError, Hint, TextFormat};
pub use format::{
    Commands, ReadLimits, Scramble, ScrambleFile, ScrambleState, StickerError, StickerPuzzle,
    read_text,
};
pub use puzzle::{
    GapBound, GeneralPuzzle, GoalQuotient, GroupElement, GroupPuzzle, HomePoint, Homes, Invariants,
    LabelState, Labels, LargeOps, LargePuzzle, LargeState, NearGoals, NearStates, NotAGroup,
    NotSearchable, PieceCutter, PieceNumbers, PieceSet, PieceTable, PieceTables, PuzzleGroup,
    PuzzleLabels, PuzzlePoints, PuzzleSize, ReferencePuzzle, ReferenceState, SlotContents,
    SlotOrder, SlotState, Unsolvable, cosets, pattern_spec,
};
