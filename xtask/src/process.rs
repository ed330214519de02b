//! Running other programs: where we are, what they get, what to say when they fail.

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What went wrong, where, and what to do about it, for a person to read.
#[derive(Debug)]
pub(crate) struct Error(String);

impl Error {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

pub(crate) type Result<T> = std::result::Result<T, Error>;

/// The workspace, and the environment that its tools run in.
#[derive(Debug)]
pub(crate) struct Workspace {
    /// The folder of the workspace's Cargo.toml.
    pub(crate) root: PathBuf,
    /// PATH with the workspace's own tools first.
    path: OsString,
}

impl Workspace {
    /// Finds the workspace: cargo tells where this package is, its parent is the root.
    pub(crate) fn find() -> Result<Self> {
        let root = env::var_os("CARGO_MANIFEST_DIR")
            .map(PathBuf::from)
            .and_then(|package| package.parent().map(Path::to_path_buf))
            .ok_or_else(|| Error::new("start this by `cargo xtask`, from inside the workspace"))?;
        let path = env::var_os("PATH").unwrap_or_default();
        let own = [root.join("target/tools/bin"), root.join("node_modules/.bin")];
        let path = env::join_paths(own.into_iter().chain(env::split_paths(&path)))
            .map_err(|error| Error::new(format!("cannot extend PATH for {root:?}: {error}")))?;
        Ok(Self { root, path })
    }

    /// Where our own tools are installed.
    pub(crate) fn tools(&self) -> PathBuf {
        self.root.join("target/tools")
    }

    /// Where cargo builds to.
    pub(crate) fn target(&self) -> PathBuf {
        let set = env::var_os("CARGO_TARGET_DIR").or_else(|| env::var_os("CARGO_BUILD_TARGET_DIR"));
        self.root.join(set.unwrap_or_else(|| "target".into()))
    }

    /// The first program on PATH of one of these names.
    pub(crate) fn which(&self, names: &[&str]) -> Option<PathBuf> {
        names.iter().find_map(|name| {
            env::split_paths(&self.path)
                .map(|folder| folder.join(name).with_extension(env::consts::EXE_EXTENSION))
                .find(|file| file.is_file())
        })
    }

    /// A command that runs in the workspace's root.
    pub(crate) fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.root).env("PATH", &self.path);
        command
    }

    /// Runs a command whose output the user sees.
    pub(crate) fn run(&self, program: &str, arguments: &[&str]) -> Result<()> {
        run(&mut self.command(program, arguments))
    }

    /// Runs a command and returns what it printed, trimmed; `None` if it can't run or fails.
    pub(crate) fn ask(&self, program: &str, arguments: &[&str]) -> Option<String> {
        let mut command = self.command(program, arguments);
        let output = command.stderr(Stdio::null()).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    }
}

/// Runs a command whose output the user sees.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().map_err(|error| Error::new(format!("cannot start `{}`: {error}", line(command))))?;
    if status.success() {
        Ok(())
    } else {
        Err(Error::new(format!("`{}` failed ({status}); its own message is above", line(command))))
    }
}

/// The command as one would type it.
fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}

/// Does one named step, printing its name before and its time after it.
pub(crate) fn step<T>(name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    println!("==> {name}");
    let start = Instant::now();
    let done = work()?;
    println!("    {name}: done in {}", seconds(start.elapsed()));
    Ok(done)
}

/// A duration as people read it: `0.4 s`, `2 min 5 s`.
pub(crate) fn seconds(duration: Duration) -> String {
    let whole = duration.as_secs();
    if whole < 60 { format!("{:.1} s", duration.as_secs_f64()) } else { format!("{} min {} s", whole / 60, whole % 60) }
}
