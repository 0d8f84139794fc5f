//! [`TilesHeuristic`]: the heuristic that a name means on a board.

use super::partitions::{MOST_PATTERNS, parse, way};
use super::tables::spec;
use crate::memory::memory_for_work;
use crate::puzzle::TooLittleMemory;
use crate::settings::{ConfigureError, Settings};
use crate::tables::TableSource;
use crate::words::or;
use tiles::{
    BlankRegion, Grid, PatternTable, TableLayout, TilePattern, known_partition, known_sizes,
    patterns, strongest_partitions,
};

/// The heuristics by name. All but `best` are published configurations, which never change.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TilesHeuristic {
    Manhattan,
    LinearConflict,
    KorfTaylor,
    Pairs,
    Triples,
    Tables(Sums),
}

/// The names of the heuristics. Words in capitals stand for what the user chooses.
pub(super) const NAMES: [&str; 8] = [
    "best",
    "manhattan",
    "linear-conflict",
    "korf-taylor",
    "pairs",
    "triples",
    "pdb:A-B-..",
    "tables:PARTITIONS",
];

/// Pattern databases of one or more partitions. The bound is the greatest of the sums: one for each
/// partition and, if `reflected`, one for its reflection.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sums {
    pub(crate) patterns: Vec<TilePattern>,
    /// For each partition: the indices of its patterns.
    pub(super) sums: Vec<Vec<usize>>,
    pub(super) reflected: bool,
    pub(super) blank: BlankRegion,
    pub(super) layout: TableLayout,
}

/// Most partitions. The sums of a search are these and their reflections.
const MOST_PARTITIONS: usize = 12;
/// Most patterns of all partitions together. With their reflections, a search has room for 64.
const MOST_TABLES: usize = 31;

/// Rows and columns of the common boards. They use tables in the layout [`TableLayout::Direct`] if
/// these fit.
const COMMON: [(usize, usize); 3] = [(4, 4), (4, 5), (5, 5)];

/// A direct table is used only if it is at most this many times as large as the ranked one.
///
/// Measured: direct tables of 1.9 and 2.1 times the size are faster. The direct table of the
/// 8-puzzle has 119 times the size, and a search takes 1.7 times as long.
const MOST_UNUSED: u64 = 4;

/// Most bytes of tables that `best` builds for a board without a known strong partition, however
/// large the memory is.
const MOST_BLOCK_BYTES: u64 = 600_000_000;

impl Sums {
    /// The number of tiles of each pattern, such as `5-5-5`.
    pub(super) fn sizes(&self) -> String {
        let sizes = self.patterns.iter().map(|pattern| pattern.goals.len().to_string());
        sizes.collect::<Vec<_>>().join("-")
    }

    /// Bytes of all tables.
    pub(super) fn bytes(&self) -> u64 {
        let bytes = |pattern| PatternTable::bytes_for(pattern, self.layout);
        self.patterns.iter().map(bytes).fold(0, u64::saturating_add)
    }

    /// Each sum as indices of members. The first members are the tables. If there are more, the
    /// others are the same tables, read on the reflected board.
    pub(super) fn lists(&self, members: usize) -> Vec<Vec<usize>> {
        let tables = self.patterns.len();
        let mut lists = self.sums.clone();
        if members > tables {
            let reflected = |list: &Vec<usize>| list.iter().map(|member| member + tables).collect();
            lists.extend(self.sums.iter().map(reflected));
        }
        lists
    }

    /// The sums of partitions, each given by its patterns. Equal patterns share one table.
    fn numbered(
        partitions: Vec<Vec<TilePattern>>,
        reflected: bool,
        blank: BlankRegion,
        layout: TableLayout,
    ) -> Self {
        let mut patterns: Vec<TilePattern> = Vec::new();
        let mut number = |pattern: TilePattern| {
            patterns.iter().position(|known| *known == pattern).unwrap_or_else(|| {
                patterns.push(pattern);
                patterns.len() - 1
            })
        };
        let sums =
            partitions.into_iter().map(|patterns| patterns.into_iter().map(&mut number).collect());
        let sums = sums.collect();
        Self { patterns, sums, reflected, blank, layout }
    }

