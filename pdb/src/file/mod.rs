//! Table files: a checked header, a checksum a chunk, an opaque payload; written whole or not at
//! all, never believed unchecked.
//!
//! Layout, all numbers little-endian:
//!
//! | offset | bytes | content |
//! |---|---|---|
//! | 0 | 4096 | header: magic, version, encoding, fingerprint, lengths, the description as JSON, CRC-32 of all that |
//! | 4096 | 4 a chunk | CRC-32 of each chunk; the header holds the CRC-32 of this table |
//! | next multiple of 4096 | `payload_bytes` | the payload; chunks of 1 MiB, the last one shorter |
//!
//! The *fingerprint* is the BLAKE3 hash of the canonical JSON of description, encoding and lengths:
//! a table is used only for exactly what it was built for. Header, length and chunk table are
//! checked at every load. The chunks are checked after they are written, and at a load if they were
//! not checked since the file came to be as it is: a side file `NAME.verified` remembers that.

mod checkpoint;
mod error;
mod format;
mod read;
mod spec;
mod store;
mod write;

pub use checkpoint::Checkpoint;
pub(crate) use checkpoint::{CheckpointWriter, SavedLayer};
pub use error::{TableError, TableErrorKind};
pub use read::{Load, TableInfo, verify};
pub use spec::{Payload, TableSpec};
pub use store::{BuildLock, ObtainError, Obtained, TableStore};

#[cfg(test)]
mod golden;
#[cfg(test)]
mod tests;
