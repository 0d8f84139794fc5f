//! What each fuzz target does with its bytes. A reader may refuse them. It must not panic, hang, or
//! take much memory, and what it reads must come back from its own text.
//!
//! Checksums would keep a fuzzer out. So the targets with checksums also read the bytes with right
//! ones, as a forger writes them.

use pdb::file::{Checkpoint, Load, TableSpec, TableStore, verify};
use pdb::testing::{DiscPattern, Ring};
use pdb::{BuildOptions, PackedTable, StripeTable, build};
use permutation::{Definition, ReadLimits};
use proofs::{Certificate, RunStatus, TableMark, read_text};
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

/// The names of all targets.
#[allow(dead_code, reason = "a fuzz target is one of them")]
pub(crate) const TARGETS: [&str; 8] =
    ["journal", "certificate", "table", "checkpoint", "tws", "kpuzzle", "scramble", "state"];

/// Reads bytes as a target does.
///
/// # Panics
/// If there is no such target, or a reader has a fault.
pub(crate) fn read(target: &str, bytes: &[u8]) {
    match target {
        "journal" => journal(bytes),
        "certificate" => certificate(bytes),
        "table" => table(bytes),
        "checkpoint" => checkpoint(bytes),
        "tws" => tws(bytes),
        "kpuzzle" => kpuzzle(bytes),
        "scramble" => scramble(bytes),
        "state" => state(bytes),
        other => panic!("no target {other}"),
    }
}

/// The CRC-32 of bytes, begun with that of others.
fn crc32(seed: u32, bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    let add = |crc: u32, byte: &u8| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc));
    !bytes.iter().fold(!seed, add)
}

fn journal(bytes: &[u8]) {
    let mut sealed = Vec::new();
    let mut seed = 0;
    for (number, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let crc = crc32(seed, line);
        sealed.extend_from_slice(line);
        sealed.extend_from_slice(format!(" {crc:08x}\n").as_bytes());
        seed = if number == 0 { crc } else { seed };
    }
    for text in [bytes, &sealed] {
        let Ok(reading) = read_text(text) else { continue };
        let record = reading.record;
        let status = RunStatus::new(&record);
        assert_eq!(status.lower_bound, record.lower_bound());
        let _ = record.missing();
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal");
        proofs::write(&record, &path).expect("written");
        let again = proofs::read(&path).expect("it is whole").record;
        assert_eq!((again.identity, again.bounds), (record.identity, record.bounds));
    }
}

fn certificate(bytes: &[u8]) {
    let end = TableMark::new(String::new(), [0; 32], bytes).payload;
    let end: String = end.iter().map(|byte| format!("{byte:02x}")).collect();
    let sealed = [bytes, format!("end {end}\n").as_bytes()].concat();
    for text in [bytes, &sealed] {
        let Ok(own) = Certificate::read(text) else { continue };
        assert_eq!(own.text().as_bytes(), text);
        let _ = own.check();
        assert!(own.draw(100, 1).units.len() <= own.units());
    }
}

/// Overwrites bytes: each three of `edits` are a place and a byte.
fn edit(bytes: &mut [u8], edits: &[u8]) {
    for edit in edits.chunks_exact(3) {
        let place = usize::from(u16::from_le_bytes([edit[0], edit[1]])) % bytes.len();
        bytes[place] = edit[2];
    }
}

/// Where the header of a table file ends, and where its payload begins if it has one chunk.
const PAGE: usize = 4096;

/// Writes right checksums to a table file of one chunk.
fn seal(file: &mut [u8]) {
    let chunk = crc32(0, &file[2 * PAGE..]).to_le_bytes();
    file[PAGE..PAGE + 4].copy_from_slice(&chunk);
    let chunks = crc32(0, &chunk).to_le_bytes();
    file[120..124].copy_from_slice(&chunks);
    let header = crc32(0, &file[..PAGE - 4]).to_le_bytes();
    file[PAGE - 4..PAGE].copy_from_slice(&header);
}

fn table(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = TableStore::new(folder.path());
    let spec = TableSpec::new("fuzz".to_owned(), "fuzz".into(), PackedTable::payload(4, 200));
    let Some((mode, edits)) = bytes.split_first() else { return };
    let path = store.path("fuzz");
    let file = if mode % 2 == 0 {
        bytes.to_vec()
    } else {
        store.save(&spec, &[7; 100]).expect("saved");
        let mut file = std::fs::read(&path).expect("a file");
        edit(&mut file[..PAGE], edits);
        seal(&mut file);
        file
    };
    std::fs::write(&path, file).expect("written");
    let _ = verify(&path, &|_, _| true);
    for load in [Load::Ram, Load::Mmap] {
        let loaded = store.load(&spec, load);
        assert!(loaded.is_err() || loaded.is_ok_and(|payload| payload[..] == [7; 100]));
    }
    assert!(store.list().is_ok());
}

