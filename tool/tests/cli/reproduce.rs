//! `fewest reproduce`: names, forms and figures.

use super::{json, run};

#[test]
fn experiments_are_listed_with_their_time() {
    let ran = run(&["reproduce", "--list", "-f", "json"]);
    let listed = json(&ran.out);
    assert!(ran.code == 0 && listed.len() > 30, "{}", ran.err);
    for one in &listed {
        assert_eq!(one["type"], "experiment");
        assert_eq!(one["quick"], one["seconds"].as_u64().expect("seconds") < 60, "{one}");
    }
    assert_eq!(listed[0]["version"], 1);
    let of_paper = run(&["reproduce", "korf97", "--list"]).out;
    assert!(of_paper.lines().count() > 5 && of_paper.contains("korf97-table1"), "{of_paper}");
}

#[test]
fn an_experiment_is_told_in_every_form() {
    let text = run(&["reproduce", "F24"]);
    assert_eq!(text.code, 0, "{}", text.err);
    assert!(text.out.contains("F24  axes of rotation: 13; published 13, agrees"), "{}", text.out);
    let rows = json(&run(&["reproduce", "fowler02-orders", "-f", "json"]).out);
    let row = rows.iter().find(|row| row["what"] == "edges of the Cayley graph").expect("a row");
    assert_eq!(row["ours"].to_string(), "389268029470408704000");
    assert_eq!((&row["verdict"], &row["kind"]), (&"agrees".into(), &"exact".into()));
    assert_eq!((&row["type"], &row["name"]), (&"reproduce".into(), &"fowler02-orders".into()));
    let table = run(&["reproduce", "martin16-tables", "-f", "csv"]).out;
    assert!(table.starts_with("type,name,paper,title,seconds,id,what,published,ours,"), "{table}");
    assert!(table.contains(",6.67,9.1652,"), "{table}");
}

#[test]
fn a_claim_finds_its_experiments() {
    let ran = run(&["reproduce", "k14", "-f", "json"]);
    let rows = json(&ran.out);
    assert!(ran.code == 0 && rows.iter().all(|row| row["name"] == "korf97-analysis"));
    let unknown = run(&["reproduce", "K999"]);
    assert_eq!((unknown.code, unknown.out.as_str()), (2, ""));
    assert!(unknown.err.contains("--list"), "{}", unknown.err);
    // Nothing that takes minutes runs unless it is asked for by its own name.
    let long = run(&["reproduce", "KF"]);
    assert!(long.code == 2 && long.err.contains("--all"), "{}", long.err);
}

#[test]
fn figures_are_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("figure.svg");
    let path = file.to_str().expect("text");
    let ran = run(&["reproduce", "fowler02-figure1-4", "--plot", path]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let drawn = std::fs::read_to_string(&file).expect("a figure");
    assert!(drawn.starts_with("<svg") && drawn.trim_end().ends_with("</svg>"));
    assert!(drawn.contains("Figure 1-4") && drawn.matches("<rect").count() > 15, "{drawn}");
    let none = run(&["reproduce", "fowler02-legality", "--plot", path]);
    assert!(none.code == 2 && none.err.contains("no figure"), "{}", none.err);
    let nowhere = folder.path().join("missing/figure.svg");
    let path = nowhere.to_str().expect("text");
    assert_eq!(run(&["reproduce", "fowler02-figure1-4", "--plot", path]).code, 2);
}

#[test]
fn a_limit_ends_a_search_and_not_the_run() {
    let ran = run(&["reproduce", "korf85-quick", "--limit-nodes", "600000", "-f", "json"]);
    let rows = json(&ran.out);
    let count = |verdict: &str| rows.iter().filter(|row| row["verdict"] == verdict).count();
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(
        count("unfinished") > 5 && count("agrees") >= 2 && count("differs") == 0,
        "{}",
        ran.out
    );
}
