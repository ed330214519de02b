//! From the bytes of a coding-agent log to events, steps, calls, tokens and a verdict.
//!
//! No I/O, clock, threads, wasm or DOM: bytes are pushed in, and what is known can be asked for at any moment.

pub mod advice;
pub mod aep;
pub mod ask;
mod changes;
pub mod compare;
pub mod cost;
pub mod detail;
pub mod event;
pub mod explain;
pub mod export;
pub mod figure;
pub mod files;
pub mod fixture;
pub mod foreign;
mod format;
mod id;
mod json;
mod ledger;
pub mod mapping;
pub mod money;
mod order;
mod outcome;
pub mod outline;
pub mod outputs;
pub mod overview;
pub mod price;
mod record;
pub mod redact;
pub mod rules;
pub mod run;
pub mod search;
pub mod share;
pub mod shell;
pub mod sniff;
pub mod summary;
pub mod text;
pub mod time;
pub mod todo;
pub mod transcript;
mod transport;
pub mod tree;
pub mod unpack;
pub mod usage;
pub mod view;
