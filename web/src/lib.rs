//! The page, and the worker that reads logs for it.
//!
//! Two binaries share this library: `app` draws, `worker` reads and answers. The worker is built
//! without the feature `app`, and so without Yew.

#[cfg(feature = "app")]
pub mod app;
pub mod engine;
