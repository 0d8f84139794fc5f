//! Certificates: written by `solve`, checked by `certify`, and refused when they are changed.

use super::{json, run, run_with_input};
use fewest::proofs::{Certificate, Claim};
use fewest::search::random::Random;
use std::path::Path;

/// Solves a state, and returns its certificate.
fn solved(search: &[&str], path: &Path) -> Certificate {
    let text = path.display().to_string();
    let ran = run(&[&["solve"], search, &["--certificate", &text]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    Certificate::read(&std::fs::read(path).expect("a certificate")).expect("whole")
}

/// The exit code of `certify`, what it says as JSON, and its errors.
fn certified(path: &Path, more: &[&str]) -> (i32, Option<serde_json::Value>, String) {
    let text = path.display().to_string();
    let ran = run(&[&["certify", &text, "--format", "json"], more].concat());
    (ran.code, json(&ran.out).pop(), ran.err)
}

fn write(path: &Path, certificate: &Certificate) {
    std::fs::write(path, certificate.text()).expect("written");
}

/// The command line of a certificate names the costs of moves.
#[test]
fn certificates_of_plans_with_costs_hold() {
    let folder = tempfile::tempdir().expect("a folder");
    for (number, search) in
        [&["pyraminx", "U R U' R"][..], &["3x3x3", "R U F", "--goal", "cross:D"]]
            .into_iter()
            .enumerate()
    {
        let path = folder.path().join(number.to_string());
        solved(&[search, &["--cost", "R=2", "--cost", "R'=3"]].concat(), &path);
        let (code, _, errors) = certified(&path, &["--all"]);
        assert_eq!(code, 0, "{search:?}: {errors}");
    }
}

#[test]
fn certificates_are_written_and_hold() {
    let folder = tempfile::tempdir().expect("a folder");
    for (number, (search, tables)) in [
        (
            &["15-puzzle", "1 5 2 3 4 0 6 7 8 9 10 11 12 13 14 15", "--heuristic", "manhattan"][..],
            0,
        ),
        (&["pyraminx", "U R' L B U' L R B'"], 1),
        (&["2x2x2", "R U2 F' R U' F R2 U F'"], 1),
        (&["15-puzzle", "4 1 6 2 5 9 3 7 8 13 0 11 12 14 10 15", "--memory", "8MB"], 3),
    ]
    .into_iter()
    .enumerate()
    {
        let path = folder.path().join(number.to_string());
        let certificate = solved(search, &path);
        assert!(matches!(certificate.claim, Claim::Plan(..)), "{search:?}");
        assert_eq!(certificate.tables.len(), tables, "{search:?}");
        let (code, told, errors) = certified(&path, &["--all"]);
        assert_eq!(code, 0, "{search:?}: {errors}");
        let told = told.expect("a line");
        assert_eq!(told["units"], told["units_checked"]);
        assert_eq!(
            (told["holds"].as_bool(), told["tables_proved"].as_u64()),
            (Some(true), Some(tables as u64))
        );
        // The file is not overwritten.
        let text = path.display().to_string();
        let again = run(&[&["solve"], search, &["--certificate", &text]].concat());
        assert_eq!(again.code, 2, "{}", again.err);
    }
}

/// Forgers write new hashes. What they change is found by the plan, the bounds or the units.
#[test]
fn forged_certificates_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("own");
    let search = ["15-puzzle", "6 12 11 3 13 7 9 15 2 14 8 10 4 1 5 0", "--heuristic", "manhattan"];
    let own = solved(&search, &path);
    let (code, told, errors) = certified(&path, &["--units", "200"]);
    assert_eq!((code, told.expect("a line")["units_checked"].as_u64()), (0, Some(200)), "{errors}");
    let forged = folder.path().join("forged");
    let refuse = |what: &str, edit: &dyn Fn(&mut Certificate)| {
        let mut other = own.clone();
        edit(&mut other);
        write(&forged, &other);
        let (code, _, errors) = certified(&forged, &["--units", "200"]);
        assert_eq!(code, 2, "{what}: {errors}");
    };
    refuse("a plan two moves too long", &|it| {
        if let Claim::Plan(plan, cost) = &mut it.claim {
            plan.extend(["up".to_owned(), "down".to_owned()]);
            *cost += 2;
        }
        it.lower_bound += 2;
    });
    refuse("a plan that ends early", &|it| {
        if let Claim::Plan(plan, _) = &mut it.claim {
            plan.pop();
        }
    });
    refuse("a higher lower bound", &|it| {
        it.claim = Claim::LowerBound;
        it.lower_bound += 2;
    });
    refuse("a claim of nothing", &|it| {
        it.claim = Claim::LowerBound;
        it.lower_bound = 0;
        it.bounds.clear();
    });
    refuse("another state", &|it| {
        it.identity.set("state", "1 2 0 3 4 5 6 7 8 9 10 11 12 13 14 15");
    });
    refuse("a bound too few", &|it| _ = it.bounds.remove(1));
    let mut random = Random::new(3);
    let last = own.bounds.len() - 1;
    for _ in 0..5 {
        let unit = random.index(own.bounds[last].units.len());
        // Whoever forges a unit above others changes what the next bounds are.
        let mut other = own.clone();
        let counts = other.bounds[last].units[unit].as_mut().expect("whole");
        counts.generated += 1;
        write(&forged, &other);
        let (code, _, errors) = certified(&forged, &["--all"]);
        assert_eq!(code, 2, "unit {unit}: {errors}");
        assert!(errors.contains("; the certificate says "), "{errors}");
        assert!(errors.contains(" expanded nodes, ") && !errors.contains("Some("), "{errors}");
    }
}

#[test]
fn damaged_files_are_no_certificates() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("own");
    solved(&["pyraminx", "U R' L B U' L R B'"], &path);
    let bytes = std::fs::read(&path).expect("a certificate");
    let mut random = Random::new(4);
    for round in 0..20 {
        let mut wrong = bytes.clone();
        let place = random.index(bytes.len());
        match round % 2 {
            0 => wrong[place] ^= 1 << random.below(8),
            _ => wrong.truncate(place),
        }
        std::fs::write(&path, wrong).expect("written");
        let (code, told, errors) = certified(&path, &[]);
        assert_eq!((code, told.is_none()), (2, true), "{errors}");
    }
}

