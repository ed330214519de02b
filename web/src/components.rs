//! Parts of the page.

pub mod band;
pub mod chips;
pub mod copy;
pub mod cost;
pub mod detail;
pub mod diagnostics;
pub mod dialect;
pub mod dialog;
pub mod figure;
pub mod files;
pub mod header;
pub mod help;
pub mod icon;
pub mod messages;
pub mod mini;
pub mod paste;
pub mod pick;
pub mod popover;
pub mod progress;
pub mod row;
pub mod search;
pub mod tabs;
pub mod tokens;
pub mod verdict;
pub mod virtual_list;
pub mod why;
