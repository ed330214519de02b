//! zstd (RFC 8878): frame after frame, each a header and blocks; frames that are to be skipped are skipped.
//!
//! The decoder reads from a reader and wants a block at a time in full, so bytes wait until there is one.

use super::{Each, PIECE, Why};
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::Read;

/// Bytes of a frame's header at most.
const HEADER: usize = 18;
/// Bytes of a block's header.
const BLOCK_HEADER: usize = 3;
/// Bytes of a frame's checksum.
const CHECKSUM: usize = 4;
/// An empty last block, and room for a checksum. It closes a frame that is damaged, so that the decoder hands out the
/// window that it would keep for further blocks.
const CLOSING: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

/// The reading of zstd data.
pub(super) struct Zstd {
    decoder: FrameDecoder,
    in_frame: bool,
    /// The frame ends with a checksum.
    has_checksum: bool,
    /// Bytes that are still to be skipped.
    skip: u64,
    carry: Vec<u8>,
    piece: Vec<u8>,
    offset: u64,
}

impl Default for Zstd {
    fn default() -> Zstd {
        let (carry, piece) = (Vec::new(), vec![0; PIECE]);
        Zstd { decoder: FrameDecoder::new(), in_frame: false, has_checksum: false, skip: 0, carry, piece, offset: 0 }
    }
}

impl std::fmt::Debug for Zstd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Zstd").field("in_frame", &self.in_frame).field("offset", &self.offset).finish_non_exhaustive()
    }
}

impl Zstd {
    /// Packed bytes that were read.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    pub(super) fn push(&mut self, packed: &[u8], each: Each<'_>) -> Result<(), Why> {
        let mut carry = std::mem::take(&mut self.carry);
        carry.extend_from_slice(packed);
        let mut rest = carry.as_slice();
        let done = self.take(&mut rest, false, each);
        let used = carry.len() - rest.len();
        carry.drain(..used);
        self.carry = carry;
        done
    }

    pub(super) fn finish(&mut self, each: Each<'_>) -> Result<(), Why> {
        let carry = std::mem::take(&mut self.carry);
        let mut rest = carry.as_slice();
        self.take(&mut rest, true, each)?;
        if self.in_frame {
            self.close(each);
        }
        if self.in_frame || self.skip > 0 || !rest.is_empty() { Err(Why::Early) } else { Ok(()) }
    }

    /// Takes whole headers and blocks from the front; the rest waits for more.
    fn take(&mut self, rest: &mut &[u8], is_end: bool, each: Each<'_>) -> Result<(), Why> {
        loop {
            let skipped = rest.len().min(usize::try_from(self.skip).unwrap_or(usize::MAX));
            self.advance(rest, skipped);
            self.skip -= skipped as u64;
            let before = rest.len();
            if !self.in_frame && !rest.is_empty() && (is_end || rest.len() >= HEADER) {
                self.begin(rest)?;
            } else if self.in_frame && self.wanted(rest).is_some_and(|wanted| is_end || rest.len() >= wanted) {
                self.block(rest, each)?;
            }
            if rest.len() == before {
                return Ok(());
            }
        }
    }

    fn advance(&mut self, rest: &mut &[u8], len: usize) {
        *rest = rest.get(len..).unwrap_or_default();
        self.offset += len as u64;
    }

    fn begin(&mut self, rest: &mut &[u8]) -> Result<(), Why> {
        let mut reader = *rest;
        match self.decoder.init(&mut reader) {
            Ok(()) => {
                self.in_frame = true;
                // Bit 2 of the descriptor, which follows the four bytes of the mark.
                self.has_checksum = rest.get(4).is_some_and(|descriptor| descriptor & 4 != 0);
            }
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                self.skip = length.into();
            }
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::BadMagicNumber(_))) => {
                return Err(Why::Trailing);
            }
            Err(_) if rest.len() < HEADER => return Err(Why::Early),
            Err(error) => return Err(Why::Corrupt(error.to_string())),
        }
        let used = rest.len() - reader.len();
        self.advance(rest, used);
        Ok(())
    }

    /// Bytes that the block at the front takes, with the checksum behind the last one; none where its header is not there.
    fn wanted(&self, rest: &[u8]) -> Option<usize> {
        let [a, b, c] = *rest.get(..BLOCK_HEADER)? else { return None };
        let header = u32::from_le_bytes([a, b, c, 0]);
        let (is_last, kind, size) = (header & 1 == 1, header >> 1 & 3, (header >> 3) as usize);
        // A run of one byte holds that byte once.
        let content = if kind == 1 { 1 } else { size };
        Some(BLOCK_HEADER + content + if is_last && self.has_checksum { CHECKSUM } else { 0 })
    }

    fn block(&mut self, rest: &mut &[u8], each: Each<'_>) -> Result<(), Why> {
        let is_cut = self.wanted(rest).is_none_or(|wanted| rest.len() < wanted);
        let mut reader = *rest;
        if let Err(error) = self.decoder.decode_blocks(&mut reader, BlockDecodingStrategy::UptoBlocks(1)) {
            self.close(each);
            self.in_frame = false;
            return Err(if is_cut { Why::Early } else { Why::Corrupt(error.to_string()) });
        }
        let used = rest.len() - reader.len();
        self.advance(rest, used);
        self.hand_out(each);
        if self.decoder.is_finished() {
            self.in_frame = false;
            let (said, found) = (self.decoder.get_checksum_from_data(), self.decoder.get_calculated_checksum());
            if said.is_some() && said != found {
                return Err(Why::Checksum);
            }
        }
        Ok(())
    }

    fn hand_out(&mut self, each: Each<'_>) {
        while let Ok(len) = self.decoder.read(&mut self.piece)
            && let Some(piece) = self.piece.get(..len).filter(|piece| !piece.is_empty())
        {
            each(piece);
        }
    }

    /// Hands out all of a frame that goes no further.
    fn close(&mut self, each: Each<'_>) {
        // Cannot fail: the block is well-formed, and whatever went wrong is said anyway.
        let _ = self.decoder.decode_blocks(CLOSING.as_slice(), BlockDecodingStrategy::All);
        self.hand_out(each);
    }
}
