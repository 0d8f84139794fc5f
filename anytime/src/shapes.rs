//! Plans for states whose shape tells which operators apply: [`Shapes`].

use crate::{Effort, Generators, Pieces, Planner, Technique, WordChain, near_plan};
use groups::{Permutation, StabilizerChain};
use rustc_hash::{FxHashMap, FxHashSet};
use search::{Cost, Domain, Op, OpSet};
use std::hash::Hash;

/// The most shapes that are looked at.
const MOST_SHAPES: usize = 1 << 17;

/// The ways from the goal's shape back to it that are words of the chain, if fewer do not generate
/// all of them.
const MOST_WAYS: usize = 300;

/// The name of plans of [`Shapes`] in [`search::PlanRound::by`].
pub const SHAPES: &str = "shapes";

/// Plans for states whose *shape* tells which operators apply, as on a cube whose pieces are tied
/// together. There must be few shapes.
///
/// A breadth-first search over shapes has a way from the goal's shape to each. Such a way, one more
/// operator, and the way back from there lead from the goal's shape to itself, whatever the pieces
/// are: these ways generate a group (Otto Schreier, "Die Untergruppen der freien Gruppen", 1927),
/// which has words for every piece. A state first goes to the goal's shape.
///
/// The way back undoes operators, which must apply then. A plan in which some operator does not is
/// never told.
#[derive(Debug)]
pub struct Shapes<K> {
    operators: Generators,
    /// The number of each shape.
    numbers: FxHashMap<K, usize>,
    /// For each shape but the first, the goal's: the shape before it, and the operator to it.
    tree: Vec<(usize, Op)>,
    /// The operators of each way, which is an operator of the chain.
    ways: Vec<Vec<Op>>,
    chain: WordChain,
}

/// The shapes that were reached, in the order of their number of operators.
struct Reached<D: Domain, K> {
    states: Vec<D::State>,
    /// What the way from the goal does.
    elements: Vec<Permutation>,
    numbers: FxHashMap<K, usize>,
    tree: Vec<(usize, Op)>,
}

impl<D: Domain, K: Hash + Eq> Reached<D, K> {
    /// All shapes. `None` if there are more than `most`, or `stop` is true.
    fn new(
        (domain, goal): (&D, &D::State),
        shape: &dyn Fn(&D::State) -> K,
        operators: &Generators,
        most: usize,
        stop: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let identity = Permutation::identity(operators.points()).ok()?;
        let mut reached = Self {
            states: vec![goal.clone()],
            elements: vec![identity],
            numbers: FxHashMap::from_iter([(shape(goal), 0)]),
            tree: vec![(0, Op(0))],
        };
        let mut at = 0;
        while at < reached.states.len() {
            if reached.states.len() > most || stop() {
                return None;
            }
            let from = reached.states[at].clone();
            let mut to = from.clone();
            for op in domain.applicable(&from).members() {
                domain.apply_into(&from, op, &mut to);
                let (key, next) = (shape(&to), reached.states.len());
                if *reached.numbers.entry(key).or_insert(next) == next {
                    let element = &operators.elements()[op.index()];
                    reached.elements.push(reached.elements[at].then(element));
                    reached.tree.push((at, op));
                    reached.states.push(to.clone());
                }
            }
            at += 1;
        }
        Some(reached)
    }

    /// The operators from the goal to a shape.
    fn way(tree: &[(usize, Op)], mut to: usize) -> Vec<Op> {
        let mut way = Vec::new();
        while to != 0 {
            way.push(tree[to].1);
            to = tree[to].0;
        }
        way.reverse();
        way
    }

