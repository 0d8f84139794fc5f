//! `fewest statistics`: how long the optimal plans of many states are.

use super::{json, new_file, run, written};
use serde_json::Value;

/// The counts of a run by length, and its summary.
fn counts(args: &[&str]) -> (Vec<(u64, u64)>, Value) {
    let ran = run(&[args, &["--format", "json"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let mut lines = json(&ran.out);
    let summary = lines.pop().expect("a summary");
    assert_eq!(summary["type"], "summary");
    let number = |line: &Value, key: &str| line[key].as_u64().expect("a number");
    (lines.iter().map(|line| (number(line, "length"), number(line, "count"))).collect(), summary)
}

#[test]
fn random_states_count_once_and_journals_go_on() {
    let (_folder, journal) = new_file("crosses");
    let journal = journal.as_str();
    let base = ["statistics", "3x3x3", "--goal", "cross", "--seed", "4"];
    let (all, summary) = counts(&[&base[..], &["-n", "300"]].concat());
    assert_eq!(all.iter().map(|(_, count)| count).sum::<u64>(), 300);
    assert_eq!((&summary["states"], &summary["unsolved"]), (&300.into(), &0.into()));
    // The mean of all is 5.8121 (190,080 crosses), and lengths vary by less than one.
    let mean = summary["mean"].as_f64().expect("a mean");
    assert!((mean - 5.8121).abs() < 0.3, "{mean}");
    assert!(summary["standard_error"].as_f64().expect("an error") < 0.1, "{summary}");
    assert!(summary["generated"]["median"].as_f64().expect("nodes") > 0.0, "{summary}");
    let kept = |count: &str, seed: &[&str]| {
        let goal = ["statistics", "3x3x3", "--goal", "cross", "--journal", journal, "-n", count];
        counts(&[&goal[..], seed].concat())
    };
    let (some, _) = kept("120", &["--seed", "4", "-t", "2"]);
    assert_eq!(some.iter().map(|(_, count)| count).sum::<u64>(), 120);
    // The seed is kept, too.
    let (again, summary) = kept("300", &[]);
    assert_eq!((again, &summary["seed"]), (all, &4.into()));
    for (other, what) in [
        (["--goal", "eo:FB", "--seed", "4"], "its goal is \"cross\""),
        (["--goal", "cross", "--seed", "5"], "its seed is 4"),
    ] {
        let ran = run(&[&["statistics", "3x3x3", "--journal", journal][..], &other].concat());
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains(what), "{}", ran.err);
    }
}

#[test]
fn all_states_are_those_of_gods_algorithm() {
    let (all, summary) = counts(&["statistics", "pyraminx", "--all-states"]);
    let counted = run(&["gods-algorithm", "pyraminx", "--format", "json"]);
    let mut layers = json(&counted.out);
    let end = layers.pop().expect("a summary");
    assert_eq!(all.len(), layers.len());
    for ((length, count), layer) in all.into_iter().zip(layers) {
        assert_eq!((layer["depth"].as_u64(), layer["count"].as_u64()), (Some(length), Some(count)));
    }
    assert_eq!((&summary["mean"], &summary["states"]), (&end["mean"], &end["states"]));
}

#[test]
fn states_of_a_file_count_and_limits_are_told() {
    let (_folder, file) = written("states", "U\n# none\nU L\nR B L\n");
    let csv = run(&["statistics", "pyraminx", "--file", &file, "--format", "csv"]);
    assert_eq!(
        csv.out,
        "length,count,share\n1,1,0.3333333333333333\n2,1,0.3333333333333333\n\
                         3,1,0.3333333333333333\n",
        "{}",
        csv.err
    );
    let text = run(&["statistics", "pyraminx", "-n", "20", "--seed", "1", "--max-bound", "3"]);
    assert!(text.out.contains("20 states, 20 of them without a proven plan"), "{}", text.out);
    // The states before a wrong one count.
    let (_folder, file) = written("wrong", "U\nU L\nQ\nL\n");
    let ran = run(&["statistics", "pyraminx", "--file", &file]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("line 3: ") && ran.out.contains("2 states"), "{}{}", ran.out, ran.err);
    // A journal that cannot be written is told before the work.
    for journal in ["/no/such/folder/journal", "/dev/full"] {
        let ran = run(&["statistics", "pyraminx", "-n", "5", "--journal", journal, "--seed", "1"]);
        assert!(ran.code == 3 && ran.out.is_empty(), "{}", ran.err);
        assert!(ran.err.contains(journal) && ran.err.lines().count() == 1, "{}", ran.err);
    }
    let refused = run(&["statistics", "pyraminx", "--file", "no-such-file"]);
    assert_eq!(refused.code, 2, "{}", refused.err);
}

/// The bytes of a certificate of all states are the counts of the verb, and the file is new.
#[test]
fn gods_algorithm_writes_the_distance_of_every_state() {
    let folder = tempfile::tempdir().expect("a folder");
    for (number, puzzle) in ["2x3-tiles", "ivy-cube", "pyramorphix"].into_iter().enumerate() {
        let path = folder.path().join(number.to_string());
        let text = path.display().to_string();
        let arguments = ["gods-algorithm", puzzle, "--certificate", &text, "--format", "json"];
        let ran = run(&arguments);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.err.contains(&format!("`fewest-check {text}` checks it")), "{}", ran.err);
        let mut layers = json(&ran.out);
        layers.pop();
        let file = std::fs::read(&path).expect("a file");
        let start = file.windows(9).position(|part| part == b"\nentries ").expect("a line") + 1;
        let end = start + file[start..].iter().position(|&byte| byte == b'\n').expect("an end");
        let lines = std::str::from_utf8(&file[..end]).expect("lines");
        assert!(lines.starts_with(&format!("fewest-distances 1\nabout puzzle {puzzle}\n")));
        let (bytes, entries) = (&file[end + 1..], lines.rsplit(' ').next().expect("a number"));
        assert_eq!(bytes.len().to_string(), entries);
        for (depth, layer) in layers.iter().enumerate() {
            let count = bytes.iter().filter(|&&byte| usize::from(byte) == depth).count() as u64;
            assert_eq!(layer["count"].as_u64(), Some(count), "{puzzle} {depth}");
        }
        let ran = run(&arguments);
        assert_eq!((ran.code, &ran.out[..]), (2, ""), "{}", ran.err);
        assert!(ran.err.contains("the file exists"), "{}", ran.err);
    }
    let (_folder, file) = written("some", "");
    std::fs::remove_file(&file).expect("removed");
    let ran = run(&["gods-algorithm", "square-1", "--certificate", &file]);
    assert_eq!((ran.code, &ran.out[..]), (2, ""), "{}", ran.err);
    assert!(ran.err.contains("it has rules about moves or states"), "{}", ran.err);
    let ran = run(&["gods-algorithm", "2x2x2", "--memory", "3MB", "--certificate", &file]);
    assert_ne!(ran.code, 0, "{}", ran.err);
    assert!(!std::path::Path::new(&file).exists());
}
