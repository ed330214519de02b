//! A progress bar for what takes more than a second: on standard error, only where that is a terminal, never with `-q`.

use crate::commands::figures::{duration, size};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
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
            Some(_) => "{msg} {wide_bar} {done} of {all}, {left} left",
            None => "{spinner} {msg} {done}",
        };
        // A test draws both templates; a bar of another look would still be one.
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(
            style
                .with_key("done", |state: &ProgressState, out: &mut dyn Write| {
                    let _ = out.write_str(&size(state.pos()));
                })
                .with_key("all", |state: &ProgressState, out: &mut dyn Write| {
                    let _ = out.write_str(&size(state.len().unwrap_or_default()));
                })
                .with_key("left", |state: &ProgressState, out: &mut dyn Write| {
                    let _ = out.write_str(&duration(left_ms(state)));
                }),
        );
        bar
    }
}

/// How long it will take yet at the pace so far. (The bar's own estimate takes what was done before it was drawn for the
/// work of an instant.)
fn left_ms(state: &ProgressState) -> u64 {
    let rest = state.len().unwrap_or_default().saturating_sub(state.pos());
    let per_byte = state.elapsed().as_secs_f64() / state.pos().max(1) as f64;
    (rest as f64 * per_byte).ceil() as u64 * 1000
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_looks_can_be_drawn() {
        for total in [Some(10), None] {
            let mut progress = Progress::new("reading", total, true);
            assert!(!progress.shown);
            progress.add(3);
            assert!(progress.bar.is_none());
            let bar = progress.draw();
            bar.set_draw_target(ProgressDrawTarget::hidden());
            bar.set_position(3);
            bar.tick();
            assert_eq!((bar.position(), bar.length()), (3, total));
        }
    }
}
