//! Entries of tables have the ranks of the specification, and are distances.

mod maker;

use fewest_check::{Checks, Objection, check};
use maker::{Abstraction, Game, Maker, State, Table, samples};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// A folder of its own for each test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn run(maker: &Maker, tables: Option<&Path>, write: Option<&Path>) -> Result<String, Objection> {
    let text = format!("{}least 0\nend\n", maker.head());
    let (tables, write_tables) = (tables.map(Path::to_owned), write.map(Path::to_owned));
    check(text.into(), &Checks { tables, write_tables, ..Checks::default() })
}

/// All orders of some numbers, in lexicographic order, each once.
fn orders(numbers: &[usize]) -> Vec<Vec<usize>> {
    let mut firsts = numbers.to_vec();
    firsts.sort_unstable();
    firsts.dedup();
    let go_on = |first: usize| {
        let mut rest = numbers.to_vec();
        rest.remove(rest.iter().position(|&number| number == first).unwrap());
        orders(&rest).into_iter().map(move |order| [vec![first], order].concat())
    };
    if numbers.is_empty() { vec![vec![]] } else { firsts.into_iter().flat_map(go_on).collect() }
}

/// All words of a block in the order of their ranks: for each arrangement, all rotations. Where the
/// last digit is left out, only those with the goal's sum.
fn words(game: &Game, (first, pieces, turns): (usize, usize, usize), labels: &State) -> Vec<State> {
    let rotated = |word: &State, by: usize| [&word[by..], &word[..by]].concat();
    let goal: Vec<State> =
        labels[first..].chunks(turns).take(pieces).map(<[u16]>::to_vec).collect();
    let least = |word: &State| (0..turns).map(|by| rotated(word, by)).min().unwrap();
    let mut classes: Vec<State> = Vec::new();
    for word in goal.iter().map(least) {
        if !classes.contains(&word) {
            classes.push(word);
        }
    }
    let class = |word: &State| classes.iter().position(|one| *one == least(word)).unwrap();
    let digit = |word: &State| (0..turns).find(|&by| rotated(&least(word), by) == *word).unwrap();
    let base =
        |class: &State| (1..=turns).find(|&by| rotated(class, by % turns) == *class).unwrap();
    let rotation = |map: &State| -> usize {
        map[first..].iter().step_by(turns).take(pieces).map(|&p| (p as usize - first) % turns).sum()
    };
    let left_out = classes.iter().all(|class| base(class) == turns)
        && game.moves.iter().all(|step| rotation(&step.map) % turns == 0);
    let sum: usize = goal.iter().map(digit).sum();
    let mut words = Vec::new();
    for order in orders(&goal.iter().map(class).collect::<Vec<_>>()) {
        let mut digits: Vec<Vec<usize>> = vec![vec![]];
        for &class in &order {
            let longer = |digits: Vec<usize>| {
                (0..base(&classes[class])).map(move |digit| [&digits[..], &[digit]].concat())
            };
            digits = digits.into_iter().flat_map(longer).collect();
        }
        for digits in digits {
            if !left_out || digits.iter().sum::<usize>() % turns == sum % turns {
                let places = order.iter().zip(digits);
                words.push(places.flat_map(|(&class, by)| rotated(&classes[class], by)).collect());
            }
        }
    }
    words
}

/// All words of a table of labels, in the order of their ranks.
fn all_words(game: &Game, labels: &State) -> Vec<State> {
    let (mut all, mut first) = (vec![State::new()], 0);
    for &(pieces, turns) in &game.blocks {
        let block = words(game, (first, pieces, turns), labels);
        let longer = |word: State| block.iter().map(move |more| [&word[..], more].concat());
        all = all.iter().cloned().flat_map(longer).collect();
        first += pieces * turns;
    }
    all
}

/// All placements of tiles and the blank as words, in the order of their ranks.
fn all_placements(game: &Game, tiles: &State) -> Vec<State> {
    let squares = game.rows * game.columns;
    let mut lists: Vec<Vec<usize>> = vec![vec![]];
    for _ in 0..=tiles.len() {
        let longer = |list: Vec<usize>| {
            let free = (0..squares).filter(|square| !list.contains(square)).collect::<Vec<_>>();
            free.into_iter().map(move |square| [&list[..], &[square]].concat())
        };
        lists = lists.into_iter().flat_map(longer).collect();
    }
    let word = |list: &Vec<usize>| {
        let mut word = vec![maker::OTHER; squares];
        for (&square, &tile) in list.iter().zip(tiles.iter().chain([&0])) {
            word[square] = tile;
        }
        word
    };
    lists.iter().map(word).collect()
}

