//! Table files: every kind of damage is refused with its place, nothing is left behind, and two
//! processes do not build at once.

use super::*;
use search::CancelToken;
use serde_json::json;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

const MIB: usize = 1 << 20;

/// A payload of three chunks, the last one shorter.
pub(super) fn payload() -> Vec<u8> {
    (0..=250).cycle().step_by(7).take(2 * MIB + 5001).collect()
}

pub(super) fn spec(name: &str) -> TableSpec {
    TableSpec {
        name: name.into(),
        description: json!({"domain": "toy", "pattern": [1, 2, 3]}),
        encoding: "bytes".into(),
        entries: 77,
        payload_bytes: payload().len() as u64,
    }
}

pub(super) fn saved() -> (tempfile::TempDir, TableStore, TableSpec) {
    let folder = tempfile::tempdir().expect("folder");
    let store = TableStore::new(folder.path().join("made"));
    let spec = spec("toy");
    store.save(&spec, &payload()).expect("saved");
    (folder, store, spec)
}

/// Changes a file without the store knowing, as a failing disk would. The file's times change, so
/// that its mark no longer counts.
pub(super) fn damage(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = std::fs::read(path).expect("read");
    change(&mut bytes);
    std::fs::write(path, bytes).expect("write");
}

pub(super) fn files(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder)
        .expect("folder")
        .map(|entry| entry.expect("entry").file_name().into_string().expect("a name in UTF-8"));
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

#[test]
fn what_is_saved_is_loaded() {
    let (_folder, store, spec) = saved();
    for load in [Load::Mmap, Load::Ram] {
        assert_eq!(store.load(&spec, load).expect("loaded")[..], payload()[..]);
    }
    let info = store.find(&spec).expect("fine").expect("found");
    assert_eq!((info.entries, info.payload_bytes), (77, spec.payload_bytes));
    assert_eq!((info.encoding.as_str(), info.verified), ("bytes", true));
    assert_eq!((&info.description, info.fingerprint), (&spec.description, spec.fingerprint()));
    assert_eq!(files(&store.folder), ["toy.table", "toy.verified"]);
    let listed = store.list().expect("listed");
    assert!(matches!(&listed[..], [Ok(only)] if *only == info), "{listed:?}");
    assert_eq!(
        store.find(&TableSpec { name: "other".into(), ..spec.clone() }).expect("fine"),
        None
    );
    let progress = AtomicU64::new(0);
    verify(&info.path, &|done, total| {
        assert!(done <= total && total == spec.payload_bytes);
        progress.fetch_max(done, Ordering::Relaxed);
        true
    })
    .expect("whole");
    assert_eq!(progress.into_inner(), spec.payload_bytes);
    assert!(store.remove(&spec).expect("removed"));
    assert!(!store.remove(&spec).expect("nothing to remove"));
    assert_eq!(files(&store.folder), [""; 0], "no lock file is left behind");
    assert!(TableStore::new("/nowhere/at/all").list().expect("empty").is_empty());
}

#[test]
fn an_existing_file_is_not_replaced() {
    let (_folder, store, spec) = saved();
    let error = store.save(&spec, &payload()).expect_err("there already");
    assert!(matches!(error.kind(), TableErrorKind::Exists), "{error}");
    assert_eq!(files(&store.folder), ["toy.table", "toy.verified"]);
}

#[test]
fn every_flipped_bit_is_found_and_placed() {
    let (_folder, store, spec) = saved();
    let path = store.path(&spec.name);
    let offset = 8192;
    for (at, place) in [
        (0, "header, bytes 0..8: not a table file (expected `fewestDB`, found `"),
        (8, "header, bytes 8..12: format version"),
        (20, "header, bytes 0..4096"),
        (60, "header, bytes 0..4096"),
        (200, "header, bytes 0..4096"),
        (4095, "header, bytes 0..4096"),
        (4096, "chunk table, bytes 4096..4108"),
        (4107, "chunk table, bytes 4096..4108"),
        (4108, "padding, byte 4108"),
        (8191, "padding, byte 8191"),
        (offset, "chunk 0, bytes 8192..1056768"),
        (offset + MIB, "chunk 1, bytes 1056768..2105344"),
        (offset + 2 * MIB + 5000, "chunk 2, bytes 2105344..2110345"),
    ] {
        for bit in [0, 7] {
            let flip = |bytes: &mut Vec<u8>| bytes[at] ^= 1 << bit;
            damage(&path, flip);
            let errors = [
                store.load(&spec, Load::Mmap).expect_err("damaged"),
                store.load(&spec, Load::Ram).expect_err("damaged"),
                verify(&path, &|_, _| true).expect_err("damaged"),
            ];
            for error in errors {
                assert_eq!(error.path(), path);
                let message = error.to_string();
                assert!(message.contains(place) && message.contains("toy.table"), "{message}");
            }
            let obtained = store.obtain(
                &spec,
                (Load::Ram, &CancelToken::new()),
                &mut || true,
                || -> Result<_, String> { unreachable!("a refused file is not built over") },
            );
            assert!(matches!(obtained, Err(ObtainError::Table(_))));
            damage(&path, flip);
        }
    }
    assert!(store.load(&spec, Load::Mmap).is_ok());
}

