//! Meet in the middle in a permutation group: time of the square root of the number of operator
//! strings, memory of its fourth root.
//!
//! A plan of `d` operators for the element `s` is cut into four words of about `d / 4` operators.
//! If their elements are `a`, `b`, `c`, `e`, then `s a b c e` is the identity. So `s a b = x y`
//! with the inverses `x` of `e` and `y` of `c`. All four are elements at known distances from the
//! identity, and these are stored. The products `s a b` and `x y` are not: both sides give them in
//! the same order, and an element that both give is a plan.
//!
//! Products are ordered by their images of the points of a *base*, lexicographically. The right
//! factors lie in a trie by these images. For one left factor, its images rename the branches of
//! the trie, so a walk down the trie gives its products in order. The search walks with all left
//! factors of both sides at once: a position of the walk is a string of images, and has for each
//! left factor at most one node of the trie. It goes on only to images that products of both sides
//! have.
//!
//! Sources: Amos Fiat, Shahar Moses, Adi Shamir, Ilan Shimshoni and Gabor Tardos, "Planning and
//! learning in permutation groups", FOCS 1989. Richard Schroeppel and Adi Shamir, "A T =
//! O(2^(n/2)), S = O(2^(n/4)) algorithm for certain NP-complete problems", SIAM Journal on
//! Computing 10, 1981. They keep the next product of each left factor in a heap. We need no heap,
//! and skip the products that only one side has.
//!
//! Depths rise by 1 from the first bound, or by 2 if plans have parity. So the first plan is a
//! cheapest one. Depth `d` multiplies elements at exact distances, which the depths before have not
//! met.
//!
//! Time for a depth `d` with `n` strings of operators: `O(n^(1/2))` products, each up to the length
//! of the base. Memory: all elements within `d / 4`, rounded up. Each takes a stored state, its
//! images, a few nodes of a trie, and a few entries of 8 bytes. An image of a point is one byte, or
//! two if there are more than 256 points.

mod factors;
mod meet;
#[cfg(test)]
mod tests;

use crate::Plan;
use crate::control::{
    BoundResult, Counts, Limit, Options, Outcome, Report, SearchState, Silent, Start, deepen_domain,
};
use crate::domain::{Op, OpSet, Packed, PermutationGroup};
use crate::stored::breadth_first::{Layers, LayersError};
use crate::stored::store::{Budget, Full};
use factors::{Factors, Halt, Images, LOOK, Point};
use meet::{Equal, Meet, Products};

/// Finds a cheapest plan in a permutation group by meeting in the middle, with four lists of
/// elements of a quarter of its depth. Needs no heuristic.
///
/// Returns one plan, and ignores [`Options::plans`] and [`Options::filter`]. [`Limits::bytes`]
/// covers the stored elements, their images, tries and entries. An end by a limit leaves the
/// greatest depth that holds no plan proven.
///
/// A *node* is a left factor with all right factors whose products have certain images of the
/// first points of the base. It is *expanded* when the images of the next point are taken. The
/// states of the search for the lists count, too. Each depth is one iteration.
///
/// ```
/// use fewest_search::testing::Pancake;
/// use fewest_search::Options;
/// use fewest_search::stored::schroeppel_shamir;
///
/// let domain = Pancake::new(9);
/// let start = domain.state(&[4, 0, 7, 2, 8, 1, 5, 3, 6]);
/// let report = schroeppel_shamir(&domain, &start, &Options::default());
/// assert_eq!(report.plan().unwrap().len(), 9);
/// assert!(report.optimal);
/// ```
///
/// # Panics
/// If an operator costs more than 1.
///
/// [`Limits::bytes`]: crate::Limits::bytes
pub fn schroeppel_shamir<D: PermutationGroup + Packed>(
    domain: &D,
    start: &D::State,
    options: &Options,
) -> Report {
    let mut ops = D::Ops::first(domain.operators()).members();
    assert!(ops.all(|op| domain.cost(op) == 1), "an operator costs more than 1");
    if domain.points() <= 1 << 8 {
        search::<D, u8>(domain, start, options)
    } else {
        search::<D, u16>(domain, start, options)
    }
}