    /// Whether all tables fit `most` bytes, and each table without a file can be built: on disk, or
    /// in the memory of the settings. If tables are saved, a built table is freed before the next
    /// is built.
    fn fits(&self, settings: &Settings, most: u64) -> bool {
        let (source, all) = (TableSource::new(settings), self.bytes());
        let fits = |pattern: &TilePattern| {
            let bytes = PatternTable::bytes_for(pattern, self.layout);
            let held = if source.saves() { 0 } else { all - bytes };
            let build = PatternTable::bytes_to_build(pattern, self.layout);
            let has = || source.has(&spec(pattern, self.layout).name);
            settings.disk.is_some() || build <= settings.work_memory(held) || has()
        };
        all <= most && self.patterns.iter().all(fits)
    }

    /// As [`Sums::numbered`], in the fastest layout that fits `most` bytes and can be built. `None`
    /// if none does.
    fn of(
        partitions: Vec<Vec<TilePattern>>,
        reflected: bool,
        blank: BlankRegion,
        (settings, most): (&Settings, u64),
    ) -> Option<Self> {
        let direct = Self::numbered(partitions, reflected, blank, TableLayout::Direct);
        let possible = |p: &TilePattern| {
            let bytes = |layout| PatternTable::bytes_for(p, layout);
            let (direct, ranked) = (bytes(TableLayout::Direct), bytes(TableLayout::Ranked));
            let common = COMMON.contains(&(p.rows, p.columns));
            common && direct >> 32 == 0 && direct <= ranked.saturating_mul(MOST_UNUSED)
        };
        if direct.patterns.iter().all(possible) && direct.fits(settings, most) {
            return Some(direct);
        }
        let layouts = [TableLayout::Ranked, TableLayout::Packed].into_iter();
        layouts
            .map(|layout| Self { layout, ..direct.clone() })
            .find(|sums| sums.fits(settings, most))
    }
}

impl TilesHeuristic {
    /// The tables of the heuristic. `None` if it has none.
    pub(super) fn sums(&self) -> Option<&Sums> {
        match self {
            Self::Tables(sums) => Some(sums),
            _ => None,
        }
    }

    pub(super) fn new(name: &str, grid: Grid, settings: &Settings) -> Result<Self, ConfigureError> {
        let heuristic = settings.heuristic.name();
        match heuristic {
            "manhattan" => Ok(Self::Manhattan),
            "linear-conflict" => Ok(Self::LinearConflict),
            "korf-taylor" if grid.is_home_in_corner() => Ok(Self::KorfTaylor),
            "korf-taylor" => Err(ConfigureError::invalid(
                "korf-taylor is for goals with the blank in a corner: \
                 expected best, manhattan, linear-conflict, pairs, triples or tables:PARTITIONS",
            )),
            "pairs" => Ok(Self::Pairs),
            "triples" => Ok(Self::Triples),
            "best" => Ok(best(grid, settings)),
            _ => match heuristic.split_once(':') {
                Some(("pdb", sizes)) => published(name, grid, sizes, settings),
                Some(("tables", partitions)) => named(grid, partitions, settings),
                _ => {
                    let offered = offered(grid.rows, grid.columns);
                    let names = NAMES.iter();
                    let named = |&name| if name == "pdb:A-B-.." { &*offered } else { name };
                    let expected: Vec<&str> = names.map(named).collect();
                    Err(settings.heuristic.unknown(name, &or(&expected)))
                }
            },
        }
    }
}

/// The names of the known partitions of a board.
fn offered(rows: usize, columns: usize) -> String {
    let dashed =
        |sizes: Vec<usize>| sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join("-");
    let names: Vec<_> =
        known_sizes(rows, columns).map(|sizes| format!("pdb:{}", dashed(sizes))).collect();
    if names.is_empty() {
        "no pdb:A-B-.. (no partition of this board is known)".to_owned()
    } else {
        names.join(", ")
    }
}