#[test]
fn every_other_length_is_refused() {
    let (_folder, store, spec) = saved();
    let whole = std::fs::read(store.path(&spec.name)).expect("read");
    let length = whole.len();
    for found in [0, 7, 4095, 4096, 4100, 8192, length - 1, length + 1] {
        damage(&store.path(&spec.name), |bytes| {
            *bytes = whole.clone();
            bytes.resize(found, 0);
        });
        let error = store.find(&spec).expect_err("another length");
        let told = error.to_string();
        if matches!(error.kind(), TableErrorKind::Short { .. }) {
            assert!(found < 4096 && told.ends_with("expected at least 4096"), "{told}");
        } else {
            assert!(matches!(error.kind(), TableErrorKind::Length { .. }) && found >= 4096);
        }
        assert!(told.contains(&format!("has {found} bytes, ")), "{told}");
    }
}

#[test]
fn other_versions_and_tables_are_refused() {
    let (_folder, store, spec) = saved();
    let other = TableSpec { description: json!({"domain": "another"}), ..spec.clone() };
    let mark = store.path(&spec.name).with_extension("verified");
    assert!(mark.exists());
    let error = store.load(&other, Load::Mmap).expect_err("another table");
    assert!(!mark.exists(), "a failed check removes the mark");
    assert!(matches!(error.kind(), TableErrorKind::Fingerprint { .. }));
    assert!(error.to_string().contains(r#""domain":"toy""#), "{error}");
    damage(&store.path(&spec.name), |bytes| bytes[8] = 9);
    let error = store.load(&spec, Load::Mmap).expect_err("another version");
    assert!(matches!(error.kind(), TableErrorKind::Version { expected: 1, found: 9 }));
    assert!(matches!(&store.list().expect("listed")[..], [Err(_)]));
}

/// A mark counts only for the state of the file for which it was written.
#[test]
fn a_check_is_remembered_until_the_file_changes() {
    let (_folder, store, spec) = saved();
    let path = store.path(&spec.name);
    let is_verified = || store.find(&spec).expect("fine").expect("found").verified;
    assert!(is_verified());
    let copy = path.with_file_name("copy.table");
    std::fs::copy(&path, &copy).expect("copied");
    std::fs::rename(&copy, &path).expect("renamed");
    assert!(!is_verified());
    store.load(&spec, Load::Mmap).expect("whole");
    assert!(is_verified());
    // A disk tool or a copy may set the time back.
    #[cfg(unix)]
    {
        let time = path.metadata().and_then(|data| data.modified()).expect("a time");
        damage(&path, |bytes| bytes[9000] ^= 1);
        let file = std::fs::OpenOptions::new().write(true).open(&path).expect("opened");
        file.set_modified(time).expect("set back");
        assert!(!is_verified());
        store.load(&spec, Load::Mmap).expect_err("damaged");
    }
}

#[test]
fn a_failed_save_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("folder");
    let store = TableStore::new(folder.path());
    let spec = spec("toy");
    let error = store.save(&spec, &payload()[1..]).expect_err("too short");
    assert!(matches!(error.kind(), TableErrorKind::Spec(_)), "{error}");
    let bad = TableSpec { name: "a/b".into(), ..spec.clone() };
    let error = store.save(&bad, &payload()).expect_err("bad name");
    assert!(matches!(error.kind(), TableErrorKind::Spec(_)), "{error}");
    assert!(files(folder.path()).is_empty());
    #[cfg(unix)]
    {
        // A dangling link takes the name only when the temporary file is to be renamed.
        std::os::unix::fs::symlink("nowhere", store.path(&spec.name)).expect("linked");
        let error = store.save(&spec, &payload()).expect_err("the name is taken");
        assert!(matches!(error.kind(), TableErrorKind::Exists), "{error}");
        assert_eq!(files(folder.path()), ["toy.table"]);
    }
}

#[test]
fn a_table_that_cannot_be_saved_is_still_returned() {
    let folder = tempfile::tempdir().expect("folder");
    let file = folder.path().join("a-file");
    std::fs::write(&file, "in the way").expect("written");
    let build = || {
        let mut memory = crate::memory::BytesMut::zeroed(payload().len())?;
        memory.as_mut_slice().copy_from_slice(&payload());
        Ok::<_, std::io::Error>(memory.freeze())
    };
    let store = TableStore::new(&file);
    let obtained = store
        .obtain(&spec("toy"), (Load::Ram, &CancelToken::new()), &mut || true, build)
        .expect("built");
    assert_eq!(obtained.bytes[..], payload()[..]);
    let error = obtained.saved.expect("built").expect_err("no folder to save in");
    assert!(error.to_string().contains("a-file"), "{error}");
    // The path of the lock file is a folder.
    let store = TableStore::new(folder.path().join("new"));
    let spec = spec("toy");
    std::fs::create_dir_all(store.folder.join("toy.lock"))
        .expect("a folder where the lock should be");
    let obtained =
        store.obtain(&spec, (Load::Ram, &CancelToken::new()), &mut || true, build).expect("built");
    assert_eq!(obtained.bytes[..], payload()[..]);
    let error = obtained.saved.expect("built").expect_err("not saved");
    assert!(matches!(error.kind(), TableErrorKind::NotRegular { .. }), "{error}");
    assert_eq!(files(&store.folder), ["toy.lock"]);
}

/// A payload whose length its build decides is loaded with that length. A longer file than the
/// specification allows is refused.
#[test]
fn a_payload_of_any_length_is_loaded() {
    let folder = tempfile::tempdir().expect("folder");
    let store = TableStore::new(folder.path());
    let up_to =
        |most: u64| move |bytes: u64| TableSpec { payload_bytes: bytes.min(most), ..spec("toy") };
    let builds = AtomicU64::new(0);
    let obtain = |most| {
        let build = || {
            builds.fetch_add(1, Ordering::Relaxed);
            Ok::<_, std::io::Error>(Some(crate::memory::BytesMut::zeroed(3)?.freeze()))
        };
        store.obtain_sized(&up_to(most), (Load::Ram, &CancelToken::new()), &mut || true, build)
    };
    for _ in 0..2 {
        let obtained = obtain(1_000).expect("there or built");
        assert_eq!(obtained.bytes[..], [0; 3]);
        assert!(obtained.saved.is_none_or(|saved| saved.is_ok()));
    }
    assert_eq!(builds.load(Ordering::Relaxed), 1);
    let error = obtain(2).expect_err("too long");
    let kind = |error: &TableError| matches!(error.kind(), TableErrorKind::Fingerprint { .. });
    assert!(matches!(&error, ObtainError::Table(error) if kind(error)), "{error}");
}

#[test]
fn only_one_builds() {
    let folder = tempfile::tempdir().expect("folder");
    let store = TableStore::new(folder.path());
    let spec = spec("toy");
    let lock = store.try_lock(&spec).expect("fine").expect("free");
    assert!(store.try_lock(&spec).expect("fine").is_none());
    assert!(
        store.try_lock(&TableSpec { name: "b".into(), ..spec.clone() }).expect("fine").is_some()
    );
    drop(lock);
    let built = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let build = || {
                    built.fetch_add(1, Ordering::Relaxed);
                    let mut memory = crate::memory::BytesMut::zeroed(payload().len())?;
                    memory.as_mut_slice().copy_from_slice(&payload());
                    Ok::<_, std::io::Error>(memory.freeze())
                };
                let obtained = store
                    .obtain(&spec, (Load::Mmap, &CancelToken::new()), &mut || true, build)
                    .expect("there or built");
                assert_eq!(obtained.bytes[..], payload()[..]);
                assert!(obtained.saved.is_none_or(|saved| saved.is_ok()));
            });
        }
    });
    assert_eq!(built.into_inner(), 1);
    let lock = store.lock(&spec, &mut || true).expect("fine").expect("free");
    let error = store.remove(&spec).expect_err("locked");
    assert!(matches!(error.kind(), TableErrorKind::Locked), "{error}");
    drop(lock);
}

