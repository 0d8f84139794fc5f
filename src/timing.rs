//! Wall and processor time of a piece of work.

use std::time::{Duration, Instant};

/// A stopwatch for wall time and the time of all threads.
pub(crate) struct Stopwatch {
    wall: Instant,
    cpu: Duration,
}

/// Time that all threads of the process have used.
#[cfg(feature = "cpu-time")]
fn cpu() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}

/// Without the feature no processor time is known.
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
