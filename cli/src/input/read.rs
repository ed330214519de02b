//! Reads one file into a run, once; what cannot be read again is kept for a second pass if there will be one.

use super::lines::Again;
use super::unpack::Unpack;
use super::{PIECE, Pass, is_stdin};
use crate::progress::Progress;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use steplens_core::run::Run;

/// How many pieces may be unpacked and not yet read.
const AHEAD: usize = 2;

/// Reads a file into a run: where its bytes can be had again, and what is wrong with it if it is a damaged archive.
pub(super) fn into_run(
    run: &mut Run,
    path: &Path,
    pass: Pass,
    progress: &mut Progress,
) -> io::Result<(Again, Option<String>)> {
    if is_stdin(path) {
        return push(run, io::stdin(), None, pass, progress);
    }
    let file = File::open(path)?;
    // A named pipe, or what a shell's `<(…)` stands for, can be read only once.
    let in_place = file.metadata()?.is_file().then(|| path.to_owned());
    push(run, file, in_place, pass, progress)
}

fn push(
    run: &mut Run,
    source: impl Read + Send,
    in_place: Option<PathBuf>,
    pass: Pass,
    progress: &mut Progress,
) -> io::Result<(Again, Option<String>)> {
    let unpack = Unpack::new(source)?;
    let in_place = in_place.filter(|_| unpack.compression().is_none());
    let mut spool = if pass == Pass::Again && in_place.is_none() { Some(tempfile::tempfile()?) } else { None };
    let mut read_before = 0;
    let unpack = each_piece(unpack, |bytes, read| {
        run.push(bytes);
        if let Some(spool) = &mut spool {
            spool.write_all(bytes).map_err(|error| {
                io::Error::new(error.kind(), format!("its copy in the temporary folder cannot be written: {error}"))
            })?;
        }
        progress.add(read - read_before);
        read_before = read;
        Ok(())
    })?;
    if let Some(name) = unpack.compression() {
        run.unpacked_from(unpack.bytes_read(), name);
    }
    let again = match (in_place, spool) {
        (Some(path), _) => Again::InPlace(path),
        (None, Some(mut spool)) => {
            spool.rewind()?;
            Again::Spooled(spool)
        }
        (None, None) => Again::Nowhere,
    };
    Ok((again, unpack.damage().map(str::to_owned)))
}

/// Hands out a source piece by piece, with the bytes read from it so far. An archive is unpacked on a thread of its own,
/// a few pieces ahead: that takes about as long as reading what comes out.
fn each_piece<R: Read + Send>(
    mut unpack: Unpack<R>,
    mut each: impl FnMut(&[u8], u64) -> io::Result<()>,
) -> io::Result<Unpack<R>> {
    if unpack.compression().is_none() {
        let mut piece = vec![0; PIECE];
        while let Some(bytes) = next(&mut unpack, &mut piece)? {
            each(bytes, unpack.bytes_read())?;
        }
        return Ok(unpack);
    }
    let (sender, receiver) = mpsc::sync_channel(AHEAD);
    thread::scope(|scope| {
        let unpacker = scope.spawn(move || {
            let mut piece = vec![0; PIECE];
            while let Some(bytes) = next(&mut unpack, &mut piece)? {
                let bytes = bytes.to_vec();
                if sender.send((bytes, unpack.bytes_read())).is_err() {
                    break;
                }
            }
            Ok(unpack)
        });
        for (bytes, read) in receiver {
            each(&bytes, read)?;
        }
        unpacker.join().unwrap_or_else(|_| Err(io::Error::other("unpacking it failed")))
    })
}

fn next<'p, R: Read>(unpack: &mut Unpack<R>, piece: &'p mut [u8]) -> io::Result<Option<&'p [u8]>> {
    let len = unpack.fill(piece)?;
    Ok(piece.get(..len).filter(|bytes| !bytes.is_empty()))
}
