//! Moves as index arrays over stickers, as contests publish them: [`StickerPuzzle`].

use crate::definition::{Definition, MoveKind, PuzzleState};
use crate::error::DefinitionError;
use crate::format::ReadLimits;
use groups::Permutation;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write;

/// Why moves as index arrays, or rows of stickers, are refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StickerError {
    /// The text is no JSON, or not of this form.
    #[error("{0}")]
    Malformed(String),
    /// The moves of several puzzles, of which none or an unknown one was named.
    #[error("{found}, expected one of these: {expected}")]
    Part {
        /// What was found.
        found: String,
        /// The names in the file.
        expected: String,
    },
    /// A row has another number of stickers.
    #[error("found {found} stickers, expected {expected}")]
    Length {
        /// The stickers of the row.
        found: usize,
        /// The stickers of the puzzle.
        expected: usize,
    },
    /// No piece has these colours.
    #[error("sticker {sticker}: no piece of the goal has these colours: {colours}")]
    Piece {
        /// The first sticker of the place, from 0.
        sticker: usize,
        /// The colours there.
        colours: String,
    },
    /// Some pieces of an orbit look the same when they are turned, and others do not.
    #[error("sticker {sticker}: turned pieces look the same here, and others of the orbit do not")]
    Turned {
        /// The first sticker of the place, from 0.
        sticker: usize,
    },
    /// The definition that was made is refused.
    #[error(transparent)]
    Definition(#[from] DefinitionError),
}

/// A puzzle whose moves are index arrays over stickers, with the pieces that the stickers belong
/// to.
///
/// A move `p` gives `new[i] = old[p[i]]`. Two stickers belong to one piece if each determines where
/// the other is, for every state. Pieces with the same colours are identical.
#[derive(Clone, Debug)]
pub struct StickerPuzzle {
    moves: Vec<(String, Permutation)>,
    goal: Vec<String>,
    orbits: Vec<PieceOrbit>,
}

/// Pieces that can take each other's places.
#[derive(Clone, Debug)]
struct PieceOrbit {
    /// For each place: its stickers, in an order that the moves keep but for a turn.
    places: Vec<Vec<u16>>,
    /// For each turn: where it takes the numbers of the stickers of a place.
    turns: Vec<Vec<usize>>,
    /// For each place: the piece of the goal there. Identical pieces have one number.
    pieces: Vec<usize>,
}

impl StickerPuzzle {
    /// Reads moves from JSON: an object of index arrays by name. If the file has such objects of
    /// several puzzles by name, `part` is the name of one.
    ///
    /// `goal` is a row of stickers: a letter for each, or words with blanks or semicolons between
    /// them. `None`: all stickers differ, and are called 0, 1 and so on.
    ///
    /// # Errors
    /// If the text has another form, an array is no permutation, the goal has another length, or
    /// no sticker moves.
    pub fn read(text: &str, part: Option<&str>, goal: Option<&str>) -> Result<Self, StickerError> {
        let moves = moves_of(text, part)?;
        let points = moves[0].1.points();
        let goal = goal.map_or_else(|| (0..points).map(|i| i.to_string()).collect(), row);
        if goal.len() != points {
            return Err(StickerError::Length { found: goal.len(), expected: points });
        }
        let generators: Vec<Permutation> = moves.iter().map(|(_, one)| one.clone()).collect();
        let mut orbits = piece_orbits(points, &generators);
        if orbits.is_empty() {
            return Err(StickerError::Malformed("no move moves a sticker".to_owned()));
        }
        orbits.iter_mut().try_for_each(|orbit| orbit.show(&goal))?;
        Ok(Self { moves, goal, orbits })
    }

