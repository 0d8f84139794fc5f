//! Sliding tiles: four heuristics on one board, from hand-written rules to additive tables, and
//! what each costs.
//!
//! `cargo run --release --example tiles` takes a board of the 15-puzzle; give another as arguments,
//! row by row, 0 the blank.
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]

use fewest::{Request, Settings, configure};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let board = if words.is_empty() {
        "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3".to_owned()
    } else {
        words.join(" ")
    };

    // Written by hand, learned from small searches (two of them), and tables of three patterns
    // whose values add up.
    for heuristic in ["korf-taylor", "pairs", "triples", "pdb:6-6-3"] {
        let settings = Settings::default().heuristic(heuristic);
        let puzzle = configure("15-puzzle", &settings)?;
        let answer = puzzle.solve(&board, &Request::default())?;
        let plan = answer.plans.first().ok_or("no plan")?;
        println!(
            "{heuristic:<12} {} moves, {:>10} nodes, {:>6.3} s, {:>10} bytes of tables",
            plan.len(),
            answer.generated(),
            answer.elapsed.as_secs_f64(),
            answer.table_bytes
        );
        assert_eq!(puzzle.check_plan(&board, &plan.join(" "))?.fault, None);
    }
    Ok(())
}