/// A process that opened a lock file before it was removed does not get the lock.
#[cfg(unix)]
#[test]
fn a_removed_lock_file_is_no_lock() {
    let folder = tempfile::tempdir().expect("folder");
    let (store, spec) = (TableStore::new(folder.path()), spec("toy"));
    store.save(&spec, &payload()).expect("saved");
    let lock = store.try_lock(&spec).expect("fine").expect("free");
    let mut asked = 0;
    // While another one waits, the lock file vanishes, and somebody else takes a new one.
    let mut second = None;
    let mut lock = Some(lock);
    let waited = store.lock(&spec, &mut || {
        asked += 1;
        if asked == 1 {
            std::fs::remove_file(folder.path().join("toy.lock")).expect("removed");
            lock = None;
            second = store.try_lock(&spec).expect("fine");
            assert!(second.is_some());
        }
        asked < 3
    });
    assert!(lock.is_none() && second.is_some());
    assert!(waited.expect("fine").is_none(), "the second one still holds the lock");
}

/// Without its lock file, a build does not keep others from building. Each ends with the table.
#[cfg(unix)]
#[test]
fn builds_whose_lock_file_is_removed_save_the_table() {
    let folder = tempfile::tempdir().expect("folder");
    let (store, spec) = (TableStore::new(folder.path()), spec("toy"));
    let bytes = || {
        let mut memory = crate::memory::BytesMut::zeroed(payload().len())?;
        memory.as_mut_slice().copy_from_slice(&payload());
        Ok::<_, std::io::Error>(memory.freeze())
    };
    let obtain = |build: &mut dyn FnMut()| {
        let cancel = CancelToken::new();
        let build = || {
            build();
            bytes()
        };
        let obtained = store.obtain(&spec, (Load::Mmap, &cancel), &mut || false, build);
        obtained.expect("built").saved.expect("built").expect("saved")
    };
    // The lock of the outer build is removed, and an inner one saves the table first.
    let mut inner = Vec::new();
    let outer = obtain(&mut || {
        std::fs::remove_file(folder.path().join("toy.lock")).expect("removed");
        inner.push(obtain(&mut || ()));
    });
    assert_eq!(inner, [outer]);
    assert_eq!(files(folder.path()), ["toy.table", "toy.verified"]);
}

