//! The skewb: `U R L B`, the four corners whose halves do not hold the corner URF. That corner is
//! in front, so it stays where it is.

use super::frames::{FACES, Frames, OwnTurns, Part, PartTurn, whole};
use crate::puzzle::InvalidInput;
use permutation::Definition;

/// The corners of the moves, each with its faces in clockwise order.
const CORNERS: [(&str, [usize; 3]); 4] =
    [("U", [0, 4, 5]), ("R", [3, 1, 5]), ("L", [3, 4, 2]), ("B", [3, 5, 4])];

/// A skewb whose definition names moves after corners.
struct Skewb {
    /// The names of the moves.
    names: Vec<String>,
}

/// The notation, if this is the definition of a skewb.
pub(super) fn of(definition: &Definition) -> Option<Box<dyn Frames>> {
    let sizes: Vec<usize> = definition.orbits().iter().map(|orbit| orbit.pieces()).collect();
    let corners = ["URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DBL", "DRB"];
    let has = |name: &&str| definition.moves().find(name).is_some();
    let names: Vec<String> =
        corners.iter().filter(|name| has(name)).map(|name| (*name).to_owned()).collect();
    let skewb = sizes == [8, 6] && names.len() >= 4;
    skewb.then(|| Box::new(Skewb { names }) as Box<dyn Frames>)
}

impl Skewb {
    /// The name of the move about a corner, if the definition has it.
    fn name(&self, faces: [usize; 3]) -> Option<&String> {
        self.names.iter().find(|name| faces.iter().all(|&face| name.contains(FACES[face])))
    }
}

impl Frames for Skewb {
    fn part(&self, word: &str) -> Result<Option<Part>, InvalidInput> {
        let all = |face| Some(Part::Layers { face, first: 1, last: 3 });
        Ok(match word {
            "x" => all(1),
            "y" => all(0),
            "z" => all(2),
            _ => {
                let corner = CORNERS.iter().find(|(name, _)| *name == word);
                corner.map(|&(_, faces)| Part::Half(faces))
            }
        })
    }

    fn own(&self, turn: PartTurn) -> OwnTurns {
        let Part::Half(faces) = turn.part else {
            return OwnTurns { moves: Vec::new(), whole: whole(turn) };
        };
        if let Some(name) = self.name(faces) {
            let moves = vec![(name.clone(), turn.amount)];
            return OwnTurns { moves, whole: [0, 1, 2, 3, 4, 5] };
        }
        // The whole puzzle, without the half on the other side.
        let name = self.name(faces.map(|face| (face + 3) % 6));
        let moves = name.map(|name| (name.clone(), turn.amount)).into_iter().collect();
        OwnTurns { moves, whole: whole(turn) }
    }
}
