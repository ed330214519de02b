//! A log that a link brings: in the URL, sealed in the URL, or at another address. Until it is opened, what is open stays.

use std::rc::Rc;

use super::route::{Route, Source};
use super::{Message, State, odd};
use crate::dom::hosted::{self, Place};
use crate::engine::protocol::OpenFile;
use crate::link;
use crate::text::number::{count, grouped};

/// A log on its way.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrival {
    /// Counts arrivals, so that words about an earlier one are known as such.
    pub number: u32,
    /// What the link says.
    pub route: Rc<Route>,
    /// How far it is.
    pub step: Step,
}

/// How far a log is on its way.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// It is unpacked, with this password where it is sealed.
    Unpacking(Rc<str>, Option<String>),
    /// The user has to say the password.
    Password {
        /// What was wrong with the one before; a sentence.
        wrong: Option<String>,
    },
    /// The user has to say whether it is fetched.
    Ask {
        /// Its address.
        url: String,
        /// The host that will be asked.
        host: String,
    },
    /// It is fetched.
    Fetching {
        /// Its address.
        url: String,
        /// Bytes that came.
        got: u64,
        /// Bytes that are to come, where the host says so.
        size: Option<u64>,
    },
    /// It does not come: why, as sentences.
    Failed(String),
}

/// What happens to it.
#[derive(Debug, Clone, PartialEq)]
pub enum LinkAction {
    /// The user says the password.
    Password(String),
    /// The user wants it fetched, or fetched again.
    Fetch,
    /// So many bytes came, of so many.
    Got(u32, u64, Option<u64>),
    /// It does not come: the number of the arrival, why, and whether another password may help.
    Failed(u32, String, bool),
    /// It is there.
    Arrived(u32, OpenFile),
    /// The log of the address once more: it was left, or was none when it came and something came to it.
    Again,
    /// The user does not want it.
    Leave,
}

impl Arrival {
    /// What a link brings; none where it brings nothing.
    pub fn of(number: u32, route: &Route) -> Option<Arrival> {
        let step = match route.source.as_ref()? {
            Source::Packed(log) => Step::Unpacking(log.clone(), None),
            Source::Sealed(log) => match link::look(log) {
                Ok(()) => Step::Password { wrong: None },
                Err(error) => Step::Failed(error.sentence()),
            },
            Source::Hosted(url) => match hosted::judge(url) {
                Ok(Place::Here(url)) => Step::Fetching { url, got: 0, size: None },
                Ok(Place::Listed { url, host }) => Step::Ask { url, host },
                Err(why) => Step::Failed(why),
            },
        };
        Some(Arrival { number, route: Rc::new(route.clone()), step })
    }

    /// Whether the page waits for it, and not for the user.
    pub fn is_busy(&self) -> bool {
        matches!(self.step, Step::Unpacking(..) | Step::Fetching { .. })
    }

    fn file(&self, file: OpenFile) -> OpenFile {
        let name = match self.route.source.as_ref() {
            Some(Source::Hosted(url)) => hosted::name(url),
            _ => self.route.name.as_deref().map_or_else(|| "shared run.jsonl".to_owned(), plain_name),
        };
        OpenFile { name, ..file }
    }
}

/// A name that a link gives, as a file has one: no folders, and not without end.
fn plain_name(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    name.chars().filter(|c| !c.is_control()).take(120).collect()
}

impl State {
    /// Where the browser goes: what is left to be done with what is open; none where another log comes.
    pub(super) fn arrives(&mut self, route: Route) -> Option<Route> {
        if route.source == self.route.source {
            self.arrival = None;
            return Some(route);
        }
        let number = self.arrival.as_ref().map_or(1, |arrival| arrival.number + 1);
        self.arrival = Arrival::of(number, &route);
        if self.arrival.is_some() {
            self.dialog = None;
            self.message = odd(&route.odd);
            return None;
        }
        if self.route.source.is_some() && self.has_rows() {
            // The log that this address was about was opened from a file, and is gone.
            self.message = Some(Message {
                text: "This address is about a log that is no longer open: open its file again.".to_owned(),
                stays: false,
            });
            return Some(route.of_another_log());
        }
        Some(route)
    }

    pub(super) fn link_acted(&mut self, action: LinkAction) {
        if action == LinkAction::Again {
            self.arrival = self.arrival.take().or_else(|| Arrival::of(1, &self.route));
            return;
        }
        let has_rows = self.has_rows();
        let Some(arrival) = &mut self.arrival else { return };
        match action {
            LinkAction::Password(password) => {
                if let Some(Source::Sealed(log)) = &arrival.route.source {
                    arrival.step = Step::Unpacking(log.clone(), Some(password));
                }
            }
            LinkAction::Fetch => {
                let url = match (&arrival.step, &arrival.route.source) {
                    (Step::Ask { url, .. }, _) => Some(url.clone()),
                    (_, Some(Source::Hosted(url))) => hosted::judge(url).ok().map(Place::url),
                    _ => None,
                };
                if let Some(url) = url {
                    arrival.number += 1;
                    arrival.step = Step::Fetching { url, got: 0, size: None };
                }
            }
            LinkAction::Got(number, now, of) if number == arrival.number => {
                if let Step::Fetching { got, size, .. } = &mut arrival.step {
                    (*got, *size) = (now, of);
                }
            }
            LinkAction::Failed(number, why, is_password) if number == arrival.number && arrival.is_busy() => {
                arrival.step = if is_password { Step::Password { wrong: Some(why) } } else { Step::Failed(why) };
            }
            LinkAction::Arrived(number, file) if number == arrival.number => {
                let (file, route) = (arrival.file(file), arrival.route.clone());
                self.arrival = None;
                self.take(vec![file], Some(route));
            }
            LinkAction::Leave => {
                // The page that is left would say nothing of a log that was to be there.
                if let (Step::Failed(why), Some(Source::Hosted(_))) = (&arrival.step, &arrival.route.source)
                    && !has_rows
                {
                    self.message = Some(Message { text: why.clone(), stays: true });
                }
                if matches!(arrival.route.source, Some(Source::Sealed(_))) && !has_rows {
                    let text = "The run in this link stays sealed. Reload the page to be asked for its password again.";
                    self.message = Some(Message { text: text.to_owned(), stays: true });
                }
                self.arrival = None;
            }
            LinkAction::Again | LinkAction::Got(..) | LinkAction::Failed(..) | LinkAction::Arrived(..) => {}
        }
    }
}

/// What is said of a log of which a part was left out.
pub(super) fn partly(route: &Route) -> Option<Message> {
    let part = route.part.filter(|_| route.source.is_some())?;
    let events = part.events.map(|(held, all)| format!("{} of {}", grouped(held), count(all, "event", "events")));
    let cut = (part.cut > 0).then(|| count(part.cut, "long text was cut", "long texts were cut"));
    let said: Vec<String> = events.into_iter().chain(cut).collect();
    Some(Message { text: format!("This link holds only a part of the run: {}.", said.join("; ")), stays: true })
}
