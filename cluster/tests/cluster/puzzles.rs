//! Puzzles by name.

use super::on_ranks;
use fewest::search::{CancelToken, Limits};
use fewest::{Aim, Ending, Failure, PruningChoice, Request, Settings, configure};
use fewest_cluster::{ClusterAnswer, ClusterRequest, Comm, SolveError, ThreadComm, solve};
use std::cell::Cell;
use std::path::Path;
use std::time::Duration;

/// Numbers 79 and 88 of the 100 boards of Korf (1985): the fewest nodes of all, and 12 thousand
/// times as many.
const EASY: &str = "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15";
const HARD: &str = "15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4";

/// A ring of five pieces with a swap: 120 states.
const DEFINITION: &str = "Name Ring\n\
    Set PIECES 5 1\n\
    Solved\nPIECES\n1 2 3 4 5\nEnd\n\
    Move R\nPIECES\n2 3 4 5 1\nEnd\n\
    Move S\nPIECES\n2 1 3 4 5\nEnd\n";

fn request(puzzle: &str, heuristic: &str, state: &str) -> ClusterRequest {
    let mut request = ClusterRequest::new(puzzle, Settings::default().heuristic(heuristic), state);
    request.shared_from = 1000;
    request
}

fn solved_on(ranks: usize, request: &ClusterRequest) -> Result<ClusterAnswer, SolveError> {
    let mut found = on_ranks(ranks, |comm| solve(comm, request, &CancelToken::new()));
    assert!(found[1..].iter().all(|other| matches!(other, Ok(None))));
    found.swap_remove(0).map(|answer| answer.expect("rank 0 has the answer"))
}

/// Solves on 1, 2 and 4 ranks, and compares with the facade alone on one thread.
fn check(request: &ClusterRequest) {
    let alone = configure(&request.puzzle, &request.settings).unwrap();
    let wanted = request.request.clone().aim(Aim::OptimalOnly).threads(1);
    let alone = alone.solve(&request.state, &wanted).unwrap();
    for ranks in [1, 2, 4] {
        let found = solved_on(ranks, request).unwrap();
        let answer = &found.answer;
        assert_eq!(answer.ending, Ending::Solved);
        assert_eq!(answer.costs, alone.costs);
        assert_eq!(answer.lower_bound, alone.lower_bound);
        let complete = alone.iterations.iter().filter(|one| one.complete).count();
        assert_eq!(answer.iterations[..complete], alone.iterations[..complete], "{ranks}");
        assert_eq!(found.ranks.len(), ranks);
        if request.request.plans > 1 {
            assert_eq!(answer.plans, alone.plans);
        }
    }
}

#[test]
fn a_small_cube() {
    check(&request("2x2x2", "manhattan", "R U F2 R' U2 F R"));
    let mut all = request("2x2x2", "manhattan", "R U F2 R' U2 F R");
    all.request.plans = usize::MAX;
    check(&all);
}

#[test]
fn plans_that_are_longer_than_the_shortest() {
    let request = request("2x2x2", "manhattan", "R U F2 R'");
    let all = Request::default().threads(1).plans(usize::MAX);
    check(&ClusterRequest { request: all.clone().slack(2), ..request.clone() });
    check(&ClusterRequest { request: all.min_length(6), ..request });
}

#[test]
fn a_limit_of_nodes_gives_a_lower_bound() {
    let mut request = request("15-puzzle", "manhattan", HARD);
    request.request.limits = Limits { nodes: Some(2_000_000), ..Limits::default() };
    let found = solved_on(2, &request).unwrap();
    assert_eq!(found.answer.ending, Ending::LimitReached);
    assert!(found.answer.lower_bound >= 43);
}

#[test]
fn a_cube() {
    check(&request("3x3x3", "manhattan", "R U F2 L' D2 B R2 U'"));
}

