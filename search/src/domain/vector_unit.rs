//! The vector unit of the CPU: detection, and running code compiled for it.
//!
//! Knows AVX2 and AVX-512 on x86-64. Other CPUs use plain loops.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "calls code for target features that were detected at run time")
)]

use crate::domain::Kernel;

/// The vector unit to use. Each includes the instructions of those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VectorUnit {
    /// No vector unit: plain loops.
    None,
    /// Registers of 32 bytes: AVX2, BMI1, BMI2, LZCNT and POPCNT.
    Narrow,
    /// Registers of 64 bytes: AVX-512 F, BW, DQ and VL as well.
    Wide,
}

impl VectorUnit {
    /// The widest unit of this CPU. Detected once.
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

    /// Runs `kernel` compiled for the narrow unit, if this CPU has it. Domains with vector states
    /// call it in [`Domain::with_target_features`](crate::Domain::with_target_features).
    ///
    /// It never uses the wide unit: whole searches gain nothing by it.
    #[inline(always)]
    pub fn run<K: Kernel>(kernel: K) -> K::Output {
        #[cfg(target_arch = "x86_64")]
        if Self::best() >= Self::Narrow {
            // SAFETY: the CPU has these features.
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
