//! The tables that a puzzle chooses for an amount of memory. No test here builds a table.

use cube::two_phase::TwoPhase;
use fewest::{GoalChoice, Request, Settings, TableCandidate, configure};

/// The tables that the puzzle chooses, and those that it leaves out.
fn explained(
    puzzle: &str,
    heuristic: &str,
    goal: Option<&str>,
    memory: u64,
) -> Result<(Vec<TableCandidate>, Vec<TableCandidate>), String> {
    let mut settings = Settings::default().heuristic(heuristic).memory(memory);
    settings.goal = goal.map(GoalChoice::from).unwrap_or_default();
    let puzzle = configure(puzzle, &settings).map_err(|error| error.to_string())?;
    let all = puzzle
        .tables()
        .expect("tables")
        .explain(&Request::default())
        .map_err(|error| error.to_string())?;
    Ok(all.into_iter().partition(|table| table.in_use))
}

fn bytes(tables: &[TableCandidate]) -> u64 {
    tables.iter().map(|table| table.bytes).sum()
}

/// The memory holds the small tables of the near-optimal search, and then the largest table of the
/// cube that fits.
#[test]
fn a_budget_holds_the_small_rungs_of_the_cube_then_the_highest_that_fits() {
    let (mut all, left_out) = explained("3x3x3", "best", None, u64::MAX).expect("tables");
    // The tables of one bit are left out, but for the one that is built much sooner.
    assert_eq!((all.len(), left_out.len()), (9, 1));
    all.extend(left_out);
    all.sort_unstable_by_key(|one| one.bytes);
    let shapes: Vec<_> = all.iter().map(|one| (one.symmetries, one.views, one.worth)).collect();
    let (axes, halves) = ((16, 3, None), (48, 1, None));
    assert_eq!(shapes, [axes, axes, halves, halves, halves, halves, axes, axes, axes, axes]);
    let (slices, odd) = (420 * 34_650, 420 * 34_650 * 4);
    let [g256, g1] = [495 * 256, 495 * 2048];
    let large = [420 * g256, 70 * g1, 1680 * g256, 420 * g1];
    let cosets = [&[g256, g1, slices, slices, odd, odd], &large[..]].concat();
    let states: Vec<u64> = all.iter().map(|one| one.states / 2187).collect();
    assert_eq!(states, cosets);
    let taken = |memory| {
        let (taken, _) = explained("3x3x3", "best", None, memory + TwoPhase::bytes())?;
        let names = taken.into_iter().map(|one| one.pattern.replace("3x3x3-htm-", ""));
        Ok::<String, String>(names.collect::<Vec<_>>().join(" "))
    };
    let bytes: Vec<u64> = all.iter().map(|one| one.bytes).collect();
    let [g256, g1, bit200, htr200, bit204, htr204, htr108, tet112, htr110, htr111] = bytes[..]
    else {
        panic!("{bytes:?}")
    };
    assert_eq!((2 * bit200, 2 * bit204), (htr200, htr204));
    let small = g256 + g1;
    assert!(taken(g256 - 1 - TwoPhase::bytes()).is_err());
    for (memory, names) in [
        (g256, "g256"),
        // The smallest comes first.
        (g1, "g256"),
        (g256 + g1, "g256 g1"),
        // A half-turn table is read together with g1 only, so g1 comes first.
        (bit200 + g256, "g256 g1"),
        (small + bit200, "g256 g1 htr200-1"),
        (small + htr200 - 1, "g256 g1 htr200-1"),
        (small + htr200, "g256 g1 htr200"),
        // Next comes the largest table that fits.
        (small + bit204, "g256 g1 htr204-1"),
        (small + htr204 - 1, "g256 g1 htr200 htr204-1"),
        (small + htr204, "g256 g1 htr204"),
        (small + htr204 + htr200, "g256 g1 htr200 htr204"),
        (small + htr108, "g256 g1 htr108"),
        (small + tet112 - 1, "g256 g1 htr200 htr204-1 htr108"),
        (small + tet112, "g256 g1 tet112"),
        (4 << 30, "g256 g1 htr200 htr204-1 htr204 tet112"),
        (small + htr110, "g256 g1 htr110"),
        (8 << 30, "g256 g1 htr200 htr204-1 htr110"),
        (15 << 30, "g256 g1 htr200-1 htr204-1 htr111"),
        (small + htr111, "g256 g1 htr111"),
        // Of two tables with the same cosets, one is chosen, and last a table that is built soon.
        (bytes.iter().sum(), "g256 g1 htr200 htr204-1 htr204 htr108 tet112 htr110 htr111"),
    ] {
        assert_eq!(taken(memory).as_deref(), Ok(names), "{memory} bytes");
    }
    let (korf, _) = explained("3x3x3", "korf97", None, 1 << 30).expect("tables");
    assert_eq!(korf.iter().map(|one| one.states).sum::<u64>(), 88_179_840 + 2 * 42_577_920);
}

