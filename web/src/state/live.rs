//! What the page knows of the running agent that it watches.

use super::State;
use crate::live::connection::Phase;

/// A connection to a running agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Live {
    /// The server's address.
    pub server: String,
    /// The name under which its events are open as a log.
    pub file: String,
    /// How it stands.
    pub phase: Phase,
    /// The user ended it; what came stays.
    pub is_ended: bool,
    /// Events that came.
    pub events: u64,
    /// The server told which requests are open since the stream began: others are not.
    pub is_listed: bool,
    /// Requests may be answered from here.
    pub answers: bool,
    /// The request to which an answer is on its way.
    pub sending: Option<String>,
    /// What became of the last answer.
    pub said: Option<String>,
}

/// What happens to it.
#[derive(Debug)]
pub enum LiveAction {
    /// The stream of a server was asked for.
    Started {
        /// The server's address.
        server: String,
        /// The name of the log.
        file: String,
    },
    /// How it stands.
    Phase(Phase),
    /// Whether the server told which requests are open.
    Listed(bool),
    /// So many events came.
    Came(u64),
    /// The user ended it.
    Ended,
    /// The user switched answering on or off.
    Answers(bool),
    /// An answer to a request was sent.
    Sending(String),
    /// What became of it.
    Said(String),
    /// It is forgotten.
    Forget,
}

impl State {
    /// A running agent is watched, and the connection to it is open.
    pub fn is_live(&self) -> bool {
        self.live.as_ref().is_some_and(|live| !live.is_ended && live.phase == Phase::Open)
    }

    pub(super) fn live_acted(&mut self, action: LiveAction) {
        if let LiveAction::Started { server, file } = action {
            self.route.live = Some(server.clone());
            self.live = Some(Live {
                server,
                file,
                phase: Phase::Connecting,
                is_ended: false,
                events: 0,
                is_listed: false,
                answers: false,
                sending: None,
                said: None,
            });
            return;
        }
        let Some(live) = self.live.as_mut() else { return };
        match action {
            LiveAction::Started { .. } => {}
            LiveAction::Phase(phase) => {
                live.is_listed &= phase != Phase::Open;
                if matches!(phase, Phase::Waiting { .. }) {
                    live.said = None;
                }
                live.phase = phase;
            }
            LiveAction::Listed(told) => live.is_listed = told,
            LiveAction::Came(events) => live.events += events,
            LiveAction::Ended => {
                live.is_ended = true;
                live.answers = false;
            }
            LiveAction::Answers(on) => live.answers = on && !live.is_ended,
            LiveAction::Sending(ask) => {
                live.sending = Some(ask);
                live.said = None;
            }
            LiveAction::Said(text) => {
                live.sending = None;
                live.said = Some(text);
            }
            LiveAction::Forget => self.live = None,
        }
    }
}
