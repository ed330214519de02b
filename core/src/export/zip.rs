//! A `.zip` whose entries are only stored: a folder as one file, which every system unpacks.
//!
//! The bytes of entries do not pass through here: whoever writes the archive puts the head of an entry before its bytes, and
//! the directory behind all of them. Names are UTF-8, times are the first that the format knows, so that the same entries
//! give the same archive. Within the bounds of the format before ZIP64: 65,534 entries, and 4 GiB in all.
//!
//! ```
//! use steplens_core::export::zip::{Crc, Zip};
//!
//! # fn main() -> Result<(), steplens_core::export::zip::TooLarge> {
//! let (mut zip, mut file) = (Zip::default(), Vec::new());
//! let text = b"hello";
//! let mut crc = Crc::default();
//! crc.push(text);
//! file.extend(zip.entry("a/b.txt", text.len() as u64, crc)?);
//! file.extend(text);
//! file.extend(zip.finish()?);
//! assert!(file.starts_with(b"PK\x03\x04"));
//! # Ok(())
//! # }
//! ```
//!
//! Source: PKWARE's APPNOTE.TXT 6.3.10, 4.3.7, 4.3.12, 4.3.16, 4.4.4.

use std::fmt;

/// Bit 11: names are UTF-8.
const UTF8: u16 = 1 << 11;
/// 2.0: the version that knows folders.
const NEEDED: u16 = 20;
/// Made on Unix, so that the mode counts.
const MADE_BY: u16 = 3 << 8 | NEEDED;
/// A file that all may read and its owner write.
const MODE: u32 = 0o100_644 << 16;
/// 1980-01-01, the first day there is.
const DAY: u16 = 1 << 5 | 1;

/// An archive that is being written.
#[derive(Debug, Default)]
pub struct Zip {
    /// The directory.
    directory: Vec<u8>,
    entries: u16,
    /// Bytes so far.
    at: u64,
}

/// It would be larger than the format can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a .zip holds 4 GiB at most")
    }
}

impl std::error::Error for TooLarge {}

impl Zip {
    /// What stands before the bytes of an entry: of a name with `/` between folders, and its size in bytes.
    ///
    /// # Errors
    /// The archive would be too large.
    pub fn entry(&mut self, name: &str, size: u64, crc: Crc) -> Result<Vec<u8>, TooLarge> {
        let (long, length) = (u32_of(size)?, u16::try_from(name.len()).map_err(|_| TooLarge)?);
        let (offset, crc) = (u32_of(self.at)?, crc.value());
        // 65,535 means that there are more.
        self.entries = self.entries.checked_add(1).filter(|entries| *entries < u16::MAX).ok_or(TooLarge)?;
        let mut common = Bytes::default();
        common.u16(NEEDED).u16(UTF8).u16(0).u16(0).u16(DAY).u32(crc).u32(long).u32(long).u16(length).u16(0);
        let mut head = Bytes::default();
        head.u32(0x0403_4b50).all(&common.0).all(name.as_bytes());
        let mut listed = Bytes::default();
        listed.u32(0x0201_4b50).u16(MADE_BY).all(&common.0);
        listed.u16(0).u16(0).u16(0).u32(MODE).u32(offset).all(name.as_bytes());
        self.directory.append(&mut listed.0);
        self.at += head.0.len() as u64 + size;
        Ok(head.0)
    }

    /// What stands behind the last entry.
    ///
    /// # Errors
    /// The archive would be too large.
    pub fn finish(self) -> Result<Vec<u8>, TooLarge> {
        let (size, offset) = (u32_of(self.directory.len() as u64)?, u32_of(self.at)?);
        let mut out = Bytes(self.directory);
        out.u32(0x0605_4b50).u16(0).u16(0).u16(self.entries).u16(self.entries).u32(size).u32(offset).u16(0);
        Ok(out.0)
    }
}

/// All ones would say that the number stands elsewhere.
fn u32_of(n: u64) -> Result<u32, TooLarge> {
    u32::try_from(n).ok().filter(|n| *n < u32::MAX).ok_or(TooLarge)
}

/// Numbers as the format writes them: the low byte first.
#[derive(Debug, Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn all(&mut self, bytes: &[u8]) -> &mut Bytes {
        self.0.extend_from_slice(bytes);
        self
    }

    fn u16(&mut self, n: u16) -> &mut Bytes {
        self.all(&n.to_le_bytes())
    }

    fn u32(&mut self, n: u32) -> &mut Bytes {
        self.all(&n.to_le_bytes())
    }
}

