//! Sixteen bytes side by side, as one register of the CPU where it has one: [`Register`].

mod lanes;
#[cfg(any(test, not(target_arch = "x86_64")))]
mod plain;
#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(all(test, target_arch = "x86_64"))]
mod tests;

pub(super) use lanes::LANES;
#[cfg(not(target_arch = "x86_64"))]
pub(super) use plain::Register;
#[cfg(target_arch = "x86_64")]
pub(super) use sse2::Register;
