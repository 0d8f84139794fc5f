//! God's algorithm and builds of tables with their layers on disk: the same counts and tables as in
//! memory, however often they are killed.

use super::{fewest, json, run, run_with_input};
use fewest::search::random::Random;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// Two bits for each of the 3,628,800 states are 907,200 bytes.
const PUZZLE: &str = "pancake-10";

/// The arguments of a count within a tenth of its table.
fn on_disk(folder: &str) -> [&str; 6] {
    ["gods-algorithm", PUZZLE, "--memory", "90kB", "--disk", folder]
}

#[test]
fn layers_on_disk_are_those_in_memory() {
    let (folder, disk) = crate::new_file("disk");
    let words = on_disk(&disk);
    let ran = run_with_input(folder.path(), &words, "");
    assert_eq!((ran.code, ran.out), (0, run(&["gods-algorithm", PUZZLE]).out));
    assert!(ran.err.contains("The layers are on disk"), "{}", ran.err);
    let left: Vec<_> =
        std::fs::read_dir(folder.path().join("disk")).expect("it is there").collect();
    assert!(left.is_empty(), "{left:?}");
    let progress = [&words[..], &["--progress", "json"]].concat();
    let lines = json(&run_with_input(folder.path(), &progress, "").err);
    let told = |kind: &str| lines.iter().find(|line| line["progress"] == kind).expect("a line");
    assert!(told("on-disk")["bytes"].as_u64() >= Some(907_200));
    assert!(told("moved")["written"].as_u64() > told("on-disk")["bytes"].as_u64());
    // With enough memory nothing goes to the disk.
    let unused = folder.path().join("unused");
    let words = ["gods-algorithm", PUZZLE, "--disk", unused.to_str().expect("text")];
    assert_eq!(run(&words).code, 0);
    assert!(!unused.exists());
}

#[test]
fn too_little_memory_for_the_disk_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let disk = folder.path().to_str().expect("text");
    let words = ["gods-algorithm", PUZZLE, "--memory", "9kB", "--disk", disk];
    let ran = run_with_input(folder.path(), &words, "");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("the search on disk needs"), "{}", ran.err);
}

/// Kills the count at random moments, and lets it end at last.
#[test]
fn a_killed_count_goes_on_from_the_last_complete_layer() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = run(&["gods-algorithm", PUZZLE]).out;
    let disk = folder.path().join("disk").display().to_string();
    let words = on_disk(&disk);
    kill(&words, 8, 400, &mut Random::new(7));
    let ran = run_with_input(folder.path(), &words, "");
    assert_eq!((ran.code, ran.out), (0, whole), "{}", ran.err);
    assert!(!ran.err.contains("could not be saved"), "{}", ran.err);
}

#[test]
fn boards_on_disk_are_those_in_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let disk = folder.path().join("disk");
    let words = ["gods-algorithm", "8-puzzle", "--memory", "20kB", "--disk"];
    let words = [&words[..], &[disk.to_str().expect("text")]].concat();
    let ran = run_with_input(folder.path(), &words, "");
    assert_eq!((ran.code, &ran.out), (0, &run(&["gods-algorithm", "8-puzzle"]).out));
    assert!(ran.out.contains("181,440 states, none farther than 31"), "{}", ran.out);
    assert!(ran.err.contains("The layers are on disk"), "{}", ran.err);
    // The farthest boards are real ones.
    let farthest: Vec<&str> =
        ran.out.lines().filter_map(|line| line.strip_prefix("farthest: ")).collect();
    assert_eq!(farthest.len(), 2);
    let solved = run(&["solve", "8-puzzle", farthest[0]]);
    assert!(solved.out.contains("31"), "{}", solved.out);
    for puzzle in ["24-puzzle", "15-puzzle"] {
        let ran = run(&["gods-algorithm", puzzle]);
        assert!(
            ran.code == 2 && ran.err.contains("fit --memory or a folder --disk"),
            "{}",
            ran.err
        );
    }
}

/// The table files of a folder, with their bytes.
fn tables(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let paths = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("").path());
    let tables = paths.filter(|path| path.extension().is_some_and(|ending| ending == "table"));
    let name = |path: &Path| path.file_name().expect("a name").to_str().expect("text").to_owned();
    let mut tables: Vec<_> =
        tables.map(|path| (name(&path), std::fs::read(&path).expect("a file"))).collect();
    tables.sort();
    tables
}

