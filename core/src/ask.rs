//! What an agent asked of a person: permissions and questions, the answers, and how long they took.

use serde::{Deserialize, Serialize};

/// What was asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AskKind {
    /// To be allowed something.
    #[default]
    Permission,
    /// To be told something.
    Question,
    /// To take up one of the agent's offers, or none: only Kilo Code makes them.
    Suggestion,
}

impl AskKind {
    /// The wire name.
    pub fn name(self) -> &'static str {
        match self {
            AskKind::Permission => "permission",
            AskKind::Question => "question",
            AskKind::Suggestion => "suggestion",
        }
    }
}

/// By which surface it was asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AskSurface {
    /// A bus event `permission.asked` or `question.asked`: Kilo Code from 7.4.6, OpenCode from 1.1.2.
    #[default]
    Bus,
    /// A bus event `permission.updated`, or the hook `permission.ask`: Kilo Code up to 7.4.5, OpenCode up to 1.0.
    Hook,
    /// The log holds the answer alone.
    Unknown,
}

/// What became of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AskStatus {
    /// Allowed, told, or taken up.
    Answered,
    /// A permission was refused.
    Rejected,
    /// A question or a suggestion was waved away.
    Dismissed,
    /// The log ends before an answer does.
    #[default]
    Pending,
    /// The session went idle, or its turn was closed, without an answer. (It is idle while a suggestion waits.)
    Unanswered,
    /// The stream was interrupted while it waited: the answer, if there was one, is not in the log.
    Missed,
}

impl AskStatus {
    /// The wire name.
    pub fn name(self) -> &'static str {
        match self {
            AskStatus::Answered => "answered",
            AskStatus::Rejected => "rejected",
            AskStatus::Dismissed => "dismissed",
            AskStatus::Pending => "pending",
            AskStatus::Unanswered => "unanswered",
            AskStatus::Missed => "missed",
        }
    }

    /// Whether nobody answered, as far as the log reaches.
    pub fn is_unanswered(self) -> bool {
        matches!(self, AskStatus::Pending | AskStatus::Unanswered)
    }

    /// Whether somebody answered, in whatever way.
    pub fn is_resolved(self) -> bool {
        !matches!(self, AskStatus::Pending | AskStatus::Unanswered | AskStatus::Missed)
    }
}

/// What tells a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeFrom {
    /// The log says it: around the event, or in the request.
    Reported,
    /// Derived: the event's own id (`evt_…`) holds its lower bits.
    EventId,
    /// Derived: the request's id (`per_…`, `que_…`) does.
    RequestId,
    /// Derived: the call that asked the question ended when it was answered.
    Call,
}

impl TimeFrom {
    /// What a reader has to know of it; nothing where the log says the time.
    pub fn note(self) -> Option<&'static str> {
        match self {
            TimeFrom::Reported => None,
            TimeFrom::EventId => Some("derived from the event's id"),
            TimeFrom::RequestId => Some("derived from the request's id"),
            TimeFrom::Call => Some("derived from the end of its call"),
        }
    }
}

/// One question of a form.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AskedQuestion {
    /// A word or two over it.
    pub header: Option<String>,
    /// The question.
    pub question: String,
    /// What can be chosen.
    pub options: Vec<String>,
    /// What is said of each option, in their order, a text empty where nothing is; none where nothing is said of any.
    pub descriptions: Vec<String>,
    /// Whether several can be.
    pub multiple: bool,
    /// Whether an answer of one's own is taken too.
    pub custom: bool,
}

