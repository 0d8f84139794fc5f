//! `fewest statistics`: how long the optimal plans of many states are.

use super::bars;
use super::ctrl_c::{Interrupt, at_once};
use super::files::write_file;
use super::input::InputState;
use super::scramble::drawn_seed;
use super::states::all_instances;
use super::verbs;
use fewest::{
    Chart, Failure, GoalChoice, Puzzle, Request, Settings, Spread, Statistics, configure, grouped,
};
use fewest_terminal::{Error, Exit, Output, note};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

const COLUMNS: &str = "length count share";

/// The time between two writes of a journal.
const PAUSE: Duration = Duration::from_secs(5);

/// The version of journals.
const VERSION: u32 = 1;

/// The most bytes of a journal. One has some hundred lengths and classes.
const LONGEST: u64 = 16 << 20;

/// What a journal keeps.
#[derive(Serialize, Deserialize)]
struct Kept {
    statistics: u32,
    /// What the counts depend on.
    of: Value,
    seed: Option<u64>,
    known: Statistics,
}

pub(super) fn run(verb: &verbs::Statistics, interrupt: &Interrupt) -> Result<Exit, Error> {
    verb.plot.check()?;
    let args = &verb.guided.args;
    let settings = verb.guided.parts().settings()?;
    let puzzle = at_once(|| configure(&args.puzzle, &settings))?;
    let meter = args.work.meter();
    let request = verb.limits.request().watch(&meter).cancel(interrupt.cancel.clone());
    if verb.all_states {
        let known = all_states(&*puzzle, &request)?;
        meter.clear();
        print(verb, &*puzzle, &known, &json!({}))?;
        return Ok(meter.exit());
    }
    let (given, wanted) = given(verb, &*puzzle)?;
    let Kept { of, seed, known: before, .. } = begin(verb, &settings, (&*puzzle, &given))?;
    if let (Some(seed), None, false) = (seed, verb.seed, args.work.progress.quiet) {
        note(format_args!("seed {seed}"));
    }
    let save = |known: &Statistics| {
        let Some(file) = &verb.journal else { return Ok(()) };
        let kept = Kept { statistics: VERSION, of: of.clone(), seed, known: known.clone() };
        write_file(file, &format!("{}\n", json!(kept)))
    };
    // A journal that cannot be written is told before the work.
    save(&before)?;
    let drawn: Box<dyn Iterator<Item = String> + '_> = match (&given, seed) {
        (Some(given), _) => Box::new(given.iter().map(|given| given.text.clone())),
        (None, seed) => {
            let missing = || Error::lacks(&*puzzle, "no random states are drawn: expected --file");
            let scrambler = puzzle.scrambler().ok_or_else(missing)?;
            scrambler.scrambles(seed.unwrap_or_default())
        }
    };
    let skipped = usize::try_from(before.states()).unwrap_or(usize::MAX);
    let mut drawn = drawn.take(wanted).skip(skipped);
    let mut last = Instant::now();
    let mut tell = |known: &Statistics| {
        if last.elapsed() > PAUSE {
            // If this fails, the next one may succeed. The end tells.
            let _ = save(known);
            last = Instant::now();
        }
    };
    let before = (before, wanted.saturating_sub(skipped));
    let (known, ended) = fewest::statistics(&*puzzle, &mut drawn, before, &request, &mut tell);
    meter.clear();
    // A reader that went away must not cost the counts.
    let saved = save(&known);
    print(verb, &*puzzle, &known, &json!({"seed": seed}))?;
    saved?;
    match ended {
        Err(Failure::Cancelled) => Ok(Exit::NotSolved),
        Err(failure) => {
            let error = Error::from(failure);
            let number = usize::try_from(known.states()).unwrap_or(usize::MAX);
            let place = given.as_ref().and_then(|given| Some(given.get(number)?.place()));
            let message = format!("{}{}", place.unwrap_or_default(), error.message);
            Err(Error { message, ..error })
        }
        Ok(()) => Ok(meter.exit()),
    }
}

