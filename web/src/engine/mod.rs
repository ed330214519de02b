//! The engine reads logs in a worker; the page asks it.

#[cfg(feature = "app")]
pub mod client;
pub mod protocol;
pub mod server;
