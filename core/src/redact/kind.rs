//! What a finding is of: the name in the mask, and the group by which kinds are switched on and off together.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What all masks but the one of a home directory begin with.
pub(super) const MARK: &str = "[REDACTED:";

/// Kinds that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// Private keys and other PEM blocks.
    Pem,
    /// Keys and tokens that their published form gives away.
    Keys,
    /// Credentials of a request or a connection: `Bearer`, `Basic`, JWTs, `user:password@`.
    Credentials,
    /// Values that are secret by the name they are given to.
    Assigned,
    /// E-mail addresses and home directories.
    Personal,
    /// Names of users and hosts, as paths show them. Off unless asked for: such names are often ordinary words.
    Names,
}

impl Group {
    /// All groups, in the order of a report.
    pub const ALL: [Group; 6] =
        [Group::Pem, Group::Keys, Group::Credentials, Group::Assigned, Group::Personal, Group::Names];

    /// The wire name.
    pub fn name(self) -> &'static str {
        match self {
            Group::Pem => "pem",
            Group::Keys => "keys",
            Group::Credentials => "credentials",
            Group::Assigned => "assigned",
            Group::Personal => "personal",
            Group::Names => "names",
        }
    }
}

macro_rules! kinds {
    ($($variant:ident $group:ident $name:literal $about:literal)*) => {
        /// What a finding is of.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[repr(u8)]
        pub enum Kind {
            $(#[doc = $about] $variant,)*
        }

        impl Kind {
            /// All kinds, in the order of a report.
            pub const ALL: &[Kind] = &[$(Kind::$variant,)*];

            /// The name, as it stands in the mask.
            pub fn name(self) -> &'static str {
                match self { $(Kind::$variant => $name,)* }
            }

            /// What it is, in a few words without a full stop.
            pub fn about(self) -> &'static str {
                match self { $(Kind::$variant => $about,)* }
            }

            /// The group that it is in.
            pub fn group(self) -> Group {
                match self { $(Kind::$variant => Group::$group,)* }
            }
        }
    };
}

kinds! {
    PrivateKey Pem "private-key" "a private key"
    PemBlock Pem "pem-block" "a certificate or another PEM block"
    Aws Keys "aws-key" "an AWS access key"
    GitHub Keys "github-token" "a GitHub token"
    GitLab Keys "gitlab-token" "a GitLab token"
    OpenAi Keys "openai-key" "an OpenAI key"
    Anthropic Keys "anthropic-key" "an Anthropic key"
    OpenRouter Keys "openrouter-key" "an OpenRouter key"
    Google Keys "google-key" "a Google key or token"
    Slack Keys "slack-token" "a Slack token or webhook"
    Stripe Keys "stripe-key" "a Stripe key"
    Npm Keys "npm-token" "an npm token"
    PyPi Keys "pypi-token" "a PyPI token"
    HuggingFace Keys "huggingface-token" "a Hugging Face token"
    Model Keys "model-key" "a key of another model provider"
    Vendor Keys "vendor-key" "a key or token of another service"
    Bearer Credentials "bearer" "a bearer token"
    Basic Credentials "basic" "a user and password in a header or an option"
    Jwt Credentials "jwt" "a JSON Web Token"
    UrlPassword Credentials "url-password" "a password or token in a URL"
    Cookie Credentials "cookie" "a cookie's value"
    Password Assigned "password" "a value that is named a password"
    Secret Assigned "secret" "a value that is named a secret"
    Token Assigned "token" "a value that is named a token"
    ApiKey Assigned "api-key" "a value that is named a key"
    Signature Assigned "signature" "a signature that opens a URL"
    Env Assigned "env-value" "a value in the environment that looks like a secret"
    Email Personal "email" "an e-mail address"
    Home Personal "home" "a home directory"
    User Names "user" "a user's name"
    Host Names "host" "a host's name"
}

impl Kind {
    /// The kind of that name.
    pub fn by_name(name: &str) -> Option<Kind> {
        Kind::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// What stands in its place. It holds nothing that JSON, a shell's quotes or a URL would have to escape.
    pub fn mask(self) -> String {
        match self {
            Kind::Home => "~".to_owned(),
            _ => format!("{MARK}{}]", self.name()),
        }
    }

    fn bit(self) -> u64 {
        1 << (self as u8)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kinds(u64);

impl Default for Kinds {
    /// All but the names of users and hosts.
    fn default() -> Kinds {
        let mut kinds = Kinds::all();
        kinds.remove_group(Group::Names);
        kinds
    }
}

impl Kinds {
    /// No kind.
    pub fn none() -> Kinds {
        Kinds(0)
    }

    /// Every kind.
    pub fn all() -> Kinds {
        let mut kinds = Kinds::none();
        Kind::ALL.iter().for_each(|kind| kinds.insert(*kind));
        kinds
    }

    /// Whether it holds a kind.
    pub fn contains(self, kind: Kind) -> bool {
        self.0 & kind.bit() != 0
    }

    /// Adds a kind.
    pub fn insert(&mut self, kind: Kind) {
        self.0 |= kind.bit();
    }

    /// Takes a kind out.
    pub fn remove(&mut self, kind: Kind) {
        self.0 &= !kind.bit();
    }

    /// Adds a group.
    pub fn insert_group(&mut self, group: Group) {
        Kind::ALL.iter().filter(|kind| kind.group() == group).for_each(|kind| self.insert(*kind));
    }

    /// Takes a group out.
    pub fn remove_group(&mut self, group: Group) {
        Kind::ALL.iter().filter(|kind| kind.group() == group).for_each(|kind| self.remove(*kind));
    }

    /// The kinds, in the order of a report.
    pub fn iter(self) -> impl Iterator<Item = Kind> {
        Kind::ALL.iter().copied().filter(move |kind| self.contains(*kind))
    }
}
