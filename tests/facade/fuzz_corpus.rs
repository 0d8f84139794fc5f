//! The kept inputs of the fuzz targets. Some of them once failed.

use std::path::Path;

#[path = "../../fuzz/src/readers.rs"]
mod readers;

#[test]
fn kept_inputs_are_read_without_a_fault() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    for target in readers::TARGETS {
        let files = std::fs::read_dir(corpus.join(target)).expect("a folder of inputs");
        let mut files: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
        files.sort();
        assert!(files.len() > 3, "{target}");
        for file in files {
            let input = std::fs::read(&file).expect("an input");
            let read = std::panic::catch_unwind(|| readers::read(target, &input));
            assert!(read.is_ok(), "{}", file.display());
        }
    }
}