/// A caller can stop waiting for another process.
#[test]
fn a_wait_can_be_called_off() {
    let folder = tempfile::tempdir().expect("folder");
    let store = TableStore::new(folder.path());
    let spec = spec("toy");
    let lock = store.try_lock(&spec).expect("fine").expect("free");
    let mut asked = 0;
    let mut wait = || {
        asked += 1;
        asked < 3
    };
    let build = || -> Result<_, String> { unreachable!("another process builds it") };
    let obtained = store.obtain(&spec, (Load::Mmap, &CancelToken::new()), &mut wait, build);
    assert!(matches!(obtained, Err(ObtainError::Cancelled)), "{obtained:?}");
    assert_eq!(asked, 3);
    drop(lock);
}

/// If the folder cannot be synced, nothing is left behind.
#[test]
fn a_table_whose_folder_cannot_be_synced_is_not_saved() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("toy.table");
    let mut fill = |out: &mut dyn std::io::Write| out.write_all(&payload());
    let sync = |_: &std::path::Path| Err(std::io::Error::other("no sync today"));
    let error = super::write::write_and_sync(&spec("toy"), &mut fill, &path, &|| true, sync)
        .expect_err("no sync");
    assert!(error.to_string().contains("no sync today"), "{error}");
    assert_eq!(files(folder.path()), [""; 0]);
}

/// A check of a large table ends when the caller cancels, and the mark stays as it was.
#[test]
fn a_check_can_be_cancelled() {
    let (_folder, store, spec) = saved();
    let (path, cancel) = (store.path(&spec.name), CancelToken::new());
    cancel.cancel();
    let obtain = |load| {
        let build = || -> Result<_, String> { unreachable!("there is a table") };
        store.obtain(&spec, (load, &cancel), &mut || true, build)
    };
    assert!(matches!(obtain(Load::Ram), Err(ObtainError::Cancelled)));
    assert!(obtain(Load::Mmap).is_ok(), "it is checked already");
    let error = verify(&path, &|_, _| false).expect_err("cancelled");
    assert!(matches!(error.kind(), TableErrorKind::Cancelled), "{error}");
    damage(&path, |_| ());
    assert!(matches!(obtain(Load::Mmap), Err(ObtainError::Cancelled)));
    verify(&path, &|_, _| true).expect("whole");
}

/// If the caller cancels, a file that takes long is given up and leaves nothing behind.
#[test]
fn a_file_that_takes_long_is_given_up() {
    let folder = tempfile::tempdir().expect("folder");
    let store = TableStore::new(folder.path());
    let (spec, cancel) = (spec("toy"), CancelToken::new());
    cancel.cancel();
    let mut slow = |out: &mut dyn std::io::Write| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        out.write_all(&payload())
    };
    let error = store.save_until(&spec, &mut slow, Some(&cancel)).expect_err("cancelled");
    assert!(matches!(error.kind(), TableErrorKind::Cancelled), "{error}");
    assert_eq!(files(folder.path()), [""; 0]);
    store.save_until(&spec, &mut slow, None).expect("nobody cancels");
    assert_eq!(store.load(&spec, Load::Ram).expect("saved")[..], payload()[..]);
}
