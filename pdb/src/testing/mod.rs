//! The laws of abstractions and indexers as a library, the slow twin of the builder, and a toy
//! domain with patterns of two shapes.

mod law;
mod oracle;
mod patterns;
mod ring;
mod stripes;
#[cfg(test)]
pub(crate) mod wheels;

pub use law::check_abstraction;
pub use oracle::slow_distances;
pub use patterns::{DiscPattern, Whole};
pub use ring::Ring;
pub use stripes::stripe_table;
