//! Searches that store every state: best-first searches from one end or from both, and
//! breadth-first search by layers.

mod best_first;
mod best_first_state;
mod bidirectional;
mod breadth_first;
#[cfg(test)]
mod cayley;
mod open;
mod perimeter;
mod reached;
mod schroeppel_shamir;
mod store;

pub(crate) use best_first_state::{BestFirstState, Halt};
pub(crate) use open::Open;
pub(crate) use reached::{NodeRecord, StateRecords};
pub(crate) use store::{Budget, Store};

pub use best_first::{
    Graph, GraphAnswer, GraphError, GraphResult, Order, a_star, best_first, breadth_first,
    greedy_best_first, uniform_cost, weighted_a_star,
};
pub use bidirectional::{FromStart, bidirectional};
pub use breadth_first::{
    Layers, LayersError, SymmetricLayer, SymmetricLayers, SymmetryClasses, layer_counts,
    layer_counts_reversible,
};
pub use perimeter::{FrontToPerimeter, Perimeter};
pub use schroeppel_shamir::schroeppel_shamir;
