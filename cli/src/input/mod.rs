//! Reads logs in pieces of bounded size, unpacked where they are packed, and single lines again later.

mod lines;
mod read;
mod tree;
mod twice;
mod unpack;

pub(crate) use lines::Lines;
pub(crate) use twice::Twice;

use crate::args::Common;
use crate::error::Error;
use crate::progress::Progress;
use crate::setup;
use crate::style;
use lines::Again;
use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use steplens_core::rules::Rules;
use steplens_core::run::Run;
use steplens_core::sniff::Sniffer;
use steplens_core::summary::LeftOut;

/// How much is read at once.
const PIECE: usize = 1 << 20;

/// Of how many files `-v` says how they are read. A storage tree has thousands.
const FORMATS_SAID: usize = 20;

/// Whether lines have to be read again after the first pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pass {
    /// Once: what cannot be read twice is read as it comes.
    Once,
    /// Again: standard input and archives are kept in a temporary file.
    Again,
}

/// One thing to be read.
struct Input {
    /// As the user would name it.
    path: PathBuf,
    /// As it is shown.
    name: String,
    /// One document of a storage tree: other documents of the tree make up for one that says nothing.
    in_tree: bool,
}

/// A run, and the files that it was read from.
pub(crate) struct Opened {
    pub(crate) run: Run,
    rules: Rules,
    /// The files as the user named them, by their place in the summary.
    pub(crate) paths: Vec<PathBuf>,
    again: Vec<Again>,
    /// Archives that are damaged: the file, and what is wrong.
    damaged: Vec<(u32, String)>,
    /// Why files that were named beside logs are none.
    left_out: Vec<Error>,
}

/// Reads all files into one run. A file that cannot be read is an error. One that holds no record of a known format is
/// left out where others are logs, and an error where none is.
pub(crate) fn open(paths: &[PathBuf], common: &Common, pass: Pass) -> Result<Opened, Error> {
    let options = setup::options(common)?;
    let rules = options.rules.clone();
    let run = Run::new(options);
    let inputs = inputs(paths)?;
    let mut progress = Progress::new("reading", total(&inputs), common.quiet);
    let mut opened =
        Opened { run, rules, paths: Vec::new(), again: Vec::new(), damaged: Vec::new(), left_out: Vec::new() };
    let several = inputs.len() > 1;
    for input in &inputs {
        if several && !input.in_tree && opened.leave_out(input)? {
            continue;
        }
        opened.read(input, pass, &mut progress)?;
    }
    drop(progress);
    if opened.paths.is_empty()
        && let Some(first) = opened.refusal()
    {
        return Err(first);
    }
    if !opened.run.recognised() {
        // Only a tree can come here: a file that says nothing has already been refused.
        let name = paths.first().map(|path| named(path)).unwrap_or_default();
        let advice = "this storage tree holds no document that can be read: they are empty or damaged".to_owned();
        return Err(Error::Folder { name, advice });
    }
    if !common.quiet {
        opened.say_left_out();
        opened.say_damage();
        opened.run.rule_notes().iter().for_each(|text| style::note(text));
    }
    if common.verbose {
        opened.say_formats();
    }
    opened.check_session(common)?;
    Ok(opened)
}

impl Opened {
    fn read(&mut self, input: &Input, pass: Pass, progress: &mut Progress) -> Result<(), Error> {
        let index = self.paths.len() as u32;
        self.run.begin_file(&input.name);
        let read = read::into_run(&mut self.run, &input.path, pass, progress);
        let (again, damage) = read.map_err(|source| Error::read(&input.path, source))?;
        if let Some(damage) = &damage {
            self.run.note_damage(damage);
        }
        self.run.end_file();
        self.paths.push(input.path.clone());
        self.again.push(again);
        self.damaged.extend(damage.clone().map(|damage| (index, damage)));
        if !input.in_tree && !self.run.file_recognised(index) {
            let head = self.run.head_of_file(index).to_vec();
            let foreign = self.run.foreign(index);
            return Err(Error::NotALog { name: named(&input.path), head, foreign, damage });
        }
        Ok(())
    }

    /// Leaves a file out that is no log; the others are read all the same. What can be read only once is not looked at
    /// before it is read.
    fn leave_out(&mut self, input: &Input) -> Result<bool, Error> {
        let mut sniffer = Sniffer::new(&input.name, self.rules.clone());
        let sniffed = read::sniff(&mut sniffer, &input.path).map_err(|source| Error::read(&input.path, source))?;
        let Some(damage) = sniffed else { return Ok(false) };
        let bytes = input.path.metadata().map_or(0, |metadata| metadata.len());
        let reason = sniffer.reason();
        self.run.leave_out(LeftOut { name: input.name.clone(), bytes, reason });
        let (head, foreign) = (sniffer.head().to_vec(), sniffer.foreign());
        self.left_out.push(Error::NotALog { name: named(&input.path), head, foreign, damage });
        Ok(true)
    }

