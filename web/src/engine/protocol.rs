//! What the page and its worker say to each other.

use serde::{Deserialize, Serialize};

/// The build's id: equal in the page and in the worker that belongs to it.
pub const BUILD_ID: &str = env!("STEPLENS_BUILD_ID");

/// What the worker says. (Keep the tag outside: `serde(tag = …)` can't carry JS objects.)
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum FromWorker {
    /// The worker listens. What is posted before this message is lost.
    Ready {
        /// The worker's [`BUILD_ID`].
        build: String,
    },
    /// The worker is about to die of a panic.
    Panicked {
        /// The panic's message and place.
        message: String,
    },
}
