use super::*;
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
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

/// Unpacks all of it, pushed in pieces of that size.
fn unpack(packed: &[u8], chunk: usize) -> (Vec<u8>, Option<String>) {
    let mut unpacker = Unpacker::new(Packing::of(packed).expect("packed"));
    let mut out = Vec::new();
    let mut each = |piece: &[u8]| {
        assert!((1..=PIECE).contains(&piece.len()));
        out.extend_from_slice(piece);
    };
    for bytes in packed.chunks(chunk) {
        unpacker.push(bytes, &mut each);
    }
    unpacker.finish(&mut each);
    let damage = unpacker.damage();
    assert!(damage.is_none_or(|damage| damage.unpacked == out.len() as u64 && damage.offset <= packed.len() as u64));
    let damage = damage.map(Damage::to_string);
    (out, damage)
}

#[test]
fn told_by_the_first_bytes() {
    assert_eq!(Packing::of(&gzip(b"a")), Some(Packing::Gzip));
    assert_eq!(Packing::of(&zstd(b"a")), Some(Packing::Zstd));
    for plain in [&b""[..], b"{\"ty", &[0x1F, 0x8B], &[0x28, 0xB5, 0x2F], &[0x1F, 0x8B, 9, 0]] {
        assert_eq!(Packing::of(plain), None);
    }
}

#[test]
fn members_and_frames_follow_each_other() {
    let text = text(20_000);
    let (first, second) = text.split_at(text.len() / 3);
    for chunk in [1, 7, 4096, 1 << 20] {
        let members = [gzip(first), gzip(b""), gzip(second), vec![0; 300]].concat();
        assert!(unpack(&members, chunk) == (text.clone(), None), "gzip by {chunk}");
        let skipped = [&[0x50, 0x2A, 0x4D, 0x18, 30, 0, 0, 0][..], &[b'{'; 30]].concat();
        let frames = [skipped.clone(), zstd(first), zstd(b""), skipped, zstd(second)].concat();
        assert!(unpack(&frames, chunk) == (text.clone(), None), "zstd by {chunk}");
    }
}

#[test]
fn a_header_may_hold_a_name_a_comment_and_more() {
    let plain = gzip(b"{}\n");
    let mut packed = vec![0x1F, 0x8B, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 3];
    packed.extend_from_slice(&[3, 0, 1, 2, 3]);
    packed.extend_from_slice(b"run.jsonl\0no comment\0\xAA\xBB");
    packed.extend_from_slice(&plain[10..]);
    for chunk in [1, 12, 100] {
        assert_eq!(unpack(&packed, chunk), (b"{}\n".to_vec(), None));
    }
    let mut endless = vec![0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 3];
    endless.resize(1 << 20, b'n');
    let damage = "the gzip data is damaged at byte 0 (its header does not end): nothing of it could be unpacked";
    assert_eq!(unpack(&endless, 1000), (vec![], Some(damage.to_owned())));
}

#[test]
fn of_a_cut_archive_all_comes_out_that_is_in_it() {
    let text = text(20_000);
    for (name, packed) in [("gzip", gzip(&text)), ("zstd", zstd(&text))] {
        let mut last = 0;
        for cut in [5, 20, packed.len() / 2, packed.len() * 9 / 10, packed.len() - 1] {
            let (out, damage) = unpack(&packed[..cut], 1 << 16);
            let damage = damage.unwrap();
            assert!(damage.starts_with(&format!("the {name} data ends early, at byte ")), "{damage}");
            assert!(text.starts_with(&out), "{name} cut at {cut}");
            assert!(out.len() >= last, "{name} cut at {cut}: {} after {last}", out.len());
            last = out.len();
        }
        assert_eq!(last, text.len(), "{name}");
    }
    // Half of the packed bytes are about half of the text.
    let packed = gzip(&text);
    let (out, _) = unpack(&packed[..packed.len() / 2], 1 << 16);
    assert!(out.len() > text.len() / 3, "{}", out.len());
}

#[test]
fn a_checksum_that_does_not_fit_is_said() {
    let text = text(100);
    for (name, mut packed, from_end) in [("gzip", gzip(&text), 8), ("zstd", zstd(&text), 1)] {
        let (len, at) = (packed.len(), packed.len() - from_end);
        packed[at] ^= 1;
        let want = format!(
            "the {name} data is damaged before byte {len} (its checksum is another): {} bytes could be unpacked and are read",
            text.len()
        );
        assert_eq!(unpack(&packed, 1 << 16), (text.clone(), Some(want)));
    }
}

#[test]
fn what_follows_the_data_is_left_out() {
    let packed = gzip(b"{}\n");
    let want = format!("what follows the gzip data, from byte {} on, is no gzip, and is left out", packed.len());
    for rest in [&b"no gzip at all"[..], &[0x1F, b'a', b'b'], &[0x1F, 0x8B, 8, 0xE0]] {
        for chunk in [1, 64] {
            let packed = [&packed, rest].concat();
            assert_eq!(unpack(&packed, chunk), (b"{}\n".to_vec(), Some(want.clone())));
        }
    }
    let packed = zstd(b"{}\n");
    let want = format!("what follows the zstd data, from byte {} on, is no zstd, and is left out", packed.len());
    let packed = [&packed, &b"no zstd at all, and long enough"[..]].concat();
    assert_eq!(unpack(&packed, 64), (b"{}\n".to_vec(), Some(want)));
}

#[test]
fn damage_anywhere_never_does_more_than_end_the_data() {
    let text = text(300);
    for packed in [gzip(&text), zstd(&text)] {
        for at in 4..packed.len() {
            for flip in [0x01, 0x10, 0x80, 0xFF] {
                let mut packed = packed.clone();
                packed[at] ^= flip;
                unpack(&packed, 1 << 16);
            }
        }
    }
}

proptest! {
    #[test]
    fn any_pieces_give_the_same(
        lines in 0u64..400,
        is_zstd in any::<bool>(),
        damaged in prop::option::of((4usize..4000, 1u8..)),
        cut in 0usize..4000,
        chunk in 1usize..300,
    ) {
        let text = text(lines);
        let mut packed = if is_zstd { [zstd(&text), zstd(b"more")].concat() } else { [gzip(&text), gzip(b"more")].concat() };
        if let Some((at, flip)) = damaged && let Some(byte) = packed.get_mut(at) {
            *byte ^= flip;
        }
        packed.truncate(packed.len().saturating_sub(cut % 50).max(4));
        let (out, damage) = unpack(&packed, chunk);
        let (all, whole_damage) = unpack(&packed, packed.len());
        prop_assert!(out == all, "{} bytes, and in one piece {}", out.len(), all.len());
        prop_assert_eq!(damage, whole_damage);
    }
}
