//! The vector unit of the processor: which one is there, and work that is compiled for it.
//!
//! Of x86-64 processors those with AVX2, and with AVX-512, and what comes with them; others have none that is used.
#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "instructions that not every processor has, chosen at run time: docs/MEASUREMENTS.md says what they bring"
    )
)]

use crate::domain::Kernel;

/// What of the processor's vector unit is used. Each has what those before it have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VectorUnit {
    /// Nothing: plain loops.
    None,
    /// Registers of 32 bytes: AVX2, BMI1, BMI2, LZCNT and POPCNT.
    Narrow,
    /// Registers of 64 bytes: AVX-512 F, BW, DQ and VL as well.
    Wide,
}

impl VectorUnit {
    /// The most that the processor has. Asked once, then remembered.
    #[inline]
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            let narrow = std::is_x86_feature_detected!("avx2")
                && std::is_x86_feature_detected!("bmi1")
                && std::is_x86_feature_detected!("bmi2")
                && std::is_x86_feature_detected!("lzcnt")
                && std::is_x86_feature_detected!("popcnt");
            let wide = narrow
                && std::is_x86_feature_detected!("avx512f")
                && std::is_x86_feature_detected!("avx512bw")
                && std::is_x86_feature_detected!("avx512dq")
                && std::is_x86_feature_detected!("avx512vl");
            match (wide, narrow) {
                (true, _) => Self::Wide,
                (false, true) => Self::Narrow,
                (false, false) => Self::None,
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        Self::None
    }

    /// Does a piece of work where the compiler may use the narrow unit, if the processor has it: for all that is inlined into [`Kernel::run`]. What a domain whose states
    /// are made for the unit does in [`Domain::with_target_features`](crate::Domain::on_unit).
    ///
    /// A whole search gains nothing by the wide unit; what does is compiled for it on its own.
    #[inline(always)]
    pub fn run<K: Kernel>(kernel: K) -> K::Output {
        #[cfg(target_arch = "x86_64")]
        if Self::best() >= Self::Narrow {
            // SAFETY: the processor has these features.
            return unsafe { run_narrow(kernel) };
        }
        kernel.run()
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_narrow<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}
