//! Coset tables: distances to a subgroup, reduced by symmetry, read from several views.
//!
//! Let H be a subgroup of a group whose elements are the states (on the cube: all positions that U,
//! D and half turns generate). Let d(Hg) be the least number of operators that take the coset Hg to
//! H. A plan of g takes Hg to H, so d(Hg) is a lower bound for g (Michael Reid's and Herbert
//! Kociemba's optimal solvers, 1997).
//!
//! | type | what it is |
//! |---|---|
//! | [`SymmetryReduced`] | the abstraction that is built: cosets up to symmetry |
//! | [`StripeTable`](crate::StripeTable) | the table of one or two bits an entry |
//! | [`Views`] | the heuristic: reads conjugates of H, for a state and its inverse |
//! | [`Max`](search::Max) | the heuristic of two such tables: the one in front is read first |
//!
//! Index reduction by symmetry and the fallback minimum are those of Tomas Rokicki's nxopt.

mod sides;
mod symmetry_reduced;
mod views;

pub use sides::{Cosets, locate_each, locate_some, side};
pub use symmetry_reduced::{Coordinate, Product, Single, SymmetryReduced};
pub use views::Views;