    /// The puzzle as a definition with this name, an orbit for each kind of pieces. Stickers that
    /// no move moves are left out.
    ///
    /// # Errors
    /// If a name of a move is no name of a definition.
    pub fn definition(&self, name: &str) -> Result<Definition, StickerError> {
        let mut text = format!("Name {}\n", name.replace(char::is_whitespace, "-"));
        let mut state = String::new();
        for (number, orbit) in self.orbits.iter().enumerate() {
            let _ = writeln!(text, "Set P{number} {} {}", orbit.places.len(), orbit.turns.len());
            let zeros = vec![0; orbit.places.len()];
            write_orbit(&mut state, number, &orbit.pieces, &zeros);
        }
        let _ = write!(text, "StartState\n{state}End\n");
        for (name, element) in &self.moves {
            let _ = writeln!(text, "MoveTransformation {name}");
            for (number, orbit) in self.orbits.iter().enumerate() {
                let (from, turns) = orbit.effect(element);
                write_orbit(&mut text, number, &from, &turns);
            }
            text += "End\n";
            // Whatever its name, it is a move, and no turn of the whole puzzle.
            if MoveKind::of_name(name) != MoveKind::Turn {
                let _ = writeln!(text, "MoveKind {name} {}", MoveKind::Turn.word());
            }
        }
        Ok(Definition::from_tws(&text, &ReadLimits::default())?)
    }

    /// A row of stickers as a state of [`StickerPuzzle::definition`].
    ///
    /// # Errors
    /// If the row has another number of stickers, or pieces that the goal does not have.
    pub fn state(&self, definition: &Definition, text: &str) -> Result<PuzzleState, StickerError> {
        let row = row(text);
        if row.len() != self.goal.len() {
            let (found, expected) = (row.len(), self.goal.len());
            return Err(StickerError::Length { found, expected });
        }
        let mut object = Map::new();
        for (number, orbit) in self.orbits.iter().enumerate() {
            let places =
                (0..orbit.places.len()).map(|place| orbit.piece_at(&self.goal, &row, place));
            let (pieces, turns): (Vec<usize>, Vec<usize>) =
                places.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
            object.insert(format!("P{number}"), json!({"pieces": pieces, "orientation": turns}));
        }
        let held = self.orbits.iter().flat_map(|orbit| orbit.places.iter().flatten());
        let held: HashSet<usize> = held.map(|&sticker| usize::from(sticker)).collect();
        let differs = |&sticker: &usize| row[sticker] != self.goal[sticker];
        if let Some(sticker) =
            (0..row.len()).filter(|sticker| !held.contains(sticker)).find(differs)
        {
            return Err(StickerError::Piece { sticker, colours: row[sticker].clone() });
        }
        let states =
            definition.patterns(&Value::Object(object).to_string(), &ReadLimits::default());
        let state = states?.pop().map(|(_, state)| state);
        state.ok_or_else(|| StickerError::Malformed("expected one state".to_owned()))
    }
}

/// The stickers of a row: a word each, or a letter each if it is one word.
fn row(text: &str) -> Vec<String> {
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c == ';').filter(|w| !w.is_empty()).collect();
    match words[..] {
        [one] => one.chars().map(String::from).collect(),
        _ => words.into_iter().map(str::to_owned).collect(),
    }
}

fn moves_of(text: &str, part: Option<&str>) -> Result<Vec<(String, Permutation)>, StickerError> {
    let malformed = |what: String| StickerError::Malformed(what);
    let value: Value = serde_json::from_str(text).map_err(|error| malformed(error.to_string()))?;
    let object = |value: &Value| match value {
        Value::Object(object) if !object.is_empty() => Ok(object.clone()),
        _ => Err(malformed("expected an object of moves: {\"NAME\": [0, 2, 1, ..], ..}".into())),
    };
    let mut found = object(&value)?;
    if found.values().all(Value::is_object) {
        let expected = found.keys().cloned().collect::<Vec<_>>().join(", ");
        let named = part.map(|part| found.get(part).ok_or_else(|| format!("no moves of {part}")));
        let named = named.unwrap_or_else(|| Err("the moves of several puzzles".to_owned()));
        found = match named {
            Ok(named) => object(named)?,
            Err(found) => return Err(StickerError::Part { found, expected }),
        };
    } else if part.is_some() {
        return Err(malformed("found the moves of one puzzle, expected none of its parts".into()));
    }
    let mut moves: Vec<(String, Permutation)> = Vec::new();
    for (name, value) in found {
        let wrong = |what: &dyn std::fmt::Display| malformed(format!("move {name}: {what}"));
        let array: Vec<u16> = serde_json::from_value(value).map_err(|error| wrong(&error))?;
        // The array says where each sticker comes from.
        let element = Permutation::new(array).map_err(|error| wrong(&error))?.inverse();
        if let Some((_, first)) = moves.first()
            && first.points() != element.points()
        {
            let (found, expected) = (element.points(), first.points());
            return Err(wrong(&StickerError::Length { found, expected }));
        }
        moves.push((name, element));
    }
    Ok(moves)
}

