//! Tables that all ranks build together are byte-equal to those of one process.

use super::layers::saved_layers;
use super::on_ranks;
use fewest::pdb::file::{Checkpoint, TableStore};
use fewest::pdb::table::{StripeCode, StripeTable};
use fewest::pdb::{
    Abstraction, BuildError, BuildObserver, BuildOptions, ColumnMap, Edge, Modulo3, build,
};
use fewest::search::{CancelToken, Cost};
use fewest::{MetricChoice, Request, Settings, configure};
use fewest_cluster::{ClusterTeam, in_team};
use std::path::Path;
use std::time::Duration;

/// A graph of rows and columns with random edges.
struct Random {
    edges: Vec<Vec<Edge>>,
    maps: Vec<Vec<u16>>,
    columns: usize,
}

/// The costs of edges, each as often as it is listed.
const MIXED: &[Cost] = &[1, 1, 0, 2, 3];

impl Random {
    fn new(seed: u64, rows: usize, columns: usize, degree: usize, costs: &[Cost]) -> Self {
        let mut state = seed;
        let mut below = |limit: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
            usize::try_from((state >> 33) % limit as u64).unwrap()
        };
        let maps = (0..5)
            .map(|_| (0..columns).map(|_| u16::try_from(below(columns)).unwrap()).collect())
            .collect();
        let mut edge = || {
            let (row, map, cost) = (below(rows), below(5), costs[below(costs.len())]);
            Edge { row: row as u64, map: u32::try_from(map).unwrap(), cost }
        };
        let edges = (0..rows).map(|_| (0..degree).map(|_| edge()).collect()).collect();
        Self { edges, maps, columns }
    }

    /// A path of so many entries, whose edges have these costs by turns.
    fn path(entries: u64, costs: &[Cost]) -> Self {
        let edge = |row: u64| {
            let cost = costs[usize::try_from(row).unwrap() % costs.len()];
            let next = (row + 1 < entries).then_some(Edge { row: row + 1, map: 0, cost });
            next.into_iter().collect()
        };
        Self { edges: (0..entries).map(edge).collect(), maps: vec![vec![0]], columns: 1 }
    }
}

impl Abstraction for Random {
    fn shape(&self) -> (u64, usize) {
        (self.edges.len() as u64, self.columns)
    }
    fn goals(&self, out: &mut Vec<u64>) {
        out.extend([0, self.edges.len() as u64 / 2]);
    }
    fn edges(&self, row: u64, out: &mut Vec<Edge>) {
        out.extend(&self.edges[usize::try_from(row).unwrap()]);
    }
    fn column_map(&self, map: u32) -> ColumnMap<'_> {
        ColumnMap::by(&self.maps[map as usize])
    }
}

