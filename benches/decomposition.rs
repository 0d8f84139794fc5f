//! Goal decomposition of the 3x3x3, measured: Martin's lists of subgoals (2016) and ours, on the
//! random cubes of docs/RANDOM_CUBES.md.
//!
//! `cargo bench --bench decomposition -- improved/8 10000000 20` takes three words:
//!
//! 1. a list (`beginner`, `random`, `parallel`, `improved`, each also with `/8`), `tables` for
//!    ours, or `fridrich`;
//! 2. the cap of nodes for each subgoal of a list;
//! 3. the number of cubes.
#![expect(clippy::print_stdout, reason = "a bench reports")]

use cube::decomposition::{Martin, MartinList, PieceCount, Subgoal, TableDecomposition, TableList};
use cube::{Cube, CubeMetric, notation::parse_state};
use search::{Options, StagedReport};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Cargo adds this word.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let name = words.first().map_or("beginner", String::as_str);
    let cap = words.get(1).map_or(Ok(100_000), |text| text.parse())?;
    let count = words.get(2).map_or(Ok(10), |text| text.parse())?;
    let lines = cube::instances::RANDOM.lines();
    let facelets = lines.filter_map(|line| line.split(' ').nth(1)).filter(|word| word.len() == 54);
    let cubes: Vec<Cube> = facelets.take(count).map(parse_state).collect::<Result<_, _>>()?;

    let metric = CubeMetric::HalfTurn;
    let (list, counting) = match name.strip_suffix("/8") {
        Some(list) => (list, PieceCount::Eighths),
        None => (name, PieceCount::Slots),
    };
    let with_tables = match name {
        "tables" => Some(TableList::Blocks),
        "fridrich" => Some(TableList::Fridrich),
        _ => None,
    };
    let (subgoals, reports) = if let Some(list) = with_tables {
        let tables = TableDecomposition::build(metric, list, &pdb::BuildOptions::default())?;
        let solve = |cube: &Cube| tables.search(cube, &Options::default());
        (tables.subgoals().to_vec(), cubes.iter().map(solve).collect::<Vec<StagedReport>>())
    } else {
        let list = match list {
            "beginner" => MartinList::Beginner,
            "random" => MartinList::Random(1),
            "parallel" => MartinList::Parallel,
            "improved" => MartinList::Improved,
            _ => {
                let expected = "expected beginner, random, parallel, improved, tables or fridrich";
                return Err(format!("{name}: {expected}").into());
            }
        };
        let martin = Martin::new(metric, list, counting).cap(cap);
        let solve = |cube: &Cube| martin.search(cube, &Options::default());
        (martin.subgoals().to_vec(), cubes.iter().map(solve).collect())
    };
    let solved: Vec<&StagedReport> = reports.iter().filter(|one| one.plan.is_some()).collect();
    let mean = |all: &[&StagedReport], of: &dyn Fn(&StagedReport) -> f64| {
        all.iter().map(|one| of(one)).sum::<f64>() / all.len() as f64
    };
    let all: Vec<&StagedReport> = reports.iter().collect();
    println!("{name}, at most {cap} nodes a subgoal: {} of {count} cubes solved", solved.len());
    println!("moves {:.2}", mean(&solved, &|one| one.spent.into()));
    println!("nodes of the solved {:.0}", mean(&solved, &|one| one.generated() as f64));
    println!("nodes of all {:.0}", mean(&all, &|one| one.generated() as f64));
    println!("seconds of all {:.3}", mean(&all, &|one| one.elapsed.as_secs_f64()));
    for (number, name) in subgoals.iter().map(Subgoal::name).enumerate() {
        let ends = reports.iter().filter_map(|one| one.stages.get(number)?.plan());
        let lengths: Vec<f64> = ends.map(|plan| plan.len() as f64).collect();
        let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
        println!("{:>3} {name}: reached by {}, {mean:.2} moves", number + 1, lengths.len());
    }
    Ok(())
}
