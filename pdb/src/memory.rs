//! The bytes of a table: either own memory on huge pages, or a mapped file.
//!
//! This module holds the unsafe code that makes and reads memory.
#![expect(
    unsafe_code,
    reason = "mapping files and views as atomic words have no safe form on stable"
)]

use memmap2::{Mmap, MmapMut, MmapOptions};
use std::fs::File;
use std::io;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Memory of at least this size is requested on huge pages.
#[cfg(target_os = "linux")]
const HUGE_PAGE: usize = 2 << 20;

/// Owns the bytes, which stay at one address.
#[derive(Debug)]
enum Owner {
    Anonymous(MmapMut),
    /// Memory on platforms without anonymous maps.
    Words(Vec<u64>),
    File(Mmap),
}

impl Owner {
    fn pointer(&self) -> *const u8 {
        match self {
            Owner::Anonymous(map) => map.as_ptr(),
            Owner::Words(words) => words.as_ptr().cast(),
            Owner::File(map) => map.as_ptr(),
        }
    }
}

/// Zeroed memory that is filled and then made read-only ([`BytesMut::freeze`]). It is on huge pages
/// if the operating system has them.
///
/// It is aligned to at least 8 bytes, and its size is rounded up to whole 64-bit words.
/// [`BytesMut::len`] is not rounded: it is the length given to [`BytesMut::zeroed`] or
/// [`BytesMut::shortened`].
#[derive(Debug)]
pub struct BytesMut {
    owner: Owner,
    words: usize,
    len: usize,
}

impl BytesMut {
    /// Zeroed memory of `len` bytes. Physical pages are allocated when they are first touched.
    ///
    /// # Errors
    /// If the operating system does not provide the memory.
    pub fn zeroed(len: usize) -> io::Result<Self> {
        let words = len.div_ceil(8).max(1);
        let bytes = words.checked_mul(8).ok_or(io::ErrorKind::OutOfMemory)?;
        let owner = match MmapMut::map_anon(bytes) {
            Ok(map) => {
                #[cfg(target_os = "linux")]
                if bytes >= HUGE_PAGE {
                    // Only advice: without huge pages, reads are some tenths slower.
                    let _ = map.advise(memmap2::Advice::HugePage);
                }
                Owner::Anonymous(map)
            }
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                let mut zeroed = Vec::new();
                zeroed.try_reserve_exact(words).map_err(|_| io::ErrorKind::OutOfMemory)?;
                zeroed.resize(words, 0);
                Owner::Words(zeroed)
            }
            Err(error) => return Err(error),
        };
        Ok(Self { owner, words, len })
    }

    /// Number of bytes, not rounded up.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether [`BytesMut::len`] is 0.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn pointer(&mut self) -> *mut u8 {
        match &mut self.owner {
            Owner::Anonymous(map) => map.as_mut_ptr(),
            Owner::Words(words) => words.as_mut_ptr().cast(),
            Owner::File(..) => unreachable!("files are mapped read only, as `Bytes`"),
        }
    }

    /// The bytes.
    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        let (pointer, len) = (self.pointer(), self.len);
        // SAFETY: the owner has 8 * words >= len initialised bytes there, and self is borrowed
        // exclusively as long as the slice lives.
        unsafe { std::slice::from_raw_parts_mut(pointer, len) }
    }

    /// The memory as words that many threads may change at once, the last one padded with zeros.
    /// Byte `8 i + j` is byte `j` of word `i` *in memory*: after [`u64::from_le`] it is bits `8 j`
    /// and up.
    pub fn as_words(&mut self) -> &[AtomicU64] {
        let (pointer, words) = (self.pointer().cast::<AtomicU64>(), self.words);
        // SAFETY: a map starts on a page and a Vec<u64> on 8 bytes, so the pointer is aligned. The
        // owner has 8 * words bytes there. Every bit pattern is an AtomicU64. `self` is borrowed
        // exclusively as long as the words live, so nobody reads the bytes otherwise.
        unsafe { std::slice::from_raw_parts(pointer, words) }
    }

    /// Keeps only the first `len` bytes. Gives the pages behind them back to the operating system,
    /// if possible.
    ///
    /// # Panics
    /// If there are fewer than `len` bytes.
    #[must_use]
    pub fn shortened(mut self, len: usize) -> Self {
        assert!(len <= self.len, "{len} of {} bytes", self.len);
        (self.len, self.words) = (len, len.div_ceil(8).max(1));
        #[cfg(target_os = "linux")]
        if let Owner::Anonymous(map) = &mut self.owner {
            let from = (8 * self.words).next_multiple_of(HUGE_PAGE);
            if from < map.len() {
                let (advice, rest) = (memmap2::UncheckedAdvice::DontNeed, map.len() - from);
                // SAFETY: the pages belong to this map alone, and nothing reads behind the bytes
                // that are left.
                let _ = unsafe { map.unchecked_advise_range(advice, from, rest) };
            }
        }
        self
    }

    /// Gives the pages of a range back to the operating system, if possible. After that, the
    /// content of the range is unspecified.
    ///
    /// # Panics
    /// If the range ends behind the bytes.
    pub fn discard(&mut self, range: std::ops::Range<usize>) {
        assert!(range.end <= self.len, "{} of {} bytes", range.end, self.len);
        #[cfg(target_os = "linux")]
        if let Owner::Anonymous(map) = &mut self.owner {
            let from = range.start.next_multiple_of(HUGE_PAGE);
            let to = range.end / HUGE_PAGE * HUGE_PAGE;
            if from < to {
                let advice = memmap2::UncheckedAdvice::DontNeed;
                // SAFETY: the pages belong to this map alone, and read as zeros after that; nobody
                // borrows them meanwhile.
                let _ = unsafe { map.unchecked_advise_range(advice, from, to - from) };
            }
        }
    }

    /// Makes the bytes read-only.
    pub fn freeze(self) -> Bytes {
        Bytes::new(self.owner, self.len)
    }
}

