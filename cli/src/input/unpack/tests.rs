use super::*;
use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::io::Write;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

/// A text that a compressor can do something with, and that is the same every time.
fn text(lines: u64) -> Vec<u8> {
    (0..lines).flat_map(|line| format!("{{\"line\":{line},\"n\":{}}}\n", line * 7919 % 1013).into_bytes()).collect()
}

/// Unpacks all of it in pieces of that size: the bytes, the compression, and what is wrong.
fn unpack(packed: &[u8], piece: usize) -> (Vec<u8>, Option<&'static str>, Option<String>) {
    let mut unpack = Unpack::new(packed).unwrap();
    let mut out = Vec::new();
    let mut buffer = vec![0; piece];
    loop {
        let len = unpack.fill(&mut buffer).unwrap();
        if len == 0 {
            break;
        }
        out.extend(&buffer[..len]);
    }
    if unpack.damage().is_none() {
        assert_eq!(unpack.bytes_read(), packed.len() as u64);
    }
    (out, unpack.compression(), unpack.damage().map(str::to_owned))
}

#[test]
fn plain_bytes_stay_as_they_are() {
    for plain in [&b""[..], b"{", b"{}\n", &[0x1f, 0x8b], &[0x28, 0xb5, 0x2f]] {
        assert_eq!(unpack(plain, 3), (plain.to_vec(), None, None));
    }
}

#[test]
fn members_and_frames_follow_each_other() {
    let text = text(20_000);
    let (first, second) = text.split_at(text.len() / 3);
    for piece in [7, 4096, 1 << 20] {
        let members = [gzip(first), gzip(b""), gzip(second)].concat();
        assert_eq!(unpack(&members, piece), (text.clone(), Some("gzip"), None));
        let skipped = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
        let frames = [skipped, zstd(first), zstd(b""), zstd(second)].concat();
        assert_eq!(unpack(&frames, piece), (text.clone(), Some("zstd"), None));
    }
}

#[test]
fn of_a_cut_archive_all_comes_out_that_is_in_it() {
    let text = text(20_000);
    for (name, packed) in [("gzip", gzip(&text)), ("zstd", zstd(&text))] {
        let mut last = 0;
        for cut in [5, 20, packed.len() / 2, packed.len() * 9 / 10, packed.len() - 1] {
            let (out, compression, damage) = unpack(&packed[..cut], 1 << 16);
            assert_eq!(compression, Some(name));
            let damage = damage.unwrap();
            assert!(damage.starts_with(&format!("the {name} data ends early: ")), "{damage}");
            assert!(text.starts_with(&out), "{name} cut at {cut}");
            assert!(out.len() >= last, "{name} cut at {cut}: {} after {last}", out.len());
            last = out.len();
        }
        assert_eq!(last, text.len(), "{name}");
    }
    // Half of the packed bytes are about half of the text.
    let packed = gzip(&text);
    let (out, ..) = unpack(&packed[..packed.len() / 2], 1 << 16);
    assert!(out.len() > text.len() / 3, "{}", out.len());
}

#[test]
fn a_checksum_that_does_not_fit_is_said() {
    let text = text(100);
    let mut packed = gzip(&text);
    let crc = packed.len() - 8;
    packed[crc] ^= 1;
    let (out, _, damage) = unpack(&packed, 1 << 16);
    assert_eq!(out, text);
    assert!(
        damage.unwrap().starts_with("the gzip data is damaged (corrupt gzip stream does not have a matching checksum")
    );
    let mut packed = zstd(&text);
    let last = packed.len() - 1;
    packed[last] ^= 1;
    let (out, _, damage) = unpack(&packed, 1 << 16);
    assert_eq!(out, text);
    assert_eq!(
        damage.unwrap(),
        format!(
            "the zstd data is damaged (its checksum is another): {} bytes could be unpacked and are read",
            text.len()
        )
    );
}

#[test]
fn what_follows_the_last_member_is_left_out() {
    let packed = [gzip(b"{}\n"), b"no gzip at all".to_vec()].concat();
    let (out, _, damage) = unpack(&packed, 64);
    assert_eq!(out, b"{}\n");
    assert_eq!(damage.unwrap(), "what follows the gzip data is no gzip, and is left out");
}

#[test]
fn damage_anywhere_never_does_more_than_end_the_data() {
    let text = text(300);
    for packed in [gzip(&text), zstd(&text)] {
        for at in 4..packed.len() {
            for flip in [0x01, 0x10, 0x80, 0xff] {
                let mut packed = packed.clone();
                packed[at] ^= flip;
                unpack(&packed, 1 << 16);
            }
        }
    }
}

/// A source that fails after some bytes.
struct Failing(usize);

impl Read for Failing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::Error::other("the disk is gone"));
        }
        let packed = gzip(&text(1000));
        let from = packed.len() - self.0;
        let len = buffer.len().min(self.0.saturating_sub(packed.len() / 2)).max(1);
        buffer[..len].copy_from_slice(&packed[from..from + len]);
        self.0 -= len;
        if self.0 <= packed.len() / 2 {
            self.0 = 0;
        }
        Ok(len)
    }
}

#[test]
fn a_disk_that_fails_is_an_error_and_no_damage() {
    let mut unpack = Unpack::new(Failing(gzip(&text(1000)).len())).unwrap();
    let mut buffer = vec![0; 1 << 20];
    assert_eq!(unpack.fill(&mut buffer).unwrap_err().to_string(), "the disk is gone");
    assert_eq!(unpack.damage(), None);
}
