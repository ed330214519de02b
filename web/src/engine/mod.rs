//! The engine reads logs and answers questions about them; the page only asks.
//!
//! `session.rs` is the engine proper and knows nothing of workers. `server.rs` runs it in a worker,
//! `client.rs` is how the page speaks to that worker. With the feature `inpage` the page holds the
//! session itself, by `inpage.rs`. The page knows either as an [`Engine`].

pub mod aep;
pub mod blobs;
#[cfg(all(feature = "app", not(feature = "inpage")))]
pub mod client;
pub mod export;
pub mod find;
pub mod fold;
pub mod grow;
#[cfg(feature = "inpage")]
pub mod inpage;
pub mod lab;
pub mod land;
#[cfg(all(feature = "app", not(feature = "inpage")))]
mod link;
pub mod protocol;
pub mod reader;
pub mod review;
pub mod server;
pub mod session;
mod sniff;
mod stories;
pub mod study;

use protocol::{Answer, Ask, OpenFile, Opening, Update};
use steplens_core::run::DialectChoice;
use steplens_core::view::Filter;

/// What the page hears without having asked.
#[derive(Debug, Clone)]
pub enum Notice {
    /// How things stand.
    Update(Box<Update>),
    /// A worker that was started again could not take the prices that the last one had.
    PricesLost {
        /// Why.
        why: String,
    },
    /// The engine died, was started again and reads the log anew.
    Restarted {
        /// What it died of.
        reason: String,
    },
    /// The engine is dead and stays so.
    Lost {
        /// What it died of.
        reason: String,
    },
    /// The engine is of another build than the page.
    Mismatch,
}

/// Reads logs and answers questions about them.
pub trait Engine {
    /// Forgets what is open and reads these files. Questions that wait for an answer get [`Answer::Lost`].
    fn open(&self, opening: Opening);
    /// Reads these files too, into the run that is open.
    fn add(&self, files: Vec<OpenFile>);
    /// Stops reading.
    fn cancel(&self);
    /// Shows other events.
    fn filter(&self, filter: Filter);
    /// Finds a text; empty ends the search.
    fn search(&self, text: String);
    /// Reads the calls by another tool table.
    fn dialect(&self, dialect: DialectChoice);
    /// Prices every step as this model; none goes back to what the log names.
    fn model(&self, model: Option<String>);
    /// Asks; `then` gets the answer.
    fn ask(&self, ask: Ask, then: Box<dyn FnOnce(Answer)>);
}
