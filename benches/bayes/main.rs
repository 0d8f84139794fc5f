//! Greedy search by beliefs about the distance, on the 2x2x2 and the 3x3x3: how many states it
//! solves, and how long its plans are. Rows are CSV, as in docs/bench/bayes.csv.
//!
//! | `cargo bench --bench bayes --` | prints |
//! |---|---|
//! | `2x2x2 [STEP]` | results on every STEPth state of the 2x2x2 (3,000) |
//! | `2x2x2-beliefs` | the exact probabilities of the 2x2x2 |
//! | `3x3x3` | results on the 3x3x3, with the stored observations |
//! | `learn` | new observations of the 3x3x3, labelled in half a minute of CPU time |
#![expect(clippy::print_stdout, reason = "a bench reports")]

mod cube3;
mod label;
mod measure;
mod pocket;
mod states;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    // Cargo adds this word.
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    match words.next().as_deref().unwrap_or("2x2x2") {
        "2x2x2" => {
            let step = words.next().map_or(Ok(3000), |word| word.parse())?;
            pocket::results(step)
        }
        "2x2x2-beliefs" => pocket::beliefs(),
        "3x3x3" => cube3::results(),
        "learn" => {
            println!("{}", serde_json::to_string(&label::observations()?)?);
            Ok(())
        }
        other => Err(format!("{other}: expected 2x2x2, 2x2x2-beliefs, 3x3x3 or learn").into()),
    }
}
