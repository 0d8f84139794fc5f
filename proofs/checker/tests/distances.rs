//! Files of all distances: right ones hold, wrong ones are refused with the entry.

#![expect(clippy::cast_possible_truncation, reason = "puzzles of a few points")]

mod maker;

use fewest_check::{Checks, Objection, check};
use maker::{Game, State, samples, words};
use std::collections::{HashMap, HashSet};

/// A level of a chain: its point and cosets.
type Level = (usize, Vec<State>);

/// What a file says.
struct File {
    game: Game,
    levels: Vec<Level>,
    entries: Vec<u8>,
}

/// `one` and then what `other` shows through it.
fn product(one: &State, other: &State) -> State {
    other.iter().map(|&point| one[point as usize]).collect()
}

fn text(file: &File, counts: Option<Vec<usize>>) -> Vec<u8> {
    let File { game, levels, entries } = file;
    let mut text = format!("fewest-distances 1\nabout a test\n{}", game.text());
    for (point, cosets) in levels {
        text += &format!("level {point} {}\n", cosets.len());
        cosets.iter().for_each(|coset| text += &format!("coset {}\n", words(coset)));
    }
    let finite = entries.iter().filter(|&&entry| entry < 255);
    let greatest = usize::from(finite.clone().copied().max().unwrap_or(0));
    let count =
        |distance: usize| finite.clone().filter(|&&one| usize::from(one) == distance).count();
    let counts = counts.unwrap_or_else(|| (0..=greatest).map(count).collect());
    let counts: String = counts.iter().map(|count| format!(" {count}")).collect();
    text += &format!("counts{counts}\nentries {}\n", entries.len());
    [text.into_bytes(), entries.clone()].concat()
}

fn checked(file: &File) -> Result<String, Objection> {
    check(text(file, None), &Checks::default())
}

#[track_caller]
fn refused(file: &File, reason: &str) {
    let why = checked(file).expect_err("holds");
    assert!(why.refused && why.text.contains(reason), "{}", why.text);
}

/// The chain of a group with these elements, its points in order, and the entries by rank.
fn chain(game: &Game) -> File {
    let distances = game.true_distances();
    let mut group: Vec<State> = distances.keys().cloned().collect();
    group.sort();
    let mut levels = Vec::new();
    for point in 0..game.goal.len() {
        let mut seen = HashSet::new();
        let cosets: Vec<State> =
            group.iter().filter(|element| seen.insert(element[point])).cloned().collect();
        if cosets.len() > 1 {
            levels.push((point, cosets));
        }
        group.retain(|element| usize::from(element[point]) == point);
    }
    let identity: State = (0..).take(game.goal.len()).collect();
    let mut elements = vec![identity];
    for (_, cosets) in &levels {
        let longer = |element: State| cosets.iter().map(move |coset| product(&element, coset));
        elements = elements.into_iter().flat_map(longer).collect();
    }
    let entries = elements.iter().map(|element| distances[element] as u8).collect();
    File { game: game.clone(), levels, entries }
}

/// All boards in the order of their ranks: the squares of tiles 1, 2, .. and of the blank.
fn board(game: &Game) -> File {
    let distances = game.true_distances();
    let squares = game.goal.len() as u16;
    let mut lists: Vec<State> = vec![vec![]];
    for _ in 0..squares {
        let longer = |list: State| {
            let free: Vec<u16> = (0..squares).filter(|square| !list.contains(square)).collect();
            free.into_iter().map(move |square| [&list[..], &[square]].concat())
        };
        lists = lists.into_iter().flat_map(longer).collect();
    }
    let entry = |list: &State| {
        let mut state = vec![0; squares.into()];
        for (&square, value) in list.iter().zip((1..squares).chain([0])) {
            state[usize::from(square)] = value;
        }
        distances.get(&state).map_or(255, |&found| found as u8)
    };
    File { entries: lists.iter().map(entry).collect(), game: game.clone(), levels: vec![] }
}

/// Pieces without rotations: words in lexicographic order.
fn small_words() -> File {
    let moves = [("x", 2, vec![1, 2, 0, 3]), ("y", 3, vec![0, 1, 3, 2])];
    let game = Game::permutations(&[(4, 1)], &moves, vec![7, 7, 8, 9]);
    let distances: HashMap<State, u64> = word_distances(&game);
    let mut all: Vec<State> = Vec::new();
    for code in 0..256 {
        let word: State = (0..4).map(|at| [7, 8, 9, 9][(code >> (2 * at)) & 3]).collect();
        let mut sorted = word.clone();
        sorted.sort_unstable();
        if sorted == [7, 7, 8, 9] && !all.contains(&word) {
            all.push(word);
        }
    }
    all.sort();
    let entries = all.iter().map(|word| distances.get(word).map_or(255, |&found| found as u8));
    File { entries: entries.collect(), game, levels: vec![] }
}

