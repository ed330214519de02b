//! Unpacks gzip (several members too) and zstd (several frames too) into pieces of a few MiB.
//!
//! The pieces go to the run as they come, and together they are the file from then on: a `Blob` that the browser keeps
//! outside of the wasm memory. The browser's own decompressor fails on gzip with several members and knows no zstd.

use std::io::{self, BufReader, Cursor, Read};

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;

/// Bytes of one piece.
const PIECE: usize = 4 << 20;

/// How a file is packed, told by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// gzip.
    Gzip,
    /// zstd.
    Zstd,
}

impl Packing {
    /// By the first four bytes.
    pub fn of(head: &[u8]) -> Option<Packing> {
        match head {
            [0x1F, 0x8B, ..] => Some(Packing::Gzip),
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

/// A packed file, unpacked piece by piece.
pub struct Pieces {
    reader: Box<dyn Read>,
}

impl Pieces {
    /// From all bytes of the packed file: they are a small part of what comes out.
    pub fn new(packing: Packing, bytes: Vec<u8>) -> Pieces {
        let reader: Box<dyn Read> = match packing {
            Packing::Gzip => Box::new(MultiGzDecoder::new(BufReader::new(Cursor::new(bytes)))),
            Packing::Zstd => Box::new(Frames { source: Some(Cursor::new(bytes)), frame: None }),
        };
        Pieces { reader }
    }

    /// The next piece, and what is wrong with the data behind it. An empty piece is the end.
    pub fn take(&mut self) -> (Vec<u8>, Option<String>) {
        let mut piece = vec![0; PIECE];
        let mut filled = 0;
        let mut wrong = None;
        while let Some(room) = piece.get_mut(filled..).filter(|room| !room.is_empty()) {
            match self.reader.read(room) {
                Ok(0) => break,
                Ok(len) => filled += len,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    wrong = Some(error.to_string());
                    break;
                }
            }
        }
        piece.truncate(filled);
        (piece, wrong)
    }
}

/// Frame after frame: a decoder stops at the end of one.
struct Frames {
    source: Option<Cursor<Vec<u8>>>,
    frame: Option<StreamingDecoder<Cursor<Vec<u8>>, ruzstd::decoding::FrameDecoder>>,
}

impl Read for Frames {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(frame) = &mut self.frame {
                let len = frame.read(room)?;
                if len > 0 {
                    return Ok(len);
                }
                self.source = self.frame.take().map(StreamingDecoder::into_inner);
            }
            let Some(source) = self.source.take() else { return Ok(0) };
            if source.position() >= source.get_ref().len() as u64 {
                return Ok(0);
            }
            let frame = StreamingDecoder::new(source).map_err(|error| io::Error::other(error.to_string()))?;
            self.frame = Some(frame);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn all(packing: Packing, bytes: Vec<u8>) -> (Vec<u8>, Option<String>) {
        let mut pieces = Pieces::new(packing, bytes);
        let mut out = Vec::new();
        loop {
            let (piece, wrong) = pieces.take();
            if piece.is_empty() || wrong.is_some() {
                out.extend(piece);
                return (out, wrong);
            }
            out.extend(piece);
        }
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(text).unwrap();
        packer.finish().unwrap()
    }

    fn zstd(text: &[u8]) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest)
    }

    #[test]
    fn members_and_frames_follow_each_other() {
        let (long, short) = (vec![b'x'; PIECE + 7], b"last\n".to_vec());
        let whole = [long.clone(), short.clone()].concat();
        assert!(all(Packing::Gzip, [gzip(&long), gzip(&short)].concat()) == (whole.clone(), None));
        assert!(all(Packing::Zstd, [zstd(&long), zstd(&short)].concat()) == (whole, None));
    }

    #[test]
    fn what_was_unpacked_before_the_damage_is_kept() {
        let mut packed = gzip(b"one\n");
        let second = gzip(b"two\n");
        packed.extend(&second[..second.len() - 9]);
        let (text, wrong) = all(Packing::Gzip, packed);
        assert!(text.starts_with(b"one\n"));
        assert!(wrong.is_some());
    }

    #[test]
    fn told_by_the_first_bytes() {
        assert_eq!(Packing::of(&gzip(b"a")), Some(Packing::Gzip));
        assert_eq!(Packing::of(&zstd(b"a")), Some(Packing::Zstd));
        assert_eq!(Packing::of(b"{\"ty"), None);
    }
}
