//! Changed certificates are refused, or still say what is true.
//!
//! A change may be harmless: another word in a line `about`, a name changed everywhere it counts,
//! a table that no sum uses. So a changed file that holds is judged by its claim alone. The test
//! reads the puzzle, the start and the claim anew, and finds the least cost by a search through all
//! states. Nothing may panic, whatever the bytes are.

mod maker;

use fewest_check::{Checks, check};
use maker::{Game, State, samples};
use std::collections::HashMap;

const CHANGES: usize = 1000;

/// A stream of numbers that is the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % most.max(1)
    }

    fn byte(&mut self) -> u8 {
        self.below(256).to_le_bytes()[0]
    }
}

/// A text with one change: of a byte, a word or a line.
fn changed(text: &str, random: &mut Random) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    let at = random.below(bytes.len());
    let mut lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(' ').collect()).collect();
    let line = random.below(lines.len());
    let other = random.below(lines.len());
    let words = lines[line].len();
    let (word, from) = (random.below(words), random.below(lines[other].len()));
    let number: String;
    match random.below(12) {
        0 => bytes[at] = random.byte(),
        1 => _ = bytes.remove(at),
        2 => bytes.insert(at, b"0123456789 \n-=@\xff"[random.below(16)]),
        3 => bytes.truncate(at),
        kind => {
            match kind {
                4 => lines[line][word] = lines[other][from],
                5 => _ = lines[line].remove(word),
                6 => {
                    let new = lines[other][from];
                    lines[line].insert(word, new);
                }
                7 => lines.swap(line, other),
                8 => _ = lines.remove(line),
                9 => {
                    let new = lines[other].clone();
                    lines.insert(line, new);
                }
                10 => lines[line].swap(word, words - 1),
                _ => {
                    let by = [1, -1, 2, -2, 256, 1 << 40][random.below(6)];
                    number = match lines[line][word].parse::<i64>() {
                        Ok(number) => number.wrapping_add(by).to_string(),
                        Err(_) => "18446744073709551615".to_owned(),
                    };
                    lines[line][word] = &number;
                }
            }
            let lines: Vec<String> = lines.iter().map(|line| line.join(" ") + "\n").collect();
            bytes = lines.concat().into_bytes();
        }
    }
    bytes
}

/// The puzzle, the start, and the cost that a file claims to be the least.
fn read(text: &str) -> (Game, State, u64) {
    let (mut game, mut start, mut claim) = (Game::default(), State::new(), None);
    let mut moves = Vec::new();
    for line in text.lines() {
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        let numbers = || rest.split(' ').map(|word| word.parse().expect("a number"));
        let words: Vec<&str> = rest.split(' ').collect();
        match first {
            "block" => game.blocks.push((words[0].parse().unwrap(), words[1].parse().unwrap())),
            "board" => {
                game.rows = words[0].parse().unwrap();
                game.columns = words[1].parse().unwrap();
            }
            "move" => moves.push(maker::Step {
                name: words[0].to_owned(),
                cost: words[1].parse().unwrap(),
                map: words[2..].iter().filter_map(|word| word.parse().ok()).collect(),
                step: (words[2].parse().unwrap(), words[3].parse().unwrap()),
            }),
            "goal" => game.goal = numbers().collect(),
            "start" => start = numbers().collect(),
            "plan" | "least" => claim = Some(words[0].parse().unwrap()),
            _ => {}
        }
    }
    game.moves = moves;
    (game, start, claim.expect("a claim"))
}

/// The least cost of a plan for a state, infinite if there is none.
fn least(game: &Game, start: &State) -> u64 {
    // Words of the goal's labels, so that all goals are one.
    let shown = |state: &State| -> State {
        state.iter().map(|&sticker| game.goal[sticker as usize]).collect()
    };
    let goal = if game.is_board() { start.clone() } else { shown(start) };
    let from_goal = if game.is_board() {
        game.true_distances()
    } else {
        maker::Table::new(game, maker::Abstraction::Labels(game.goal.clone())).distances
    };
    from_goal.get(&goal).copied().unwrap_or(u64::MAX)
}

#[test]
fn changed_files_are_refused_or_true() {
    let mut random = Random(0x5eed);
    for (name, maker) in samples::all() {
        let weak = name == "weak board";
        let (_, text) = if weak { samples::units().clone() } else { maker.certificate() };
        let (mut held, mut known) = (0, HashMap::new());
        for change in 0..if weak { CHANGES / 10 } else { CHANGES } {
            let bytes = changed(&text, &mut random);
            let Ok(report) = check(bytes.clone(), &Checks::default()) else {
                continue;
            };
            held += 1;
            let text = String::from_utf8(bytes).expect("UTF-8");
            let (game, start, claim) = read(&text);
            let key = (game.text(), start.clone());
            let least = *known.entry(key).or_insert_with(|| least(&game, &start));
            let with_plan = report.contains("the plan solves the start");
            let holds = if with_plan { claim == least } else { claim <= least };
            assert!(holds, "{name}, change {change}: claims {claim}, but {least}:\n{text}");
        }
        assert!(held < CHANGES / 2, "{name}: {held} changed files hold");
    }
}

#[test]
fn noise_is_refused() {
    let mut random = Random(7);
    for length in 0..300 {
        let bytes: Vec<u8> = (0..length).map(|_| random.byte()).collect();
        for first in ["", "fewest-plain 1\n", "fewest-distances 1\n", "fewest-plain 1\nboard 2 2\n"]
        {
            let bytes = [first.as_bytes(), &bytes].concat();
            assert!(check(bytes, &Checks::default()).is_err());
        }
    }
}
