//! Notations of the World Cube Association, compared with stickers that turn in space.

use fewest::{Settings, configure};
use search::random::Random;

type Point = [i32; 3];

/// A turn of space that takes the axis `from[i]` of a point to the axis `i`, with a sign.
#[derive(Clone, Copy)]
struct Turn {
    from: [usize; 3],
    sign: Point,
}

impl Turn {
    fn of(self, point: Point) -> Point {
        [0, 1, 2].map(|i| self.sign[i] * point[self.from[i]])
    }
}

/// A quarter turn clockwise, seen from the side of a face. U is +y, R is +x, F is +z.
fn quarter(face: char) -> Turn {
    let (axis, back) = match face {
        'R' => (0, false),
        'U' => (1, false),
        'F' => (2, false),
        'L' => (0, true),
        'D' => (1, true),
        _ => (2, true),
    };
    let [next, last] = [(axis + 1) % 3, (axis + 2) % 3];
    let (mut from, mut sign) = ([0, 1, 2], [1; 3]);
    (from[next], from[last]) = (last, next);
    // Clockwise from the positive end of the axis.
    sign[if back { next } else { last }] = -1;
    Turn { from, sign }
}

/// A third of a turn clockwise about a corner: from U to R to F for the corner URF.
fn third(corner: Point) -> Turn {
    let [x, y, z] = corner;
    match x * y * z > 0 {
        // y to x, x to z, z to y.
        true => Turn { from: [1, 2, 0], sign: [x * y, y * z, z * x] },
        false => Turn { from: [2, 0, 1], sign: [z * x, x * y, y * z] },
    }
}

fn normal(face: char) -> Point {
    match face {
        'U' => [0, 1, 0],
        'D' => [0, -1, 0],
        'R' => [1, 0, 0],
        'L' => [-1, 0, 0],
        'F' => [0, 0, 1],
        _ => [0, 0, -1],
    }
}

fn dot(a: Point, b: Point) -> i32 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

/// For each sticker: the place where it is, and the place where it was.
type Stickers = Vec<(Point, Point)>;

/// A word of the notation: the places that it turns, how, and how often.
struct Word {
    moves: Box<dyn Fn(Point) -> bool>,
    turn: Turn,
    times: i32,
}

fn apply(stickers: &mut Stickers, word: &Word) {
    for _ in 0..word.times {
        for (at, _) in stickers.iter_mut().filter(|(at, _)| (word.moves)(*at)) {
            *at = word.turn.of(*at);
        }
    }
}

/// The colours of all stickers, by place. Colours are numbered in the order in which they occur. So
/// a solved puzzle looks the same however it is held.
fn look(stickers: &Stickers, colour: &dyn Fn(Point) -> Point) -> Vec<usize> {
    let mut sorted: Vec<_> = stickers.iter().map(|(at, was)| (*at, colour(*was))).collect();
    sorted.sort_unstable();
    let mut seen: Vec<Point> = Vec::new();
    let mut number = |colour: Point| {
        seen.iter().position(|&other| other == colour).unwrap_or_else(|| {
            seen.push(colour);
            seen.len() - 1
        })
    };
    sorted.into_iter().map(|(_, colour)| number(colour)).collect()
}

/// The words of a text, each read by `read` from its head.
fn made(text: &str, stickers: &Stickers, read: &dyn Fn(&str, i32) -> Word) -> Stickers {
    let mut stickers = stickers.clone();
    for word in text.split_whitespace() {
        let head = word.trim_end_matches(|c: char| c.is_ascii_digit() || c == '\'');
        let tail = &word[head.len()..];
        let number: i32 = tail.trim_matches('\'').parse().unwrap_or(1);
        apply(&mut stickers, &read(head, if tail.contains('\'') { -number } else { number }));
    }
    stickers
}

/// The moves of the definition that a text means.
fn own(puzzle: &dyn fewest::Puzzle, text: &str) -> String {
    let facts = puzzle.read(text).unwrap_or_else(|error| panic!("{text}: {error}")).facts;
    let moves = facts.into_iter().find(|(name, _)| *name == "moves");
    moves.map_or_else(|| text.to_owned(), |(_, moves)| moves)
}

