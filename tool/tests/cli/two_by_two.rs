//! The command-line tool on the 2x2x2: published counts, plans for the puzzle as it is held, and
//! errors.

use super::{json, run, run_with_input};
use serde_json::Value;

const HALF_TURNS: [u64; 12] =
    [1, 9, 54, 321, 1847, 9992, 50136, 227_536, 870_072, 1_887_748, 623_800, 2644];
const QUARTER_TURNS: [u64; 15] = [
    1, 6, 27, 120, 534, 2256, 8969, 33058, 114_149, 360_508, 930_588, 1_350_852, 782_536, 90280,
    276,
];

fn number(value: &Value) -> f64 {
    value.to_string().parse().expect("a number")
}

#[test]
fn the_table_has_the_histogram_of_the_literature() {
    for (metric, counts, mean) in
        [("htm", &HALF_TURNS[..], 8.755_576), ("qtm", &QUARTER_TURNS, 10.666_386)]
    {
        let options = ["--metric", metric, "--heuristic", "table", "--format", "json"];
        let ran = run(&[&["histogram", "2x2x2"][..], &options].concat());
        let table = &json(&ran.out)[0];
        assert_eq!(table["counts"], serde_json::json!(counts));
        assert_eq!(
            (&table["entries"], &table["bytes"], &table["max"]),
            (&3_674_160.into(), &918_540.into(), &(counts.len() - 1).into())
        );
        assert!((number(&table["mean"]) - mean).abs() < 5e-7, "{table}");
        let depth = counts.len().to_string();
        let count = ["count", "2x2x2", "--states", "--depth", &depth, "--metric", metric];
        let lines = (0..).zip(counts).map(|(depth, count)| format!("{depth} {count}\n"));
        assert_eq!(run(&count).out, format!("{}{depth} 0\n", lines.collect::<String>()));
    }
}

#[test]
fn a_plan_applies_to_the_puzzle_as_it_is_held() {
    let folder = tempfile::tempdir().expect("a folder");
    let input = "R U2 F'\nx y R L' D B2\nBDULBBRDFURUDFDLRLFFRUBL\nUUUU RRRR FFFF DDDD LLLL BBBB\n";
    for (metric, lengths) in [("htm", [3, 2, 9, 0]), ("qtm", [4, 3, 10, 0])] {
        let options = ["--metric", metric, "--format", "json"];
        let ran =
            run_with_input(folder.path(), &[&["solve", "2x2x2"][..], &options].concat(), input);
        assert_eq!(ran.code, 0, "{}", ran.err);
        for (answer, length) in json(&ran.out).iter().zip(lengths) {
            assert_eq!((&answer["length"], &answer["optimal"]), (&length.into(), &true.into()));
            let name = format!("best/2x2x2-{metric}-modulo-3");
            assert_eq!((&answer["heuristic"], &answer["metric"]), (&name.into(), &metric.into()));
            assert_eq!(answer["pruning"], if metric == "htm" { "fsm:2" } else { "fsm:3" });
            assert_eq!(
                (&answer["table_bytes"], answer["puzzle"].as_str()),
                (&918_540.into(), Some("2x2x2"))
            );
            let plan: Vec<&str> = answer["plan"]
                .as_array()
                .expect("a list")
                .iter()
                .filter_map(Value::as_str)
                .collect();
            let state = answer["state"].as_str().expect("text");
            let plan = plan.join(" ");
            let check = ["check", "2x2x2", state, "--plan", &plan, "--metric", metric];
            assert_eq!(run(&check).code, 0, "{state}: {plan}");
        }
    }
    let half = run(&["solve", "2x2x2", "R2", "--metric", "qtm", "--heuristic", "manhattan"]);
    assert!(half.out.contains("(2 moves, optimal"), "{}", half.out);
    let wrong = run(&["check", "2x2x2", "R U", "--plan", "U R"]);
    assert_eq!((wrong.code, wrong.err.contains("not solved")), (1, true), "{}", wrong.err);
    let six = run(&["check", "2x2x2", "D", "--plan", "D' x y2"]);
    assert!(six.out.contains("the plan solves it in 1 move"), "{}", six.out);
}

#[test]
fn states_and_heuristics_agree() {
    let folder = tempfile::tempdir().expect("a folder");
    let scrambles = run(&["scramble", "2x2x2", "--count", "20", "--seed", "3"]).out;
    assert_eq!(scrambles, run(&["scramble", "2x2x2", "--count", "20", "--seed", "3"]).out);
    assert!(scrambles.lines().all(|line| line.len() == 24) && scrambles.lines().count() == 20);
    for metric in ["htm", "qtm"] {
        let lengths = |heuristic: &str| {
            let options = ["--metric", metric, "--heuristic", heuristic, "--format", "json"];
            let solve = [&["solve", "2x2x2"][..], &options].concat();
            let ran = run_with_input(folder.path(), &solve, &scrambles);
            json(&ran.out).iter().map(|answer| answer["length"].to_string()).collect::<Vec<_>>()
        };
        assert_eq!((lengths("table").len(), lengths("table")), (20, lengths("manhattan")));
    }
}