/// The heuristic `pdb:7-8` or `pdb:7-8/plain` (without reflections): a partition of Korf and
/// Felner. Its tables ignore the place of the blank.
fn published(
    name: &str,
    grid: Grid,
    text: &str,
    settings: &Settings,
) -> Result<TilesHeuristic, ConfigureError> {
    let (text, reflected) = text.strip_suffix("/plain").map_or((text, true), |text| (text, false));
    let unknown = || {
        let offered = offered(grid.rows, grid.columns);
        ConfigureError::invalid(format!(
            "pdb:{text}: no such partition of {name} is known: \
             expected {offered}, or the same with /plain"
        ))
    };
    let sizes: Result<Vec<usize>, _> = text.split('-').map(str::parse).collect();
    let sizes = sizes.map_err(|_| unknown())?;
    let partition = known_partition(grid.rows, grid.columns, &sizes).ok_or_else(unknown)?;
    let patterns = of_goal(grid, &partition).map_err(|_| {
        ConfigureError::invalid(format!(
            "pdb:{text} is for goals with the blank in a corner: \
             expected best, or tables:PARTITIONS"
        ))
    })?;
    fitting(vec![patterns], reflected, BlankRegion::Forgotten, settings)
}

/// The heuristic `tables:1.2.3-4.5.6.7.8+..`: the greatest sum of the partitions that the name
/// lists. Lookups use the place of the blank ([`BlankRegion::Known`]).
fn named(grid: Grid, text: &str, settings: &Settings) -> Result<TilesHeuristic, ConfigureError> {
    let wrong = |error| ConfigureError::invalid(format!("tables: {error}"));
    let of =
        |partition: &Vec<Vec<u8>>| patterns(grid, partition).map_err(|error| error.to_string());
    let partitions = parse(text).and_then(|partitions| partitions.iter().map(of).collect());
    let partitions: Vec<_> = partitions.map_err(wrong)?;
    let members: usize = partitions.iter().map(Vec::len).sum();
    if let Some(wide) = partitions.iter().find(|partition| partition.len() > MOST_PATTERNS) {
        let message =
            format!("a partition of {} patterns: expected at most {}", wide.len(), MOST_PATTERNS);
        return Err(wrong(message));
    }
    if partitions.len() > MOST_PARTITIONS || members > MOST_TABLES {
        let message = format!(
            "{} partitions of {members} patterns in all: \
             expected at most {MOST_PARTITIONS} of {MOST_TABLES}",
            partitions.len()
        );
        return Err(wrong(message));
    }
    fitting(partitions, true, BlankRegion::Known, settings)
}

/// Sums that the user asked for, if they fit the memory. With a folder for layers, they may have
/// any size: what fits neither the memory nor 1 GiB gets the smallest layout.
fn fitting(
    partitions: Vec<Vec<TilePattern>>,
    reflected: bool,
    blank: BlankRegion,
    settings: &Settings,
) -> Result<TilesHeuristic, ConfigureError> {
    let packed = |pattern: &TilePattern| PatternTable::bytes_for(pattern, TableLayout::Packed);
    let needed: u64 = partitions.iter().flatten().map(packed).sum();
    // The builds of the smallest form may need more.
    let build = |pattern| PatternTable::bytes_to_build(pattern, TableLayout::Packed);
    let build = partitions.iter().flatten().map(build).max().unwrap_or(0);
    let needed = needed.max(memory_for_work(build));
    let most = settings.chosen_memory();
    let sums = Sums::of(partitions.clone(), reflected, blank, (settings, most));
    let small = || Sums::numbered(partitions, reflected, blank, TableLayout::Packed);
    let sums = sums.or_else(|| settings.disk.is_some().then(small)).map(TilesHeuristic::Tables);
    sums.ok_or_else(|| TooLittleMemory::new(&settings.heuristic, needed, settings.memory).into())
}

