//! Which other way of writing stickers down makes a solvable cube of them.

use crate::cube2::PocketFacelets;
use crate::facelets::Facelets;
use crate::turns::FACES;
use std::fmt;

/// A hint about stickers that are refused: how they would be a solvable cube. Empty if no other way
/// of writing them is known that helps.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StickerHint(String);

impl fmt::Display for StickerHint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, "; {}", self.0) }
    }
}

impl StickerHint {
    /// The hint for a text, and its stickers without blanks.
    pub(crate) fn new(text: &str, stickers: &str) -> Self {
        let symbols: Vec<char> = stickers.chars().collect();
        let net = match symbols.len() {
            54 => Some(Net { symbols, side: 3, solvable: is_cube }),
            24 => Some(Net { symbols, side: 2, solvable: is_pocket }),
            _ => None,
        };
        let hints = [
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
/// A face order: where each face of the usual order stands.
pub(crate) type Order = [usize; 6];
const USUAL: Order = [0, 1, 2, 3, 4, 5];

struct Net {
    symbols: Vec<char>,
    /// Stickers in a row.
    side: usize,
    solvable: fn(&str) -> bool,
}

impl Net {
    /// The stickers of a face in the usual order, where faces stand in `order`.
    fn face(&self, order: &Order, face: usize) -> &[char] {
        let size = self.side * self.side;
        &self.symbols[size * order[face]..][..size]
    }

    /// Whether the stickers are a solvable cube if they are read in this way.
    fn is_solvable(&self, order: &Order, change: &dyn Fn(usize, &[char]) -> Vec<char>) -> bool {
        let faces = (0..6).map(|face| change(face, self.face(order, face)));
        (self.solvable)(&faces.flatten().collect::<String>())
    }

    /// The order that the letters in the centres tell. `None` if they are other letters.
    fn told_order(&self) -> Option<Order> {
        let size = self.side * self.side;
        let centre = |place: usize| self.symbols[size * place + size / 2].to_ascii_uppercase();
        let place = |letter| (0..6).find(|&place| self.side == 3 && centre(place) == letter);
        let told: Vec<usize> = FACES.iter().filter_map(|&face| place(face)).collect();
        told.try_into().ok()
    }

    /// The orders of faces that make a solvable cube: the one that the centres tell, else any.
    fn orders(&self, change: &dyn Fn(usize, &[char]) -> Vec<char>) -> Vec<Order> {
        let all = self.told_order().map_or_else(permutations, |told| vec![told]);
        let found = all.into_iter().filter(|order| self.is_solvable(order, change));
        found.take(MOST).collect()
    }

    /// Faces in the order that the letters in the centres tell, or in any if they tell none.
    fn in_told_order(&self) -> Option<String> {
        in_orders(&self.orders(&|_, face| face.to_vec()))
    }

    /// Faces in any order, whatever letters are in the centres.
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

    /// Two opposite colours exchanged. On the 3x3x3 a colour belongs to its centre anyway.
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

    /// The stickers of a face that is turned by some quarters clockwise.
    fn turned(&self, stickers: &[char], quarters: usize) -> Vec<char> {
        let side = self.side;
        let from = |at: usize| (side - 1 - at % side) * side + at / side;
        let turn = |face: Vec<char>| (0..face.len()).map(|at| face[from(at)]).collect();
        (0..quarters).fold(stickers.to_vec(), |face, _| turn(face))
    }
}

/// `a solvable cube in the face order ULFRBD`; `None` if there is no order.
fn in_orders(orders: &[Order]) -> Option<String> {
    let names: Vec<String> = orders.iter().map(named).collect();
    (!names.is_empty()).then(|| format!("a solvable cube in the face order {}", names.join(" or ")))
}

/// The letters of the faces as they stand.
fn named(order: &Order) -> String {
    let mut letters = ['?'; 6];
    for (face, &place) in order.iter().enumerate() {
        letters[place] = FACES[face];
    }
    letters.iter().collect()
}

/// ` in the face order ULFRBD`; nothing for the usual one.
fn in_order(order: &Order) -> String {
    if *order == USUAL { String::new() } else { format!(" in the face order {}", named(order)) }
}

/// All orders of six faces. The usual one comes first.
pub(crate) fn permutations() -> Vec<Order> {
    let mut all = vec![USUAL];
    for first in 0..5 {
        for at in 0..all.len() {
            for other in first + 1..6 {
                let mut order = all[at];
                order.swap(first, other);
                all.push(order);
            }
        }
    }
    all
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
