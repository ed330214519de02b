//! What the page knows of the running agent that it watches.

use super::route::Route;
use super::{Message, State};
use crate::live::address::without_secret;
use crate::live::connection::Phase;
use crate::live::reply::Sent;

/// A connection to a running agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Live {
    /// The server's address.
    pub server: String,
    /// The name under which its events are open as a log.
    pub file: String,
    /// The agent's own address, where the page's server passes its events on.
    pub agent: Option<String>,
    /// How it stands.
    pub phase: Phase,
    /// The server does not say which requests are open.
    pub is_untold: bool,
    /// What the server says its version is.
    pub version: Option<String>,
    /// What it said before, where that was another.
    pub was_version: Option<String>,
    /// Nothing came for so many seconds, though the server gives signs of life.
    pub quiet: Option<u32>,
    /// The user ended it; what came stays.
    pub is_ended: bool,
    /// Events that came.
    pub events: u64,
    /// The server told which requests are open since the stream began: others are not.
    pub is_listed: bool,
    /// Requests may be answered from here.
    pub answers: bool,
    /// What became of answers, by the id of the request.
    pub sent: Vec<(String, Sent)>,
    /// Its log has been opened.
    pub is_opened: bool,
    /// Bytes of its log that the user saved.
    pub saved: u64,
}

impl Live {
    /// What became of the answer to a request.
    pub fn sent_to(&self, id: &str) -> Option<&Sent> {
        self.sent.iter().find(|(known, _)| known == id).map(|(_, sent)| sent)
    }

    /// Nothing more comes, and nothing can be sent.
    pub fn is_over(&self) -> bool {
        self.is_ended || matches!(self.phase, Phase::Failed(_))
    }
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
    /// The stream of the same server was asked for again: what came stays.
    Again,
    /// The agent's own address.
    Named(String),
    /// What the server says its version is.
    Version(String),
    /// For how many seconds nothing came; none once something did.
    Quiet(Option<u32>),
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
    /// What became of the answer to a request, by its id.
    Sent(String, Sent),
    /// So many bytes of the log were saved.
    Saved(u64),
    /// It is forgotten.
    Forget,
}

/// Takes a password out of the address of an agent that a link names, and says so.
pub(super) fn clean(route: &mut Route) -> Option<Message> {
    let clean = route.live.as_deref().and_then(without_secret)?;
    route.live = Some(clean);
    let text = "A password does not belong in an address: it was left out. Type it in its own field.";
    Some(Message { text: text.to_owned(), stays: false })
}

impl Live {
    /// What the agent is called: by its own address, if it can be.
    pub fn name(&self) -> &str {
        self.agent.as_deref().unwrap_or(&self.server)
    }
}

impl State {
    /// The agent whose log is open.
    pub fn watched(&self) -> Option<&Live> {
        self.live.as_ref().filter(|live| self.files.iter().any(|file| file.name == live.file))
    }

    /// A running agent is watched, and the connection to it is open.
    pub fn is_live(&self) -> bool {
        self.watched().is_some_and(|live| !live.is_ended && live.phase == Phase::Open)
    }

    /// What came of the agent that is, or was, watched is not all saved.
    pub fn has_unsaved(&self) -> bool {
        let Some(live) = &self.live else { return false };
        self.files.iter().any(|file| file.name == live.file && file.blob.size() as u64 > live.saved)
    }

    pub(super) fn live_acted(&mut self, action: LiveAction) {
        if let LiveAction::Started { server, file } = action {
            self.route.live = Some(server.clone());
            self.live = Some(Live {
                server,
                file,
                agent: None,
                phase: Phase::Connecting,
                is_untold: false,
                version: None,
                was_version: None,
                quiet: None,
                is_ended: false,
                events: 0,
                is_listed: false,
                answers: false,
                sent: Vec::new(),
                is_opened: false,
                saved: 0,
            });
            return;
        }
        let Some(live) = self.live.as_mut() else { return };
        match action {
            LiveAction::Started { .. } => {}
            LiveAction::Phase(phase) => {
                live.is_listed &= phase != Phase::Open;
                if phase == Phase::Open {
                    // What is still open now can be answered again.
                    live.sent.retain(|(_, sent)| matches!(sent, Sent::Sending | Sent::Refused(_)));
                }
                live.quiet = None;
                live.phase = phase;
            }
            LiveAction::Again => (live.is_ended, live.is_untold, live.phase) = (false, false, Phase::Connecting),
            LiveAction::Named(agent) => live.agent = Some(agent),
            LiveAction::Version(version) => {
                let before = live.version.replace(version);
                if before.is_some() && before != live.version {
                    live.was_version = before;
                }
            }
            LiveAction::Quiet(seconds) => live.quiet = seconds,
            LiveAction::Listed(told) => (live.is_listed, live.is_untold) = (told, !told),
            LiveAction::Came(events) => live.events += events,
            LiveAction::Ended => {
                live.quiet = None;
                live.is_ended = true;
                live.answers = false;
            }
            LiveAction::Answers(on) => live.answers = on && !live.is_ended,
            LiveAction::Sent(id, sent) => {
                live.sent.retain(|(known, _)| *known != id);
                live.sent.push((id, sent));
            }
            LiveAction::Saved(bytes) => live.saved = bytes,
            LiveAction::Forget => self.live = None,
        }
    }
}
