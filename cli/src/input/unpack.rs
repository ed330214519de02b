//! Unpacks a source while it is read, on a thread of its own a few pieces ahead: that takes about as long as reading what
//! comes out.

use super::PIECE;
use std::io::{self, Read};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use steplens_core::unpack::{Damage, Packing, Unpacker};

/// How much is read from the source at once.
const BUFFER: usize = 256 << 10;
/// How many pieces may be unpacked and not yet read.
const AHEAD: usize = 2;

/// Hands out what is in a packed source piece by piece, each with the bytes read from the source so far; then what is wrong
/// with the archive, if anything, and the bytes read in all.
///
/// # Errors
/// The source cannot be read, or `each` fails. Damage to the archive ends it instead.
pub(super) fn each_piece(
    source: impl Read + Send,
    packing: Packing,
    mut each: impl FnMut(&[u8], u64) -> io::Result<()>,
) -> io::Result<(Option<Damage>, u64)> {
    let (sender, receiver) = sync_channel(AHEAD);
    thread::scope(|scope| {
        let unpacker = scope.spawn(move || unpack(source, packing, &sender));
        for (piece, read) in receiver {
            each(&piece, read)?;
        }
        unpacker.join().unwrap_or_else(|_| Err(io::Error::other("unpacking it failed")))
    })
}

fn unpack(
    mut source: impl Read,
    packing: Packing,
    sender: &SyncSender<(Vec<u8>, u64)>,
) -> io::Result<(Option<Damage>, u64)> {
    let mut unpacker = Unpacker::new(packing);
    let (mut buffer, mut piece, mut read) = (vec![0; BUFFER], Vec::with_capacity(PIECE), 0);
    let mut is_wanted = true;
    loop {
        let len = match source.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            len => len?,
        };
        read += len as u64;
        let packed = buffer.get(..len).unwrap_or_default();
        let mut take = |bytes: &[u8]| {
            piece.extend_from_slice(bytes);
            if piece.len() >= PIECE {
                let full = std::mem::replace(&mut piece, Vec::with_capacity(PIECE));
                is_wanted = is_wanted && sender.send((full, read)).is_ok();
            }
        };
        if len == 0 {
            unpacker.finish(&mut take);
        } else {
            unpacker.push(packed, &mut take);
        }
        if len == 0 || !is_wanted || unpacker.damage().is_some() {
            break;
        }
    }
    // The other side may have gone after an error of its own, which is the one to be told.
    let _ = sender.send((piece, read));
    Ok((unpacker.damage().cloned(), read))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn packed() -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        for line in 0..200_000u64 {
            writeln!(encoder, "{{\"line\":{line},\"n\":{}}}", line * 7919 % 1013).unwrap();
        }
        encoder.finish().unwrap()
    }

    /// A source that fails after some bytes.
    struct Failing(io::Cursor<Vec<u8>>, u64);

    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.position() >= self.1 {
                return Err(io::Error::other("the disk is gone"));
            }
            let len = buffer.len().min(1000);
            self.0.read(&mut buffer[..len])
        }
    }

    #[test]
    fn pieces_come_in_order_with_what_was_read_for_them() {
        let packed = packed();
        let (mut len, mut pieces, mut last) = (0, 0, 0);
        let each = |bytes: &[u8], read: u64| {
            (len, pieces) = (len + bytes.len(), pieces + 1);
            assert!(read >= last);
            last = read;
            Ok(())
        };
        let (damage, read) = each_piece(packed.as_slice(), Packing::Gzip, each).unwrap();
        assert_eq!((damage, read, last), (None, packed.len() as u64, packed.len() as u64));
        assert!(len > 4_000_000 && pieces >= 4, "{len} bytes in {pieces} pieces");
    }

    #[test]
    fn a_disk_that_fails_is_an_error_and_no_damage() {
        let packed = packed();
        let half = packed.len() as u64 / 2;
        let failed = each_piece(Failing(io::Cursor::new(packed), half), Packing::Gzip, |_, _| Ok(()));
        assert_eq!(failed.unwrap_err().to_string(), "the disk is gone");
    }

    #[test]
    fn who_reads_no_further_gets_their_own_error() {
        let failed = each_piece(packed().as_slice(), Packing::Gzip, |_, _| Err(io::Error::other("no room")));
        assert_eq!(failed.unwrap_err().to_string(), "no room");
    }
}