    /// Ways from the goal's shape to itself that generate all of them, with what each does.
    fn round_trips(
        &self,
        domain: &D,
        shape: &dyn Fn(&D::State) -> K,
        operators: &Generators,
        stop: &dyn Fn() -> bool,
    ) -> Option<Vec<(Vec<Op>, Permutation)>> {
        let group = |trips: &[(Vec<Op>, Permutation)]| {
            let all: Vec<Permutation> = trips.iter().map(|(_, element)| element.clone()).collect();
            StabilizerChain::new_until(operators.points(), &all, &[], stop).ok()
        };
        let (mut trips, mut known) = (Vec::new(), FxHashSet::default());
        // What the trips generate, once there are many.
        let mut chain: Option<StabilizerChain> = None;
        for (from, state) in self.states.iter().enumerate() {
            if stop() {
                return None;
            }
            let mut next = state.clone();
            for op in domain.applicable(state).members() {
                domain.apply_into(state, op, &mut next);
                let to = *self.numbers.get(&shape(&next))?;
                if self.tree[to] == (from, op) && to != 0 {
                    continue;
                }
                let element = self.elements[from]
                    .then(&operators.elements()[op.index()])
                    .then(&self.elements[to].inverse());
                let is_old = known.contains(&element)
                    || chain.as_ref().is_some_and(|chain| chain.contains(&element));
                if element.is_identity() || is_old {
                    continue;
                }
                let mut way = Self::way(&self.tree, from);
                let back = operators.inverse_of(&Self::way(&self.tree, to));
                let rest = std::iter::once(op).chain(back);
                rest.for_each(|op| operators.push(&mut way, op, false));
                // Without this trip there might be no words for some state.
                Cost::try_from(operators.cost_of(&way)).ok()?;
                let (undone, inverse) = (operators.inverse_of(&way), element.inverse());
                known.extend([element.clone(), inverse.clone()]);
                trips.push((way, element.clone()));
                if inverse != element {
                    trips.push((undone, inverse));
                }
                if trips.len() >= MOST_WAYS {
                    chain = Some(group(&trips)?);
                }
            }
        }
        Some(trips)
    }
}

