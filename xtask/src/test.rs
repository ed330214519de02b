//! `cargo xtask test`: all checks, from the quick to the slow; the first that fails ends the run.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::browser;
use crate::build;
use crate::process::{Error, Result, Workspace, run as run_command, seconds};
use crate::tools;
use crate::traces;

struct Check {
    name: &'static str,
    about: &'static str,
    work: fn(&Workspace) -> Result<()>,
}

const CHECKS: [Check; 8] = [
    Check { name: "fmt", about: "the sources are formatted", work: fmt },
    Check { name: "clippy", about: "no warning on this machine's target", work: clippy },
    Check { name: "clippy-wasm", about: "no warning on wasm32, with and without the app", work: clippy_wasm },
    Check { name: "native", about: "unit and integration tests", work: native },
    Check { name: "wasm", about: "the page's tests in Chromium", work: wasm },
    Check { name: "build", about: "the release build", work: build::all },
    Check { name: "traces", about: "dist/ holds nothing of the building machine", work: traces::check },
    Check { name: "e2e", about: "the built page in Chromium (tests/e2e)", work: e2e },
];

/// The checks' names and meanings, a line each.
pub(crate) fn list() -> String {
    let mut text = String::new();
    for Check { name, about, .. } in &CHECKS {
        // Writing to a String can't fail.
        let _ = writeln!(text, "  {name:<12} {about}");
    }
    text
}

/// Runs the named checks, or all.
pub(crate) fn run(workspace: &Workspace, only: &[&str]) -> Result<()> {
    if let Some(unknown) = only.iter().find(|name| !CHECKS.iter().any(|check| check.name == **name)) {
        return Err(Error::new(format!("test: there is no check `{unknown}`; there are:\n{}", list())));
    }
    let start = Instant::now();
    let mut table = String::from("\n");
    let mut failure = None;
    for check in &CHECKS {
        let chosen = only.is_empty() || only.contains(&check.name);
        if !chosen {
            continue;
        }
        if failure.is_some() {
            row(&mut table, check.name, "not run", None);
            continue;
        }
        println!("\n=== {}: {}", check.name, check.about);
        let start = Instant::now();
        match (check.work)(workspace) {
            Ok(()) => row(&mut table, check.name, "passed", Some(start.elapsed())),
            Err(error) => {
                row(&mut table, check.name, "FAILED", Some(start.elapsed()));
                failure = Some(format!("check `{}`: {error}", check.name));
            }
        }
    }
    row(&mut table, "all", "", Some(start.elapsed()));
    print!("{table}");
    failure.map_or(Ok(()), |text| Err(Error::new(text)))
}

fn row(table: &mut String, name: &str, state: &str, time: Option<Duration>) {
    let time = time.map(seconds).unwrap_or_default();
    // Writing to a String can't fail.
    let _ = writeln!(table, "{name:<12} {state:<8} {time:>12}");
}

fn fmt(workspace: &Workspace) -> Result<()> {
    tools::ensure_lints(workspace)?;
    workspace.run("cargo", &["fmt", "--all", "--check"])
}

fn clippy(workspace: &Workspace) -> Result<()> {
    lint(workspace, &["--workspace", "--all-targets"])
}

fn clippy_wasm(workspace: &Workspace) -> Result<()> {
    tools::ensure_target(workspace)?;
    const WASM: &str = "--target=wasm32-unknown-unknown";
    lint(workspace, &[WASM, "-p=steplens-web", "-p=steplens-core"])?;
    // As the one-file page is built.
    lint(workspace, &[WASM, "-p=steplens-web", "--features=inpage"])?;
    // As the worker is built.
    lint(workspace, &[WASM, "-p=steplens-web", "--no-default-features"])?;
    // clippy.toml allows these in tests, but doesn't know a `wasm_bindgen_test` for one.
    let allowed = ["unwrap_used", "expect_used", "panic", "indexing_slicing"];
    let allowed = allowed.map(|lint| format!("-Aclippy::{lint}"));
    let mut command = clippy_command(workspace, &[WASM, "-p=steplens-web", "--tests"]);
    run_command(command.args(allowed))
}

fn lint(workspace: &Workspace, arguments: &[&str]) -> Result<()> {
    tools::ensure_lints(workspace)?;
    run_command(&mut clippy_command(workspace, arguments))
}

fn clippy_command(workspace: &Workspace, arguments: &[&str]) -> Command {
    let mut command = workspace.command("cargo", &["clippy", "--locked"]);
    command.args(arguments).args(["--", "-D", "warnings"]);
    command
}

fn native(workspace: &Workspace) -> Result<()> {
    workspace.run("cargo", &["test", "--workspace", "--locked"])
}

fn wasm(workspace: &Workspace) -> Result<()> {
    tools::ensure_target(workspace)?;
    tools::ensure_wasm_bindgen(workspace)?;
    tools::ensure_npm(workspace)?;
    let chromium = browser::ensure_chromium(workspace)?;
    let driver = browser::ensure_driver(workspace)?;
    let mut command = workspace.command("cargo", &["test", "--locked", "-p=steplens-web"]);
    command
        .arg("--target=wasm32-unknown-unknown")
        .env("CHROMEDRIVER", driver)
        .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", browser::webdriver_settings(workspace, &chromium)?)
        // For the driver's start, and for the tests; a busy machine takes its time.
        .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60")
        .env("WASM_BINDGEN_TEST_TIMEOUT", "300");
    run_command(&mut command)
}

fn e2e(workspace: &Workspace) -> Result<()> {
    tools::ensure_npm(workspace)?;
    let chromium = browser::ensure_chromium(workspace)?;
    if !build::dist(workspace).join("index.html").is_file() || !build::cli(workspace).is_file() {
        build::all(workspace)?;
    }
    let folder = workspace.root.join("tests/e2e");
    let entries =
        fs::read_dir(&folder).map_err(|error| Error::new(format!("cannot list {}: {error}", folder.display())))?;
    let mut files: Vec<_> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.to_string_lossy().ends_with(".test.mjs"))
        .collect();
    files.sort();
    let mut command = workspace.command("node", &["--test", "--test-concurrency=1", "--test-reporter=spec"]);
    command
        .args(files)
        .env("CHROMIUM", chromium)
        .env("STEPLENS_DIST", build::dist(workspace))
        .env("STEPLENS_CLI", build::cli(workspace));
    run_command(&mut command)
}
