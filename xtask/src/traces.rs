//! Checks that nothing of the building machine stands in the built page.

use std::fs;
use std::path::{Path, PathBuf};

use crate::build::{Machine, dist};
use crate::process::{Error, Result, Workspace};

/// Fails if a file in dist/ holds a path of this machine or a registry's host.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    let traces = traces(workspace)?;
    let mut files = Vec::new();
    collect(&dist(workspace), &mut files)?;
    if files.is_empty() {
        return Err(Error::new("dist/ is empty: run `cargo xtask build` first"));
    }
    let mut found = Vec::new();
    for file in &files {
        let bytes = fs::read(file).map_err(|error| Error::new(format!("cannot read {}: {error}", file.display())))?;
        for trace in traces.iter().filter(|trace| holds(&bytes, trace.as_bytes())) {
            found.push(format!("{} holds `{trace}`", file.display()));
        }
    }
    if !found.is_empty() {
        return Err(Error::new(format!(
            "{}\nThe flags in xtask/src/build.rs should have replaced these",
            found.join("\n")
        )));
    }
    println!("    {} files hold none of: {}", files.len(), traces.join(", "));
    Ok(())
}

fn traces(workspace: &Workspace) -> Result<Vec<String>> {
    let machine = Machine::find()?;
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let mut traces = vec!["github.com-".to_owned(), text(&workspace.root), text(&machine.cargo), text(&machine.rustup)];
    // A home of one part, as /root, can well be a word of the program's own.
    if let Some(home) = machine.home.filter(|home| home.components().count() > 2) {
        traces.push(text(&home));
    }
    // Cargo names such a folder `host-hash`.
    for folder in machine.registries.iter().filter_map(|folder| folder.file_name()) {
        let folder = folder.to_string_lossy();
        traces.push(folder.rsplit_once('-').map_or(&*folder, |(host, _)| host).to_owned());
    }
    traces.sort();
    traces.dedup();
    Ok(traces)
}

fn holds(bytes: &[u8], trace: &[u8]) -> bool {
    !trace.is_empty() && bytes.windows(trace.len()).any(|window| window == trace)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let failed =
        |error| Error::new(format!("cannot list {}: {error}; run `cargo xtask build` first", folder.display()));
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_trace_anywhere() {
        assert!(holds(b"panicked at /home/me/x.rs", b"/home/me"));
        assert!(holds(b"/home/me", b"/home/me"));
        assert!(!holds(b"/home/m", b"/home/me"));
        assert!(!holds(b"", b"/home/me"));
        assert!(!holds(b"text", b""));
    }
}