/// CRC-32 (ISO 3309, as gzip and PNG have it) of bytes that come in pieces.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Crc(u32);

const TABLE: [u32; 256] = {
    let (mut rest, mut byte) = ([0; 256], 0u32);
    let mut left: &mut [u32] = &mut rest;
    while let Some((first, others)) = left.split_first_mut() {
        let (mut value, mut bit) = (byte, 0);
        while bit < 8 {
            value = if value & 1 == 1 { 0xEDB8_8320 ^ value >> 1 } else { value >> 1 };
            bit += 1;
        }
        *first = value;
        left = others;
        byte += 1;
    }
    rest
};

impl Crc {
    /// The next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        let step = |crc: u32, byte: &u8| {
            let place = usize::from(crc.to_le_bytes()[0] ^ byte);
            crc >> 8 ^ TABLE.get(place).copied().unwrap_or_default()
        };
        self.0 = !bytes.iter().fold(!self.0, step);
    }

    /// Of all bytes so far.
    pub fn value(self) -> u32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn crc_of(bytes: &[u8]) -> Crc {
        let mut crc = Crc::default();
        crc.push(bytes);
        crc
    }

    fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let (mut zip, mut out) = (Zip::default(), Vec::new());
        for (name, bytes) in entries {
            out.extend(zip.entry(name, bytes.len() as u64, crc_of(bytes)).unwrap());
            out.extend_from_slice(bytes);
        }
        out.extend(zip.finish().unwrap());
        out
    }

    #[test]
    fn the_sum_is_that_of_the_standard_however_it_is_cut() {
        // The check value of CRC-32/ISO-HDLC.
        assert_eq!(crc_of(b"123456789").value(), 0xCBF4_3926);
        assert_eq!(crc_of(b"").value(), 0);
        let mut crc = Crc::default();
        [&b"1234"[..], b"", b"56789"].iter().for_each(|piece| crc.push(piece));
        assert_eq!(crc.value(), 0xCBF4_3926);
        let long: Vec<u8> = (0..=255).cycle().take(100_000).collect();
        let mut other = flate2::Crc::new();
        other.update(&long);
        assert_eq!(crc_of(&long).value(), other.sum());
    }

    #[test]
    fn one_entry_is_laid_out_as_the_format_says() {
        let bytes = zip(&[("a/é", b"hi")]);
        let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let crc = hex(&crc_of(b"hi").value().to_le_bytes());
        let wanted = format!(
            "504b0304 1400 0008 0000 0000 2100 {crc} 02000000 02000000 0400 0000 612fc3a9 6869 \
             504b0102 1403 1400 0008 0000 0000 2100 {crc} 02000000 02000000 0400 0000 0000 0000 0000 0000a481 00000000 \
             612fc3a9 504b0506 0000 0000 0100 0100 32000000 24000000 0000"
        );
        assert_eq!(hex(&bytes), wanted.replace(' ', ""));
        assert_eq!(zip(&[("a/é", b"hi")]), bytes, "the same entries give the same archive");
    }

    #[test]
    fn another_program_unpacks_it() {
        let at = std::env::temp_dir().join(format!("steplens-zip-{}.zip", std::process::id()));
        let long = vec![b'x'; 70_000];
        std::fs::write(&at, zip(&[("index.html", b"<p>"), ("logs/ü.jsonl", &long), ("empty", b"")])).unwrap();
        let script = "import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\n\
                      print([(i.filename,i.file_size,i.date_time[:3]) for i in z.infolist()])";
        let ran = Command::new("python3").arg("-c").arg(script).arg(&at).env("PYTHONIOENCODING", "utf-8").output();
        std::fs::remove_file(&at).unwrap();
        // Where there is no Python, the test above says what the bytes are.
        let Ok(ran) = ran else { return };
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        assert_eq!(
            String::from_utf8(ran.stdout).unwrap().trim(),
            "[('index.html', 3, (1980, 1, 1)), ('logs/ü.jsonl', 70000, (1980, 1, 1)), ('empty', 0, (1980, 1, 1))]"
        );
    }

    #[test]
    fn what_the_format_cannot_say_is_refused() {
        let mut zip = Zip::default();
        assert_eq!(zip.entry("a", u64::from(u32::MAX), Crc::default()), Err(TooLarge));
        assert!(zip.entry("a", 1 << 31, Crc::default()).is_ok());
        assert!(zip.entry("b", 1 << 31, Crc::default()).is_ok());
        assert_eq!(zip.entry("c", 1, Crc::default()), Err(TooLarge), "it would begin behind 4 GiB");
        assert_eq!(zip.finish(), Err(TooLarge));
    }
}
