//! Searches that store every state: best-first searches, and breadth-first search by layers.

mod best_first;
mod breadth_first;
mod store;

pub use best_first::{a_star, greedy_best_first, uniform_cost};
pub use breadth_first::{
    Layers, LayersError, SymmetricLayer, SymmetricLayers, SymmetryClasses, layer_counts,
    layer_counts_reversible,
};
