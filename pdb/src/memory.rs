//! Bytes of a table in memory: anonymous on huge pages or mapped from a file, atomic while shared, and prefetched. All unsafe code of the crate.
#![expect(
    unsafe_code,
    reason = "mapping files, views as atomic words and prefetching have no safe form on stable"
)]

use memmap2::{Mmap, MmapMut};
use std::fs::File;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Zeroed anonymous memory on huge pages where the system has them, to be filled and then frozen.
///
/// Its length is rounded up to whole 64-bit words; [`BytesMut::len`] is the length asked for.
#[derive(Debug)]
pub struct BytesMut {
    map: MmapMut,
    len: usize,
}

impl BytesMut {
    /// Zeroed memory of `len` bytes. Pages are taken when they are first touched.
    ///
    /// # Errors
    /// If the system does not give the memory.
    pub fn zeroed(len: usize) -> io::Result<Self> {
        let rounded = len
            .max(1)
            .checked_next_multiple_of(8)
            .ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))?;
        let map = MmapMut::map_anon(rounded)?;
        #[cfg(target_os = "linux")]
        if rounded >= HUGE_PAGE {
            // Only advice: without huge pages everything is as it was, some tenths slower.
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        Ok(Self { map, len })
    }

    /// How many bytes were asked for.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no bytes were asked for.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bytes.
    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        &mut self.map[..self.len]
    }

    /// The memory as words that many threads may change, the last one padded. Byte `8 i + j` is byte `j` of word `i`
    /// in *memory* order; see [`u64::from_le`] for the value.
    pub fn as_words(&mut self) -> &[AtomicU64] {
        let words = self.map.len() / 8;
        let pointer = self.map.as_mut_ptr().cast::<AtomicU64>();
        // SAFETY: the map starts on a page, so it is aligned; its length is a multiple of 8 (`zeroed`); every bit pattern is an
        // AtomicU64, which has the size of u64; the exclusive borrow of self lasts as long as the words, so nobody reads the bytes otherwise.
        unsafe { std::slice::from_raw_parts(pointer, words) }
    }

    /// The bytes, from now on read only.
    pub fn freeze(self) -> Bytes {
        let len = self.len;
        match self.map.make_read_only() {
            Ok(map) => Bytes { map: Arc::new(map), start: 0, len, _file: None },
            // The protection is a second belt: the type gives no way to write.
            Err(error) => unreachable!("own anonymous memory can be made read only: {error}"),
        }
    }
}

/// Read-only bytes of a table, owned or mapped from a file. Clones share them.
#[derive(Clone, Debug)]
pub struct Bytes {
    map: Arc<Mmap>,
    start: usize,
    len: usize,
    /// Keeps the shared lock of a mapped file.
    _file: Option<Arc<File>>,
}

/// Bytes of a huge page.
#[cfg(target_os = "linux")]
const HUGE_PAGE: usize = 2 << 20;

impl std::ops::Deref for Bytes {
    type Target = [u8];
    #[inline(always)]
    fn deref(&self) -> &[u8] {
        &self.map[self.start..self.start + self.len]
    }
}

/// Asks the processor to fetch the cache line of a byte. Nothing happens where the index is outside, or where the processor is not known.
#[inline(always)]
pub fn prefetch(bytes: &[u8], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let pointer = bytes.as_ptr().wrapping_add(index).cast::<i8>();
        // SAFETY: a prefetch never faults, whatever the address, and changes nothing that a program can see.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(pointer) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (bytes, index);
}
