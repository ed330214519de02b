//! A running agent, watched: its events come by server-sent events, and go the way of a log that grows.
//!
//! Nothing is sent but the requests for the stream and for what is open, and answers to requests of the agent, these only where the user
//! switched it on for this connection. The agent is never held up: a page that is gone changes nothing for it.

pub mod address;
pub mod connection;
pub mod open;
pub mod pulse;
pub mod reply;
pub mod sse;
