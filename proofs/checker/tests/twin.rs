//! The verdicts of `fewest-check` are those of the slow checker in Python, on changed certificates.

use std::process::Command;

/// Changes this many certificates, and fails if a verdict differs.
fn compare(count: u32) {
    let run = Command::new("python3")
        .args(["-B", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mutate.py")])
        .arg(env!("CARGO_BIN_EXE_fewest-check"))
        .args(["--seed", "1", "--count", &count.to_string()])
        .output()
        .expect("python3 runs");
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{said}{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn a_second_reader_of_the_specification_agrees() {
    compare(200);
}

#[test]
#[ignore = "slow: a thousand changed certificates, 1 min"]
fn a_second_reader_agrees_on_many() {
    compare(1000);
}
