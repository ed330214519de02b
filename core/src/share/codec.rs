//! The codec of the command line.

use super::LinkError;
use super::base64url::{self, encode};
use flate2::write::DeflateEncoder;
use flate2::{Compression, Decompress, FlushDecompress, Status};
use std::io::Write;

/// How much is unpacked at once.
const PIECE: usize = 64 << 10;

/// The log as the value of `z`.
pub fn pack(log: &[u8]) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail.
    let _ = encoder.write_all(log);
    encode(&encoder.finish().unwrap_or_default())
}

/// The log that a value of `z` holds, if it is no larger than `most` bytes.
///
/// # Errors
/// It is empty, foreign, cut, damaged, or too large.
pub fn unpack(text: &str, most: usize) -> Result<Vec<u8>, LinkError> {
    let packed = base64url::decode(text)?;
    let (mut inflate, mut log) = (Decompress::new(false), Vec::new());
    loop {
        let read = usize::try_from(inflate.total_in()).unwrap_or(usize::MAX);
        let rest = packed.get(read..).unwrap_or_default();
        log.reserve(PIECE);
        let (had, took) = (log.len(), inflate.total_in());
        let status = inflate.decompress_vec(rest, &mut log, FlushDecompress::None);
        if log.len() > most {
            return Err(LinkError::TooLarge { most });
        }
        match status {
            Ok(Status::StreamEnd) if inflate.total_in() == packed.len() as u64 => return Ok(log),
            // Of foreign bytes at most a few come out before the first fault.
            Err(_) if !super::begins_as_log(&log) => return Err(LinkError::NotOurs),
            Ok(Status::StreamEnd) | Err(_) => return Err(LinkError::Damaged),
            // Neither bytes nor room are lacking now, so it is the end that lacks.
            Ok(_) if log.len() == had && inflate.total_in() == took => return Err(LinkError::Cut),
            Ok(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MOST: usize = 1 << 20;

    #[test]
    fn a_link_holds_its_log() {
        let log = "{\"type\":\"step_start\"}\n".repeat(50);
        let link = pack(log.as_bytes());
        assert!(link.len() < 100 && !link.contains(['+', '/', '=']), "{link}");
        assert_eq!(unpack(&link, MOST).unwrap(), log.as_bytes());
    }

    /// As the browser's own stream writes it: raw deflate, without a head or a sum.
    #[test]
    fn what_other_writers_made_is_read() {
        assert_eq!(unpack("y0jNyclXKM8vyklRBAA", MOST).unwrap(), b"hello world!");
        assert_eq!(unpack("y0jNyclXKM8vyklRBAA=\n", MOST).unwrap(), b"hello world!");
    }

    #[test]
    fn what_is_wrong_is_told() {
        let link = pack("a log of a run, long enough to be cut somewhere".as_bytes());
        for len in 1..link.len() {
            assert_eq!(unpack(&link[..len], MOST), Err(LinkError::Cut), "{len}");
        }
        assert_eq!(unpack("", MOST), Err(LinkError::Empty));
        assert_eq!(unpack("ab%20", MOST), Err(LinkError::Foreign { sign: '%', at: 2 }));
        assert_eq!(unpack("________", MOST), Err(LinkError::NotOurs));
        // A block of text as it is, and behind it one of a kind that there is none of.
        let block = [&[0, 5, 0, 0xFA, 0xFF][..], b"{\"a\":", &[7]].concat();
        assert_eq!(unpack(&encode(&block), MOST), Err(LinkError::Damaged));
        assert_eq!(unpack(&format!("{link}AAAA"), MOST), Err(LinkError::Damaged));
        let bomb = pack(&vec![0; 3 * MOST]);
        assert!(bomb.len() < 8_000);
        assert_eq!(unpack(&bomb, MOST), Err(LinkError::TooLarge { most: MOST }));
    }

    proptest! {
        #[test]
        fn any_bytes_come_back(log in prop::collection::vec(any::<u8>(), 0..500)) {
            prop_assert_eq!(unpack(&pack(&log), MOST).unwrap(), log);
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[A-Za-z0-9_-]{0,60}") {
            let _ = unpack(&text, MOST);
        }
    }
}
