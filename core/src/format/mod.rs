//! One file per input format: private wire structs, and what a line of it means.

pub(crate) mod step_stream;
