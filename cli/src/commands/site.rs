//! `steplens site`: a folder for a static host: the viewer, the logs, and an index page of the runs.
//!
//! ```text
//! DIR/index.html      the runs, readable without scripts
//! DIR/viewer/…        the page
//! DIR/logs/…          the logs, as they are to leave
//! ```

use crate::args::{Common, Site};
use crate::error::Error;
use crate::input::{self, Pass};
use crate::leave::Leaving;
use crate::{link, style, viewer};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use steplens_core::export::site::{self, ENTRIES, GENERATOR, Run};

pub(crate) fn run(asked: &Site, common: &Common) -> Result<(), Error> {
    link::check(common)?;
    let viewer = viewer::files("site")?;
    let folder = asked.folder.as_path();
    let failed = |source| Error::WriteFile { name: folder.display().to_string(), source };
    let is_new = check(folder, asked.force)?;
    if let Some(tree) = asked.files.files.iter().find(|path| path.is_dir()) {
        let advice = "a storage tree is many files, and a run here is one; export the session first".to_owned();
        return Err(Error::Folder { name: input::named(tree), advice });
    }
    // All of them before any is written: what is secret in one is masked in all.
    let paths = &asked.files.files;
    let open = |path: &PathBuf| input::open(std::slice::from_ref(path), common, Pass::Again);
    let mut logs = paths.iter().map(open).collect::<Result<Vec<_>, Error>>()?;
    let all = Leaving::of_all(&mut logs, &asked.leave)?;
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
    let files: Vec<String> = paths.iter().map(|path| all.beside(&input::name_of(path))).collect();
    let names = site::names(files.iter().map(String::as_str));
    let mut runs = Vec::new();
    let mut said = Vec::new();
    for ((path, name), opened) in paths.iter().zip(&names).zip(&mut logs) {
        let mut leaving = all.anew();
        let mut out = BufWriter::new(File::create_new(at("logs").join(name)).map_err(failed)?);
        leaving.write(opened, 0, &mut out)?;
        out.flush().map_err(failed)?;
        drop(out);
        said.extend(leaving.said().into_iter().map(|text| format!("{}: {text}", input::named(path))));
        // Of what was written, not of what was read: the index names titles and errors, which may hold what is masked.
        let quiet = Common { quiet: true, verbose: false, ..common.clone() };
        let summary = input::open(&[at("logs").join(name)], &quiet, Pass::Once)?.run.summary();
        runs.push(Run::new(name, &site::link(name, &options), &summary));
    }
    let page = site::page(&all.beside(&asked.title), &runs);
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