/// The entries that a table should have.
fn entries(game: &Game, table: &Table) -> Vec<u8> {
    let words = match &table.abstraction {
        Abstraction::Labels(labels) => all_words(game, labels),
        Abstraction::Tiles(_, tiles) => all_placements(game, tiles),
    };
    let entry = |word: &State| table.distances.get(word).map_or(255, |&found| found.min(254) as u8);
    words.iter().map(entry).collect()
}

#[test]
fn entries_are_distances_by_rank() {
    for (at, (name, mut maker)) in samples::all().into_iter().enumerate() {
        let folder = folder(&format!("entries-{at}"));
        maker.sums = (0..maker.tables.len()).map(|table| vec![(table, 0)]).collect();
        run(&maker, None, Some(&folder)).unwrap_or_else(|why| panic!("{name}: {}", why.text));
        for (number, table) in maker.tables.iter().enumerate() {
            let found = fs::read(folder.join(format!("t{number}.entries"))).expect("entries");
            assert!(found == entries(&maker.game, table), "{name}: table {number}");
        }
        let report = run(&maker, Some(&folder), None).expect("right entries");
        let many = maker.tables.len();
        assert!(report.contains(&format!("0 computed, {many} read and checked edge by edge")));
    }
}

/// Distances above 254 count as 254, and do not become infinite.
#[test]
fn far_states_are_not_unsolvable() {
    let mut maker = samples::one_way_board();
    maker.game.moves.iter_mut().for_each(|step| step.cost *= 60);
    for table in &mut maker.tables {
        *table = Table::new(&maker.game, table.abstraction.clone());
    }
    let folder = folder("far");
    run(&maker, None, Some(&folder)).expect("holds");
    let found = fs::read(folder.join("t1.entries")).expect("entries");
    assert!(found == entries(&maker.game, &maker.tables[1]) && found.contains(&254));
    run(&maker, Some(&folder), None).expect("right entries");
}

#[test]
fn wrong_entries_are_found() {
    for (at, mut maker) in [samples::board(), samples::symmetric_ring()].into_iter().enumerate() {
        maker.sums = vec![vec![(0, 0)]];
        let folder = folder(&format!("wrong-{at}"));
        run(&maker, None, Some(&folder)).expect("holds");
        let file = folder.join("t0.entries");
        let right = fs::read(&file).expect("entries");
        let goal = right.iter().position(|&entry| entry == 0).unwrap();
        let near = right.iter().position(|&entry| entry == 1).unwrap();
        let refused = |change: &dyn Fn(&mut Vec<u8>), reason: &str| {
            let mut entries = right.clone();
            change(&mut entries);
            fs::write(&file, entries).expect("a file");
            let why = run(&maker, Some(&folder), None).expect_err("wrong entries");
            assert!(why.refused && why.text.contains("table t0: "), "{}", why.text);
            assert!(why.text.contains(reason), "{}", why.text);
        };
        let finite: Vec<usize> =
            (0..right.len()).filter(|&at| (1..254).contains(&right[at])).collect();
        for entry in [near, finite[finite.len() / 2], finite[finite.len() - 1]] {
            let place =
                format!("expected {} in entry {entry}, not {}", right[entry], right[entry] + 1);
            refused(&|entries| entries[entry] += 1, &place);
            // All others stay, so that this alone is infinite.
            refused(&|entries| entries[entry] = 255, &format!("in entry {entry}, not 255"));
        }
        refused(&|entries| entries[goal] = 1, &format!("expected 0 in entry {goal}, not 1"));
        refused(&|entries| entries.truncate(5), "bytes, not 5");
        refused(&|entries| entries.push(0), "bytes, not");
        // Lower entries are bounds, too, if they are consistent: all of them 0.
        fs::write(&file, vec![0; right.len()]).expect("a file");
        run(&maker, Some(&folder), None).expect("bounds");
    }
}

#[test]
fn missing_folders_are_told() {
    let maker = samples::board();
    let folder = folder("missing").join("not there");
    let why = run(&maker, None, Some(&folder)).expect_err("no folder");
    assert!(!why.refused && why.text.starts_with("table t0: "), "{}", why.text);
    run(&maker, Some(&folder), None).expect("computed");
}
