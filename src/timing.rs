//! Measures wall time and processor time.

use std::time::Duration;
use web_time::Instant;

/// Measures wall time, and the processor time of all threads of the process, from its start.
pub(crate) struct Stopwatch {
    wall: Instant,
    cpu: Duration,
}

/// Processor time that all threads of the process have used so far.
#[cfg(feature = "cpu-time")]
fn cpu() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}

/// Zero: without the feature `cpu-time` the processor time is unknown.
#[cfg(not(feature = "cpu-time"))]
fn cpu() -> Duration {
    Duration::ZERO
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self { wall: Instant::now(), cpu: cpu() }
    }
    pub(crate) fn wall(&self) -> Duration {
        self.wall.elapsed()
    }
    pub(crate) fn cpu(&self) -> Duration {
        cpu().saturating_sub(self.cpu)
    }
}
