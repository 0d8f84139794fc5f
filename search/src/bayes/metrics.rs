//! Metrics: small numbers that can be read off a state.

use smallvec::SmallVec;

/// The values of all metrics at a state, in the order of the metrics.
pub type Values = SmallVec<[u8; 8]>;

/// A function from states to small numbers.
type Read<S> = Box<dyn Fn(&S) -> u8 + Send + Sync>;

/// A list of metrics: functions from states to small numbers that say something about the distance
/// to the goal.
///
/// A metric need not be a lower bound, and it may grow or shrink towards the goal. What its values
/// mean is learned ([`Observations`](super::Observations)).
///
/// ```
/// use fewest_search::bayes::Metrics;
///
/// let metrics = Metrics::new().with("ones", 33, |n: &u32| n.count_ones() as u8);
/// assert_eq!(metrics.read(&0b1011)[..], [3]);
/// ```
pub struct Metrics<S> {
    names: Vec<&'static str>,
    sizes: Vec<usize>,
    read: Vec<Read<S>>,
}

impl<S> Metrics<S> {
    /// The empty list.
    pub fn new() -> Self {
        Self { names: Vec::new(), sizes: Vec::new(), read: Vec::new() }
    }

    /// The list and one more metric, whose values are `0 .. size`. A greater value counts as
    /// `size - 1`.
    ///
    /// # Panics
    /// If `size` is 0 or above 256.
    #[must_use]
    pub fn with(
        mut self,
        name: &'static str,
        size: usize,
        read: impl Fn(&S) -> u8 + Send + Sync + 'static,
    ) -> Self {
        let most = size.checked_sub(1).and_then(|most| u8::try_from(most).ok());
        let Some(most) = most else { panic!("a metric has 1 to 256 values, not {size}") };
        self.names.push(name);
        self.sizes.push(size);
        self.read.push(Box::new(move |state| read(state).min(most)));
        self
    }

    /// The names of the metrics.
    pub fn names(&self) -> &[&'static str] {
        &self.names
    }

    /// The number of values of each metric.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The values of all metrics at a state.
    pub fn read(&self, state: &S) -> Values {
        self.read.iter().map(|read| read(state)).collect()
    }
}

impl<S> Default for Metrics<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S> std::fmt::Debug for Metrics<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.names.iter().zip(&self.sizes)).finish()
    }
}
