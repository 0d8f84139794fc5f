//! Coset tables: distances to a subgroup, reduced by symmetry, at two bits an entry or one, read
//! from several views.
//!
//! Let H be a subgroup of a group whose elements are the states, and d(Hg) the least number of
//! operators that take the coset Hg to H. A plan of g takes Hg to H, so d(Hg) is a lower bound
//! (Michael Reid's and Herbert Kociemba's optimal solvers, 1997; index reduction by symmetry and
//! fallback minimum as in Tomas Rokicki's nxopt). [`SymmetryReduced`] is the abstraction that is
//! built, [`StripeTable`] the table that is kept, and [`Views`] the heuristic that reads it from
//! several conjugates of H and from the inverse; [`TwoTables`] reads two.

mod sides;
mod symmetry_reduced;
mod two_tables;
mod views;

pub use sides::{Cosets, locate_each, locate_some, side};
pub use symmetry_reduced::{Coordinate, Product, Single, SymmetryReduced};
pub use two_tables::{TwoTables, TwoTablesCarry};
pub use views::Views;
