//! Small promises of the tool: full names, readable sizes, empty values, marks that editors leave.

use super::{json, run_with_input};

#[test]
fn a_table_has_one_name() {
    let folder = tempfile::tempdir().expect("a folder");
    for metric in ["htm", "qtm"] {
        let with = |verb: &[&str]| {
            let options = ["--memory", "8MiB", "--metric", metric, "--format", "json"];
            let ran = run_with_input(folder.path(), &[verb, &options].concat(), "");
            json(&ran.out).pop().expect("a line")
        };
        let name = format!("3x3x3-{metric}-g256");
        assert_eq!(with(&["tables", "build", "3x3x3"])["table"], name.as_str());
        assert_eq!(with(&["histogram", "3x3x3"])["table"], name.as_str());
        assert_eq!(with(&["solve", "3x3x3", "R U"])["heuristic"], format!("best/{name}").as_str());
    }
}
