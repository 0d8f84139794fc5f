//! A journal, a certificate and layers on disk that release 0.1 wrote. They must still be read, and
//! those of a newer version refused.

use super::{Ran, json, run};
use std::path::{Path, PathBuf};

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

/// Copies a golden file, so that the tool may write to the copy.
fn copy(name: &str, folder: &Path, edit: impl Fn(&str) -> String) -> String {
    let path = folder.join(name);
    let text = std::fs::read_to_string(golden(name)).expect("a golden file");
    std::fs::write(&path, edit(&text)).expect("written");
    path.display().to_string()
}

#[test]
fn a_journal_is_gone_on_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = copy("board.journal", folder.path(), str::to_owned);
    let status = json(&run(&["status", &path, "--format", "json"]).out).remove(0);
    let bounds = status["bounds"].as_array().expect("a list");
    let nodes: Vec<_> = bounds.iter().map(|one| (&one["bound"], &one["generated"])).collect();
    assert_eq!(nodes, [(&10.into(), &17.into()), (&12.into(), &53.into())]);
    let ran = run(&["resume", &path, "--format", "json"]);
    let answer = json(&ran.out).remove(0);
    assert_eq!((ran.code, &answer["length"]), (0, &14.into()), "{}", ran.err);
}

#[test]
fn a_certificate_holds() {
    let path = golden("board.certificate").display().to_string();
    let ran = run(&["certify", &path, "--format", "json"]);
    let told = json(&ran.out).remove(0);
    assert_eq!(
        (ran.code, &told["bounds"], &told["cost"]),
        (0, &2.into(), &14.into()),
        "{}",
        ran.err
    );
    let ran = run(&["certify", &path]);
    assert!(ran.out.contains("2 bounds below it searched again"), "{}", ran.out);
}

#[test]
fn newer_versions_are_refused_by_version() {
    let folder = tempfile::tempdir().expect("a folder");
    for (verb, name, word) in [
        ("status", "board.journal", "fewest-journal"),
        ("resume", "board.journal", "fewest-journal"),
        ("certify", "board.certificate", "fewest-certificate"),
    ] {
        let [old, new] = [1, 2].map(|version| format!("{word} {version}"));
        let path = copy(name, folder.path(), |text| text.replacen(&old, &new, 1));
        let ran = run(&[verb, &path]);
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(ran.err.contains("format version 2, this program reads version 1"), "{}", ran.err);
    }
}

/// Copies a folder with its folders.
fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let (own, other) = (entry.path(), to.join(entry.file_name()));
        match own.is_dir() {
            true => copy_folder(&own, &other),
            false => _ = std::fs::copy(&own, &other).expect("copied"),
        }
    }
}

/// Goes on with layers on disk.
fn go_on(folder: &Path) -> Ran {
    let disk = folder.to_str().expect("text");
    let words = ["gods-algorithm", "pancake-8", "--memory", "9kB", "--disk", disk];
    run(&[&words[..], &["--progress", "json"]].concat())
}

/// Goes on with layers on disk. Returns what the tool prints, and the first layer that it searches.
fn on_disk(folder: &Path) -> (String, u64) {
    let ran = go_on(folder);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let lines = json(&ran.err);
    let mut layers = lines.iter().filter_map(|line| line["depth"].as_u64());
    (ran.out, layers.next().expect("a layer"))
}

#[test]
fn layers_on_disk_are_gone_on_with() {
    let folder = tempfile::tempdir().expect("a folder");
    copy_folder(&golden("on-disk"), folder.path());
    let whole = run(&["gods-algorithm", "pancake-8"]).out;
    assert_eq!(on_disk(folder.path()), (whole, 4));
    // A newer manifest is refused: a search that began anew would overwrite its layers.
    copy_folder(&golden("on-disk"), folder.path());
    let mut files = std::fs::read_dir(folder.path()).expect("a folder");
    let is_manifest = |path: &PathBuf| path.extension().is_some_and(|it| it == "table");
    let manifest = files.find_map(|file| Some(file.ok()?.path()).filter(is_manifest));
    let manifest = manifest.expect("a manifest");
    let mut bytes = std::fs::read(&manifest).expect("a manifest");
    bytes[8] = 2;
    std::fs::write(&manifest, &bytes).expect("written");
    let ran = go_on(folder.path());
    assert_eq!((ran.code, ran.out.as_str()), (3, ""), "{}", ran.err);
    assert!(ran.err.contains(&manifest.display().to_string()), "{}", ran.err);
    assert!(ran.err.contains("format version 2, this program reads version 1"), "{}", ran.err);
    assert_eq!(std::fs::read(&manifest).expect("a manifest"), bytes);
}
