//! Takes a file in: bytes to lines ([`lines`]), records by their form ([`unit`], [`document`]), the session that each
//! belongs to ([`belong`]), whether it is new ([`seen`]), and what it adds ([`part`], [`call`]).

mod belong;
mod call;
mod document;
mod lines;
mod part;
mod seen;
mod unit;

pub(super) use lines::FileState;
pub(super) use part::Target;
pub(super) use seen::{ErrorSeen, PartKey, Rank, Twin};
pub(super) use unit::{Message, key_of};
