//! Asking memory for what will be read soon: [`prefetch`].
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "prefetching has no safe form on stable")
)]

/// Prefetches the cache line of an element into the second-level cache. An index out of range is
/// harmless. Does nothing on CPUs other than x86-64.
///
/// The first level is too small for the lines that a batch waits for. On Zen 4, searches of coset
/// tables take 0.85 to 0.89 of the time that they take with it. Searches of sums are as fast.
#[inline(always)]
pub fn prefetch<T>(slice: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        let pointer = slice.as_ptr().wrapping_add(index).cast::<i8>();
        // SAFETY: a prefetch never faults, whatever the address, and changes nothing that a program
        // can see.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(pointer) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, index);
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_index_out_of_range_is_harmless() {
        super::prefetch(&[1_u64], usize::MAX);
        super::prefetch::<u64>(&[], 0);
    }
}
