//! Views: the empty page, the loaded page and its tabs, and the page of a log that could not be read.

pub mod aep;
pub mod compare;
pub mod empty;
pub mod failed;
pub mod files;
#[cfg(debug_assertions)]
pub mod gallery;
pub mod loaded;
pub mod mapping;
pub mod messages;
pub mod timeline;
pub mod tokens;
pub mod tools;
