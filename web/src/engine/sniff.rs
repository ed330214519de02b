//! Tells the logs among files that come in together, before any of them is read: what is open stays until one is found.

use steplens_core::rules::Rules;
use steplens_core::sniff::Sniffer;
use steplens_core::summary::LeftOut;

use super::protocol::{OpenFile, Unrecognised};
use super::reader::Slices;

/// The logs among some files, and the others.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    pub(super) logs: Vec<OpenFile>,
    pub(super) others: Vec<Unrecognised>,
}

/// Sorts files; none once `goes_on` says that nobody waits for it any more.
pub(super) async fn sort(files: Vec<OpenFile>, goes_on: impl Fn() -> bool) -> Option<Sorted> {
    let mut sorted = Sorted::default();
    for file in files {
        // A document of a storage tree is one whatever is in it.
        let what = if file.in_tree { None } else { look(&file, &goes_on).await };
        if !goes_on() {
            return None;
        }
        match what {
            None => sorted.logs.push(file),
            Some(what) => sorted.others.push(what),
        }
    }
    Some(sorted)
}

/// What a file is; nothing of one that is a log.
async fn look(file: &OpenFile, goes_on: &impl Fn() -> bool) -> Option<Unrecognised> {
    let mut sniffer = Sniffer::new(&file.name, Rules::default());
    let mut slices = Slices::new(file.blob.clone());
    let error = loop {
        match slices.next().await {
            Ok(Some(bytes)) if sniffer.push(bytes) => return None,
            Ok(Some(_)) if sniffer.damage().is_none() && goes_on() => {}
            Err(error) => break Some(error),
            Ok(_) if sniffer.end() => return None,
            Ok(_) => break None,
        }
    };
    let unreadable = error.map(|error| {
        format!("it could not be read ({error}): it was changed or moved after it was chosen, or may not be read")
    });
    Some(Unrecognised {
        name: file.name.clone(),
        bytes: file.blob.size() as u64,
        head: sniffer.head().to_vec(),
        // Of a file that cannot be read nobody knows what it is.
        foreign: if unreadable.is_some() { None } else { sniffer.foreign() },
        reason: unreadable.unwrap_or_else(|| sniffer.reason()),
    })
}

impl From<&Unrecognised> for LeftOut {
    fn from(file: &Unrecognised) -> LeftOut {
        LeftOut { name: file.name.clone(), bytes: file.bytes, reason: file.reason.clone() }
    }
}
