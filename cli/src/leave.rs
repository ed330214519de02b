//! What leaves of the logs: all of it, or without outputs, or with secrets masked. Shared by the commands that hand a run on.

use crate::args;
use crate::commands::figures::{grouped, size};
use crate::error::Error;
use crate::input::Opened;
use std::collections::BTreeMap;
use std::io::Write;
use std::rc::Rc;
use steplens_core::outputs::Without;
use steplens_core::redact::{Finding, Kinds, Survey};

/// Writes logs as they are to leave.
pub(crate) struct Leaving {
    no_outputs: bool,
    /// What was found in all of the logs; none where nothing is masked.
    survey: Option<Rc<Survey>>,
    masked: BTreeMap<&'static str, u64>,
    outputs: u64,
    output_bytes: u64,
}

impl Leaving {
    /// Goes over all logs once where something is to be masked: what is secret in one is masked in all.
    ///
    /// # Errors
    /// A log cannot be read any more, or kinds are named and nothing is to be masked.
    pub(crate) fn new(opened: &mut Opened, leave: &args::Leave) -> Result<Leaving, Error> {
        Leaving::of_all(std::slice::from_mut(opened), leave)
    }

    /// The same over logs that were opened apart from one another.
    ///
    /// # Errors
    /// As of [`Leaving::new`].
    pub(crate) fn of_all(opened: &mut [Opened], leave: &args::Leave) -> Result<Leaving, Error> {
        if leave.mask.is_said() && !leave.redact {
            return Err(Error::Usage(
                "`--kinds` and `--except` say what `--redact` masks; give that one too".to_owned(),
            ));
        }
        let survey =
            leave.redact.then(|| survey(opened, leave.mask.kinds(), leave.no_outputs)).transpose()?.map(Rc::new);
        let no_outputs = leave.no_outputs;
        Ok(Leaving { no_outputs, survey, masked: BTreeMap::new(), outputs: 0, output_bytes: 0 })
    }

    /// For what is only shown on this machine: nothing is masked.
    pub(crate) fn as_it_is() -> Leaving {
        Leaving { no_outputs: false, survey: None, masked: BTreeMap::new(), outputs: 0, output_bytes: 0 }
    }

    /// The same for another log, with nothing counted yet.
    pub(crate) fn anew(&self) -> Leaving {
        let (no_outputs, survey) = (self.no_outputs, self.survey.clone());
        Leaving { no_outputs, survey, masked: BTreeMap::new(), outputs: 0, output_bytes: 0 }
    }

    /// What leaves beside a log (its name, a title, an option) with the same masks.
    pub(crate) fn beside(&self, text: &str) -> String {
        let Some(survey) = &self.survey else { return text.to_owned() };
        let (mut redactor, mut out) = (survey.redactor(), Vec::new());
        redactor.push(text.as_bytes(), &mut out, &mut |_: &Finding, _: &[u8]| true);
        redactor.finish(&mut out, &mut |_: &Finding, _: &[u8]| true);
        String::from_utf8_lossy(&out).into_owned()
    }

    /// Whether it holds nothing that is masked.
    pub(crate) fn may_leave(&self, text: &str) -> bool {
        self.beside(text) == text
    }

    /// Writes one of the logs.
    ///
    /// # Errors
    /// It cannot be read any more, or not be written.
    pub(crate) fn write(&mut self, opened: &mut Opened, file: usize, out: &mut dyn Write) -> Result<(), Error> {
        let mut stripper = self.no_outputs.then(Without::default);
        let mut redactor = self.survey.as_ref().map(|survey| survey.redactor());
        let masked = &mut self.masked;
        let mut note = |finding: &Finding, _: &[u8]| {
            *masked.entry(finding.kind.name()).or_default() += 1;
            true
        };
        let (mut first, mut second) = (Vec::new(), Vec::new());
        opened.each_piece(file, |bytes| {
            let mut bytes = bytes;
            if let Some(stripper) = &mut stripper {
                first.clear();
                stripper.push(bytes, &mut first);
                bytes = &first;
            }
            if let Some(redactor) = &mut redactor {
                second.clear();
                redactor.push(bytes, &mut second, &mut note);
                bytes = &second;
            }
            Ok(out.write_all(bytes)?)
        })?;
        first.clear();
        second.clear();
        if let Some(stripper) = &mut stripper {
            stripper.finish(&mut first);
            self.outputs += stripper.outputs();
            self.output_bytes += stripper.bytes();
        }
        if let Some(redactor) = &mut redactor {
            redactor.push(&first, &mut second, &mut note);
            redactor.finish(&mut second, &mut note);
            first = second;
        }
        Ok(out.write_all(&first)?)
    }

    /// What was done to the logs, a sentence each.
    pub(crate) fn said(&self) -> Vec<String> {
        let mut said = Vec::new();
        if self.no_outputs {
            said.push(match self.outputs {
                0 => "no output was left out: none stands under the keys of Kilo Code and OpenCode".to_owned(),
                1 => format!("1 output was left out, {}", size(self.output_bytes)),
                many => format!("{} outputs were left out, {}", grouped(many), size(self.output_bytes)),
            });
        }
        said.push(match &self.survey {
            None => "nothing is masked: what is secret in the log is in the file; `--redact` masks it".to_owned(),
            Some(_) if self.masked.is_empty() => "nothing was found to mask".to_owned(),
            Some(_) => {
                let kinds = self.masked.iter().map(|(kind, count)| format!("{} {kind}", grouped(*count)));
                format!("masked: {}", kinds.collect::<Vec<_>>().join(", "))
            }
        });
        said
    }
}

fn survey(opened: &mut [Opened], kinds: Kinds, no_outputs: bool) -> Result<Survey, Error> {
    let mut survey = Survey::new(kinds);
    let mut stripped = Vec::new();
    for opened in opened {
        for file in 0..opened.count() {
            let mut stripper = no_outputs.then(Without::default);
            opened.each_piece(file, |bytes| {
                match &mut stripper {
                    None => survey.push(bytes),
                    Some(stripper) => {
                        stripper.push(bytes, &mut stripped);
                        survey.push(&stripped);
                        stripped.clear();
                    }
                }
                Ok(())
            })?;
            if let Some(stripper) = &mut stripper {
                stripper.finish(&mut stripped);
                survey.push(&stripped);
                stripped.clear();
            }
            survey.end_file();
        }
    }
    Ok(survey)
}
