//! Finds or installs Chromium and its driver, for the tests.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::process::{Error, Result, Workspace, run, step};

const NAMES: [&str; 5] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// The browser: `CHROMIUM`, or one on PATH, or installed by apt-get, or by Playwright.
pub(crate) fn ensure_chromium(workspace: &Workspace) -> Result<PathBuf> {
    if let Some(path) = env::var_os("CHROMIUM").filter(|path| !path.is_empty()) {
        let path = PathBuf::from(path);
        return if path.is_file() {
            Ok(path)
        } else {
            Err(Error::new(format!(
                "CHROMIUM is {}, but no file is there: set it to a Chromium's program, or unset it",
                path.display()
            )))
        };
    }
    if let Some(path) = find(workspace) {
        return Ok(path);
    }
    if apt(workspace, "chromium")
        && let Some(path) = find(workspace)
    {
        return Ok(path);
    }
    playwright(workspace)
}

/// The driver that wasm-bindgen's test runner needs: `CHROMEDRIVER`, or one on PATH, or installed
/// by apt-get.
pub(crate) fn ensure_driver(workspace: &Workspace) -> Result<PathBuf> {
    if let Some(path) = env::var_os("CHROMEDRIVER").filter(|path| !path.is_empty()) {
        return Ok(path.into());
    }
    let find = || {
        let github = env::var_os("CHROMEWEBDRIVER").map(|dir| PathBuf::from(dir).join("chromedriver"));
        workspace.which(&["chromedriver"]).or(github.filter(|path| path.is_file()))
    };
    if let Some(path) = find() {
        return Ok(path);
    }
    apt(workspace, "chromium-driver");
    find().ok_or_else(|| {
        Error::new(
            "chromedriver isn't on PATH and can't be installed by apt-get here: install the one of \
             your Chromium's version, or set CHROMEDRIVER to its path",
        )
    })
}

/// The test runner's settings: web/webdriver.json with the browser's path added.
pub(crate) fn webdriver_settings(workspace: &Workspace, chromium: &PathBuf) -> Result<PathBuf> {
    let from = workspace.root.join("web/webdriver.json");
    let to = workspace.tools().join("webdriver.json");
    let text =
        fs::read_to_string(&from).map_err(|error| Error::new(format!("cannot read {}: {error}", from.display())))?;
    // Debug's quotes and escapes are JSON's for any path of valid Unicode without controls.
    let text = text.replacen("\"args\"", &format!("\"binary\": {chromium:?}, \"args\""), 1);
    fs::create_dir_all(workspace.tools())
        .and_then(|()| fs::write(&to, text))
        .map_err(|error| Error::new(format!("cannot write {}: {error}", to.display())))?;
    Ok(to)
}

fn find(workspace: &Workspace) -> Option<PathBuf> {
    workspace.which(&NAMES)
}

/// Installs a Debian package; false if that isn't possible here.
fn apt(workspace: &Workspace, package: &str) -> bool {
    if workspace.which(&["apt-get"]).is_none() {
        return false;
    }
    let root = workspace.ask("id", &["-u"]).as_deref() == Some("0");
    if !root && workspace.ask("sudo", &["-n", "true"]).is_none() {
        return false;
    }
    let apt_get = |arguments: &[&str]| -> Command {
        let mut command = if root {
            workspace.command("apt-get", arguments)
        } else {
            let sudo = ["-n", "DEBIAN_FRONTEND=noninteractive", "apt-get"];
            let mut command = workspace.command("sudo", &sudo);
            command.args(arguments);
            command
        };
        command.env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
        command
    };
    let install = || run(&mut apt_get(&["install", "-y", "-q", package]));
    let installed = step(&format!("{package}, by apt-get"), || {
        install().or_else(|_| {
            println!("    apt-get's lists may be old: updating them");
            run(&mut apt_get(&["update", "-q"]))?;
            install()
        })
    });
    if let Err(error) = &installed {
        println!("    {error}");
    }
    installed.is_ok()
}

/// Playwright's own Chromium, in target/tools/browsers.
fn playwright(workspace: &Workspace) -> Result<PathBuf> {
    let browsers = workspace.tools().join("browsers");
    let ask = || {
        let script = "import('playwright-core').then((p) => console.log(p.chromium.executablePath()))";
        let output =
            workspace.command("node", &["-e", script]).env("PLAYWRIGHT_BROWSERS_PATH", &browsers).output().ok()?;
        let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
        path.is_file().then_some(path)
    };
    if let Some(path) = ask() {
        return Ok(path);
    }
    step("Chromium, by Playwright", || {
        let mut command = workspace.command("playwright-core", &["install", "chromium"]);
        run(command.env("PLAYWRIGHT_BROWSERS_PATH", &browsers))?;
        ask().ok_or_else(|| Error::new("Playwright installed no Chromium"))
    })
    .map_err(|error| {
        Error::new(format!(
            "no Chromium for the tests: {error}\nInstall Chromium or Chrome, or set CHROMIUM to \
             its program's path"
        ))
    })
}