/// The states of the file, if there is one, and how many states are wanted.
///
/// # Errors
/// If the file cannot be read, or has a line that is no text.
fn given(
    verb: &verbs::Statistics,
    puzzle: &dyn Puzzle,
) -> Result<(Option<Vec<InputState>>, usize), Error> {
    let Some(file) = &verb.file else {
        return Ok((None, usize::try_from(verb.count).unwrap_or(usize::MAX)));
    };
    let all = all_instances(file, puzzle, None)?;
    if let Some((given, wrong)) = all.iter().find_map(|given| Some((given, given.wrong.as_ref()?)))
    {
        return Err(Error::refused(format_args!("{}{wrong}", given.place())));
    }
    let count = all.len();
    Ok((Some(all), count))
}

/// What is known when the work begins: nothing, or what the journal says.
fn begin(
    verb: &verbs::Statistics,
    settings: &Settings,
    (puzzle, given): (&dyn Puzzle, &Option<Vec<InputState>>),
) -> Result<Kept, Error> {
    let (info, request) = (puzzle.info(), verb.limits.request());
    let goal = match &settings.goal {
        GoalChoice::State(goal) => goal,
        _ => "solved",
    };
    let states = given.as_ref().map(|given| {
        let texts: Vec<&str> = given.iter().map(|given| given.text.as_str()).collect();
        format!(
            "{} with the checksum {:08x}",
            texts.len(),
            crc32fast::hash(texts.join("\n").as_bytes())
        )
    });
    let of = json!({
        "puzzle": info.name,
        "definition": info.definition,
        "metric": info.metric.map(|metric| metric.to_string()),
        "goal": goal,
        "moves": settings.moves,
        "cost": settings.cost,
        "heuristic": settings.heuristic.name(),
        "states": states,
        "limit_nodes": request.limits.nodes,
        "limit_time": request.limits.time.map(|time| time.as_secs_f64()),
        "deadline": request.deadline.map(|time| time.as_secs_f64()),
        "max_bound": request.limits.bound,
    });
    let seed = given.is_none().then(|| verb.seed.unwrap_or_else(drawn_seed));
    // A device has nothing to go on from, and its text may have no end.
    let Some(file) = verb.journal.as_deref().filter(|file| file.is_file()) else {
        return Ok(Kept { statistics: VERSION, of, seed, known: Statistics::default() });
    };
    let kept = at_once(|| read(file))?;
    let other = |what: &str, own: &Value, here: &Value| {
        Err(Error::refused(format_args!(
            "{} counts other states: its {what} is {own}, and here it is {here}",
            file.display()
        )))
    };
    let mut keys = of.as_object().into_iter().flatten();
    if let Some((key, here)) = keys.find(|(key, here)| kept.of[key.as_str()] != **here) {
        return other(key, &kept.of[key.as_str()], here);
    }
    match (kept.seed, verb.seed) {
        (Some(own), Some(seed)) if own != seed => other("seed", &json!(own), &json!(seed)),
        _ => Ok(kept),
    }
}

fn read(file: &Path) -> Result<Kept, Error> {
    let wrong = |error: &dyn std::fmt::Display| {
        Error::refused(format_args!("{} is no journal of counts: {error}", file.display()))
    };
    if file.metadata().is_ok_and(|file| file.len() > LONGEST) {
        return Err(wrong(&"it is longer than any"));
    }
    let text = std::fs::read_to_string(file).map_err(|error| wrong(&error))?;
    let kept: Kept = serde_json::from_str(&text).map_err(|error| wrong(&error))?;
    match kept.statistics {
        VERSION => Ok(kept),
        other => Err(wrong(&format_args!("version {other}, expected {VERSION}"))),
    }
}

/// The distances of all states.
fn all_states(puzzle: &dyn Puzzle, request: &Request<'_>) -> Result<Statistics, Error> {
    let missing = || Error::lacks(puzzle, "not all states are counted: expected --count");
    let exhaustive = puzzle.exhaustive().ok_or_else(missing)?;
    let (mut known, mut too_many) = (Statistics::default(), false);
    exhaustive.count_all(0, request, &mut |depth, count| {
        let count = u64::try_from(count);
        too_many |= count.is_err();
        known.costs.insert(depth as u64, count.unwrap_or(u64::MAX));
    })?;
    match too_many {
        true => Err(Error::refused("more than 2^64 states have one distance")),
        false => Ok(known),
    }
}

