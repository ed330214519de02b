//! Unpacks gzip and zstd: packed bytes are pushed in, and what is in them comes out in pieces of bounded size.
//!
//! What a file is packed with is told by its first bytes, never by its name. Several gzip members or zstd frames are one
//! text. A damaged archive is no error: everything before the damage comes out, and [`Unpacker::damage`] says what is
//! wrong and where. The memory that it takes does not grow with the archive: a piece, and the window that the data asks for
//! (zstd: 128 MiB at most).

mod gzip;
mod zstd;

use std::fmt;

/// Bytes of a piece at most. A gzip decoder keeps 32 KiB of its own back; more room than that loses nothing at a damage.
const PIECE: usize = 64 << 10;

/// How a file is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// gzip (RFC 1952).
    Gzip,
    /// zstd (RFC 8878).
    Zstd,
}

impl Packing {
    /// How many bytes tell it.
    pub const MARK: usize = 4;

    /// By the first bytes of a file; none where it is not packed. A zstd file may begin with a frame that is to be skipped.
    pub fn of(head: &[u8]) -> Option<Packing> {
        match head {
            [0x1F, 0x8B, 8, ..] => Some(Packing::Gzip),
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(Packing::Zstd),
            _ => None,
        }
    }

    /// The wire name.
    pub fn name(self) -> &'static str {
        match self {
            Packing::Gzip => "gzip",
            Packing::Zstd => "zstd",
        }
    }
}

/// What is wrong with an archive; as text a sentence without its full stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// How it is packed.
    pub packing: Packing,
    /// Byte of the packed file at which no more could be made of it.
    pub offset: u64,
    /// Bytes that came out before.
    pub unpacked: u64,
    why: Why,
}

/// The kinds of damage.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Why {
    /// The data ends in the middle.
    Early,
    /// The text is not the one that was packed.
    Checksum,
    /// Something else follows the data.
    Trailing,
    /// Anything else, in the decoder's words.
    Corrupt(String),
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, offset) = (self.packing.name(), self.offset);
        match &self.why {
            Why::Early => write!(f, "the {name} data ends early, at byte {offset}: ")?,
            Why::Checksum => write!(f, "the {name} data is damaged before byte {offset} (its checksum is another): ")?,
            Why::Trailing => {
                return write!(f, "what follows the {name} data, from byte {offset} on, is no {name}, and is left out");
            }
            Why::Corrupt(why) => write!(f, "the {name} data is damaged at byte {offset} ({why}): ")?,
        }
        match self.unpacked {
            0 => f.write_str("nothing of it could be unpacked"),
            1 => f.write_str("1 byte could be unpacked and is read"),
            bytes => write!(f, "{bytes} bytes could be unpacked and are read"),
        }
    }
}

/// Receives what comes out.
type Each<'a> = &'a mut dyn FnMut(&[u8]);

/// An archive that is being unpacked.
#[derive(Debug)]
pub struct Unpacker {
    packing: Packing,
    decoder: Decoder,
    unpacked: u64,
    damage: Option<Damage>,
}

#[derive(Debug)]
enum Decoder {
    Gzip(Box<gzip::Gzip>),
    Zstd(Box<zstd::Zstd>),
}

impl Unpacker {
    /// For data that is packed so.
    pub fn new(packing: Packing) -> Unpacker {
        let decoder = match packing {
            Packing::Gzip => Decoder::Gzip(Box::default()),
            Packing::Zstd => Decoder::Zstd(Box::default()),
        };
        Unpacker { packing, decoder, unpacked: 0, damage: None }
    }

    /// How the data is packed.
    pub fn packing(&self) -> Packing {
        self.packing
    }

    /// Takes the next packed bytes, any number of them; what is in them goes to `each`, in pieces of 64 KiB at most. After
    /// a damage nothing comes out any more.
    pub fn push(&mut self, packed: &[u8], mut each: impl FnMut(&[u8])) {
        self.drive(&mut each, |decoder, each| match decoder {
            Decoder::Gzip(gzip) => gzip.push(packed, each),
            Decoder::Zstd(zstd) => zstd.push(packed, each),
        });
    }

    /// The packed file has ended: hands out what was waiting for more.
    pub fn finish(&mut self, mut each: impl FnMut(&[u8])) {
        self.drive(&mut each, |decoder, each| match decoder {
            Decoder::Gzip(gzip) => gzip.finish(),
            Decoder::Zstd(zstd) => zstd.finish(each),
        });
    }

    /// What is wrong with the data, once that is known.
    pub fn damage(&self) -> Option<&Damage> {
        self.damage.as_ref()
    }

    fn drive(&mut self, each: Each<'_>, step: impl FnOnce(&mut Decoder, Each<'_>) -> Result<(), Why>) {
        if self.damage.is_some() {
            return;
        }
        let unpacked = &mut self.unpacked;
        let done = step(&mut self.decoder, &mut |piece| {
            *unpacked += piece.len() as u64;
            each(piece);
        });
        if let Err(why) = done {
            let offset = match &self.decoder {
                Decoder::Gzip(gzip) => gzip.offset(),
                Decoder::Zstd(zstd) => zstd.offset(),
            };
            self.damage = Some(Damage { packing: self.packing, offset, unpacked: self.unpacked, why });
        }
    }
}

#[cfg(test)]
mod tests;