/// Read-only bytes of a table, owned or mapped from a file. Clones share them.
#[derive(Clone)]
pub struct Bytes {
    /// *Invariant:* initialised bytes in the memory of `owner`, which stays in place and is never
    /// written. A pointer, because a reference would promise that the memory outlives a call which
    /// drops this value.
    slice: NonNull<[u8]>,
    owner: Arc<Owner>,
}

// SAFETY: the bytes are never written, and `Owner` may be shared and sent.
unsafe impl Send for Bytes {}
// SAFETY: as above.
unsafe impl Sync for Bytes {}

impl std::fmt::Debug for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bytes")
            .field("len", &self.len())
            .field("mapped", &matches!(*self.owner, Owner::File(..)))
            .finish()
    }
}

impl Bytes {
    /// The first `len` bytes of an owner.
    fn new(owner: Owner, len: usize) -> Self {
        let owner = Arc::new(owner);
        // SAFETY: the callers pass an owner with `len` initialised bytes. The bytes lie in a map or
        // on the heap, and stay there when the owner moves.
        let slice = unsafe { std::slice::from_raw_parts(owner.pointer(), len) };
        Self { slice: slice.into(), owner }
    }

    /// Maps `len` bytes of a file from `offset` on, read-only. Processes that map the same file
    /// share the memory. It is on huge pages where the file system keeps files in such.
    ///
    /// # Safety
    /// While these bytes or clones of them exist, nobody may change or shorten the file. The
    /// operating system does not enforce that: locks are only advisory, and none is taken.
    ///
    /// # Errors
    /// If the file is too short, or the operating system does not map it.
    pub(crate) unsafe fn map_file(file: &File, offset: u64, len: usize) -> io::Result<Self> {
        if file.metadata()?.len() < offset.saturating_add(len as u64) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        // SAFETY: the file was long enough just now, and stays as it is by the caller's promise.
        let map = unsafe { MmapOptions::new().offset(offset).len(len).map(file) }?;
        #[cfg(target_os = "linux")]
        if len >= HUGE_PAGE {
            // Where the file system has large folios, pages are read from the disk as huge pages.
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        #[cfg(unix)]
        {
            let _ = map.advise(memmap2::Advice::WillNeed);
        }
        Ok(Self::new(Owner::File(map), len))
    }
}

impl Bytes {
    /// Makes the bytes writable again.
    ///
    /// # Errors
    /// Returns the bytes unchanged if they are mapped from a file, or if clones of them exist.
    pub fn thaw(self) -> Result<BytesMut, Self> {
        let Self { slice, owner } = self;
        let len = slice.len();
        let whole = owner.pointer() == slice.cast().as_ptr();
        match Arc::try_unwrap(owner) {
            Ok(owner @ (Owner::Anonymous(_) | Owner::Words(_))) if whole => {
                Ok(BytesMut { owner, words: len.div_ceil(8).max(1), len })
            }
            Ok(owner) => Err(Self { slice, owner: Arc::new(owner) }),
            Err(owner) => Err(Self { slice, owner }),
        }
    }

