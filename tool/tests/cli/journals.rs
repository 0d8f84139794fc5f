//! Searches that are killed, resumed, shared and joined. The oracle is an unbroken search without a
//! journal.

use super::{fewest, json, pinned, run};
use fewest::search::random::Random;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

/// A search as arguments of `solve`.
type Search<'a> = &'a [&'a str];

/// Korf's board 20: 18 million nodes.
const SMALL_BOARD: Search<'static> =
    &["15-puzzle", "6 12 11 3 13 7 9 15 2 14 8 10 4 1 5 0", "--heuristic", "manhattan"];
/// Korf's board 1: 276 million nodes.
const BOARD: Search<'static> =
    &["15-puzzle", "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", "--heuristic", "manhattan"];
/// Board 38 of Korf and Felner: 40 million nodes, and tables of 0.9 GB.
const LARGE_BOARD: Search<'static> = &[
    "24-puzzle",
    "10 3 24 12 0 7 8 11 14 21 22 23 2 1 9 17 18 6 20 4 13 15 5 19 16",
    "--heuristic",
    "pdb:6-6-6-6",
    "--pruning",
    "inverse",
];
const DEFINITION: Search<'static> = &["pyraminx", "U R' L B U' L R B' L' U", "--heuristic", "none"];
/// States that form no group: `best` reads tables of pieces.
const GOAL: Search<'static> =
    &["3x3x3", "R U2 F' L B2 D R' F2 U L2 D' B", "--goal", "f2l:U", "--memory", "100MB"];
const CUBE: Search<'static> =
    &["3x3x3", "R U2 F' L B2 D R' F2 U L2 B D' R2 F U' L", "--memory", "60MB"];

/// What journals must not change: the cost, the bound, and the counts of complete iterations.
fn essence(answer: &Value) -> Value {
    let complete = |iteration: &&Value| iteration["complete"] == true;
    let iterations: Vec<&Value> =
        answer["iterations"].as_array().expect("a list").iter().filter(complete).collect();
    serde_json::json!([answer["outcome"], answer["cost"], answer["lower_bound"], iterations])
}

fn solve(search: Search<'_>, more: &[&str]) -> (i32, Vec<Value>, String) {
    let ran = run(&[&["solve", "--format", "json"], search, more].concat());
    (ran.code, json(&ran.out), ran.err)
}

/// The essence of an unbroken search without a journal. Cubes climb from table to table without
/// one, so there it is an unbroken search with a journal.
fn unbroken(search: Search<'_>, folder: &Path) -> Value {
    let path = folder.join("unbroken").display().to_string();
    let kept = ["--journal", &path];
    let climbs = search[0] == "3x3x3";
    let (code, answers, errors) = solve(search, if climbs { &kept } else { &[] });
    assert_eq!(code, 0, "{errors}");
    essence(&answers[0])
}

/// Runs a search with a journal, and kills it after a random time, until it ends by itself. Then
/// returns its answer and the number of kills. The times grow, so that it ends on a busy machine,
/// too.
pub(crate) fn killed(
    search: Search<'_>,
    journal: &Path,
    longest: Duration,
    random: &mut Random,
) -> (Value, usize) {
    for kills in 0..200 {
        let threads = ["1", "2", "16"][kills % 3];
        let path = journal.display().to_string();
        let more = ["--journal", &path, "--threads", threads, "--format", "json"];
        let arguments = [&["solve"], search, &more].concat();
        let mut command = fewest(&crate::tables());
        let command = command.args(pinned(&arguments)).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().expect("it runs");
        let longest = u64::try_from(longest.as_micros()).expect("a short time") << (kills / 20);
        std::thread::sleep(Duration::from_micros(random.below(longest)));
        if child.try_wait().expect("a child").is_none() {
            child.kill().expect("a child");
            child.wait().expect("a child");
            continue;
        }
        let output = child.wait_with_output().expect("it ends");
        let text = String::from_utf8(output.stdout).expect("text");
        return (json(&text).remove(0), kills);
    }
    panic!("two hundred kills let the search never end")
}

