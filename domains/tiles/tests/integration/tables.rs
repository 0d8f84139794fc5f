//! Additive tables: they are admissible, give the same values in every layout, and have exactly the
//! counts that Korf and Felner published.

use fewest_tiles::instances::KORF_FELNER_50;
use fewest_tiles::{
    BlankRegion, Board, BoardWord, DirectSums, DirectTables, PatternTable, Placements, Puzzle8,
    Puzzle15, Puzzle24, RankedSums, RankedTables, TableLayout, Tiles, known_partition, patterns,
};
use pdb::BuildOptions;
use search::testing::{Distances, check_heuristic};
use search::{
    Additive, Charged, Claims, Cost, Domain, Heuristic, InversePruning, MaxOfSums, Members, Op,
    Options, Partitioned, Verdict, ida_star,
};
use std::sync::Arc;

pub(crate) fn tables<W: BoardWord, const R: usize, const C: usize>(
    domain: &Tiles<W, R, C>,
    partition: &[Vec<u8>],
    layout: TableLayout,
) -> Vec<Arc<PatternTable>> {
    let table = |pattern: fewest_tiles::TilePattern| {
        let placements = Placements::new(pattern.clone()).unwrap();
        let bytes = PatternTable::build(&placements, layout, &BuildOptions::default()).unwrap();
        Arc::new(PatternTable::new(pattern, layout, bytes).unwrap())
    };
    patterns(domain.grid(), partition).unwrap().into_iter().map(table).collect()
}

/// The sums of members: first for the board itself, then for its reflection, if the puzzle
/// reflects.
pub(crate) fn sums<D: Partitioned>(
    members: &impl Members<D>,
    _: &D,
    patterns: usize,
) -> Vec<Vec<usize>> {
    (0..members.lookups().len()).collect::<Vec<_>>().chunks(patterns).map(<[_]>::to_vec).collect()
}

type Small = (DirectSums<1, 16>, [RankedSums<1, 16>; 2]);

/// The tables of one partition, in each of the three layouts.
type InLayouts = [Vec<Arc<PatternTable>>; 3];

fn in_layouts(domain: &Puzzle8, partition: &[Vec<u8>]) -> InLayouts {
    [TableLayout::Direct, TableLayout::Ranked, TableLayout::Packed]
        .map(|layout| tables(domain, partition, layout))
}

fn heuristics(domain: &Puzzle8, [direct, ranked, packed]: &InLayouts, blank: BlankRegion) -> Small {
    let patterns = direct.len();
    let direct = DirectTables::new(domain, direct, true, blank).unwrap();
    let sums = sums(&direct, domain, patterns);
    let ranked = [ranked, packed].map(|tables| {
        let ranked = RankedTables::new(domain, tables, true, blank).unwrap();
        MaxOfSums::new(domain, ranked, &sums).unwrap()
    });
    (MaxOfSums::new(domain, direct, &sums).unwrap(), ranked)
}

fn partitions(domain: &Puzzle8) -> Vec<Vec<Vec<u8>>> {
    let homes: Vec<u8> = (0..9).filter(|&home| usize::from(home) != domain.blank_home()).collect();
    let split = |sizes: &[usize]| {
        let mut rest = homes.as_slice();
        let take = |&size: &usize| {
            let (pattern, more) = rest.split_at(size);
            rest = more;
            pattern.to_vec()
        };
        sizes.iter().map(take).collect()
    };
    match domain.blank_home() {
        0 => vec![split(&[2, 3, 3]), split(&[6, 2])],
        4 => vec![split(&[1, 2, 5])],
        _ => vec![split(&[4, 4])],
    }
}

