//! How many bytes lie side by side.

/// Number of bytes in a register.
pub(crate) const LANES: usize = 16;
