//! Processes that build tables together: [`TableTeam`].

use super::Failure;

/// What the leader of a team does about a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableStep {
    /// There is no file: all build the table together.
    Build,
    /// The file is there.
    Done,
    /// The table can be neither built nor loaded.
    Failed,
}

/// A [`pdb::Team`] that builds the tables of a puzzle. The leader saves them, and the others load
/// the files.
///
/// All processes do the same work with the same puzzle, and see the same folder of tables.
pub trait TableTeam: pdb::Team {
    /// Whether this process is the leader.
    fn leads(&self) -> bool;

    /// Tells all others what the leader does about the table of this name. All processes call it
    /// together. Returns the step of the leader. The `step` of the others is ignored.
    ///
    /// # Errors
    /// On all processes, if they are at different tables, or one of them is cancelled. Then the
    /// work is over for all, and none waits for another any more.
    fn agree(&self, table: &str, step: TableStep) -> Result<TableStep, Failure>;
}
