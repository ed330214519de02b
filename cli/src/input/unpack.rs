//! Unpacks gzip and zstd in a stream, told by the first bytes and never by a name.
//!
//! A damaged archive is no error here: what could be unpacked comes out, and [`Unpack::damage`] says what is wrong.

use super::zstd::Zstd;
use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufReader, Chain, Cursor, Read};

/// How much is unpacked at once: where an archive is damaged, no more than this is lost before the damage.
const STRIDE: usize = 16 << 10;
/// How much is read from the source at once.
const BUFFER: usize = 256 << 10;
/// How many bytes tell the compression.
const MARK: usize = 4;

/// A source that counts its bytes, and remembers that it failed: a decoder's error alone does not tell a broken archive
/// from a disk that cannot be read.
struct Source<R> {
    inner: R,
    bytes: u64,
    failed: Option<io::Error>,
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.inner.read(buffer) {
            Ok(len) => {
                self.bytes += len as u64;
                Ok(len)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                let copy = io::Error::new(error.kind(), error.to_string());
                self.failed = Some(error);
                Err(copy)
            }
        }
    }
}

/// The bytes that told the compression, and what follows them.
type Whole<R> = BufReader<Chain<Cursor<Vec<u8>>, Source<R>>>;

enum Decoder<R: Read> {
    Plain(Whole<R>),
    Gzip(Box<MultiGzDecoder<Whole<R>>>),
    Zstd(Box<Zstd<Whole<R>>>),
}

/// Unpacked bytes of a source.
pub(super) struct Unpack<R: Read> {
    decoder: Decoder<R>,
    damage: Option<String>,
    bytes: u64,
}

impl<R: Read> Unpack<R> {
    /// Looks at the first bytes to tell what the source is.
    pub(super) fn new(source: R) -> io::Result<Unpack<R>> {
        let mut source = Source { inner: source, bytes: 0, failed: None };
        let mut head = Vec::with_capacity(MARK);
        // Not one read: a pipe may hand out its first bytes one by one.
        source.by_ref().take(MARK as u64).read_to_end(&mut head)?;
        let compression = compression(&head);
        let whole = BufReader::with_capacity(BUFFER, Cursor::new(head).chain(source));
        let decoder = match compression {
            Some("gzip") => Decoder::Gzip(Box::new(MultiGzDecoder::new(whole))),
            Some(_) => Decoder::Zstd(Box::new(Zstd::new(whole))),
            None => Decoder::Plain(whole),
        };
        Ok(Unpack { decoder, damage: None, bytes: 0 })
    }

    /// `gzip`, `zstd`, or none where the bytes are as they were.
    pub(super) fn compression(&self) -> Option<&'static str> {
        match &self.decoder {
            Decoder::Plain(_) => None,
            Decoder::Gzip(_) => Some("gzip"),
            Decoder::Zstd(_) => Some("zstd"),
        }
    }

    /// What is wrong with the archive, once all of it has been read; as a sentence without a full stop.
    pub(super) fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
    }

    /// Bytes read from the source so far: at the end, its size on disk.
    pub(super) fn bytes_read(&self) -> u64 {
        let (_, source) = match &self.decoder {
            Decoder::Plain(whole) => whole.get_ref().get_ref(),
            Decoder::Gzip(decoder) => decoder.get_ref().get_ref().get_ref(),
            Decoder::Zstd(decoder) => decoder.get_ref().get_ref().get_ref(),
        };
        source.bytes
    }

    /// Fills the buffer as far as it goes; nothing filled is the end.
    ///
    /// # Errors
    /// The source cannot be read. Damage to an archive ends it instead.
    pub(super) fn fill(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while self.damage.is_none() && filled < buffer.len() {
            let stride = if self.compression().is_some() { STRIDE } else { buffer.len() };
            let end = buffer.len().min(filled + stride);
            let Some(room) = buffer.get_mut(filled..end) else { break };
            let read = match &mut self.decoder {
                Decoder::Plain(whole) => whole.read(room),
                Decoder::Gzip(decoder) => decoder.read(room),
                Decoder::Zstd(decoder) => decoder.read(room),
            };
            match read {
                Ok(0) => break,
                Ok(len) => {
                    filled += len;
                    self.bytes += len as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => self.judge(error)?,
            }
        }
        Ok(filled)
    }

    /// Tells an archive that is damaged from a source that cannot be read.
    fn judge(&mut self, error: io::Error) -> io::Result<()> {
        let whole = match &mut self.decoder {
            Decoder::Plain(whole) => whole,
            Decoder::Gzip(decoder) => decoder.get_mut(),
            Decoder::Zstd(decoder) => decoder.get_mut(),
        };
        let (_, source) = whole.get_mut().get_mut();
        if let Some(failed) = source.failed.take() {
            return Err(failed);
        }
        let Some(name) = self.compression() else { return Err(error) };
        let read = match self.bytes {
            0 => "nothing of it could be unpacked".to_owned(),
            1 => "1 byte could be unpacked and is read".to_owned(),
            bytes => format!("{bytes} bytes could be unpacked and are read"),
        };
        let why = error.to_string();
        self.damage = Some(match error.kind() {
            io::ErrorKind::UnexpectedEof => format!("the {name} data ends early: {read}"),
            // Only a second member can have a bad header after bytes have come out.
            _ if self.bytes > 0 && why == "invalid gzip header" => {
                "what follows the gzip data is no gzip, and is left out".to_owned()
            }
            _ => format!("the {name} data is damaged ({why}): {read}"),
        });
        Ok(())
    }
}

/// The compression that the first bytes are the mark of. A zstd file may begin with a frame that is to be skipped.
fn compression(head: &[u8]) -> Option<&'static str> {
    match head {
        [0x1f, 0x8b, 8, ..] => Some("gzip"),
        [0x28, 0xb5, 0x2f, 0xfd] | [0x50..=0x5f, 0x2a, 0x4d, 0x18] => Some("zstd"),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