#[test]
fn boards_take_the_strongest_tables_that_fit() {
    let best = |board, memory| {
        let (taken, left_out) = explained(board, "best", None, memory).expect("tables");
        assert_eq!(left_out, []);
        assert!(taken.iter().all(|one| one.views == 2), "{taken:?}");
        bytes(&taken)
    };
    let suffixed = |board, memory, suffix: &str| {
        let (taken, _) = explained(board, "best", None, memory).expect("tables");
        taken.iter().all(|one| {
            let name = &one.pattern;
            name.strip_suffix(suffix).is_some_and(|name| !name.ends_with(char::is_alphabetic))
        })
    };
    assert_eq!(best("15-puzzle", 1 << 30), 576_576_000);
    assert!(suffixed("15-puzzle", 1 << 30, ""), "ranked");
    assert_eq!(best("15-puzzle", 900 << 20), 288_288_000);
    assert!(suffixed("15-puzzle", 900 << 20, "-packed"));
    // The table of 8 tiles does fit, but its build takes twice the bytes that ranked entries take.
    assert_eq!(best("15-puzzle", 1 << 29), 33_558_528);
    let files = tempfile::tempdir().expect("a folder");
    for tiles in ["1.4.5.8.9.12.13", "2.3.6.7.10.11.14.15"] {
        let name = format!("15-puzzle-b0-{tiles}-packed.table");
        std::fs::write(files.path().join(name), "").expect("written");
    }
    let settings = Settings::default().memory(1 << 29).tables(files.path());
    let puzzle = configure("15-puzzle", &settings).expect("a board");
    let taken = puzzle.tables().expect("tables").explain(&Request::default()).expect("tables");
    assert_eq!(bytes(&taken), 288_288_000, "nothing is to be built");
    assert_eq!(best("24-puzzle", 1 << 30), 4 * 244_140_625);
    assert!(suffixed("24-puzzle", 1 << 30, "-direct"));
    let none = |board, goal| explained(board, "best", goal, 10).expect_err("no table");
    assert!(none("15-puzzle", None).contains("no tables"));
    // The blank is at home in no corner, and no partition is known.
    let centre = Some("1 2 3 4 5 0 6 7 8 9 10 11 12 13 14 15");
    assert!(none("15-puzzle", centre).contains("no tables"));
    assert!(!explained("15-puzzle", "best", centre, 1 << 30).expect("tables").0.is_empty());
    // No partition is known for this goal: a path through the columns is cut into two patterns.
    let goal = Some("1 2 3 4 5 6 7 8 0 9 10 11 12 13 14");
    let (seven, _) = explained("3x5-tiles", "best", goal, 1 << 30).expect("tables");
    assert_eq!(seven.len(), 2);
    assert!(seven[1].pattern.contains("-3.4.7.9.12.13.14"), "{}", seven[1].pattern);
    assert!(seven[0].pattern.contains("-0.1.2.5.6.10.11"), "{}", seven[0].pattern);
}

/// Without memory, the configuration `best` is the strongest heuristic without tables, and
/// generates the same nodes.
#[test]
fn without_memory_the_strongest_heuristic_without_tables_is_taken() {
    let nodes = |board: &str, heuristic: &str, goal: Option<&str>, state: &str| {
        let mut settings = Settings::default().heuristic(heuristic).memory(10);
        settings.goal = goal.map(GoalChoice::from).unwrap_or_default();
        let puzzle = configure(board, &settings).expect("a board");
        let answer = puzzle.solve(state, &Request::default()).expect("a state");
        assert!(answer.optimal && answer.lower_bound > 20);
        answer.iterations.iter().filter(|one| one.complete).map(|one| one.generated).sum::<u64>()
    };
    let differ = |board, goal, state, same, other| {
        let best = nodes(board, "best", goal, state);
        assert_eq!(best, nodes(board, same, goal, state), "{board}");
        assert_ne!(best, nodes(board, other, goal, state), "{board}");
    };
    let corner = "5 1 6 4 0 3 11 16 2 18 10 20 9 7 12 21 22 23 8 17 15 24 14 19 13";
    differ("24-puzzle", None, corner, "korf-taylor", "linear-conflict");
    let goal = "1 2 3 4 5 0 6 7 8 9 10 11 12 13 14 15";
    let start = "2 3 9 4 7 0 1 12 14 11 8 6 15 5 13 10";
    differ("15-puzzle", Some(goal), start, "linear-conflict", "manhattan");
}

#[test]
fn the_two_by_two_has_one_table() {
    let (taken, _) = explained("2x2x2", "best", None, 1 << 20).expect("a table");
    assert_eq!((taken.len(), taken[0].bytes, taken[0].states), (1, 918_540, 3_674_160));
    assert!(explained("2x2x2", "manhattan", None, 1 << 20).is_err());
}

/// With a folder for layers, tables may exceed the memory: those that are named by any factor.
#[test]
fn tables_of_tiles_that_are_built_on_disk_need_not_fit_the_memory() {
    let eights = "tables:1.2.3.4.5.6.7.8-9.10.11.12.13.14.15.16-17.18.19.20.21.22.23.24";
    let bytes_of = |heuristic: &str, disk: bool| {
        let mut settings = Settings::default().heuristic(heuristic).memory(24_000_000);
        settings.disk = disk.then(|| "layers".into());
        let puzzle = configure("24-puzzle", &settings).ok()?;
        let tables = puzzle.tables().expect("tables").explain(&Request::default()).expect("tables");
        Some(bytes(&tables))
    };
    // Direct tables fit 1 GiB. Placements of eight tiles have four bits each.
    for (heuristic, bytes) in
        [("pdb:6-6-6-6", 4 * 25_u64.pow(6)), (eights, 3 * (18..=25).product::<u64>() / 2)]
    {
        assert_eq!((bytes_of(heuristic, false), bytes_of(heuristic, true)), (None, Some(bytes)));
    }
}
