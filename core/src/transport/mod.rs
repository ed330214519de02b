//! From the bytes of a file to its records: encodings, line ends, prefixes, and values that span lines.
//!
//! [`split`] cuts bytes into lines, [`encoding`] makes text of them, [`prefix`] takes off what another program put before
//! each line, [`frame`] puts together what spans several lines and takes apart what shares one. [`rewrite`] is the way back:
//! a file with some of its lines changed.

pub(crate) mod encoding;
pub(crate) mod frame;
pub(crate) mod prefix;
pub(crate) mod rewrite;
pub(crate) mod split;
