//! What texts of a log look like: terminal colours, differences, patches, Markdown, JSON as rows, pictures.
//!
//! Nothing here knows a record or a screen: text goes in, plain data comes out, and no text makes any of it fail.

pub mod ansi;
pub mod diff;
pub mod fold;
pub mod image;
pub mod markdown;
pub mod numbered;
pub mod patch;
pub mod plain;
pub mod tree;