#[test]
fn a_board() {
    check(&request("15-puzzle", "manhattan", EASY));
    check(&request("3x3-tiles", "manhattan", "8 7 6 0 4 1 2 5 3"));
}

#[test]
fn a_definition() {
    let mut request = request(DEFINITION, "none", "R S R S R R");
    request.settings.pruning = PruningChoice::None;
    request.shared_from = 1;
    check(&request);
}

#[test]
fn best_reads_the_same_table_on_all_ranks() {
    let folder = tempfile::tempdir().unwrap();
    let mut request = request("2x2x2", "best", "R U F2 R' U2 F R");
    request.settings.tables = Some(folder.path().to_owned());
    check(&request);
}

/// Ten pieces in a line, some of a kind: the states form no group.
const KINDS: &str = "Name Kinds\n\
    Set PIECES 10 1\n\
    Solved\nPIECES\n1 1 1 2 3 4 5 5 6 7\nEnd\n\
    Move R\nPIECES\n2 3 4 5 6 7 8 9 10 1\nEnd\n\
    Move S\nPIECES\n2 1 3 4 5 6 7 8 9 10\nEnd\n\
    Move T\nPIECES\n1 2 3 5 6 4 7 8 9 10\nEnd\n";

/// A ring of eight pieces with a swap: a group of 40,320 states.
const GROUP: &str = "Name Ring\n\
    Set PIECES 8 1\n\
    Solved\nPIECES\n1 2 3 4 5 6 7 8\nEnd\n\
    Move R\nPIECES\n2 3 4 5 6 7 8 1\nEnd\n\
    Move S\nPIECES\n2 1 3 4 5 6 7 8\nEnd\n";

/// Searches with tables that ranks own by range. With one rank, all entries are its own. In
/// journals, the results of all units are those of a search with whole tables. Without a journal
/// there are other units, with the same sums. `heuristic` begins the name of the heuristic.
fn check_spread(mut request: ClusterRequest, heuristic: &str, memory: u64, ranks: &[usize]) {
    let folder = tempfile::tempdir().unwrap();
    request.settings = request.settings.tables(folder.path().to_owned());
    request.shared_from = 50;
    request.request.plans = usize::MAX;
    request.spread = true;
    let mut journals = (0..).map(|number| folder.path().join(format!("{number}.journal")));
    let mut solved = |request: &ClusterRequest, ranks: usize, kept: bool| {
        let mut request = request.clone();
        request.journal = journals.next().filter(|_| kept);
        // Of all ranks together, if the tables are spread.
        let parts = if request.spread { ranks as u64 } else { 1 };
        request.settings = request.settings.memory(memory / parts);
        solved_on(ranks, &request).unwrap()
    };
    let one = solved(&request, 1, true);
    assert!(one.answer.heuristic.starts_with(heuristic), "{}", one.answer.heuristic);
    assert!(one.answer.complete && one.answer.lower_bound > 5, "{one:?}");
    let bounds = |found: &ClusterAnswer| found.record.as_ref().unwrap().bounds.clone();
    let check = |found: &ClusterAnswer, kept: bool| {
        assert_eq!(found.answer.heuristic, one.answer.heuristic);
        assert_eq!(found.answer.plans, one.answer.plans);
        assert_eq!(found.answer.iterations, one.answer.iterations);
        match kept {
            true => assert_eq!(bounds(found), bounds(&one)),
            false => assert_ne!(bounds(found), bounds(&one)),
        }
    };
    for &ranks in ranks {
        let found = solved(&request, ranks, true);
        check(&found, true);
        assert!(found.ranks.iter().all(|rank| rank.messages > 10), "{:?}", found.ranks);
        check(&solved(&request, ranks, false), false);
    }
    request.spread = false;
    check(&solved(&request, 2, true), true);
}

/// Memory for all tables of these tests, in so many parts.
const MEMORY: u64 = 12 << 20;

#[test]
fn tables_are_owned_by_range() {
    let request = request(KINDS, "best", "R T S R2 T' R S T R T2 S R T S R2 T R");
    check_spread(request, "best", MEMORY, &[2, 3, 4]);
}

