//! `cargo xtask build`: the page into dist/, the command line into target/release.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::process::{Error, Result, Workspace, run, step};
use crate::tools;

/// Builds all there is to ship.
pub(crate) fn all(workspace: &Workspace) -> Result<()> {
    page(workspace)?;
    step("command line", || {
        let mut command = workspace.command("cargo", &["build", "--release", "--locked", "--package", "steplens"]);
        // The page goes into the binary, for the commands that hand a run on.
        run(command.env("STEPLENS_VIEWER", dist(workspace)))
    })?;
    println!("The page is in {}.", dist(workspace).display());
    println!("The command line is {}.", cli(workspace).display());
    Ok(())
}

/// Builds the page into dist/: the same bytes from the same sources, wherever they lie.
pub(crate) fn page(workspace: &Workspace) -> Result<()> {
    tools::ensure_page(workspace)?;
    step("page", || {
        let mut command = workspace.command("trunk", &["build", "--release", "--locked"]);
        command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", remap_flags(workspace)?);
        // Trunk takes only `true` or `false` here, others say `1`.
        if env::var_os("NO_COLOR").is_some() {
            command.env("NO_COLOR", "true");
        }
        run(&mut command)
    })
}

/// The folder of the built page.
pub(crate) fn dist(workspace: &Workspace) -> PathBuf {
    workspace.root.join("dist")
}

/// The built command line.
pub(crate) fn cli(workspace: &Workspace) -> PathBuf {
    let folder = workspace.target().join("release");
    folder.join("steplens").with_extension(env::consts::EXE_EXTENSION)
}

/// What of this machine must not stand in what is built.
pub(crate) struct Machine {
    pub(crate) home: Option<PathBuf>,
    pub(crate) cargo: PathBuf,
    pub(crate) rustup: PathBuf,
    /// Folders of downloaded sources; cargo names them after the registries' hosts.
    pub(crate) registries: Vec<PathBuf>,
}

impl Machine {
    pub(crate) fn find() -> Result<Self> {
        let home = env::home_dir();
        let of = |variable: &str, folder: &str| {
            env::var_os(variable)
                .map(PathBuf::from)
                .or_else(|| home.as_ref().map(|home| home.join(folder)))
                .ok_or_else(|| Error::new(format!("neither {variable} nor a home folder is set")))
        };
        let cargo = of("CARGO_HOME", ".cargo")?;
        let rustup = of("RUSTUP_HOME", ".rustup")?;
        let entries = fs::read_dir(cargo.join("registry/src"));
        let mut registries: Vec<_> = entries.into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        registries.sort();
        Ok(Self { home, cargo, rustup, registries })
    }
}

/// Flags that keep this machine's paths out of what is built. Cargo adds them to those of
/// .cargo/config.toml.
fn remap_flags(workspace: &Workspace) -> Result<String> {
    let machine = Machine::find()?;
    // Where several match, the last one counts: from the general to the special.
    let mut names: Vec<(PathBuf, String)> = Vec::new();
    names.extend(machine.home.map(|home| (home, "home".to_owned())));
    names.push((machine.rustup, "rustup".to_owned()));
    names.push((machine.cargo, "cargo".to_owned()));
    names.extend(machine.registries.into_iter().map(|folder| (folder, "registry".to_owned())));
    if let (Some(sysroot), Some(version)) =
        (workspace.ask("rustc", &["--print", "sysroot"]), workspace.ask("rustc", &["-vV"]))
    {
        // The name that the standard library's own sources have where they aren't installed.
        let commit = version.lines().find_map(|line| line.strip_prefix("commit-hash: "));
        let sources = Path::new(&sysroot).join("lib/rustlib/src/rust");
        names.push((sources, format!("/rustc/{}", commit.unwrap_or("unknown"))));
    }
    names.push((workspace.root.clone(), "steplens".to_owned()));

    let mut flags = Vec::new();
    for (folder, name) in names {
        let folder = folder.to_string_lossy();
        // Cargo splits the variable at spaces and has no way to quote them.
        if folder.contains(char::is_whitespace) {
            println!("    {folder} holds a space: this path can stand in the built files");
        } else {
            flags.push(format!("--remap-path-prefix={folder}={name}"));
        }
    }
    Ok(flags.join(" "))
}