/// Kills a search with one journal after the other, so many times together. Compares each answer
/// with that of an unbroken search.
#[track_caller]
fn goes_on(search: Search<'_>, longest: Duration, least: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let expected = unbroken(search, folder.path());
    let (mut random, mut all) = (Random::new(7), 0);
    for number in 0.. {
        let journal = folder.path().join(number.to_string());
        let (answer, kills) = killed(search, &journal, longest, &mut random);
        assert_eq!(essence(&answer), expected, "after {kills} kills");
        // A finished journal answers at once.
        let path = journal.display().to_string();
        let ran = run(&["resume", &path, "--format", "json"]);
        assert_eq!((ran.code, essence(&json(&ran.out)[0])), (0, expected.clone()), "{}", ran.err);
        all += kills;
        if all >= least {
            return;
        }
    }
}

#[test]
fn a_killed_search_goes_on() {
    goes_on(SMALL_BOARD, Duration::from_millis(150), 20);
    goes_on(DEFINITION, Duration::from_millis(60), 20);
    goes_on(GOAL, Duration::from_millis(400), 2);
}

#[test]
#[ignore = "slow: a hundred kills each of a long board and a cube, 3 min"]
fn long_searches_are_killed_two_hundred_times() {
    goes_on(BOARD, Duration::from_millis(900), 100);
    goes_on(CUBE, Duration::from_millis(900), 100);
}

#[test]
#[ignore = "slow: builds tables of 0.9 GB, then a hundred kills of one board, 3 min"]
fn a_search_with_large_tables_is_killed_a_hundred_times() {
    goes_on(LARGE_BOARD, Duration::from_millis(1500), 100);
    shared(LARGE_BOARD, 7, 1);
}

/// Searches each share of every bound on its own, and joins them, until there is an answer. At
/// least so many bounds must be shared.
#[track_caller]
fn shared(search: Search<'_>, shares: usize, bounds: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let expected = unbroken(search, folder.path());
    let text = |path: &Path| path.display().to_string();
    let mut joined: Option<PathBuf> = None;
    for round in 0..20 {
        let mut journals = Vec::new();
        for number in 1..=shares {
            let journal = folder.path().join(format!("{round}-{number}"));
            if let Some(joined) = &joined {
                std::fs::copy(joined, &journal).expect("a copy");
            }
            let (path, share) = (text(&journal), format!("{number}/{shares}"));
            let (_, answers, errors) = solve(search, &["--journal", &path, "--shard", &share]);
            let ended = answers[0]["outcome"] == "solved" || errors.contains("is searched");
            assert!(ended, "{errors}");
            journals.push(path);
        }
        let whole = folder.path().join(format!("{round}-joined"));
        let path = text(&whole);
        let merge = |journals: &[String], more: &[&str]| {
            let journals: Vec<&str> = journals.iter().map(String::as_str).collect();
            run(&[&["merge", "--format", "json"], &journals[..], more].concat())
        };
        let part = json(&merge(&journals[1..], &[]).out).remove(0);
        let ran = merge(&journals, &["--output", &path]);
        let all = json(&ran.out).remove(0);
        assert_eq!((ran.code, &all["missing"]), (0, &0.into()), "{}", ran.err);
        if all["plans"] == 0 {
            let missing = part["missing"].as_u64().expect("a number");
            let units = all["units"].as_u64().expect("a number");
            assert_eq!(missing, units.div_ceil(shares as u64));
            joined = Some(whole);
            continue;
        }
        let (code, answers, errors) = solve(search, &["--journal", &path]);
        assert_eq!((code, essence(&answers[0])), (0, expected), "{errors}");
        assert!(round + 1 >= bounds, "{} shared bounds", round + 1);
        return;
    }
    panic!("no plan in 20 rounds");
}

#[test]
#[ignore = "slow: 276 million nodes in seven shares, 1 min"]
fn seven_shares_of_a_board_are_joined() {
    shared(BOARD, 7, 2);
}

#[test]
fn three_shares_of_a_definition_are_joined() {
    shared(&["pyraminx", "U R' L B U' L R B' L' U R", "--heuristic", "none"], 3, 1);
}

