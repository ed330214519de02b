//! From the bytes of a coding-agent log to events, steps, calls, tokens and a verdict.
//!
//! No I/O, clock, threads, wasm or DOM: bytes are pushed in, and what is known can be asked for at any moment.

pub mod detail;
pub mod event;
pub mod explain;
pub mod run;
pub mod summary;
pub mod time;
pub mod usage;
pub mod view;
