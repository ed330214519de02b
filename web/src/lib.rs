//! The page, and the worker that reads logs for it.
//!
//! Two binaries share this library: `app` draws, `worker` reads and answers. The worker is built
//! without the feature `app`, and so without Yew.

#[cfg(feature = "app")]
pub mod app;
#[cfg(feature = "app")]
pub mod components;
#[cfg(feature = "app")]
pub mod dom;
pub mod engine;
#[cfg(feature = "app")]
pub mod hooks;
pub mod link;
#[cfg(feature = "app")]
pub mod live;
#[cfg(feature = "app")]
pub mod state;
#[cfg(feature = "app")]
pub mod text;
#[cfg(feature = "app")]
pub mod views;