fn write_orbit(text: &mut String, number: usize, pieces: &[usize], turns: &[usize]) {
    let words = |of: &[usize]| of.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
    let _ = writeln!(text, "P{number}\n{}\n{}", words(pieces), words(turns));
}

/// The pieces of a puzzle, by orbit.
fn piece_orbits(points: usize, generators: &[Permutation]) -> Vec<PieceOrbit> {
    let all = groups::orbits(points, generators);
    let mut size = vec![0; points];
    for orbit in &all {
        orbit.iter().for_each(|&point| size[usize::from(point)] = orbit.len());
    }
    let mut taken = vec![false; points];
    let mut orbits = Vec::new();
    for orbit in all.iter().filter(|orbit| orbit.len() > 1) {
        let first = orbit[0];
        if taken[usize::from(first)] {
            continue;
        }
        let together = |&other: &u16| {
            size[usize::from(other)] == orbit.len()
                && !taken[usize::from(other)]
                && are_together(generators, (first, other), orbit.len())
        };
        let stickers: Vec<u16> = (0..=u16::MAX).take(points).filter(together).collect();
        let found = PieceOrbit::new(stickers, generators)
            .or_else(|| PieceOrbit::new(vec![first], generators));
        let found = found.into_iter().inspect(|orbit| {
            let held = orbit.places.iter().flatten();
            held.for_each(|&sticker| taken[usize::from(sticker)] = true);
        });
        orbits.extend(found);
    }
    orbits
}

/// Whether the place of one sticker determines that of the other: the pair has as many places as
/// one of them.
fn are_together(generators: &[Permutation], pair: (u16, u16), places: usize) -> bool {
    let (mut seen, mut todo) = (HashSet::from([pair]), vec![pair]);
    while let Some((a, b)) = todo.pop() {
        for generator in generators {
            let next = (generator.image(a), generator.image(b));
            if seen.insert(next) {
                todo.push(next);
            }
        }
        if seen.len() > places {
            return false;
        }
    }
    true
}

impl PieceOrbit {
    /// The orbit of a piece with these stickers. `None` if its turns form no cyclic group.
    fn new(stickers: Vec<u16>, generators: &[Permutation]) -> Option<Self> {
        let key = |place: &[u16]| place.iter().copied().collect::<BTreeSet<u16>>();
        let mut places = vec![stickers.clone()];
        let mut known = BTreeMap::from([(key(&stickers), 0)]);
        let (mut turns, mut at) = (BTreeSet::new(), 0);
        while at < places.len() {
            for generator in generators {
                let image: Vec<u16> = places[at].iter().map(|&one| generator.image(one)).collect();
                let place = *known.entry(key(&image)).or_insert_with(|| {
                    places.push(image.clone());
                    places.len() - 1
                });
                turns.insert(numbers(&places[place], &image)?);
            }
            at += 1;
        }
        let identity: Vec<usize> = (0..stickers.len()).collect();
        // The group that the turns generate is that of the powers of one of them.
        let powers = |turn: &Vec<usize>| {
            let mut powers = vec![identity.clone()];
            let mut power = turn.clone();
            while power != identity {
                powers.push(power.clone());
                power = power.iter().map(|&i| turn[i]).collect();
            }
            powers
        };
        let turns = turns.iter().map(powers).find(|all| turns.iter().all(|one| all.contains(one)));
        Some(Self { pieces: Vec::new(), turns: turns?, places })
    }

