//! Where the plain text of a JSON string ends.
//!
//! Eight bytes at once in a `u64`: strings of a log are full of escapes, and this finds the place as quickly as the block.
//! Comparing sixteen bytes at once is as quick where the compiler unrolls it, and four times slower where it is told to keep
//! the code small, as it is for the page's worker (measured).

const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = 0x8080_8080_8080_8080;

/// How many bytes of a string stand for themselves before one that ends it, escapes, or may not be there (below 0x20).
pub(super) fn plain(bytes: &[u8]) -> usize {
    let (chunks, rest) = bytes.as_chunks::<8>();
    let mut at = 0;
    for chunk in chunks {
        let marks = marks(u64::from_le_bytes(*chunk));
        if marks != 0 {
            return at + (marks.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    at + rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | ..0x20)).unwrap_or(rest.len())
}

/// The top bit of each byte that is not plain; true up to the lowest such byte, as subtracting borrows only upwards.
fn marks(word: u64) -> u64 {
    let zero = |word: u64| word.wrapping_sub(ONES) & !word;
    let below_0x20 = word.wrapping_sub(ONES * 0x20) & !word;
    (zero(word ^ (ONES * u64::from(b'"'))) | zero(word ^ (ONES * u64::from(b'\\'))) | below_0x20) & TOPS
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn one_by_one(bytes: &[u8]) -> usize {
        bytes.iter().position(|byte| *byte < 0x20 || [b'"', b'\\'].contains(byte)).unwrap_or(bytes.len())
    }

    #[test]
    fn each_byte_at_each_place_is_told_right() {
        for byte in 0..=255 {
            for place in 0..19 {
                let mut bytes = [b'a'; 19];
                bytes[place] = byte;
                assert_eq!(plain(&bytes), one_by_one(&bytes), "{byte} at {place}");
            }
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_told_right(bytes in prop::collection::vec(prop_oneof![any::<u8>(), Just(0x21), Just(0x5b)], 0..40)) {
            prop_assert_eq!(plain(&bytes), one_by_one(&bytes));
        }
    }
}
