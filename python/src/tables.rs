//! Table files: what their headers say.

use crate::errors;
use crate::waiting::Attention;
use etcetera::BaseStrategy;
use fewest::pdb::file::{TableError, TableInfo, TableStore, verify};
use pyo3::prelude::*;
use std::path::PathBuf;

/// The arguments of `fewest.PatternDatabase`. The description is JSON.
#[derive(IntoPyObject)]
pub(crate) struct TableDict {
    path: PathBuf,
    encoding: String,
    entries: u64,
    offset: u64,
    bytes: u64,
    description: String,
    verified: bool,
}

impl From<TableInfo> for TableDict {
    fn from(table: TableInfo) -> Self {
        Self {
            path: table.path,
            encoding: table.encoding,
            entries: table.entries,
            offset: table.payload_offset,
            bytes: table.payload_bytes,
            description: table.description.to_string(),
            verified: table.verified,
        }
    }
}

/// The folder of the table files: that of `$FEWEST_TABLES`, or one in the user's cache folder.
#[pyfunction]
pub(crate) fn default_folder(py: Python<'_>) -> PyResult<PathBuf> {
    let variable = std::env::var_os("FEWEST_TABLES").filter(|folder| !folder.is_empty());
    if let Some(folder) = variable {
        return Ok(folder.into());
    }
    let base = etcetera::choose_base_strategy().map_err(|error| {
        errors::invalid(py, format_args!("no cache folder for tables ({error}): expected tables"))
    })?;
    Ok(base.cache_dir().join("fewest"))
}

/// A message about a damaged file, and its path.
type Damage = (String, PathBuf);

/// The tables in a folder, and the damaged ones.
#[pyfunction]
pub(crate) fn table_files(
    py: Python<'_>,
    folder: PathBuf,
) -> PyResult<(Vec<TableDict>, Vec<Damage>)> {
    let listed = py.detach(|| TableStore::new(folder).list());
    let files = listed.map_err(|error| errors::of_table(py, &error))?;
    let (mut tables, mut damaged) = (Vec::new(), Vec::new());
    for file in files {
        match file {
            Ok(table) => tables.push(table.into()),
            Err(error) => damaged.push((error.to_string(), error.path().to_owned())),
        }
    }
    Ok((tables, damaged))
}

/// The table of a file.
#[pyfunction]
pub(crate) fn table_file(py: Python<'_>, path: PathBuf) -> PyResult<TableDict> {
    let table = py.detach(|| TableInfo::read(&path));
    table.map(TableDict::from).map_err(|error| errors::of_table(py, &error))
}

/// Checks every byte of a table file.
#[pyfunction]
pub(crate) fn verify_table(py: Python<'_>, path: PathBuf) -> PyResult<()> {
    let attention = Attention::new(py, None, None);
    let cancel = attention.cancel.clone();
    let pool = crate::threads::start(py, "fewest", 0)?;
    let checked: Result<TableInfo, TableError> =
        attention.run(&pool, move || verify(&path, &|_, _| !cancel.is_cancelled()))?;
    checked.map(drop).map_err(|error| errors::of_table(py, &error))
}
