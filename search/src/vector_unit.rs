//! The vector unit of the processor: whether it is there, and work that is compiled for it.
//!
//! Of x86-64 processors those with AVX2, and what comes with it; others have none that is used.
#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "instructions that not every processor has, chosen at run time: docs/MEASUREMENTS.md says what they bring"
    )
)]

use crate::domain::Work;

/// Whether the processor has AVX2, BMI1, BMI2, LZCNT and POPCNT. Asked once, then remembered.
#[inline]
pub fn available() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::is_x86_feature_detected!("avx2")
            && std::is_x86_feature_detected!("bmi1")
            && std::is_x86_feature_detected!("bmi2")
            && std::is_x86_feature_detected!("lzcnt")
            && std::is_x86_feature_detected!("popcnt")
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn done<W: Work>(work: W) -> W::Done {
    work.run()
}

/// Does a piece of work where the compiler may use all of these, if they are [`available`]: for all that is inlined into [`Work::run`]. What a domain whose states are made
/// for them does in [`Domain::on_unit`](crate::Domain::on_unit).
#[inline(always)]
pub fn do_work<W: Work>(work: W) -> W::Done {
    #[cfg(target_arch = "x86_64")]
    if available() {
        // SAFETY: the processor has these features.
        return unsafe { done(work) };
    }
    work.run()
}