/// Builds on 1, 2, 3 and 5 ranks, and compares with one process: the bytes, or the error.
fn check(what: &str, work: impl Fn(&BuildOptions<'_>) -> Result<Vec<u8>, BuildError> + Sync) {
    let alone = work(&BuildOptions::default()).map_err(|error| error.to_string());
    for size in [1, 2, 3, 5] {
        let built = on_ranks(size, |comm| {
            in_team(comm, &CancelToken::new(), |team| {
                work(&BuildOptions { team: Some(team), ..Default::default() })
            })
        });
        for (rank, built) in built.into_iter().enumerate() {
            match built {
                // Only rank 0 has the distances, from which it makes the table.
                Err(BuildError::Elsewhere) => assert!(rank > 0, "{what}"),
                built => {
                    let built = built.map_err(|error| error.to_string());
                    assert!(rank == 0 || built.is_err(), "{what}");
                    assert!(built == alone, "{what}, rank {rank} of {size}: {:?}", alone.err());
                }
            }
        }
    }
}

#[test]
fn distances_along_edges_of_all_costs() {
    for (seed, rows, columns, degree) in
        [(1, 500, 1, 3), (2, 40, 70, 2), (3, 900, 3, 2), (4, 7, 1000, 4), (5, 3, 1, 1)]
    {
        let costs: [&[Cost]; 5] = [&[1], MIXED, &[0, 1], &[2], &[5, 60]];
        for costs in costs {
            let graph = Random::new(seed, rows, columns, degree, costs);
            let what = format!("graph {seed}, costs {costs:?}");
            check(&what, |options| Ok(build::<4>(&graph, options)?.bytes().to_vec()));
            check(&what, |options| Ok(build::<8>(&graph, options)?.bytes().to_vec()));
            let code = StripeCode::two(2);
            let stripes = |options: &BuildOptions<'_>| StripeTable::build(&graph, code, options);
            check(&what, |options| Ok(stripes(options)?.bytes().to_vec()));
        }
    }
}

#[test]
fn the_greatest_distance_of_a_table() {
    for (entries, costs) in [(29, &[1][..]), (30, &[1]), (31, &[1]), (32, &[1]), (40, &[7, 0, 9])] {
        let path = Random::path(entries, costs);
        let what = format!("{entries} entries of costs {costs:?}");
        check(&what, |options| Ok(build::<4>(&path, options)?.bytes().to_vec()));
        check(&what, |options| Ok(build::<8>(&path, options)?.bytes().to_vec()));
    }
}

#[test]
fn what_one_process_refuses() {
    let directed = Random::path(9, &[1]);
    check("directed", |options| Ok(Modulo3::build(&directed, options)?.bytes().to_vec()));
    let wide = Random { edges: Vec::new(), maps: Vec::new(), columns: 1 };
    check("no rows", |options| Ok(build::<4>(&wide, options)?.bytes().to_vec()));
}

/// Cancels when the layer `last` is complete.
struct Stop {
    cancel: CancelToken,
    last: Cost,
}

impl BuildObserver for Stop {
    fn layer(&self, depth: Cost, _: u64, _: u64, _: u64) {
        if depth == self.last {
            self.cancel.cancel();
        }
    }
}

#[test]
fn a_build_goes_on_with_another_number_of_ranks() {
    let graph = Random::new(7, 60, 90, 2, MIXED);
    let alone = build::<8>(&graph, &BuildOptions::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let run = |size: usize, last: Cost| {
        on_ranks(size, |comm| {
            let stop = Stop { cancel: CancelToken::new(), last };
            in_team(comm, &stop.cancel, |team| {
                let checkpoint = Checkpoint {
                    store: TableStore::new(folder.path()),
                    name: "toy".to_owned(),
                    description: "a random graph".into(),
                    every: Duration::ZERO,
                };
                let observer = Some::<&dyn BuildObserver>(&stop);
                let (checkpoint, team) = (Some(&checkpoint), Some::<&dyn fewest::pdb::Team>(team));
                let options = BuildOptions { cancel: None, observer, checkpoint, team };
                build::<8>(&graph, &options)
            })
        })
    };
    for (size, last, layers) in [(3, 2, 4), (1, 4, 6), (2, 6, 8)] {
        assert!(run(size, last).iter().all(|one| matches!(one, Err(BuildError::Cancelled))));
        assert_eq!(saved_layers(&folder.path().join("layers-toy")), [layers - 1]);
    }
    let built = run(3, Cost::MAX).swap_remove(0).unwrap();
    assert_eq!(built.bytes(), alone.bytes());
}

/// Puzzles, their heuristics, and their tables: exact distances of groups and of tiles, and
/// remainders.
const PUZZLES: [(&str, &str); 4] = [
    ("pyraminx", "best"),
    ("8-puzzle", "tables:1.2.3-4.5.6.7.8"),
    ("15-puzzle", "tables:1.2.3-4.5-6.7.8-9.10.11-12.13-14.15"),
    ("2x2x2", "best"),
];

fn settings(folder: &Path, heuristic: &str) -> Settings {
    Settings::default().tables(folder).heuristic(heuristic)
}

#[test]
fn files_of_puzzles() {
    for (name, heuristic) in PUZZLES {
        let [alone, together] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let puzzle = configure(name, &settings(alone.path(), heuristic)).unwrap();
        let built = puzzle.tables().unwrap().build(&Request::default()).unwrap();
        let work = |team: &ClusterTeam<'_>| {
            let puzzle = configure(name, &settings(together.path(), heuristic)).unwrap();
            puzzle.tables().unwrap().build(&Request::default().team(team)).unwrap()
        };
        for found in on_ranks(3, |comm| in_team(comm, &CancelToken::new(), work)) {
            assert_eq!(found, built);
        }
        assert!(!built.is_empty());
        for (table, _) in &built {
            let [one, other] = [&alone, &together]
                .map(|folder| std::fs::read(TableStore::new(folder.path()).path(table)).unwrap());
            assert!(one == other, "{table}");
        }
        let left = std::fs::read_dir(together.path()).unwrap().map(|file| file.unwrap().path());
        let left: Vec<_> = left.filter(|path| path.is_dir()).collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

#[test]
fn states_are_counted_as_by_one_process() {
    for (name, metric) in [
        ("2x2x2", MetricChoice::QuarterTurn),
        ("pyraminx", MetricChoice::HalfTurn),
        ("dino-cube", MetricChoice::HalfTurn),
    ] {
        let count = |job: &Request<'_>| {
            let folder = tempfile::tempdir().unwrap();
            let settings = Settings::default().metric(metric).tables(folder.path());
            let (puzzle, mut layers) = (configure(name, &settings).unwrap(), Vec::new());
            let counting = puzzle.exhaustive().expect("a count of all states");
            let last = counting.count_all(4, job, &mut |_, count| layers.push(count));
            (layers, last.unwrap())
        };
        let alone = count(&Request::default());
        assert_eq!(alone.1.len(), 4);
        let folder = tempfile::tempdir().unwrap();
        let work = |team: &ClusterTeam<'_>| {
            let settings = Settings::default().metric(metric).tables(folder.path());
            let (puzzle, mut layers) = (configure(name, &settings).unwrap(), Vec::new());
            let job = Request::default().team(team);
            let counting = puzzle.exhaustive().expect("a count of all states");
            let last = counting.count_all(4, &job, &mut |_, count| layers.push(count));
            (layers, last.unwrap())
        };
        for found in on_ranks(2, |comm| in_team(comm, &CancelToken::new(), work)) {
            assert_eq!(found, alone, "{name}");
        }
    }
}

#[test]
fn counts_that_no_team_makes_are_refused() {
    let work = |team: &ClusterTeam<'_>| {
        let puzzle = configure("square-1", &Settings::default()).unwrap();
        let counting = puzzle.exhaustive().expect("a count of all states");
        let refused = counting.count_all(0, &Request::default().team(team), &mut |_, _| ());
        refused.unwrap_err().to_string()
    };
    for refused in on_ranks(2, |comm| in_team(comm, &CancelToken::new(), work)) {
        assert!(refused.contains("only one process does this"), "{refused}");
    }
}
