//! Text from values and the other way round; pure, without the DOM.

pub mod ansi;
pub mod json;
pub mod number;
pub mod place;
pub mod sentence;
pub mod visible;
