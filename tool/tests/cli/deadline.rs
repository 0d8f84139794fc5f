//! A deadline covers the tables, too.

use super::{json, run_with_input};
use std::time::{Duration, Instant};

/// Each run goes on from the layers that the one before has built, so one of them ends the build.
#[test]
fn a_deadline_ends_a_build_and_keeps_its_layers() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut time = Duration::from_millis(150);
    let mut runs = 0;
    loop {
        let deadline = format!("{}ms", time.as_millis());
        let solve = ["solve", "3x3x3", "R U F", "-H", "korf97", "-f", "json", "--deadline"];
        let started = Instant::now();
        let ran = run_with_input(folder.path(), &[&solve[..], &[&deadline]].concat(), "");
        let took = started.elapsed();
        let answer = &json(&ran.out)[0];
        if answer["outcome"] == "solved" {
            assert_eq!((ran.code, &answer["length"]), (0, &3.into()), "{answer}");
            break;
        }
        assert_eq!((ran.code, &answer["outcome"]), (1, &"limit-reached".into()), "{answer}");
        assert!(answer["lower_bound"].is_number(), "{answer}");
        // Tests run side by side.
        assert!(took < time + Duration::from_secs(2), "{took:?} for {time:?}");
        time = time * 3 / 2;
        runs += 1;
    }
    assert!(runs > 0);
    let solved = ["solve", "3x3x3", "solved", "-H", "korf97", "-f", "json", "--deadline", "0s"];
    let answer = &json(&run_with_input(&folder.path().join("new"), &solved, "").out)[0];
    assert_eq!(answer["outcome"], "solved", "{answer}");
}
