//! Reads one file into a run, once; what cannot be read again is kept for a second pass if there will be one.

use super::lines::Again;
use super::{PIECE, Pass, is_stdin, unpack};
use crate::progress::Progress;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, Write};
use std::path::{Path, PathBuf};
use steplens_core::run::Run;
use steplens_core::sniff::Sniffer;
use steplens_core::unpack::{Damage, Packing};

/// Of what may not end, how much is read at most where there is no record in it.
const HOPELESS_BYTES: u64 = 1 << 30;
const HOPELESS_RECORDS: u64 = 2_000_000;
/// How much is looked at once to tell a log: most say so in their first line.
const SNIFFED: usize = 64 << 10;

/// What reading a file left.
pub(super) struct Taken {
    /// Where its bytes can be had again.
    pub(super) again: Again,
    /// What is wrong with it if it is a damaged archive.
    pub(super) damage: Option<String>,
    /// The bytes of the archive, and how it was packed.
    pub(super) unpacked: Option<(u64, &'static str)>,
}

/// Reads a file into a run: where its bytes can be had again, and what is wrong with it if it is a damaged archive.
pub(super) fn into_run(
    run: &mut Run,
    path: &Path,
    pass: Pass,
    progress: &mut Progress,
) -> io::Result<(Again, Option<String>)> {
    let taken = pieces(path, pass, progress, &mut |bytes, is_endless| {
        run.push(bytes);
        check_hope(run, is_endless)
    })?;
    if let Some((bytes, name)) = taken.unpacked {
        run.unpacked_from(bytes, name);
    }
    Ok((taken.again, taken.damage))
}

/// What takes pieces of a file: their bytes, and whether the file may have no end.
pub(super) type Take<'a> = dyn FnMut(&[u8], bool) -> io::Result<()> + 'a;

/// Hands out a file, unpacked, piece by piece.
pub(super) fn pieces(path: &Path, pass: Pass, progress: &mut Progress, each: &mut Take<'_>) -> io::Result<Taken> {
    if is_stdin(path) {
        return push(io::stdin(), None, pass, progress, each);
    }
    let file = File::open(path)?;
    // A named pipe, or what a shell's `<(…)` stands for, can be read only once.
    let in_place = file.metadata()?.is_file().then(|| path.to_owned());
    push(file, in_place, pass, progress, each)
}

/// Reads a file until it is known to be a log. Where it is none, all of it was read: what is wrong with it if it is a
/// damaged archive. Nothing is said of a log, nor of what can be read only once.
pub(super) fn sniff(sniffer: &mut Sniffer, path: &Path) -> io::Result<Option<Option<String>>> {
    if is_stdin(path) {
        return Ok(None);
    }
    let mut file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Ok(None);
    }
    let mut piece = vec![0; SNIFFED];
    loop {
        let len = match file.read(&mut piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            len => len?,
        };
        let bytes = piece.get(..len).unwrap_or_default();
        if bytes.is_empty() || sniffer.damage().is_some() {
            return Ok((!sniffer.end()).then(|| sniffer.damage().map(Damage::to_string)));
        }
        if sniffer.push(bytes) {
            return Ok(None);
        }
    }
}

fn push(
    mut source: impl Read + Send,
    in_place: Option<PathBuf>,
    pass: Pass,
    progress: &mut Progress,
    take: &mut Take<'_>,
) -> io::Result<Taken> {
    let mut head = Vec::with_capacity(Packing::MARK);
    // Not one read: a pipe may hand out its first bytes one by one.
    source.by_ref().take(Packing::MARK as u64).read_to_end(&mut head)?;
    let packing = Packing::of(&head);
    let whole = Cursor::new(head).chain(source);
    // A regular file has an end; a device or a pipe may have none.
    let is_endless = in_place.is_none();
    let in_place = in_place.filter(|_| packing.is_none());
    let mut spool = if pass == Pass::Again && in_place.is_none() { Some(tempfile::tempfile()?) } else { None };
    let mut read_before = 0;
    let each = |bytes: &[u8], read: u64| {
        take(bytes, is_endless)?;
        if let Some(spool) = &mut spool {
            spool.write_all(bytes).map_err(|error| {
                io::Error::new(error.kind(), format!("its copy in the temporary folder cannot be written: {error}"))
            })?;
        }
        progress.add(read - read_before);
        read_before = read;
        Ok(())
    };
    let (damage, unpacked) = match packing {
        None => plain(whole, each).map(|()| (None, None))?,
        Some(packing) => {
            let (damage, read) = unpack::each_piece(whole, packing, each)?;
            (damage, Some((read, packing.name())))
        }
    };
    let again = match (in_place, spool) {
        (Some(path), _) => Again::InPlace(path),
        (None, Some(mut spool)) => {
            spool.rewind()?;
            Again::Spooled(spool)
        }
        (None, None) => Again::Nowhere,
    };
    Ok(Taken { again, damage: damage.as_ref().map(Damage::to_string), unpacked })
}

/// Gives up on what may have no end, where so much was read without any record that none is to be expected.
pub(super) fn check_hope(run: &Run, is_endless: bool) -> io::Result<()> {
    let progress = run.progress();
    let is_much = progress.bytes > HOPELESS_BYTES || progress.records > HOPELESS_RECORDS;
    if is_endless && is_much && !run.recognised() {
        let why = "no record in its first 2,000,000 lines, or in its first GB; it may not end at all";
        return Err(io::Error::other(why));
    }
    Ok(())
}

/// Hands out a source as it is, piece by piece, each with the bytes read so far.
fn plain(mut source: impl Read, mut each: impl FnMut(&[u8], u64) -> io::Result<()>) -> io::Result<()> {
    let (mut piece, mut read) = (vec![0; PIECE], 0);
    loop {
        let len = match source.read(&mut piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            len => len?,
        };
        let Some(bytes) = piece.get(..len).filter(|bytes| !bytes.is_empty()) else { return Ok(()) };
        read += len as u64;
        each(bytes, read)?;
    }
}