/// Runs the shell commands of a page for each share of two bounds, with the tool in the path. The
/// shares of the first bound are joined, and the second bound has the plan.
#[track_caller]
fn run_shares(
    (page, script): (&str, &str),
    shares: usize,
    variables: &dyn Fn(usize) -> Vec<(&'static str, String)>,
) {
    let folder = tempfile::tempdir().expect("a folder");
    let program = Path::new(env!("CARGO_BIN_EXE_fewest")).parent().expect("a folder");
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let shell = |script: &str, variables: Vec<(&'static str, String)>| {
        let mut command = std::process::Command::new("bash");
        command.args(["-euc", script]).current_dir(folder.path()).env("PATH", &path);
        command.env("FEWEST_TABLES", crate::tables()).envs(variables);
        let output = command.output().expect("a shell");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (out, errors) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{errors}");
        (out, errors)
    };
    let mut lines = page.lines().filter_map(|line| line.strip_prefix("#     "));
    let join = lines.next().expect("the command that joins the shares");
    for (bound, found) in [(48, "without a plan"), (50, "has the plans")] {
        for number in 0..shares {
            let (answer, errors) = shell(script, variables(number));
            let searched = errors.contains(&format!("of bound {bound} is searched"));
            assert!(answer.contains("optimal") || searched, "share {number}: {errors}");
        }
        let (joined, _) = shell(join, Vec::new());
        assert!(joined.contains(&format!("bound {bound} ")) && joined.contains(found), "{joined}");
    }
}

#[test]
fn the_scripts_of_the_docs_work() {
    let slurm = include_str!("../../../docs/long/slurm.sh");
    run_shares((slurm, slurm), 7, &|number| {
        let number = (number + 1).to_string();
        vec![("SLURM_ARRAY_TASK_ID", number), ("SLURM_ARRAY_TASK_COUNT", "7".to_owned())]
    });
    let kubernetes = include_str!("../../../docs/long/kubernetes.yaml");
    let (_, block) = kubernetes.split_once("            - |\n").expect("a block");
    let lines = block.lines().map_while(|line| line.strip_prefix("              "));
    let script = lines.collect::<Vec<_>>().join("\n");
    assert!(script.contains("fewest solve"), "{script}");
    run_shares((kubernetes, &script), 7, &|number| {
        vec![("JOB_COMPLETION_INDEX", number.to_string())]
    });
}

#[test]
fn another_run_is_refused_by_what_differs() {
    let (_folder, path) = crate::new_file("journal");
    let kept = ["--journal", &path];
    let [puzzle, board, ..] = SMALL_BOARD else { panic!("a puzzle and a board") };
    assert_eq!(solve(SMALL_BOARD, &kept).0, 0);
    let other = "12 6 3 11 13 7 9 15 2 14 8 10 4 1 5 0";
    for (search, fact) in [
        (&[*puzzle, other, "--heuristic", "manhattan"][..], "its state is"),
        (&[*puzzle, *board, "--heuristic", "linear-conflict"], "its heuristic is"),
        (&[*puzzle, *board, "--heuristic", "manhattan", "--pruning", "inverse"], "its pruning is"),
        (&[*puzzle, *board, "--heuristic", "manhattan", "--count", "2"], "its plans is"),
    ] {
        let (code, answers, errors) = solve(search, &kept);
        assert_eq!((code, answers.len()), (2, 0), "{errors}");
        assert!(errors.contains(fact), "{errors}");
    }
    std::fs::write(&path, "no journal\n").expect("a file");
    let (code, _, errors) = solve(SMALL_BOARD, &kept);
    assert_eq!(code, 2);
    assert!(errors.contains("line 1: expected a journal"), "{errors}");
    let ran = run(&["resume", "no/such/journal"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("could not read it"), "{}", ran.err);
}

/// A bound that another journal proved is taken over for the same state only, and is said.
#[test]
fn a_bound_is_taken_from_another_heuristic() {
    let (folder, path) = crate::new_file("journal");
    let (code, _, _) = solve(SMALL_BOARD, &["--journal", &path, "--max-bound", "46"]);
    assert_eq!(code, 1);
    let board = SMALL_BOARD[1];
    let from = ["--heuristic", "linear-conflict", "--lower-bound-from", &path];
    let (code, answers, errors) = solve(&["15-puzzle", board], &from);
    assert_eq!((code, &answers[0]["length"]), (0, &52.into()), "{errors}");
    assert_eq!(answers[0]["lower_bound_from"], path.as_str());
    // Bound 46 is complete without a plan, and all plans have one parity.
    assert!(errors.contains("No plan costs less than 48"), "{errors}");
    let bounds = answers[0]["iterations"].as_array().expect("a list");
    assert_eq!(bounds[0]["bound"], 48);
    // A search that passes over plans proves nothing about all of them.
    for (number, more) in [["--min-length", "56"], ["--slack", "2"]].iter().enumerate() {
        let path = folder.path().join(number.to_string()).display().to_string();
        let kept = [&more[..], &["--count", "1", "--limit-nodes", "2000", "--journal", &path]];
        assert_eq!(solve(SMALL_BOARD, &kept.concat()).0, 1);
        let from = ["--heuristic", "linear-conflict", "--lower-bound-from", &path];
        let (code, answers, errors) = solve(&["15-puzzle", board], &from);
        assert_eq!((code, answers.len()), (2, 0), "{errors}");
        assert!(errors.contains("proves no bound"), "{errors}");
        let status = run(&["status", &path, "--format", "json"]);
        assert_eq!(json(&status.out)[0]["lower_bound"], 0);
    }
    let other = "1 2 3 7 4 5 6 0 8 9 10 11 12 13 14 15";
    let (code, _, errors) = solve(&["15-puzzle", other], &from);
    assert_eq!(code, 2);
    assert!(errors.contains("its state is"), "{errors}");
}

#[test]
fn the_status_tells_bounds_units_and_nodes() {
    let (folder, path) = crate::new_file("journal");
    let (_, answers, _) = solve(SMALL_BOARD, &["--journal", &path, "--limit-nodes", "3000000"]);
    assert_eq!(answers[0]["outcome"], "limit-reached");
    let plot = folder.path().join("progress.svg").display().to_string();
    let ran = run(&["status", &path, "--format", "json", "--plot", &plot]);
    let status = json(&ran.out).remove(0);
    assert_eq!(status["lower_bound"], answers[0]["lower_bound"]);
    let bounds = status["bounds"].as_array().expect("a list");
    for (bound, iteration) in bounds.iter().zip(answers[0]["iterations"].as_array().unwrap()) {
        assert_eq!(
            (&bound["bound"], &bound["complete"]),
            (&iteration["bound"], &iteration["complete"])
        );
        if bound["complete"] == true {
            assert_eq!(bound["generated"], iteration["generated"]);
        }
    }
    assert!(std::fs::read_to_string(plot).expect("a figure").starts_with("<svg"));
    let text = run(&["status", &path]).out;
    assert!(text.contains("bound 36: ") && text.contains(" units, "), "{text}");
    assert!(text.contains("(proven)") && !text.contains("ended"), "{text}");
    assert_eq!((&status["ended"], &status["cost"]), (&false.into(), &Value::Null));
    // A bound that is complete without a plan proves the next one.
    let whole = ["--journal", &path, "--max-bound", "48"];
    let (_, answers, _) = solve(SMALL_BOARD, &whole);
    let status = json(&run(&["status", &path, "--format", "json"]).out).remove(0);
    assert_eq!((&status["lower_bound"], &answers[0]["lower_bound"]), (&50.into(), &50.into()));
    assert_eq!(status["ended"], false);
    // A run that ended says so.
    assert_eq!(solve(SMALL_BOARD, &["--journal", &path]).0, 0);
    let status = json(&run(&["status", &path, "--format", "json"]).out).remove(0);
    assert_eq!(status["lower_bound"], 52);
    assert_eq!((&status["ended"], &status["cost"]), (&true.into(), &52.into()));
    let text = run(&["status", &path]).out;
    let expected = "ended: at least 52 (proven), and a plan within 52 is recorded (not replayed)";
    assert!(text.contains(expected), "{text}");
}

/// Forgers compute checksums. A plan that does not solve the state is a fault of the journal.
#[test]
fn a_forged_plan_is_a_fault_of_the_journal() {
    let (_folder, path) = crate::new_file("journal");
    assert_eq!(solve(SMALL_BOARD, &["--journal", &path]).0, 0);
    let text = std::fs::read_to_string(&path).expect("a journal");
    let sum = |text: &str, seed: u32| {
        let mut hasher = crc32fast::Hasher::new_with_initial(seed);
        hasher.update(text.as_bytes());
        hasher.finalize()
    };
    let body = |line: &str| line.rsplit_once(' ').expect("a checksum").0.to_owned();
    let (first, rest) = text.split_once('\n').expect("a line");
    let seed = sum(&body(first), 0);
    let edits: [fn(&str) -> String; 2] =
        [|plan| plan.replace("0.", "1."), |plan| format!("{plan}.0.3")];
    for edit in edits {
        let forged = rest.lines().map(|line| match body(line) {
            plan if plan.starts_with("plan ") => {
                let plan = edit(&plan);
                format!("{plan} {:08x}\n", sum(&plan, seed))
            }
            _ => format!("{line}\n"),
        });
        let forged: String = forged.collect();
        assert_ne!(forged, rest);
        std::fs::write(&path, format!("{first}\n{forged}")).expect("written");
        let ran = run(&["resume", &path]);
        assert_eq!(ran.code, 3, "{}", ran.err);
        assert!(ran.err.contains("has a plan that does not solve the state"), "{}", ran.err);
        assert_eq!(ran.out, "");
    }
}

/// A loss of power may tear the first line. No result is behind it.
#[test]
fn a_torn_first_line_begins_anew() {
    let (_folder, path) = crate::new_file("journal");
    for begin in ["", "fewest-jour", "fewest-journal 1 {\"command\":{\"heur\0\0\0"] {
        std::fs::write(&path, begin).expect("written");
        let ran = run(&["status", &path]);
        assert_eq!(ran.code, 3, "{}", ran.err);
        assert!(ran.err.contains("it holds nothing"), "{}", ran.err);
        let (code, _, errors) = solve(SMALL_BOARD, &["--journal", &path]);
        assert_eq!(code, 0, "{errors}");
        assert!(errors.contains("The search begins it anew"), "{errors}");
        assert!(run(&["status", &path]).out.contains("bound 46: 151,814 nodes"));
    }
}

/// The 2x2x2 is solved without units, so its journal keeps nothing, and says so.
#[test]
fn a_search_without_units_keeps_nothing() {
    let (_folder, path) = crate::new_file("journal");
    let (code, _, errors) = solve(&["2x2x2", "R U2 F' R U' F R2 U F'"], &["--journal", &path]);
    assert_eq!(code, 0, "{errors}");
    assert!(errors.contains("there is nothing to keep"), "{errors}");
    let status = run(&["status", &path]);
    assert!(status.out.contains("no bound has units yet"), "{}", status.out);
    assert_eq!(run(&["resume", &path]).code, 0);
}

/// A search up to a small bound still knows what the journal proves.
#[test]
fn a_small_bound_takes_nothing_back() {
    let (_folder, path) = crate::new_file("journal");
    for most in ["44", "40"] {
        let (_, answers, _) = solve(SMALL_BOARD, &["--journal", &path, "--max-bound", most]);
        assert_eq!(answers[0]["lower_bound"], 46, "--max-bound {most}");
    }
}

#[test]
fn a_journal_of_all_plans_is_told_as_that() {
    let (_folder, path) = crate::new_file("journal");
    assert_eq!(solve(DEFINITION, &["--journal", &path, "--all"]).0, 0);
    let (code, _, errors) = solve(DEFINITION, &["--journal", &path]);
    assert!(code == 2 && errors.contains("its plans is \"all\", this run's is \"1\""), "{errors}");
}

/// A journal goes on from any folder, and a certificate is checked there.
#[test]
fn the_path_of_a_definition_is_kept_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let own = folder.path().join("own.tws");
    std::fs::copy(crate::definition("pyraminx.tws"), own).expect("copied");
    for (option, verb) in [("--journal", "resume"), ("--certificate", "certify")] {
        let path = folder.path().join(verb);
        let fewest = |words: &[&str], at: &Path| {
            let mut command = fewest(&crate::tables());
            let ran = command.args(words).arg(&path).current_dir(at).output().expect("it runs");
            (ran.status.code(), String::from_utf8_lossy(&ran.stderr).into_owned())
        };
        let solve = ["solve", "own.tws", "U R' L B U' L R B' L'", "-H", "none", option];
        for (words, at) in [(&solve[..], folder.path()), (&[verb], Path::new("/"))] {
            let (code, errors) = fewest(words, at);
            assert_eq!(code, Some(0), "{verb}: {errors}");
        }
    }
}
