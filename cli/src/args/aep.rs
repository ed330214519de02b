//! Options of `steplens aep`.

use clap::ValueEnum;
use steplens_core::aep::{Capture, Mode};

/// The ceiling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AepCapture {
    /// Types, subjects and times alone
    None,
    /// Names, ids, counts and digests; texts only in asks
    Metadata,
    /// Texts too, after the redactor
    Redacted,
    /// Texts as they stand
    Full,
}

impl From<AepCapture> for Capture {
    fn from(capture: AepCapture) -> Capture {
        match capture {
            AepCapture::None => Capture::None,
            AepCapture::Metadata => Capture::Metadata,
            AepCapture::Redacted => Capture::Redacted,
            AepCapture::Full => Capture::Full,
        }
    }
}

/// The channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AepMode {
    /// The same as plugin
    Auto,
    /// A plugin in the harness: all types
    Plugin,
    /// Server-sent events beside a plugin: vendor types only, without data
    Companion,
    /// Server-sent events alone: all types, asks without options
    Primary,
}

impl From<AepMode> for Mode {
    fn from(mode: AepMode) -> Mode {
        match mode {
            AepMode::Auto | AepMode::Plugin => Mode::Plugin,
            AepMode::Companion => Mode::Companion,
            AepMode::Primary => Mode::Primary,
        }
    }
}