#[test]
fn tables_of_pieces_are_owned_by_range() {
    let request = request(GROUP, "best", "R S R2 S R S R3 S R S");
    check_spread(request, "best", MEMORY, &[2, 3, 4]);
}

/// Sums of tables, and of the same tables on the reflected board: a table of one byte an entry, or
/// without gaps between entries.
#[test]
fn sums_of_tables_are_owned_by_range() {
    let tables = "tables:1.2.3-4.5.6.7-8.9.10.11-12.13.14.15";
    check_spread(request("15-puzzle", tables, EASY), tables, MEMORY, &[2, 3]);
    let two = "tables:1.2.3-4.5.6-7.8+1.4.7-2.5.8-3.6";
    check_spread(request("8-puzzle", two, "8 7 6 0 4 1 2 5 3"), two, MEMORY, &[2, 3]);
}

#[test]
fn a_coset_table_of_the_cube_is_owned_by_range() {
    let cube = request("3x3x3", "best", "R U F2 L' D2 B R2 U' L F D");
    check_spread(cube, "best/3x3x3-htm-g256", MEMORY, &[2]);
}

/// A definition whose states form a group, with too little memory for a table of all states.
#[test]
fn a_rung_of_a_definition_is_owned_by_range() {
    let request = request("skewb", "best", "R L B R' U' L U' B R L' U");
    check_spread(request, "best/skewb-", 78_000, &[2, 3]);
}

/// A rank that counts the bytes it sends.
struct CountedRank<'c> {
    comm: &'c ThreadComm,
    sent: Cell<usize>,
}

impl Comm for CountedRank<'_> {
    fn rank(&self) -> usize {
        self.comm.rank()
    }
    fn size(&self) -> usize {
        self.comm.size()
    }
    fn send(&self, to: usize, bytes: &[u8]) {
        self.sent.set(self.sent.get() + bytes.len());
        self.comm.send(to, bytes);
    }
    fn receive(&self) -> Option<(usize, Vec<u8>)> {
        self.comm.receive()
    }
}

/// The bytes of the table files of a folder.
fn tables_in(folder: &Path) -> u64 {
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap());
    let tables = files.filter(|file| file.path().extension().is_some_and(|e| e == "table"));
    tables.map(|file| file.metadata().unwrap().len()).sum()
}

#[test]
fn best_builds_its_tables_on_all_ranks() {
    let states = [
        (KINDS, 12 << 20, "R T S R2 T' R S T R T2 S R"),
        (GROUP, 12 << 20, "R S R2 S R S R3 S R S"),
        ("3x3x3", 12 << 20, "R U F2"),
        ("skewb", 78_000, "R L B R'"),
        ("15-puzzle", 1 << 20, EASY),
    ];
    for (puzzle, memory, state) in states {
        let folder = tempfile::tempdir().unwrap();
        let mut request = request(puzzle, "best", state);
        request.settings = request.settings.tables(folder.path().to_owned()).memory(memory / 2);
        request.spread = true;
        let run = || {
            let sent = on_ranks(2, |comm| {
                let comm = CountedRank { comm, sent: Cell::new(0) };
                solve(&comm, &request, &CancelToken::new()).unwrap();
                comm.sent.get() as u64
            });
            sent[1]
        };
        let (missing, at_hand) = (run(), run());
        let bytes = tables_in(folder.path());
        // Rank 1 makes half of each table, and sends it to rank 0.
        assert!(missing > at_hand + bytes / 2, "{puzzle}: {missing}, {at_hand} bytes, {bytes}");
    }
}

