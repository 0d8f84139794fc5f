//! Estimates of costs by pairs of places: [`PairTables`].

use crate::contents::Contents;

/// The unit of estimates: this much is the cost of the dearest operator.
const ONE: i32 = 1 << 18;

/// For each pair of places that some operator changes together, and each content of both, a weight.
/// The estimate of a state is the sum of its weights.
#[derive(Clone, Debug)]
pub(crate) struct PairTables {
    weights: Vec<i32>,
    pairs: Vec<Pair>,
    /// For each operator: the pairs with a place that changes.
    touched: Vec<Vec<u32>>,
    /// The estimate of a cost of 1.
    one: i32,
    /// No weight is greater, so that sums are no greater than a quarter of the greatest number.
    most: i32,
}

#[derive(Clone, Copy, Debug)]
struct Pair {
    places: [u32; 2],
    /// The weight of the contents 0 and 0.
    first: u32,
    /// The weights from a content of the first place to the next.
    stride: u32,
}

impl Pair {
    #[inline]
    fn at(self, state: &[u16]) -> usize {
        let [a, b] = self.places.map(|place| u32::from(state[place as usize]));
        (self.first + a * self.stride + b) as usize
    }
}

impl PairTables {
    /// Tables of zeros. `None` if there are no pairs, or they take more bytes.
    pub(super) fn new(contents: &Contents, bytes: u64) -> Option<Self> {
        let (places, moves) = (contents.kinds.len(), contents.moves.len());
        let mut together = vec![false; places * places];
        for moved in &contents.moves {
            for one in &moved.changes {
                for other in &moved.changes {
                    together[one.to * places + other.to] = true;
                }
            }
        }
        let (mut pairs, mut first) = (Vec::new(), 0_usize);
        for one in 0..places {
            for other in one + 1..places {
                if together[one * places + other] {
                    let stride = contents.kinds[other];
                    let at = u32::try_from(first).ok()?;
                    let numbers = [one, other].map(|place| u32::try_from(place).unwrap_or(0));
                    let stride_of = u32::try_from(stride).ok()?;
                    pairs.push(Pair { places: numbers, first: at, stride: stride_of });
                    first += contents.kinds[one] * stride;
                    let pair = (moves + 1) * size_of::<u32>() + size_of::<Pair>();
                    if (first * size_of::<i32>() + pairs.len() * pair) as u64 > bytes {
                        return None;
                    }
                }
            }
        }
        let most = i32::MAX / 4 / i32::try_from(pairs.len()).ok().filter(|pairs| *pairs > 0)?;
        let touches = |op: usize| {
            let mut changes = vec![false; places];
            contents.moves[op].changes.iter().for_each(|change| changes[change.to] = true);
            let touched = |pair: &Pair| pair.places.iter().any(|&place| changes[place as usize]);
            let numbers = (0_u32..).zip(&pairs).filter(|(_, pair)| touched(pair));
            numbers.map(|(number, _)| number).collect()
        };
        let touched = (0..contents.moves.len()).map(touches).collect();
        let dearest = contents.moves.iter().map(|moved| moved.cost).max().unwrap_or(1).max(1);
        let one = ONE / i32::try_from(dearest).ok()?;
        Some(Self { weights: vec![0; first], pairs, touched, one, most })
    }

    /// The weights.
    pub(super) fn weights(&self) -> &[i32] {
        &self.weights
    }

    /// The tables with these weights. `None` if they are not as many, or their sums may be too
    /// large.
    pub(super) fn with_weights(self, weights: Vec<i32>) -> Option<Self> {
        let fits = weights.iter().all(|weight| weight.unsigned_abs() <= self.most.unsigned_abs());
        (fits && weights.len() == self.weights.len()).then_some(Self { weights, ..self })
    }

    /// The number of pairs.
    pub(super) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// The estimate of a state.
    pub(super) fn estimate(&self, state: &[u16]) -> i32 {
        self.pairs.iter().map(|pair| self.weights[pair.at(state)]).sum()
    }

    /// The part of the estimate that an operator changes.
    #[inline]
    pub(super) fn part(&self, state: &[u16], op: usize) -> i32 {
        let touched = self.touched[op].iter();
        touched.map(|&pair| self.weights[self.pairs[pair as usize].at(state)]).sum()
    }

    /// A cost as an estimate.
    pub(super) fn scaled(&self, cost: u32) -> i32 {
        i32::try_from(cost).unwrap_or(i32::MAX).saturating_mul(self.one)
    }

    /// An estimate, or half a unit if that is more: a state that is not the goal costs something.
    pub(super) fn at_least(&self, estimate: i32) -> i32 {
        estimate.max(self.one / 2)
    }

    /// Adds `change` to each weight of a state.
    pub(super) fn add(&mut self, state: &[u16], change: i32) {
        for pair in &self.pairs {
            let weight = &mut self.weights[pair.at(state)];
            *weight = weight.saturating_add(change).clamp(-self.most, self.most);
        }
    }
}