/// The distances of words of goal labels.
fn word_distances(game: &Game) -> HashMap<State, u64> {
    maker::Table::new(game, maker::Abstraction::Labels(game.goal.clone())).distances
}

fn samples() -> Vec<File> {
    vec![
        board(&samples::one_way_board().game),
        small_words(),
        chain(&samples::two_blocks().game),
        chain(&samples::switches().game),
    ]
}

#[test]
fn right_files_hold() {
    for file in samples() {
        let report = checked(&file).unwrap_or_else(|why| panic!("{}", why.text));
        let greatest = file.entries.iter().filter(|&&entry| entry < 255).max().unwrap();
        let said = format!("each entry is the distance, and the greatest is {greatest}\n");
        assert!(report.contains(&said), "{report}");
    }
}

#[test]
fn a_wrong_entry_is_found() {
    for mut file in samples() {
        for at in (0..file.entries.len()).step_by(1 + file.entries.len() / 40) {
            let right = file.entries[at];
            for wrong in [right.wrapping_add(1), right.wrapping_sub(1), 255, 254, 0] {
                if wrong != right {
                    file.entries[at] = wrong;
                    refused(&file, "expected");
                }
            }
            file.entries[at] = right;
        }
    }
}

/// States that point at each other in a ring, with distances that look right from within, but never
/// reach the goal.
#[test]
fn a_ring_that_never_reaches_the_goal_is_found() {
    // Two pairs of stickers: `x` swaps the first, and nothing swaps the second.
    let moves = [("x", 1, vec![1, 0, 2, 3])];
    let game = Game::permutations(&[(4, 1)], &moves, (0..4).collect());
    let file = |[a, b]: [u8; 2]| {
        let mut entries = vec![255; 24];
        // In lexicographic order: 0123 and 1023; 0132 and 1032.
        (entries[0], entries[6], entries[1], entries[7]) = (0, 1, a, b);
        File { game: game.clone(), levels: vec![], entries }
    };
    checked(&file([255, 255])).expect("holds");
    for ring in [[5, 4], [4, 5], [1, 1], [1, 2], [255, 1], [3, 255], [0, 1], [254, 254]] {
        refused(&file(ring), "in entry ");
    }
}

/// A chain whose elements are no group: a state behind it has no entry, whatever its own entry is.
#[test]
fn a_chain_that_moves_leave_is_refused() {
    let moves = [("x", 1, vec![1, 2, 0])];
    let game = Game::permutations(&[(3, 1)], &moves, (0..3).collect());
    let identity: State = vec![0, 1, 2];
    let levels = vec![(0, vec![identity, vec![1, 2, 0]])];
    let file = File { game, levels, entries: vec![0, 255] };
    refused(&file, "leads to no entry");
}

#[test]
fn chains_are_what_they_say() {
    let right = chain(&samples::two_blocks().game);
    let change = |change: &dyn Fn(&mut Vec<Level>), reason: &str| {
        let mut file = chain(&right.game);
        change(&mut file.levels);
        refused(&file, reason);
    };
    change(&|levels| levels[0].1[1][3] = levels[0].1[1][4], "expected a permutation");
    change(&|levels| levels[0].1[1] = levels[0].1[0].clone(), "expected another sticker");
    change(&|levels| levels.swap(0, 1), "expected former points to stay");
    change(&|levels| levels[0].0 = 99, "expected a point");
    change(&|levels| _ = levels.pop(), "entries");
    let mut board = board(&samples::one_way_board().game);
    board.levels = right.levels;
    refused(&board, "expected permutations with goal labels that differ");
}

#[test]
fn counts_and_lengths_are_checked() {
    let file = small_words();
    let bytes = text(&file, None);
    let refused = |bytes: &[u8], reason: &str| {
        let why = check(bytes.to_vec(), &Checks::default()).expect_err("holds");
        assert!(why.refused && why.text.contains(reason), "{}", why.text);
    };
    for end in 0..bytes.len() {
        refused(&bytes[..end], "expected");
    }
    refused(&[&bytes[..], &[0]].concat(), "expected 12 entries");
    let head = String::from_utf8(bytes[..bytes.len() - 12].to_vec()).expect("UTF-8");
    for entries in ["entries", "entries 12 12", "entries 13", "entries 012", "entries -"] {
        let head = head.replace("entries 12", entries);
        refused(&[head.as_bytes(), &file.entries].concat(), "expected");
    }
    let mut counts: Vec<usize> = vec![0; 256];
    file.entries.iter().for_each(|&entry| counts[usize::from(entry)] += 1);
    let greatest = counts[..255].iter().rposition(|&count| count > 0).unwrap();
    counts.truncate(greatest + 1);
    let with = |counts: Vec<usize>| text(&file, Some(counts));
    refused(&with([&counts[..], &[0]].concat()), "expected the counts");
    refused(&with(counts[..greatest].to_vec()), "expected the counts");
    counts[1] += 1;
    refused(&with(counts), "expected the counts");
}
