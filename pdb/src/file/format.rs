//! The header of a table file, byte by byte.

use super::error::TableErrorKind;
use super::spec::{TableSpec, canonical, hex};
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout};

/// The first eight bytes.
pub(super) const MAGIC: [u8; 8] = *b"fewestDB";
/// The version of the format. It changes whenever a byte means something else.
pub(super) const VERSION: u32 = 1;
/// Bytes of the header, and the alignment of the payload.
pub(super) const PAGE: u64 = 4096;
/// A page of bytes.
pub(super) type Page = [u8; 4096];
/// Bytes of a chunk of the payload.
pub(super) const CHUNK: usize = 1 << 20;
/// The same as the header says it.
const CHUNK_BYTES: u32 = 1 << 20;
/// Room for the name of the encoding.
pub(super) const ENCODING_BYTES: usize = 32;
/// Room for the description.
pub(super) const DESCRIPTION_BYTES: usize = 4096 - 136 - 4;

/// The header as it lies in the file: 4096 bytes, little-endian, without padding.
#[derive(Clone, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(super) struct Header {
    pub(super) magic: [u8; 8],
    pub(super) version: U32,
    pub(super) chunk_bytes: U32,
    /// Padded with zeros.
    pub(super) encoding: [u8; ENCODING_BYTES],
    pub(super) fingerprint: [u8; 32],
    pub(super) entries: U64,
    pub(super) payload_bytes: U64,
    pub(super) payload_offset: U64,
    pub(super) chunks: U64,
    pub(super) chunk_table_offset: U64,
    pub(super) chunk_table_crc: U32,
    pub(super) description_bytes: U32,
    pub(super) reserved: U64,
    /// JSON, padded with zeros.
    pub(super) description: [u8; DESCRIPTION_BYTES],
    /// CRC-32 (IEEE) of all bytes before it.
    pub(super) crc: U32,
}

const _: () = assert!(size_of::<Header>() as u64 == PAGE);

/// How many chunks a payload has.
pub(super) fn chunks(payload_bytes: u64) -> u64 {
    payload_bytes.div_ceil(CHUNK as u64)
}

/// Where the payload begins.
pub(super) fn payload_offset(payload_bytes: u64) -> u64 {
    (PAGE + 4 * chunks(payload_bytes)).next_multiple_of(PAGE)
}

impl Header {
    /// The header of a table that passed [`TableSpec::check`].
    pub(super) fn of(spec: &TableSpec, chunk_table_crc: u32) -> Self {
        let description = canonical(&spec.description);
        let description = description.as_bytes();
        let mut header = Header::new_zeroed();
        header.magic = MAGIC;
        header.version = VERSION.into();
        header.chunk_bytes = CHUNK_BYTES.into();
        header.encoding[..spec.encoding.len()].copy_from_slice(spec.encoding.as_bytes());
        header.fingerprint = spec.fingerprint();
        header.entries = spec.entries.into();
        header.payload_bytes = spec.payload_bytes.into();
        header.payload_offset = payload_offset(spec.payload_bytes).into();
        header.chunks = chunks(spec.payload_bytes).into();
        header.chunk_table_offset = PAGE.into();
        header.chunk_table_crc = chunk_table_crc.into();
        header.description_bytes = u32::try_from(description.len()).expect("checked").into();
        header.description[..description.len()].copy_from_slice(description);
        header.crc = header.checksum().into();
        header
    }

    fn checksum(&self) -> u32 {
        let bytes = self.as_bytes();
        crc32fast::hash(&bytes[..bytes.len() - 4])
    }

    /// The header in these bytes, if it is one of this version, undamaged, and of a file that can be.
    pub(super) fn parse(bytes: &Page) -> Result<Self, TableErrorKind> {
        let header: Header = zerocopy::transmute!(*bytes);
        if header.magic != MAGIC {
            return Err(TableErrorKind::Magic { expected: MAGIC, found: header.magic });
        }
        if header.version != VERSION {
            return Err(TableErrorKind::Version { expected: VERSION, found: header.version.get() });
        }
        let crc = header.checksum();
        if header.crc != crc {
            let (expected, found) = (header.crc.get(), crc);
            return Err(TableErrorKind::HeaderChecksum { expected, found });
        }
        let payload = header.payload_bytes.get();
        let sane = payload > 0 && i64::try_from(payload).is_ok();
        header.field("payload_bytes", 1, u64::from(sane))?;
        header.field("chunk_bytes", CHUNK_BYTES.into(), header.chunk_bytes.into())?;
        header.field("chunks", chunks(payload), header.chunks.get())?;
        header.field("chunk_table_offset", PAGE, header.chunk_table_offset.get())?;
        header.field("payload_offset", payload_offset(payload), header.payload_offset.get())?;
        let fits = header.description_bytes.get() as usize <= DESCRIPTION_BYTES;
        header.field("description_bytes fits", 1, u64::from(fits))?;
        Ok(header)
    }

    fn field(&self, field: &'static str, expected: u64, found: u64) -> Result<(), TableErrorKind> {
        if expected == found {
            return Ok(());
        }
        Err(TableErrorKind::Field {
            field,
            expected: expected.to_string(),
            found: found.to_string(),
        })
    }

    /// The description as it is stored.
    pub(super) fn description(&self) -> String {
        let bytes = &self.description[..self.description_bytes.get() as usize];
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// The name of the encoding.
    pub(super) fn encoding(&self) -> String {
        let end = self.encoding.iter().position(|&byte| byte == 0).unwrap_or(ENCODING_BYTES);
        String::from_utf8_lossy(&self.encoding[..end]).into_owned()
    }

    /// Refuses the header of another table.
    pub(super) fn is_of(&self, spec: &TableSpec) -> Result<(), TableErrorKind> {
        let expected = spec.fingerprint();
        if self.fingerprint != expected {
            return Err(TableErrorKind::Fingerprint {
                expected: hex(&expected),
                found: hex(&self.fingerprint),
                description: self.description(),
            });
        }
        // Part of the fingerprint; compared as well, because lengths follow from it.
        self.field("entries", spec.entries, self.entries.get())?;
        self.field("payload_bytes", spec.payload_bytes, self.payload_bytes.get())
    }

    /// Bytes of the whole file.
    pub(super) fn file_bytes(&self) -> u64 {
        self.payload_offset.get() + self.payload_bytes.get()
    }
}
