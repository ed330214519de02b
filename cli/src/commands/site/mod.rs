//! `steplens site`: a folder for a static host: the viewer, the logs, and an index page of the runs.
//!
//! ```text
//! DIR/index.html      the runs, readable without scripts
//! DIR/viewer/…        the page
//! DIR/logs/…          the logs, as they are to leave
//! ```

mod index;

use crate::args::{Common, Site};
use crate::error::Error;
use crate::input::{self, Pass};
use crate::leave::Leaving;
use crate::{link, style, viewer};
use index::Run;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use steplens_core::share::percent::encode;

/// Says in the index of whom it is: only such a folder is made anew.
pub(crate) const GENERATOR: &str = "<meta name=\"generator\" content=\"steplens site\">";

/// What the folder holds.
const ENTRIES: [&str; 3] = ["index.html", "viewer", "logs"];

pub(crate) fn run(site: &Site, common: &Common) -> Result<(), Error> {
    link::check(common)?;
    let viewer = viewer::files("site")?;
    let folder = site.folder.as_path();
    let failed = |source| Error::WriteFile { name: folder.display().to_string(), source };
    let is_new = check(folder, site.force)?;
    if let Some(tree) = site.files.files.iter().find(|path| path.is_dir()) {
        let advice = "a storage tree is many files, and a run here is one; export the session first".to_owned();
        return Err(Error::Folder { name: input::named(tree), advice });
    }
    // All of them before any is written: what is secret in one is masked in all.
    let paths = &site.files.files;
    let open = |path: &PathBuf| input::open(std::slice::from_ref(path), common, Pass::Again);
    let mut logs = paths.iter().map(open).collect::<Result<Vec<_>, Error>>()?;
    let all = Leaving::of_all(&mut logs, &site.leave)?;
    let options = link::options(common, &all)?;
    // Beside the folder itself, so that it can be renamed into its place.
    let parent = match folder.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    let staged = tempfile::Builder::new().prefix(".steplens-").tempdir_in(&parent).map_err(failed)?;
    let at = |name: &str| staged.path().join(name);
    fs::create_dir(at("viewer")).and_then(|()| fs::create_dir(at("logs"))).map_err(failed)?;
    for file in &viewer {
        fs::write(at("viewer").join(file.name.as_ref()), file.bytes()?).map_err(failed)?;
    }
    let (mut runs, mut names) = (Vec::new(), Vec::<String>::new());
    let mut said = Vec::new();
    for (path, opened) in paths.iter().zip(&mut logs) {
        let mut leaving = all.anew();
        let name = apart(&safe(&leaving.beside(&input::name_of(path))), &names);
        let mut out = BufWriter::new(File::create_new(at("logs").join(&name)).map_err(failed)?);
        leaving.write(opened, 0, &mut out)?;
        out.flush().map_err(failed)?;
        drop(out);
        said.extend(leaving.said().into_iter().map(|text| format!("{}: {text}", input::named(path))));
        let mut pairs = vec![("log", format!("../logs/{}", encode(&name)))];
        pairs.extend(options.iter().cloned());
        // Of what was written, not of what was read: the index names titles and errors, which may hold what is masked.
        let quiet = Common { quiet: true, verbose: false, ..common.clone() };
        let summary = input::open(&[at("logs").join(&name)], &quiet, Pass::Once)?.run.summary();
        runs.push(Run::new(&name, &format!("viewer/#{}", link::fragment(&pairs)), &summary));
        names.push(name);
    }
    let page = index::page(&all.beside(&site.title), &runs);
    fs::write(at("index.html"), page).map_err(failed)?;
    open_to_readers(staged.path()).map_err(failed)?;
    put(staged, folder, is_new).map_err(failed)?;
    if !common.quiet {
        let count = if runs.len() == 1 { "1 run".to_owned() } else { format!("{} runs", runs.len()) };
        style::note(&format!("{}: {count}; a static host serves it as it is", folder.display()));
        said.iter().for_each(|said| style::note(said));
    }
    Ok(())
}

/// Whether there is nothing yet where the folder is to be.
///
/// # Errors
/// There is something, and it is not a folder that this command made, or `--force` is not given.
fn check(folder: &Path, force: bool) -> Result<bool, Error> {
    let name = || folder.display().to_string();
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(source) => return Err(Error::WriteFile { name: name(), source }),
        Ok(mut entries) => entries.next().is_some(),
    };
    if !entries {
        return Ok(false);
    }
    let is_ours = fs::read_to_string(folder.join("index.html")).is_ok_and(|text| text.contains(GENERATOR));
    match (is_ours, force) {
        (true, true) => Ok(false),
        (true, false) => Err(Error::Exists { name: name() }),
        (false, _) => {
            let why = "it holds something else than a site of this command, and is kept; name another folder";
            Err(Error::Folder { name: name(), advice: why.to_owned() })
        }
    }
}

/// Puts the finished folder into its place.
fn put(staged: tempfile::TempDir, folder: &Path, is_new: bool) -> io::Result<()> {
    if is_new {
        fs::rename(staged.path(), folder)?;
        // It is no temporary folder any more.
        let _ = staged.keep();
        return Ok(());
    }
    for entry in ENTRIES {
        let (from, to) = (staged.path().join(entry), folder.join(entry));
        // The old ones go with the temporary folder.
        if to.exists() {
            fs::rename(&to, staged.path().join(format!("old-{entry}")))?;
        }
        fs::rename(from, to)?;
    }
    Ok(())
}

/// A temporary folder is for its owner alone; a site is to be read by a server.
fn open_to_readers(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

/// A file's name that every host takes, of a log that is no longer packed.
fn safe(name: &str) -> String {
    let mut name = name;
    while let Some(shorter) = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).filter(|s| !s.is_empty()) {
        name = shorter;
    }
    let sign = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let safe: String = name.chars().map(sign).collect();
    // Hosts keep files with a dot before their names to themselves.
    let safe = safe.trim_start_matches('.');
    let is_log = |end: &str| safe.to_ascii_lowercase().ends_with(end);
    match safe {
        "" => "run.jsonl".to_owned(),
        // A host would serve `.html` as a page, and run what a log holds.
        _ if ["-", ".jsonl", ".ndjson", ".json", ".log", ".txt"].into_iter().any(is_log) => safe.to_owned(),
        _ => format!("{safe}.jsonl"),
    }
}

/// The name, or one with a number where it is taken. Some systems tell no `A` from `a`.
fn apart(name: &str, taken: &[String]) -> String {
    let is_taken = |name: &str| taken.iter().any(|other| other.eq_ignore_ascii_case(name));
    let (stem, end) = name.rsplit_once('.').map_or((name, String::new()), |(stem, end)| (stem, format!(".{end}")));
    let numbered = (2..).map(|number| format!("{stem}-{number}{end}"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| !is_taken(name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_and_apart() {
        for (name, wanted) in [
            ("run.jsonl.gz", "run.jsonl"),
            ("a b/ü.json", "a_b__.json"),
            ("..", "run.jsonl"),
            ("-", "-"),
            ("evil.html", "evil.html.jsonl"),
            ("", "run.jsonl"),
        ] {
            assert_eq!(safe(name), wanted);
        }
        let taken = ["run.jsonl".to_owned(), "run-2.jsonl".to_owned()];
        assert_eq!(apart("RUN.jsonl", &taken), "RUN-3.jsonl");
        assert_eq!(apart("run", &taken), "run");
    }
}
