//! The head of a sealed link: what has to be known before a password opens it.
//!
//! ```text
//! 1 byte    the seal's version: 1 is AES-256-GCM under a key by PBKDF2-SHA-256 with 600,000 rounds
//! 4 bytes   length of the sealed bytes, big end first: a link that was cut is told from a wrong password
//! 16 bytes  salt
//! 12 bytes  initialisation vector
//! …         the sealed bytes, the tag at their end
//! ```
//!
//! The first five bytes are authenticated with the rest.

use super::LinkError;

/// The version that is written.
pub const VERSION: u8 = 1;
/// Rounds of PBKDF2.
pub const ROUNDS: u32 = 600_000;
/// Bytes of the salt.
pub const SALT: usize = 16;
/// Bytes of the initialisation vector.
pub const IV: usize = 12;
/// Bytes that AES-GCM adds.
pub const TAG: usize = 16;
/// Bytes of version and length.
const SAID: usize = 5;

/// A sealed link, taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sealed<'a> {
    /// What is authenticated beside the sealed bytes.
    pub said: &'a [u8],
    /// The salt.
    pub salt: &'a [u8],
    /// The initialisation vector.
    pub iv: &'a [u8],
    /// The sealed bytes, with their tag.
    pub body: &'a [u8],
}

/// The first bytes of a sealed link, for sealed bytes of some length.
pub fn said(length: u32) -> [u8; SAID] {
    let [a, b, c, d] = length.to_be_bytes();
    [VERSION, a, b, c, d]
}

impl<'a> Sealed<'a> {
    /// Takes the bytes of a link apart.
    ///
    /// # Errors
    /// It is of another version, cut, or longer than it says.
    pub fn of(bytes: &'a [u8]) -> Result<Sealed<'a>, LinkError> {
        let version = *bytes.first().ok_or(LinkError::Empty)?;
        if version == 0 {
            return Err(LinkError::NotOurs);
        }
        if version != VERSION {
            return Err(LinkError::Version { version });
        }
        let (said, rest) = bytes.split_at_checked(SAID).ok_or(LinkError::Cut)?;
        let (salt, rest) = rest.split_at_checked(SALT).ok_or(LinkError::Cut)?;
        let (iv, body) = rest.split_at_checked(IV).ok_or(LinkError::Cut)?;
        let length = said.iter().skip(1).fold(0usize, |length, byte| length << 8 | usize::from(*byte));
        match body.len().cmp(&length) {
            std::cmp::Ordering::Less => Err(LinkError::Cut),
            std::cmp::Ordering::Greater => Err(LinkError::Damaged),
            std::cmp::Ordering::Equal if length < TAG => Err(LinkError::Damaged),
            std::cmp::Ordering::Equal => Ok(Sealed { said, salt, iv, body }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_link_is_taken_apart() {
        let body = [7; 20];
        let whole = [&said(20)[..], &[1; SALT], &[2; IV], &body].concat();
        let sealed = Sealed::of(&whole).unwrap();
        assert_eq!((sealed.said, sealed.body), (&said(20)[..], &body[..]));
        assert_eq!((sealed.salt, sealed.iv), (&[1; SALT][..], &[2; IV][..]));
        for len in 1..whole.len() {
            assert_eq!(Sealed::of(&whole[..len]), Err(LinkError::Cut), "{len}");
        }
        assert_eq!(Sealed::of(&[]), Err(LinkError::Empty));
        assert_eq!(Sealed::of(&[&whole[..], b"x"].concat()), Err(LinkError::Damaged));
        assert_eq!(Sealed::of(&[9, 0, 0]), Err(LinkError::Version { version: 9 }));
        // No version wrote this.
        assert_eq!(Sealed::of(&[0, 0, 0]), Err(LinkError::NotOurs));
        assert_eq!(Sealed::of(&[&said(3)[..], &[0; SALT + IV + 3]].concat()), Err(LinkError::Damaged));
    }
}
