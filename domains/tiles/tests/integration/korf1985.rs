//! The hundred instances of Richard Korf ("Depth-first iterative-deepening: an optimal admissible
//! tree search", Artificial Intelligence 27, 1985, section 5.5). Searches with Manhattan distance
//! generate exactly the published numbers of nodes.

use fewest_tiles::{Puzzle15, TilesManhattan};
use search::{InversePruning, Options, ida_star};

/// An instance: its number, board and optimal length, and the published nodes, which include the
/// root.
struct Instance {
    id: u64,
    board: Vec<u8>,
    length: usize,
    nodes: u64,
}

fn rows(text: &str) -> Vec<Vec<u64>> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines.map(|line| line.split_whitespace().map(|word| word.parse().unwrap()).collect()).collect()
}

fn instances() -> Vec<Instance> {
    let boards = rows(include_str!("../../instances/korf100_15.txt"));
    let nodes = rows(include_str!("../../instances/korf100_15_nodes.txt"));
    assert_eq!((boards.len(), nodes.len()), (100, 100));
    boards
        .iter()
        .zip(&nodes)
        .map(|(board, nodes)| {
            assert_eq!((board[0], board[17]), (nodes[0], nodes[2]));
            Instance {
                id: board[0],
                board: board[1..17].iter().map(|&number| u8::try_from(number).unwrap()).collect(),
                length: usize::try_from(board[17]).unwrap(),
                nodes: nodes[4],
            }
        })
        .collect()
}

/// Solves all instances with at most `most` published nodes, and returns the nodes of all of them
/// together.
fn search_up_to(most: u64) -> u64 {
    let domain = Puzzle15::new();
    let heuristic = TilesManhattan::new(&domain);
    let pruning = InversePruning;
    let mut nodes = 0;
    for instance in instances().iter().filter(|instance| instance.nodes <= most) {
        let start = domain.board(&instance.board).unwrap();
        let report = ida_star(&domain, &heuristic, &pruning, &start, &Options::default());
        assert_eq!(report.plan().map(|plan| plan.len()), Some(instance.length), "#{}", instance.id);
        assert_eq!(report.generated() + 1, instance.nodes, "#{}", instance.id);
        nodes += report.generated();
    }
    nodes
}

#[test]
fn generated_nodes_are_his() {
    assert_eq!(search_up_to(5_000_000), 27_778_196);
}

#[test]
#[ignore = "slow: the instances of at most 60 million nodes, 5 s"]
fn generated_nodes_of_larger_instances_are_his() {
    assert_eq!(search_up_to(60_000_000), 770_880_376);
}

#[test]
#[ignore = "slow: the instances of at most a billion nodes, 1 min"]
fn generated_nodes_of_most_instances_are_his() {
    search_up_to(1_000_000_000);
}