/// Checks on every board that no bound is too high. The other laws of heuristics are checked near
/// the goal.
#[test]
fn sums_are_admissible_on_all_boards_of_the_8_puzzle() {
    for goal in ["0 1 2 3 4 5 6 7 8", "1 2 3 4 5 6 7 8 0", "1 2 3 8 0 4 7 6 5"] {
        let domain = Puzzle8::parse_goal(goal).unwrap();
        let [near, all] =
            [16, 40].map(|most| Distances::from_goals(&domain, &[domain.goal()], most));
        for partition in partitions(&domain) {
            let tables = in_layouts(&domain, &partition);
            for blank in [BlankRegion::Forgotten, BlankRegion::Known] {
                let (direct, ranked) = heuristics(&domain, &tables, blank);
                check_heuristic(&domain, &direct, &near).unwrap();
                for ranked in &ranked {
                    check_heuristic(&domain, ranked, &near).unwrap();
                }
                let [ranked, packed] = &ranked;
                let admissible = |board: &Board<u64>, distance: Cost, _: bool| {
                    let sums = [
                        direct.estimate(&domain, board),
                        ranked.estimate(&domain, board),
                        packed.estimate(&domain, board),
                    ];
                    let low = sums.iter().all(|&sum| sum <= distance);
                    if low { Ok(()) } else { Err((*board, sums, distance)) }
                };
                all.try_for_each(admissible).unwrap();
            }
        }
    }
}

/// With all tiles in one pattern, the table has the true distances.
#[test]
fn one_pattern_of_all_tiles_is_perfect() {
    let domain = Puzzle8::new();
    let distances = Distances::from_goals(&domain, &[domain.goal()], 40);
    let tables = in_layouts(&domain, &[(1..9).collect()]);
    let (direct, [ranked, packed]) = heuristics(&domain, &tables, BlankRegion::Known);
    let perfect = |board: &Board<u64>, distance: Cost, _: bool| {
        let all = [
            direct.estimate(&domain, board),
            ranked.estimate(&domain, board),
            packed.estimate(&domain, board),
        ];
        if all == [distance; 3] { Ok(()) } else { Err((*board, all, distance)) }
    };
    distances.try_for_each(perfect).unwrap();
}

/// One member as a heuristic of its own, to compare [`MaxOfSums`] with separate heuristics.
#[derive(Debug)]
struct Alone<'a> {
    members: &'a RankedTables,
    member: usize,
    features: [u64; 1],
}

impl Charged for Alone<'_> {
    fn features(&self) -> &[u64] {
        &self.features
    }
}

impl Heuristic<Puzzle15> for Alone<'_> {
    search::carry_nothing! { Puzzle15 }
    const CLAIMS: Claims = Claims::ADMISSIBLE;
    fn bound(&self, domain: &Puzzle15, board: &Board<u64>, (): &mut (), _: Cost) -> Verdict<u32> {
        Verdict::bound(self.members.value(&self.members.index(domain, board), self.member))
    }
}

