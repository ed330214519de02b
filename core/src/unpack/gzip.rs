//! gzip (RFC 1952): a header, deflated data, a checksum and a length; and the same again for each further member.

use super::{Each, PIECE, Why};
use flate2::{Crc, Decompress, FlushDecompress, Status};

/// Bytes of a header at most. Only the file's name and a comment can make it long.
const HEADER: usize = 64 << 10;
/// Bytes of the checksum and the length behind the data.
const TRAILER: usize = 8;

/// Where in a member the reading is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Header,
    Body,
    Trailer,
    /// Behind a member: another one, zeros that fill a block, or the end.
    Behind,
}

/// The reading of gzip data.
#[derive(Debug)]
pub(super) struct Gzip {
    at: At,
    /// Bytes of a header or a trailer that is not there in full yet.
    carry: Vec<u8>,
    inflate: Decompress,
    crc: Crc,
    piece: Vec<u8>,
    offset: u64,
}

impl Default for Gzip {
    fn default() -> Gzip {
        let (carry, piece) = (Vec::new(), vec![0; PIECE]);
        Gzip { at: At::Header, carry, inflate: Decompress::new(false), crc: Crc::new(), piece, offset: 0 }
    }
}

impl Gzip {
    /// Packed bytes that were read.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    pub(super) fn push(&mut self, mut packed: &[u8], each: Each<'_>) -> Result<(), Why> {
        while !packed.is_empty() {
            let used = match self.at {
                At::Header => self.header(packed)?,
                At::Body => self.body(packed, each)?,
                At::Trailer => self.trailer(packed)?,
                At::Behind => self.behind(packed)?,
            };
            self.offset += used as u64;
            packed = packed.get(used..).unwrap_or_default();
        }
        Ok(())
    }

    pub(super) fn finish(&mut self) -> Result<(), Why> {
        if self.at == At::Behind { Ok(()) } else { Err(Why::Early) }
    }

    /// Skips a header; its own checksum is not looked at. Returns how many of the bytes belong to it.
    fn header(&mut self, packed: &[u8]) -> Result<usize, Why> {
        let before = self.carry.len();
        let room = HEADER.saturating_sub(before);
        self.carry.extend(packed.iter().take(room));
        let wrong = match header_len(&self.carry) {
            Ok(None) if self.carry.len() >= HEADER => Why::Corrupt("its header does not end".to_owned()),
            Ok(None) => return Ok(packed.len()),
            Ok(Some(len)) => {
                self.carry.clear();
                self.inflate.reset(false);
                self.crc.reset();
                self.at = At::Body;
                return Ok(len.saturating_sub(before));
            }
            Err(why) => why,
        };
        // Where the header begins.
        self.offset -= before as u64;
        Err(wrong)
    }

    fn body(&mut self, packed: &[u8], each: Each<'_>) -> Result<usize, Why> {
        let mut used = 0;
        loop {
            let (read, written) = (self.inflate.total_in(), self.inflate.total_out());
            let rest = packed.get(used..).unwrap_or_default();
            let status = self.inflate.decompress(rest, &mut self.piece, FlushDecompress::None);
            let read = (self.inflate.total_in() - read) as usize;
            let written = (self.inflate.total_out() - written) as usize;
            used += read;
            if let Some(piece) = self.piece.get(..written).filter(|piece| !piece.is_empty()) {
                self.crc.update(piece);
                each(piece);
            }
            match status {
                Ok(Status::StreamEnd) => {
                    self.at = At::Trailer;
                    return Ok(used);
                }
                // Not sooner: the decoder may hold back text of bytes that it has read.
                Ok(_) if read == 0 && written == 0 => return Ok(packed.len()),
                Ok(_) => {}
                Err(_) => {
                    self.offset += used as u64;
                    return Err(Why::Corrupt("this cannot be inflated".to_owned()));
                }
            }
        }
    }

    fn trailer(&mut self, packed: &[u8]) -> Result<usize, Why> {
        let used = packed.len().min(TRAILER - self.carry.len());
        self.carry.extend(packed.iter().take(used));
        if let [a, b, c, d, e, f, g, h] = *self.carry.as_slice() {
            self.carry.clear();
            self.at = At::Behind;
            let fits = u32::from_le_bytes([a, b, c, d]) == self.crc.sum()
                && u32::from_le_bytes([e, f, g, h]) == self.crc.amount();
            if !fits {
                self.offset += used as u64;
                return Err(Why::Checksum);
            }
        }
        Ok(used)
    }

    fn behind(&mut self, packed: &[u8]) -> Result<usize, Why> {
        match packed.iter().position(|byte| *byte != 0) {
            None => Ok(packed.len()),
            Some(0) if packed.starts_with(&[0x1F]) => {
                self.at = At::Header;
                Ok(0)
            }
            Some(0) => Err(Why::Trailing),
            Some(zeros) => Ok(zeros),
        }
    }
}

/// Length of the header at the start of the bytes; none where it is not there in full.
fn header_len(bytes: &[u8]) -> Result<Option<usize>, Why> {
    let begins = [0x1F, 0x8B, 8].iter().zip(bytes).all(|(wanted, byte)| wanted == byte);
    let flags = bytes.get(3).copied().unwrap_or_default();
    if !begins || flags & 0xE0 != 0 {
        return Err(Why::Trailing);
    }
    let (has_sum, has_extra, has_name, has_comment) = (flags & 2 != 0, flags & 4 != 0, flags & 8 != 0, flags & 16 != 0);
    let mut len = 10;
    if has_extra {
        let Some([low, high]) = bytes.get(len..len + 2) else { return Ok(None) };
        len += 2 + usize::from(u16::from_le_bytes([*low, *high]));
    }
    for _ in 0..usize::from(has_name) + usize::from(has_comment) {
        let rest = bytes.get(len..).unwrap_or_default();
        let Some(end) = rest.iter().position(|byte| *byte == 0) else { return Ok(None) };
        len += end + 1;
    }
    len += 2 * usize::from(has_sum);
    Ok((bytes.len() >= len).then_some(len))
}