    /// Why the first of the files that were left out is no log; none where all are.
    pub(crate) fn refusal(&mut self) -> Option<Error> {
        (!self.left_out.is_empty()).then(|| self.left_out.remove(0))
    }

    fn say_left_out(&self) {
        for error in &self.left_out {
            style::note(&format!("left out: {error}"));
        }
    }

    /// What is wrong with the archives, if anything.
    pub(crate) fn damage(&self) -> impl Iterator<Item = &str> {
        self.damaged.iter().map(|(_, damage)| damage.as_str())
    }

    /// The run, and a reader of its lines.
    pub(crate) fn lines(&mut self) -> (&Run, Lines<'_>) {
        (&self.run, Lines::new(&mut self.again))
    }

    /// How many files were read.
    pub(crate) fn count(&self) -> usize {
        self.paths.len()
    }

    /// Hands out the bytes of a file once more, unpacked, piece by piece.
    ///
    /// # Errors
    /// It cannot be read any more, or `each` fails.
    pub(crate) fn each_piece(
        &mut self,
        file: usize,
        mut each: impl FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let path = self.paths.get(file).cloned().unwrap_or_default();
        let Some(again) = self.again.get_mut(file) else { return Ok(()) };
        let failed = |source| Error::read(&path, source);
        let mut source = again.open().map_err(failed)?;
        let mut piece = vec![0; PIECE];
        loop {
            match source.read(&mut piece) {
                Ok(0) => return Ok(()),
                Ok(len) => each(piece.get(..len).unwrap_or_default())?,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(failed(error)),
            }
        }
    }

    fn say_damage(&self) {
        for (file, damage) in &self.damaged {
            let name = self.paths.get(*file as usize).map(|path| named(path)).unwrap_or_default();
            style::note(&format!("{name}: {damage}"));
        }
    }

    fn say_formats(&self) {
        let summary = self.run.summary();
        for (file, path) in summary.files.iter().zip(&self.paths).take(FORMATS_SAID) {
            let format = file.format.as_deref().unwrap_or("no known format");
            let evidence = file.evidence.join("; ");
            style::note(&format!("{}: {format}, {}: {evidence}", named(path), file.encoding));
        }
        if self.paths.len() > FORMATS_SAID {
            style::note(&format!("and {} more files", self.paths.len() - FORMATS_SAID));
        }
        let (dialect, evidence) = (&summary.dialect, summary.dialect_evidence.join("; "));
        style::note(&match evidence.as_str() {
            "" => format!("read as {dialect}: {}", if summary.dialect_forced { "as asked" } else { "no mark of Kilo" }),
            _ => format!("read as {dialect}: {evidence}"),
        });
    }

    fn check_session(&self, common: &Common) -> Result<(), Error> {
        match &common.session {
            Some(id) if self.run.summary().sessions.is_empty() => Err(self.no_session(id)),
            _ => Ok(()),
        }
    }

    /// That there is no session of that id.
    pub(crate) fn no_session(&self, id: &str) -> Error {
        let files = self.paths.iter().take(FORMATS_SAID).map(|path| path.display().to_string()).collect();
        Error::NoSession { id: id.to_owned(), files }
    }
}

/// What there is to be read: files as they are named, folders as the documents of the storage tree in them.
fn inputs(paths: &[PathBuf]) -> Result<Vec<Input>, Error> {
    let mut inputs = Vec::new();
    for path in paths {
        if path.is_dir() {
            let relative = |document: &Path| document.strip_prefix(path).unwrap_or(document).display().to_string();
            let documents = tree::documents(path)?.into_iter();
            inputs.extend(documents.map(|path| Input { name: relative(&path), path, in_tree: true }));
        } else {
            inputs.push(Input { name: name_of(path), path: path.clone(), in_tree: false });
        }
    }
    if inputs.iter().filter(|input| is_stdin(&input.path)).count() > 1 {
        return Err(Error::Usage("standard input (`-`) can be read only once; name it once".to_owned()));
    }
    name_apart(&mut inputs);
    Ok(inputs)
}

/// Files of one name are told apart by their paths.
fn name_apart(inputs: &mut [Input]) {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for input in inputs.iter() {
        *counts.entry(input.name.clone()).or_default() += 1;
    }
    for input in inputs.iter_mut().filter(|input| counts.get(&input.name).is_some_and(|count| *count > 1)) {
        input.name = input.path.display().to_string();
    }
}

/// A path as messages name it.
pub(crate) fn named(path: &Path) -> String {
    if is_stdin(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// Whether it stands for standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// What a file is called: its name without folders.
pub(crate) fn name_of(path: &Path) -> String {
    path.file_name().filter(|_| !is_stdin(path)).map_or_else(|| named(path), |name| name.to_string_lossy().into_owned())
}

/// Bytes to be read from the disk in all; none where a pipe is among the inputs.
fn total(inputs: &[Input]) -> Option<u64> {
    let size = |input: &Input| {
        let metadata = input.path.metadata().ok()?;
        (!is_stdin(&input.path) && metadata.is_file()).then_some(metadata.len())
    };
    inputs.iter().map(size).sum()
}
