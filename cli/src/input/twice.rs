//! One log that is read whole two times: what is read once is kept in a temporary file.

use super::lines::Again;
use super::{PIECE, Pass, is_stdin, name_of, named, read};
use crate::args::Common;
use crate::error::Error;
use crate::progress::Progress;
use crate::setup;
use std::io::Read;
use std::path::{Path, PathBuf};
use steplens_core::run::Run;

/// A log whose first pass is done.
pub(crate) struct Twice {
    path: PathBuf,
    again: Again,
    bytes: u64,
    /// How it was packed, if it was.
    pub(crate) packed: Option<&'static str>,
    /// What is wrong with it if it is a damaged archive.
    pub(crate) damage: Option<String>,
}

impl Twice {
    /// The first pass. A file that holds no record of a known format is refused, as anywhere else.
    pub(crate) fn first(path: &Path, common: &Common, each: &mut dyn FnMut(&[u8])) -> Result<Twice, Error> {
        if path.is_dir() {
            let advice = "this is a folder; name one log in it".to_owned();
            return Err(Error::Folder { name: named(path), advice });
        }
        let total = path.metadata().ok().filter(|data| !is_stdin(path) && data.is_file()).map(|data| data.len());
        let mut progress = Progress::new("looking", total, common.quiet);
        // It is read as a log only until a record was seen.
        let mut run = Run::new(setup::options(common)?);
        run.begin_file(&name_of(path));
        let (mut recognised, mut bytes) = (false, 0);
        let taken = read::pieces(path, Pass::Again, &mut progress, &mut |piece, is_endless| {
            if !recognised {
                run.push(piece);
                recognised = run.file_recognised(0);
            }
            read::check_hope(&run, is_endless)?;
            bytes += piece.len() as u64;
            each(piece);
            Ok(())
        });
        let taken = taken.map_err(|source| Error::read(path, source))?;
        if !recognised {
            run.end_file();
        }
        if !run.file_recognised(0) {
            let head = run.head_of_file(0).to_vec();
            let foreign = run.foreign(0);
            return Err(Error::NotALog { name: named(path), head, foreign, damage: taken.damage });
        }
        let packed = taken.unpacked.map(|(_, name)| name);
        Ok(Twice { path: path.to_owned(), again: taken.again, bytes, packed, damage: taken.damage })
    }

    /// The second pass.
    pub(crate) fn second(
        self,
        verb: &'static str,
        quiet: bool,
        mut each: impl FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let failed = |source| Error::read(&self.path, source);
        let mut file = self.again.whole().map_err(failed)?;
        let mut progress = Progress::new(verb, Some(self.bytes), quiet);
        let mut piece = vec![0; PIECE];
        loop {
            let len = match file.read(&mut piece) {
                Ok(0) => return Ok(()),
                Ok(len) => len,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(failed(error)),
            };
            each(piece.get(..len).unwrap_or_default())?;
            progress.add(len as u64);
        }
    }
}
