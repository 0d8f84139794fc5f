//! Hints about stickers that are refused: another order of the faces, or another reading, in which
//! they are a solvable cube.

use super::kpattern::is_json;
use super::unfolded;
use crate::cube2::{PocketFacelets, permutations};
use crate::facelets::Facelets;
use crate::turns::FACES;
use std::fmt;

/// A hint about stickers that are refused: another reading in which they are a solvable cube, or
/// the advice to put blanks between moves. It displays as nothing if there is no hint.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StickerHint(String);

impl fmt::Display for StickerHint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, "; {}", self.0) }
    }
}

impl StickerHint {
    /// The hint for a refused text. `stickers` are its stickers without blanks.
    pub(crate) fn new(text: &str, stickers: &str) -> Self {
        if is_json(text) {
            return Self::default();
        }
        let symbols: Vec<char> = stickers.chars().collect();
        let net = match symbols.len() {
            54 => Some(Net { symbols, side: 3, solvable: is_cube }),
            24 => Some(Net { symbols, side: 2, solvable: is_pocket }),
            _ => None,
        };
        let hints = [
            Net::unfolded,
            Net::in_told_order,
            Net::with_turned_faces,
            Net::recoloured,
            Net::mirrored,
            Net::in_other_order,
        ];
        let found = net.and_then(|net| hints.iter().find_map(|hint| hint(&net)));
        // Words so short may have been meant as moves.
        let short = || {
            text.split_whitespace().count() > 1
                && text.split_whitespace().all(|word| word.len() < 6)
        };
        Self(match found {
            Some(found) => format!("these stickers make {found}"),
            None if short() => "moves have blanks between them".to_owned(),
            None => String::new(),
        })
    }
}

fn is_cube(text: &str) -> bool {
    let cube = Facelets::parse(text).and_then(|facelets| facelets.to_cube());
    cube.is_ok_and(|cube| cube.check().is_ok())
}

fn is_pocket(text: &str) -> bool {
    let pocket = PocketFacelets::parse(text).and_then(|facelets| facelets.to_pocket());
    pocket.is_ok_and(|pocket| pocket.check().is_ok())
}

/// Most face orders that a hint names.
const MOST: usize = 3;
/// A face order. For each face in the usual order U R F D L B: its position in the text.
pub(crate) type Order = [usize; 6];
const USUAL: Order = [0, 1, 2, 3, 4, 5];

struct Net {
    symbols: Vec<char>,
    /// Number of stickers in a row.
    side: usize,
    solvable: fn(&str) -> bool,
}

impl Net {
    /// The stickers of a face, if the faces of the text stand in `order`.
    fn face(&self, order: &Order, face: usize) -> &[char] {
        let size = self.side * self.side;
        &self.symbols[size * order[face]..][..size]
    }

    /// Whether the stickers are a solvable cube, if the faces stand in `order` and `change` is
    /// applied to the stickers of each face.
    fn is_solvable(&self, order: &Order, change: &dyn Fn(usize, &[char]) -> Vec<char>) -> bool {
        let faces = (0..6).map(|face| change(face, self.face(order, face)));
        (self.solvable)(&faces.flatten().collect::<String>())
    }

    /// The face order that the letters in the centres give. `None` if they are not the letters of
    /// all six faces, or the cube has no centres.
    fn told_order(&self) -> Option<Order> {
        let size = self.side * self.side;
        let centre = |place: usize| self.symbols[size * place + size / 2].to_ascii_uppercase();
        let place = |letter| (0..6).find(|&place| self.side == 3 && centre(place) == letter);
        let told: Vec<usize> = FACES.iter().filter_map(|&face| place(face)).collect();
        told.try_into().ok()
    }

    /// The face orders that make a solvable cube after `change`, at most [`MOST`]. Tries only the
    /// order that the centres give, or all orders if they give none.
    fn orders(&self, change: &dyn Fn(usize, &[char]) -> Vec<char>) -> Vec<Order> {
        let all = self.told_order().map_or_else(permutations, |told| vec![told]);
        let found = all.into_iter().filter(|order| self.is_solvable(order, change));
        found.take(MOST).collect()
    }

