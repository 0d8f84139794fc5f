//! The facade: a puzzle by name, a state as text, and an optimal plan. The plan is replayed on a
//! slow reference puzzle.
//!
//! `cargo run --release --example cube` takes a scramble of eight moves; give another as arguments.
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]

use fewest::{Request, Settings, configure};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let state = if words.is_empty() { "R U2 F' L D B2 R' U".to_owned() } else { words.join(" ") };

    // 64 MiB choose a small table; without a folder it lives in memory only. `Settings::default()`
    // allows 1 GiB.
    let settings = Settings::default().memory(64 << 20);
    let cube = configure("3x3x3", &settings)?;
    for (name, value) in cube.read(&state)?.facts {
        println!("{name}: {value}");
    }

    let answer = cube.solve(&state, &Request::default())?;
    let plan = answer.plans.first().ok_or("no plan")?.join(" ");
    println!("plan: {plan} ({} moves, optimal: {})", answer.plans[0].len(), answer.optimal);
    for iteration in &answer.iterations {
        println!("  bound {:>2}: {:>9} nodes", iteration.bound, iteration.generated);
    }
    let replayed = cube.check_plan(&state, &plan)?;
    assert_eq!(replayed.fault, None);
    println!("replayed: {} moves", replayed.length);
    Ok(())
}