/// The patterns of a known partition, which is listed for a blank at home on square 0.
///
/// The partition is mirrored into the corner where the blank is at home on this board.
fn of_goal(grid: Grid, partition: &[Vec<u8>]) -> Result<Vec<TilePattern>, tiles::PartitionError> {
    let Grid { rows, columns, blank_home } = grid;
    let (row, column) = grid.place(blank_home);
    let mirrored = |home: &u8| {
        let (r, c) = grid.place((*home).into());
        let r = if row == 0 { r } else { rows - 1 - r };
        let c = if column == 0 { c } else { columns - 1 - c };
        u8::try_from(r * columns + c).unwrap_or(u8::MAX)
    };
    let partition: Vec<Vec<u8>> =
        partition.iter().map(|pattern| pattern.iter().map(mirrored).collect()).collect();
    patterns(grid, &partition)
}

/// The strongest tables that fit the memory; without any, the strongest heuristic without tables.
fn best(grid: Grid, settings: &Settings) -> TilesHeuristic {
    let of = |partition: &Vec<Vec<u8>>| of_goal(grid, partition).ok();
    let strongest = strongest_partitions(grid.rows, grid.columns);
    let mut known = strongest.iter().filter_map(|(layout, partitions)| {
        let partitions = partitions.iter().map(of).collect::<Option<_>>()?;
        let sums = Sums::numbered(partitions, true, BlankRegion::Known, *layout);
        Some(sums).filter(|sums| sums.fits(settings, settings.chosen_memory()))
    });
    let mut blocks = (1..=8).rev().filter_map(|size| {
        let blocks = patterns(grid, &blocks(grid, size)).ok()?;
        let blocks = vec![Some(blocks).filter(|blocks| blocks.len() <= MOST_PATTERNS)?];
        let most = settings.chosen_memory().min(MOST_BLOCK_BYTES);
        let modest = settings.clone().memory(settings.memory.min(most));
        Sums::of(blocks, true, BlankRegion::Known, (&modest, most))
    });
    match known.next().or_else(|| blocks.next()) {
        Some(sums) => TilesHeuristic::Tables(sums),
        None if grid.is_home_in_corner() => TilesHeuristic::KorfTaylor,
        None => TilesHeuristic::LinearConflict,
    }
}

/// Most bytes of the first tables of [`steps`].
const LEAST_BYTES: u64 = 5 << 20;

/// The factor from the bytes of one step to those of the next.
const STEP: u64 = 16;

/// Smaller tables for the time before the tables of `best` are built, smallest first. With these,
/// all fit the memory.
pub(super) fn steps(grid: Grid, settings: &Settings, full: &Sums) -> Vec<Sums> {
    let (mut steps, mut limit) = (Vec::<Sums>::new(), LEAST_BYTES);
    let mut left = settings.chosen_memory().saturating_sub(full.bytes());
    // A folder for layers would allow tables of any size.
    let mut settings = settings.clone();
    settings.disk = None;
    while limit.saturating_mul(STEP) <= full.bytes() {
        if let TilesHeuristic::Tables(sums) = best(grid, &settings.clone().memory(limit))
            && sums.bytes() <= left
            && steps.last().is_none_or(|last| last.bytes() < sums.bytes())
        {
            left -= sums.bytes();
            steps.push(sums);
        }
        limit = limit.saturating_mul(STEP);
    }
    steps
}

/// A partition of all tiles into as few patterns of at most `size` tiles as possible. All have
/// about the same size.
///
/// Each pattern is a piece of the path [`way`].
fn blocks(grid: Grid, size: usize) -> Vec<Vec<u8>> {
    let homes = way(grid, grid.rows > grid.columns);
    let count = homes.len().div_ceil(size);
    let end = |block: usize| block * homes.len() / count;
    (0..count).map(|block| homes[end(block)..end(block + 1)].to_vec()).collect()
}