/// The quantities of a spread.
fn spread(spread: &Spread, scale: f64) -> Value {
    let at = |percent: u8| spread.percentile(percent).map(|value| value as f64 / scale);
    json!({
        "mean": spread.mean().map(|mean| mean / scale),
        "median": at(50),
        "percentile_90": at(90),
        "percentile_99": at(99),
        "greatest": spread.greatest() as f64 / scale,
    })
}

/// Prints the counts, and draws them.
fn print(
    verb: &verbs::Statistics,
    puzzle: &dyn Puzzle,
    known: &Statistics,
    with: &Value,
) -> Result<(), Error> {
    let mut output = Output::new(verb.guided.args.work.output.format, "statistics", COLUMNS);
    output.header()?;
    let solved = known.solved_states();
    let greatest = known.costs.values().copied().max().unwrap_or(0);
    for (&length, &count) in &known.costs {
        let share = count as f64 / solved as f64;
        output.line(
            || json!({"length": length, "count": count, "share": share}),
            || {
                let mut text =
                    format!("{length:>4} {:>15} {:>8.4}%", grouped(count), 100.0 * share);
                if bars::wanted() {
                    let _ = write!(text, " {}", bars::bar(count.into(), greatest.into()));
                }
                text
            },
        )?;
    }
    let name = &puzzle.info().name;
    output.summary(
        || {
            let mut summary = json!({
                "puzzle": name, "states": known.states(), "unsolved": known.unsolved,
                "mean": known.mean(), "standard_error": known.standard_error(),
                "median": known.percentile(50), "percentile_90": known.percentile(90),
                "percentile_99": known.percentile(99),
                "greatest": known.costs.keys().next_back(),
            });
            if known.nodes.mean().is_some() {
                summary["generated"] = spread(&known.nodes, 1.0);
                summary["seconds"] = spread(&known.micros, 1e6);
            }
            if let (Some(summary), Some(with)) = (summary.as_object_mut(), with.as_object()) {
                summary.extend(with.clone());
            }
            summary
        },
        || summary_text(known),
    )?;
    verb.plot.draw(|| {
        let end = known.costs.keys().next_back().map_or(0, |&last| last + 1);
        let heights = (0..end.min(1000)).map(|length| {
            let count = known.costs.get(&length).copied().unwrap_or(0);
            100.0 * count as f64 / solved.max(1) as f64
        });
        let goal = verb.guided.args.metric.goal.as_deref().unwrap_or("solved");
        let title = format!("{name}, {goal}: {} states", grouped(solved));
        Chart::new(title, "moves", "states in per cent").with_heights("states", heights)
    })
}

fn summary_text(known: &Statistics) -> String {
    let mut text = format!("{} states", grouped(known.states()));
    if known.unsolved > 0 {
        let _ = write!(text, ", {} of them without a proven plan", grouped(known.unsolved));
    }
    let (Some(mean), Some(last)) = (known.mean(), known.costs.keys().next_back()) else {
        return text;
    };
    let _ = write!(text, ": mean {mean:.4}");
    // All states have no error, and took no searches.
    let searched = known.nodes.mean().is_some();
    if let Some(error) = known.standard_error().filter(|_| searched) {
        let _ = write!(text, " (standard error {error:.4})");
    }
    let at = |percent: u8| known.percentile(percent).unwrap_or(0);
    let _ = write!(
        text,
        ", median {}, 90% within {}, 99% within {}, greatest {last}",
        at(50),
        at(90),
        at(99)
    );
    if searched {
        let nodes = |percent: u8| grouped(known.nodes.percentile(percent).unwrap_or(0));
        let millis =
            |percent: u8| known.micros.percentile(percent).map_or(0.0, |time| time as f64 / 1000.0);
        let _ = write!(
            text,
            "\nnodes: median {}, 90% {}, 99% {}; milliseconds: {:.2}, {:.2}, {:.2}",
            nodes(50),
            nodes(90),
            nodes(99),
            millis(50),
            millis(90),
            millis(99)
        );
    }
    text
}
