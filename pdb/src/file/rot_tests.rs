//! Tests of disks that rot, of paths that are not regular files, and of files that killed builds
//! leave.

use super::tests::{damage, files, payload, saved, spec};
use super::*;
use crate::memory::{Bytes, BytesMut};
use search::CancelToken;
use std::path::Path;

/// Obtains a table whose file exists.
fn obtained(store: &TableStore, spec: &TableSpec) -> Result<TablePayload, ObtainError<String>> {
    store.obtain(spec, (Load::Mmap, &CancelToken::new()), &mut || true, || {
        unreachable!("there is a table")
    })
}

fn built(store: &TableStore, spec: &TableSpec) -> TablePayload {
    let build = || {
        let mut memory = BytesMut::zeroed(payload().len())?;
        memory.as_mut_slice().copy_from_slice(&payload());
        Ok::<Bytes, std::io::Error>(memory.freeze())
    };
    store.obtain(spec, (Load::Mmap, &CancelToken::new()), &mut || true, build).expect("built")
}

/// Rewrites the mark as if it had been written before the last boot, for the file in its present
/// state.
#[cfg(unix)]
fn date_back(path: &Path) {
    use std::os::unix::fs::MetadataExt;
    let mark = path.with_extension("verified");
    let (file, old) = (path.metadata().expect("a file"), std::fs::read_to_string(&mark));
    let old = old.expect("a mark");
    let mut words: Vec<_> = old.lines().next().expect("a line").split(' ').collect();
    let changed = format!("{}.{:09}", file.mtime(), file.mtime_nsec());
    let inode = format!("{}.{:09}", file.ctime(), file.ctime_nsec());
    (words[3], words[4]) = (&changed, &inode);
    std::fs::write(&mark, words.join(" ") + "\nboot before mount 1\n").expect("written");
}

/// Bytes that rot below the file system do not change the times of the file. So a boot makes a new
/// check necessary.
#[cfg(unix)]
#[test]
fn a_table_is_checked_again_after_a_boot() {
    let (_folder, store, spec) = saved();
    let path = store.path(&spec.name);
    assert!(obtained(&store, &spec).expect("right").check.is_none(), "checked in this boot");
    date_back(&path);
    let right = obtained(&store, &spec).expect("not checked yet");
    right.check.expect("a check").run(&CancelToken::new()).expect("right");
    assert!(obtained(&store, &spec).expect("right").check.is_none(), "checked in this boot");
    damage(&path, |bytes| bytes[9000] ^= 1);
    date_back(&path);
    let check = obtained(&store, &spec).expect("not checked yet").check.expect("a check");
    let error = check.run(&CancelToken::new()).expect_err("damaged");
    assert!(error.to_string().contains("chunk 0, bytes 8192..1056768"), "{error}");
    assert!(obtained(&store, &spec).is_err(), "the mark is gone");
    date_back_of_other(&store, &path);
    store.load(&spec, Load::Mmap).expect_err("a load checks at once");
}

#[cfg(unix)]
fn date_back_of_other(store: &TableStore, path: &Path) {
    let other = spec("other");
    store.save(&other, &payload()).expect("saved");
    let mark = store.path("other").with_extension("verified");
    std::fs::copy(mark, path.with_extension("verified")).expect("copied");
    date_back(path);
}

/// A failed check removes the mark, so that no later load trusts the file.
#[cfg(unix)]
#[test]
fn a_failed_check_drops_the_mark() {
    let (_folder, store, spec) = saved();
    let path = store.path(&spec.name);
    let mark = path.with_extension("verified");
    let saved = std::fs::read_to_string(&mark).expect("a mark");
    damage(&path, |bytes| bytes[9000] ^= 1);
    let checks: [&dyn Fn() -> bool; 3] = [
        &|| verify(&path, &|_, _| true).is_err(),
        &|| store.load(&spec, Load::Ram).is_err(),
        &|| store.load(&spec, Load::Mmap).is_err(),
    ];
    for fails in checks {
        std::fs::write(&mark, &saved).expect("written");
        assert!(fails() && !mark.exists());
    }
    // These bytes are in the header, in the description and in the chunk table.
    for at in [20, 200, 4096] {
        damage(&path, |bytes| bytes[at] ^= 1);
        std::fs::write(&mark, &saved).expect("written");
        assert!(store.find(&spec).is_err() && !mark.exists(), "byte {at}");
        damage(&path, |bytes| bytes[at] ^= 1);
    }
}

/// A header whose fingerprint does not match its description is refused.
#[test]
fn a_header_whose_fingerprint_is_another_ones_is_found() {
    let (_folder, store, spec) = saved();
    let path = store.path(&spec.name);
    damage(&path, |bytes| {
        let at = bytes.windows(4).position(|word| word == b"ring" || word == b"\"toy");
        bytes[at.expect("the description") + 1] = b'b';
        let crc = crc32fast::hash(&bytes[..4092]).to_le_bytes();
        bytes[4092..4096].copy_from_slice(&crc);
    });
    let error = verify(&path, &|_, _| true).expect_err("forged");
    assert!(matches!(error.kind(), TableErrorKind::Fingerprint { .. }), "{error}");
}

