//! The compiled half of the Python package `fewest`: puzzles of the facade, and the search from
//! closures.
//!
//! It takes and returns plain values: texts, numbers, lists and dicts. The Python files in
//! `fewest/` beside this crate give them their types, and are what users call. Exceptions are the
//! classes of `fewest/_errors.py`.
//!
//! No call holds the interpreter while it works, except the search of a domain that is written in
//! Python. See [`waiting`].

mod domain;
mod errors;
mod many;
mod monitor;
mod options;
mod plans;
mod solver;
mod tables;
mod threads;
mod waiting;

use pyo3::prelude::*;

#[pymodule]
mod _fewest {
    #[pymodule_export]
    use crate::domain::search;
    #[pymodule_export]
    use crate::plans::Plans;
    #[pymodule_export]
    use crate::solver::Solver;
    #[pymodule_export]
    use crate::solver::puzzles;
    #[pymodule_export]
    use crate::tables::{default_folder, table_file, table_files, verify_table};
}
