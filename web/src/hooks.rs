//! Hooks: what ties the state to the engine, the URL, the keyboard and the window.

pub mod arrival;
pub mod block;
pub mod context;
pub mod engine;
pub mod follow;
pub mod grow;
pub mod keys;
pub mod lab;
pub mod launch;
pub mod live;
pub mod review;
pub mod sheet;
pub mod study;
pub mod tail;
pub mod url;
pub mod window;
