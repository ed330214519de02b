//! A progress bar for what takes more than a second: on standard error, only where that is a terminal, never with `-q`.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

/// What is done sooner than this needs no bar.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the bar is drawn.
const PER_SECOND: u8 = 10;

/// How far some work is. The bar goes away with it.
pub(crate) struct Progress {
    verb: &'static str,
    started: Instant,
    done: u64,
    /// Bytes in all, where that is known.
    total: Option<u64>,
    shown: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Progress of some work over so many bytes.
    pub(crate) fn new(verb: &'static str, total: Option<u64>, quiet: bool) -> Progress {
        let shown = !quiet && io::stderr().is_terminal();
        Progress { verb, started: Instant::now(), done: 0, total, shown, bar: None }
    }

    /// So many bytes more are done.
    pub(crate) fn add(&mut self, bytes: u64) {
        self.done += bytes;
        if self.shown && self.bar.is_none() && self.started.elapsed() > PATIENCE {
            self.bar = Some(self.draw());
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
        }
    }

    fn draw(&self) -> ProgressBar {
        let target = ProgressDrawTarget::stderr_with_hz(PER_SECOND);
        let bar = ProgressBar::with_draw_target(self.total, target).with_message(self.verb).with_elapsed(PATIENCE);
        let template = match self.total {
            Some(_) => "{msg} {wide_bar} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left",
            None => "{spinner} {msg} {bytes}, {bytes_per_sec}",
        };
        // A test draws both templates; a bar of another look would still be one.
        bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
