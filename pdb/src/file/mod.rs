//! Table files: a header, a checksum for each chunk, and a payload.
//!
//! A file is written either whole or not at all. A payload is used only after its checksums are
//! checked.
//!
//! Layout, all numbers little-endian:
//!
//! | offset | bytes | content |
//! |---|---|---|
//! | 0 | 4096 | header: magic, version, encoding, fingerprint, lengths, description, CRC-32 |
//! | 4096 | 4 a chunk | CRC-32 of each chunk; the header holds the CRC-32 of this table |
//! | next multiple of 4096 | `payload_bytes` | the payload; chunks of 1 MiB, the last one shorter |
//!
//! The *fingerprint* is the BLAKE3 hash of the canonical JSON of description, encoding and lengths.
//! So a load never returns a table with another description.
//!
//! Every load checks the header, the length and the chunk table. The chunks themselves are checked
//! after they are written, at the first load after the file changed, and once after each boot of
//! the machine. The side file `NAME.verified` records that they passed. A failed check removes that
//! file.

mod checkpoint;
mod error;
mod format;
mod leftovers;
mod read;
mod regular_file;
mod spec;
mod store;
mod verified_mark;
mod write;

pub use checkpoint::Checkpoint;
pub(crate) use checkpoint::{CheckpointWriter, SavedLayer};
pub use error::{TableError, TableErrorKind};
pub use leftovers::Leftover;
pub use read::{ChunkCheck, Load, TableInfo, verify};
pub use spec::{Payload, TableSpec};
pub use store::{BuildLock, ObtainError, TablePayload, TableStore};
pub(crate) use write::sync_folder;

#[cfg(test)]
mod forged_tests;
#[cfg(test)]
mod golden_tests;
#[cfg(test)]
mod rot_tests;
#[cfg(test)]
mod tests;
