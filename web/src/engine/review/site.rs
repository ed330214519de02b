//! What goes into a site of runs beside the viewer: the index page, and the logs as they leave.
//!
//! Each log is read again, as it leaves: the index names titles and errors, which may hold what is masked.

use serde::{Deserialize, Serialize};
use steplens_core::export::site::{self, Run as Listed, TITLE};
use steplens_core::rules::Rules;
use steplens_core::run::{Options, Run};

use super::super::blobs;
use super::super::reader::{self, Slices};
use super::super::session::Shared;
use super::make::{self, Made, Make, Part, Trim};
use crate::link;

/// The keys of the view that say how a log is read, in the order in which a link has them.
const READ_BY: [&str; 3] = ["d", "m", "x"];

/// A site that is to be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// The title of the index; it stays behind where it holds something that is masked.
    pub title: String,
    /// How the logs are read, as pairs of the fragment, decoded: `rules` as their text.
    pub view: Vec<(String, String)>,
}

/// Makes the files: the index first, then the logs, by their paths in the folder.
///
/// # Errors
/// Why they were not made, as a sentence.
pub(super) async fn make(session: &Shared, what: Site) -> Result<Made, String> {
    let (names, options, extensions) = {
        let this = session.borrow();
        if this.files.iter().any(|file| file.in_tree) {
            let why = "This run is a folder of many files, and a run of a site is one file: open the session's export.";
            return Err(why.to_owned());
        }
        let files: Vec<String> = this.review.names().map(|file| file.leaves_as).collect();
        (site::names(files.iter().map(String::as_str)), this.run.options(), this.extensions)
    };
    let mut view = what.view;
    view.push(("title".to_owned(), what.title));
    let all = Make { file: None, as_link: false, trim: Trim::default(), password: None, view, line: None };
    let mut made = make::make(session, all).await?;
    let said = |key: &str| made.view.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str());
    // As the link has the viewer read it: what does not go along does not count here either, and no prices go along.
    let overlay = said("rules").map(|text| ("rules", text));
    let rules = Rules::with(extensions, overlay).map_err(|error| format!("The rules: {}.", error.message))?;
    let model = options.model.filter(|_| said("m").is_some());
    let options = Options { dialect: options.dialect, rules, model, ..Options::default() };
    let mut pairs: Vec<(&str, String)> = READ_BY.iter().filter_map(|key| Some((*key, said(key)?.to_owned()))).collect();
    if let Some(rules) = said("rules") {
        pairs.extend(link::packed(rules).await.map(|rules| ("rules", rules)));
    }
    let (mut runs, mut logs) = (Vec::new(), Vec::new());
    for (name, part) in names.into_iter().zip(&made.parts) {
        let blob = blobs::take(part.blob).ok_or("A log was lost on its way: try again.")?;
        let mut run = Run::new(options.clone());
        run.begin_file(&name);
        let mut slices = Slices::new(blob.clone());
        while let Some(bytes) = slices.next().await.map_err(|error| format!("{name} could not be read ({error})."))? {
            run.push(bytes);
        }
        run.end_file();
        runs.push(Listed::new(&name, &site::link(&name, &pairs), &run.summary()));
        logs.push(Part { name: format!("logs/{name}"), blob: blobs::keep(blob), size: part.size });
    }
    let title = said("title").filter(|title| !title.trim().is_empty()).unwrap_or(TITLE);
    let page = site::page(title, &runs);
    let blob =
        reader::blob_of(page.as_bytes()).map_err(|error| format!("The browser made no file of it ({error:?})."))?;
    made.parts = vec![Part { name: "index.html".to_owned(), blob: blobs::keep(blob), size: page.len() as u64 }];
    made.parts.append(&mut logs);
    Ok(made)
}
