//! All states, layer by layer.

use super::on_ranks;
use fewest::cube::CubeMetric;
use fewest::cube::cube2::PocketAbstraction;
use fewest::pdb::file::TableStore;
use fewest::pdb::{Abstraction, ColumnMap, Edge};
use fewest::search::CancelToken;
use fewest_cluster::{Comm, LayerOptions, LayersError, count_layers};
use std::fs;
use std::path::Path;

/// The 3,674,160 states of the 2x2x2 by half-turn distance (OEIS A079761).
const HALF_TURNS: [u64; 12] =
    [1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644];

/// A path of so many entries, from a goal at its begin. Edges cost `cost`.
struct Relay {
    entries: u64,
    cost: u8,
}

impl Abstraction for Relay {
    fn shape(&self) -> (u64, usize) {
        (self.entries, 1)
    }
    fn goals(&self, out: &mut Vec<u64>) {
        out.push(0);
    }
    fn edges(&self, row: u64, out: &mut Vec<Edge>) {
        let next = [row.checked_sub(1), Some(row + 1).filter(|&next| next < self.entries)];
        let next = next.into_iter().flatten();
        out.extend(next.map(|row| Edge { row, map: 0, cost: self.cost }));
    }
    fn column_map(&self, _: u32) -> ColumnMap<'_> {
        ColumnMap::IDENTITY
    }
}

fn options(folder: Option<&Path>, name: &str) -> LayerOptions {
    let folder = folder.map(Path::to_owned);
    LayerOptions { folder, description: name.into(), cancel: CancelToken::new() }
}

/// The layers that a folder has files of.
pub(super) fn saved_layers(folder: &Path) -> Vec<usize> {
    let mut layers: Vec<usize> = TableStore::new(folder)
        .list()
        .unwrap()
        .into_iter()
        .map(|file| file.unwrap())
        .filter(|file| file.encoding == "layers of ranks")
        .map(|file| file.description["layer"].as_u64().unwrap().try_into().unwrap())
        .collect();
    layers.sort_unstable();
    layers
}

/// Counts on so many ranks, and cancels when this layer is complete.
fn counted(
    ranks: usize,
    abstraction: &(dyn Abstraction + Sync),
    options: &LayerOptions,
    last: usize,
) -> Vec<Result<Vec<u64>, LayersError>> {
    on_ranks(ranks, |comm| {
        let options = LayerOptions { cancel: CancelToken::new(), ..options.clone() };
        count_layers(comm, abstraction, &options, &mut |depth, _| {
            if depth == last {
                options.cancel.cancel();
            }
        })
    })
}

#[test]
fn the_small_cube_on_any_number_of_ranks() {
    let cube = PocketAbstraction::new(CubeMetric::HalfTurn);
    for ranks in [1, 2, 3] {
        for layers in counted(ranks, &cube, &options(None, "cube"), usize::MAX) {
            assert_eq!(layers.unwrap(), HALF_TURNS);
        }
    }
}

#[test]
fn a_count_goes_on_with_another_number_of_ranks() {
    let cube = PocketAbstraction::new(CubeMetric::HalfTurn);
    let folder = tempfile::tempdir().unwrap();
    let options = options(Some(folder.path()), "cube");
    for (ranks, last) in [(3, 5), (1, 7), (4, 8)] {
        let found = counted(ranks, &cube, &options, last);
        assert!(found.iter().all(|layers| *layers == Err(LayersError::Cancelled)), "{found:?}");
        assert_eq!(saved_layers(folder.path()), [last]);
        // The parts of this layer, and perhaps of the next one: no older ones.
        let parts = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path());
        let parts = parts.filter(|path| path.to_string_lossy().contains("-part-"));
        assert!(parts.count() <= 2 * ranks, "{ranks} ranks, layer {last}");
    }
    for layers in counted(2, &cube, &options, usize::MAX) {
        assert_eq!(layers.unwrap(), HALF_TURNS);
    }
}

#[test]
fn lines_of_all_lengths() {
    for entries in [1, 2, 63, 64, 65, 200] {
        let line = Relay { entries, cost: 1 };
        for ranks in [1, 2, 4] {
            for layers in counted(ranks, &line, &options(None, ""), usize::MAX) {
                let layers = layers.unwrap();
                assert_eq!(layers.len() as u64, entries);
                assert!(layers.iter().all(|&count| count == 1), "{layers:?}");
            }
        }
    }
}

/// Ranks of several machines may have folders of their own, by mistake.
#[test]
fn folders_that_are_not_shared_are_refused() {
    let line = Relay { entries: 300, cost: 1 };
    let folder = tempfile::tempdir().unwrap();
    let own = options(Some(folder.path()), "line");
    counted(2, &line, &own, 20);
    let found = on_ranks(2, |comm| {
        let elsewhere = folder.path().join(comm.rank().to_string());
        let mine = if comm.rank() == 0 { folder.path() } else { &*elsewhere };
        count_layers(comm, &line, &options(Some(mine), "line"), &mut |_, _| {})
    });
    for found in found {
        let Err(LayersError::Checkpoint(why)) = found else { panic!("{found:?}") };
        assert!(why.contains("expected a folder that all ranks share"), "{why}");
    }
}

#[test]
fn what_cannot_be_counted_is_refused_by_all_ranks() {
    let weighted = Relay { entries: 300, cost: 2 };
    let found = counted(3, &weighted, &options(None, ""), usize::MAX);
    assert_eq!(found, vec![Err(LayersError::Weighted); 3]);
}

#[test]
fn damage_is_found_by_all_ranks() {
    let line = Relay { entries: 300, cost: 1 };
    let folder = tempfile::tempdir().unwrap();
    let own = options(Some(folder.path()), "line");
    counted(2, &line, &own, 20);
    let other = counted(2, &line, &options(Some(folder.path()), "other"), usize::MAX);
    for found in other {
        let Err(LayersError::Checkpoint(why)) = found else { panic!("{found:?}") };
        assert!(why.contains("layer-20.table") && why.contains(r#""of":"line""#), "{why}");
    }
    let part = folder.path().join("layer-20-part-1-of-2.table");
    let mut bytes = fs::read(&part).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&part, bytes).unwrap();
    let found = counted(2, &line, &own, usize::MAX);
    assert_eq!(found[0], Err(LayersError::Elsewhere));
    assert!(matches!(&found[1], Err(LayersError::Checkpoint(why)) if why.contains("checksum")));
    fs::remove_file(&part).unwrap();
    let found = counted(1, &line, &own, usize::MAX);
    assert!(matches!(&found[0], Err(LayersError::Checkpoint(why)) if why.contains("part-1")));
}