fn search<D: PermutationGroup + Packed, P: Point>(
    domain: &D,
    start: &D::State,
    options: &Options,
) -> Report {
    let options = &Options { plans: 1, ..options.clone() };
    let quiet = &Options { observer: &Silent, ..options.clone() };
    let layers = Layers::new(domain, &[domain.identity()], quiet);
    let mut search = ProductSearch::<D, P> {
        domain,
        options,
        layers,
        exhausted: false,
        start_images: images(domain, start).map(P::new).collect(),
        identity: (0..domain.points()).map(P::new).collect(),
    };
    let mut first = || if domain.is_goal(start) { Start::Goal } else { Start::Bound(1) };
    deepen_domain(domain, start, &mut first, options, &mut |state| search.sweep(state))
}

/// The images of all points under an element.
fn images<'a, D: PermutationGroup>(
    domain: &'a D,
    element: &'a D::State,
) -> impl Iterator<Item = usize> + 'a {
    (0..domain.points()).map(|point| domain.image(element, point))
}

struct ProductSearch<'a, D: Packed, P> {
    domain: &'a D,
    options: &'a Options<'a>,
    /// The elements near the identity.
    layers: Layers<'a, D>,
    /// Whether all elements of the group are in the layers.
    exhausted: bool,
    start_images: Vec<P>,
    /// The images of the identity.
    identity: Vec<P>,
}

impl From<LayersError> for Outcome {
    fn from(error: LayersError) -> Self {
        match error {
            LayersError::Memory { .. } | LayersError::Keys { .. } => {
                Self::LimitReached(Limit::Bytes)
            }
            LayersError::Nodes { .. } => Self::LimitReached(Limit::Nodes),
            LayersError::Time { .. } => Self::LimitReached(Limit::Time),
            LayersError::Cancelled { .. } => Self::Cancelled,
        }
    }
}

/// The distances of the left and right factors of a product of this length.
fn halves(length: usize) -> [usize; 2] {
    [length.div_ceil(2), length / 2]
}