impl<K: Hash + Eq> Shapes<K> {
    /// The shapes of a domain, and words for its pieces.
    ///
    /// `shape` gives the shape of a state: states of one shape have the same applicable operators,
    /// and an operator takes them to one shape. `operators` are what the operators of the domain do
    /// to points where pieces may lie, wherever they apply. `pieces` are those of the goal.
    ///
    /// `None` if there are more than 131,072 shapes or not enough memory, or a way from the goal's
    /// shape to itself costs more than 255. Also if `stop` is true.
    pub fn new<D: Domain>(
        (domain, goal): (&D, &D::State),
        shape: impl Fn(&D::State) -> K,
        (operators, pieces): (Generators, Pieces),
        effort: Effort,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Self> {
        // A state has some bytes for each point, and so has what its way does.
        let most = effort.bytes / (16 * operators.points() as u64 + 512);
        let most = usize::try_from(most).unwrap_or(MOST_SHAPES).min(MOST_SHAPES);
        let reached = Reached::new((domain, goal), &shape, &operators, most, stop)?;
        let trips = reached.round_trips(domain, &shape, &operators, stop)?;
        let cost = |way: &[Op]| Cost::try_from(operators.cost_of(way)).unwrap_or(Cost::MAX);
        let elements = trips.iter().map(|(way, element)| (element.clone(), cost(way))).collect();
        let generators = Generators::new(operators.points(), elements, stop).ok()?;
        let chain = WordChain::new(generators, pieces, effort, stop).ok()?;
        let ways = trips.into_iter().map(|(way, _)| way).collect();
        let Reached { numbers, tree, .. } = reached;
        Some(Self { operators, numbers, tree, ways, chain })
    }

    /// Looks for plans until about so many nodes were generated, in so many bytes, or `stop` is
    /// true. Calls `tell` with each plan that costs less than those before. Returns the nodes.
    ///
    /// `shape` is that of the start, `images` are the points where its pieces lie.
    pub fn improve<D: Domain<State: Hash>>(
        &self,
        (domain, start): (&D, &D::State),
        (shape, images): (&K, &[u16]),
        (bytes, nodes): (u64, u64),
        stop: &(dyn Fn() -> bool + Sync),
        tell: &mut dyn FnMut(&[Op]),
    ) -> u64 {
        let Some(&number) = self.numbers.get(shape) else { return 0 };
        let to_goal = self.operators.inverse_of(&Reached::<D, K>::way(&self.tree, number));
        let images = self.operators.after(images, &to_goal);
        let planner = Planner::new(&self.chain, bytes).with_only(Some(Technique::Words));
        let mut best: Option<Vec<Op>> = None;
        let is_better = |best: &Option<Vec<Op>>, plan: &[Op]| {
            let cost = |plan: &[Op]| self.operators.cost_of(plan);
            best.as_ref().is_none_or(|best| cost(plan) < cost(best))
        };
        // Half of the nodes are for the states near the best plan.
        let mut made = planner.improve(&images, nodes / 2, stop, &mut |_, word| {
            let ways = word.iter().flat_map(|op| &self.ways[op.index()]);
            let whole: Vec<Op> = to_goal.iter().chain(ways).copied().collect();
            let joined = |joins| {
                let mut plan = Vec::new();
                whole.iter().for_each(|&op| self.operators.push(&mut plan, op, joins));
                plan
            };
            // An operator may tear apart what two in its place do not.
            let mut plans = [true, false].into_iter().map(joined);
            let plan = plans.find(|plan| applies(domain, start, plan));
            if let Some(plan) = plan.filter(|plan| is_better(&best, plan)) {
                tell(&plan);
                best = Some(plan);
            }
        });
        if let Some(plan) = best.take_if(|_| !stop()) {
            let state = size_of::<D::State>() + 8 * images.len();
            let states = usize::try_from(bytes / 4).unwrap_or(usize::MAX) / state;
            let left = nodes.saturating_sub(made).min(nodes / 2);
            let (shorter, near) = near_plan(domain, start, &plan, (left, states), &stop);
            made = made.saturating_add(near);
            if is_better(&Some(plan), &shorter) {
                tell(&shorter);
            }
        }
        made
    }
}

/// Whether all operators of a plan apply.
fn applies<D: Domain>(domain: &D, start: &D::State, plan: &[Op]) -> bool {
    let mut state = start.clone();
    plan.iter().all(|&op| {
        let before = state.clone();
        let fits = domain.applicable(&before).contains(op);
        if fits {
            domain.apply_into(&before, op, &mut state);
        }
        fits
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{EFFORT, cycles};
    use search::random::Random;

    /// Eight beads in a ring, one of which is the lock. All may move on by a place. Two neighbours
    /// in the places 0 and 1 may be swapped if neither is the lock.
    struct Ring;

    impl Domain for Ring {
        type State = [u8; 8];
        type Ops = u64;
        fn operators(&self) -> usize {
            3
        }
        fn applicable(&self, state: &[u8; 8]) -> u64 {
            u64::first(if state[0] == 0 || state[1] == 0 { 2 } else { 3 })
        }
        fn apply_into(&self, from: &[u8; 8], op: Op, to: &mut [u8; 8]) {
            to.clone_from(from);
            match op.index() {
                0 => to.rotate_right(1),
                1 => to.rotate_left(1),
                _ => to.swap(0, 1),
            }
        }
        fn is_goal(&self, state: &[u8; 8]) -> bool {
            state.is_sorted()
        }
    }

    #[test]
    fn every_state_that_can_be_reached_has_a_plan() {
        let turn = cycles(8, &[&[0, 1, 2, 3, 4, 5, 6, 7]]);
        let operators = vec![(turn.clone(), 1), (turn.inverse(), 1), (cycles(8, &[&[0, 1]]), 1)];
        let operators = Generators::new(8, operators, &|| false).expect("inverses");
        let goal = [0, 1, 2, 3, 4, 5, 6, 7];
        let lock = |state: &[u8; 8]| state.iter().position(|&bead| bead == 0).expect("a lock");
        let of = |effort, stop: &(dyn Fn() -> bool + Sync)| {
            let of = (operators.clone(), Pieces::of_points(8));
            Shapes::new((&Ring, &goal), lock, of, effort, stop)
        };
        let shapes = of(EFFORT, &|| false).expect("few shapes");
        assert_eq!(shapes.tree.len(), 8);
        let mut random = Random::new(1);
        for _ in 0..50 {
            let mut start = goal;
            for _ in 0..100 {
                let all: Vec<Op> = Ring.applicable(&start).members().collect();
                let before = start;
                Ring.apply_into(&before, all[random.index(all.len())], &mut start);
            }
            let place = |bead: u16| start.iter().position(|&own| u16::from(own) == bead);
            let images: Vec<u16> = (0..8)
                .map(|bead| u16::try_from(place(bead).expect("a bead")).expect("8"))
                .collect();
            let of_start = (&lock(&start), &images[..]);
            let mut costs = Vec::new();
            let tell = &mut |plan: &[Op]| {
                assert!(applies(&Ring, &start, plan), "{start:?}");
                let end = plan.iter().fold(start, |from, &op| {
                    let mut to = from;
                    Ring.apply_into(&from, op, &mut to);
                    to
                });
                assert_eq!(end, goal);
                costs.push(plan.len());
            };
            shapes.improve((&Ring, &start), of_start, (1 << 20, 10_000), &|| false, tell);
            assert!(!costs.is_empty() && costs.windows(2).all(|pair| pair[1] < pair[0]));
        }
        assert!(of(Effort { bytes: 100, ..EFFORT }, &|| false).is_none());
        assert!(of(EFFORT, &|| true).is_none());
        // A shape that is not reached.
        let unknown = (&9, &[0, 1, 2, 3, 4, 5, 6, 7][..]);
        let tell = &mut |_: &[Op]| panic!("a plan");
        let none = shapes.improve((&Ring, &goal), unknown, (1 << 20, 1_000), &|| false, tell);
        assert_eq!(none, 0);
    }
}