    /// The hint that the rows of an unfolded cube stand one after the other.
    fn unfolded(&self) -> Option<String> {
        let (upper, middle) = (self.side * self.side, 5 * self.side * self.side);
        let rows = [
            self.symbols[..upper].chunks(self.side),
            self.symbols[upper..middle].chunks(4 * self.side),
            self.symbols[middle..].chunks(self.side),
        ];
        let rows = rows.into_iter().flatten().map(|row| row.iter().collect::<String>());
        let net = unfolded(&rows.collect::<Vec<_>>().join(" "), upper)?;
        (self.solvable)(&net).then(|| {
            "a solvable cube as rows of its net (U, then L F R B, then D): expected blanks \
             between the rows"
                .to_owned()
        })
    }

    /// The hint that faces stand in the order that the centres give, or in any order if they give
    /// none.
    fn in_told_order(&self) -> Option<String> {
        in_orders(&self.orders(&|_, face| face.to_vec()))
    }

    /// The hint that faces stand in another order, whatever letters are in the centres.
    fn in_other_order(&self) -> Option<String> {
        let solvable = |order: &Order| self.is_solvable(order, &|_, face| face.to_vec());
        let found: Vec<Order> = permutations().into_iter().filter(solvable).take(MOST).collect();
        in_orders(&found)
    }

    fn with_turned_faces(&self) -> Option<String> {
        let order = self.told_order().unwrap_or(USUAL);
        let turns = |number: usize, face: usize| number >> (2 * face) & 3;
        let found = (1..1 << 12).find(|&number| {
            self.is_solvable(&order, &|face, stickers| self.turned(stickers, turns(number, face)))
        })?;
        let ways = ["clockwise", "by a half turn", "counterclockwise"];
        let told = (0..6).filter_map(|face| {
            let way = ways.get(turns(found, face).checked_sub(1)?)?;
            Some(format!("{} {way}", FACES[face]))
        });
        let turned = told.collect::<Vec<_>>().join(", ");
        Some(format!("a solvable cube{} with faces turned: {turned}", in_order(&order)))
    }

    fn mirrored(&self) -> Option<String> {
        let mirror = |_: usize, stickers: &[char]| {
            stickers.chunks(self.side).flat_map(|row| row.iter().rev().copied()).collect()
        };
        let order = *self.orders(&mirror).first()?;
        Some(format!("a solvable cube{} with each row read from right to left", in_order(&order)))
    }

    /// The hint that two opposite colours are exchanged. On the 3x3x3 an exchange makes no
    /// difference: a colour belongs to the face whose centre has it.
    fn recoloured(&self) -> Option<String> {
        let [one, other] = ['R', 'L'];
        let swap = |symbol: char| match symbol.to_ascii_uppercase() {
            'R' => other,
            'L' => one,
            _ => symbol,
        };
        let change = |_: usize, face: &[char]| face.iter().map(|&c| swap(c)).collect();
        self.is_solvable(&USUAL, &change).then(|| {
            "a solvable cube with R and L exchanged: its colour scheme is mirrored".to_owned()
        })
    }

    /// The stickers of a face after some clockwise quarter turns.
    fn turned(&self, stickers: &[char], quarters: usize) -> Vec<char> {
        let side = self.side;
        let from = |at: usize| (side - 1 - at % side) * side + at / side;
        let turn = |face: Vec<char>| (0..face.len()).map(|at| face[from(at)]).collect();
        (0..quarters).fold(stickers.to_vec(), |face, _| turn(face))
    }
}

/// A text such as `a solvable cube in the face order ULFRBD`. `None` if there is no order.
fn in_orders(orders: &[Order]) -> Option<String> {
    let names: Vec<String> = orders.iter().map(named).collect();
    (!names.is_empty()).then(|| format!("a solvable cube in the face order {}", names.join(" or ")))
}

/// The letters of the faces, in the order in which they stand in the text.
fn named(order: &Order) -> String {
    let mut letters = ['?'; 6];
    for (face, &place) in order.iter().enumerate() {
        letters[place] = FACES[face];
    }
    letters.iter().collect()
}

