//! The server's signs of life: agents' servers send `server.heartbeat` at regular intervals (10 or 30 seconds, by version).
//! Where nothing at all came for three of those, a connection that looks open may be none.

use std::cell::Cell;

/// Shorter intervals are none: two signs that were read together.
const SHORTEST_MS: f64 = 1_000.0;
/// After how many intervals silence is worth a word.
const INTERVALS: f64 = 3.0;

/// What is known of the signs of one stream, in milliseconds since 1970.
#[derive(Debug, Default)]
pub struct Pulse {
    last: Cell<f64>,
    beat: Cell<f64>,
    every: Cell<f64>,
}

impl Pulse {
    /// A stream began.
    pub fn begin(&self, now: f64) {
        self.last.set(now);
        self.beat.set(now);
        self.every.set(0.0);
    }

    /// Something came: how long silence is nothing from now on; none where no interval is known.
    pub fn heard(&self, now: f64, is_beat: bool) -> Option<f64> {
        self.last.set(now);
        if is_beat {
            let every = now - self.beat.replace(now);
            self.every.set(self.every.get().max(every).max(SHORTEST_MS));
        }
        Some(self.every.get() * INTERVALS).filter(|ms| *ms > 0.0)
    }

    /// For how long nothing came.
    pub fn silence(&self, now: f64) -> f64 {
        now - self.last.get()
    }

    /// How often the server gave a sign.
    pub fn every(&self) -> f64 {
        self.every.get()
    }
}

/// Whether an event is such a sign.
pub fn is_beat(data: &str) -> bool {
    data.len() < 1_000 && data.contains("\"server.heartbeat\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_is_told_after_three_intervals() {
        let pulse = Pulse::default();
        pulse.begin(0.0);
        assert_eq!(pulse.heard(500.0, false), None);
        assert_eq!(pulse.heard(10_000.0, true), Some(30_000.0));
        assert_eq!(pulse.heard(12_000.0, false), Some(30_000.0));
        // Two that were read together are no shorter interval.
        assert_eq!(pulse.heard(20_000.0, true), Some(30_000.0));
        assert_eq!(pulse.heard(20_001.0, true), Some(30_000.0));
        assert_eq!((pulse.silence(50_001.0), pulse.every()), (30_000.0, 10_000.0));
        pulse.begin(60_000.0);
        assert_eq!(pulse.heard(60_001.0, true), Some(3_000.0));
    }
}