impl<D: PermutationGroup + Packed, P: Point> ProductSearch<'_, D, P> {
    /// Looks for a plan of exactly as many operators as the bound says.
    fn sweep(&mut self, state: &SearchState) -> BoundResult {
        let mut swept = BoundResult::NOTHING;
        let depth = usize::from(state.bound);
        let lengths = [depth / 2, depth.div_ceil(2)].map(halves);
        let most = lengths[1][0];
        if let Err(error) = self.extend(most, &mut swept.counts) {
            swept.stop = Some(error.into());
        } else if self.layers.sizes().len() > most {
            swept.counts.over = 1;
            self.meet(lengths, state, &mut swept);
        }
        swept
    }

    /// Completes the layers up to a distance, or all layers if they end before it.
    fn extend(&mut self, most: usize, counts: &mut Counts) -> Result<(), LayersError> {
        let before = self.layers.generated();
        let mut result = Ok(());
        while result.is_ok() && !self.exhausted && self.layers.sizes().len() <= most {
            counts.expanded += self.layers.sizes().last().copied().unwrap_or(0);
            result = self.layers.advance().map(|size| self.exhausted = size == 0);
        }
        counts.generated += self.layers.generated() - before;
        result
    }

    /// Looks for equal products of factors at these distances.
    fn meet(&self, lengths: [[usize; 2]; 2], state: &SearchState, swept: &mut BoundResult) {
        let mut stopped = None;
        let mut stop = |generated| {
            stopped = state.look(generated, (0, 1));
            stopped.is_some()
        };
        match self.equal(lengths, &mut swept.counts, &mut stop) {
            Ok(Some(factors)) => swept.plans.push(self.plan(&factors)),
            Ok(None) => {}
            Err(Halt::Full) => swept.stop = Some(Outcome::LimitReached(Limit::Bytes)),
            Err(Halt::Stopped) => swept.stop = stopped.map(Outcome::from),
        }
    }

    /// Equal products, as their four factors with their distances.
    fn equal(
        &self,
        lengths: [[usize; 2]; 2],
        counts: &mut Counts,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Option<[Factor<P>; 4]>, Halt> {
        let limit = self.options.limits.bytes;
        let budget = Budget::new(limit.map(|limit| limit.saturating_sub(self.layers.bytes())));
        // All factors are at two neighbouring distances at most.
        let most = lengths[1][0];
        let mut check = |_| stop(counts.generated);
        let far = self.list(most, &budget, &mut check)?;
        let base = far.base();
        let far = sorted(far, &base, &budget, &mut check)?;
        let near = self.list(most - 1, &budget, &mut check)?;
        let near = sorted(near, &base, &budget, &mut check)?;
        let at = |distance: usize| if distance < most { &near } else { &far };
        let side =
            |outer, [left, right]: [usize; 2]| Products { outer, left: at(left), right: at(right) };
        let sides = [side(&self.start_images[..], lengths[0]), side(&self.identity, lengths[1])];
        let mut meet = Meet::new(sides, &base, *counts, &budget, stop);
        let equal = meet.run();
        *counts = meet.counts;
        Ok(equal?.map(|[front, back]: Equal| {
            let factor = |distance, row| (distance, at(distance).images.row(row).to_vec());
            [
                factor(lengths[0][0], front.0),
                factor(lengths[0][1], front.1),
                factor(lengths[1][0], back.0),
                factor(lengths[1][1], back.1),
            ]
        }))
    }

    /// The elements at a distance.
    fn list(
        &self,
        distance: usize,
        budget: &Budget,
        stop: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Images<P>, Halt> {
        let rows = usize::try_from(self.layers.sizes()[distance]).map_err(|_| Full)?;
        let mut list = Images::with_room(self.domain.points(), rows, budget)?;
        self.layers.try_for_each(distance, |element| {
            if list.rows() % LOOK == 0 && stop(LOOK) {
                return Err(Halt::Stopped);
            }
            list.push(images(self.domain, element));
            Ok(())
        })?;
        Ok(list)
    }

    /// The plan of `s a b = x y`: the words of `a` and `b`, then those of `y` and `x` undone.
    fn plan(&self, [a, b, x, y]: &[Factor<P>; 4]) -> Plan {
        let mut path = self.word(a);
        path.extend(self.word(b));
        for undone in [y, x] {
            path.extend(self.word(undone).iter().rev().map(|&op| self.domain.inverse_op(op)));
        }
        self.domain.to_plan(&path)
    }

    /// A shortest string of operators from the identity to an element of a layer.
    fn word(&self, (distance, factor): &Factor<P>) -> Vec<Op> {
        let mut state = self.domain.identity();
        self.layers.for_each(*distance, |element| {
            if images(self.domain, element).eq(factor.iter().map(|point| point.index())) {
                state = element.clone();
            }
        });
        let mut word = Vec::new();
        let mut next = state.clone();
        for distance in (0..*distance).rev() {
            for op in D::Ops::first(self.domain.operators()).members() {
                self.domain.apply_into(&state, op, &mut next);
                if self.layers.layer_of(&next) == Some(distance) {
                    word.push(self.domain.inverse_op(op));
                    break;
                }
            }
            std::mem::swap(&mut state, &mut next);
        }
        word.reverse();
        word
    }
}

/// The distance of an element from the identity, and its images.
type Factor<P> = (usize, Vec<P>);

/// Elements as factors, in place of the list of them.
fn sorted<P: Point>(
    list: Images<P>,
    base: &[usize],
    budget: &Budget,
    stop: &mut dyn FnMut(usize) -> bool,
) -> Result<Factors<P>, Halt> {
    let factors = Factors::new(&list, base, budget, stop)?;
    list.free(budget);
    Ok(factors)
}
