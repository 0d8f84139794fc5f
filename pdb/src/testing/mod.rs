//! For tests: the laws of abstractions and indexers, a slow and simple builder to compare with, and
//! a toy domain with two patterns.

#[cfg(test)]
pub(crate) mod elements;
mod law;
mod near_reader;
mod oracle;
mod patterns;
mod projection;
mod ring;
mod stripes;
#[cfg(test)]
pub(crate) mod wheels;

pub use law::{check_abstraction, check_edges};
pub use near_reader::NearReader;
pub use oracle::slow_distances;
pub use patterns::{DiscPattern, Whole};
pub use projection::{check_projected_database, check_projection};
pub use ring::Ring;
pub use stripes::stripe_table;