    /// Numbers the pieces by their colours in the goal. Turns each place, so that identical pieces
    /// are turned alike in the goal.
    fn show(&mut self, goal: &[String]) -> Result<(), StickerError> {
        let mut kinds: Vec<Vec<&String>> = Vec::new();
        let mut alike = BTreeSet::new();
        for place in &mut self.places {
            let turned =
                |turn: &Vec<usize>| -> Vec<u16> { turn.iter().map(|&i| place[i]).collect() };
            let colours = |place: &[u16]| -> Vec<&String> {
                place.iter().map(|&sticker| &goal[usize::from(sticker)]).collect()
            };
            let least = self.turns.iter().map(turned).min_by_key(|place| colours(place));
            let same = self.turns.iter().filter(|turn| colours(&turned(turn)) == colours(place));
            alike.insert((same.count(), place[0]));
            *place = least.unwrap_or_else(|| place.clone());
            let kind = colours(place);
            let known = kinds.iter().position(|other| *other == kind);
            self.pieces.push(known.unwrap_or_else(|| {
                kinds.push(kind);
                kinds.len() - 1
            }));
        }
        let counts: BTreeSet<usize> = alike.iter().map(|&(count, _)| count).collect();
        match counts.last() {
            Some(&1) | None => {}
            // No turn can be seen.
            Some(&all) if counts.len() == 1 && all == self.turns.len() => self.turns.truncate(1),
            Some(_) => {
                let sticker = alike.last().map_or(0, |&(_, sticker)| sticker.into());
                return Err(StickerError::Turned { sticker });
            }
        }
        Ok(())
    }

    /// For each place: the place from which a move takes its piece, and by how much it turns.
    fn effect(&self, element: &Permutation) -> (Vec<usize>, Vec<usize>) {
        let (mut from, mut turns) = (vec![0; self.places.len()], vec![0; self.places.len()]);
        for (place, stickers) in self.places.iter().enumerate() {
            let image: Vec<u16> = stickers.iter().map(|&one| element.image(one)).collect();
            let to = self.places.iter().position(|other| other.contains(&image[0])).unwrap_or(0);
            let turn = numbers(&self.places[to], &image);
            from[to] = place;
            turns[to] = self.turns.iter().position(|own| Some(own) == turn.as_ref()).unwrap_or(0);
        }
        (from, turns)
    }

    /// The piece at a place of a row of stickers, and its turn.
    fn piece_at(
        &self,
        goal: &[String],
        row: &[String],
        place: usize,
    ) -> Result<(usize, usize), StickerError> {
        let own = &self.places[place];
        for (turn, numbers) in self.turns.iter().enumerate() {
            let shown = |i: &usize| &row[usize::from(own[*i])];
            let fits = |home: &Vec<u16>| {
                home.iter().zip(numbers).all(|(&one, i)| goal[usize::from(one)] == *shown(i))
            };
            if let Some(home) = self.places.iter().position(fits) {
                return Ok((self.pieces[home], turn));
            }
        }
        let colours: Vec<&str> = own.iter().map(|&one| &*row[usize::from(one)]).collect();
        Err(StickerError::Piece { sticker: own[0].into(), colours: colours.join(" ") })
    }
}