/// The name and the bytes of a checkpoint that a build left.
fn left(stripes: bool) -> &'static [u8] {
    static FILES: [OnceLock<Vec<u8>>; 2] = [const { OnceLock::new() }; 2];
    FILES[usize::from(stripes)].get_or_init(|| {
        let data = Path::new(env!("CARGO_MANIFEST_DIR"));
        let name = if stripes { "build-stripes-layer-1" } else { "build-layer-2" };
        let file = format!("pdb/tests/data/{name}.table");
        let found = [data.join(&file), data.join("..").join(&file)];
        found.iter().find_map(|path| std::fs::read(path).ok()).expect("a checkpoint")
    })
}

fn checkpoint(bytes: &[u8]) {
    let Some((mode, edits)) = bytes.split_first() else { return };
    let (stripes, folder) = (mode % 2 == 1, tempfile::tempdir().expect("a folder"));
    let store = TableStore::new(folder.path());
    let mut file = left(stripes).to_vec();
    edit(&mut file[2 * PAGE..], edits);
    seal(&mut file);
    let (name, layer) = if stripes { ("build-stripes", 1) } else { ("build", 2) };
    std::fs::write(store.path(&format!("{name}-layer-{layer}")), file).expect("written");
    let description = serde_json::json!(
        {"toy": "ring", "places": 8, "angles": 2, "wheels": 5, "discs": 3}
    );
    let every = Duration::from_secs(3600);
    let checkpoint = Checkpoint { store, name: name.to_owned(), description, every };
    let options = BuildOptions { checkpoint: Some(&checkpoint), ..BuildOptions::default() };
    let pattern = DiscPattern::new(Ring::new(8, 2, 5), 3);
    // A forged checkpoint may make a wrong table, or an error. The build ends.
    match stripes {
        true => drop(StripeTable::build(&pattern, 2, &options)),
        false => drop(build::<4>(&pattern, &options)),
    }
}

const LIMITS: ReadLimits = ReadLimits::new(1 << 16, 16 << 20);

/// Both texts of a definition are read as an equal definition.
fn comes_back(definition: &Definition) {
    let limits = ReadLimits::default();
    let again = Definition::from_tws(&definition.to_tws(), &limits).expect("its own text");
    assert_eq!(again.to_tws(), definition.to_tws());
    let again = Definition::from_kpuzzle(&definition.to_kpuzzle(), &limits).expect("its own JSON");
    assert_eq!(again.to_kpuzzle(), definition.to_kpuzzle());
}

fn tws(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(definition) = Definition::from_tws(text, &LIMITS) {
        comes_back(&definition);
    }
}

fn kpuzzle(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(definition) = Definition::from_kpuzzle(text, &LIMITS) {
        comes_back(&definition);
    }
}

fn scramble(bytes: &[u8]) {
    static PUZZLE: OnceLock<Definition> = OnceLock::new();
    let puzzle = PUZZLE.get_or_init(|| {
        let text = include_str!("../../domains/permutation/puzzles/pyraminx.tws");
        Definition::from_tws(text, &ReadLimits::default()).expect("a definition of the project")
    });
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = puzzle.scrambles(text, &LIMITS);
    for (_, state) in puzzle.patterns(text, &LIMITS).unwrap_or_default() {
        let again = puzzle.patterns(&puzzle.to_pattern(&state), &LIMITS).expect("its own JSON");
        assert_eq!(again, [(1, state)]);
    }
    let _ = puzzle.with_pattern(text, &LIMITS);
}

fn state(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(cube) = cube::notation::parse_state(text) {
        let facelets = cube::Facelets::from(&cube).to_string();
        assert_eq!(cube::notation::parse_state(&facelets).expect("its own stickers"), cube);
    }
    let _ = cube::cube2::parse_state(text);
    let _ = cube::notation::parse_moves(text);
    let board = tiles::Puzzle15::new();
    if let Ok(state) = board.parse(text) {
        assert_eq!(board.parse(&board.text(&state)).expect("its own numbers"), state);
    }
    let _ = tiles::parse_plan(text);
    let _ = tiles::Puzzle15::parse_goal(text);
}
