//! Reads zstd: frame after frame, skippable ones skipped, and of a damaged frame whatever was decoded before the damage.

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::error::Error;
use std::io::{self, BufRead, Read};

/// How much is decoded at once, beyond the window that a frame asks for.
const AHEAD: usize = 1 << 20;
/// An empty last block, and room for a checksum. It closes a frame that is damaged, so that the decoder hands out the
/// window that it would keep for further blocks.
const CLOSING: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

/// A reader of zstd data.
pub(super) struct Zstd<R> {
    source: R,
    decoder: FrameDecoder,
    in_frame: bool,
    /// What is wrong, to be said once everything before it has been handed out.
    failed: Option<io::Error>,
}

impl<R: BufRead> Zstd<R> {
    /// Reads the source from its first frame on.
    pub(super) fn new(source: R) -> Zstd<R> {
        Zstd { source, decoder: FrameDecoder::new(), in_frame: false, failed: None }
    }

    /// The source.
    pub(super) fn get_ref(&self) -> &R {
        &self.source
    }

    /// The source, to be read no further.
    pub(super) fn get_mut(&mut self) -> &mut R {
        &mut self.source
    }

    /// Goes to the next frame; false at the end of the data.
    fn begin(&mut self) -> io::Result<bool> {
        loop {
            if self.source.fill_buf()?.is_empty() {
                return Ok(false);
            }
            match self.decoder.init(&mut self.source) {
                Ok(()) => {
                    self.in_frame = true;
                    return Ok(true);
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    let skipped = io::copy(&mut self.source.by_ref().take(length.into()), &mut io::sink())?;
                    if skipped < u64::from(length) {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(kept(error)),
            }
        }
    }

    /// Decodes some more blocks; where that fails, closes the frame.
    fn decode(&mut self) {
        let decoded = self.decoder.decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBytes(AHEAD));
        if let Err(error) = decoded {
            self.failed = Some(kept(error));
            // Cannot fail: the block is well-formed, and whatever went wrong is said anyway.
            let _ = self.decoder.decode_blocks(CLOSING.as_slice(), BlockDecodingStrategy::All);
        }
    }

    /// The frame has been handed out: its checksum, if it has one, must be that of the bytes.
    fn end(&mut self) -> io::Result<()> {
        self.in_frame = false;
        if let Some(failed) = self.failed.take() {
            return Err(failed);
        }
        let (said, found) = (self.decoder.get_checksum_from_data(), self.decoder.get_calculated_checksum());
        if said.is_some() && said != found {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "its checksum is another"));
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.in_frame && !self.begin()? {
                return Ok(0);
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() && self.failed.is_none() {
                self.decode();
            }
            match self.decoder.read(buffer)? {
                0 if !buffer.is_empty() => self.end()?,
                len => return Ok(len),
            }
        }
    }
}

/// A decoder's error as an I/O error, which keeps whether the data just ended.
fn kept(error: FrameDecoderError) -> io::Error {
    let mut cause: Option<&(dyn Error + 'static)> = Some(&error);
    let mut kind = io::ErrorKind::InvalidData;
    while let Some(inner) = cause {
        if let Some(inner) = inner.downcast_ref::<io::Error>() {
            kind = inner.kind();
        }
        cause = inner.source();
    }
    io::Error::new(kind, error.to_string())
}
