//! What `redact` is to mask.

use super::Output;
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use std::path::PathBuf;
use steplens_core::redact::{Group, Kind, Kinds};

/// Options of `redact`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Redact {
    /// The log (a packed one is unpacked); `-` is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) mask: Mask,
    /// List what was found: in place of the log, or with `-o` beside it
    #[arg(
        long, value_enum, value_name = "FORMAT", num_args = 0..=1, require_equals = true,
        default_missing_value = "text"
    )]
    pub(crate) report: Option<Report>,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// Which kinds are masked.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct Mask {
    /// Only these kinds or groups; `all` holds the names of users and hosts too
    #[arg(long, value_name = "KIND,…", value_delimiter = ',', value_parser = chosen)]
    kinds: Vec<Chosen>,
    /// All but these kinds or groups
    #[arg(long, value_name = "KIND,…", value_delimiter = ',', value_parser = chosen)]
    except: Vec<Chosen>,
}

impl Mask {
    /// Whether any option about kinds is given.
    pub(crate) fn is_said(&self) -> bool {
        !self.kinds.is_empty() || !self.except.is_empty()
    }

    /// The kinds that are masked.
    pub(crate) fn kinds(&self) -> Kinds {
        let mut kinds = if self.kinds.is_empty() { Kinds::default() } else { Kinds::none() };
        for chosen in &self.kinds {
            match *chosen {
                Chosen::All => kinds = Kinds::all(),
                Chosen::Group(group) => kinds.insert_group(group),
                Chosen::Kind(kind) => kinds.insert(kind),
            }
        }
        for chosen in &self.except {
            match *chosen {
                Chosen::All => kinds = Kinds::none(),
                Chosen::Group(group) => kinds.remove_group(group),
                Chosen::Kind(kind) => kinds.remove(kind),
            }
        }
        kinds
    }
}

#[derive(Debug, Clone, Copy)]
enum Chosen {
    All,
    Group(Group),
    Kind(Kind),
}

fn chosen(name: &str) -> Result<Chosen, String> {
    let group = || Group::ALL.into_iter().find(|group| group.name() == name).map(Chosen::Group);
    let all = || (name == "all").then_some(Chosen::All);
    Kind::by_name(name).map(Chosen::Kind).or_else(group).or_else(all).ok_or_else(|| {
        let groups: Vec<&str> = Group::ALL.iter().map(|group| group.name()).collect();
        let kinds: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        format!("groups: {}, all; kinds: {}", groups.join(", "), kinds.join(", "))
    })
}

/// How the findings are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Report {
    /// For a terminal: kind, line, context
    Text,
    /// One JSON document
    Json,
}
