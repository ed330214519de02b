//! What the JSON of a log means, one file per input format.
//!
//! [`shape`] tells the format of one record by its keys; each format's file turns a record into a [`wire::Line`], the one
//! form that everything behind it reads; [`detect`] says what a whole file is, and what tells so.

pub(crate) mod ask;
pub(crate) mod bus;
pub(crate) mod detect;
pub(crate) mod export;
pub(crate) mod harness_raw;
pub(crate) mod shape;
pub(crate) mod wire;