/// One request to a person. Texts are cut to 240 bytes each; the record has the whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AskSummary {
    /// The request's id.
    pub id: String,
    /// The session's id.
    pub session: Option<String>,
    /// File, by its place in the summary.
    pub file: u32,
    /// Line of the request; of the answer where the log does not hold the request.
    pub line: u64,
    /// Line of the answer.
    pub answer_line: Option<u64>,
    /// What was asked for.
    pub kind: AskKind,
    /// By which surface.
    pub surface: AskSurface,
    /// What kind of permission: `bash`, `edit`, `external_directory`.
    pub permission: Option<String>,
    /// The command, the title, the first question, or the suggestion.
    pub title: Option<String>,
    /// What the permission would hold for.
    pub patterns: Vec<String>,
    /// The questions of a form; a suggestion is one, whose options are what can be taken up.
    pub questions: Vec<AskedQuestion>,
    /// The answers that a permission can have.
    pub options: Vec<String>,
    /// It was open already when whoever wrote the log connected: the log does not hold the event that asked.
    pub was_open: bool,
    /// The call that waits for it.
    pub call_id: Option<String>,
    /// What became of it.
    pub status: AskStatus,
    /// The answer to a permission: `once`, `always`, `reject`.
    pub answer: Option<String>,
    /// The answers to the questions of a form; of a suggestion what was taken up.
    pub answers: Vec<Vec<String>>,
    /// What was said with it.
    pub message: Option<String>,
    /// Who decided, as the call says: `manual` is a person. Only Kilo Code writes it.
    pub answered_by: Option<String>,
    /// When it was asked, RFC 3339.
    pub asked_at: Option<String>,
    /// What tells that time.
    pub asked_at_from: Option<TimeFrom>,
    /// When it was answered, RFC 3339.
    pub answered_at: Option<String>,
    /// What tells that time.
    pub answered_at_from: Option<TimeFrom>,
    /// From the one to the other; null where the log does not tell both.
    pub wait_ms: Option<u64>,
}

/// All of a request, as it was asked: its record is read again for it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WholeAsk {
    /// What kind of permission: `bash`, `edit`, `external_directory`.
    pub permission: Option<String>,
    /// The command, the title, the first question, or the suggestion.
    pub title: Option<String>,
    /// What the permission would hold for.
    pub patterns: Vec<String>,
    /// What else it would hold for, were it always given; none where the request does not say so.
    pub always: Option<Vec<String>>,
    /// What is said beside it, by name: texts as they are, other values as JSON.
    pub metadata: Vec<(String, String)>,
    /// The questions of a form; a suggestion is one.
    pub questions: Vec<AskedQuestion>,
    /// Something was cut all the same: a text at 256 KiB, a list at 500 entries.
    pub is_cut: bool,
}

impl WholeAsk {
    /// Of the line that asks; none where it does not hold the request with that id.
    pub fn read(line: &str, id: &str) -> Option<WholeAsk> {
        crate::format::ask::whole(line, id)
    }
}

impl AskSummary {
    /// What was asked, on one line: `bash — rm -rf dist`.
    pub fn what(&self) -> String {
        let word = self.permission.as_deref();
        match (word, self.title.as_deref()) {
            (Some(word), Some(title)) => format!("{word} — {title}"),
            (Some(one), None) | (None, Some(one)) => one.to_owned(),
            (None, None) if self.surface == AskSurface::Unknown => "a request that this log does not hold".to_owned(),
            (None, None) => format!("a {}", self.kind.name()),
        }
    }

    /// What became of it, in a few words: `allowed once`, `answered: Red`.
    pub fn outcome(&self) -> String {
        match self.status {
            AskStatus::Pending => "no answer in this log".to_owned(),
            AskStatus::Unanswered => "never answered".to_owned(),
            AskStatus::Missed => "the stream broke: its answer was missed".to_owned(),
            AskStatus::Dismissed => "dismissed".to_owned(),
            AskStatus::Rejected => "rejected".to_owned(),
            AskStatus::Answered if self.kind == AskKind::Suggestion => {
                format!("accepted: {}", self.answers.concat().join(", "))
            }
            AskStatus::Answered if self.kind == AskKind::Question || !self.answers.is_empty() => {
                let answers: Vec<String> = self.answers.iter().map(|answer| answer.join(" + ")).collect();
                format!("answered: {}", answers.join(", "))
            }
            AskStatus::Answered => match self.answer.as_deref() {
                Some("once") => "allowed once".to_owned(),
                Some("always") => "always allowed".to_owned(),
                Some(other) => other.to_owned(),
                None => "answered".to_owned(),
            },
        }
    }

    /// Whether one of its times is derived, and from what.
    pub fn derived(&self) -> Option<&'static str> {
        [self.asked_at_from, self.answered_at_from].into_iter().flatten().find_map(TimeFrom::note)
    }
}
