//! The verdicts of `fewest-check` are those of the slow checker in Python, on changed certificates.

use std::process::Command;

#[test]
fn a_second_reader_of_the_specification_agrees() {
    let run = Command::new("python3")
        .args(["-B", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mutate.py")])
        .arg(env!("CARGO_BIN_EXE_fewest-check"))
        .args(["--seed", "1", "--count", "1000"])
        .output()
        .expect("python3 runs");
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{said}{}", String::from_utf8_lossy(&run.stderr));
}
