//! How states find their entries in the table of a coset pattern, from each of its views.

use super::coordinate::{SlotCoordinate, symbol};
#[cfg(target_arch = "x86_64")]
use super::lanes::{Lanes, SUMS, Sight};
use super::pattern::CosetPattern;
use crate::puzzle::symmetries::Relabelling;
#[cfg(target_arch = "x86_64")]