/// The numbers in a place of the stickers of an image. `None` if the image is another place.
fn numbers(place: &[u16], image: &[u16]) -> Option<Vec<usize>> {
    image.iter().map(|one| place.iter().position(|other| other == one)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::MoveMetric;
    use search::random::Random;

    /// The stickers of a wheel of three pieces of two stickers each, and a second wheel that shares
    /// two of its pieces and turns one of them over. Sticker 8 never moves.
    const WHEELS: &str = "{\"a\": [4, 5, 0, 1, 2, 3, 6, 7, 8], \"b\": [0, 1, 2, 3, 7, 6, 4, 5, 8]}";

    /// Rows change by a move as states of the definition do by the move of its name.
    fn rows_and_states_agree(text: &str, part: Option<&str>, goal: Option<&str>, blocks: &[usize]) {
        let puzzle = StickerPuzzle::read(text, part, goal).expect("a puzzle");
        let sizes: Vec<usize> = puzzle.orbits.iter().map(|orbit| orbit.places[0].len()).collect();
        assert_eq!(sizes, blocks);
        let definition = puzzle.definition("wheels").expect("a definition");
        let operators = definition.operators(MoveMetric::Quarter).expect("operators");
        let (mut random, mut row) = (Random::new(1), puzzle.goal.clone());
        let mut state = definition.start().clone();
        for _ in 0..60 {
            let (name, element) = &puzzle.moves[random.index(puzzle.moves.len())];
            let from = element.inverse();
            row = from.images().iter().map(|&old| row[usize::from(old)].clone()).collect();
            let op = operators.list.iter().find(|op| op.name == *name).expect("the move");
            state = state.apply(&op.transformation);
            assert_eq!(puzzle.state(&definition, &row.join(" ")), Ok(state.clone()));
        }
    }

    #[test]
    fn stickers_become_pieces() {
        rows_and_states_agree(WHEELS, None, None, &[2]);
        // Two of the four pieces look alike, and one looks alike when it is turned over.
        rows_and_states_agree(WHEELS, None, Some("abcdbaefg"), &[2]);
        let two = format!("{{\"one\": {WHEELS}, \"two\": {{\"x\": [1, 2, 0, 4, 3]}}}}");
        rows_and_states_agree(&two, Some("one"), None, &[2]);
        rows_and_states_agree(&two, Some("two"), Some("aabcc"), &[3, 2]);
    }

    /// Stickers of one colour, whose turns cannot be seen.
    #[test]
    fn turns_that_cannot_be_seen_are_left_out() {
        let puzzle = StickerPuzzle::read(WHEELS, None, Some("aabbccddx")).expect("a puzzle");
        assert_eq!(puzzle.orbits[0].turns.len(), 1);
        rows_and_states_agree(WHEELS, None, Some("aabbccddx"), &[2]);
    }

    #[test]
    fn other_texts_are_refused() {
        let error = |text: &str, part, goal| {
            StickerPuzzle::read(text, part, goal).expect_err("no puzzle").to_string()
        };
        assert!(error("[1]", None, None).contains("an object of moves"));
        assert!(error("{}", None, None).contains("an object of moves"));
        assert_eq!(error("{\"a\": []}", None, None), "no move moves a sticker");
        assert!(error("{\"a\": [0, 0]}", None, None).starts_with("move a: "));
        assert!(error("{\"a\": [0, 1], \"b\": [0]}", None, None).starts_with("move b: "));
        assert!(error("{\"x\": {\"a\": [0, 1]}}", None, None).contains("expected one of these: x"));
        assert!(error(WHEELS, None, Some("ab")).contains("found 2 stickers, expected 9"));
        // One of four pieces looks the same when it is turned over.
        assert!(error(WHEELS, None, Some("aabcdefgh")).contains("turned pieces look the same"));
        let puzzle = StickerPuzzle::read(WHEELS, None, Some("abcdefghx")).expect("a puzzle");
        let definition = puzzle.definition("a b").expect("a definition");
        let error = |row| puzzle.state(&definition, row).expect_err("no state").to_string();
        assert!(error("abc").contains("found 3 stickers"));
        assert!(
            error("accdefghx").contains("sticker 0: no piece of the goal has these colours: a c")
        );
        assert!(error("abcdefghy").contains("sticker 8"));
        assert!(error("ababefghx").contains("pieces"), "{}", error("ababefghx"));
    }
}