/// A sample of no unit would check nothing.
#[test]
fn a_sample_has_a_unit() {
    let ran = run(&["certify", "certificate", "--units", "0"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("0 is not in 1.."), "{}", ran.err);
}

/// A search that proves nothing leaves no certificate, and says so.
#[test]
fn nothing_is_not_certified() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("own");
    let (text, board) = (path.display().to_string(), "15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4");
    let search = ["solve", "15-puzzle", board, "--heuristic", "manhattan"];
    let ran = run(&[&search[..], &["--limit-time", "0s", "--certificate", &text]].concat());
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("no certificate: nothing is proven"), "{}", ran.err);
    assert!(!path.exists());
}

/// A search whose bounds have no units says what the proof is.
#[test]
fn searches_without_units_say_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("own");
    solved(&["2x2x2", "R U2 F' R U' F R2 U F'"], &path);
    let ran = run(&["certify", &path.display().to_string()]);
    assert!(ran.out.contains("the search begins at bound 9, as the heuristic says"), "{}", ran.out);
}

/// Whoever can write the folder of tables can forge a table with right checksums.
#[test]
fn forged_tables_are_caught() {
    let search = ["15-puzzle", "4 1 6 2 5 9 3 7 8 13 0 11 12 14 10 15", "--memory", "8MB"];
    let folder = tempfile::tempdir().expect("a folder");
    let run = |words: &[&str]| run_with_input(folder.path(), words, "");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (honest, forged) = (path("honest"), path("forged"));
    let solve = |certificate: &str| {
        let ran = run(&[&["solve"], &search[..], &["--certificate", certificate]].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
    };
    // The tables are built, saved and loaded: each counts once.
    solve(&honest);
    assert_eq!(run(&["certify", &honest]).code, 0);
    let table = folder.path().join("15-puzzle-b0-1.2.5.6.7-direct.table");
    let mut bytes = std::fs::read(&table).expect("a table");
    // Tile 1 on the last square, and 2, 5, 6 and 7 at home: far from what the search reads.
    let payload = bytes.len() - (1 << 20);
    bytes[payload + 0x7_652f] = 31 | 4 << 5;
    let chunk = crc32fast::hash(&bytes[payload..]).to_le_bytes();
    bytes[4096..4100].copy_from_slice(&chunk);
    let chunks = crc32fast::hash(&chunk).to_le_bytes();
    bytes[120..124].copy_from_slice(&chunks);
    let header = crc32fast::hash(&bytes[..4092]).to_le_bytes();
    bytes[4092..4096].copy_from_slice(&header);
    std::fs::write(&table, bytes).expect("written");
    // The certificate of the honest table names another hash, and that of the forged one no proof.
    let ran = run(&["certify", &honest]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("the tables have other hashes"), "{}", ran.err);
    solve(&forged);
    let ran = run(&["certify", &forged]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    let told = "table 15-puzzle-b0-1.2.5.6.7-direct is not admissible: entry";
    assert!(ran.err.contains(told) && ran.err.contains("has the value 63"), "{}", ran.err);
}
