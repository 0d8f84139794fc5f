//! The header of a table file, byte by byte.

use super::error::TableErrorKind;
use super::spec::{DESCRIPTION_BYTES, ENCODING_BYTES, TableSpec, canonical, hex};

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
/// [`CHUNK`] as the type that the header stores.
const CHUNK_BYTES: u32 = 1 << 20;
// The fields lie between these offsets without a gap.
const _: () = assert!(at::FINGERPRINT - at::ENCODING == ENCODING_BYTES);
const _: () = assert!(at::CRC - at::DESCRIPTION == DESCRIPTION_BYTES);

/// Offsets of the fields of the header. Numbers are little-endian. There are no gaps between
/// fields.
mod at {
    pub(super) const MAGIC: usize = 0;
    pub(super) const VERSION: usize = 8;
    pub(super) const CHUNK_BYTES: usize = 12;
    /// The name of the encoding, padded with zeros.
    pub(super) const ENCODING: usize = 16;
    pub(super) const FINGERPRINT: usize = 48;
    pub(super) const ENTRIES: usize = 80;
    pub(super) const PAYLOAD_BYTES: usize = 88;
    pub(super) const PAYLOAD_OFFSET: usize = 96;
    pub(super) const CHUNKS: usize = 104;
    pub(super) const CHUNK_TABLE_OFFSET: usize = 112;
    pub(super) const CHUNK_TABLE_CRC: usize = 120;
    pub(super) const DESCRIPTION_BYTES: usize = 124;
    /// 8 bytes, all 0.
    pub(super) const RESERVED: usize = 128;
    /// The description as JSON, padded with zeros.
    pub(super) const DESCRIPTION: usize = 136;
    /// CRC-32 (IEEE) of all bytes of the header before this field.
    pub(super) const CRC: usize = 4092;
}

/// The bytes of a header.
#[derive(Clone, Debug)]
pub(super) struct Header {
    page: Page,
}

/// Number of chunks of a payload.
pub(super) fn chunks(payload_bytes: u64) -> u64 {
    payload_bytes.div_ceil(CHUNK as u64)
}

/// Offset of the payload in the file.
pub(super) fn payload_offset(payload_bytes: u64) -> u64 {
    (PAGE + 4 * chunks(payload_bytes)).next_multiple_of(PAGE)
}

impl Header {
    /// The header of a table whose specification has passed [`TableSpec::check`].
    pub(super) fn of(spec: &TableSpec, chunk_table_crc: u32) -> Self {
        let description = canonical(&spec.description);
        let description_bytes = u32::try_from(description.len()).expect("checked");
        let mut header = Self { page: [0; 4096] };
        header.set(at::MAGIC, &MAGIC);
        header.set(at::VERSION, &VERSION.to_le_bytes());
        header.set(at::CHUNK_BYTES, &CHUNK_BYTES.to_le_bytes());
        header.set(at::ENCODING, spec.encoding.as_bytes());
        header.set(at::FINGERPRINT, &spec.fingerprint());
        header.set(at::ENTRIES, &spec.entries.to_le_bytes());
        header.set(at::PAYLOAD_BYTES, &spec.payload_bytes.to_le_bytes());
        header.set(at::PAYLOAD_OFFSET, &payload_offset(spec.payload_bytes).to_le_bytes());
        header.set(at::CHUNKS, &chunks(spec.payload_bytes).to_le_bytes());
        header.set(at::CHUNK_TABLE_OFFSET, &PAGE.to_le_bytes());
        header.set(at::CHUNK_TABLE_CRC, &chunk_table_crc.to_le_bytes());
        header.set(at::DESCRIPTION_BYTES, &description_bytes.to_le_bytes());
        header.set(at::DESCRIPTION, description.as_bytes());
        header.set(at::CRC, &header.checksum().to_le_bytes());
        header
    }

    fn set(&mut self, at: usize, bytes: &[u8]) {
        self.page[at..at + bytes.len()].copy_from_slice(bytes);
    }

    fn bytes<const N: usize>(&self, at: usize) -> [u8; N] {
        std::array::from_fn(|byte| self.page[at + byte])
    }