/// In every layout, [`MaxOfSums`] generates the same nodes as the maximum of [`Additive`]
/// heuristics, one for each sum.
#[test]
fn sums_side_by_side_generate_the_same_nodes_as_added_tables() {
    let domain = Puzzle15::new();
    let partition = known_partition(4, 4, &[5, 5, 5]).unwrap();
    let pruning = InversePruning;
    let mut random = search::random::Random::new(3);
    for blank in [BlankRegion::Forgotten, BlankRegion::Known] {
        let in_layout = |layout| tables(&domain, &partition, layout);
        let ranked = |layout| RankedTables::new(&domain, &in_layout(layout), true, blank).unwrap();
        let members = ranked(TableLayout::Ranked);
        let direct = in_layout(TableLayout::Direct);
        let direct = DirectTables::<8>::new(&domain, &direct, true, blank).unwrap();
        let sums = sums(&members, &domain, 3);
        let alone = |sum: &Vec<usize>| {
            let lookups = Members::<Puzzle15>::lookups(&members);
            let alone = |&member: &usize| {
                let features = [lookups[member].iter().fold(0, |set, (label, _)| set | 1 << label)];
                Alone { members: &members, member, features }
            };
            Additive::new(&domain, sum.iter().map(alone).collect()).unwrap()
        };
        let added: Vec<_> = sums.iter().map(alone).collect();
        let side_by_side = MaxOfSums::<_, _, 1, 16>::new(&domain, members.clone(), &sums).unwrap();
        let packed = ranked(TableLayout::Packed);
        let packed = MaxOfSums::<_, _, 4, 8>::new(&domain, packed, &sums).unwrap();
        let direct = MaxOfSums::<_, _, 1, 8>::new(&domain, direct, &sums).unwrap();
        let mut start = domain.goal();
        for _ in 0..4 {
            for _ in 0..60 {
                let from = start;
                let ops: Vec<Op> = search::OpSet::members(domain.applicable(&from)).collect();
                domain.apply_into(
                    &from,
                    ops[usize::try_from(random.below(ops.len() as u64)).unwrap()],
                    &mut start,
                );
            }
            let options = Options::default();
            let added = ida_star(&domain, &added, &pruning, &start, &options);
            let ranked = ida_star(&domain, &side_by_side, &pruning, &start, &options);
            let direct = ida_star(&domain, &direct, &pruning, &start, &options);
            assert_eq!(added.iterations, ranked.iterations);
            assert_eq!(added.iterations, direct.iterations);
            // Tables of four bits do not know the blank.
            if blank == BlankRegion::Forgotten {
                let packed = ida_star(&domain, &packed, &pruning, &start, &options);
                assert_eq!(added.iterations, packed.iterations);
            }
        }
    }
}

#[test]
fn tables_that_do_not_fit_are_refused() {
    let domain = Puzzle8::new();
    let tables = tables(&domain, &[vec![1, 2, 3, 4], vec![5, 6, 7, 8]], TableLayout::Ranked);
    assert!(DirectTables::<8>::new(&domain, &tables, true, BlankRegion::Known).is_none());
    let members = RankedTables::new(&domain, &tables, true, BlankRegion::Known).unwrap();
    let refused = |sums: &[Vec<usize>]| {
        MaxOfSums::<_, _, 1, 8>::new(&domain, members.clone(), sums).unwrap_err().to_string()
    };
    assert_eq!(
        refused(&[vec![0, 1], vec![0, 2]]),
        "sum 1: members 0 and 2 of a sum both charge feature 1: their sum would not be admissible"
    );
    assert_eq!(refused(&[vec![0, 4]]), "sum 0 names member 4, and there are 4");
    assert_eq!(refused(&vec![vec![0]; 17]), "17 sums are more than 16");
}

/// Korf and Felner's instances 38, 40 and 25 of the 24-puzzle, each with its generated nodes (2002,
/// table 4). The bound is the maximum of the sums of the board and its reflection.
const KORF_FELNER: [(usize, u64); 3] = [(38, 38_173_507), (40, 65_099_578), (25, 292_174_444)];

#[test]
#[ignore = "slow: four tables of 244 MB, 1 min"]
fn counts_of_korf_and_felner_are_reproduced() {
    let domain = Puzzle24::new();
    let partition = known_partition(5, 5, &[6, 6, 6, 6]).unwrap();
    let tables = tables(&domain, &partition, TableLayout::Direct);
    let members = DirectTables::<16>::new(&domain, &tables, true, BlankRegion::Forgotten).unwrap();
    let sums = sums(&members, &domain, 4);
    let heuristic = MaxOfSums::<_, _, 1, 16>::new(&domain, members, &sums).unwrap();
    let pruning = InversePruning;
    for (number, generated) in KORF_FELNER {
        let line = KORF_FELNER_50.lines().find(|line| line.starts_with(&format!("{number} ")));
        let (line, length) = line.unwrap().rsplit_once(' ').unwrap();
        let (start, length) = (line.split_once(' ').unwrap().1, length.parse().unwrap());
        let start = domain.parse(start).unwrap();
        let report = ida_star(&domain, &heuristic, &pruning, &start, &Options::default());
        assert_eq!((report.lower_bound, report.generated()), (length, generated));
    }
}