/// A rank that is stopped before it has its tables answers nobody, and ends the search of all.
#[test]
fn a_rank_that_never_answers_ends_the_search() {
    let folder = tempfile::tempdir().unwrap();
    let mut request = request(KINDS, "best", "R T S R2 T' R S T R T2 S R");
    request.settings = request.settings.tables(folder.path().to_owned());
    request.spread = true;
    // First while tables are missing.
    for stopped in [0, 1, 2] {
        let tables_are_there = stopped == 2;
        if tables_are_there {
            solved_on(1, &request).unwrap();
        }
        let found = on_ranks(3, |comm| {
            let cancel = CancelToken::new();
            if comm.rank() == stopped {
                cancel.cancel();
            }
            solve(comm, &request, &cancel)
        });
        let answer = found.into_iter().next().unwrap();
        let answer = answer.unwrap().expect("rank 0 has the answer").answer;
        assert!(matches!(answer.ending, Ending::Cancelled | Ending::LimitReached), "{answer:?}");
        // Rank 0 does not build alone what the others gave up.
        assert_eq!(tables_in(folder.path()) > 0, tables_are_there);
    }
}

#[test]
fn tables_without_files_are_not_owned_by_range() {
    let mut request = request(KINDS, "best", "R T S");
    request.spread = true;
    let refused = solved_on(2, &request).unwrap_err();
    assert!(matches!(&refused, SolveError::Fault(why) if why.contains("no folder")), "{refused}");
}

#[test]
fn tables_that_no_reader_reads_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut request = request("2x2x2", "best", "R U F2 R' U2 F R");
    request.settings.tables = Some(folder.path().to_owned());
    request.spread = true;
    let refused = solved_on(3, &request).unwrap_err();
    assert!(
        matches!(&refused, SolveError::Fault(why) if why.contains("must have whole tables")),
        "{refused}"
    );
}

#[test]
fn a_limit_of_time_gives_a_lower_bound() {
    let mut request = request("15-puzzle", "manhattan", HARD);
    request.request.limits = Limits { time: Some(Duration::from_millis(300)), ..Limits::default() };
    let found = solved_on(2, &request).unwrap();
    assert_eq!(found.answer.ending, Ending::LimitReached);
    assert!(found.answer.lower_bound >= 43);
}

#[test]
fn a_journal_goes_on_with_other_ranks() {
    let folder = tempfile::tempdir().unwrap();
    let mut request = request("15-puzzle", "manhattan", HARD);
    request.journal = Some(folder.path().join("journal"));
    request.request.limits = Limits { time: Some(Duration::from_millis(300)), ..Limits::default() };
    let mut searched = 0;
    for ranks in [1, 4, 2, 3] {
        let found = solved_on(ranks, &request).unwrap();
        assert_eq!(found.answer.ending, Ending::LimitReached);
        let record = found.record.expect("a record");
        assert!(record.generated() >= searched);
        searched = record.generated();
    }
    // `fewest resume` goes on with it, too.
    let command = fewest::proofs::read(&folder.path().join("journal")).unwrap().record.command;
    let options = [("puzzle", "15-puzzle"), ("state", HARD), ("heuristic", "manhattan")];
    assert!(options.iter().all(|(name, value)| command.get(name) == Some(value)), "{command:?}");
    let state = EASY.to_owned();
    let other = ClusterRequest { state, ..request };
    let refused = solved_on(2, &other).unwrap_err();
    assert!(matches!(&refused, SolveError::Journal(why) if why.contains("state")), "{refused}");
}

#[test]
fn what_is_refused_is_told_once() {
    let refused = solved_on(3, &request("3x3x3", "manhattan", "R X")).unwrap_err();
    assert!(matches!(refused, SolveError::Failure(Failure::Refused(_))), "{refused}");
    let refused = solved_on(3, &request("4x4x4x4", "manhattan", "R")).unwrap_err();
    assert!(matches!(refused, SolveError::Failure(Failure::Refused(_))), "{refused}");
    let solved = solved_on(2, &request("3x3x3", "manhattan", "R R'")).unwrap();
    assert_eq!(solved.answer.plans, [Vec::<String>::new()]);
}
