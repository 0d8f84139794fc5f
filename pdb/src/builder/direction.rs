//! Chooses the direction of a layer: forward from the last layer, or backward from the unseen
//! entries.

/// The cost of a backward step, relative to that of a forward step.
///
/// A backward step has no branch to mispredict and no atomic write. With values from 0.2 to 0.8,
/// measured build times differ only by noise.
const BACKWARD: f64 = 0.7;

/// The facts that decide the direction of a layer.
pub(crate) struct DirectionEstimate {
    /// Number of entries of the table.
    pub(crate) entries: u64,
    pub(crate) seen: u64,
    /// Number of entries from which a forward walk would start.
    pub(crate) frontier: u64,
    /// Number of entries of the last layer, then of the layer before it.
    pub(crate) layers: [u64; 2],
    /// Mean number of edges of a row.
    pub(crate) degree: f64,
}

impl DirectionEstimate {
    /// Whether the frontier is so large that a backward walk may be worth it.
    pub(crate) fn is_large(&self) -> bool {
        self.frontier.saturating_mul(64) >= self.entries
    }

    /// Whether a backward walk from unseen entries is expected to be less work than a forward walk.
    /// Only the share `part` of the entries can be in the layer, so a walk reads only these.
    pub(crate) fn prefers_backward(&self, part: f64) -> bool {
        let forward = self.frontier as f64 * self.degree;
        let unseen = self.entries.saturating_sub(self.seen) as f64 * part;
        // Assumes that the layer grows at most by the factor of the layer before. The walk leaves
        // an entry of the layer at its first edge to a source. For all other entries it looks at
        // all edges.
        let [last, before] = self.layers.map(|entries| entries.max(1) as f64);
        let found = (self.frontier as f64 * last / before).min(unseen);
        let reached = forward * unseen / (self.entries as f64 * part);
        let steps = self.degree / (1.0 + reached / found.max(1.0)).min(self.degree);
        ((unseen - found) * self.degree + found * steps) * BACKWARD < forward
    }
}