/// Compares texts of random words: as they are, and in the moves of the definition.
fn same(name: &str, words: &[String], stickers: &Stickers, read: &dyn Fn(&str, i32) -> Word) {
    let puzzle = configure(name, &Settings::default().heuristic("none")).expect("a puzzle");
    let mut random = Random::new(7);
    let face = |was: Point| {
        let most = was.iter().map(|it| it.abs()).max().expect("three");
        was.map(|it| if it.abs() == most { it.signum() } else { 0 })
    };
    let look = |text: &str| look(&made(text, stickers, read), &face);
    for _ in 0..60 {
        let text: Vec<&str> = (0..6).map(|_| &*words[random.index(words.len())]).collect();
        let text = text.join(" ");
        let moves = own(&*puzzle, &text);
        assert_eq!(look(&text), look(&moves), "{name}: {text} as {moves}");
        // A text and its inverse are a plan for what the text leads to.
        let inverse = puzzle.invert(&text).expect("inverted").join(" ");
        assert_eq!(look(&format!("{text} {inverse}")), look(""), "{text} undone by {inverse}");
        let replay = puzzle.check_plan(&text, &inverse).expect("a plan");
        assert_eq!(replay.fault, None, "{name}: {text}, then {inverse}");
    }
}

#[test]
fn words_of_large_cubes_turn_the_layers_that_they_name() {
    for n in [4, 5, 6, 7] {
        // Layers are at n - 1, n - 3, .. 1 - n; stickers stand out by one more.
        let layers: Vec<i32> = (0..n).map(|at| n - 1 - 2 * at).collect();
        let mut stickers = Vec::new();
        for face in "URFDLB".chars() {
            let axis = normal(face).iter().position(|&it| it != 0).expect("an axis");
            for &a in &layers {
                for &b in &layers {
                    let mut at = normal(face).map(|it| it * (n + 1));
                    (at[(axis + 1) % 3], at[(axis + 2) % 3]) = (a, b);
                    stickers.push((at, at));
                }
            }
        }
        let read = move |head: &str, amount: i32| {
            let letters = head.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
            let numbers = &head[..head.len() - letters.len()];
            let number = |text: &str| text.parse::<i32>().expect("a number");
            let middle = (n + 1) / 2;
            let (face, first, last) = match (letters, numbers.split_once('-')) {
                ("x", _) => ('R', 1, n),
                ("y", _) => ('U', 1, n),
                ("z", _) => ('F', 1, n),
                ("M", _) => ('L', middle, middle),
                ("E", _) => ('D', middle, middle),
                ("S", _) => ('F', middle, middle),
                (face, Some((first, last))) => (head_face(face), number(first), number(last)),
                (face, None) if face.ends_with('w') => {
                    (head_face(face), 1, if numbers.is_empty() { 2 } else { number(numbers) })
                }
                (face, None) if numbers.is_empty() => (head_face(face), 1, 1),
                (face, None) => (head_face(face), number(numbers), number(numbers)),
            };
            let moves = move |at: Point| {
                let depth = dot(at, normal(face));
                // The sticker of the face itself belongs to its layer.
                let depth = depth.clamp(1 - n, n - 1);
                let layer = (n - 1 - depth) / 2 + 1;
                (first..=last).contains(&layer)
            };
            Word { moves: Box::new(moves), turn: quarter(face), times: amount.rem_euclid(4) }
        };
        let mut heads: Vec<String> = ["x", "y", "z"].map(str::to_owned).into();
        for face in "URFDLB".chars() {
            heads.extend([face.to_string(), format!("{face}w"), format!("2-3{face}w")]);
            for at in 2..=n {
                heads.extend([format!("{at}{face}"), format!("{at}{face}w")]);
            }
        }
        if n % 2 == 1 {
            heads.extend(["M", "E", "S"].map(str::to_owned));
        }
        let words: Vec<String> = heads
            .iter()
            .flat_map(|head| ["", "'", "2", "2'"].map(|amount| format!("{head}{amount}")))
            .collect();
        same(&format!("{n}x{n}x{n}"), &words, &stickers, &read);
    }
}

fn head_face(letters: &str) -> char {
    letters.chars().next().expect("a face")
}