/// Runs the tool some times, and kills it at random moments within so many milliseconds.
fn kill(words: &[&str], times: usize, longest: u64, random: &mut Random) {
    for _ in 0..times {
        let mut command = fewest(&crate::tables());
        command.args(words).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("it runs");
        std::thread::sleep(Duration::from_millis(random.below(longest)));
        child.kill().expect("it is killed, or has ended");
        child.wait().expect("it ends");
    }
}

/// Builds tables in memory, and with little memory on disk into `disk`, where the layers are in
/// `layers`. The build on disk is killed some times. Returns the tables, which are the same.
fn built(folder: &Path, what: &[&str], memory: &str, kills: usize) -> Vec<(String, Vec<u8>)> {
    let at = |name: &str| folder.join(name).to_str().expect("text").to_owned();
    let [in_memory, disk, layers] = ["memory", "disk", "layers"].map(at);
    let build = [&["tables", "build"], what, &["--tables"]].concat();
    let words = [&build[..], &[&in_memory]].concat();
    assert_eq!(run_with_input(folder, &words, "").code, 0);
    let words = [&build[..], &[&disk, "--memory", memory, "--disk", &layers]].concat();
    kill(&words, kills, 600, &mut Random::new(8));
    let ran = run_with_input(folder, &words, "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(kills > 0 || ran.err.contains("on disk"), "{}", ran.err);
    let made = tables(Path::new(&disk));
    assert!(made == tables(Path::new(&in_memory)), "{what:?}");
    // The folder is there, as the build was on disk.
    assert!(tables(Path::new(&layers)).is_empty());
    made
}

#[test]
fn a_killed_build_on_disk_makes_the_tables_of_one_in_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    // The largest table has a byte for two of the 3,628,800 states.
    let made = built(folder.path(), &[PUZZLE], "180kB", 6);
    assert!(made.iter().any(|(_, bytes)| bytes.len() > 1_800_000));
}

/// Moves of two costs: each layer is made from two others.
#[test]
fn costs_of_moves_are_built_on_disk_as_in_memory() {
    let (folder, file) = crate::new_file("costs.tws");
    let text = run(&["convert", "pancake-9", "--to", "tws"]).out;
    let dear = text.lines().filter_map(|line| line.strip_prefix("Move ")).step_by(2);
    let dear: String = dear.map(|name| format!("MoveCost {name} 3\n")).collect();
    std::fs::write(&file, format!("{text}\n{dear}")).expect("written");
    // A byte for each of the 362,880 states.
    let made = built(folder.path(), &[&file], "40kB", 0);
    assert!(made.iter().any(|(_, bytes)| bytes.len() > 360_000));
}

/// Direct tables of a common board, and ranked ones of another. The builds are killed at random
/// moments.
#[test]
fn patterns_of_tiles_are_built_on_disk_as_in_memory() {
    for (puzzle, heuristic, memory, ending) in [
        ("8-puzzle", "tables:1.2.3.4.5.6-7.8", "40kB", "6.table"),
        ("15-puzzle", "pdb:5-5-5", "300kB", "-direct.table"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let made = built(folder.path(), &[puzzle, "-H", heuristic], memory, 3);
        assert!(made.iter().any(|(name, _)| name.ends_with(ending)), "{puzzle}");
    }
}

/// Remainders of distances, in two bits.
#[test]
fn the_table_of_the_2x2x2_is_built_on_disk_as_in_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = ["2x2x2", "-H", "table"];
    let (name, _) = built(folder.path(), &table, "200kB", 0).remove(0);
    // What a build left that was killed behind its table is removed by the next one.
    let at = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    let (disk, layers) = (at("disk"), at("layers"));
    let left = Path::new(&layers).join(name.replace(".table", "-disk-buckets"));
    std::fs::create_dir(&left).expect("a folder");
    std::fs::write(left.join("0.a"), "codes").expect("a file");
    let words = ["--tables", &disk, "--memory", "200kB", "--disk", &layers];
    let words = [&["tables", "build"], &table[..], &words].concat();
    let ran = run_with_input(folder.path(), &words, "");
    assert_eq!((ran.code, left.exists()), (0, false), "{}", ran.err);
    // The table counts all states, and lists the farthest.
    let words = ["gods-algorithm", "2x2x2", "--tables", &disk];
    assert_eq!(run(&words).out, run(&["gods-algorithm", "2x2x2"]).out);
}