    /// Maps the pages of `len` bytes from `offset` on before they are used. Without effect if the
    /// bytes are not mapped from a file, or if the operating system has no such call (only Linux
    /// has it).
    ///
    /// One call for many pages takes a tenth of the time of their page faults. It also reads pages
    /// that are not in memory yet.
    pub fn populate(&self, offset: usize, len: usize) {
        #[cfg(target_os = "linux")]
        if let Owner::File(map) = &*self.owner {
            let _ = map.advise_range(memmap2::Advice::PopulateRead, offset, len);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (offset, len);
    }

    /// The first `len` of these bytes, without a copy. If there are fewer, all of them.
    pub fn prefix(&self, len: usize) -> Self {
        Self { slice: self[..len.min(self.len())].into(), owner: self.owner.clone() }
    }
}

impl std::ops::Deref for Bytes {
    type Target = [u8];
    #[inline(always)]
    fn deref(&self) -> &[u8] {
        // SAFETY: by the invariant of `slice`. The owner lives as long as the borrow.
        unsafe { self.slice.as_ref() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::sync::atomic::Ordering;

    #[test]
    fn what_is_left_of_shortened_bytes_is_as_it_was() {
        for (len, left) in [(5 << 20, (1 << 20) + 3), (9 << 20, 4 << 20), (100, 0), (7, 7)] {
            let mut bytes = BytesMut::zeroed(len).expect("memory");
            for (number, byte) in (0_u32..).zip(bytes.as_mut_slice()) {
                *byte = (number.wrapping_mul(0x9e37_79b9) >> 24) as u8;
            }
            let mut short = bytes.shortened(left);
            assert_eq!((short.len(), short.as_words().len()), (left, left.div_ceil(8).max(1)));
            let frozen = short.freeze();
            let right = |(number, &byte): (u32, &u8)| {
                u32::from(byte) == number.wrapping_mul(0x9e37_79b9) >> 24
            };
            assert_eq!(frozen.len(), left);
            assert!((0..).zip(frozen.iter()).all(right), "{left} of {len}");
        }
    }

    #[test]
    fn bytes_that_nobody_shares_thaw() {
        let mut bytes = BytesMut::zeroed(5 << 20).expect("memory");
        bytes.as_mut_slice().fill(7);
        let frozen = bytes.freeze();
        let other = frozen.clone();
        let frozen = frozen.thaw().expect_err("shared");
        drop(other);
        let mut thawed = frozen.thaw().expect("alone");
        thawed.discard(0..3 << 20);
        assert!(thawed.as_mut_slice()[3 << 20..].iter().all(|&byte| byte == 7));
        assert_eq!(thawed.freeze().prefix(7).len(), 7);
    }

    #[test]
    #[should_panic(expected = "8 of 7 bytes")]
    fn bytes_do_not_grow() {
        let _ = BytesMut::zeroed(7).expect("memory").shortened(8);
    }

    #[test]
    fn words_and_bytes_are_the_same_memory() {
        for len in [1, 8, 9, 5000] {
            let mut bytes = BytesMut::zeroed(len).expect("memory");
            bytes.as_words()[0].fetch_or(u64::from_le(0x05), Ordering::Relaxed);
            assert_eq!((bytes.as_mut_slice().len(), bytes.as_mut_slice()[0]), (len, 5));
            bytes.as_mut_slice()[len - 1] |= 2;
            let frozen = bytes.freeze();
            assert_eq!(frozen.clone()[len - 1] & 2, 2);
            assert_eq!(frozen.prefix(1)[..], frozen[..1]);
            assert_eq!(frozen.prefix(len + 1).len(), len);
        }
    }

    #[test]
    fn a_file_is_mapped_and_its_length_checked() {
        let mut file = tempfile::tempfile().expect("file");
        file.write_all(&[7; 5000]).expect("write");
        // SAFETY: nobody else knows the file.
        let bytes = unsafe { Bytes::map_file(&file, 4096, 904) }.expect("map");
        assert_eq!(&bytes[..], &[7; 904][..]);
        // SAFETY: as above.
        let error = unsafe { Bytes::map_file(&file, 4096, 905) }.expect_err("too long");
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }
}