/// A text such as ` in the face order ULFRBD`. Empty for the usual order.
fn in_order(order: &Order) -> String {
    if *order == USUAL { String::new() } else { format!(" in the face order {}", named(order)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Cube;
    use crate::cube2::Pocket;
    use crate::notation::parse_moves;
    use std::collections::HashSet;

    const MOVES: &str = "R U2 F' L D B2 R' U L2 F";

    fn cube() -> String {
        Facelets::from(&Cube::SOLVED.moved(&parse_moves(MOVES).unwrap())).to_string()
    }

    fn pocket() -> String {
        let cube = Cube::SOLVED.moved(&parse_moves(MOVES).unwrap());
        PocketFacelets::from(&Pocket::from(cube)).to_string()
    }

    /// The stickers with faces in another order, each changed.
    fn written(text: &str, order: &str, change: impl Fn(char, &str) -> String) -> String {
        let size = text.len() / 6;
        let face = |letter: char| {
            let at = FACES.iter().position(|&face| face == letter).unwrap();
            change(letter, &text[size * at..][..size])
        };
        order.chars().map(face).collect()
    }

    fn hint(text: &str) -> String {
        StickerHint::new(text, text).to_string()
    }

    #[test]
    fn every_order_comes_once() {
        let all: HashSet<Order> = permutations().into_iter().collect();
        assert_eq!((all.len(), permutations().len(), permutations()[0]), (720, 720, USUAL));
    }

    #[test]
    fn rows_of_a_net_are_named() {
        for (text, side) in [(cube(), 3), (pocket(), 2)] {
            let row = |face: usize, row: usize| &text[side * side * face + side * row..][..side];
            let rows = |face: usize| (0..side).map(|at| row(face, at)).collect::<String>();
            let middle = (0..side).flat_map(|at| [4, 2, 1, 5].map(|face| row(face, at)));
            let net = rows(0) + &middle.collect::<String>() + &rows(3);
            assert!(
                hint(&net).starts_with("; these stickers make a solvable cube as rows"),
                "{net}"
            );
        }
    }

    #[test]
    fn other_face_orders_are_named() {
        let same = |_: char, face: &str| face.to_owned();
        for order in ["ULFRBD", "FRUBLD", "BLDFRU", "DRFULB"] {
            let told = format!("; these stickers make a solvable cube in the face order {order}");
            let text = written(&cube(), order, same);
            assert_eq!(hint(&text), told);
            // Colours name no faces.
            let colours: String = text
                .chars()
                .map(|c| match c {
                    'U' => 'W',
                    'R' => 'r',
                    'F' => 'G',
                    'D' => 'Y',
                    'L' => 'O',
                    _ => 'u',
                })
                .collect();
            assert!(hint(&colours).contains(order), "{}", hint(&colours));
            assert!(hint(&written(&pocket(), order, same)).contains(order), "{order}");
        }
        assert_eq!(hint("UUUUUUUUU"), "");
        assert_eq!(hint(&"URFDLB".repeat(9)), "");
    }

    #[test]
    fn turned_and_mirrored_faces_are_named() {
        let back = |face: &str| face.chars().rev().collect::<String>();
        let upside_down = |letter, face: &str| match letter {
            'B' => back(face),
            _ => face.to_owned(),
        };
        let told = "; these stickers make a solvable cube in the face order ULFRBD with faces turned: \
                    B by a half turn";
        assert_eq!(hint(&written(&cube(), "ULFRBD", upside_down)), told);
        let told = "; these stickers make a solvable cube with faces turned: B by a half turn";
        assert_eq!(hint(&written(&pocket(), "URFDLB", upside_down)), told);
        for (text, side) in [(cube(), 3), (pocket(), 2)] {
            let mirror = |_: char, face: &str| {
                let rows = face.as_bytes().chunks(side);
                rows.map(|row| back(std::str::from_utf8(row).unwrap())).collect()
            };
            let told =
                "; these stickers make a solvable cube with each row read from right to left";
            assert_eq!(hint(&written(&text, "URFDLB", mirror)), told);
        }
        let swapped: String = pocket()
            .chars()
            .map(|c| match c {
                'R' => 'L',
                'L' => 'R',
                c => c,
            })
            .collect();
        assert!(hint(&swapped).contains("its colour scheme is mirrored"), "{}", hint(&swapped));
    }
}