#[cfg(unix)]
#[test]
fn links_and_pipes_are_refused_at_once_and_can_be_removed() {
    let (folder, store, spec) = saved();
    let path = store.path(&spec.name);
    let elsewhere = folder.path().join("elsewhere");
    std::fs::rename(&path, &elsewhere).expect("moved");
    for target in [elsewhere.as_path(), Path::new("nowhere")] {
        std::os::unix::fs::symlink(target, &path).expect("linked");
        let error = store.load(&spec, Load::Mmap).expect_err("a link");
        assert!(error.to_string().ends_with("it is a symbolic link, expected a regular file"));
        assert!(matches!(&store.list().expect("listed")[..], [Err(_)]));
        assert!(store.remove(&spec).expect("removed"));
    }
    assert!(elsewhere.exists());
    pipe(&path);
    let error = store.load(&spec, Load::Ram).expect_err("a pipe");
    assert!(error.to_string().ends_with("it is a pipe or a device, expected a regular file"));
    assert!(store.remove(&spec).expect("removed"));
    // A lock file must not be a pipe either. It goes with its table, and is a leftover without one.
    let lock = path.with_extension("lock");
    store.save(&spec, &payload()).expect("saved");
    pipe(&lock);
    store.try_lock(&spec).expect_err("a pipe");
    assert!(store.remove(&spec).expect("removed"));
    assert_eq!(files(&store.folder), [""; 0]);
    pipe(&lock);
    let left = store.leftovers().expect("listed");
    assert_eq!((left.len(), &left[0].path), (1, &lock));
    assert!(store.remove_leftover(&left[0]));
    assert_eq!(files(&store.folder), [""; 0]);
}

#[cfg(unix)]
fn pipe(path: &Path) {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    mknodat(CWD, path, FileType::Fifo, Mode::RWXU, 0).expect("a pipe");
}

/// If the mark's path is a link, the mark replaces the link. It is not written to the link's
/// target.
#[cfg(unix)]
#[test]
fn a_mark_is_never_written_through_a_link() {
    let (folder, store, spec) = saved();
    let mark = store.path(&spec.name).with_extension("verified");
    let victim = folder.path().join("victim");
    std::fs::write(&victim, "precious").expect("written");
    for place in ["victim", "/dev/zero"] {
        std::fs::remove_file(&mark).expect("removed");
        std::os::unix::fs::symlink(folder.path().join(place), &mark).expect("linked");
        store.load(&spec, Load::Mmap).expect("right");
        assert!(mark.symlink_metadata().expect("a mark").is_file());
    }
    assert_eq!(std::fs::read_to_string(&victim).expect("there"), "precious");
    std::fs::remove_file(&mark).expect("removed");
    pipe(&mark);
    store.load(&spec, Load::Mmap).expect("right");
    assert!(mark.symlink_metadata().expect("a mark").is_file());
}

#[test]
fn what_killed_builds_left_is_found_and_removed_under_the_lock() {
    let folder = tempfile::tempdir().expect("folder");
    let (store, own) = (TableStore::new(folder.path()), spec("toy"));
    let put = |name: &str| std::fs::write(folder.path().join(name), "left").expect("written");
    let names = |leftovers: &[Leftover]| -> Vec<String> {
        let name = |one: &Leftover| one.path.file_name().map(|name| name.to_string_lossy().into());
        leftovers.iter().filter_map(name).collect()
    };
    let left = [".toy-layer-3.a1b2c3.tmp", ".toy.Ab12cD.tmp", "toy.lock"];
    let others = [".toy.x.Ab12cD.tmp", "toy.x-layer-2.table", "toy.tmp"];
    left.iter().chain(&others).for_each(|name| put(name));
    let found = store.leftovers().expect("listed");
    assert_eq!(names(&found), [left[0], ".toy.Ab12cD.tmp", ".toy.x.Ab12cD.tmp", "toy.lock"]);
    // No table has a blank in its name, so no build left such files.
    for name in ["a b.lock", ".a b.Ab12cD.tmp"] {
        put(name);
        assert_eq!(store.leftovers().expect("listed"), found);
        std::fs::remove_file(folder.path().join(name)).expect("removed");
    }
    // While a build holds the lock, its files are not removed.
    let lock = store.try_lock(&own).expect("fine").expect("free");
    assert_eq!(names(&store.leftovers().expect("listed")), [".toy.x.Ab12cD.tmp"]);
    assert!(!store.remove_leftover(&found[0]) && !store.remove_leftover(&found[1]));
    drop(lock);
    // The next build of the table removes its leftovers, and keeps those of another table.
    put("toy-layer-2.table");
    built(&store, &own).saved.expect("built").expect("saved");
    let there =
        [".toy.x.Ab12cD.tmp", "toy.table", "toy.tmp", "toy.verified", "toy.x-layer-2.table"];
    assert_eq!(files(folder.path()), there);
    // Saved layers of a complete table are leftovers.
    put("toy-layer-7.table");
    let found = store.leftovers().expect("listed");
    assert_eq!(names(&found), [there[0], "toy-layer-7.table"]);
    assert!(found.iter().all(|one| store.remove_leftover(one)));
    assert_eq!(files(folder.path()), there[1..]);
}
