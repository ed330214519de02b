//! Installs what the build needs, if it isn't there: the wasm target, Trunk, wasm-bindgen, the npm
//! packages. Nothing global changes but rustup's own targets and components,
//! and Chromium, which `browser` installs by the system's package manager.

use std::fs;

use crate::process::{Error, Result, Workspace, run, step};

const TRUNK_VERSION: &str = "0.21.14";
const TARGET: &str = "wasm32-unknown-unknown";

/// What it takes to build the page.
pub(crate) fn ensure_page(workspace: &Workspace) -> Result<()> {
    ensure_target(workspace)?;
    ensure_wasm_bindgen(workspace)?;
    ensure_trunk(workspace)?;
    ensure_npm(workspace)
}

/// rustfmt and clippy.
pub(crate) fn ensure_lints(workspace: &Workspace) -> Result<()> {
    for (command, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if workspace.ask("cargo", &[command, "--version"]).is_none() {
            step(component, || rustup(workspace, &["component", "add", component]))?;
        }
    }
    Ok(())
}

/// The standard library for wasm.
pub(crate) fn ensure_target(workspace: &Workspace) -> Result<()> {
    let folder = workspace.ask("rustc", &["--print", "target-libdir", "--target", TARGET]);
    if folder.is_some_and(|folder| fs::exists(folder).unwrap_or(false)) {
        return Ok(());
    }
    step(TARGET, || rustup(workspace, &["target", "add", TARGET]))
}

fn rustup(workspace: &Workspace, arguments: &[&str]) -> Result<()> {
    if workspace.which(&["rustup"]).is_none() {
        return Err(Error::new(format!(
            "`rustup {}` is needed, but rustup isn't on PATH: install Rust from https://rustup.rs, \
             or install this part with your system's packages",
            arguments.join(" ")
        )));
    }
    workspace.run("rustup", arguments)
}

/// Trunk, without its own downloads: the tools it would fetch are on PATH.
fn ensure_trunk(workspace: &Workspace) -> Result<()> {
    let program = workspace.tools().join("bin/trunk");
    if workspace.ask(&program.to_string_lossy(), &["--version"]) == Some(format!("trunk {TRUNK_VERSION}")) {
        return Ok(());
    }
    // Unoptimised it builds in half the time, and it waits for cargo anyway.
    install(workspace, "trunk", TRUNK_VERSION, "0")
}

/// wasm-bindgen and its test runner, of the version in Cargo.lock: others can't read its output.
pub(crate) fn ensure_wasm_bindgen(workspace: &Workspace) -> Result<()> {
    let version = locked_version(workspace, "wasm-bindgen")?;
    let program = workspace.tools().join("bin/wasm-bindgen");
    if workspace.ask(&program.to_string_lossy(), &["--version"]) == Some(format!("wasm-bindgen {version}")) {
        return Ok(());
    }
    install(workspace, "wasm-bindgen-cli", &version, "1")
}

fn install(workspace: &Workspace, package: &str, version: &str, opt_level: &str) -> Result<()> {
    step(&format!("{package} {version} (minutes, once)"), || {
        let tools = workspace.tools();
        let build = tools.join("build");
        let mut command = workspace.command("cargo", &["install", "--locked", "--force"]);
        command
            .args(["--version", version, "--no-default-features", package])
            .arg("--root")
            .arg(&tools)
            .arg("--target-dir")
            .arg(&build)
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", opt_level)
            .env("CARGO_PROFILE_RELEASE_LTO", "off")
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
            .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
            .env("CARGO_PROFILE_RELEASE_STRIP", "symbols");
        run(&mut command)?;
        // What is left of the build is of no more use; if it can't be removed, it does no harm.
        let _ = fs::remove_dir_all(build);
        Ok(())
    })
}

/// The version of a package in Cargo.lock.
fn locked_version(workspace: &Workspace, package: &str) -> Result<String> {
    let file = workspace.root.join("Cargo.lock");
    let text =
        fs::read_to_string(&file).map_err(|error| Error::new(format!("cannot read {}: {error}", file.display())))?;
    let name = format!("name = \"{package}\"");
    let mut lines = text.lines().skip_while(|line| *line != name).skip(1);
    lines
        .next()
        .and_then(|line| line.strip_prefix("version = \""))
        .and_then(|line| line.strip_suffix('"'))
        .map(str::to_owned)
        .ok_or_else(|| Error::new(format!("{} names no {package}", file.display())))
}

/// The packages of package-lock.json; again when that file has changed.
pub(crate) fn ensure_npm(workspace: &Workspace) -> Result<()> {
    let lock = workspace.root.join("package-lock.json");
    let wanted = fs::read(&lock).map_err(|error| Error::new(format!("cannot read {}: {error}", lock.display())))?;
    // A copy of the lock file that was installed; npm removes it along with the folder.
    let mark = workspace.root.join("node_modules/.installed-lock.json");
    if fs::read(&mark).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    if workspace.which(&["npm"]).is_none() {
        return Err(Error::new("npm isn't on PATH: install Node.js 20 or later from https://nodejs.org"));
    }
    step("npm packages", || {
        workspace.run("npm", &["ci"])?;
        fs::write(&mark, wanted).map_err(|error| Error::new(format!("cannot write {}: {error}", mark.display())))
    })
}
