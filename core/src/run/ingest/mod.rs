//! Takes a file in: bytes to lines ([`lines`]), records by their form ([`unit`]), and what each adds ([`part`]).

mod lines;
mod part;
mod seen;
mod unit;

pub(super) use lines::FileState;
pub(super) use part::Target;
pub(super) use seen::{ErrorSeen, PartKey, Rank, Twin};
pub(super) use unit::{Message, key_of};