    fn u32(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.bytes(at))
    }

    fn u64(&self, at: usize) -> u64 {
        u64::from_le_bytes(self.bytes(at))
    }

    /// The bytes as they lie in the file.
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.page
    }

    fn checksum(&self) -> u32 {
        crc32fast::hash(&self.page[..at::CRC])
    }

    /// The header in these bytes. An error if it has another version, is damaged, or has impossible
    /// values.
    pub(super) fn parse(bytes: &Page) -> Result<Self, TableErrorKind> {
        let header = Self { page: *bytes };
        let magic = header.bytes(at::MAGIC);
        if magic != MAGIC {
            return Err(TableErrorKind::Magic { expected: MAGIC, found: magic });
        }
        let version = header.u32(at::VERSION);
        if version != VERSION {
            return Err(TableErrorKind::Version { expected: VERSION, found: version });
        }
        let (expected, found) = (header.crc(), header.checksum());
        if expected != found {
            return Err(TableErrorKind::HeaderChecksum { expected, found });
        }
        let payload = header.payload_bytes();
        let sane = payload > 0 && i64::try_from(payload).is_ok();
        header.field("payload_bytes", 1, u64::from(sane))?;
        header.field("chunk_bytes", CHUNK_BYTES.into(), header.u32(at::CHUNK_BYTES).into())?;
        header.field("chunks", chunks(payload), header.chunks())?;
        header.field("chunk_table_offset", PAGE, header.u64(at::CHUNK_TABLE_OFFSET))?;
        header.field("payload_offset", payload_offset(payload), header.payload_offset())?;
        let fits = header.description_bytes() <= DESCRIPTION_BYTES;
        header.field("description_bytes fits", 1, u64::from(fits))?;
        header.field("bytes without meaning that are not 0", 0, header.padding())?;
        Ok(header)
    }

    /// The number of bytes without a meaning that are not 0.
    fn padding(&self) -> u64 {
        let encoding = &self.page[at::ENCODING..][..ENCODING_BYTES];
        let unused = encoding.iter().skip_while(|byte| **byte != 0);
        let reserved = &self.page[at::RESERVED..at::DESCRIPTION];
        let behind = &self.page[at::DESCRIPTION + self.description_bytes()..at::CRC];
        unused.chain(reserved).chain(behind).filter(|byte| **byte != 0).count() as u64
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

    pub(super) fn fingerprint(&self) -> [u8; 32] {
        self.bytes(at::FINGERPRINT)
    }
    pub(super) fn entries(&self) -> u64 {
        self.u64(at::ENTRIES)
    }
    pub(super) fn payload_bytes(&self) -> u64 {
        self.u64(at::PAYLOAD_BYTES)
    }
    pub(super) fn payload_offset(&self) -> u64 {
        self.u64(at::PAYLOAD_OFFSET)
    }
    pub(super) fn chunks(&self) -> u64 {
        self.u64(at::CHUNKS)
    }
    pub(super) fn chunk_table_crc(&self) -> u32 {
        self.u32(at::CHUNK_TABLE_CRC)
    }
    pub(super) fn crc(&self) -> u32 {
        self.u32(at::CRC)
    }
    fn description_bytes(&self) -> usize {
        self.u32(at::DESCRIPTION_BYTES) as usize
    }

    /// The description as it is stored.
    pub(super) fn description(&self) -> String {
        let bytes = &self.page[at::DESCRIPTION..][..self.description_bytes()];
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// The name of the encoding.
    pub(super) fn encoding(&self) -> String {
        let encoding: [u8; ENCODING_BYTES] = self.bytes(at::ENCODING);
        let end = encoding.iter().position(|&byte| byte == 0).unwrap_or(ENCODING_BYTES);
        String::from_utf8_lossy(&encoding[..end]).into_owned()
    }

    /// Returns an error if the header belongs to another table.
    pub(super) fn is_of(&self, spec: &TableSpec) -> Result<(), TableErrorKind> {
        let expected = spec.fingerprint();
        if self.fingerprint() != expected {
            return Err(TableErrorKind::Fingerprint {
                expected: hex(&expected),
                found: hex(&self.fingerprint()),
                description: self.description().replace(char::is_control, "?"),
            });
        }
        // The fingerprint covers both numbers. They are still compared, because readers compute
        // lengths from them.
        self.field("entries", spec.entries, self.entries())?;
        self.field("payload_bytes", spec.payload_bytes, self.payload_bytes())
    }

    /// Returns an error if the fingerprint does not match the rest of the header.
    pub(super) fn check_fingerprint(&self) -> Result<(), TableErrorKind> {
        let spec = TableSpec {
            name: String::new(),
            description: serde_json::from_str(&self.description()).unwrap_or_default(),
            encoding: self.encoding(),
            entries: self.entries(),
            payload_bytes: self.payload_bytes(),
        };
        self.is_of(&spec)
    }

    /// Size of the whole file in bytes.
    pub(super) fn file_bytes(&self) -> u64 {
        self.payload_offset() + self.payload_bytes()
    }
}
