//! `fewest-cluster gods-algorithm`: how many states lie at each distance, by all ranks.

use super::options::{Format, PlaceOptions};
use super::output::print;
use super::{Error, Exit};
use clap::Args;
use fewest::search::CancelToken;
use fewest_cluster::{Comm, LayerOptions, LayersError, MpiComm, Space, count_layers};
use serde_json::json;

#[derive(Args, Debug)]
pub(super) struct GodsAlgorithm {
    /// The puzzle: 2x2x2, or a definition by its name or path
    puzzle: String,
    #[command(flatten)]
    options: PlaceOptions,
    /// Threads of each rank [default: the cores that the rank may use, shared by the ranks of its
    /// machine]
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Form of the results on standard output
    #[arg(short, long, value_enum, default_value = "text")]
    format: Format,
}

pub(super) fn run(
    verb: &GodsAlgorithm,
    comm: &MpiComm,
    cancel: &CancelToken,
) -> Result<Exit, Error> {
    let cores = comm.cores();
    let threads = verb.threads.map_or(cores, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    pool.map_err(|error| Error::refused(format_args!("cannot start the threads: {error}")))?;
    let space = Space::of(&verb.puzzle, verb.options.turns()).map_err(Error::refused)?;
    let name = space.name.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let folder = verb.options.folder()?.join(format!("layers-{name}"));
    let cancel = cancel.clone();
    let options = LayerOptions { folder: Some(folder.clone()), name: space.name, cancel };
    let (first, mut printed, mut depth) = (comm.rank() == 0, Ok(()), 0);
    let layers = count_layers(comm, &*space.abstraction, &options, &mut |at, count| {
        depth = at;
        if first && printed.is_ok() {
            printed = match verb.format {
                Format::Text => print(&format_args!("{at} {count}")),
                Format::Json => print(&line(at, json!({"depth": at, "count": count}))),
            };
        }
    });
    let layers = match layers {
        Ok(layers) => layers,
        // Rank 0 speaks for all, but a rank whose disk fails.
        Err(LayersError::Cancelled | LayersError::Elsewhere | LayersError::Weighted) if !first => {
            return Ok(Exit::Done);
        }
        Err(LayersError::Cancelled) => {
            eprintln!("fewest-cluster: cancelled behind layer {depth}");
            return Ok(Exit::NotSolved);
        }
        Err(LayersError::Weighted) => return Err(Error::refused(LayersError::Weighted)),
        Err(error) => return Err(Error { exit: Exit::File, message: error.to_string() }),
    };
    if !first {
        return Ok(Exit::Done);
    }
    printed?;
    // A count that has its answer needs no checkpoint. What remains is only bytes.
    let _ = std::fs::remove_dir_all(&folder);
    let (states, diameter) = (layers.iter().sum::<u64>(), layers.len() - 1);
    let sum: f64 = (0..).zip(&layers).map(|(at, &count)| f64::from(at) * count as f64).sum();
    let mean = sum / states as f64;
    match verb.format {
        Format::Text => {
            print(&format_args!("{states} states, none farther than {diameter}, mean {mean:.6}"))?
        }
        Format::Json => print(&json!({"type": "summary", "states": states, "diameter": diameter,
                                      "mean": mean, "ranks": comm.size()}))?,
    }
    Ok(Exit::Done)
}

/// A line about a layer. The first one has the version.
fn line(depth: usize, mut object: serde_json::Value) -> serde_json::Value {
    object["type"] = json!("gods-algorithm");
    if depth == 0 {
        object["version"] = json!(1);
    }
    object
}
