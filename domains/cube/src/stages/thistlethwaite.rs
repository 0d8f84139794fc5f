//! Morwen Thistlethwaite's chain of subgroups: [`Thistlethwaite`].

use crate::cube::Cube;
use crate::domain::CubeMetric;
use crate::two_phase::{FaceTurns, InMetric};
use groups::{GroupError, Permutation};
use pdb::{BuildError, BuildOptions, SubgroupActions, SubgroupChain, SubgroupError, SubgroupStage};
use search::{Cost, Domain, Limits, Op, Options, Report, StagedReport};

/// The four stages of Morwen Thistlethwaite (1981; described by Joe Fowler, thesis, 2002,
/// section 3.1), each with an exact table.
///
/// | stage | moves | what it reaches | cosets | most moves |
/// |---|---|---|---|---|
/// | 1 | all | no edge flipped: U, D, R, L and the half turns of F and B suffice | 2,048 | 7 |
/// | 2 | U D R L F2 B2 | no corner twisted, the slice's edges in the slice | 1,082,565 | 10 |
/// | 3 | U D R2 L2 F2 B2 | half turns suffice | 29,400 | 13 |
/// | 4 | U2 D2 R2 L2 F2 B2 | solved | 663,552 | 15 |
///
/// The moves are those of the half-turn metric. In the quarter-turn metric a half turn costs 2.
/// Thistlethwaite's own tables had 7, 13, 15 and 17 moves: he simplified the middle stages.
///
/// The tables are derived from the moves alone ([`SubgroupChain`]). They take 1.9 MB.
#[derive(Debug)]
pub struct Thistlethwaite {
    domain: FaceTurns,
    chain: SubgroupChain<CubeView>,
}

/// A function that turns a cube into a permutation of points.
pub type CubeView = fn(&Cube) -> Permutation;

/// The number of points: one for each corner slot and twist, and for each edge slot and flip.
const POINTS: usize = 48;

/// The most entries of a table.
const MOST: u32 = 1 << 21;

/// A cube as a permutation of points. A point is a slot and an orientation. Its image says where
/// the piece at home in the slot lies, and how.
fn permutation(cube: &Cube) -> Permutation {
    let mut images = [0; POINTS];
    for slot in 0..8 {
        let (home, twist) = (usize::from(cube.corner(slot)), usize::from(cube.twist(slot)));
        for turn in 0..3 {
            images[3 * home + turn] = 3 * slot + (turn + twist) % 3;
        }
    }
    for slot in 0..12 {
        let (home, flip) = (usize::from(cube.edge(slot)), usize::from(cube.flip(slot)));
        for turn in 0..2 {
            images[24 + 2 * home + turn] = 24 + 2 * slot + (turn + flip) % 2;
        }
    }
    let images = images.map(|image| u16::try_from(image).unwrap_or(u16::MAX));
    Permutation::new(images.to_vec()).unwrap_or_else(|error| unreachable!("a cube: {error}"))
}

/// The face turns, as permutations of points.
fn actions(domain: &FaceTurns) -> SubgroupActions {
    let action = |op: Op| (permutation(&Cube::SOLVED.turned(op.index())), domain.cost(op));
    SubgroupActions {
        points: POINTS,
        operators: (0..domain.operators()).map(|op| action(Op::new(op))).collect(),
        components: vec![(0..24).collect(), (24..48).collect()],
    }
}

/// The operators of each stage. `quarters` has the faces with quarter turns, by their numbers.
fn stages() -> Vec<Vec<Op>> {
    let stage = |quarters: &[usize]| {
        let has = |op: &Op| FaceTurns::is_half(*op) || quarters.contains(&(op.index() / 3));
        (0..18).map(Op::new).filter(has).collect()
    };
    vec![stage(&[0, 1, 2, 3, 4, 5]), stage(&[0, 1, 3, 4]), stage(&[0, 3]), stage(&[])]
}

impl Thistlethwaite {
    /// Builds the tables, on the current thread pool, in a fraction of a second.
    ///
    /// # Errors
    /// If memory is short, or the caller cancels.
    pub fn build(metric: CubeMetric, options: &BuildOptions<'_>) -> Result<Self, BuildError> {
        let domain = FaceTurns::new(metric);
        let view: CubeView = permutation;
        let chain = SubgroupChain::build(&actions(&domain), &stages(), view, MOST, options);
        match chain {
            Ok(chain) => Ok(Self { domain, chain }),
            Err(SubgroupError::Build(error)) => Err(error),
            Err(SubgroupError::Group(GroupError::Stopped)) => Err(BuildError::Cancelled),
            Err(error) => unreachable!("the stages are a chain of subgroups: {error}"),
        }
    }

    /// The stages: indices, tables and operators (those of [`FaceTurns`]).
    pub fn stages(&self) -> &[SubgroupStage<CubeView>] {
        self.chain.stages()
    }