#[test]
fn every_optimal_plan_is_listed() {
    let all = |metric: &str, more: &[&str]| {
        let solve = ["solve", "2x2x2", "R2 U", "--metric", metric, "--format", "json"];
        json(&run(&[&solve[..], more].concat()).out)[0]["plans"].clone()
    };
    assert_eq!(all("htm", &["--all"]), serde_json::json!([["U'", "R2"]]));
    assert_eq!(all("qtm", &["--all"]), serde_json::json!([["U'", "R", "R"], ["U'", "R'", "R'"]]));
    assert_eq!(all("qtm", &["--count", "1"]), serde_json::json!([["U'", "R", "R"]]));
    // For one of the farthest states the table lists the plans that Manhattan distance finds.
    let far = "FBFRURBFLBFLUULLRUBRDDDD";
    let plans = |heuristic| {
        let solve = ["solve", "2x2x2", far, "--all", "--heuristic", heuristic, "--format", "json"];
        let answer = json(&run(&solve).out).remove(0);
        let mut plans = answer["plans"].as_array().expect("a list").clone();
        plans.sort_by_key(ToString::to_string);
        plans
    };
    let listed = plans("table");
    assert!(listed.len() > 1 && listed == plans("manhattan"), "{} plans", listed.len());
}

#[test]
fn sequences_and_automata_are_those_of_three_faces() {
    let sequences = run(&["count", "2x2x2", "--sequences", "--depth", "4"]);
    assert_eq!(sequences.out, "0 1\n1 9\n2 54\n3 324\n4 1944\n");
    let quarter = run(&["count", "2x2x2", "--sequences", "--depth", "4", "--metric", "qtm"]);
    assert_eq!(quarter.out, "0 1\n1 6\n2 27\n3 120\n4 534\n");
    let learned = run(&["learn", "2x2x2", "--depth", "2", "--format", "json"]);
    let factor = number(&json(&learned.out)[0]["branching_factor"]);
    assert!((factor - 6.0).abs() < 1e-9, "{factor}");
    for heuristic in ["table", "manhattan"] {
        let ran = run(&["predict", "2x2x2", "--heuristic", heuristic, "--bound", "9"]);
        assert_eq!((ran.code, ran.out.lines().count()), (0, 9), "{}", ran.err);
    }
}

#[test]
fn tables_are_built_listed_verified_and_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = |verb: &str| run_with_input(folder.path(), &["tables", verb, "2x2x2"], "");
    assert_eq!(tables("build").out, "2x2x2-htm-modulo-3: 918,540 bytes\n");
    assert!(tables("list").out.ends_with("modulo-3.table  918,540 bytes, modulo-3\n"));
    assert!(tables("verify").out.contains("every byte is right"));
    assert!(run_with_input(folder.path(), &["tables", "list", "3x3x3"], "").out.is_empty());
    let path = folder.path().join("2x2x2-htm-modulo-3.table");
    let mut bytes = std::fs::read(&path).expect("read");
    bytes[500_000] ^= 1;
    std::fs::write(&path, bytes).expect("written");
    let damaged = run_with_input(folder.path(), &["solve", "2x2x2", "R"], "");
    assert_eq!((damaged.code, damaged.err.contains("modulo-3")), (3, true), "{}", damaged.err);
    assert_eq!(tables("remove").code, 0);
    assert_eq!(run_with_input(folder.path(), &["solve", "2x2x2", "R"], "").code, 0);
}

#[test]
fn impossible_states_are_refused_with_the_reason() {
    for (arguments, part) in [
        (&["solve", "2x2x2", "UUUFURRRFRFFDDDDLLLLBBBB"][..], "twisted clockwise"),
        (&["check", "2x2x2", "UUUUFRRRFRFFDDDDLLLLBBBB"], "mirrored"),
        (&["solve", "2x2x2", "UUURRURRFFFFDDDDLLLLBBBB"], "no two are alike or opposite"),
        (&["solve", "2x2x2", "UUUURRRRFFFFDDDDLLLLBBBR"], "the colour `R` occurs 5 times"),
        (&["solve", "2x2x2", "UUUURRRRFFFFDDDDLLLLBBB"], "23 facelets, expected 24"),
        (&["solve", "2x2x2", "UUUURRRRFFFFDDDDLLLLBBBX"], "facelet 24: found `X`"),
        (&["solve", "2x2x2", "R U Q"], "column 5: found `Q`"),
        (&["solve", "2x2x2", "R", "--metric", "ftm"], "htm or qtm"),
        (&["solve", "2x2x2", "R", "--goal", "cross"], "a goal is one of face, layer"),
        (&["solve", "2x2x2", "R", "--heuristic", "korf97"], "best, table or manhattan"),
        (&["solve", "2x2x2", "R", "--memory", "900kB"], "897.0 KiB (918540 bytes)"),
        (&["histogram", "2x2x2", "--heuristic", "manhattan"], "manhattan has no tables"),
        (&["tables", "choose", "2x2x2", "--sizes", "4-4"], "no partitions"),
    ] {
        let ran = run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(part), "{arguments:?}: {}", ran.err);
    }
}
