//! A fast scan over bytes, for ASCII with or without its case.
//!
//! Two bytes of the needle, the rarest in logs, are looked for at their distance from each other in blocks of 64 places
//! at once (plain loops over arrays, which compilers turn into vector instructions); only where both stand is the rest
//! compared.

use crate::order::Order;
use memchr::memmem;

/// Places that are looked at together.
const BLOCK: usize = 64;

/// Finds some bytes.
#[derive(Debug, Clone)]
pub(super) struct Scan {
    /// In lower case where case is ignored.
    bytes: Vec<u8>,
    folds: bool,
    first: Probe,
    second: Probe,
}

/// One byte of the needle.
#[derive(Debug, Clone, Copy)]
struct Probe {
    at: usize,
    byte: u8,
    /// The bit that both cases of the letter lack or have.
    mask: u8,
}

impl Scan {
    /// For some bytes; none if there are none. Only ASCII letters have a case.
    pub(super) fn new(bytes: &[u8], folds: bool) -> Option<Scan> {
        let bytes = if folds { bytes.to_ascii_lowercase() } else { bytes.to_vec() };
        let probe = |(at, byte): (usize, &u8)| Probe {
            at,
            byte: *byte,
            mask: if folds && byte.is_ascii_lowercase() { 0x20 } else { 0 },
        };
        let mut probes: Vec<Probe> = bytes.iter().enumerate().map(probe).collect();
        probes.order_by_key(|probe| frequency(probe.byte));
        let first = *probes.first()?;
        let second = probes.get(1).copied().unwrap_or(first);
        Some(Scan { bytes, folds, first, second })
    }

    /// The first place at or behind an index.
    pub(super) fn find(&self, hay: &[u8], from: usize) -> Option<usize> {
        let hay = hay.get(from..)?;
        let places = (hay.len() + 1).checked_sub(self.bytes.len()).filter(|places| *places > 0)?;
        let (left, right) = (self.along(hay, self.first, places)?, self.along(hay, self.second, places)?);
        let (left_blocks, left_rest) = left.as_chunks::<BLOCK>();
        let (right_blocks, right_rest) = right.as_chunks::<BLOCK>();
        for (index, (left, right)) in left_blocks.iter().zip(right_blocks).enumerate() {
            if self.both(left, right)
                && let Some(at) = self.in_block(hay, index * BLOCK, left, right)
            {
                return Some(from + at);
            }
        }
        self.in_block(hay, left_blocks.len() * BLOCK, left_rest, right_rest).map(|at| from + at)
    }

    /// The bytes that a probe is compared with, one for each place.
    fn along<'a>(&self, hay: &'a [u8], probe: Probe, places: usize) -> Option<&'a [u8]> {
        hay.get(probe.at..probe.at + places)
    }

    /// Whether both probes hit at some place of a block.
    fn both(&self, left: &[u8; BLOCK], right: &[u8; BLOCK]) -> bool {
        let (first, second) = (self.first, self.second);
        let hit = |acc: u8, (a, b): (&u8, &u8)| {
            acc | (u8::from(a | first.mask == first.byte) & u8::from(b | second.mask == second.byte))
        };
        left.iter().zip(right).fold(0, hit) != 0
    }

    fn in_block(&self, hay: &[u8], start: usize, left: &[u8], right: &[u8]) -> Option<usize> {
        let (first, second) = (self.first, self.second);
        (start..).zip(left.iter().zip(right)).find_map(|(at, (a, b))| {
            let probable = a | first.mask == first.byte && b | second.mask == second.byte;
            (probable && self.is_at(hay, at)).then_some(at)
        })
    }

    fn is_at(&self, hay: &[u8], at: usize) -> bool {
        let here = hay.get(at..at + self.bytes.len());
        here.is_some_and(|here| if self.folds { here.eq_ignore_ascii_case(&self.bytes) } else { here == self.bytes })
    }
}

/// How often a byte stands in logs, roughly: JSON, prose and code.
fn frequency(byte: u8) -> u8 {
    const OFTEN: &[u8] = b"etaoinsrl dcpumhfg.:_-0,1";
    let place = OFTEN.iter().position(|often| *often == byte.to_ascii_lowercase());
    let rank = place.map_or(0, |place| (OFTEN.len() - place) as u8);
    // Capitals are rare.
    if byte.is_ascii_uppercase() { rank / 4 } else { rank }
}

/// Whether some escape stands for a printable character (`\u003c`) or begins a colour (`\u001b`): then what is searched
/// for may be there without its bytes.
pub(super) fn hides_ascii(bytes: &[u8]) -> bool {
    memmem::find_iter(bytes, b"\\u00").any(|at| {
        let digits = bytes.get(at + 4..at + 6);
        matches!(digits, Some([b'2'..=b'7', _] | [b'1', b'b' | b'B']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn escapes_that_hide_ascii() {
        assert!(hides_ascii(br#""a \u003cb>""#));
        assert!(hides_ascii(br#""\u001B[1m""#));
        assert!(!hides_ascii(br#""\u00e9 \n \u0000""#));
    }

    proptest! {
        #[test]
        fn finds_what_a_plain_search_finds(
            needle in prop::collection::vec(prop::sample::select(b"abAB. {\xC3".to_vec()), 1..5),
            hay in prop::collection::vec(prop::sample::select(b"abAB. {\xC3".to_vec()), 0..300),
            folds in any::<bool>(),
            from in 0usize..70,
        ) {
            let same = |here: &[u8]| if folds { here.eq_ignore_ascii_case(&needle) } else { here == needle };
            let plain = (from..hay.len()).find(|at| hay.get(*at..at + needle.len()).is_some_and(same));
            prop_assert_eq!(Scan::new(&needle, folds).unwrap().find(&hay, from), plain);
        }
    }
}