    /// Bytes of the tables.
    pub fn bytes(&self) -> u64 {
        self.stages().iter().map(SubgroupStage::bytes).sum()
    }

    /// Solves a cube stage by stage, each in the fewest moves. The plans have the operators of
    /// [`Cube3`](crate::Cube3) in this metric.
    pub fn solve(&self, start: &Cube, each: &Limits, options: &Options<'_>) -> StagedReport {
        self.domain
            .in_stages(options, |options| self.chain.solve(&self.domain, start, each, options))
    }

    /// Searches for better and better plans with the same stages, as
    /// [`search_chain`](search::search_chain()) does. `ceiling` limits the cost of the stages after
    /// the first at the beginning.
    pub fn improve(&self, start: &Cube, ceiling: Cost, options: &Options<'_>) -> Report {
        let observer = InMetric::new(&self.domain, options.observer);
        let options = Options { observer: &observer, ..options.clone() };
        let mut report = self.chain.improve(&self.domain, start, ceiling, &options);
        observer.rewrite(&mut report);
        report
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facelets::Facelets;
    use crate::reference::FaceletCube;
    use search::plan::validate;
    use search::random::Random;

    #[test]
    fn permutations_follow_turns() {
        let mut random = Random::new(3);
        for _ in 0..50 {
            let cube = Cube::random(&mut random);
            for turn in 0..18 {
                let step = permutation(&Cube::SOLVED.turned(turn));
                assert_eq!(permutation(&cube.turned(turn)), permutation(&cube).then(&step));
            }
        }
    }

    /// The known distances to each subgroup, and plans of random cubes.
    #[test]
    fn stages_have_the_known_histograms() {
        let built = Thistlethwaite::build(CubeMetric::HalfTurn, &BuildOptions::default()).unwrap();
        let known: [&[u64]; 4] = [
            &[1, 2, 25, 202, 620, 900, 285, 13],
            &[1, 2, 17, 134, 1065, 8190, 54694, 267_576, 560_568, 187_204, 3114],
            &[1, 2, 9, 36, 124, 530, 1806, 3732, 5158, 7070, 7218, 3202, 488, 24],
            &[
                1, 6, 27, 120, 519, 1932, 6484, 20310, 55034, 113_892, 178_495, 179_196, 89728,
                16176, 1488, 144,
            ],
        ];
        for (stage, known) in built.stages().iter().zip(known) {
            assert!(stage.is_exact());
            assert_eq!(*stage.index(), known.iter().sum::<u64>().into());
            assert_eq!(stage.histograms()[0].counts, known);
        }
        assert_eq!(built.stages().len(), 4);
    }

    /// Each stage costs what its table says at most, in both metrics, and plans are replayed.
    #[test]
    fn random_cubes_are_solved_in_four_stages() {
        let mut random = Random::new(11);
        let cubes: Vec<Cube> = (0..100).map(|_| Cube::random(&mut random)).collect();
        for metric in [CubeMetric::HalfTurn, CubeMetric::QuarterTurn] {
            let built = Thistlethwaite::build(metric, &BuildOptions::default()).unwrap();
            let most: Vec<usize> =
                built.stages().iter().map(|stage| stage.histograms()[0].counts.len() - 1).collect();
            let mut total = 0;
            for cube in &cubes {
                let report = built.solve(cube, &Limits::default(), &Options::default());
                let plan = report.plan.expect("a plan");
                let reference = FaceletCube::new(metric);
                assert_eq!(validate(&reference, &Facelets::from(cube), &plan), Ok(()));
                let lengths = report.stages.iter().map(|stage| stage.plan().unwrap().len());
                assert!(lengths.clone().zip(&most).all(|(length, most)| length <= *most));
                assert_eq!(lengths.sum::<usize>(), plan.len());
                total += plan.len();
            }
            if metric == CubeMetric::HalfTurn {
                assert_eq!(most, [7, 10, 13, 15]);
                assert!((2900..3400).contains(&total), "{total}");
            }
        }
    }

    /// The same stages lead to better plans, up to the optimum.
    #[test]
    fn plans_can_be_improved() {
        let built = Thistlethwaite::build(CubeMetric::HalfTurn, &BuildOptions::default()).unwrap();
        let cube = Cube::SOLVED.moved(&crate::notation::parse_moves("R U F' L2 D").unwrap());
        let staged = built.solve(&cube, &Limits::default(), &Options::default());
        let upper_bound = Cost::try_from(staged.cost()).ok();
        let options = Options { upper_bound, ..Options::default() };
        let better = built.improve(&cube, 12, &options);
        let best = better.plan().map_or(staged.cost() as usize, |plan| plan.len());
        assert!(best == 5 && better.complete, "{best} of {upper_bound:?}");
    }
}
