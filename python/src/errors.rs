//! Turns the errors of the facade into the exceptions of `fewest/_errors.py`.

use fewest::closures::ClosureError;
use fewest::pdb::file::TableError;
use fewest::{ConfigureError, Failure, InvalidInput, TooLittleMemory};
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::any::Any;

/// An exception of this class, or the error of making it.
fn exception<'py>(py: Python<'py>, class: &str, arguments: impl PyCallArgs<'py>) -> PyErr {
    let class = py.import("fewest._errors").and_then(|module| module.getattr(class));
    class.and_then(|class| class.call1(arguments)).map_or_else(|error| error, PyErr::from_value)
}

fn memory(py: Python<'_>, error: &TooLittleMemory) -> PyErr {
    let TooLittleMemory { what, bytes, limit, .. } = error;
    exception(py, "MemoryLimit", (error.told("memory"), what, bytes, limit))
}

pub(crate) fn of_table(py: Python<'_>, error: &TableError) -> PyErr {
    exception(py, "TableError", (error.to_string(), error.path()))
}

pub(crate) fn of_failure(py: Python<'_>, failure: &Failure) -> PyErr {
    let message = (failure.to_string(),);
    match failure {
        failure if failure.is_cancelled() => exception(py, "Cancelled", message),
        Failure::Refused(refused) => refusal(py, refused),
        Failure::Memory(error) => memory(py, error),
        Failure::File(error) => of_table(py, error),
        Failure::Build { .. } => exception(py, "TableError", message),
        Failure::Time | Failure::Limit(_) => exception(py, "LimitReached", message),
        _ => exception(py, "Defect", message),
    }
}

pub(crate) fn of_settings(py: Python<'_>, error: &ConfigureError) -> PyErr {
    of_failure(py, &error.clone().into())
}

/// The exception for a refused text, with its place.
fn refusal(py: Python<'_>, refused: &InvalidInput) -> PyErr {
    let place = refused.place().cloned().unwrap_or_default();
    let numbers = |numbers: Vec<usize>| PyTuple::new(py, numbers);
    let (Ok(facelets), Ok(squares)) = (numbers(place.facelets), numbers(place.squares)) else {
        return invalid(py, refused);
    };
    let (line, column, colour) = (place.line, place.column, place.colour);
    let (message, word, plan) = (refused.to_string(), place.word, place.plan);
    let arguments = (message, line, column, facelets, squares, colour, word, plan);
    exception(py, "InvalidInput", arguments)
}

pub(crate) fn of_closures(py: Python<'_>, error: &ClosureError) -> PyErr {
    let (depth, position) = match *error {
        ClosureError::Step { depth, position, .. }
        | ClosureError::Negative { depth, position, .. }
        | ClosureError::Estimate { depth, position } => (Some(depth), Some(position)),
        ClosureError::Changed { depth } | ClosureError::Long { depth } => (Some(depth), None),
        _ => (None, None),
    };
    exception(py, "DomainError", (error.to_string(), depth, position))
}

/// The exception for a text or a number that the caller gave.
pub(crate) fn invalid(py: Python<'_>, message: impl std::fmt::Display) -> PyErr {
    exception(py, "InvalidInput", (message.to_string(),))
}

/// The exception for a panic of other threads. This is a defect of this program.
pub(crate) fn of_panic(py: Python<'_>, panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let message = format!("internal error: {}", text.unwrap_or("a panic without a message"));
    exception(py, "Defect", (message,))
}
