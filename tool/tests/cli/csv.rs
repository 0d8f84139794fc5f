//! Tables as CSV, and the short forms of options.

use super::{run, run_with_input};
use fewest::csv_row;
use serde_json::json;

#[test]
fn cells_are_quoted_where_they_must_be() {
    for (value, cell) in [
        (json!(null), ""),
        (json!(7), "7"),
        (json!(true), "true"),
        (json!("R U"), "R U"),
        (json!("a,b"), "\"a,b\""),
        (json!("say \"x\""), "\"say \"\"x\"\"\""),
        (json!("two\nlines"), "\"two\nlines\""),
        (json!(["R", "U'"]), "R U'"),
        (json!([["R"], ["U", "F"]]), "R | U F"),
        (json!([]), ""),
        (json!({"a": 1, "b": 2}), "\"{\"\"a\"\":1,\"\"b\"\":2}\""),
    ] {
        assert_eq!(csv_row(&json!({"x": value, "y": 1}), ["x", "z", "y"]), format!("{cell},,1"));
    }
}

/// The rows of a table without quoted cells, the header first.
fn rows(table: &str) -> Vec<Vec<&str>> {
    table.lines().map(|line| line.split(',').collect()).collect()
}

#[test]
fn tables_begin_with_a_header() {
    for (arguments, header, second) in [
        (&["count", "3x3x3", "--states", "--depth", "1"][..], "depth,count", "0,1"),
        (&["predict", "15-puzzle", "-H", "manhattan", "--bound", "2"], "bound,generated", "1,"),
        (&["gods-algorithm", "pancake-5"], "depth,count", "0,1"),
        (&["puzzles"], "puzzle,aliases,title", "3x3x3,"),
        (&["goals", "2x2x2"], "puzzle,goal,usual,means,ways,picture", "2x2x2,face,D,"),
        (&["histogram", "2x2x2", "-H", "table"], "table,value,count", "2x2x2-htm"),
    ] {
        let ran = run(&[arguments, &["--format", "csv"][..]].concat());
        let rows = rows(&ran.out);
        assert!(ran.code == 0 && ran.out.starts_with(header), "{} {}", ran.out, ran.err);
        assert!(rows.len() > 2 && rows[1].join(",").starts_with(second), "{}", ran.out);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let none = run_with_input(folder.path(), &["tables", "list", "-f", "csv"], "");
    assert_eq!((none.code, none.out.lines().count()), (0, 1), "{}", none.out);
}

#[test]
fn every_state_is_a_row() {
    let input = "R U\nQ, \"Q\"\nF2\n";
    let solve = ["solve", "3x3x3", "-H", "manhattan", "-t", "1", "-m", "64MiB", "-f", "csv"];
    let ran = run_with_input(&crate::tables(), &solve, input);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!((ran.code, lines.len()), (2, 4), "{}", ran.out);
    assert!(lines[0].starts_with("request,line,name,puzzle,state,outcome,length"));
    assert!(lines[1].starts_with("1,1,,3x3x3,R U,solved,2,"), "{}", lines[1]);
    assert!(lines[2].starts_with("2,2,,3x3x3,\"Q, \"\"Q\"\"\",refused,,"), "{}", lines[2]);
    assert!(lines[3].starts_with("3,3,,3x3x3,F2,solved,1,"), "{}", lines[3]);
    let plans = run(&["solve", "3x3x3", "R L2 R", "-H", "manhattan", "-n", "2", "-f", "csv"]);
    let table = rows(&plans.out);
    let column = table[0].iter().position(|name| *name == "plans").expect("a column");
    assert_eq!((plans.code, table[1].len()), (0, table[0].len()), "{}", plans.out);
    assert_eq!(table[1][column].matches("R2").count(), 1, "{}", plans.out);
}
