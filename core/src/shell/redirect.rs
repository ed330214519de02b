//! Where a simple command's output goes, and where its input comes from.

use super::token::{Redirect, Redirection};
use super::word::Word;

/// Targets that are no files: what is written there is shown or gone.
const DEVICES: [&str; 5] = ["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero"];

/// Where standard output goes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Output<'a> {
    /// Nowhere special: the agent sees it, or the next command in the pipeline does.
    Shown,
    /// To `/dev/null` or another device.
    Discarded,
    /// Into this file.
    File(&'a Word),
}

/// What a command's redirections come to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Streams<'a> {
    /// Standard output.
    pub(super) output: Output<'a>,
    /// Standard input is a heredoc or a here-string.
    pub(super) here: bool,
    /// Standard input is a file.
    pub(super) input: bool,
}

/// Sums `redirects` up; an error where they write to more than standard output's one file.
pub(super) fn streams(redirects: &[Redirect]) -> Result<Streams<'_>, String> {
    let mut streams = Streams { output: Output::Shown, here: false, input: false };
    for redirect in redirects {
        let device = is_device(&redirect.target);
        match redirect.kind {
            Redirection::Duplicate => {}
            Redirection::Here => streams.here = true,
            Redirection::Input if device => {}
            Redirection::Input => streams.input = true,
            Redirection::Both => return Err("a file is opened to read and write".to_owned()),
            Redirection::Output if redirect.descriptor.is_some_and(|number| number != 1) => {
                if !device {
                    return Err(format!("`{}` gets output other than standard output", redirect.target.shown()));
                }
            }
            Redirection::Output | Redirection::OutputAndErrors => match streams.output {
                Output::File(_) => return Err("its output goes to more than one file".to_owned()),
                _ if device => streams.output = Output::Discarded,
                _ => streams.output = Output::File(&redirect.target),
            },
        }
    }
    Ok(streams)
}

/// Whether `word` names a device that is no file.
pub(super) fn is_device(word: &Word) -> bool {
    !word.expansion && (DEVICES.contains(&word.text.as_str()) || word.text.starts_with("/dev/fd/"))
}