#[test]
fn words_of_the_skewb_turn_the_corners_that_the_association_names() {
    // Six centres, and three stickers for each corner, one on each of its faces.
    let mut stickers: Stickers = Vec::new();
    for face in "URFDLB".chars() {
        let centre = normal(face).map(|it| 5 * it);
        stickers.push((centre, centre));
    }
    for corner in 0..8 {
        let corner: Point = [1, 2, 4].map(|bit| if corner & bit == 0 { 3 } else { -3 });
        for axis in 0..3 {
            let mut at = corner;
            at[axis] += at[axis].signum();
            stickers.push((at, at));
        }
    }
    let corner_of = |letters: &str| {
        letters.chars().fold([0; 3], |sum, face| {
            let normal = normal(face);
            [0, 1, 2].map(|i| sum[i] + normal[i])
        })
    };
    let read = |head: &str, amount: i32| {
        let rotation = match head {
            "x" => Some('R'),
            "y" => Some('U'),
            "z" => Some('F'),
            _ => None,
        };
        if let Some(face) = rotation {
            let (turn, times) = (quarter(face), amount.rem_euclid(4));
            return Word { moves: Box::new(|_| true), turn, times };
        }
        let corner = corner_of(match head {
            "U" => "UBL",
            "R" => "DBR",
            "L" => "DFL",
            "B" => "DBL",
            other => other,
        });
        let moves = move |at: Point| dot(at, corner) > 0;
        Word { moves: Box::new(moves), turn: third(corner), times: amount.rem_euclid(3) }
    };
    let heads = ["U", "R", "L", "B", "U", "R", "L", "B", "x", "y", "z"];
    let words: Vec<String> =
        heads.iter().flat_map(|head| ["", "'"].map(|amount| format!("{head}{amount}"))).collect();
    same("skewb", &words, &stickers, &read);
    same("skewb-eight-corners", &words, &stickers, &read);
}

#[test]
fn the_square_1_has_pairs_and_slashes() {
    let puzzle = configure("square-1", &Settings::default().heuristic("none")).expect("a puzzle");
    let read = |text: &str| puzzle.read(text).map(|info| info.facts);
    let state = |text: &str| {
        let facts = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        facts.into_iter().find(|(name, _)| *name == "state")
    };
    for (association, moves) in [
        ("(1,0)/(3,3)/", "U S U3 D3 S"),
        ("(0, -1) / (-3,0)", "D' S U3'"),
        ("/(0,6)", "S D6"),
        ("1,0/3,0", "U S U3"),
        ("(0,0)/(0,0)/", "S S"),
    ] {
        assert_eq!(state(association), state(moves), "{association}");
    }
    assert_eq!(puzzle.invert("(1,0)/(-3,3)").expect("inverted").join(""), "(3,-3)/(-1,0)");
    let replay = puzzle.check_plan("(1,0)/(3,3)/", "/(-3,-3)/(-1,0)").expect("a plan");
    assert_eq!(replay.fault, None);
    for wrong in ["(1,0", "(1)/", "(12,0)/", "(1,0)//x"] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn groups_of_words_are_written_out() {
    for (puzzle, group, plain) in [
        ("skewb", "(R U)2", "R U R U"),
        ("skewb", "[R: U'] x", "R U' R' x"),
        ("444", "(2R U)2 (x R)2", "2R U 2R U x R x R"),
        ("555", "[M: U]'", "M U' M'"),
        ("clock", "(UR3+ y2 DL1-)2'", "DL1+ y2 UR3- DL1+ y2 UR3-"),
        ("square-1", "((3,0)/)2", "(3,0)/(3,0)/"),
        ("square-1", "[(3,0)/: (-3,0)]", "(3,0)/(-3,0)/(-3,0)"),
    ] {
        let settings = Settings::default().heuristic("none");
        let puzzle = configure(puzzle, &settings).expect("a puzzle");
        let read = |text: &str| puzzle.read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(read(group), read(plain), "{group}");
        let inverse = |text: &str| puzzle.invert(text).expect("undone").join(" ");
        assert_eq!(inverse(group), inverse(plain), "{group}");
        assert_eq!(puzzle.check_plan(plain, &inverse(group)).map(|plan| plan.fault), Ok(None));
    }
}

#[test]
fn words_of_two_meanings_are_refused() {
    let puzzle = configure("444", &Settings::default().heuristic("none")).expect("a puzzle");
    assert_eq!(puzzle.read("2R’ x").expect("read"), puzzle.read("2R' x").expect("read"));
    let error = puzzle.read("R u' F").expect_err("u has two meanings").to_string();
    assert!(error.contains("expected Uw or 2U"), "{error}");
}
